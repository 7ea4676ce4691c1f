//! The one tree type. It knows topology; only the volume knows geometry.
use crate::volume::NodeLayout;
use impinge::{
    Mesh, TreeStats,
    hierarchy::{Bounds, NormalizedFrame},
};

/// The link to a child: another node, or a range of triangles. 4 bits of count, 28 of index; stored as bytes,
/// so that a node of odd size needs no padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link([u8; 4]);

/// What a [`Link`] leads to.
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
    /// The largest number of triangles in a leaf; a count of 15 marks an empty slot.
    pub(crate) const MAX_LEAF: usize = 14;
    /// A slot that is not used.
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
    /// What is kept of each triangle, in leaf order.
    pub(crate) leaves: Vec<V::Leaf>,
}

impl<V: NodeLayout> Tree<V> {
    pub(crate) fn stats(&self) -> TreeStats {
        let mut stats = TreeStats::default();
        stats.nodes = self.nodes.len();
        stats.bytes = size_of_val(&*self.nodes) + size_of_val(&*self.order) + size_of_val(&*self.leaves);
        self.visit(|link, depth, _| {
            if let Target::Leaf { .. } = link.target() {
                stats.leaves += 1;
                stats.depth = stats.depth.max(depth);
            }
        });
        stats
    }

    /// A histogram of empty space (Zachmann 2002, section 3.1 and Figure 1): for each node, which part of its
    /// parent's box it leaves empty, not counting the side at which the parent was split. Ten bins of a tenth
    /// each. Boxes are those of the triangles, whatever the volume. O(n).
    pub(crate) fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
        let mut tenths = [0; 10];
        let mut bounds = vec![Bounds::EMPTY; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let links = node.links.as_ref().iter().filter(|&&link| link != Link::NONE);
            let children: Vec<Bounds> = links
                .map(|link| match link.target() {
                    Target::Inner(child) => bounds[child as usize],
                    Target::Leaf { first, count } => {
                        let run = &self.order[first as usize..][..count as usize];
                        let corners = run.iter().flat_map(|&triangle| mesh.corners(triangle));
                        corners.fold(Bounds::EMPTY, |sum, v| {
                            let [lo, hi] = self.normalized.bounds(&v);
                            sum.and(&Bounds::outward(&lo, &hi))
                        })
                    }
                })
                .collect();
            bounds[i] = children.iter().fold(Bounds::EMPTY, |sum, child| sum.and(child));
            // An only child has the same triangles as its parent: it leaves nothing empty.
            for child in children.iter().filter(|_| children.len() > 1) {
                tenths[((10.0 * bounds[i].empty_part(child)) as usize).min(9)] += 1;
            }
        }
        tenths
    }

    /// Visits every link, parents first, with its depth and its volume.
    fn visit(&self, mut each: impl FnMut(Link, usize, &V::Decoded)) {
        let Some(root) = self.root else { return };
        let mut stack = vec![(self.top, 0, root)];
        while let Some((link, depth, decoded)) = stack.pop() {
            each(link, depth, &decoded);
            if let Target::Inner(i) = link.target() {
                let node = &self.nodes[i as usize];
                for (slot, &child) in node.links.as_ref().iter().enumerate() {
                    if child != Link::NONE {
                        stack.push((child, depth + 1, V::decode(&decoded, &node.child_bounds, slot)));
                    }
                }
            }
        }
    }

    /// Checks the tree's invariants: each triangle is in exactly one leaf, and inside the volumes of that
    /// leaf and of all nodes above it; children come after their parents.
    pub(crate) fn find_defect(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![0_u32; mesh.len()];
        let mut wrong = None;
        // The volumes above a leaf, by depth: `visit` goes depth first.
        let mut path: Vec<V::Decoded> = Vec::new();
        let mut order = vec![(usize::MAX, 0)];
        self.visit(|link, depth, decoded| {
            path.truncate(depth);
            path.push(*decoded);
            order.truncate(depth + 1);
            match link.target() {
                Target::Inner(i) => {
                    let (parent, _) = order[depth];
                    if parent != usize::MAX && parent >= i as usize {
                        wrong.get_or_insert_with(|| format!("node {i} stands before its parent {parent}"));
                    }
                    order.push((i as usize, depth));
                }
                Target::Leaf { first, count } => {
                    for &triangle in &self.order[first as usize..][..count as usize] {
                        seen[triangle as usize] += 1;
                        for v in mesh.corners(triangle) {
                            let [lo, hi] = self.normalized.bounds(&v);
                            if let Some(level) = path.iter().position(|decoded| !V::holds(decoded, &lo, &hi))
                            {
                                wrong.get_or_insert_with(|| {
                                    format!("triangle {triangle} sticks out of its volume at depth {level}")
                                });
                            }
                        }
                    }
                }
            }
        });
        if let Some(triangle) = seen.iter().position(|&n| n != 1) {
            return Err(format!("triangle {triangle} stands in {} leaves", seen[triangle]));
        }
        wrong.map_or(Ok(()), Err)
    }
}
