//! Two placed shapes: whether they meet.
use super::shape::{Placed, PySolid, bounds_meet};
use crate::run::{Work, ask};
use impinge::{Query, solid::Location};
use pyo3::prelude::*;
use std::sync::Arc;

/// True if a full shape contains a point of another shape's core, for cores whose surfaces do not meet.
pub(super) fn holds(query: &mut Query, full: &Placed, other: &Placed) -> bool {
    if !full.shape.is_full || !full.shape.model.solid().status().is_closed() {
        return false;
    }
    let points = other.samples();
    query.locate(&full.body(), &points).iter().any(|&place| place != Location::Outside)
}

/// True if the surfaces of two shapes meet, or if one shape is inside of the other and the other is full.
pub(crate) fn meet(query: &mut Query, a: &Placed, b: &Placed) -> bool {
    bounds_meet(a, b)
        && (query.intersects(&a.rounded(), &b.rounded()) || holds(query, a, b) || holds(query, b, a))
}

/// The work of a query that cannot be stopped: it may take long for large meshes.
pub(crate) fn work(a: &Placed, b: &Placed) -> Work {
    Work::of(a.len() + b.len())
}

/// Test whether two shapes meet.
#[pyfunction]
pub(crate) fn _meet(py: Python<'_>, a: &Bound<'_, PySolid>, b: &Bound<'_, PySolid>) -> PyResult<bool> {
    let (a, b) = (&a.get().0, &b.get().0);
    // Most pairs are far apart.
    if !bounds_meet(a, b) {
        return Ok(false);
    }
    let (a, b) = (Arc::clone(a), Arc::clone(b));
    ask(py, work(&a, &b), move |query| meet(query, &a, &b))
}
