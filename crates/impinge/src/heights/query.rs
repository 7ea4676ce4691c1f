//! Queries of a body and a half-space.
use super::{Heights, Limit, length};
use crate::{
    AnyBody, Body, HalfSpace,
    distance::{Accuracy, DistanceBounds},
    margin::Margin,
    query::Scratch,
    vector::{UNIT, Vector},
    walk::QueryContext,
    wide::{self, WaitingStack, WideHeightTask},
};
use std::{cmp::Ordering, ops::ControlFlow};

/// Meshes of no more triangles are tested without a tree.
const FEW: usize = 32;

/// A corner of a triangle, and its computed value.
#[derive(Clone, Copy, Debug)]
struct LowestCorner {
    value: f64,
    triangle: u32,
    corner: usize,
}

impl QueryContext<'_> {
    /// Calls `take` with each triangle that may be as low as a limit, until it breaks. `take` returns the next
    /// limit. A limit is not negative and does not grow.
    fn low_triangles(
        &self,
        heights: &Heights<'_>,
        limit: f64,
        scratch: &mut Scratch,
        take: &mut dyn FnMut(u32) -> ControlFlow<(), f64>,
    ) {
        let Body { model, pose } = heights.body;
        if model.mesh().len() > FEW
            && let Some(tree) = model.wide()
        {
            let task = WideHeightTask { tree, pose, half_space: heights.half_space, stop: self.stop };
            let Scratch { walk, own } = scratch;
            wide::low(self.simd, task, limit, own.get::<WaitingStack>(), &mut walk.counters.count, take);
            return;
        }
        for t in 0..model.mesh().len() as u32 {
            if self.stop.is_set() || take(t).is_break() {
                return;
            }
        }
    }

    /// Calls `found` with each triangle that has a point no higher than the margin, until it breaks.
    pub(crate) fn find_low<B>(
        &self,
        body: &Body<'_>,
        half_space: &HalfSpace,
        margin: Margin,
        scratch: &mut Scratch,
        mut found: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (heights, limit) = (Heights::new(body, half_space), Limit::new(half_space, margin));
        let most = at_most(limit.up, heights.error);
        let (mut result, mut tested) = (ControlFlow::Continue(()), 0);
        self.low_triangles(&heights, most, scratch, &mut |t| {
            tested += 1;
            if heights.is_low(t, &limit)
                && let ControlFlow::Break(broken) = found(t)
            {
                result = ControlFlow::Break(broken);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(most)
        });
        scratch.walk.counters.count.triangles_tested(tested);
        result
    }

    /// A triangle that has a point no higher than the margin.
    pub(crate) fn first_low(
        &self,
        body: &Body<'_>,
        half_space: &HalfSpace,
        margin: Margin,
        scratch: &mut Scratch,
    ) -> Option<u32> {
        self.find_low(body, half_space, margin, scratch, ControlFlow::Break).break_value()
    }

    /// The distance of a body and a half-space.
    pub(crate) fn half_space_distance(
        &self,
        body: &impl AnyBody,
        half_space: &HalfSpace,
        accuracy: Accuracy,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        let (body, radius) = (body.any_body(), body.any_radius());
        let sum = Margin::ZERO.with_radii([radius, 0.0]);
        let heights = Heights::new(body, half_space);
        if let Some(t) = self.first_low(body, half_space, sum, scratch) {
            let low = heights.lowest(None, t);
            let [point, foot] = heights.points(&low, 0.0);
            let point = if low.value > 0.0 { foot } else { point };
            return Some(DistanceBounds { lo: 0.0, hi: 0.0, triangles: [t, 0], points: [point; 2] });
        }
        let above = accuracy.limit_with([radius, 0.0]);
        if above.is_some_and(|above| self.first_low(body, half_space, above, scratch).is_none()) {
            return None;
        }
        let mut lowest: Option<LowestCorner> = None;
        self.low_triangles(&heights, f64::INFINITY, scratch, &mut |t| {
            let low = heights.lowest(lowest, t);
            lowest = Some(low);
            ControlFlow::Continue(at_most(low.value, 2.0 * heights.error))
        });
        // The caller drops the result of a stopped query.
        let low = lowest?;
        let mut bounds = heights.distance(low.value, radius);
        if accuracy.needs_more_than(bounds) || bounds[1].is_infinite() {
            bounds = self.height_exactly(&heights, low.value, radius, bounds, scratch);
        }
        let [lo, hi] = accuracy.limited(bounds);
        Some(DistanceBounds { lo, hi, triangles: [low.triangle, 0], points: heights.points(&low, radius) })
    }

    /// The least height, less the radius, rounded down and up. It is within the bounds.
    #[cold]
    fn height_exactly(
        &self,
        heights: &Heights<'_>,
        least: f64,
        radius: f64,
        [lo, hi]: [f64; 2],
        scratch: &mut Scratch,
    ) -> [f64; 2] {
        let mut near = Vec::new();
        let most = at_most(least, 2.0 * heights.error);
        self.low_triangles(heights, most, scratch, &mut |t| {
            near.push(t);
            ControlFlow::Continue(most)
        });
        let compare = |x: f64| {
            let orders = near.iter().map(|&t| heights.compare(t, &[x, radius]));
            orders.min().unwrap_or(Ordering::Greater)
        };
        // The bits of numbers that are not negative have the numbers' order.
        let (mut lo, mut hi) = (lo.to_bits(), hi.min(f64::MAX).to_bits());
        while lo < hi {
            let middle = lo + (hi - lo) / 2;
            if compare(f64::from_bits(middle)).is_gt() { lo = middle + 1 } else { hi = middle }
        }
        let least = f64::from_bits(lo);
        match compare(least) {
            Ordering::Equal => [least; 2],
            Ordering::Less => [least.next_down(), least],
            Ordering::Greater => [f64::MAX, f64::INFINITY],
        }
    }
}

