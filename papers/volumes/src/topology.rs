//! Links and triangles of a tree without its volumes: one implementation for all volumes.
use crate::link::{Link, Target};
use impinge::{
    Mesh,
    hierarchy::{Links, NormalizedFrame},
    model::TreeStats,
};

/// Links and triangles of a tree of any volume. Parents come before their children, and the triangles below a
/// node are a range of the leaf order.
pub(crate) trait Topology {
    /// [`Link::NONE`] if there is no triangle.
    fn top(&self) -> Link;
    fn node_count(&self) -> usize;
    /// The links of a node that are in use.
    fn links_of(&self, node: usize) -> &[Link];
    /// The triangles in leaf order.
    fn order(&self) -> &[u32];
    fn normalized(&self) -> &NormalizedFrame;
    /// Bytes of the hierarchy.
    fn bytes(&self) -> usize;
}

/// A link on the way through a tree.
pub(crate) struct Step {
    pub(crate) link: Link,
    pub(crate) depth: usize,
    /// The node and the slot that contain the link; `None` for the top.
    pub(crate) parent: Option<(usize, usize)>,
}

/// A box in f64 that contains a corner of a triangle in the normalized frame.
pub(crate) struct CornerBox {
    pub(crate) triangle: u32,
    pub(crate) lo: [f64; 3],
    pub(crate) hi: [f64; 3],
}

impl dyn Topology + '_ {
    /// The triangles of a leaf; empty for any other link.
    pub(crate) fn triangles(&self, link: Link) -> &[u32] {
        match link.target() {
            Target::Inner(_) => &[],
            Target::Leaf { first, count } => &self.order()[first as usize..][..count as usize],
        }
    }

    /// Visits every link, parents first, depth first, until `each` returns an error.
    pub(crate) fn visit(&self, each: &mut dyn FnMut(&Step) -> Result<(), String>) -> Result<(), String> {
        if self.top() == Link::NONE {
            return Ok(());
        }
        let mut stack = vec![Step { link: self.top(), depth: 0, parent: None }];
        while let Some(step) = stack.pop() {
            each(&step)?;
            if let Target::Inner(node) = step.link.target() {
                let node = node as usize;
                for (slot, &link) in self.links_of(node).iter().enumerate() {
                    stack.push(Step { link, depth: step.depth + 1, parent: Some((node, slot)) });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn stats(&self) -> TreeStats {
        let mut stats = TreeStats::default();
        (stats.nodes, stats.bytes) = (self.node_count(), self.bytes());
        let visited = self.visit(&mut |step| {
            if let Target::Leaf { .. } = step.link.target() {
                stats.leaves += 1;
                stats.depth = stats.depth.max(step.depth);
            }
            Ok(())
        });
        debug_assert!(visited.is_ok(), "nothing fails above");
        stats
    }

    /// Checks that each triangle is in exactly one leaf, and that children come after their parents.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![0_u32; mesh.len()];
        self.visit(&mut |step| {
            for &triangle in self.triangles(step.link) {
                seen[triangle as usize] += 1;
            }
            match (step.link.target(), step.parent) {
                (Target::Inner(node), Some((parent, _))) if parent >= node as usize => {
                    Err(format!("node {node} comes before its parent {parent}"))
                }
                _ => Ok(()),
            }
        })?;
        match seen.iter().position(|&n| n != 1) {
            Some(triangle) => Err(format!("triangle {triangle} is in {} leaves", seen[triangle])),
            None => Ok(()),
        }
    }

    /// The corners of a leaf's triangles; empty for any other link.
    pub(crate) fn corner_boxes(&self, link: Link, mesh: &Mesh) -> Vec<CornerBox> {
        let triangles = self.triangles(link).iter();
        let corners = triangles.flat_map(|&triangle| mesh.corners(triangle).map(|v| (triangle, v)));
        corners
            .map(|(triangle, v)| {
                let [lo, hi] = self.normalized().bounds(&v);
                CornerBox { triangle, lo, hi }
            })
            .collect()
    }

    /// The links from triangles to nodes and from nodes to their parents.
    pub(crate) fn upward(&self) -> Links {
        let mut links = Links {
            node_of: vec![Links::NONE; self.order().len()],
            parents: vec![Links::NONE; self.node_count()],
        };
        for node in 0..self.node_count() {
            for link in self.links_of(node) {
                match link.target() {
                    Target::Inner(child) => links.parents[child as usize] = node as u32,
                    Target::Leaf { first, count } => {
                        links.node_of[first as usize..][..count as usize].fill(node as u32);
                    }
                }
            }
        }
        links
    }

    /// Number of nodes of each subtree.
    pub(crate) fn subtree_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![1; self.node_count()];
        for node in (0..sizes.len()).rev() {
            for link in self.links_of(node) {
                if let Target::Inner(child) = link.target() {
                    sizes[node] += sizes[child as usize];
                }
            }
        }
        sizes
    }
}
