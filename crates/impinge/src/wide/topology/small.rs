//! The binary tree of `binned.rs` over a few items: every cut along each axis is tried, by the surface area
//! heuristic.
use super::{
    binary::{BinaryNode, SWEPT, least},
    four::{FloatQuad, TaggedBox, ThreeBoxes},
};
use std::array::from_fn;

/// The costs of a sweep, and its memory: to clear that for each cut took longer than some cuts.
pub(super) struct CutSweep {
    /// The weight of so many items in costs.
    weights: [f32; SWEPT],
    /// The items of one cut, in their order.
    copy: [TaggedBox; SWEPT],
    centres: [FloatQuad; SWEPT],
    /// The items by axis, in the order of their centres.
    order: [[u8; SWEPT]; 3],
    sorted: [ThreeBoxes; SWEPT],
    /// Areas and costs by cut; lanes are axes.
    lefts: [FloatQuad; SWEPT],
    rights: [FloatQuad; SWEPT],
    costs: [FloatQuad; SWEPT],
}

impl CutSweep {
    /// A sweep whose costs round numbers of items up to multiples of `block`, which fills leaves.
    #[inline(always)]
    pub(super) fn new(block: usize) -> Self {
        Self {
            weights: from_fn(|n| n.next_multiple_of(block) as f32),
            copy: [TaggedBox::EMPTY; SWEPT],
            centres: [FloatQuad::all(0.0); SWEPT],
            order: [[0; SWEPT]; 3],
            sorted: [ThreeBoxes::EMPTY; SWEPT],
            lefts: [FloatQuad::all(0.0); SWEPT],
            rights: [FloatQuad::all(0.0); SWEPT],
            costs: [FloatQuad::all(f32::INFINITY); SWEPT],
        }
    }

    /// Builds the `2 * items.len() - 1` nodes of a subtree.
    #[inline(always)]
    pub(super) fn build(&mut self, items: &mut [TaggedBox], nodes: &mut [BinaryNode], area: f32) {
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
                _ => self.cut(range),
            };
            todo[waiting] = (start + at, len - at, node + 2 * at, right);
            todo[waiting + 1] = (start, at, node + 1, left);
            waiting += 2;
        }
    }

    /// Sorts the items along the best axis. Returns where to cut them, and the areas of both sides.
    #[inline(always)]
    fn cut(&mut self, items: &mut [TaggedBox]) -> (usize, [f32; 2]) {
        let Self { weights, copy, centres, order, sorted, lefts, rights, costs } = self;
        // Never more: this is for the compiler.
        let len = items.len().min(SWEPT);
        for ((centre, copy), item) in centres.iter_mut().zip(&mut *copy).zip(&*items) {
            *centre = item.centre();
            *copy = *item;
        }
        // Sorts by counting, on all three axes at once: an item's place is how many come before it. Without a
        // branch, which would be mispredicted.
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
        for at in 0..len {
            let [x, y, z] = [0, 1, 2].map(|axis: usize| order[axis][at] as usize % SWEPT);
            sorted[at] = ThreeBoxes::new([&copy[x], &copy[y], &copy[z]]);
        }
        let mut sum = ThreeBoxes::EMPTY;
        for at in (1..len).rev() {
            sum = sorted[at].and(&sum);
            rights[at] = sum.areas();
            costs[at] = rights[at].scaled(weights[len - at]);
        }
        let mut sum = ThreeBoxes::EMPTY;
        for at in 1..len {
            sum = sorted[at - 1].and(&sum);
            lefts[at] = sum.areas();
            costs[at] = lefts[at].scaled(weights[at]).zip(costs[at], |a, b| a + b);
        }
        let Some((axis, at)) = least(&costs[..len]) else {
            let at = len / 2;
            return (at, [&items[..at], &items[at..]].map(|half| TaggedBox::of(half).area()));
        };
        for (item, &i) in items.iter_mut().zip(&order[axis]) {
            *item = copy[i as usize % SWEPT];
        }
        (at, [lefts[at].0[axis], rights[at].0[axis]])
    }
}
