//! Two placed shapes: whether they meet, how deep, how far apart.
use super::{
    convex::Deep,
    deep::{apart_by, deep, is_near},
    hull::{Difference, Nearest, Until, nearest},
    shape::{Placed, PySolid, bounds_meet},
    vector::{Point, along, cross, dot, minus, unit},
};
use crate::{
    arrays,
    run::{Work, ask},
};
use impinge::{
    Query,
    distance::{Accuracy, Margin},
    solid::Location,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// Whether two shapes meet, where a few operations tell: `None` where roundings matter, and of other shapes.
fn meet_at_a_glance(a: &Placed, b: &Placed) -> Option<bool> {
    match (a.shape.is_ball, b.shape.is_ball, a.shape.half, b.shape.half) {
        (true, true, ..) => balls_meet(a, b),
        (true, _, _, Some(half)) => ball_meets_box(a, b, half),
        (_, true, Some(half), _) => ball_meets_box(b, a, half),
        (_, _, Some(of_a), Some(of_b)) => boxes_meet((a, of_a), (b, of_b)),
        _ if are_curved(a, b) => {
            let reach = a.shape.radius + b.shape.radius;
            Some(matches!(nearest(&a.hull(), &b.hull(), Until::Beyond(reach)), Nearest::Meet(_)))
        }
        _ => round_hulls_meet(a, b),
    }
}

/// Whether `x <= y`, if their difference exceeds `slack` and all is far from overflow.
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

/// Of small convex shapes with radii, by the distance of their cores.
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
        // By what is proved: the search may stop before it is at the nearest points.
        Nearest::Apart { least, .. } => (least > reach + slack).then_some(false),
    }
}

pub(super) fn length_1(a: Point) -> f64 {
    a[0].abs() + a[1].abs() + a[2].abs()
}

