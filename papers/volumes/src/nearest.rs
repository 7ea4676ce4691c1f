//! Walk of two trees for distances, for every volume: the nearest pair of subtrees first. It contains no
//! geometry.
//!
//! # Rounding
//! [`OverlapTest::gap`] is too large by less than 64 roundings of itself. [`SHRINK`] allows for 2^12 of them.
//! The product with [`NearestTask::length`] rounds once more, to the nearest number: it exceeds no number
//! that the exact product does not exceed, and the limit is a number. So a pair whose computed bound exceeds
//! the limit is further than the limit.
//!
//! # Memory
//! Volumes that are ready for tests take up to a kilobyte. Where many pairs of subtrees are equally near, a
//! queue of them all takes memory without proportion to the trees. So the queue has [`ROOM`] pairs; while it
//! is full, the pair taken from it is searched depth first, the nearest child first.
use crate::{
    link::{Link, Target, run, used},
    traverse::Pair,
    tree::{Node, Tree},
    volume::OverlapTest,
};
use impinge::{
    hierarchy::{NearestTask, Visitor},
    query::Count,
};
use std::{cmp::Ordering, collections::BinaryHeap, ops::ControlFlow};

/// Factor that allows for the rounding of bounds: 1 - 2^-40.
const SHRINK: f64 = 1.0 - 1.0 / (1_u64 << 40) as f64;
/// The number of pairs of subtrees at which the queue is full.
const ROOM: usize = 4096;

/// Two trees and the query.
pub(crate) struct NearestPair<'a, V: OverlapTest> {
    pub(crate) a: &'a Tree<V>,
    pub(crate) b: &'a Tree<V>,
    pub(crate) precomputed: &'a V::Precomputed,
    pub(crate) task: &'a NearestTask<'a>,
}

/// A pair of subtrees in the queue; `at` is its place in `pairs` of [`Waiting`]. The greatest key is the
/// nearest pair, and of equally near pairs the last one, which is deepest.
#[derive(Clone, Copy, Debug)]
struct Key {
    near: f64,
    order: u64,
    at: usize,
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        other.near.total_cmp(&self.near).then(self.order.cmp(&other.order))
    }
}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Key {}

/// A lower bound of the distance of two subtrees in the world, and the pair.
type Near<R, M> = (f64, Pair<R, M>);

/// Memory of the walk.
pub(crate) struct Waiting<R, M> {
    keys: BinaryHeap<Key>,
    /// The pairs of the queue, and places that are free.
    pairs: Vec<Pair<R, M>>,
    free: Vec<usize>,
    order: u64,
    /// Pairs that are searched depth first.
    stack: Vec<Near<R, M>>,
    children: Vec<Near<R, M>>,
    triangles: Vec<[u32; 2]>,
}

/// The memory for one kind of volume.
pub(crate) type WaitingOf<V> = Waiting<<V as OverlapTest>::Resting, <V as OverlapTest>::Moving>;

impl<R, M> Default for Waiting<R, M> {
    fn default() -> Self {
        Self {
            keys: BinaryHeap::new(),
            pairs: Vec::new(),
            free: Vec::new(),
            order: 0,
            stack: Vec::new(),
            children: Vec::new(),
            triangles: Vec::new(),
        }
    }
}

impl<R: Copy, M: Copy> Waiting<R, M> {
    fn clear(&mut self) {
        self.keys.clear();
        self.pairs.clear();
        self.free.clear();
        self.stack.clear();
        self.order = 0;
    }
    /// Moves the children to the queue, or to the stack if the queue is full.
    fn keep_children(&mut self) {
        // The nearest comes last, and is taken first.
        self.children.sort_by(|(x, _), (y, _)| y.total_cmp(x));
        if self.keys.len() >= ROOM {
            self.stack.append(&mut self.children);
            return;
        }
        for (near, pair) in self.children.drain(..) {
            let at = match self.free.pop() {
                Some(at) => {
                    self.pairs[at] = pair;
                    at
                }
                None => {
                    self.pairs.push(pair);
                    self.pairs.len() - 1
                }
            };
            self.keys.push(Key { near, order: self.order, at });
            self.order += 1;
        }
    }
    /// Takes a pair that is no further than the limit.
    fn take(&mut self, limit: f64) -> Option<Pair<R, M>> {
        while let Some((near, pair)) = self.stack.pop() {
            if !is_further(near, limit) {
                return Some(pair);
            }
        }
        let Key { near, at, .. } = self.keys.pop()?;
        if is_further(near, limit) {
            // The others are further still.
            return None;
        }
        self.free.push(at);
        Some(self.pairs[at])
    }
}

