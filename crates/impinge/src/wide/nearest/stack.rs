//! Waiting pairs, the nearest first.
use super::super::{leaf::LeafRef, tree_pair::NodePair};
use std::{cmp::Ordering, collections::BinaryHeap};

/// A waiting pair, and a lower bound of its squared distance in the unit of `SquareUnits`, which is not
/// negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaitingEntry<T> {
    pub(super) near: f32,
    pub(super) what: T,
}

/// The nearest is the greatest, which heaps pop first.
impl<T> Ord for WaitingEntry<T> {
    fn cmp(&self, o: &Self) -> Ordering {
        o.near.total_cmp(&self.near)
    }
}

impl<T> PartialOrd for WaitingEntry<T> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl<T> PartialEq for WaitingEntry<T> {
    fn eq(&self, o: &Self) -> bool {
        self.cmp(o).is_eq()
    }
}

impl<T> Eq for WaitingEntry<T> {}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct NearestStack {
    pub(super) node_pairs: BinaryHeap<WaitingEntry<NodePair>>,
    /// The leaf pairs of the node pair that was opened last, the nearest at the end.
    pub(super) leaves: Vec<WaitingEntry<[LeafRef; 2]>>,
}
