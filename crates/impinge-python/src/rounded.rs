//! Bodies with a radius, and what queries accept in place of a body.
use crate::{
    body::{PyBody, Subject},
    errors,
};
use impinge::{Rounded, model::OwnedBody};
use pyo3::prelude::*;

/// All points that are no farther than a radius from a body's triangles: a sphere, a capsule, a mesh with a
/// skin.
///
/// `Body.rounded(radius)` makes it. Two such bodies meet if and only if their triangles are no farther apart
/// than the sum of their radii, which is not rounded. Queries of triangles, distances and points take it in
/// place of a `Body`. Relations, volumes and curves are not defined for it.
///
/// Parameters
/// ----------
/// body : Body
///     The body without its radius.
/// radius : float
///     A length in the world, from 0 to 2**900. A pose that scales does not change it.
///
/// Raises
/// ------
/// Error
///     The radius is negative, NaN or too large.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> segment = impinge.Model.segment([-1, 0, 0], [1, 0, 0])
/// >>> capsule = impinge.Body(segment, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]).rounded(0.5)
/// >>> cube = impinge.Body(impinge.Model(impinge.Mesh.box([1, 1, 1])))
/// >>> impinge.intersects(capsule, cube)  # they touch
/// True
#[pyclass(frozen, eq, hash, name = "Rounded", module = "impinge")]
pub(crate) struct PyRounded {
    body: Py<PyBody>,
    radius: f64,
}

#[pymethods]
impl PyRounded {
    #[new]
    pub(crate) fn new(body: Py<PyBody>, radius: f64) -> PyResult<Self> {
        let radius = match body.get().owned().body().rounded(radius) {
            Ok(rounded) => rounded.radius(),
            Err(error) => return Err(errors::error(&error)),
        };
        Ok(Self { body, radius })
    }
    /// The body without its radius.
    #[getter]
    fn body(&self, py: Python<'_>) -> Py<PyBody> {
        self.body.clone_ref(py)
    }
    /// The radius.
    #[getter]
    fn radius(&self) -> f64 {
        self.radius
    }
    fn __repr__(&self) -> String {
        format!("{}.rounded({})", self.body.get().__repr__(), self.radius)
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Py<PyBody>, f64)) {
        (slf.get_type().into_any(), (slf.get().body(slf.py()), slf.get().radius))
    }
}

impl PartialEq for PyRounded {
    fn eq(&self, other: &Self) -> bool {
        self.body.get().is_same(other.body.get()) && self.radius == other.radius
    }
}

impl std::hash::Hash for PyRounded {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.body.get().__hash__().hash(state);
        self.radius.to_bits().hash(state);
    }
}

/// A body for queries, with a radius or with the radius 0. Other threads may use it.
#[derive(Clone)]
pub(crate) struct Operand {
    pub(crate) body: OwnedBody,
    radius: f64,
}

impl Operand {
    pub(crate) fn get(&self) -> Rounded<'_> {
        let rounded = self.body.body().rounded(self.radius);
        rounded.unwrap_or_else(|error| unreachable!("the radius was checked: {error}"))
    }
    /// True if it has a radius.
    pub(crate) fn is_rounded(&self) -> bool {
        self.radius > 0.0
    }
}

/// A body without a radius.
impl From<Subject<'_, '_>> for Operand {
    fn from(subject: Subject<'_, '_>) -> Self {
        Self { body: subject.get().owned(), radius: 0.0 }
    }
}

/// The body, without its radius, of a `Body` or a `Rounded`.
pub(crate) fn body_object(object: &Bound<'_, PyAny>) -> PyResult<Py<PyBody>> {
    if let Ok(rounded) = object.cast::<PyRounded>() {
        return Ok(rounded.get().body(object.py()));
    }
    Ok((*object.extract::<Subject<'_, '_>>()?).clone().unbind())
}

/// A `Body` or a `Rounded` as an argument.
impl<'py> FromPyObject<'_, 'py> for Operand {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rounded) = object.cast::<PyRounded>() {
            let PyRounded { body, radius } = rounded.get();
            return Ok(Self { body: body.get().owned(), radius: *radius });
        }
        Subject::extract(object).map(Self::from)
    }
}