#[inline(always)]
fn is_further(near: f64, limit: f64) -> bool {
    near > limit
}

/// A lower bound of a distance in the world: 0 where nothing is proved.
#[inline(always)]
fn in_world(gap: f64, length: f64) -> f64 {
    let near = crate::gap::positive(gap) * SHRINK * length;
    if near > 0.0 { near } else { 0.0 }
}

/// Shows the visitor the pairs of triangles of all leaves that may be as near as its limit, until it breaks
/// or the stop flag is set.
#[inline(never)]
pub(crate) fn nearest<V: OverlapTest>(
    trees: &NearestPair<'_, V>,
    waiting: &mut WaitingOf<V>,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let &NearestPair { a, b, precomputed, task } = trees;
    waiting.clear();
    waiting.children.clear();
    let (Some(root_a), Some(root_b)) = (&a.root, &b.root) else { return ControlFlow::Continue(()) };
    let near_of = |resting: &V::Resting, moving: &V::Moving| {
        in_world(V::gap(precomputed, resting, moving), task.length)
    };
    let top = Pair {
        a: a.top,
        resting: V::prepare_resting(precomputed, root_a),
        b: b.top,
        moving: V::prepare_moving(precomputed, root_b),
    };
    let mut tests = [1, 2];
    waiting.children.push((near_of(&top.resting, &top.moving), top));
    waiting.keep_children();
    while let Some(pair) = waiting.take(visitor.limit()) {
        task.stop.check()?;
        let Pair { a: link_a, resting, b: link_b, moving } = pair;
        let open_resting =
            match (link_a.target(), link_b.target()) {
                (Target::Leaf { first, count: n }, Target::Leaf { first: start, count: m }) => {
                    let (of_a, of_b) = (&a.order[run(first, n)], &b.order[run(start, m)]);
                    waiting.triangles.clear();
                    waiting.triangles.extend(of_a.iter().flat_map(|&i| of_b.iter().map(move |&j| [i, j])));
                    count.leaf_pairs += u64::from(n) * u64::from(m);
                    count.triangle_tests += u64::from(n) * u64::from(m);
                    visitor.take_some(&waiting.triangles)?;
                    continue;
                }
                (Target::Inner(i), Target::Inner(j)) => {
                    if V::resting_is_larger(precomputed, &resting, &moving) { Ok(i) } else { Err(j) }
                }
                (Target::Inner(i), Target::Leaf { .. }) => Ok(i),
                (Target::Leaf { .. }, Target::Inner(j)) => Err(j),
            };
        let limit = visitor.limit();
        let mut keep = |near, a: Link, resting, b: Link, moving| {
            tests = [tests[0] + 1, tests[1] + 1];
            if !is_further(near, limit) {
                waiting.children.push((near, Pair { a, resting, b, moving }));
            }
        };
        match open_resting {
            Ok(i) => {
                let Node { child_bounds, links } = &a.nodes[i as usize];
                let links = links.as_ref();
                for (slot, &link) in links[..used(links)].iter().enumerate() {
                    let resting = V::resting_child(precomputed, &resting, child_bounds, slot);
                    keep(near_of(&resting, &moving), link, resting, link_b, moving);
                }
            }
            Err(j) => {
                let Node { child_bounds, links } = &b.nodes[j as usize];
                let links = links.as_ref();
                for (slot, &link) in links[..used(links)].iter().enumerate() {
                    let moving = V::moving_child(precomputed, &moving, child_bounds, slot);
                    keep(near_of(&resting, &moving), link_a, resting, link, moving);
                }
            }
        }
        waiting.keep_children();
    }
    if task.counting {
        count.volume_tests += tests[0];
        count.volume_updates += tests[1];
    }
    ControlFlow::Continue(())
}
