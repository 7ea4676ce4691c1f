//! Refit of the leaves of a few moved vertices, and of the nodes above these leaves.
//!
//! A child is *touched* if a triangle below it moved. The new boxes of a node's touched children are encoded
//! on the grid that the node has; those of the others stay. If a box does not fit the grid, or the grid is
//! now much larger than its boxes, the whole node is encoded again. The box of an inner child is that of its
//! node's boxes as they decode, so it is wider than after a full refit: by a step of the grid for each level
//! below.
//!
//! The slabs of leaves, and of nodes whose children are all leaves, are measured over all their corners. All
//! corners below larger nodes would take too long: their slabs are grown to contain the corners that moved,
//! and cut off where they would exceed their boxes.
//!
//! # Bounds
//! All intervals are computed in f64. Corners are within [`TREE_ERROR`] of the exact ones on each axis, and
//! |n|_1 is at most 1.7321. So n . (v - c) is off by 1.7321 [`TREE_ERROR`], and by 8 roundings of terms of at
//! most 14 each, less than 2^-49 |n|_1 14 8 < 2^-2 [`TREE_ERROR`] in all. 8 [`TREE_ERROR`] more than cover
//! both, and the tolerance of [`WideTree::validate`]. Moving an interval to a new centre rounds as often,
//! which one [`TREE_ERROR`] covers.
use super::{
    TREE_ERROR,
    build::worth,
    leaf,
    node::{Interval, NORMAL, QuantizedNode, WIDTH},
    runs,
    tree::{TreeTransform, WideTree},
};
use crate::{
    Mesh,
    bounds::Bounds,
    refit::{Cost, Touched},
    vector::{Vector, dot, sub},
};

/// A node is encoded again if its grid, or its slabs' unit, is this many times as large as it need be.
const LOOSE: f64 = 3.0;
/// No triangle, or no list of them. Ranks among the touched triangles are below 2^27, as all triangles.
const NONE: u32 = u32::MAX;

/// A linked list of touched triangles: the first and the last, as indices of [`Touched::places`].
type List = [u32; 2];

/// Memory of a partial refit.
#[derive(Default)]
pub(crate) struct Partial {
    /// The touched triangles' corners, in the tree's frame.
    corners: Vec<[Vector; 3]>,
    /// For each touched triangle the one that follows it in a list.
    next: Vec<u32>,
    /// For each node the touched triangles below it.
    lists: Vec<List>,
    words: Vec<i16>,
}

impl Partial {
    /// The corners of a list's triangles.
    fn of(&self, [first, last]: List) -> impl Iterator<Item = &[Vector; 3]> {
        let mut at = first;
        std::iter::from_fn(move || {
            let corners = self.corners.get(at as usize)?;
            at = if at == last { NONE } else { self.next[at as usize] };
            Some(corners)
        })
    }
    /// The list a, followed by b.
    fn join(&mut self, a: List, b: List) -> List {
        if a[0] == NONE || b[0] == NONE {
            return if a[0] == NONE { b } else { a };
        }
        self.next[a[1] as usize] = b[0];
        [a[0], b[1]]
    }
}

/// A mesh, and the map of its points to a tree's frame.
#[derive(Clone, Copy)]
struct MeshInTree<'a> {
    mesh: &'a Mesh,
    placing: TreeTransform<'a>,
}

impl MeshInTree<'_> {
    /// The corners of a triangle, in the tree's frame.
    #[inline(always)]
    fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.mesh.corners(triangle).map(|v| self.placing.place(&v))
    }
}

