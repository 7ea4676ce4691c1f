//! Broad phases: which of many boxes meet. All find the same set of pairs, that of [`BruteForce`]; they
//! differ in what they keep from one update to the next.
mod backoff;
mod brute_force;
mod dynamic_tree;
mod grid;
mod pair_list;
mod sorted_lists;

pub use self::{brute_force::BruteForce, dynamic_tree::DynamicTree, grid::Grid, sorted_lists::SortedLists};

use crate::choice::choice;
use std::fmt::Debug;

/// A closed axis-aligned box { x : lo <= x <= hi } in world coordinates. Empty if lo > hi on some axis. Sides
/// may be infinite; NaN is not allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The smallest coordinate on each axis.
    pub lo: [f64; 3],
    /// The largest coordinate on each axis.
    pub hi: [f64; 3],
}

/// Sums of squares below this may have lost digits to underflow.
const LEAST_SQUARE: f64 = 1e-280;

impl Aabb {
    /// The empty box: it meets nothing. Stands for a body that was removed.
    pub const EMPTY: Self = Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };

    /// Whether two boxes that are not empty share a point.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.hi[k] && other.lo[k] <= self.hi[k])
    }
    /// Whether the box has no points.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.lo[k] > self.hi[k])
    }
    /// Whether the box contains another one that is not empty.
    #[inline(always)]
    pub fn holds(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.lo[k] && other.hi[k] <= self.hi[k])
    }
    /// A lower bound of how far two boxes are apart; infinite if one is empty.
    ///
    /// Three differences, their squares, two sums and a root are each off by half a unit in the last place.
    /// Where squares overflow or underflow, the longest side tells enough.
    pub(crate) fn apart_from(&self, other: &Self) -> f64 {
        let sides = [0, 1, 2].map(|k| (self.lo[k] - other.hi[k]).max(other.lo[k] - self.hi[k]).max(0.0));
        let longest = sides[0].max(sides[1]).max(sides[2]);
        let square = sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2];
        // Squares that underflow, and those that overflow, say nothing.
        let is_known = LEAST_SQUARE < square && square < f64::INFINITY;
        let length = if is_known { square.sqrt().max(longest) } else { longest };
        length * (1.0 - 8.0 * f64::EPSILON)
    }
    /// The smallest box around both.
    #[inline(always)]
    pub fn and(&self, other: &Self) -> Self {
        let mut all = *self;
        for k in 0..3 {
            // Comparisons instead of `f64::min`: there is no NaN here, and these compile to one instruction
            // each.
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
    /// How pairs of boxes that meet are found.
    pub enum BroadPhaseKind {
        /// Chosen by the scene: [`BruteForce`] for a few boxes, [`Grid`] for the first update, then
        /// [`DynamicTree`].
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

/// A broad phase that is chosen at run time.
#[derive(Debug, Default)]
pub(crate) struct AnyBroadPhase {
    wanted: BroadPhaseKind,
    /// What was used at the last update. With [`BroadPhaseKind::Auto`] it may change.
    running: Option<(BroadPhaseKind, Box<dyn BroadPhase>)>,
}

/// Up to this number of boxes brute force is faster than sorting.
const FEW: usize = 48;

impl AnyBroadPhase {
    pub(crate) fn new(wanted: BroadPhaseKind) -> Self {
        Self { wanted, running: None }
    }

    fn choose(&self, boxes: usize) -> BroadPhaseKind {
        match self.wanted {
            BroadPhaseKind::Auto if boxes <= FEW => BroadPhaseKind::BruteForce,
            // Many scenes are updated once only: for them a tree would not pay.
            BroadPhaseKind::Auto if self.running.is_none() => BroadPhaseKind::Grid,
            BroadPhaseKind::Auto => BroadPhaseKind::DynamicTree,
            wanted => wanted,
        }
    }

    fn make(kind: BroadPhaseKind) -> Box<dyn BroadPhase> {
        match kind {
            BroadPhaseKind::BruteForce => Box::new(BruteForce),
            BroadPhaseKind::Auto | BroadPhaseKind::Grid => Box::new(Grid::new()),
            BroadPhaseKind::SortedLists => Box::new(SortedLists::new()),
            BroadPhaseKind::DynamicTree => Box::new(DynamicTree::new()),
        }
    }
}

impl BroadPhase for AnyBroadPhase {
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>) {
        let kind = self.choose(boxes.len());
        if let Some((running, phase)) = &mut self.running
            && *running == kind
        {
            return phase.update(boxes, changed, pairs);
        }
        let (_, phase) = self.running.insert((kind, Self::make(kind)));
        // To a new broad phase every box has changed.
        let all: Vec<u32> = (0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(|(i, _)| i).collect();
        phase.update(boxes, &all, pairs);
    }
}

/// Finds the pairs of boxes that meet, update after update.
///
/// ```
/// use impinge::broad_phase::{Aabb, BroadPhase, SortedLists};
/// let unit_at = |x: f64| Aabb { lo: [x, 0., 0.], hi: [x + 1., 1., 1.] };
/// let mut boxes = vec![unit_at(0.), unit_at(1.), unit_at(5.)];
/// let (mut broad_phase, mut pairs) = (SortedLists::new(), Vec::new());
/// // At first every box is new.
/// broad_phase.update(&boxes, &[0, 1, 2], &mut pairs);
/// assert_eq!(pairs, [[0, 1]]);
/// // Then one is removed and one is added.
/// boxes[0] = Aabb::EMPTY;
/// boxes.push(unit_at(4.5));
/// broad_phase.update(&boxes, &[0, 3], &mut pairs);
/// assert_eq!(pairs, [[2, 3]]);
/// ```
pub trait BroadPhase: Debug + Send + Sync {
    /// Writes every pair of boxes that share a point to `pairs`, which is cleared first. A pair is
    /// `[i, j]` with `i < j`, indices into `boxes`; each pair once, in any order.
    ///
    /// What the caller promises from one call to the next:
    /// * `boxes` never gets shorter. Boxes may have been appended at the end.
    /// * `changed` lists, each once, every index whose box differs from the last call's. That includes boxes
    ///   that became [`Aabb::EMPTY`], boxes that were empty and no longer are, and appended boxes unless
    ///   they are empty.
    ///
    /// At the first call every box counts as appended.
    ///
    /// An implementation may rely on that list: a box that is not in it need not be looked at. An index that
    /// the caller leaves out can therefore lose pairs. An index whose box has not changed does no harm.
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>);
}
