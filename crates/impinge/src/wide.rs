//! The fast tree: nodes of eight children, each with a box and up to two slabs, leaves of up to eight
//! triangles that keep their corners on a lattice of 24 bits; everything is tested eight or more lanes at a
//! time.
//!
//! Slab-cut boxes are slab cut balls (Larsson and Akenine-Moller 2008) with the ball replaced by the box that
//! a node has anyway. Layout: `node.rs`, `leaf.rs`; rounding: `relative.rs`, `pending.rs`; the traversal:
//! `walk.rs`, its two steps `node_pair.rs` and `meet.rs`.
mod align;
mod apart;
mod build;
mod fit;
mod from_world;
mod leaf;
mod margin;
mod meet;
mod nearest;
mod node;
mod node_pair;
mod partial;
mod pending;
mod point;
mod ray;
mod rays;
mod refit;
mod region;
mod relative;
mod runs;
mod saved;
mod topology;
mod tree_pair;
mod waiting;
mod walk;

use self::{leaf::CornerPrecision, node::Node};
use crate::{
    Error, Mesh, SimdLevel,
    array::Array,
    counters::Count,
    empty_space::{Child, empty_space},
    motion::{Placement, Rotation},
    normalized_frame::NormalizedFrame,
    simd::{self, Detected},
    sink::Sink,
    task::Task,
    tree_stats::TreeStats,
};
use std::ops::ControlFlow;

pub(crate) use self::{
    build::build,
    from_world::{LastPlaced, Near, PlacedTree},
    leaf::LeafRef,
    nearest::{NearestStack, Task as NearestTask, walk as nearest},
    partial::Partial,
    point::{Task as PointTask, walk as near_point},
    ray::{RayVisitor, Slope, Task as RayTask, walk as along_ray},
    rays::{FLIGHTS, Flights, RaySource, walk as along_rays},
    refit::Whole,
    region::{RegionMemory, walk as in_region},
    relative::RelativeTransforms,
    saved::SavedFrame,
    waiting::WaitingStack,
    walk::{TraversalStack, walk},
};
pub(crate) use crate::wide::tree_pair::{NodePair, TRAIL, WalkRange};

/// The instructions that builds are compiled for, if this processor has them. Of intrinsics there are loads,
/// minima and prefetches alone, and what the compiler makes of the rest rounds the same with all
/// instructions: trees are the same everywhere.
fn for_builds() -> Detected {
    simd::detect(SimdLevel::Avx2)
}

type Matrix = [[f64; 3]; 3];
type Vector = [f64; 3];

/// How far a coordinate in the tree's frame, computed in f64, may be from the exact one: the normalized
/// frame's error, at most 2^-50, times a row of the rotation, less than 2; and five roundings of sums no
/// larger than 7.
pub(crate) const TREE_ERROR: f64 = 1.0 / (1_u64 << 46) as f64;

/// A hierarchy over one mesh. Parents come before their children in `nodes`; the first is the root.
#[derive(Clone, Debug)]
pub(crate) struct WideTree {
    normalized: NormalizedFrame,
    /// Takes normalized frame coordinates to the tree's own: a rotation up to rounding, which no bound relies
    /// on. It rotates the mesh so that boxes fit it tightly.
    turn: Rotation,
    nodes: Array<Node>,
    /// The encoded leaves.
    words: Array<i16>,
    /// The triangles in the order of the leaves.
    order: Array<u32>,
    precision: CornerPrecision,
    /// No box reaches further from the origin, on any axis.
    reach: f64,
}

/// What walks read of a tree. Its arrays are slices, so that reading them takes no branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeView<'a> {
    nodes: &'a [Node],
    words: &'a [i16],
    order: &'a [u32],
    turn: &'a Matrix,
    precision: CornerPrecision,
    reach: f64,
}

/// From the mesh's coordinates to the tree's.
#[derive(Clone, Copy, Debug)]
struct Placing<'a> {
    normalized: &'a NormalizedFrame,
    turn: &'a Matrix,
}

impl Placing<'_> {
    /// A point of the mesh, within [`TREE_ERROR`].
    fn place(&self, v: &Vector) -> Vector {
        turned(self.turn, &self.normalized.apply(v))
    }
}

/// Inverses of numbers that are not less, 2^-1000, are finite.
const LEAST_INVERSE: f64 = f64::from_bits(23 << 52);

fn turned(m: &Matrix, v: &Vector) -> Vector {
    [0, 1, 2].map(|i| m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2])
}

