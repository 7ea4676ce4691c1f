//! Volumes that are stored absolutely, independent of their parent, and nodes of N of them.
use super::{Apart, NodeLayout, OverlapTest, shape::Shape};
use crate::{Fit, Overlap, Split, link::Link, primitives::Primitives};
use impinge::hierarchy::Placement;
use std::{fmt::Debug, marker::PhantomData};

/// A bounding volume that is fitted, stored and transformed independently of other volumes. Its items have
/// the meaning of those of [`NodeLayout`] and [`OverlapTest`]; its supertrait has the tests for one tree.
pub(crate) trait BoundingVolume: Shape {
    type Precomputed;
    type Resting: Copy + Debug + Send + Sync;
    type Moving: Copy + Debug + Send + Sync;
    const PAPER: &'static str;
    const OPERATIONS: [u32; 2];
    const FITS: &'static [Fit] = &[Fit::Auto];
    const SPLIT: Split = Split::Sah;
    const OVERLAPS: &'static [Overlap];
    const TESTS: &'static [&'static str];

    fn fit(primitives: &Primitives<'_>, fit: Fit) -> Self;
    fn holds(&self, lo: &[f64; 3], hi: &[f64; 3]) -> bool;
    fn precompute(placement: &Placement, overlap: Overlap) -> Self::Precomputed;
    fn prepare_resting(&self, precomputed: &Self::Precomputed) -> Self::Resting;
    fn prepare_moving(&self, precomputed: &Self::Precomputed) -> Self::Moving;
    fn separation(
        precomputed: &Self::Precomputed,
        resting: &Self::Resting,
        moving: &Self::Moving,
    ) -> Option<u8>;
    fn resting_is_larger(
        precomputed: &Self::Precomputed,
        resting: &Self::Resting,
        moving: &Self::Moving,
    ) -> bool;

    fn gap(precomputed: &Self::Precomputed, resting: &Self::Resting, moving: &Self::Moving) -> f64;

    /// Prepares a resting volume, or proves it apart from `moving`. Volumes that can often prove it before
    /// they are fully prepared override this.
    #[inline(always)]
    fn test_resting(
        &self,
        precomputed: &Self::Precomputed,
        moving: &Self::Moving,
    ) -> Result<Self::Resting, Apart> {
        let resting = self.prepare_resting(precomputed);
        match Self::separation(precomputed, &resting, moving) {
            None => Ok(resting),
            Some(test) => Err(Apart { test, transformed: true }),
        }
    }
    /// Prepares a moving volume, or proves it disjoint from `resting`.
    #[inline(always)]
    fn test_moving(
        &self,
        precomputed: &Self::Precomputed,
        resting: &Self::Resting,
    ) -> Result<Self::Moving, Apart> {
        let moving = self.prepare_moving(precomputed);
        match Self::separation(precomputed, resting, &moving) {
            None => Ok(moving),
            Some(test) => Err(Apart { test, transformed: true }),
        }
    }
}

/// Nodes of up to N volumes, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeOf<V, const N: usize>(PhantomData<V>);

impl<V: BoundingVolume, const N: usize> NodeLayout for NodeOf<V, N> {
    type ChildBounds = [V; N];
    type Links = [Link; N];
    type Decoded = V;
    type Leaf = ();
    const PAPER: &'static str = V::PAPER;
    const OPERATIONS: [u32; 2] = V::OPERATIONS;
    const FITS: &'static [Fit] = V::FITS;
    const SPLIT: Split = V::SPLIT;
    const NO_LINKS: Self::Links = [Link::NONE; N];

    fn enclose(all: &Primitives<'_>, fit: Fit) -> V {
        V::fit(all, fit)
    }
    /// An unused slot repeats the last child's volume.
    fn encode(_: &V, children: &[Primitives<'_>], fit: Fit) -> [V; N] {
        let mut child_bounds = [V::fit(&children[0], fit); N];
        for slot in 1..N {
            child_bounds[slot] =
                children.get(slot).map_or(child_bounds[slot - 1], |child| V::fit(child, fit));
        }
        child_bounds
    }
    #[inline(always)]
    fn decode(_: &V, child_bounds: &[V; N], slot: usize) -> V {
        child_bounds[slot]
    }
    fn leaf(_: &V, _: &[[f64; 3]; 3]) {}
    fn holds(decoded: &V, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        decoded.holds(lo, hi)
    }
}

impl<V: BoundingVolume, const N: usize> OverlapTest for NodeOf<V, N> {
    type Precomputed = V::Precomputed;
    type Resting = V::Resting;
    type Moving = V::Moving;
    const OVERLAPS: &'static [Overlap] = V::OVERLAPS;
    const TESTS: &'static [&'static str] = V::TESTS;

    fn precompute(placement: &Placement, overlap: Overlap) -> V::Precomputed {
        V::precompute(placement, overlap)
    }
    #[inline(always)]
    fn prepare_resting(precomputed: &V::Precomputed, root: &V) -> V::Resting {
        root.prepare_resting(precomputed)
    }
    #[inline(always)]
    fn prepare_moving(precomputed: &V::Precomputed, root: &V) -> V::Moving {
        root.prepare_moving(precomputed)
    }
    #[inline(always)]
    fn separation(precomputed: &V::Precomputed, resting: &V::Resting, moving: &V::Moving) -> Option<u8> {
        V::separation(precomputed, resting, moving)
    }
    #[inline(always)]
    fn resting_is_larger(precomputed: &V::Precomputed, resting: &V::Resting, moving: &V::Moving) -> bool {
        V::resting_is_larger(precomputed, resting, moving)
    }
    #[inline(always)]
    fn gap(precomputed: &V::Precomputed, resting: &V::Resting, moving: &V::Moving) -> f64 {
        V::gap(precomputed, resting, moving)
    }
    #[inline(always)]
    fn resting_child(
        precomputed: &V::Precomputed,
        _: &V::Resting,
        child_bounds: &[V; N],
        slot: usize,
    ) -> V::Resting {
        child_bounds[slot].prepare_resting(precomputed)
    }
    #[inline(always)]
    fn moving_child(
        precomputed: &V::Precomputed,
        _: &V::Moving,
        child_bounds: &[V; N],
        slot: usize,
    ) -> V::Moving {
        child_bounds[slot].prepare_moving(precomputed)
    }
    #[inline(always)]
    fn open_resting(
        precomputed: &V::Precomputed,
        _: &V::Resting,
        (child_bounds, count): (&[V; N], usize),
        moving: &V::Moving,
        mut outcome: impl FnMut(usize, Result<V::Resting, Apart>),
    ) {
        for (slot, child) in child_bounds.iter().enumerate().take(count) {
            outcome(slot, child.test_resting(precomputed, moving));
        }
    }
    #[inline(always)]
    fn open_moving(
        precomputed: &V::Precomputed,
        _: &V::Moving,
        (child_bounds, count): (&[V; N], usize),
        resting: &V::Resting,
        mut outcome: impl FnMut(usize, Result<V::Moving, Apart>),
    ) {
        for (slot, child) in child_bounds.iter().enumerate().take(count) {
            outcome(slot, child.test_moving(precomputed, resting));
        }
    }
}
