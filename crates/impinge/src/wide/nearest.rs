//! The traversal for distances: what is nearest first, as far as it may still matter.
//!
//! # Lower bounds
//! Two boxes in one frame, of which one holds what lies in the other tree's box, are as far apart as the
//! length of g, with g_k = max(0, lo' - hi, lo - hi') on each axis. That is computed in both trees' frames,
//! and the larger counts. `pad` has everything that is rounded up to the last difference, and each of these,
//! the squares and their sums round by u of themselves: less than 8 u in all, which [`Limits`] allow for. A
//! length of 1 in the frame of a tree is one of `length` in the world at least
//! ([`WideTree::unit_length`]). Squares are compared: where one overflows, so does what it is compared with,
//! or it is larger.
use super::{
    WideTree,
    leaf::{self, LeafRef},
    meet::{PlacedLeaf, place_leaf, prepare},
    node::{Node, WIDTH},
    node_pair::{NodeBoxes, at, leaves_of, node_boxes},
    relative::RelativeTransforms,
    walk::NodePair,
};
use crate::{
    Count, SimdLevel,
    distance::Visitor,
    hierarchy::Stop,
    simd::{Lanes, Mask, Simd, Work, detect},
    triangle::lanes::Vector,
};
use std::ops::ControlFlow;

/// Something, and the square of how near it may be, in the resting tree's frame.
#[derive(Clone, Copy, Debug)]
struct Waiting<T> {
    near: f32,
    what: T,
}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct NearestStack {
    node_pairs: Vec<Waiting<NodePair>>,
    leaves: Vec<Waiting<[LeafRef; 2]>>,
}

/// Two trees, and how long what is in their frames is.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) trees: [&'a WideTree; 2],
    pub(crate) transforms: &'a RelativeTransforms,
    /// Of a unit in each tree's frame, in the world, at least.
    pub(crate) lengths: [f64; 2],
    pub(crate) stop: Stop<'a>,
}

/// Shows the visitor all pairs of triangles that may be as near as its limit, until it breaks or the stop flag
/// is set.
pub(crate) fn walk(
    level: SimdLevel,
    task: Task<'_>,
    stack: &mut NearestStack,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) {
    stack.node_pairs.clear();
    stack.leaves.clear();
    if task.trees.iter().all(|tree| !tree.nodes.is_empty()) {
        detect(level).call(Walk { task, stack, count, visitor });
    }
}

struct Walk<'a, 's, 'v> {
    task: Task<'a>,
    stack: &'s mut NearestStack,
    count: &'s mut Count,
    visitor: &'s mut Visitor<'v>,
}

/// The square of a length in the world, in that of a tree's frame: not less, for lower bounds to be compared
/// with.
fn limit(world: f64, length: f64) -> f32 {
    let own = world / length;
    super::relative::up(own * own * (1.0 + 2e-6))
}

/// Whether that is certain: nothing is further than NaN.
fn is_further(near: f32, most: f32) -> bool {
    near > most
}

impl Work for Walk<'_, '_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { task, stack, count, visitor } = self;
        let [a, b] = task.trees;
        let ratio = task.lengths[1] / task.lengths[0];
        // Of a square in the moving frame: not more in the resting one.
        let ratio = (ratio * ratio * (1.0 - 1e-6)).min(f64::from(f32::MAX)) as f32;
        let mut most = limit(visitor.limit, task.lengths[0]);
        let root = NodePair { a: 0, b: 0, rows: a.nodes[0].used, columns: b.nodes[0].used };
        stack.node_pairs.push(Waiting { near: 0.0, what: root });
        let mut opened = 0_usize;
        while let Some(Waiting { near, what }) = stack.node_pairs.pop() {
            if near > most {
                continue;
            }
            if opened & 63 == 0 && task.stop.is_set() {
                return;
            }
            opened += 1;
            let waiting = stack.node_pairs.len();
            open(simd, &task, what, (ratio, most), stack, count);
            stack.node_pairs[waiting..].sort_unstable_by(|x, y| y.near.total_cmp(&x.near));
            stack.leaves.sort_unstable_by(|x, y| y.near.total_cmp(&x.near));
            while let Some(Waiting { near, what }) = stack.leaves.pop() {
                if !is_further(near, most) {
                    if meet(simd, &task, what, count, visitor).is_break() {
                        return;
                    }
                    most = limit(visitor.limit, task.lengths[0]);
                }
            }
        }
    }
}