impl WideTree {
    /// For a walk.
    #[inline]
    pub(crate) fn view(&self) -> TreeView<'_> {
        let Self { nodes, words, order, turn, precision, reach, .. } = self;
        TreeView { nodes, words, order, turn: &turn.rows, precision: *precision, reach: *reach }
    }

    pub(crate) fn normalized_frame(&self) -> &NormalizedFrame {
        &self.normalized
    }

    /// Bytes of a volume, and of one with its share of the node's origin, steps and links; operations of a
    /// test that finds no separation (12 comparisons of boxes, 26 operations of each slab), and of
    /// transforming a volume for it.
    pub(crate) const COSTS: ([f64; 2], [u32; 2]) =
        ([26.0, size_of::<Node>() as f64 / node::WIDTH as f64], [12 + 2 * 26, 36]);

    /// The placement of another tree relative to this one, in the trees' own coordinates, from that of their
    /// normalized frames.
    pub(crate) fn placement(&self, other: &Self, normalized: &Placement) -> Placement {
        let to_resting = normalized.to_resting.turned(&other.turn, &self.turn);
        let back = || normalized.to_moving.turned(&self.turn, &other.turn);
        Placement { to_resting, to_moving: to_resting.inverse().unwrap_or_else(back) }
    }

    pub(crate) fn relative_transforms(
        &self,
        other: &Self,
        Placement { to_resting, to_moving }: &Placement,
    ) -> RelativeTransforms {
        RelativeTransforms::new(to_resting, to_moving, (self.reach, other.reach), other.precision)
    }

    /// No box reaches further from the origin of the tree's coordinates, on any axis.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// Two points that are further than 1 from each other in the tree's coordinates, on some axis, are
    /// further than this from each other in the world, at a rigid pose.
    ///
    /// Those coordinates are s T R^-1 w up to a translation. With |T^T T - I| <= eta by rows, |T|^2 <= 1 +
    /// eta; and |R^-1|^2 <= 1 / (1 - 3e-6), by what rigid means.
    pub(crate) fn least_length(&self) -> f64 {
        self.unit_length(1.00001)
    }

    /// What is 1 apart in the tree's coordinates, is at least so far apart in the world, at a pose of whose
    /// linear part the inverse lengthens nothing by more than the factor `inverse_norm`.
    pub(crate) fn unit_length(&self, inverse_norm: f64) -> f64 {
        let t = &self.turn.rows;
        let entry = |i: usize, j: usize| {
            let dot = t[0][i] * t[0][j] + t[1][i] * t[1][j] + t[2][i] * t[2][j];
            (dot - if i == j { 1.0 } else { 0.0 }).abs() + 1e-12
        };
        let eta = (0..3).map(|i| entry(i, 0) + entry(i, 1) + entry(i, 2)).fold(0.0, f64::max);
        let longest = self.normalized.scale * (1.0 + eta) * inverse_norm * (1.0 + 1e-12);
        // What underflows must not make it infinite. NaN stays NaN.
        1.0 / if longest < LEAST_INVERSE { LEAST_INVERSE } else { longest }
    }

    /// Sends every pair of triangles of this tree, which rests, and another that meet to the sink, until the
    /// sink or the stop flag breaks; or the pairs of a part of the traversal.
    pub(crate) fn walk(
        &self,
        (other, transforms): (&Self, &RelativeTransforms),
        (level, part): (SimdLevel, WalkRange<'_>),
        task: &Task<'_>,
        stack: &mut TraversalStack,
        count: &mut Count,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        walk((self, other), transforms, task, (level, part), stack, count, sink)
    }

    /// Collects in `stack` the pairs of leaves that boxes and slabs do not separate; false if there are more
    /// than `leaves`, or it took more than `node_pairs`, or it was stopped: then some are missing.
    pub(crate) fn gather(
        &self,
        (other, transforms): (&Self, &RelativeTransforms),
        (level, [leaves, node_pairs]): (SimdLevel, [usize; 2]),
        task: &Task<'_>,
        stack: &mut TraversalStack,
        count: &mut Count,
    ) -> bool {
        let (part, mut none) = (WalkRange::Gather { leaves, node_pairs }, Vec::new());
        // No pair of triangles is tested, so the sink cannot stop it.
        let done =
            self.walk((other, transforms), (level, part), task, stack, count, &mut Sink::All(&mut none));
        done.is_continue() && stack.leaves.len() <= leaves && stack.opened <= node_pairs
    }

    /// Visits every lane in use, parents first: node, lane, depth.
    fn visit(&self, mut each: impl FnMut(usize, usize, usize)) {
        let mut stack = if self.nodes.is_empty() { vec![] } else { vec![(0_usize, 1)] };
        while let Some((index, depth)) = stack.pop() {
            let node = &self.nodes[index];
            for lane in (0..node::WIDTH).filter(|&lane| node.used >> lane & 1 == 1) {
                each(index, lane, depth);
                if node.leaves >> lane & 1 == 0 {
                    stack.push((node.child(lane) as usize, depth + 1));
                }
            }
        }
    }

    pub(crate) fn stats(&self) -> TreeStats {
        let bytes = size_of_val(&*self.nodes) + size_of_val(&*self.words) + size_of_val(&*self.order);
        let mut stats = TreeStats { nodes: self.nodes.len(), bytes, ..TreeStats::default() };
        self.visit(|node, lane, depth| {
            if self.nodes[node].leaves >> lane & 1 == 1 {
                stats.leaves += 1;
                stats.depth = stats.depth.max(depth);
            }
        });
        stats
    }

    /// See [`Model::empty_space`](crate::Model::empty_space).
    pub(crate) fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
        empty_space(mesh, &self.normalized, self.nodes.len(), &|index, each| {
            let node = &self.nodes[index];
            for lane in (0..node::WIDTH).filter(|&lane| node.used >> lane & 1 == 1) {
                each(if node.leaves >> lane & 1 == 0 {
                    Child::Node(node.child(lane) as usize)
                } else {
                    let LeafRef { first, count, .. } = node.leaf(lane, self.precision);
                    Child::Leaf(&self.order[first as usize..][..count as usize])
                });
            }
        })
    }

    /// Checks the tree's invariants: each triangle is in exactly one leaf, its corners are stored where they
    /// should be on the lattice and lie inside the boxes and slabs of all lanes above it; children come after
    /// their parents.
    pub(crate) fn validate(&self, mesh: &Mesh) -> Result<(), Error> {
        self.find_defect(mesh).map_err(Error::invalid_tree)
    }
    fn find_defect(&self, mesh: &Mesh) -> Result<(), String> {
        let placing = Placing { normalized: &self.normalized, turn: &self.turn.rows };
        let mut seen = vec![0_u32; mesh.len()];
        let mut wrong = None;
        let mut path: Vec<(usize, usize)> = Vec::new();
        self.visit_paths(&mut path, 0, &mut |path, leaf| {
            for k in 0..leaf.count {
                let triangle = self.order[(leaf.first + k) as usize];
                seen[triangle as usize] += 1;
                let corners = mesh.corners(triangle).map(|v| placing.place(&v));
                for &(index, lane) in path {
                    if !corners.iter().all(|v| self.nodes[index].holds(lane, v)) {
                        wrong.get_or_insert(format!(
                            "triangle {triangle} sticks out of lane {lane} of node {index}"
                        ));
                    }
                }
                if !self.stores(leaf, k as usize, &corners) {
                    wrong.get_or_insert(format!("triangle {triangle} lies elsewhere in its leaf"));
                }
            }
        })?;
        if let Some(triangle) = seen.iter().position(|&n| n != 1) {
            return Err(format!("triangle {triangle} stands in {} leaves", seen[triangle]));
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Visits every leaf, with the lanes that lead to it.
    fn visit_paths(
        &self,
        path: &mut Vec<(usize, usize)>,
        index: usize,
        each: &mut impl FnMut(&[(usize, usize)], LeafRef),
    ) -> Result<(), String> {
        let Some(node) = self.nodes.get(index) else {
            return if self.order.is_empty() { Ok(()) } else { Err(format!("there is no node {index}")) };
        };
        for lane in (0..node::WIDTH).filter(|&lane| node.used >> lane & 1 == 1) {
            path.push((index, lane));
            if node.leaves >> lane & 1 == 1 {
                each(path, node.leaf(lane, self.precision));
            } else {
                let child = node.child(lane) as usize;
                if child <= index {
                    return Err(format!("node {child} stands before its parent {index}"));
                }
                self.visit_paths(path, child, each)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// Whether a leaf stores the k-th triangle's corners correctly.
    fn stores(&self, leaf: LeafRef, k: usize, corners: &[Vector; 3]) -> bool {
        let lattice = leaf::Lattice::read(&self.words[leaf.words as usize..]);
        let rows = simd::Portable;
        let stored = leaf::corners(rows, &self.words, leaf, self.precision);
        (0..9).all(|row| {
            let (corner, axis) = (row / 3, row % 3);
            let mut lanes = [0.0; 8];
            simd::Simd::store(rows, stored[corner][axis], &mut lanes);
            let exact = (corners[corner][axis] - f64::from(lattice.origin[axis])) / f64::from(lattice.step);
            (exact - f64::from(lanes[k])).abs() <= 0.5 + 1e-9
        })
    }
}

impl Node {
    /// Whether a lane's box and slabs hold a point, including the point's own error.
    fn holds(&self, lane: usize, v: &Vector) -> bool {
        let in_box = (0..3).all(|k| {
            let [lo, hi] = self.side(k, lane);
            lo <= v[k] - TREE_ERROR && v[k] + TREE_ERROR <= hi
        });
        in_box
            && (0..2).all(|which| {
                let (n, mid, half) = self.slab(which, lane);
                let x: f64 = (0..3).map(|k| n[k] * (v[k] - f64::from(self.centre_and_half(k, lane).0))).sum();
                (x - mid).abs() + 4.0 * TREE_ERROR <= half
            })
    }
}
