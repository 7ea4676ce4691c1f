//! Convex regions, which are intersections of half-spaces, and the triangles in them
//! ([`Query::triangles_in`](crate::Query::triangles_in)).
//!
//! # Rounding
//! u = 2^-53. A placed coordinate, three products and a translation, is off by 4 u of S_k, the sum of their
//! sizes. So n.x - d is off by 4 u |n_k| S_k for that, 5 u |n_k| S_k for its own products and sums, and u
//! |d|. The bound is 12 u of these sizes, which covers its own rounding, and the least normal number for
//! underflow.
mod query;
pub(crate) mod reference;

use crate::{
    Body, HalfSpace,
    posed::{distance::TriangleAt, region},
    vector::{UNIT, Vector},
};

/// Part of a triangle that must be in a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InRegion {
    /// One point of the triangle, at least.
    #[default]
    Partly,
    /// The whole triangle.
    Wholly,
}

/// Most corners of the part of a triangle in floating point; integers decide if there are more.
const CORNERS: usize = 16;

pub(crate) fn is_in(body: &Body<'_>, triangle: u32, planes: &[HalfSpace], which: InRegion) -> bool {
    let corners = body.model.mesh().corners(triangle);
    let known = match which {
        InRegion::Partly => meets(&PlacedCorners::new(body, &corners), planes),
        InRegion::Wholly => lies_in(&PlacedCorners::new(body, &corners), planes),
    };
    known.unwrap_or_else(|| decide(body, &corners, planes, which))
}

/// The decision by integers alone: the reference.
pub(crate) fn is_in_by_integers(
    body: &Body<'_>,
    triangle: u32,
    planes: &[HalfSpace],
    which: InRegion,
) -> bool {
    decide(body, &body.model.mesh().corners(triangle), planes, which)
}

#[cold]
#[inline(never)]
fn decide(body: &Body<'_>, corners: &[Vector; 3], planes: &[HalfSpace], which: InRegion) -> bool {
    region::is_in(planes, TriangleAt { pose: &body.pose, corners }, which == InRegion::Wholly)
}

/// Placed corners, and for each coordinate the sum of its terms' sizes.
struct PlacedCorners {
    corners: [Vector; 3],
    sizes: [Vector; 3],
}

impl PlacedCorners {
    fn new(body: &Body<'_>, corners: &[Vector; 3]) -> Self {
        let (rows, t) = (body.pose.rows(), body.pose.translation());
        let mut placed = Self { corners: [[0.0; 3]; 3], sizes: [[0.0; 3]; 3] };
        for (i, v) in corners.iter().enumerate() {
            for k in 0..3 {
                let terms = [rows[k][0] * v[0], rows[k][1] * v[1], rows[k][2] * v[2]];
                placed.corners[i][k] = terms[0] + terms[1] + terms[2] + t[k];
                placed.sizes[i][k] = terms[0].abs() + terms[1].abs() + terms[2].abs() + t[k].abs();
            }
        }
        placed
    }
    /// n.x - d at the corners, and bounds of their errors.
    fn values(&self, plane: &HalfSpace) -> (Vector, Vector) {
        let (n, d) = (plane.normal, plane.offset);
        let (mut values, mut errors) = ([0.0; 3], [0.0; 3]);
        for i in 0..3 {
            let (x, s) = (self.corners[i], self.sizes[i]);
            values[i] = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - d;
            let sum = n[0].abs() * s[0] + n[1].abs() * s[1] + n[2].abs() * s[2] + d.abs();
            errors[i] = 12.0 * UNIT * sum + f64::MIN_POSITIVE * (1.0 + n[0].abs() + n[1].abs() + n[2].abs());
        }
        (values, errors)
    }
}

/// True if all of a triangle is certainly inside, false if certainly not; else `None`.
fn lies_in(placed: &PlacedCorners, planes: &[HalfSpace]) -> Option<bool> {
    let mut is_certain = true;
    for plane in planes {
        let (values, errors) = placed.values(plane);
        if (0..3).any(|i| values[i] > errors[i]) {
            return Some(false);
        }
        // Not `<=`: both sides are infinite where something overflows.
        is_certain &= (0..3).all(|i| values[i] < -errors[i]);
    }
    is_certain.then_some(true)
}

/// True if a point of a triangle is certainly inside, false if certainly none is; else `None`.
fn meets(placed: &PlacedCorners, planes: &[HalfSpace]) -> Option<bool> {
    let mut inside = [true; 3];
    // The part that is inside, as weights of the corners.
    let (mut part, mut len) = ([[0.0; 3]; CORNERS], 3);
    (part[0][0], part[1][1], part[2][2]) = (1.0, 1.0, 1.0);
    for plane in planes {
        let (values, errors) = placed.values(plane);
        if (0..3).all(|i| values[i] > errors[i]) {
            return Some(false);
        }
        for i in 0..3 {
            inside[i] &= values[i] < -errors[i];
        }
        if (0..3).any(|i| values[i] > 0.0) {
            len = clip(&mut part, len, &values)?;
        }
    }
    if inside.contains(&true) {
        return Some(true);
    }
    // The middle is a guess. If it is certainly inside, the rounding that led to it does not matter.
    let sum = |k: usize| part[..len].iter().map(|l| l[k]).sum::<f64>();
    let sums = [sum(0), sum(1), sum(2)];
    let all = sums[0] + sums[1] + sums[2];
    let are_weights = sums.iter().all(|&l| l >= 0.0) && all > 0.0;
    if !are_weights {
        return None;
    }
    let is_certain = planes.iter().all(|plane| {
        let (values, errors) = placed.values(plane);
        let at = |v: Vector| v[0] * sums[0] + v[1] * sums[1] + v[2] * sums[2];
        // The weights count as exact; the products and sums round by 4 u of themselves.
        at(values) + 2.0 * at(errors) + 8.0 * UNIT * at(values.map(f64::abs)) <= 0.0
    });
    is_certain.then_some(true)
}

/// Cuts off the part with positive values (Sutherland and Hodgman 1974); `None` if nothing is left, or too
/// many corners.
fn clip(part: &mut [Vector; CORNERS], len: usize, values: &Vector) -> Option<usize> {
    let (before, mut count) = (*part, 0);
    let at = |l: &Vector| l[0] * values[0] + l[1] * values[1] + l[2] * values[2];
    let mut push = |l: Vector| {
        *part.get_mut(count)? = l;
        count += 1;
        Some(())
    };
    for i in 0..len {
        let (from, to) = (&before[i], &before[(i + 1) % len]);
        let (a, b) = (at(from), at(to));
        if a <= 0.0 {
            push(*from)?;
        }
        if a < 0.0 && b > 0.0 || a > 0.0 && b < 0.0 {
            let along = a / (a - b);
            push([0, 1, 2].map(|k| (from[k] + along * (to[k] - from[k])).max(0.0)))?;
        }
    }
    (count > 0).then_some(count)
}
