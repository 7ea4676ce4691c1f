//! Tree type of all volumes. It stores the topology; the volume contains the geometry.
use crate::{topology::Topology, volume::NodeLayout};
use impinge::{Mesh, hierarchy::NormalizedFrame};
use std::ops::Range;

/// The link to a child: another node, or a range of triangles. It has 4 bits of count and 28 of index, and is
/// stored as bytes, so that a node of odd size needs no padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link([u8; 4]);

/// The target of a [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Inner(u32),
    /// Triangles `first .. first + count` in leaf order.
    Leaf {
        first: u32,
        count: u32,
    },
}

impl Link {
    const COUNT: u32 = 0xf;
    /// Maximum number of triangles in a leaf; a count of 15 marks an empty slot.
    pub(crate) const MAX_LEAF: usize = 14;
    /// An unused slot.
    pub(crate) const NONE: Self = Self::new(Self::COUNT);

    const fn new(bits: u32) -> Self {
        Self(bits.to_le_bytes())
    }

    pub(crate) fn inner(node: usize) -> Self {
        assert!(node < 1 << 28, "a tree of more than 2^28 nodes");
        Self::new((node as u32) << 4)
    }
    pub(crate) fn leaf(first: usize, count: usize) -> Self {
        assert!(first < 1 << 28 && (1..=Self::MAX_LEAF).contains(&count), "a leaf that a link cannot name");
        Self::new((first as u32) << 4 | count as u32)
    }
    #[inline(always)]
    pub(crate) fn target(self) -> Target {
        debug_assert_ne!(self, Self::NONE);
        let bits = u32::from_le_bytes(self.0);
        match bits & Self::COUNT {
            0 => Target::Inner(bits >> 4),
            count => Target::Leaf { first: bits >> 4, count },
        }
    }
}

/// An inner node: its children's volumes and links side by side, so that opening it reads one place in
/// memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<V: NodeLayout> {
    pub(crate) child_bounds: V::ChildBounds,
    pub(crate) links: V::Links,
}

/// A hierarchy over one mesh. Parents come before their children in `nodes`.
#[derive(Clone, Debug)]
pub(crate) struct Tree<V: NodeLayout> {
    pub(crate) normalized: NormalizedFrame,
    /// [`Link::NONE`] if there is no triangle.
    pub(crate) top: Link,
    /// `None` if there is no triangle.
    pub(crate) root: Option<V::Decoded>,
    pub(crate) nodes: Vec<Node<V>>,
    /// The triangles in leaf order.
    pub(crate) order: Vec<u32>,
    /// Leaf data of each triangle, in leaf order.
    pub(crate) leaves: Vec<V::Leaf>,
}

impl<V: NodeLayout> Topology for Tree<V> {
    fn top(&self) -> Link {
        self.top
    }
    fn node_count(&self) -> usize {
        self.nodes.len()
    }
    fn links_of(&self, node: usize) -> &[Link] {
        let links = self.nodes[node].links.as_ref();
        &links[..used(links)]
    }
    fn order(&self) -> &[u32] {
        &self.order
    }
    fn normalized(&self) -> &NormalizedFrame {
        &self.normalized
    }
    fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.order) + size_of_val(&*self.leaves)
    }
}

impl<V: NodeLayout> Tree<V> {
    /// Checks the tree's invariants: those of its topology, and that each triangle is inside the volumes of
    /// its leaf and of all nodes above it.
    pub(crate) fn find_defect(&self, mesh: &Mesh) -> Result<(), String> {
        let topology: &dyn Topology = self;
        topology.check(mesh)?;
        // The volumes above a leaf, by depth.
        let mut path: Vec<V::Decoded> = Vec::new();
        topology.visit(&mut |step| {
            path.truncate(step.depth);
            match (step.parent, path.last()) {
                (Some((node, slot)), Some(above)) => {
                    path.push(V::decode(above, &self.nodes[node].child_bounds, slot));
                }
                _ => path.extend(self.root),
            }
            for corner in topology.corner_boxes(step.link, mesh) {
                if let Some(depth) = path.iter().position(|above| !V::holds(above, &corner.lo, &corner.hi)) {
                    return Err(sticks_out(corner.triangle, depth));
                }
            }
            Ok(())
        })
    }
}

fn sticks_out(triangle: u32, depth: usize) -> String {
    format!("triangle {triangle} is not inside its volume at depth {depth}")
}

/// The range of the leaf order of a leaf.
#[inline(always)]
pub(crate) fn run(first: u32, count: u32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// Number of used slots, which come first.
#[inline(always)]
pub(crate) fn used(links: &[Link]) -> usize {
    links.iter().position(|&link| link == Link::NONE).unwrap_or(links.len())
}
