//! Refit of a whole tree to moved vertices.
//!
//! The tree keeps its topology, its rotation and, mostly, the normals of its slabs; all else is encoded
//! again, by the code of a build. So a refit to the points that a tree was built for gives the same bytes, on
//! any number of threads.
//!
//! A kept normal fits badly where the surface turns. Where the slab of the mean normal is much thinner than
//! the first one, it replaces that (`Cluster::refitted` in `fit.rs`).
use super::{
    build::{Buffers, place},
    leaf,
    node::{QuantizedNode, WIDTH},
    runs::{Encoder, PaddedPoint},
    topology::{Lane, Topology, WideNode},
    tree::{TreeTransform, WideTree},
};
use crate::{
    Mesh,
    bounds::Bounds,
    normalized_frame::NormalizedFrame,
    pool::Executor,
    refit::{Cost, Links},
};
use std::mem::swap;

/// Memory of a refit, some 50 bytes a triangle. If the next refit reuses it, one thread allocates nothing.
#[derive(Default)]
pub(crate) struct Whole {
    /// The tree's topology, as the builder had it. Its order is the tree's own, borrowed during a refit.
    topology: Topology,
    points: Vec<PaddedPoint>,
    buffers: Buffers,
}

impl WideTree {
    /// Refits the tree in O(n depth), with a small factor: the interval of each slab is that of all corners
    /// below.
    pub(crate) fn refit(
        &mut self,
        mesh: &Mesh,
        [lo, hi]: [[f64; 3]; 2],
        whole: &mut Whole,
        executor: Executor,
    ) -> Cost {
        self.normalized = NormalizedFrame::new(lo, hi);
        if self.nodes.is_empty() {
            return Cost::default();
        }
        let Whole { topology, points, buffers } = whole;
        if topology.nodes.is_empty() {
            topology.nodes = self.nodes.iter().map(|node| self.lanes(node)).collect();
        }
        swap(&mut topology.order, self.order.to_mut());
        self.reach = 0.0;
        place(points, mesh, TreeTransform { normalized: &self.normalized, turn: &self.turn.rows }, executor);
        // `fast`, since there is no search for normals.
        let encoder = Encoder {
            mesh,
            points,
            topology,
            precision: self.precision,
            fast: true,
            keep_normals: true,
            simd: super::for_builds(),
        };
        encoder.encode(self, buffers, executor);
        self.words.to_mut().extend([0; leaf::TAIL]);
        swap(&mut topology.order, self.order.to_mut());
        self.cost()
    }

    /// The builder's data of a node.
    fn lanes(&self, node: &QuantizedNode) -> WideNode {
        let len = node.len();
        let mut lanes = [Lane::Inner(0); WIDTH];
        for (lane, to) in lanes[..len].iter_mut().enumerate() {
            *to = if node.is_leaf(lane) {
                let leaf = node.leaf(lane, self.precision);
                Lane::Leaf { first: leaf.first, count: leaf.count }
            } else {
                Lane::Inner(node.child(lane))
            };
        }
        WideNode { lanes, len }
    }

    /// The cost of the boxes as they are stored, in O(n).
    pub(crate) fn cost(&self) -> Cost {
        let sum = self.nodes.iter().map(|node| node.area()).sum();
        let root = self.nodes.first().map_or(0.0, |node| f64::from(node.bounds().half_area()));
        Cost { sum, root }
    }

    /// The links upwards, from triangles to their nodes and from nodes to their parents.
    pub(crate) fn links(&self) -> Links {
        let mut links = Links {
            node_of: vec![Links::NONE; self.order.len()],
            parents: vec![Links::NONE; self.nodes.len()],
        };
        for (i, node) in (0..).zip(&*self.nodes) {
            for lane in 0..node.len() {
                if node.is_leaf(lane) {
                    let leaf = node.leaf(lane, self.precision);
                    links.node_of[leaf.first as usize..][..leaf.count as usize].fill(i);
                } else {
                    links.parents[node.child(lane) as usize] = i;
                }
            }
        }
        links
    }
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }
}

impl QuantizedNode {
    pub(super) fn is_leaf(&self, lane: usize) -> bool {
        self.leaves >> lane & 1 == 1
    }
    /// A lane's box, rounded outwards.
    pub(super) fn lane_box(&self, lane: usize) -> Bounds {
        let [x, y, z] = [0, 1, 2].map(|k| self.side(k, lane));
        Bounds::outward(&[x[0], y[0], z[0]], &[x[1], y[1], z[1]])
    }
    /// The box of all lanes' boxes.
    pub(super) fn bounds(&self) -> Bounds {
        let lanes = 0..self.len();
        lanes.fold(Bounds::EMPTY, |sum, lane| sum.and(&self.lane_box(lane)))
    }
    /// The sum of half the surfaces of all lanes' boxes.
    pub(super) fn area(&self) -> f64 {
        let area = |lane: usize| {
            let [x, y, z] = [0, 1, 2].map(|k| 2.0 * f64::from(self.centre_and_half(k, lane).1));
            x * y + y * z + z * x
        };
        (0..self.len()).map(area).sum()
    }
}
