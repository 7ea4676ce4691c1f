//! The tree over one mesh, and its view for walks.
use super::{
    TREE_ERROR,
    leaf::{self, CornerPrecision, LeafRef},
    node::{self, QuantizedNode},
    relative::RelativeTransforms,
};
use crate::{
    Error, ErrorKind, Mesh,
    array::Array,
    motion::{Placement, Rotation},
    normalized_frame::NormalizedFrame,
    simd,
    tree_stats::TreeStats,
    vector::{Matrix, Vector},
};

/// A hierarchy over one mesh. Parents come before their children in `nodes`; the first is the root.
#[derive(Clone, Debug)]
pub(crate) struct WideTree {
    pub(super) normalized: NormalizedFrame,
    /// Map from normalized frame coordinates to the tree's own, in which boxes fit the mesh tightly. It is a
    /// rotation up to rounding, on which no bound relies.
    pub(super) turn: Rotation,
    pub(super) nodes: Array<QuantizedNode>,
    /// The encoded leaves.
    pub(super) words: Array<i16>,
    /// The triangles in the order of the leaves.
    pub(super) order: Array<u32>,
    pub(super) precision: CornerPrecision,
    /// Bound of all boxes' coordinates: none reaches further from the origin, on any axis.
    pub(super) reach: f64,
}

/// The view of a tree that walks read. Its arrays are slices, so that reading them takes no branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeView<'a> {
    pub(super) nodes: &'a [QuantizedNode],
    pub(super) words: &'a [i16],
    pub(super) order: &'a [u32],
    pub(super) turn: &'a Matrix,
    pub(super) precision: CornerPrecision,
    pub(super) reach: f64,
}

/// Map from the mesh's coordinates to the tree's.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeTransform<'a> {
    pub(super) normalized: &'a NormalizedFrame,
    pub(super) turn: &'a Matrix,
}

impl TreeTransform<'_> {
    /// A point of the mesh, within [`TREE_ERROR`].
    pub(super) fn place(&self, v: &Vector) -> Vector {
        turned(self.turn, &self.normalized.apply(v))
    }
}

/// Least number whose inverse is taken, 2^-1000: the inverse is finite.
const LEAST_INVERSE: f64 = f64::from_bits(23 << 52);

pub(super) fn turned(m: &Matrix, v: &Vector) -> Vector {
    [0, 1, 2].map(|i| m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2])
}

impl WideTree {
    /// The view of the tree for a walk.
    #[inline]
    pub(crate) fn view(&self) -> TreeView<'_> {
        let Self { nodes, words, order, turn, precision, reach, .. } = self;
        TreeView { nodes, words, order, turn: &turn.rows, precision: *precision, reach: *reach }
    }

    /// Map from the normalized frame to the tree's own.
    pub(crate) fn turn(&self) -> &Rotation {
        &self.turn
    }

    pub(crate) fn normalized_frame(&self) -> &NormalizedFrame {
        &self.normalized
    }

    /// Bytes of a volume, and of one with its share of the node's origin, steps and links; operations of a
    /// test that finds no separation (12 comparisons of boxes, 26 operations of each slab), and of
    /// transforming a volume for it.
    pub(crate) const COSTS: ([f64; 2], [u32; 2]) =
        ([26.0, size_of::<QuantizedNode>() as f64 / node::WIDTH as f64], [12 + 2 * 26, 36]);

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
        RelativeTransforms::new(to_resting, to_moving, self.reach, other.reach, other.precision)
    }

    /// Bound of all boxes' reach from the origin of the tree's coordinates, on any axis.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// Lower bound of the world distance of two points that are further than 1 from each other in the tree's
    /// coordinates, on some axis, at a rigid pose.
    ///
    /// The coordinates are s T R^-1 w up to a translation. With |T^T T - I| <= eta by rows, |T|^2 <= 1 + eta;
    /// and |R^-1|^2 <= 1 / (1 - 3e-6), by the definition of rigid.
    pub(crate) fn least_length(&self) -> f64 {
        self.unit_length(1.00001)
    }

    /// Lower bound of the world distance of points that are 1 apart in the tree's coordinates. The inverse of
    /// the pose's linear part lengthens nothing by more than the factor `inverse_norm`.
    pub(crate) fn unit_length(&self, inverse_norm: f64) -> f64 {
        let t = &self.turn.rows;
        let entry = |i: usize, j: usize| {
            let dot = t[0][i] * t[0][j] + t[1][i] * t[1][j] + t[2][i] * t[2][j];
            (dot - if i == j { 1.0 } else { 0.0 }).abs() + 1e-12
        };
        let eta = (0..3).map(|i| entry(i, 0) + entry(i, 1) + entry(i, 2)).fold(0.0, f64::max);
        let longest = self.normalized.scale * (1.0 + eta) * inverse_norm * (1.0 + 1e-12);
        // An underflow must not make it infinite. NaN stays NaN.
        1.0 / if longest < LEAST_INVERSE { LEAST_INVERSE } else { longest }
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

    /// Checks the tree's invariants: each triangle is in exactly one leaf, its corners are stored where they
    /// should be on the lattice and lie inside the boxes and slabs of all lanes above it; children come after
    /// their parents.
    pub(crate) fn validate(&self, mesh: &Mesh) -> Result<(), Error> {
        self.find_defect(mesh).map_err(|defect| ErrorKind::Defect { reason: defect.into() }.into())
    }
    fn find_defect(&self, mesh: &Mesh) -> Result<(), String> {
        let placing = TreeTransform { normalized: &self.normalized, turn: &self.turn.rows };
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

    /// True if a leaf stores the k-th triangle's corners correctly.
    fn stores(&self, leaf: LeafRef, k: usize, corners: &[Vector; 3]) -> bool {
        let lattice = leaf::LeafLattice::read(&self.words[leaf.words as usize..]);
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

impl QuantizedNode {
    /// True if a lane's box and slabs hold a point, including the point's own error.
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
