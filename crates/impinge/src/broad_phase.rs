//! Broad phases: which of many boxes meet. Every one gives the same set of pairs, that of [`BruteForce`]; they differ in what they keep from one update to the next.
mod brute_force;
mod dynamic_tree;
mod grid;
mod kept;
mod sorted_lists;

pub use self::{brute_force::BruteForce, dynamic_tree::DynamicTree, grid::Grid, sorted_lists::SortedLists};

use crate::choice::choice;
use std::fmt::Debug;

/// A closed box { x : lo <= x <= hi } in the world, in f64; empty if lo > hi on some axis. Infinite sides are allowed, NaN is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The least corner.
    pub lo: [f64; 3],
    /// The greatest corner.
    pub hi: [f64; 3],
}

impl Aabb {
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

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

choice! {
    /// How pairs of boxes are found.
    pub enum PhaseKind {
        /// Brute force for a few boxes; a grid for the first update of many; for those that follow, a dynamic tree.
        #[default]
        Auto = "auto",
        /// [`BruteForce`].
        BruteForce = "brute-force",
        /// [`Grid`].
        Grid = "grid",
        /// [`SortedLists`].
        SortedLists = "sorted-lists",
        /// [`DynamicTree`].
        DynamicTree = "dynamic-tree",
    }
}

/// A broad phase that was chosen at run time.
#[derive(Debug, Default)]
pub(crate) struct Phase {
    wanted: PhaseKind,
    /// What `wanted` has come to mean, once there were boxes.
    running: Option<(PhaseKind, Box<dyn BroadPhase>)>,
}

/// Boxes that are compared with each other faster than they are sorted.
const FEW: usize = 48;

impl Phase {
    pub(crate) fn new(wanted: PhaseKind) -> Self {
        Self { wanted, running: None }
    }

    fn choose(&self, boxes: usize) -> PhaseKind {
        match self.wanted {
            PhaseKind::Auto if boxes <= FEW => PhaseKind::BruteForce,
            // Most scenes of one update are never updated again.
            PhaseKind::Auto if self.running.is_none() => PhaseKind::Grid,
            PhaseKind::Auto => PhaseKind::DynamicTree,
            told => told,
        }
    }

    fn make(kind: PhaseKind) -> Box<dyn BroadPhase> {
        match kind {
            PhaseKind::BruteForce => Box::new(BruteForce),
            PhaseKind::Auto | PhaseKind::Grid => Box::new(Grid::new()),
            PhaseKind::SortedLists => Box::new(SortedLists::new()),
            PhaseKind::DynamicTree => Box::new(DynamicTree::new()),
        }
    }
}

impl BroadPhase for Phase {
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>) {
        let kind = self.choose(boxes.len());
        if let Some((running, phase)) = &mut self.running
            && *running == kind
        {
            return phase.update(boxes, changed, pairs);
        }
        let (_, phase) = self.running.insert((kind, Self::make(kind)));
        // To a new one all boxes are.
        let all: Vec<u32> = (0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(|(i, _)| i).collect();
        phase.update(boxes, &all, pairs);
    }
}

/// Finds the pairs of boxes that meet.
pub trait BroadPhase: Debug + Send + Sync {
    /// Every pair of boxes that share a point, as their indices, the smaller first, in no particular order, into `pairs`, which is cleared first.
    ///
    /// `changed` names the boxes that differ from those of the last call, those that have become [`Aabb::EMPTY`] or stopped being so among them, each at most once; boxes may have been appended, which then are
    /// named, too, unless they are empty, and none removed. It must not leave any out: some broad phases look at no others.
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>);
}
