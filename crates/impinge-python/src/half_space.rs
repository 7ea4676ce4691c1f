//! Half-spaces: `impinge.HalfSpace`.
use crate::errors;
use impinge::HalfSpace;
use pyo3::prelude::*;
use std::hash::{Hash, Hasher};

/// The points x with ``normal @ x <= offset``: a floor, a wall, a limit of the workspace.
///
/// `intersects`, `first_contact`, `pairs`, `within`, `first_within`, `pairs_within` and `distance` take it as
/// their second argument; `intersects_at`, `first_contact_at`, `within_at` and `distance_at` as their first
/// one; `Scene.add_half_space` as a body. It has one face, with the number 0. Results are exact.
///
/// Parameters
/// ----------
/// normal : array_like, shape (3,)
///     The direction out of the half-space, of any length but 0.
/// offset : float
///     The value of ``normal @ x`` on its plane.
///
/// Raises
/// ------
/// Error
///     A number is not finite, or the normal is 0.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> floor = impinge.HalfSpace([0, 0, 1], 0)
/// >>> ball = impinge.Shape.sphere(1).at([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 3]])
/// >>> impinge.intersects(ball, floor), impinge.within(ball, floor, 2)
/// (False, True)
#[pyclass(frozen, eq, hash, name = "HalfSpace", module = "impinge")]
#[derive(PartialEq)]
pub(crate) struct PyHalfSpace {
    pub(crate) half_space: HalfSpace,
}

#[pymethods]
impl PyHalfSpace {
    #[new]
    #[pyo3(signature = (normal, offset=0.0))]
    fn new(normal: [f64; 3], offset: f64) -> PyResult<Self> {
        let half_space = HalfSpace::new(normal, offset).map_err(|error| errors::error(&error))?;
        Ok(Self { half_space })
    }
    /// The normal.
    #[getter]
    fn normal(&self) -> (f64, f64, f64) {
        self.half_space.normal().into()
    }
    /// The value of ``normal @ x`` on its plane.
    #[getter]
    fn offset(&self) -> f64 {
        self.half_space.offset()
    }
    fn __repr__(&self) -> String {
        let [x, y, z] = self.half_space.normal();
        format!("HalfSpace([{x}, {y}, {z}], {})", self.half_space.offset())
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, ([f64; 3], f64)) {
        let half_space = slf.get().half_space;
        (slf.get_type().into_any(), (half_space.normal(), half_space.offset()))
    }
}

impl Hash for PyHalfSpace {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [x, y, z] = self.half_space.normal();
        // Equal numbers have equal bits: -0.0 becomes 0.0.
        [x, y, z, self.half_space.offset()].map(|number| (number + 0.0).to_bits()).hash(state);
    }
}
