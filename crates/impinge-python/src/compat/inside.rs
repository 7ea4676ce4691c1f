//! The contact of a full shape and a surface inside of it.
use super::{
    meet::{holds, work},
    overlap::{Numbers, numbers},
    shape::PySolid,
    vector::{back, minus, unit},
};
use crate::run::ask;
use pyo3::prelude::*;
use std::sync::Arc;

/// Normal, depth, a point of both and a face of each, for a surface inside of a full shape that it does not
/// touch: at the surface's corner that is deepest inside.
#[pyfunction]
pub(crate) fn _held<'py>(
    py: Python<'py>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
) -> PyResult<(Numbers<'py>, (u32, u32))> {
    let (a, b) = (Arc::clone(&a.get().0), Arc::clone(&b.get().0));
    let found = ask(py, work(&a, &b), move |query| {
        let is_a = holds(query, &a, &b);
        let (full, other) = if is_a { (&a, &b) } else { (&b, &a) };
        let corners = other.corners();
        let found = query.closest_points(&full.body(), &corners);
        let each = corners.iter().zip(found).filter_map(|(corner, found)| Some((*corner, (*found)?)));
        let (corner, nearest) = each.max_by(|(_, one), (_, two)| one.hi.total_cmp(&two.hi))?;
        let outward = unit(minus(nearest.point, corner)).unwrap_or([1.0, 0.0, 0.0]);
        let faces = (nearest.triangle, other.face_along(back(outward)));
        Some((if is_a { (outward, faces) } else { (back(outward), (faces.1, faces.0)) }, nearest.hi, corner))
    })?;
    let Some(((normal, faces), depth, point)) = found else {
        return Ok((numbers(py, [0.0; 3], 0.0, [0.0; 3]), (0, 0)));
    };
    Ok((numbers(py, normal, depth, point), faces))
}
