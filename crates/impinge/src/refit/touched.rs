//! The triangles and nodes that moved vertices belong to.
use crate::{Mesh, graph::Buckets};

/// The links of a tree from its leaves upwards.
#[derive(Default)]
pub struct Links {
    /// The node with the leaf of the triangle at each place in the order; [`Links::NONE`] if there is no
    /// node.
    pub node_of: Vec<u32>,
    /// The parent of each node; [`Links::NONE`] for the root.
    pub parents: Vec<u32>,
}

impl Links {
    /// No node.
    pub const NONE: u32 = u32::MAX;
}

/// The triangles that have some vertices, and the nodes above these.
#[derive(Default)]
pub struct Touched {
    links: Links,
    /// The triangles around each vertex, as places in the order.
    around: Buckets<u32>,
    ready: bool,
    /// For each node, true if it is in `nodes`.
    seen: Vec<bool>,
    /// Places in the order, least first.
    pub places: Vec<u32>,
    /// Children before their parents.
    pub nodes: Vec<u32>,
}

impl Touched {
    /// True if [`Touched::prepare`] has been called.
    pub fn is_ready(&self) -> bool {
        self.ready
    }
    /// Computes everything that depends on the topology alone. O(n).
    pub fn prepare(&mut self, mesh: &Mesh, order: &[u32], links: Links) {
        let corners = |(place, &t): (u32, &u32)| mesh.triangles()[t as usize].map(|i| (i, place));
        self.around.fill(mesh.points().len(), (0..).zip(order).flat_map(corners));
        self.seen = vec![false; links.parents.len()];
        (self.links, self.ready) = (links, true);
    }

    /// Finds the triangles and nodes of some vertices: O(k log k) for k triangles and nodes.
    pub fn by(&mut self, vertices: impl Iterator<Item = u32>) {
        self.places.clear();
        self.nodes.clear();
        vertices.for_each(|i| self.places.extend_from_slice(self.around.of(i)));
        self.places.sort_unstable();
        self.places.dedup();
        for &place in &self.places {
            let mut node = self.links.node_of[place as usize];
            while node != Links::NONE && !self.seen[node as usize] {
                self.seen[node as usize] = true;
                self.nodes.push(node);
                node = self.links.parents[node as usize];
            }
        }
        // In a tree parents come before their children.
        self.nodes.sort_unstable_by(|a, b| b.cmp(a));
        for &node in &self.nodes {
            self.seen[node as usize] = false;
        }
    }
    /// Range of `places` that lies in a range of the order.
    pub fn among(&self, first: u32, count: u32) -> std::ops::Range<usize> {
        let from = self.places.partition_point(|&place| place < first);
        from..from + self.places[from..].partition_point(|&place| place < first + count)
    }
}
