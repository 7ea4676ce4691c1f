//! The binary tree of `binned.rs` over a few items: every cut along each axis is tried, by the surface area
//! heuristic.
use super::{
    binned::{BinaryNode, SWEPT, middle_first},
    four::{Four, TaggedBox, ThreeBoxes},
};
use std::array::from_fn;

/// Builds the `2 * items.len() - 1` nodes of a subtree. Numbers of items are rounded up to multiples of
/// `block` in its costs: that fills leaves.
pub(super) fn build(items: &mut [TaggedBox], nodes: &mut [BinaryNode], area: f32, block: usize) {
    // A stack of ranges. Each has at least one item, so there are never more than SWEPT.
    let mut todo = [(0usize, 0usize, 0usize, 0.0f32); SWEPT + 1];
    todo[0] = (0, items.len(), 0, area);
    let mut waiting = 1;
    while waiting > 0 {
        waiting -= 1;
        let (start, len, node, area) = todo[waiting];
        let range = &mut items[start..start + len];
        nodes[node] = BinaryNode { area, items: len as u32 };
        let (at, [left, right]) = match range {
            [_] => continue,
            [a, b] => (1, [a.area(), b.area()]),
            _ => cut(range, block),
        };
        todo[waiting] = (start + at, len - at, node + 2 * at, right);
        todo[waiting + 1] = (start, at, node + 1, left);
        waiting += 2;
    }
}

/// Sorts the items along the best axis. Returns where to cut them, and the areas of both sides.
fn cut(items: &mut [TaggedBox], block: usize) -> (usize, [f32; 2]) {
    let len = items.len();
    let mut centres = [Four::all(0.0); SWEPT];
    for (centre, item) in centres.iter_mut().zip(&*items) {
        *centre = item.centre();
    }
    // Sorts by counting, on all three axes at once: an item's place is how many come before it. Without a
    // branch, which would be mispredicted.
    let mut order = [[0u8; SWEPT]; 3];
    for i in 0..len {
        let own = centres[i].0;
        let mut rank = [0i32; 4];
        for other in &centres[..i] {
            rank = from_fn(|k| rank[k] + i32::from(other.0[k] <= own[k]));
        }
        for other in &centres[i + 1..len] {
            rank = from_fn(|k| rank[k] + i32::from(other.0[k] < own[k]));
        }
        for axis in 0..3 {
            order[axis][rank[axis] as usize % SWEPT] = i as u8;
        }
    }
    // From here on lanes are axes.
    let mut sorted = [ThreeBoxes::EMPTY; SWEPT];
    for at in 0..len {
        let [x, y, z] = [0, 1, 2].map(|axis: usize| order[axis][at] as usize);
        sorted[at] = ThreeBoxes::new([&items[x], &items[y], &items[z]]);
    }
    let (mut lefts, mut rights) = ([Four::all(0.0); SWEPT], [Four::all(0.0); SWEPT]);
    let mut costs = [Four::all(f32::INFINITY); SWEPT];
    let mut sum = ThreeBoxes::EMPTY;
    for at in (1..len).rev() {
        sum = sum.and(&sorted[at]);
        rights[at] = sum.areas();
        costs[at] = rights[at].times([(len - at).next_multiple_of(block) as i32; 4]);
    }
    let mut sum = ThreeBoxes::EMPTY;
    for at in 1..len {
        sum = sum.and(&sorted[at - 1]);
        lefts[at] = sum.areas();
        costs[at] = lefts[at].times([at.next_multiple_of(block) as i32; 4]).zip(costs[at], |a, b| a + b);
    }
    let mut best = (f32::INFINITY, 0, 0);
    for at in middle_first(len) {
        for axis in 0..3 {
            if costs[at].0[axis] < best.0 {
                best = (costs[at].0[axis], axis, at);
            }
        }
    }
    let (cost, axis, at) = best;
    if cost == f32::INFINITY {
        let at = len / 2;
        return (at, [&items[..at], &items[at..]].map(|half| TaggedBox::of(half).area()));
    }
    let mut copy = [TaggedBox::EMPTY; SWEPT];
    copy[..len].copy_from_slice(items);
    for (item, &i) in items.iter_mut().zip(&order[axis]) {
        *item = copy[i as usize % SWEPT];
    }
    (at, [lefts[at].0[axis], rights[at].0[axis]])
}
