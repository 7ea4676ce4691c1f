//! Two placed shapes: whether they meet.
use super::{
    hull::{Difference, Nearest, Until, nearest},
    shape::{Placed, PySolid, bounds_meet},
    vector::{Point, cross, dot, length_1, minus, unit},
};
use crate::run::{Work, ask};
use impinge::{Query, distance::Margin, solid::Location};
use pyo3::prelude::*;
use std::sync::Arc;

/// Decides with a few operations whether two shapes meet. `None` where roundings matter, and for other
/// shapes.
fn meet_at_a_glance(a: &Placed, b: &Placed) -> Option<bool> {
    match (a.shape.is_ball, b.shape.is_ball, a.shape.half, b.shape.half) {
        (true, true, ..) => balls_meet(a, b),
        (true, _, _, Some(half)) => ball_meets_box(a, b, half),
        (_, true, Some(half), _) => ball_meets_box(b, a, half),
        (_, _, Some(of_a), Some(of_b)) => boxes_meet(a, b, [of_a, of_b]),
        _ if are_curved(a, b) => {
            let reach = a.shape.radius + b.shape.radius;
            Some(matches!(nearest(&a.hull(), &b.hull(), Until::Beyond(reach)), Nearest::Meet(_)))
        }
        _ => round_hulls_meet(a, b),
    }
}

/// Decides `x <= y` if their difference exceeds `slack` and all is far from overflow; else `None`.
fn certainly(x: f64, y: f64, slack: f64) -> Option<bool> {
    let difference = x - y;
    (difference.abs() > slack && slack < 1e150).then_some(difference < 0.0)
}

fn balls_meet(a: &Placed, b: &Placed) -> Option<bool> {
    let between = minus(*a.pose.translation(), *b.pose.translation());
    let (square, reach) = (dot(between, between), a.shape.radius + b.shape.radius);
    // Three differences, three squares and two sums, one sum and one square: 8 roundings of a relative 2^-53
    // each, below 1e-14 of the larger side. Underflow takes less than the last term.
    certainly(square, reach * reach, 1e-14 * (square + reach * reach) + 1e-300)
}

fn ball_meets_box(ball: &Placed, of_box: &Placed, half: Point) -> Option<bool> {
    let (local, size) = (of_box.local(*ball.pose.translation())?, length_1(half));
    let outside = [0, 1, 2].map(|k| (local[k].abs() - half[k]).max(0.0));
    let (distance, radius) = (dot(outside, outside).sqrt(), ball.shape.radius);
    // The local point is off by some 1e-14 of its length, what follows by a few roundings of all numbers.
    certainly(distance, radius, 1e-12 * (length_1(local) + size + radius))
}

/// Decides whether small convex shapes with radii meet, by the distance of their cores.
fn round_hulls_meet(a: &Placed, b: &Placed) -> Option<bool> {
    let reach = a.shape.radius + b.shape.radius;
    if reach == 0.0 || !(a.shape.is_small_hull() && b.shape.is_small_hull()) {
        return None;
    }
    let size = [a, b].map(|of| length_1(of.bounds[0]).max(length_1(of.bounds[1])));
    // The distance is off by some 1e-13 of the size.
    let slack = 1e-9 * (size[0] + size[1]);
    if !(slack < reach && slack < 1e150) {
        return None;
    }
    match nearest(&a.hull(), &b.hull(), Until::KnownAbove(reach - slack)) {
        Nearest::Meet(_) => Some(true),
        // `least` is a proved bound: the search may stop before it reaches the nearest points.
        Nearest::Apart { least, .. } => (least > reach + slack).then_some(false),
    }
}

