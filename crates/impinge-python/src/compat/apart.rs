//! Two placed shapes: how far they are apart.
use super::{
    depth::{Depth, deepest_points, depth},
    meet::{holds, work},
    pairs::on_any_machine,
    shape::{Placed, PySolid, bounds_meet},
    vector::{Point, length, minus, unit},
};
use crate::{arrays, run::ask};
use impinge::{
    Query,
    distance::{Accuracy, Margin},
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// Distance of two shapes.
pub(crate) struct Apart {
    /// Negative if both are full and meet, by their depth; 0 of others that meet.
    pub(crate) distance: f64,
    /// A triangle of each; of full shapes that meet the caller finds them by the direction.
    pub(crate) triangles: Option<[u32; 2]>,
    pub(crate) normal: Point,
    pub(crate) points: [Point; 2],
}

/// The distance of two shapes, if it is not more than `above`; with `signed` also the depth.
pub(crate) fn apart(query: &mut Query, a: &Placed, b: &Placed, above: f64, signed: bool) -> Option<Apart> {
    let stop = match above {
        limit if limit.is_finite() => Accuracy::new().above(Margin::new(limit.max(0.0)).unwrap_or_default()),
        _ => Accuracy::new(),
    };
    let gap = query.with_accuracy(stop).distance(&a.rounded(), &b.rounded());
    if gap.is_none_or(|gap| gap.hi > 0.0)
        && !(bounds_meet(a, b) && (holds(query, a, b) || holds(query, b, a)))
    {
        let gap = gap?;
        let between = minus(gap.points[1], gap.points[0]);
        // They are apart, though roundings may say less.
        let distance = length(between).clamp(gap.lo, gap.hi);
        let (triangles, normal) = (Some(gap.triangles), unit(between).unwrap_or_default());
        return Some(Apart { distance, triangles, normal, points: gap.points });
    }
    if a.shape.is_full && b.shape.is_full {
        let found = if signed { depth(query, a, b) } else { Depth::NONE };
        let points = if signed { deepest_points(query, a, b, &found) } else { [found.point; 2] };
        return Some(Apart { distance: -found.length, triangles: None, normal: found.normal, points });
    }
    let pair = on_any_machine(query, |query| query.first_contact(&a.body(), &b.body()));
    let point = pair.map_or_else(
        || first_point(query, a, b),
        |pair| impinge::contact::contact_point(&a.body(), &b.body(), pair).point,
    );
    let triangles = Some(pair.unwrap_or_default());
    Some(Apart { distance: 0.0, triangles, normal: [0.0; 3], points: [point; 2] })
}

/// A point of both, of shapes that meet though their cores' surfaces do not.
fn first_point(query: &mut Query, a: &Placed, b: &Placed) -> Point {
    if holds(query, a, b) {
        return b.samples()[0];
    }
    if holds(query, b, a) {
        return a.samples()[0];
    }
    depth(query, a, b).point
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