/// By separating axes, of boxes that a pose may turn and stretch.
fn boxes_meet((a, of_a): (&Placed, Point), (b, of_b): (&Placed, Point)) -> Option<bool> {
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

/// Whether a full shape holds a point of another shape's core, for cores whose surfaces do not meet.
pub(super) fn holds(query: &mut Query, full: &Placed, other: &Placed) -> bool {
    if !full.shape.is_full || !full.shape.model.solid().status().is_closed() {
        return false;
    }
    let points: Vec<Point> = other.shape.samples().iter().map(|&point| other.place(point)).collect();
    query.locate(&full.body(), &points).iter().any(|&place| place != Location::Outside)
}

/// Whether both are full, and one is a curved body that is no mesh with a radius: decided in floating point.
pub(super) fn are_curved(a: &Placed, b: &Placed) -> bool {
    a.shape.is_full && b.shape.is_full && (a.shape.curved.is_some() || b.shape.curved.is_some())
}

/// A distance as a margin; of what is no distance, 0.
fn margin(distance: f64) -> Margin {
    Margin::new(distance).unwrap_or_default()
}

/// Whether two shapes meet: their surfaces, or one is inside of the other, a full one.
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

/// How far two shapes are apart.
pub(crate) struct Apart {
    /// Negative if both are full and meet, by their depth; 0 of others that meet.
    pub(crate) distance: f64,
    /// A triangle of each, unless it is looked for by the direction.
    pub(crate) triangles: Option<[u32; 2]>,
    pub(crate) normal: Point,
    pub(crate) points: [Point; 2],
}

/// The distance of two shapes, if it is not more than `above`; `signed` asks for depths.
pub(crate) fn apart(query: &mut Query, a: &Placed, b: &Placed, above: f64, signed: bool) -> Option<Apart> {
    if a.shape.is_ball && b.shape.is_ball && !meet(query, a, b) {
        let between = minus(*b.pose.translation(), *a.pose.translation());
        let normal = unit(between).unwrap_or_default();
        let (of_a, of_b) = (a.shape.radius, b.shape.radius);
        let distance = (dot(between, between).sqrt() - (of_a + of_b)).max(0.0);
        let points =
            [along(*a.pose.translation(), normal, of_a), along(*b.pose.translation(), normal, -of_b)];
        let found = Apart { distance, triangles: Some([0; 2]), normal, points };
        return (distance <= above).then_some(found);
    }
    let both = a.shape.is_full && b.shape.is_full;
    let curved = are_curved(a, b);
    let mut is_known_to_meet = false;
    if both && (curved || a.shape.is_small_hull() && b.shape.is_small_hull()) {
        let (of_a, of_b) = (a.shape.radius, b.shape.radius);
        match nearest(&a.hull(), &b.hull(), Until::KnownAbove(of_a + of_b)) {
            // Where roundings matter, polyhedra are decided exactly; the mesh of a curved body is not that.
            Nearest::Apart { distance, least, ends: [p, q] }
                if curved
                    || is_near(distance, least, [p, q])
                        && distance - (of_a + of_b) > 1e-9 * (distance + length_1(p) + length_1(q)) =>
            {
                let normal = unit(minus(q, p)).unwrap_or_default();
                let points = [along(p, normal, of_a), along(q, normal, -of_b)];
                let distance = (distance - (of_a + of_b)).max(0.0);
                return (distance <= above).then_some(Apart { distance, triangles: None, normal, points });
            }
            Nearest::Meet(_) if curved => is_known_to_meet = true,
            _ => {}
        }
    }
    if is_known_to_meet || meet(query, a, b) {
        if both {
            let found = if signed { deep(query, a, b) } else { Deep::NONE };
            let points = found.ends;
            return Some(Apart { distance: -found.depth, triangles: None, normal: found.normal, points });
        }
        let pair = query.first_contact(&a.body(), &b.body());
        let point = pair.map_or_else(
            || first_point(query, a, b),
            |pair| impinge::contact::contact_point(&a.body(), &b.body(), pair).point,
        );
        let triangles = Some(pair.unwrap_or_default());
        return Some(Apart { distance: 0.0, triangles, normal: [0.0; 3], points: [point; 2] });
    }
    let reach = a.shape.radius + b.shape.radius;
    let stop = match above + reach {
        limit if limit.is_finite() => Accuracy::new().above(margin(limit.max(0.0).next_up())),
        _ => Accuracy::new(),
    };
    let gap = query.distance(&a.body(), &b.body(), stop)?;
    let ([p, q], normal) = (gap.points, unit(minus(gap.points[1], gap.points[0])).unwrap_or_default());
    let points = [along(p, normal, a.shape.radius), along(q, normal, -b.shape.radius)];
    // They are apart, though roundings may say less.
    let distance = (dot(minus(q, p), minus(q, p)).sqrt().clamp(gap.lo, gap.hi) - reach).max(0.0);
    Some(Apart { distance, triangles: Some(gap.triangles), normal, points })
}

/// A point of both, of shapes that meet though their cores' surfaces do not.
fn first_point(query: &mut Query, a: &Placed, b: &Placed) -> Point {
    if holds(query, a, b) {
        return b.place(b.shape.samples()[0]);
    }
    if holds(query, b, a) {
        return a.place(a.shape.samples()[0]);
    }
    match query.distance(&a.body(), &b.body(), Accuracy::new()) {
        Some(gap) => {
            let [p, q] = gap.points;
            apart_by(unit(minus(q, p)).unwrap_or_default(), gap.hi, [p, q], [a, b]).point
        }
        None => *a.pose.translation(),
    }
}

/// What cannot be stopped may take long for large meshes.
pub(crate) fn work(a: &Placed, b: &Placed) -> Work {
    Work::of(a.len() + b.len())
}

/// Whether two shapes meet.
#[pyfunction]
pub(crate) fn _meet(py: Python<'_>, a: &Bound<'_, PySolid>, b: &Bound<'_, PySolid>) -> PyResult<bool> {
    Ok(meet_of(py, &a.get().0, &b.get().0)?.is_some())
}

/// Whether two shapes meet, and differences about the origin if they were found on the way.
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

pub(crate) type PyApart<'py> =
    (f64, Option<(u32, u32)>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

impl Apart {
    /// The distance, a face of each unless it is to be looked for along the direction from the first to the
    /// second, that direction, and the nearest points.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<PyApart<'py>> {
        let faces = self.triangles.map(|[i, j]| (i, j));
        let normal = arrays::list(py, self.normal.to_vec());
        Ok((self.distance, faces, normal, arrays::table(py, self.points.to_vec())?))
    }
}

/// The distance of two shapes.
#[pyfunction]
pub(crate) fn _apart<'py>(
    py: Python<'py>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
    signed: bool,
) -> PyResult<Option<PyApart<'py>>> {
    let (a, b) = (Arc::clone(&a.get().0), Arc::clone(&b.get().0));
    let found = ask(py, work(&a, &b), move |query| apart(query, &a, &b, f64::INFINITY, signed))?;
    found.map(|found| found.to_python(py)).transpose()
}

/// The distance of two shapes alone: infinite if one is empty, and 0 if they meet.
#[pyfunction]
pub(crate) fn _distance(py: Python<'_>, a: &Bound<'_, PySolid>, b: &Bound<'_, PySolid>) -> PyResult<f64> {
    let (a, b) = (Arc::clone(&a.get().0), Arc::clone(&b.get().0));
    let found = ask(py, work(&a, &b), move |query| apart(query, &a, &b, f64::INFINITY, false))?;
    Ok(found.map_or(f64::INFINITY, |found| found.distance.max(0.0)))
}
