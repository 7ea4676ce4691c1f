//! Lists of what may meet in an interval of time, which intervals within it start from.
use super::{LeafRef, NodePair, WideTree};

/// Pairs that may meet in an interval, found so far: of nodes and of leaves that are too large for it, and of
/// triangles.
#[derive(Debug, Default)]
pub(crate) struct SweptLists {
    pub(crate) node_pairs: Vec<NodePair>,
    pub(crate) leaves: Vec<[LeafRef; 2]>,
    pub(crate) pairs: Vec<[u32; 2]>,
}

/// Lengths of the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SweptMarks {
    pub(crate) node_pairs: usize,
    pub(crate) leaves: usize,
    pub(crate) pairs: usize,
}

/// A part of the lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SweptPart {
    pub(crate) from: SweptMarks,
    pub(crate) to: SweptMarks,
}

impl SweptPart {
    /// True if it has pairs of triangles at most.
    pub(crate) fn has_only_triangles(&self) -> bool {
        self.from.node_pairs == self.to.node_pairs && self.from.leaves == self.to.leaves
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.from == self.to
    }
}

impl SweptLists {
    pub(crate) fn marks(&self) -> SweptMarks {
        let Self { node_pairs, leaves, pairs } = self;
        SweptMarks { node_pairs: node_pairs.len(), leaves: leaves.len(), pairs: pairs.len() }
    }
    pub(crate) fn truncate(&mut self, to: SweptMarks) {
        self.node_pairs.truncate(to.node_pairs);
        self.leaves.truncate(to.leaves);
        self.pairs.truncate(to.pairs);
    }
    /// Empties the lists, and puts in the roots of two trees.
    pub(crate) fn start(&mut self, [a, b]: [&WideTree; 2]) {
        self.truncate(SweptMarks::default());
        if let (Some(root_a), Some(root_b)) = (a.nodes.first(), b.nodes.first()) {
            self.node_pairs.push(NodePair { a: 0, b: 0, rows: root_a.used, columns: root_b.used });
        }
    }
}
