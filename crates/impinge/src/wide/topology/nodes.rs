//! Nodes of a topology.

/// The most children of a node.
pub(crate) const WIDTH: usize = 8;

/// The most triangles in a leaf.
pub(crate) const LEAF: u32 = 8;

/// One of a node's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// The index of a node.
    Inner(u32),
    /// The triangles `first..first + count` of `order`.
    Leaf { first: u32, count: u32 },
}

/// A node of up to `WIDTH` children: `lanes[..len]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WideNode {
    pub(crate) lanes: [Lane; WIDTH],
    pub(crate) len: usize,
}

/// Nodes, and the triangles' numbers in the order of the leaves. Parents come before their children. The
/// inner children of a node are consecutive nodes, and the triangles of its leaves consecutive in `order`,
/// both in lane order. Node 0 is the root; without triangles there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Topology {
    pub(crate) nodes: Vec<WideNode>,
    pub(crate) order: Vec<u32>,
}