impl WideTree {
    /// Refits the tree to touched triangles, which must lie in its normalized frame, and updates its cost.
    pub(crate) fn refit_some(
        &mut self,
        mesh: &Mesh,
        touched: &Touched,
        partial: &mut Partial,
        cost: &mut Cost,
    ) {
        let (normalized, turn) = (self.normalized, self.turn.rows);
        let mesh = MeshInTree { mesh, placing: TreeTransform { normalized: &normalized, turn: &turn } };
        partial.corners.clear();
        partial.corners.extend(touched.places.iter().map(|&at| mesh.corners(self.order[at as usize])));
        partial.next.clear();
        partial.next.extend(1..=touched.places.len() as u32);
        partial.lists.resize(self.nodes.len(), [NONE; 2]);
        for &index in &touched.nodes {
            let index = index as usize;
            let mut parts = [[NONE; 2]; WIDTH];
            let mut whole = [NONE; 2];
            for (lane, part) in parts.iter_mut().enumerate().take(self.nodes[index].len()) {
                let node = &self.nodes[index];
                if node.is_leaf(lane) {
                    let leaf = node.leaf(lane, self.precision);
                    let own = touched.among(leaf.first, leaf.count);
                    if !own.is_empty() {
                        *part = [own.start as u32, own.end as u32 - 1];
                    }
                } else {
                    *part = std::mem::replace(&mut partial.lists[node.child(lane) as usize], [NONE; 2]);
                }
            }
            let old = self.nodes[index].area();
            self.refit_node(index, &parts, mesh, partial);
            cost.sum += self.nodes[index].area() - old;
            for part in parts {
                whole = partial.join(whole, part);
            }
            partial.lists[index] = whole;
        }
        if let (Some(root), Some(list)) = (self.nodes.first(), partial.lists.first_mut()) {
            cost.root = f64::from(root.bounds().half_area());
            *list = [NONE; 2];
        }
    }

    /// Refits a node; `parts` are the touched triangles below each lane.
    fn refit_node(
        &mut self,
        index: usize,
        parts: &[List; WIDTH],
        mesh: MeshInTree<'_>,
        partial: &mut Partial,
    ) {
        let old = self.nodes[index];
        let lanes = old.len();
        let is_touched = |lane: usize| parts[lane][0] != NONE;
        let mut contents = [Bounds::EMPTY; WIDTH];
        for lane in (0..lanes).filter(|&lane| is_touched(lane)) {
            contents[lane] = self.content(&old, lane, mesh);
            if old.is_leaf(lane) {
                self.write(&old, lane, &contents[lane], mesh, &mut partial.words);
            }
        }
        let mut node = old;
        let fits = (0..3).all(|k| {
            (0..lanes).all(|lane| !is_touched(lane) || node.encode_side(k, lane, &contents[lane]))
                && node.has_fitting_grid(k, LOOSE)
        });
        if !fits {
            for lane in (0..lanes).filter(|&lane| !is_touched(lane)) {
                contents[lane] = self.content(&old, lane, mesh);
            }
            (0..3).for_each(|k| node.encode_axis(k, &contents[..lanes]));
        }
        let mut intervals = [[Interval::NONE; 2]; WIDTH];
        for lane in 0..lanes {
            intervals[lane] = self.intervals(&old, &node, lane, partial.of(parts[lane]), mesh);
        }
        let most = intervals[..lanes].iter().flatten().flat_map(|i| [-i.lo, i.hi]).fold(0.0, f64::max);
        if most > node.slab_reach() || most * LOOSE < node.slab_reach() {
            node.set_slabs(&intervals[..lanes]);
        } else {
            for lane in (0..lanes).filter(|&lane| !fits || is_touched(lane)) {
                node.encode_slabs(lane, &intervals[lane]);
            }
        }
        node.slabs = worth(&node, lanes);
        self.reach = self.reach.max(node.reach());
        self.nodes.to_mut()[index] = node;
    }

    /// A box that contains all that lies below a lane.
    fn content(&self, node: &QuantizedNode, lane: usize, mesh: MeshInTree<'_>) -> Bounds {
        if !node.is_leaf(lane) {
            return self.nodes[node.child(lane) as usize].bounds();
        }
        let mut bounds = Bounds::EMPTY;
        for v in self.corners(node, lane, mesh).flatten() {
            let v = v.map(|x| x as f32);
            bounds = bounds.and(&Bounds { lo: v, hi: v });
        }
        runs::padded(&bounds)
    }

    /// The corners of a leaf's triangles, in the tree's frame.
    fn corners(
        &self,
        node: &QuantizedNode,
        lane: usize,
        mesh: MeshInTree<'_>,
    ) -> impl Iterator<Item = [Vector; 3]> {
        let leaf = node.leaf(lane, self.precision);
        let run = &self.order[leaf.first as usize..][..leaf.count as usize];
        run.iter().map(move |&triangle| mesh.corners(triangle))
    }

