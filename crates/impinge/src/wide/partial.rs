//! Refits of a few leaves, and of the nodes above them.
//!
//! The boxes of a node's lanes go onto the grid that it has, those of lanes that nothing touched staying as they are, unless they do not fit it or have become much smaller than it:
//! then the node is encoded anew. A lane that holds another node takes the boxes of that as they are decoded: a step of each level below wider than those of a full refit.
//!
//! Slabs of leaves, and of nodes of leaves alone, are laid around their corners. Others are the old ones, grown to hold the corners that moved: what lies below a large lane is not looked at. They are kept no
//! larger than their boxes.
//!
//! # Bounds
//! In f64. Corners are within [`TREE_ERROR`] of the exact ones on each axis; |n|_1 is at most 1.7321, so n . (v - c) is off by 1.7321 of these, and by 8 roundings of terms of at most 14 each, less than
//! 2^-49 |n|_1 14 8 < 2^-2 [`TREE_ERROR`] in all: 8 [`TREE_ERROR`] more than cover both, and what [`WideTree::validate`] asks. An interval whose centre moves rounds as often: one [`TREE_ERROR`] covers that.
use super::{
    Placing, TREE_ERROR, Vector, WideTree,
    build::worth,
    leaf,
    node::{Interval, NORMAL, Node, WIDTH},
    runs,
};
use crate::{
    Mesh,
    bounds::Bounds,
    refit::{Cost, Touched},
    vector::{dot, sub},
};

/// A node is encoded anew where its grid is so many times as large as what it holds.
const LOOSE: f64 = 3.0;
/// No triangle, or no list of them.
const NONE: u32 = u32::MAX;

/// The first and the last of some touched triangles, as numbers in [`Touched::places`].
type List = [u32; 2];

/// Memory of it.
#[derive(Default)]
pub(crate) struct Partial {
    /// Of touched triangles, in the tree's frame.
    corners: Vec<[Vector; 3]>,
    /// The one that follows in a list.
    next: Vec<u32>,
    /// What is touched below each node.
    lists: Vec<List>,
    words: Vec<i16>,
}

impl Partial {
    fn of(&self, [first, last]: List) -> impl Iterator<Item = &[Vector; 3]> {
        let mut at = first;
        std::iter::from_fn(move || {
            let corners = self.corners.get(at as usize)?;
            at = if at == last { NONE } else { self.next[at as usize] };
            Some(corners)
        })
    }
    /// A list behind another.
    fn join(&mut self, a: List, b: List) -> List {
        if a[0] == NONE || b[0] == NONE {
            return if a[0] == NONE { b } else { a };
        }
        self.next[a[1] as usize] = b[0];
        [a[0], b[1]]
    }
}