/// A sum rounded up; infinite in place of NaN, and not negative.
fn at_most(x: f64, error: f64) -> f64 {
    let sum = (x + error).next_up();
    if sum.is_nan() { f64::INFINITY } else { sum.max(0.0) }
}

impl Heights<'_> {
    /// The lowest of a corner and the corners of a triangle; of several with one value, the first.
    fn lowest(&self, known: Option<LowestCorner>, triangle: u32) -> LowestCorner {
        let values = self.corners(triangle).map(|v| self.value(&v));
        let [a, b, c] = [0, 1, 2].map(|corner| LowestCorner { value: values[corner], triangle, corner });
        let low = |a: LowestCorner, b: LowestCorner| {
            let is_lower = b.value.total_cmp(&a.value).then(b.triangle.cmp(&a.triangle)).is_lt();
            if is_lower { b } else { a }
        };
        let least = low(low(a, b), c);
        known.map_or(least, |known| low(known, least))
    }

    /// Bounds of the distance, for the least value. No corner is in the half-space.
    fn distance(&self, least: f64, radius: f64) -> [f64; 2] {
        let [scale, length] = length(self.half_space);
        // Off by 8 u; MIN_POSITIVE covers underflow.
        let height = |value: f64, sign: f64| {
            let height = value / scale / length;
            height + sign * (height.abs() * 16.0 * UNIT + f64::MIN_POSITIVE)
        };
        let lo = (height(least - self.error, -1.0) - radius).next_down();
        let hi = (height(least + self.error, 1.0) - radius).next_up();
        // NaN is no bound.
        [if lo > 0.0 { lo } else { 0.0 }, if hi.is_nan() { f64::INFINITY } else { hi }]
    }

    /// The corner, moved by the radius towards the plane, and the point of the plane below it.
    fn points(&self, low: &LowestCorner, radius: f64) -> [Vector; 2] {
        let [scale, length] = length(self.half_space);
        let up = self.half_space.normal.map(|x| x / scale / length);
        let corner = self.body.pose.place(self.corners(low.triangle)[low.corner]);
        let height = low.value / scale / length;
        [radius, height].map(|by| [0, 1, 2].map(|k| corner[k] - by * up[k]))
    }
}
