//! Contacts as `impinge.compat.fcl` gives them.
use super::{
    overlap::{Numbers, PyOverlap},
    pairs::PyPairs,
};
use pyo3::{
    intern,
    prelude::*,
    types::{PyDict, PyList},
};
use std::sync::OnceLock;

/// A contact of two geometries, with the attributes of python-fcl's: computed when they are first read.
#[pyclass(frozen, name = "_Contact", module = "impinge._core")]
pub(crate) struct PyContact {
    #[pyo3(get)]
    o1: Py<PyAny>,
    #[pyo3(get)]
    o2: Py<PyAny>,
    /// The object that has `numbers(k)` and `triangles(k)`.
    found: Py<PyAny>,
    k: usize,
    read: OnceLock<(Py<PyAny>, f64, Py<PyAny>)>,
}

impl PyContact {
    fn numbers(&self, py: Python<'_>) -> PyResult<&(Py<PyAny>, f64, Py<PyAny>)> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let found = self.found.bind(py);
        // A call by name takes longer than all else.
        let (normal, depth, point): Numbers<'_> = if let Ok(overlap) = found.cast_exact::<PyOverlap>() {
            overlap.get().numbers(py, self.k)?
        } else if let Ok(pairs) = found.cast_exact::<PyPairs>() {
            pairs.get().numbers_of(py, self.k)?
        } else {
            found.call_method1(intern!(py, "numbers"), (self.k,))?.extract()?
        };
        Ok(self.read.get_or_init(|| (normal.into_any().unbind(), depth, point.into_any().unbind())))
    }
    fn triangles(&self, py: Python<'_>) -> PyResult<(u32, u32)> {
        self.found.bind(py).call_method1(intern!(py, "triangles"), (self.k,))?.extract()
    }
}

#[pymethods]
impl PyContact {
    /// A face of the first geometry.
    #[getter]
    fn b1(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.triangles(py)?.0)
    }
    /// A face of the second geometry.
    #[getter]
    fn b2(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.triangles(py)?.1)
    }
    /// The unit vector from the first to the second along which they part.
    #[getter]
    fn normal(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.numbers(py)?.0.clone_ref(py))
    }
    /// A point of both.
    #[getter]
    fn pos(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.numbers(py)?.2.clone_ref(py))
    }
    /// Distance that the bodies have to move to part.
    #[getter]
    fn penetration_depth(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.numbers(py)?.1)
    }
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, pyo3::types::PyTuple>, Bound<'py, PyDict>)> {
        let py = slf.py();
        let state = PyDict::new(py);
        for name in ["o1", "o2", "b1", "b2", "normal", "pos", "penetration_depth"] {
            state.set_item(name, slf.getattr(name)?)?;
        }
        let class = py.import("impinge.compat.fcl")?.getattr("Contact")?;
        Ok((class, pyo3::types::PyTuple::empty(py), state))
    }
}

/// Appends so many contacts to a list.
#[pyfunction]
pub(crate) fn _add_contacts(
    list: &Bound<'_, PyList>,
    o1: &Bound<'_, PyAny>,
    o2: &Bound<'_, PyAny>,
    found: &Bound<'_, PyAny>,
    count: usize,
) -> PyResult<()> {
    for k in 0..count {
        let (o1, o2, found) = (o1.clone().unbind(), o2.clone().unbind(), found.clone().unbind());
        list.append(PyContact { o1, o2, found, k, read: OnceLock::new() })?;
    }
    Ok(())
}
