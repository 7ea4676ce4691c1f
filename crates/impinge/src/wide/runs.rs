//! Triangles in depth-first order, each leaf's corners beside each other: then all that lies below a lane is one run.
use super::{
    fit::{LARGEST, Single},
    topology::{Four, Lane, Topology},
};
use crate::{Mesh, bounds::Bounds};

/// A corner in the tree's frame, rounded to f32; the fourth lets it be read at once.
pub(super) type Near = Four;

/// Boxes of rounded corners are widened by this part of their coordinates, and by 2^-44: a corner is off by 2^-24 of itself and
/// [`TREE_ERROR`](super::TREE_ERROR), twice that must be held, and the sum rounds once more.
const WIDER: f32 = 3.0 / (1 << 24) as f32;
const LEAST: f32 = 1.0 / (1_u64 << 44) as f32;

/// A box that holds what a box of rounded corners stands for.
pub(super) fn widened(b: &Bounds) -> Bounds {
    Bounds {
        lo: b.lo.map(|x| x - (x.abs() * WIDER + LEAST)),
        hi: b.hi.map(|x| x + (x.abs() * WIDER + LEAST)),
    }
}

/// The box of a triangle's corners as they are.
#[inline(always)]
pub(super) fn box_of([a, b, c]: [Near; 3]) -> Bounds {
    let (Four([x, y, z, _]), Four([u, v, w, _])) = (a.min(b).min(c), a.max(b).max(c));
    Bounds { lo: [x, y, z], hi: [u, v, w] }
}

/// What lies below a lane.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    /// The run of its corners.
    pub(super) points: [u32; 2],
    /// The run of its triangles.
    pub(super) triangles: [u32; 2],
    /// Not widened.
    pub(super) bounds: Bounds,
    /// The sum of normals as long as twice the areas.
    pub(super) normal: Single,
    /// Triangles with the squares of these lengths, the largest first.
    pub(super) largest: [(f32, u32); LARGEST],
}

impl Summary {
    const EMPTY: Self = Self {
        points: [0; 2],
        triangles: [0; 2],
        bounds: Bounds::EMPTY,
        normal: [0.0; 3],
        largest: [(-1.0, 0); LARGEST],
    };
    #[inline(always)]
    fn insert(&mut self, one: (f32, u32)) {
        if one.0 > self.largest[LARGEST - 1].0 {
            self.largest[LARGEST - 1] = one;
            for k in (1..LARGEST).rev() {
                if self.largest[k].0 > self.largest[k - 1].0 {
                    self.largest.swap(k, k - 1);
                }
            }
        }
    }
}

/// Triangles and corners in order, and what is known of each leaf and each node.
pub(super) struct Runs {
    pub(super) order: Vec<u32>,
    /// By axis; a corner stands once for each leaf that has it.
    pub(super) points: [Vec<f32>; 3],
    pub(super) leaves: Vec<Summary>,
    pub(super) nodes: Vec<Summary>,
    /// Each node's first leaf.
    pub(super) first: Vec<u32>,
}

impl Runs {
    pub(super) fn new(topology: &Topology, mesh: &Mesh, near: &[Near]) -> Self {
        let (n, nodes) = (topology.order.len(), topology.nodes.len());
        let mut runs = Self {
            order: Vec::with_capacity(n),
            points: [0; 3].map(|_| vec![0.0; 3 * n]),
            leaves: Vec::with_capacity(n / 4 + 1),
            nodes: vec![Summary::EMPTY; nodes],
            first: vec![0; nodes],
        };
        // The leaf that last had a corner.
        let mut stamps = vec![0_u32; near.len()];
        let mut end = 0;
        let mut stack = if nodes == 0 { vec![] } else { vec![(0_usize, false)] };
        while let Some((index, done)) = stack.pop() {
            if done {
                runs.nodes[index].points[1] = end as u32;
                runs.nodes[index].triangles[1] = runs.order.len() as u32;
                continue;
            }
            let lanes = &topology.nodes[index].lanes[..topology.nodes[index].len];
            runs.nodes[index].points[0] = end as u32;
            runs.nodes[index].triangles[0] = runs.order.len() as u32;
            runs.first[index] = runs.leaves.len() as u32;
            stack.push((index, true));
            for lane in lanes.iter().rev() {
                if let Lane::Inner(child) = *lane {
                    stack.push((child as usize, false));
                }
            }
            for lane in lanes {
                if let Lane::Leaf { first, count } = *lane {
                    let triangles = &topology.order[first as usize..][..count as usize];
                    runs.leaf(triangles, mesh, near, (&mut stamps, &mut end));
                }
            }
        }
        runs.sum(topology);
        runs
    }

    /// Appends a leaf; `end` is that of the corners.
    #[inline(always)]
    fn leaf(
        &mut self,
        triangles: &[u32],
        mesh: &Mesh,
        near: &[Near],
        (stamps, end): (&mut [u32], &mut usize),
    ) {
        let mut leaf = Summary::EMPTY;
        let stamp = self.leaves.len() as u32 + 1;
        let (start, mut at) = (*end, *end);
        let [x, y, z] = &mut self.points;
        let (mut lo, mut hi) = (Four::all(f32::INFINITY), Four::all(f32::NEG_INFINITY));
        let mut normal = Four::all(0.0);
        for &i in triangles {
            let corners = mesh.triangles()[i as usize];
            let t = corners.map(|k| near[k as usize]);
            for (p, k) in t.iter().zip(corners) {
                let [a, b, c, _] = p.0;
                // Written over if it stands there already: a branch would be mispredicted.
                (x[at], y[at], z[at]) = (a, b, c);
                at += usize::from(stamps[k as usize] != stamp);
                stamps[k as usize] = stamp;
                lo = p.min(lo);
                hi = p.max(hi);
            }
            let [a, b, c] = t;
            let minus = |a: Four, b: Four| a.zip(b, |a, b| a - b);
            let turn = |Four([x, y, z, w]): Four| Four([y, z, x, w]);
            let (u, v) = (minus(b, a), minus(c, a));
            let n = turn(minus(u.zip(turn(v), |a, b| a * b), turn(u).zip(v, |a, b| a * b)));
            normal = normal.zip(n, |a, b| a + b);
            let [a, b, c, _] = n.zip(n, |a, b| a * b).0;
            leaf.insert((a + b + c, i));
        }
        *end = at;
        let first = |v: Four| [v.0[0], v.0[1], v.0[2]];
        leaf.bounds = Bounds { lo: first(lo), hi: first(hi) };
        leaf.normal = first(normal);
        leaf.points = [start as u32, at as u32];
        leaf.triangles[0] = self.order.len() as u32;
        self.order.extend(triangles);
        leaf.triangles[1] = self.order.len() as u32;
        self.leaves.push(leaf);
    }

    /// Fills in the nodes: children come after their parents.
    fn sum(&mut self, topology: &Topology) {
        for (index, node) in topology.nodes.iter().enumerate().rev() {
            let mut sum = self.nodes[index];
            let mut leaf = self.first[index] as usize;
            for lane in &node.lanes[..node.len] {
                let part = match *lane {
                    Lane::Inner(child) => &self.nodes[child as usize],
                    Lane::Leaf { .. } => {
                        leaf += 1;
                        &self.leaves[leaf - 1]
                    }
                };
                sum.bounds = sum.bounds.and(&part.bounds);
                for k in 0..3 {
                    sum.normal[k] += part.normal[k];
                }
                for &one in &part.largest {
                    sum.insert(one);
                }
            }
            self.nodes[index] = sum;
        }
    }
}