/// The squares of the distances of boxes `lo` to `hi` from the box `low` to `high`.
#[inline(always)]
fn squares<L: Lanes>(lo: &Vector<L>, hi: &Vector<L>, low: &Vector<L>, high: &Vector<L>, zero: L) -> L {
    let x = (lo[0] - high[0]).max(low[0] - hi[0]).max(zero);
    let y = (lo[1] - high[1]).max(low[1] - hi[1]).max(zero);
    let z = (lo[2] - high[2]).max(low[2] - hi[2]).max(zero);
    x * x + y * y + z * z
}

/// Pushes the pairs of lanes of a node pair that are near enough.
#[inline(always)]
fn open<S: Simd>(
    simd: S,
    task: &Task<'_>,
    node_pair: NodePair,
    (ratio, most): (f32, f32),
    stack: &mut NearestStack,
    count: &mut Count,
) {
    let RelativeTransforms { to_resting, to_moving, .. } = task.transforms;
    let [of_a, of_b] = task.trees;
    let (a, b) = (&of_a.nodes[node_pair.a as usize], &of_b.nodes[node_pair.b as usize]);
    let (boxes_a, boxes_b) = (a.boxes(simd), b.boxes(simd));
    let (side_a, _) = node_boxes(simd, &boxes_a, to_moving);
    let (side_b, _) = node_boxes(simd, &boxes_b, to_resting);
    count.volumes_tested(u64::from(node_pair.rows.count_ones() * node_pair.columns.count_ones()));
    count.volumes_placed(u64::from(node_pair.rows.count_ones() + node_pair.columns.count_ones()));
    let mut near = [[0.0_f32; WIDTH]; WIDTH];
    let pairs = rows(simd, (&side_a, node_pair.rows), (&side_b, node_pair.columns), (ratio, most), &mut near);
    push(task, node_pair, (a, b), (pairs, &near), stack);
}

/// For each of some lanes of the one node, those of the other that may be near enough, eight bits each; and
/// how near all are.
#[inline(always)]
fn rows<S: Simd>(
    simd: S,
    (looped, active): (&NodeBoxes<S::Eight>, u8),
    (fixed, columns): (&NodeBoxes<S::Eight>, u8),
    (ratio, most): (f32, f32),
    near: &mut [[f32; WIDTH]; WIDTH],
) -> u64 {
    let mut lanes = [[0.0_f32; 8]; 12];
    for k in 0..3 {
        simd.store(looped.lo[k], &mut lanes[k]);
        simd.store(looped.hi[k], &mut lanes[3 + k]);
        simd.store(looped.transformed_lo[k], &mut lanes[6 + k]);
        simd.store(looped.transformed_hi[k], &mut lanes[9 + k]);
    }
    let (zero, ratio, most) = (simd.eight(0.0), simd.eight(ratio), simd.eight(most));
    let (mut pairs, mut active) = (0, u32::from(active));
    while active != 0 {
        let i = active.trailing_zeros() as usize & 7;
        active &= active - 1;
        let resting = squares(
            &fixed.transformed_lo,
            &fixed.transformed_hi,
            &at(simd, &lanes, 0, i),
            &at(simd, &lanes, 3, i),
            zero,
        );
        let moving =
            squares(&fixed.lo, &fixed.hi, &at(simd, &lanes, 6, i), &at(simd, &lanes, 9, i), zero) * ratio;
        let larger = resting.max(moving);
        simd.store(larger, &mut near[i]);
        for x in &mut near[i] {
            // NaN, where nothing is known of the motion.
            *x = if *x >= 0.0 { *x } else { 0.0 };
        }
        pairs |= u64::from(!larger.gt(most).bits() & u32::from(columns)) << (8 * i);
    }
    pairs
}

