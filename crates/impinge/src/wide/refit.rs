//! New points for a tree that keeps its topology, its turn and, mostly, the directions of its slabs: all else is encoded as a build does it, by the same code. So a refit to
//! the points that a tree was built for makes the same bytes, and so does any number of threads.
//!
//! Directions that are kept whatever comes fit what turns badly: where the mean normal is much thinner it replaces the first one. Query time over that of a tree built anew, without and with that, on a torus of
//! 16,640 triangles: waves 1.24, 1.35, 1.84 and 1.04, 1.13, 1.29; twists 1.56, 2.08, 2.82 and 1.20, 1.56, 2.09; blow-up 2.51 and 1.41; a galloping horse 1.24 and 1.09. The horse's 16,843 triangles are
//! refitted in 1.36 ms without and 1.76 ms with it (the latter on a loaded machine).
use super::{
    Placing, WideTree,
    build::{Memory, place},
    leaf,
    node::{Node, WIDTH},
    runs::{Placed, Source},
    topology::{Lane, Topology, Wide},
};
use crate::{
    Mesh,
    bounds::Bounds,
    motion::Chart,
    pool::Crew,
    refit::{Cost, Links},
};
use std::mem::swap;

/// Memory of it, some 50 bytes a triangle: what a warm refit works with, so that one thread allocates nothing.
#[derive(Default)]
pub(crate) struct Whole {
    /// What the builder knew; it lends the tree's order.
    topology: Topology,
    points: Vec<Placed>,
    memory: Memory,
}

impl WideTree {
    /// O(n depth) with a small factor: slabs are laid around all corners below.
    pub(crate) fn refit(
        &mut self,
        mesh: &Mesh,
        [lo, hi]: [[f64; 3]; 2],
        whole: &mut Whole,
        crew: Crew,
    ) -> Cost {
        self.chart = Chart::new(lo, hi);
        if self.nodes.is_empty() {
            return Cost::default();
        }
        let Whole { topology, points, memory } = whole;
        if topology.nodes.is_empty() {
            topology.nodes = self.nodes.iter().map(|node| self.lanes(node)).collect();
        }
        swap(&mut topology.order, &mut self.order);
        self.reach = 0.0;
        place(points, mesh, Placing { chart: &self.chart, turn: &self.turn.rows }, crew);
        // Directions need not be found.
        let source = Source { mesh, points, topology, grain: self.grain, fast: true, kept: true };
        source.encode(self, memory, crew);
        self.words.extend([0; leaf::TAIL]);
        swap(&mut topology.order, &mut self.order);
        self.cost()
    }

    fn lanes(&self, node: &Node) -> Wide {
        let len = node.len();
        let mut lanes = [Lane::Inner(0); WIDTH];
        for (lane, to) in lanes[..len].iter_mut().enumerate() {
            *to = if node.is_leaf(lane) {
                let leaf = node.leaf(lane, self.grain);
                Lane::Leaf { first: leaf.first, count: leaf.count }
            } else {
                Lane::Inner(node.child(lane))
            };
        }
        Wide { lanes, len }
    }

    /// Of the boxes as they are stored. O(n).
    pub(crate) fn cost(&self) -> Cost {
        let sum = self.nodes.iter().map(|node| node.area()).sum();
        let root = self.nodes.first().map_or(0.0, |node| f64::from(node.around_all().half_area()));
        Cost { sum, root }
    }

    /// How it is climbed.
    pub(crate) fn links(&self) -> Links {
        let mut links = Links {
            node_of: vec![Links::NONE; self.order.len()],
            parents: vec![Links::NONE; self.nodes.len()],
        };
        for (i, node) in (0..).zip(&self.nodes) {
            for lane in 0..node.len() {
                if node.is_leaf(lane) {
                    let leaf = node.leaf(lane, self.grain);
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

impl Node {
    pub(super) fn is_leaf(&self, lane: usize) -> bool {
        self.leaves >> lane & 1 == 1
    }
    /// A lane's box, rounded outwards.
    pub(super) fn lane(&self, lane: usize) -> Bounds {
        let [x, y, z] = [0, 1, 2].map(|k| self.side(k, lane));
        Bounds::outward(&[x[0], y[0], z[0]], &[x[1], y[1], z[1]])
    }
    /// Of all lanes.
    pub(super) fn around_all(&self) -> Bounds {
        let lanes = 0..self.len();
        lanes.fold(Bounds::EMPTY, |sum, lane| sum.and(&self.lane(lane)))
    }
    /// Half the surfaces of all lanes' boxes.
    pub(super) fn area(&self) -> f64 {
        let area = |lane: usize| {
            let [x, y, z] = [0, 1, 2].map(|k| 2.0 * f64::from(self.centre_and_half(k, lane).1));
            x * y + y * z + z * x
        };
        (0..self.len()).map(area).sum()
    }
}
