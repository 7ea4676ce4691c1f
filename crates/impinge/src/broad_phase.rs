//! Broad phases: which of many boxes meet. Every one gives the same set of pairs, that of [`BruteForce`]; they differ in what they keep from one update to the next.
mod brute_force;
mod dynamic_tree;
mod grid;
mod kept;
mod sorted_lists;

pub use self::{brute_force::BruteForce, dynamic_tree::DynamicTree, grid::Grid, sorted_lists::SortedLists};

use std::fmt::Debug;

/// A closed box { x : lo <= x <= hi } in the world, in f64; empty if lo > hi on some axis. Infinite sides are allowed, NaN is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The least corner.
    pub lo: [f64; 3],
    /// The greatest corner.
    pub hi: [f64; 3],
}

impl Extent {
    /// Holds nothing, and meets nothing: what stands for a body that is not there.
    pub const EMPTY: Self = Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };

    /// Whether the two share a point.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.hi[k] && other.lo[k] <= self.hi[k])
    }
    /// Whether it holds nothing.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.lo[k] > self.hi[k])
    }
    /// Whether it holds all of a box that is not empty.
    #[inline(always)]
    pub fn holds(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.lo[k] && other.hi[k] <= self.hi[k])
    }
    /// The least box around both.
    #[inline(always)]
    pub fn and(&self, other: &Self) -> Self {
        let mut all = *self;
        for k in 0..3 {
            // Compares rather than `f64::min`: no NaN comes here, and these are one instruction each.
            all.lo[k] = if other.lo[k] < all.lo[k] { other.lo[k] } else { all.lo[k] };
            all.hi[k] = if other.hi[k] > all.hi[k] { other.hi[k] } else { all.hi[k] };
        }
        all
    }
}

/// Finds the pairs of boxes that meet.
pub trait BroadPhase: Debug + Send + Sync {
    /// Every pair of boxes that share a point, as their indices, the smaller first, in no particular order, into `pairs`, which is cleared first.
    ///
    /// `changed` names the boxes that differ from those of the last call, those that have become [`Extent::EMPTY`] or stopped being so among them, each at most once; boxes may have been appended, which then are
    /// named, too, unless they are empty, and none removed. It must not leave any out: some broad phases look at no others.
    fn update(&mut self, boxes: &[Extent], changed: &[u32], pairs: &mut Vec<[u32; 2]>);
}
