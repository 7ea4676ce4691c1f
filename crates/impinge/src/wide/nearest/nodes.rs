//! Pairs of nodes.
use super::{
    super::{
        node::{DecodedNode, QuantizedNode, WIDTH},
        node_pair::{NodeBoxes, at, leaves_of, node_boxes, parted_by_slabs},
        relative::RelativeTransforms,
        tree_pair::NodePair,
    },
    direction::{Direction, support},
    squares::{known, squares},
    stack::{NearestStack, WaitingEntry},
    task::WideNearestTask,
    units::SquareUnits,
};
use crate::{
    counters::Count,
    simd::{Lanes, Mask, Simd},
    triangle::lanes::dot,
};

/// The distance beyond which nothing matters.
#[derive(Clone, Copy)]
pub(super) struct NearestLimit<'a> {
    pub(super) units: SquareUnits,
    /// Its square, in these units.
    pub(super) most: f32,
    /// The transforms for slabs of volumes that may be as near, if slabs are to be tested.
    pub(super) within: Option<&'a RelativeTransforms>,
}

/// Pushes the pairs of lanes of a node pair that are near enough.
#[inline(always)]
pub(super) fn open<S: Simd>(
    simd: S,
    task: &WideNearestTask<'_>,
    node_pair: NodePair,
    NearestLimit { units, most, within }: NearestLimit<'_>,
    direction: Direction,
    stack: &mut NearestStack,
    count: &mut Count,
) {
    let RelativeTransforms { to_resting, to_moving, .. } = task.transforms;
    let [of_a, of_b] = task.trees;
    let (a, b) = (&of_a.nodes[node_pair.a as usize], &of_b.nodes[node_pair.b as usize]);
    let (boxes_a, boxes_b) = (a.boxes(simd), b.boxes(simd));
    let (side_a, _) = node_boxes(simd, &boxes_a, to_moving);
    let (side_b, p) = node_boxes(simd, &boxes_b, to_resting);
    count.volumes_tested(u64::from(node_pair.rows.count_ones() * node_pair.columns.count_ones()));
    count.volumes_placed(u64::from(node_pair.rows.count_ones() + node_pair.columns.count_ones()));
    let mut near = [[0.0_f32; WIDTH]; WIDTH];
    let (w, back) = (simd.eights(&direction.resting), simd.eights(&direction.moving));
    let back = [simd.eight(0.0) - back[0], simd.eight(0.0) - back[1], simd.eight(0.0) - back[2]];
    let ends = [
        dot(w, boxes_a.c) + support(simd, a, &boxes_a.e, &w) + simd.eight(16.0 * to_resting.slack),
        dot(w, p) - support(simd, b, &boxes_b.e, &back),
    ];
    let sides = [(&side_a, node_pair.rows), (&side_b, node_pair.columns)];
    let mut pairs = rows(simd, sides, ends, units, most, &mut near);
    if let Some(transforms) = within
        && pairs != 0
    {
        let (a, b) = (DecodedNode { node: a, boxes: &boxes_a }, DecodedNode { node: b, boxes: &boxes_b });
        pairs &= !parted_by_slabs(simd, transforms, a, b, p, pairs);
    }
    push(task, node_pair, a, b, pairs, &near, stack);
    // The nearest is the greatest. The others stay together by their resting leaf, which is decoded once.
    if let Some((nearest, _)) = stack.leaves.iter().enumerate().max_by_key(|(_, waiting)| **waiting) {
        let last = stack.leaves.len() - 1;
        stack.leaves.swap(nearest, last);
    }
}

/// For each active lane of one node, the lanes of the other that may be near enough, eight bits each. Writes
/// lower bounds of the squared distances to `near`.
#[inline(always)]
fn rows<S: Simd>(
    simd: S,
    [(looped, active), (fixed, columns)]: [(&NodeBoxes<S::Eight>, u8); 2],
    [end, start]: [S::Eight; 2],
    units: SquareUnits,
    most: f32,
    near: &mut [[f32; WIDTH]; WIDTH],
) -> u64 {
    let mut lanes = [[0.0_f32; 8]; 12];
    for k in 0..3 {
        simd.store(looped.lo[k], &mut lanes[k]);
        simd.store(looped.hi[k], &mut lanes[3 + k]);
        simd.store(looped.transformed_lo[k], &mut lanes[6 + k]);
        simd.store(looped.transformed_hi[k], &mut lanes[9 + k]);
    }
    let mut ends = [0.0_f32; 8];
    simd.store(end, &mut ends);
    let (zero, most) = (simd.eight(0.0), simd.eight(most));
    let [of_resting, of_moving] = units.factors.map(|factor| simd.eight(factor));
    let [is_resting_used, is_moving_used] = units.factors.map(|factor| factor != 0.0);
    let (mut pairs, mut active) = (0, u32::from(active));
    while active != 0 {
        let i = active.trailing_zeros() as usize & 7;
        active &= active - 1;
        let mut larger = zero;
        if is_resting_used {
            let resting = squares(
                &fixed.transformed_lo,
                &fixed.transformed_hi,
                &at(simd, &lanes, 0, i),
                &at(simd, &lanes, 3, i),
                zero,
            );
            let along = (start - simd.eight(ends[i])).max(zero);
            larger = resting.max(along * along) * of_resting;
        }
        if is_moving_used {
            let (low, high) = (at(simd, &lanes, 6, i), at(simd, &lanes, 9, i));
            larger = larger.max(squares(&fixed.lo, &fixed.hi, &low, &high, zero) * of_moving);
        }
        simd.store(known(simd, larger), &mut near[i]);
        pairs |= u64::from(!larger.gt(most).bits() & u32::from(columns)) << (8 * i);
    }
    pairs
}

/// Pushes pairs of lanes, as node pairs or as pairs of leaves.
#[inline(always)]
fn push(
    task: &WideNearestTask<'_>,
    node_pair: NodePair,
    a: &QuantizedNode,
    b: &QuantizedNode,
    pairs: u64,
    near: &[[f32; WIDTH]; WIDTH],
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
        stack.node_pairs.push(WaitingEntry { near: near[at >> 3][at & 7], what });
    }
    // A moving child against resting leaves, which together are as near as the nearest of them.
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
            stack.node_pairs.push(WaitingEntry { near: nearest, what });
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
            stack.node_pairs.push(WaitingEntry { near: nearest, what });
        }
    }
    let mut both = pairs & columns_of_leaves & rows_of_leaves;
    while both != 0 {
        let at = both.trailing_zeros() as usize;
        both &= both - 1;
        let what = [a.leaf(at >> 3, of_a.precision), b.leaf(at & 7, of_b.precision)];
        stack.leaves.push(WaitingEntry { near: near[at >> 3][at & 7], what });
    }
}
