//! Pairs of leaves.
use super::{
    super::{
        apart::{self, LeafPair},
        leaf::{self, LeafRef},
        meet::{PlacedLeaf, PreparedLeaf, place_leaf, prepare},
        node::WIDTH,
        node_pair::at,
    },
    direction::Direction,
    squares::{known, squares},
    task::WideNearestTask,
    units::{is_further, limit},
};
use crate::{
    counters::Count,
    simd::{Lanes, MOST_DOUBLES, Mask, Simd},
    triangle::lanes::{add, dot, sub},
    visitor::Visitor,
};
use std::ops::ControlFlow;

/// Shows the visitor the pairs of triangles of two leaves that may be near enough, the nearest first.
#[inline(always)]
pub(super) fn meet<S: Simd>(
    simd: S,
    task: &WideNearestTask<'_>,
    [of_a, of_b]: [LeafRef; 2],
    prepared: &mut Option<PreparedLeaf<S::Eight>>,
    direction: &mut Direction,
    count: &mut Count,
    visitor: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let [a, b] = task.trees;
    count.leaves_met(u64::from(of_a.count) * u64::from(of_b.count));
    let prepared = match prepared {
        Some(prepared) if prepared.leaf == of_a => prepared,
        other => other.insert(prepare(simd, a, of_a)),
    };
    // Where sizes are too different there is no bound.
    let placed = place_leaf(simd, a, b, &task.transforms.leaves, prepared, of_b);
    let mut near = [[0.0_f32; WIDTH]; WIDTH];
    // A step of the resting leaf's lattice in the world.
    let step = f64::from(prepared.lattice.step) * task.lengths[0];
    let mut left = apart::all(of_a, of_b);
    if let Some(placed) = &placed {
        let most = limit(visitor.progress.limit, step);
        if !between_leaves(simd, prepared, of_b, placed, direction, most, &mut near) {
            return ControlFlow::Continue(());
        }
        left &= within(&near, most);
        if left == 0 {
            return ControlFlow::Continue(());
        }
        left = LeafPair::new(simd, prepared, placed).raise(left, most, &mut near);
    }
    loop {
        let (mut nearest, mut best) = (f32::INFINITY, None);
        let mut all = left;
        while all != 0 {
            let at = all.trailing_zeros() as usize;
            all &= all - 1;
            let near = near[at >> 3][at & 7];
            if near < nearest || best.is_none() {
                (nearest, best) = (near, Some([at >> 3, at & 7]));
            }
        }
        let Some([i, j]) = best else { return ControlFlow::Continue(()) };
        let most = limit(visitor.progress.limit, step);
        if is_further(nearest, most) {
            return ControlFlow::Continue(());
        }
        // Where faces are parallel, or a corner is nearest that several triangles have, many pairs are as
        // near but for rounding: all of them must be tested, and together they take less time.
        let alike = (nearest * ALIKE).min(most);
        let (mut pairs, mut count_of) = ([[0; 2]; MOST_DOUBLES], 0);
        let mut all = left;
        while all != 0 && count_of < MOST_DOUBLES {
            let at = all.trailing_zeros() as usize;
            all &= all - 1;
            if [at >> 3, at & 7] == [i, j] || near[at >> 3][at & 7] <= alike {
                left &= !(1 << at);
                let places = [of_a.first as usize + (at >> 3), of_b.first as usize + (at & 7)];
                pairs[count_of] = [a.order[places[0]], b.order[places[1]]];
                count_of += 1;
            }
        }
        count.triangles_tested(count_of as u64);
        let before = visitor.progress.direction;
        visitor.take_some(&pairs[..count_of])?;
        if visitor.progress.direction != before {
            *direction = Direction::of(visitor.progress.direction, task);
        }
    }
}

/// Squares that differ by no more count as equal, to choose the pairs that are tested together.
const ALIKE: f32 = 1.01;

/// The pairs that may be within `most`.
fn within(near: &[[f32; WIDTH]; WIDTH], most: f32) -> u64 {
    let places = near.as_flattened().iter().enumerate();
    places.fold(0, |pairs, (at, &near)| if is_further(near, most) { pairs } else { pairs | 1 << at })
}

/// Computes lower bounds of the squared distances of two leaves' triangles, in the resting one's lattice;
/// false if all are further than `most` along the direction.
#[inline(always)]
fn between_leaves<S: Simd>(
    simd: S,
    prepared: &PreparedLeaf<S::Eight>,
    of_b: LeafRef,
    PlacedLeaf { q, error, .. }: &PlacedLeaf<S::Eight>,
    direction: &Direction,
    most: f32,
    near: &mut [[f32; WIDTH]; WIDTH],
) -> bool {
    let (zero, five, error) = (simd.eight(0.0), simd.eight(5.0), simd.eight(*error));
    let w = simd.eights(&direction.resting);
    let (e1, e2) = (dot(w, prepared.e1), dot(w, prepared.e2));
    let mut ends = [0.0_f32; WIDTH];
    simd.store(dot(w, prepared.p0) + e1.max(e2).max(zero), &mut ends);
    let ends = &ends[..prepared.leaf.count as usize];
    let start = dot(w, q[0]).min(dot(w, q[1])).min(dot(w, q[2])) - five * error;
    // All of them at once: this excludes most leaves.
    let end = ends.iter().fold(f32::NEG_INFINITY, |end, &x| if x > end { x } else { end });
    let along = (start - simd.eight(end)).max(zero);
    let columns = (1 << of_b.count) - 1;
    if (along * along).gt(simd.eight(most)).bits() & columns == columns {
        return false;
    }
    let (lo, hi, _) = leaf::extents(q);
    let (lo, hi) = (sub(lo, [error; 3]), add(hi, [error; 3]));
    for (i, (near, &end)) in near.iter_mut().zip(ends).enumerate() {
        let (low, high) = (at(simd, &prepared.bounds, 0, i), at(simd, &prepared.bounds, 3, i));
        let along = (start - simd.eight(end)).max(zero);
        let larger = squares(&lo, &hi, &low, &high, zero).max(along * along);
        simd.store(known(simd, larger), near);
    }
    true
}