/// By separating axes, of boxes that a pose may turn and stretch.
fn boxes_meet(a: &Placed, b: &Placed, [of_a, of_b]: [Point; 2]) -> Option<bool> {
    let sides = |of: &Placed, half: Point| {
        let rows = of.pose.rows();
        [0, 1, 2].map(|k| [rows[0][k] * half[k], rows[1][k] * half[k], rows[2][k] * half[k]])
    };
    let (sides_a, sides_b) = (sides(a, of_a), sides(b, of_b));
    let between = minus(*b.pose.translation(), *a.pose.translation());
    let size = sides_a.iter().chain(&sides_b).map(|&side| length_1(side)).sum::<f64>()
        + length_1(*a.pose.translation())
        + length_1(*b.pose.translation());
    let mut is_certain = true;
    // Each projection has some ten roundings of numbers up to |axis| size. An axis of unit length is itself
    // off by 1e-15 where its sides are not nearly parallel.
    let mut separates = |axis: Point| {
        let reach = |sides: &[Point; 3]| sides.iter().map(|&side| dot(side, axis).abs()).sum::<f64>();
        let gap = dot(between, axis).abs() - reach(&sides_a) - reach(&sides_b);
        is_certain &= gap.abs() > 1e-12 * size;
        gap > 1e-12 * size
    };
    for sides in [&sides_a, &sides_b] {
        for k in 0..3 {
            // Normals of faces. A flat box has none, and is left to others.
            let normal = unit(cross(sides[(k + 1) % 3], sides[(k + 2) % 3]))?;
            if separates(normal) {
                return Some(false);
            }
        }
    }
    for side_a in &sides_a {
        for side_b in &sides_b {
            let (Some(one), Some(two)) = (unit(*side_a), unit(*side_b)) else { return None };
            let axis = cross(one, two);
            // Turned by 1e-13, such sides are parallel, and need no axis: this moves no point by more than a
            // tenth of what other axes allow. Less parallel ones keep a length with a margin of its own.
            if dot(axis, axis) > 1e-26 && separates(axis) {
                return Some(false);
            }
        }
    }
    is_certain.then_some(true)
}

/// True if a full shape holds a point of another shape's core, for cores whose surfaces do not meet.
pub(super) fn holds(query: &mut Query, full: &Placed, other: &Placed) -> bool {
    if !full.shape.is_full || !full.shape.model.solid().status().is_closed() {
        return false;
    }
    let points: Vec<Point> = other.shape.samples().iter().map(|&point| other.place(point)).collect();
    query.locate(&full.body(), &points).iter().any(|&place| place != Location::Outside)
}

/// True if both shapes are full and one is a curved body, which is no mesh with a radius. Such pairs are
/// decided in floating point.
pub(super) fn are_curved(a: &Placed, b: &Placed) -> bool {
    a.shape.is_full && b.shape.is_full && (a.shape.curved.is_some() || b.shape.curved.is_some())
}

/// A distance as a margin; of what is no distance, 0.
pub(super) fn margin(distance: f64) -> Margin {
    Margin::new(distance).unwrap_or_default()
}

/// True if the surfaces of two shapes meet, or if one shape is inside of the other and the other is full.
pub(crate) fn meet(query: &mut Query, a: &Placed, b: &Placed) -> bool {
    if !bounds_meet(a, b) {
        return false;
    }
    if let Some(known) = meet_at_a_glance(a, b) {
        return known;
    }
    let reach = a.shape.radius + b.shape.radius;
    let (of_a, of_b) = (a.body(), b.body());
    let near = match reach {
        0.0 => query.intersects(&of_a, &of_b),
        reach => query.within(&of_a, &of_b, margin(reach)),
    };
    near || holds(query, a, b) || holds(query, b, a)
}

/// The work of a query that cannot be stopped: it may take long for large meshes.
pub(crate) fn work(a: &Placed, b: &Placed) -> Work {
    Work::of(a.len() + b.len())
}

/// Test whether two shapes meet.
#[pyfunction]
pub(crate) fn _meet(py: Python<'_>, a: &Bound<'_, PySolid>, b: &Bound<'_, PySolid>) -> PyResult<bool> {
    Ok(meet_of(py, &a.get().0, &b.get().0)?.is_some())
}

/// `Some` if two shapes meet, with differences about the origin if they were found on the way.
pub(super) fn meet_of(
    py: Python<'_>,
    a: &Arc<Placed>,
    b: &Arc<Placed>,
) -> PyResult<Option<Option<[Difference; 4]>>> {
    if !bounds_meet(a, b) {
        return Ok(None);
    }
    if are_curved(a, b) {
        let reach = a.shape.radius + b.shape.radius;
        return Ok(match nearest(&a.hull(), &b.hull(), Until::Beyond(reach)) {
            Nearest::Meet(known) => Some(known),
            Nearest::Apart { .. } => None,
        });
    }
    if let Some(known) = meet_at_a_glance(a, b) {
        return Ok(known.then_some(None));
    }
    let (a, b) = (Arc::clone(a), Arc::clone(b));
    Ok(ask(py, work(&a, &b), move |query| meet(query, &a, &b))?.then_some(None))
}