impl WideTree {
    /// What is touched lies in the chart. The cost follows.
    pub(crate) fn refit_some(
        &mut self,
        mesh: &Mesh,
        touched: &Touched,
        partial: &mut Partial,
        cost: &mut Cost,
    ) {
        let (chart, turn) = (self.chart, self.turn.rows);
        let placing = Placing { chart: &chart, turn: &turn };
        let corners = |place: u32| mesh.corners(self.order[place as usize]).map(|v| placing.place(&v));
        partial.corners.clear();
        partial.corners.extend(touched.places.iter().map(|&place| corners(place)));
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
                    let leaf = node.leaf(lane, self.grain);
                    let own = touched.among(leaf.first, leaf.count);
                    if !own.is_empty() {
                        *part = [own.start as u32, own.end as u32 - 1];
                    }
                } else {
                    *part = std::mem::replace(&mut partial.lists[node.child(lane) as usize], [NONE; 2]);
                }
            }
            let old = self.nodes[index].area();
            self.redo(index, &parts, (mesh, placing), partial);
            cost.sum += self.nodes[index].area() - old;
            for part in parts {
                whole = partial.join(whole, part);
            }
            partial.lists[index] = whole;
        }
        if let (Some(root), Some(list)) = (self.nodes.first(), partial.lists.first_mut()) {
            cost.root = f64::from(root.around_all().half_area());
            *list = [NONE; 2];
        }
    }

    /// A node, of whose lanes some lists of triangles are touched.
    fn redo(
        &mut self,
        index: usize,
        parts: &[List; WIDTH],
        (mesh, placing): (&Mesh, Placing<'_>),
        partial: &mut Partial,
    ) {
        let old = self.nodes[index];
        let lanes = old.len();
        let is_touched = |lane: usize| parts[lane][0] != NONE;
        let mut contents = [Bounds::EMPTY; WIDTH];
        for lane in (0..lanes).filter(|&lane| is_touched(lane)) {
            contents[lane] = self.content(&old, lane, (mesh, placing));
            if old.is_leaf(lane) {
                self.write(&old, lane, &contents[lane], (mesh, placing), &mut partial.words);
            }
        }
        let mut node = old;
        let fits = (0..3).all(|k| {
            (0..lanes).all(|lane| !is_touched(lane) || node.put(k, lane, &contents[lane]))
                && node.fills(k, LOOSE)
        });
        if !fits {
            for lane in (0..lanes).filter(|&lane| !is_touched(lane)) {
                contents[lane] = self.content(&old, lane, (mesh, placing));
            }
            (0..3).for_each(|k| node.encode_axis(k, &contents[..lanes]));
        }
        let mut intervals = [[Interval::NONE; 2]; WIDTH];
        for lane in 0..lanes {
            let list = partial.of(parts[lane]);
            intervals[lane] = self.intervals((&old, &node), lane, list, (mesh, placing));
        }
        let most = intervals[..lanes].iter().flatten().flat_map(|i| [-i.lo, i.hi]).fold(0.0, f64::max);
        if most > node.slab_reach() || most * LOOSE < node.slab_reach() {
            node.set_slabs(&intervals[..lanes]);
        } else {
            for lane in (0..lanes).filter(|&lane| !fits || is_touched(lane)) {
                node.put_slabs(lane, &intervals[lane]);
            }
        }
        node.slabs = worth(&node, lanes);
        self.reach = self.reach.max(node.reach());
        self.nodes[index] = node;
    }

    /// Around what a lane holds.
    fn content(&self, node: &Node, lane: usize, (mesh, placing): (&Mesh, Placing<'_>)) -> Bounds {
        if !node.is_leaf(lane) {
            return self.nodes[node.child(lane) as usize].around_all();
        }
        let mut bounds = Bounds::EMPTY;
        for v in self.corners(node, lane, (mesh, placing)).flatten() {
            let v = v.map(|x| x as f32);
            bounds = bounds.and(&Bounds { lo: v, hi: v });
        }
        runs::widened(&bounds)
    }

    /// Of a leaf's triangles.
    fn corners(
        &self,
        node: &Node,
        lane: usize,
        (mesh, placing): (&Mesh, Placing<'_>),
    ) -> impl Iterator<Item = [Vector; 3]> {
        let leaf = node.leaf(lane, self.grain);
        let run = &self.order[leaf.first as usize..][..leaf.count as usize];
        run.iter().map(move |&triangle| mesh.corners(triangle).map(|v| placing.place(&v)))
    }

    /// Writes a leaf where it stands: its length depends on its count alone.
    fn write(
        &mut self,
        node: &Node,
        lane: usize,
        bounds: &Bounds,
        (mesh, placing): (&Mesh, Placing<'_>),
        words: &mut Vec<i16>,
    ) {
        let mut rows = [[0.0; leaf::MOST]; 9];
        let leaf = node.leaf(lane, self.grain);
        for (k, corners) in self.corners(node, lane, (mesh, placing)).enumerate() {
            for (row, x) in rows.iter_mut().zip(corners.as_flattened()) {
                row[k] = *x;
            }
        }
        words.clear();
        leaf::push(words, self.grain, bounds, rows.each_ref(), leaf.count as usize);
        self.words[leaf.words as usize..][..words.len()].copy_from_slice(words);
    }

    /// A lane's slabs about its new centre.
    fn intervals<'a>(
        &self,
        (old, new): (&Node, &Node),
        lane: usize,
        touched: impl Iterator<Item = &'a [Vector; 3]>,
        (mesh, placing): (&Mesh, Placing<'_>),
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
        let is_looked_at = touched.peek().is_some() && below.is_none_or(|node| node.leaves == node.used);
        let found = match below {
            None if is_looked_at => {
                self.corners(old, lane, (mesh, placing)).fold(nothing, |sum, t| hull(sum, &t))
            }
            Some(node) if is_looked_at => {
                let all = (0..node.len()).flat_map(|lane| self.corners(node, lane, (mesh, placing)));
                all.fold(nothing, |sum, t| hull(sum, &t))
            }
            _ => touched.fold(nothing, hull),
        };
        let slack = 8.0 * TREE_ERROR;
        std::array::from_fn(|which| {
            let n = directions[which];
            let [mut lo, mut hi] = [found[which][0] - slack, found[which][1] + slack];
            if !is_looked_at {
                let (_, mid, half) = old.slab(which, lane);
                // Nothing is rounded that did not move.
                let (shift, more) = if from == to { (0.0, 0.0) } else { (dot(n, sub(from, to)), TREE_ERROR) };
                (lo, hi) = (lo.min(mid - half + shift - more), hi.max(mid + half + shift + more));
            }
            let half = [0, 1, 2].map(|k| f64::from(new.centre_and_half(k, lane).1));
            let most = dot(n.map(f64::abs), half) + slack;
            Interval { n: normals[which], lo: lo.max(-most), hi: hi.min(most) }
        })
    }
}

impl Node {
    pub(super) fn len(&self) -> usize {
        self.used.count_ones() as usize
    }
    /// No box reaches further from the origin, on any axis.
    pub(super) fn reach(&self) -> f64 {
        (0..3)
            .flat_map(|k| (0..self.len()).map(move |lane| self.side(k, lane)))
            .fold(0.0, |m, [lo, hi]| m.max(-lo).max(hi))
    }
    /// Whether its grid on an axis is less than so many times as large as one that was made for its boxes.
    fn fills(&self, k: usize, times: f64) -> bool {
        let sides = (0..self.len()).map(|lane| self.side(k, lane));
        let [lo, hi] = sides
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], side| [lo.min(side[0]), hi.max(side[1])]);
        f64::from(self.frame().1[k]) <= times * Self::room(lo, hi)[0]
    }
}
