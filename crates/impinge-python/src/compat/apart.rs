//! Two placed shapes: how far they are apart.
use super::{
    convex::Deep,
    deep::{apart_by, deep, is_near},
    hull::{Nearest, Until, nearest},
    meet::{are_curved, holds, margin, meet, work},
    pairs::on_any_machine,
    shape::{Placed, PySolid},
    vector::{Point, along, dot, length_1, minus, unit},
};
use crate::{arrays, run::ask};
use impinge::{Query, distance::Accuracy};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// Distance of two shapes.
pub(crate) struct Apart {
    /// Negative if both are full and meet, by their depth; 0 of others that meet.
    pub(crate) distance: f64,
    /// A triangle of each, unless the caller finds it by the direction.
    pub(crate) triangles: Option<[u32; 2]>,
    pub(crate) normal: Point,
    pub(crate) points: [Point; 2],
}

/// The distance of two shapes, if it is not more than `above`; with `signed` also the depth.
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
        let pair = on_any_machine(query, |query| query.first_contact(&a.body(), &b.body()));
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
    let gap = query.with_accuracy(stop).distance(&a.body(), &b.body())?;
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
    match query.distance(&a.body(), &b.body()) {
        Some(gap) => {
            let [p, q] = gap.points;
            apart_by(unit(minus(q, p)).unwrap_or_default(), gap.hi, [p, q], [a, b]).point
        }
        None => *a.pose.translation(),
    }
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
