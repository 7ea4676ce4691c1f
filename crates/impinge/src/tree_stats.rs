//! Size and shape of a tree.

/// Size and shape of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeStats {
    /// Inner nodes.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Most links from the root to a leaf.
    pub depth: usize,
    /// Bytes of the hierarchy: nodes, links, the order of the triangles, and data of each. The mesh does not
    /// count.
    pub bytes: usize,
}