    /// Writes a leaf over the old one. Its length depends on its count alone, so it fits.
    fn write(
        &mut self,
        node: &QuantizedNode,
        lane: usize,
        bounds: &Bounds,
        mesh: MeshInTree<'_>,
        words: &mut Vec<i16>,
    ) {
        let mut rows = [[0.0; leaf::MOST]; 9];
        let leaf = node.leaf(lane, self.precision);
        for (k, corners) in self.corners(node, lane, mesh).enumerate() {
            for (row, x) in rows.iter_mut().zip(corners.as_flattened()) {
                row[k] = *x;
            }
        }
        words.clear();
        leaf::push(words, self.precision, bounds, rows.each_ref(), leaf.count as usize);
        self.words.to_mut()[leaf.words as usize..][..words.len()].copy_from_slice(words);
    }

    /// A lane's slabs, relative to the centre of its new box.
    fn intervals<'a>(
        &self,
        old: &QuantizedNode,
        new: &QuantizedNode,
        lane: usize,
        touched: impl Iterator<Item = &'a [Vector; 3]>,
        mesh: MeshInTree<'_>,
    ) -> [Interval; 2] {
        let normals = [0, 1].map(|which| old.normal(which, lane));
        let directions = normals.map(|n| n.map(|x| f64::from(x) / f64::from(NORMAL)));
        let [from, to] = [old, new].map(|node| [0, 1, 2].map(|k| f64::from(node.centre_and_half(k, lane).0)));
        let hull = |mut sum: [[f64; 2]; 2], corners: &[Vector; 3]| {
            for v in corners {
                let d = sub(*v, to);
                for (ends, n) in sum.iter_mut().zip(&directions) {
                    let x = dot(*n, d);
                    *ends = [if x < ends[0] { x } else { ends[0] }, if x > ends[1] { x } else { ends[1] }];
                }
            }
            sum
        };
        let nothing = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        let mut touched = touched.peekable();
        let below = (!old.is_leaf(lane)).then(|| &self.nodes[old.child(lane) as usize]);
        // Whether the slabs are measured over all corners.
        let is_measured = touched.peek().is_some() && below.is_none_or(|node| node.leaves == node.used);
        let found = match below {
            None if is_measured => self.corners(old, lane, mesh).fold(nothing, |sum, t| hull(sum, &t)),
            Some(node) if is_measured => {
                let all = (0..node.len()).flat_map(|lane| self.corners(node, lane, mesh));
                all.fold(nothing, |sum, t| hull(sum, &t))
            }
            _ => touched.fold(nothing, hull),
        };
        let slack = 8.0 * TREE_ERROR;
        std::array::from_fn(|which| {
            let n = directions[which];
            let [mut lo, mut hi] = [found[which][0] - slack, found[which][1] + slack];
            if !is_measured {
                let (_, mid, half) = old.slab(which, lane);
                // An interval that does not move is not rounded.
                let (shift, more) = if from == to { (0.0, 0.0) } else { (dot(n, sub(from, to)), TREE_ERROR) };
                (lo, hi) = (lo.min(mid - half + shift - more), hi.max(mid + half + shift + more));
            }
            let half = [0, 1, 2].map(|k| f64::from(new.centre_and_half(k, lane).1));
            let most = dot(n.map(f64::abs), half) + slack;
            Interval { n: normals[which], lo: lo.max(-most), hi: hi.min(most) }
        })
    }
}

impl QuantizedNode {
    pub(super) fn len(&self) -> usize {
        self.used.count_ones() as usize
    }
    /// The node's reach: the largest coordinate, in absolute value, of its boxes.
    #[inline(always)]
    pub(super) fn reach(&self) -> f64 {
        let mut reach = 0.0;
        for k in 0..3 {
            for lane in 0..self.len() {
                let [lo, hi] = self.side(k, lane);
                reach = if reach < -lo { -lo } else { reach };
                reach = if reach < hi { hi } else { reach };
            }
        }
        reach
    }
    /// True if the grid on an axis is at most `times` as large as a new one for the node's boxes.
    fn has_fitting_grid(&self, k: usize, times: f64) -> bool {
        let sides = (0..self.len()).map(|lane| self.side(k, lane));
        let [lo, hi] = sides
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], side| [lo.min(side[0]), hi.max(side[1])]);
        f64::from(self.frame().1[k]) <= times * Self::grid_side(lo, hi)[0]
    }
}
