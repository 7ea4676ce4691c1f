//! Which triangles lie in which leaf, and which leaves and nodes below which node: geometry is fitted later.
mod binned;
mod blocks;
mod collapse;
mod four;
#[cfg(test)]
mod measure;
mod morton;
mod small;
#[cfg(test)]
mod tests;

use self::four::Span;
use crate::bounds::Bounds;

/// Most children of a node.
pub(crate) const WIDTH: usize = 8;
/// Most triangles in a leaf.
pub(crate) const LEAF: u32 = 8;

/// Where one of a node's children is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Inner(u32),
    /// `first..first + count` of `order`.
    Leaf {
        first: u32,
        count: u32,
    },
}

/// Up to `WIDTH` children: `lanes[..len]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    pub(crate) lanes: [Lane; WIDTH],
    pub(crate) len: usize,
}

/// Parents before children; a node's inner children are consecutive nodes, in lane order; the triangles of a node's
/// leaf lanes are consecutive in `order`, in lane order. Node 0 is the root: there is one unless there is no triangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Topology {
    pub(crate) nodes: Vec<Wide>,
    pub(crate) order: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quality {
    /// Binned surface area heuristic down to single triangles.
    High,
    /// The same over clusters of neighbours in Morton order.
    Fast,
}

/// The same boxes give the same tree on every machine.
pub(crate) fn build(boxes: &[Bounds], quality: Quality) -> Topology {
    match quality {
        Quality::High => {
            let mut items: Vec<_> = (0..).zip(boxes).map(|(i, b)| Span::new(b, i, 1)).collect();
            let nodes = binned::build(&mut items);
            collapse::collapse(&nodes, &items, |item| (item.index(), 1), |i| i)
        }
        Quality::Fast => {
            let (order, clusters) = morton::clusters(boxes);
            let (nodes, items) = blocks::build(&clusters);
            collapse::collapse(&nodes, &items, |item| (item.index(), item.count()), |i| order[i as usize])
        }
    }
}
