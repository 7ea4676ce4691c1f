//! Heights of a body over the plane of a half-space: (n.x - d) / |n| for its points x.
//!
//! A body's lowest point is a corner of a triangle. So a body with the radius r meets the half-space if and
//! only if the height of a corner is at most r, and its distance is the least height, less r.
//!
//! # Rounding
//! u = 2^-53. With m = R^T n and c = n.t - d, a corner v has n.x - d = m.v + c. Let S be the sum over k of |n_k|
//! (sum over j of |R_kj| |v_j|, + |t_k|), + |d|. A component of m is off by 3 u of the sizes of its products,
//! those products by 4 u more in m.v, c by 5 u of its own, and the last sum by u: all is at most 8 u S. The
//! bound takes the largest coordinates of the mesh, so that it is the same for all corners, and 12 u, which
//! covers its own rounding. The least normal number, times these coordinates, covers underflow.
mod query;

use crate::{
    Body, HalfSpace,
    margin::Margin,
    posed::{distance::TriangleAt, region},
    vector::{UNIT, Vector, dot, largest},
};
use std::cmp::Ordering;

/// The heights of a body's corners, times |n|.
#[derive(Clone, Copy, Debug)]
struct Heights<'a> {
    body: &'a Body<'a>,
    half_space: &'a HalfSpace,
    /// m and c.
    slope: Vector,
    offset: f64,
    /// Bound of each value's error. NaN or infinity where there is no bound.
    error: f64,
}

impl<'a> Heights<'a> {
    fn new(body: &'a Body<'a>, half_space: &'a HalfSpace) -> Self {
        let (n, d) = (half_space.normal, half_space.offset);
        let (rows, t) = (body.pose.rows(), body.pose.translation());
        let [lo, hi] = body.model.extent();
        let most = [0, 1, 2].map(|j| lo[j].abs().max(hi[j].abs()));
        let slope = [0, 1, 2].map(|j| n[0] * rows[0][j] + n[1] * rows[1][j] + n[2] * rows[2][j]);
        let size = |k: usize| n[k].abs() * (dot(rows[k].map(f64::abs), most) + t[k].abs());
        let sizes = size(0) + size(1) + size(2) + d.abs();
        let error = 12.0 * UNIT * sizes + f64::MIN_POSITIVE * (1.0 + most[0] + most[1] + most[2]);
        let offset = dot(n, *t) - d;
        // The slope may overflow where its products with coordinates would not.
        let is_finite = slope.iter().chain([&offset]).all(|x| x.is_finite());
        Self { body, half_space, slope, offset, error: if is_finite { error } else { f64::INFINITY } }
    }
    fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.body.model.mesh().corners(triangle)
    }
    /// The value of n.x - d at a corner.
    fn value(&self, v: &Vector) -> f64 {
        dot(self.slope, *v) + self.offset
    }
    /// True if a corner of a triangle is as low as a limit, exactly.
    fn is_low(&self, triangle: u32, limit: &Limit) -> bool {
        let corners = self.corners(triangle);
        let values = corners.map(|v| self.value(&v));
        let least = values[0].min(values[1]).min(values[2]);
        if least + self.error < limit.down {
            return true;
        }
        // False for NaN.
        if least - self.error > limit.up {
            return false;
        }
        self.compare(triangle, limit.margin.parts()).is_le()
    }
    /// Compares the height of a triangle's lowest corner with a sum of numbers, exactly.
    #[cold]
    #[inline(never)]
    fn compare(&self, triangle: u32, sum: &[f64]) -> Ordering {
        let at = TriangleAt { pose: &self.body.pose, corners: &self.corners(triangle) };
        region::compare_height(self.half_space, at, sum)
    }
}

/// A height m, and bounds of m |n|.
#[derive(Clone, Copy, Debug)]
struct Limit {
    margin: Margin,
    down: f64,
    up: f64,
}

impl Limit {
    fn new(half_space: &HalfSpace, margin: Margin) -> Self {
        if margin.is_zero() {
            return Self { margin, down: 0.0, up: 0.0 };
        }
        // A product is off by 8 u of itself, or underflows.
        let [scale, length] = length(half_space);
        let down = (margin.down() * length * scale * (1.0 - 16.0 * UNIT)).min(f64::MAX / 2.0);
        let up = margin.get() * length * scale * (1.0 + 16.0 * UNIT) + f64::MIN_POSITIVE;
        Self { margin, down: (down - f64::MIN_POSITIVE).max(0.0), up }
    }
}

/// Two numbers whose product is the normal's length, to 6 u: the largest component, and a number from 1 to 2.
fn length(half_space: &HalfSpace) -> [f64; 2] {
    let scale = largest(half_space.normal.map(f64::abs));
    let part = half_space.normal.map(|x| x / scale);
    [scale, dot(part, part).sqrt()]
}
