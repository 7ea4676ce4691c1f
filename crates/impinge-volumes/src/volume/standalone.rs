//! Volumes that are stored by themselves, whatever their parent is, and nodes of N of them.
use super::{Apart, Cluster, Collide, Fit, Volume};
use crate::{Overlap, build::Split, refit::merge::Merger, tree::Link};
use impinge::hierarchy::Placement;
use std::{fmt::Debug, marker::PhantomData};

/// A volume that can be fitted, stored and placed alone. The items are those of [`Volume`] and [`Collide`].
pub(crate) trait Standalone: Copy + Debug + Send + Sync + 'static {
    type Frame;
    type Resting: Copy + Debug + Send + Sync;
    type Moving: Copy + Debug + Send + Sync;
    const PAPER: &'static str;
    const OPERATIONS: [u32; 2];
    const FITS: &'static [Fit] = &[Fit::Auto];
    const SPLIT: Split = Split::Sah;
    const OVERLAPS: &'static [Overlap];
    const TESTS: &'static [&'static str];

    fn fit(cluster: &Cluster<'_>, fit: Fit) -> Self;
    fn holds(&self, lo: &[f64; 3], hi: &[f64; 3]) -> bool;
    fn frame(placement: &Placement, overlap: Overlap) -> Self::Frame;
    fn rest(&self, frame: &Self::Frame) -> Self::Resting;
    fn place(&self, frame: &Self::Frame) -> Self::Moving;
    fn separation(frame: &Self::Frame, resting: &Self::Resting, moving: &Self::Moving) -> Option<u8>;
    fn resting_is_larger(frame: &Self::Frame, resting: &Self::Resting, moving: &Self::Moving) -> bool;

    /// See [`Volume::merger`].
    fn merger<const N: usize>() -> Option<Merger<Nary<Self, N>>> {
        None
    }

    /// Readies a resting volume if it may meet `moving`. Volumes that can often tell before they are ready override this.
    #[inline(always)]
    fn rest_against(&self, frame: &Self::Frame, moving: &Self::Moving) -> Result<Self::Resting, Apart> {
        let resting = self.rest(frame);
        match Self::separation(frame, &resting, moving) {
            None => Ok(resting),
            Some(test) => Err(Apart { test, placed: true }),
        }
    }
    /// The same for a moving volume.
    #[inline(always)]
    fn place_against(&self, frame: &Self::Frame, resting: &Self::Resting) -> Result<Self::Moving, Apart> {
        let moving = self.place(frame);
        match Self::separation(frame, resting, &moving) {
            None => Ok(moving),
            Some(test) => Err(Apart { test, placed: true }),
        }
    }
}

/// Nodes of up to N standalone volumes, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nary<V, const N: usize>(PhantomData<V>);

impl<V: Standalone, const N: usize> Volume for Nary<V, N> {
    type Family = [V; N];
    type Links = [Link; N];
    type Live = V;
    type Leaf = ();
    const PAPER: &'static str = V::PAPER;
    const OPERATIONS: [u32; 2] = V::OPERATIONS;
    const FITS: &'static [Fit] = V::FITS;
    const SPLIT: Split = V::SPLIT;
    const NO_LINKS: Self::Links = [Link::NONE; N];

    fn enclose(all: &Cluster<'_>, fit: Fit) -> V {
        V::fit(all, fit)
    }
    /// A slot that is not used repeats the last.
    fn seal(_: &V, children: &[Cluster<'_>], fit: Fit) -> [V; N] {
        let mut family = [V::fit(&children[0], fit); N];
        for slot in 1..N {
            family[slot] = children.get(slot).map_or(family[slot - 1], |child| V::fit(child, fit));
        }
        family
    }
    #[inline(always)]
    fn live(_: &V, family: &[V; N], slot: usize) -> V {
        family[slot]
    }
    fn leaf(_: &V, _: &[[f64; 3]; 3]) {}
    fn holds(live: &V, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        live.holds(lo, hi)
    }
    fn merger() -> Option<Merger<Self>> {
        V::merger()
    }
}

impl<V: Standalone, const N: usize> Collide for Nary<V, N> {
    type Frame = V::Frame;
    type Resting = V::Resting;
    type Moving = V::Moving;
    const OVERLAPS: &'static [Overlap] = V::OVERLAPS;
    const TESTS: &'static [&'static str] = V::TESTS;

    fn frame(placement: &Placement, overlap: Overlap) -> V::Frame {
        V::frame(placement, overlap)
    }
    #[inline(always)]
    fn rest(frame: &V::Frame, root: &V) -> V::Resting {
        root.rest(frame)
    }
    #[inline(always)]
    fn place(frame: &V::Frame, root: &V) -> V::Moving {
        root.place(frame)
    }
    #[inline(always)]
    fn separation(frame: &V::Frame, resting: &V::Resting, moving: &V::Moving) -> Option<u8> {
        V::separation(frame, resting, moving)
    }
    #[inline(always)]
    fn resting_is_larger(frame: &V::Frame, resting: &V::Resting, moving: &V::Moving) -> bool {
        V::resting_is_larger(frame, resting, moving)
    }
    #[inline(always)]
    fn open_resting(
        frame: &V::Frame,
        _: &V::Resting,
        (family, count): (&[V; N], usize),
        moving: &V::Moving,
        mut outcome: impl FnMut(usize, Result<V::Resting, Apart>),
    ) {
        for (slot, child) in family.iter().enumerate().take(count) {
            outcome(slot, child.rest_against(frame, moving));
        }
    }
    #[inline(always)]
    fn open_moving(
        frame: &V::Frame,
        _: &V::Moving,
        (family, count): (&[V; N], usize),
        resting: &V::Resting,
        mut outcome: impl FnMut(usize, Result<V::Moving, Apart>),
    ) {
        for (slot, child) in family.iter().enumerate().take(count) {
            outcome(slot, child.place_against(frame, resting));
        }
    }
}
