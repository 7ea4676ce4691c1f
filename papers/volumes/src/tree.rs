//! Tree type of all volumes. It contains the topology; the volume does all geometry.
use crate::{
    link::{Link, used},
    topology::Topology,
    volume::NodeLayout,
};
use impinge::{Mesh, hierarchy::NormalizedFrame};

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