/// Sorts pairs of lanes by what they lead to.
#[inline(always)]
fn push(
    task: &Task<'_>,
    node_pair: NodePair,
    (a, b): (&Node, &Node),
    (pairs, near): (u64, &[[f32; WIDTH]; WIDTH]),
    stack: &mut NearestStack,
) {
    let [of_a, of_b] = task.trees;
    let (rows_of_leaves, columns_of_leaves) = leaves_of(a, b);
    let mut both = pairs & !columns_of_leaves & !rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let (i, j) = (a.child(at >> 3), b.child(at & 7));
        let (rows, columns) = (of_a.nodes[i as usize].used, of_b.nodes[j as usize].used);
        let what = NodePair { a: i, b: j, rows, columns };
        stack.node_pairs.push(Waiting { near: near[at >> 3][at & 7], what });
    }
    // A moving child against resting leaves, which are together as near as the nearest.
    let mut single = pairs & !columns_of_leaves & rows_of_leaves;
    for j in 0..WIDTH {
        let (mut rows, mut nearest) = (0, f32::INFINITY);
        for (i, near) in near.iter().enumerate() {
            let at = 8 * i + j;
            if single >> at & 1 == 1 {
                rows |= 1 << i;
                nearest = nearest.min(near[j]);
                single &= !(1 << at);
            }
        }
        if rows != 0 {
            let child = b.child(j);
            let columns = of_b.nodes[child as usize].used;
            let what = NodePair { a: node_pair.a, b: child, rows, columns };
            stack.node_pairs.push(Waiting { near: nearest, what });
        }
    }
    // A resting child against moving leaves.
    let single = pairs & columns_of_leaves & !rows_of_leaves;
    for (i, near) in near.iter().enumerate() {
        let columns = (single >> (8 * i)) as u8;
        if columns != 0 {
            let each = near.iter().enumerate().filter(|(j, _)| columns >> j & 1 == 1);
            let nearest = each.fold(f32::INFINITY, |nearest, (_, &x)| nearest.min(x));
            let child = a.child(i);
            let rows = of_a.nodes[child as usize].used;
            let what = NodePair { a: child, b: node_pair.b, rows, columns };
            stack.node_pairs.push(Waiting { near: nearest, what });
        }
    }
    let mut both = pairs & columns_of_leaves & rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let what = [a.leaf(at >> 3, of_a.precision), b.leaf(at & 7, of_b.precision)];
        stack.leaves.push(Waiting { near: near[at >> 3][at & 7], what });
    }
}

/// Shows the visitor the pairs of triangles of two leaves that may be near enough, the nearest first.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    task: &Task<'_>,
    [of_a, of_b]: [LeafRef; 2],
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let [a, b] = task.trees;
    count.leaves_met(u64::from(of_a.count) * u64::from(of_b.count));
    let prepared = prepare(simd, a, of_a);
    let mut near = [[0.0_f32; WIDTH]; WIDTH];
    // A step of the resting leaf's lattice in the world. Where sizes are too different nothing is known.
    let step = f64::from(prepared.lattice.step) * task.lengths[0];
    if let Some(PlacedLeaf { q, error, .. }) =
        place_leaf(simd, (a, b), &task.transforms.leaves, &prepared, of_b)
    {
        let (lo, hi, _) = leaf::extents(&q);
        let (zero, error) = (simd.eight(0.0), simd.eight(error));
        let (lo, hi) =
            ([lo[0] - error, lo[1] - error, lo[2] - error], [hi[0] + error, hi[1] + error, hi[2] + error]);
        for (i, near) in near.iter_mut().enumerate().take(of_a.count as usize) {
            let low = at(simd, &prepared.bounds, 0, i);
            let square = squares(&lo, &hi, &low, &at(simd, &prepared.bounds, 3, i), zero);
            simd.store(square, near);
            for x in near {
                *x = if *x >= 0.0 { *x } else { 0.0 };
            }
        }
    }
    let mut most = limit(visitor.limit, step);
    let (mut pairs, mut len) = ([(0.0_f32, 0_u8); WIDTH * WIDTH], 0);
    for (i, near) in near.iter().enumerate().take(of_a.count as usize) {
        for (j, &near) in near.iter().enumerate().take(of_b.count as usize) {
            if !is_further(near, most) {
                pairs[len] = (near, (8 * i + j) as u8);
                len += 1;
            }
        }
    }
    let pairs = &mut pairs[..len];
    pairs.sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
    for &(near, at) in &*pairs {
        if near > most {
            break;
        }
        count.triangles_tested(1);
        let [i, j] = [of_a.first + u32::from(at >> 3), of_b.first + u32::from(at & 7)];
        visitor.take([a.order[i as usize], b.order[j as usize]])?;
        most = limit(visitor.limit, step);
    }
    ControlFlow::Continue(())
}
