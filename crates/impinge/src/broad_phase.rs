//! Broad phases: the pairs of boxes that meet, of many boxes. All find the same set of pairs, that of
//! [`BruteForce`]; they differ in the state that they keep from one update to the next.
mod aabb;
mod backoff;
mod brute_force;
mod dynamic_tree;
mod grid;
mod interface;
mod pair_list;

pub use self::{
    aabb::Aabb, brute_force::BruteForce, dynamic_tree::DynamicTree, grid::Grid, interface::BroadPhase,
};
#[doc(hidden)]
pub use self::{
    backoff::Backoff,
    pair_list::{PairList, in_order},
};

use crate::choice::choice;

/// All pairs of boxes that share a point, in ascending order. A pair is `[i, j]` with `i < j`, indices into
/// `boxes`. An empty box is in no pair.
///
/// For boxes that move, a broad phase that is kept between updates takes less time: [`DynamicTree`], or a
/// [`Scene`](crate::Scene). The cost is that of [`Grid`], O(n log n + pairs) for boxes of similar size, and
/// of sorting the pairs.
///
/// ```
/// use impinge::broad_phase::{Aabb, pairs};
/// let unit_at = |x: f64| Aabb { lo: [x, 0., 0.], hi: [x + 1., 1., 1.] };
/// // Boxes are closed: the first two touch.
/// assert_eq!(pairs(&[unit_at(0.), unit_at(1.), unit_at(5.), unit_at(5.5)]), [[0, 1], [2, 3]]);
/// ```
#[doc(alias("broadphase", "box_self_intersection_d"))]
pub fn pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    if boxes.len() <= FEW {
        BruteForce.update(boxes, &[], &mut found);
    } else {
        Grid::new().update(boxes, &[], &mut found);
        found.sort_unstable();
    }
    found
}

choice! {
    /// Algorithm that finds the pairs of boxes that meet.
    pub enum BroadPhaseKind {
        /// The choice of the scene: [`BruteForce`] for a few boxes, [`Grid`] for the first update, then
        /// [`DynamicTree`].
        #[default]
        Auto = "auto",
        /// The algorithm of [`BruteForce`].
        BruteForce = "brute-force",
        /// The algorithm of [`Grid`].
        Grid = "grid",
        /// The algorithm of [`DynamicTree`].
        DynamicTree = "dynamic-tree",
    }
}

/// A broad phase that is chosen at run time.
#[derive(Debug, Default)]
pub(crate) struct AnyBroadPhase {
    wanted: BroadPhaseKind,
    /// The kind used at the last update, and its state. With [`BroadPhaseKind::Auto`] the kind may change.
    running: Option<(BroadPhaseKind, Box<dyn BroadPhase>)>,
}

/// Largest number of boxes for which brute force is faster than sorting.
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
