//! The one contact of two shapes that meet: `_Overlap` of the extension.
use super::{
    depth::{Depth, depth},
    meet::{_meet, work},
    shape::{Placed, PySolid},
    vector::{Point, back},
};
use crate::run::ask;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// Normal, depth, and a point of both.
pub(crate) type Numbers<'py> = (Bound<'py, PyArray1<f64>>, f64, Bound<'py, PyArray1<f64>>);

pub(super) fn numbers(py: Python<'_>, normal: Point, depth: f64, point: Point) -> Numbers<'_> {
    (PyArray1::from_slice(py, &normal), depth, PyArray1::from_slice(py, &point))
}

/// The one contact of two shapes that meet, both full or one round: computed when it is read.
#[pyclass(frozen, name = "_Overlap", module = "impinge._core")]
pub(crate) struct PyOverlap {
    shapes: [Arc<Placed>; 2],
    found: OnceLock<Depth>,
}

/// The overlap of two shapes, both full or one round; None if they do not meet.
#[pyfunction]
pub(crate) fn _overlap(
    py: Python<'_>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
) -> PyResult<Option<PyOverlap>> {
    let shapes = || [a, b].map(|one| Arc::clone(&one.get().0));
    Ok(_meet(py, a, b)?.then(|| PyOverlap { shapes: shapes(), found: OnceLock::new() }))
}

impl PyOverlap {
    fn depth(&self, py: Python<'_>) -> PyResult<&Depth> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let [a, b] = self.shapes.each_ref().map(Arc::clone);
        let found = ask(py, work(&a, &b), move |query| depth(query, &a, &b))?;
        Ok(self.found.get_or_init(|| found))
    }
}

#[pymethods]
impl PyOverlap {
    /// Normal, depth, and a point of both; `k` is 0, as there is one contact.
    pub(super) fn numbers<'py>(&self, py: Python<'py>, k: usize) -> PyResult<Numbers<'py>> {
        let (_, found) = (k, self.depth(py)?);
        Ok(numbers(py, found.normal, found.length, found.point))
    }
    /// The faces that look towards each other the most.
    pub(super) fn triangles(&self, py: Python<'_>, k: usize) -> PyResult<(u32, u32)> {
        let (_, normal) = (k, self.depth(py)?.normal);
        let [a, b] = &self.shapes;
        Ok((a.face_along(normal), b.face_along(back(normal))))
    }
}
