//! Arguments of queries: [`Operand`], a body with a radius or without, and [`Other`], which may be a
//! half-space, too.
use crate::{
    body::{PyBody, PyRounded, Subject},
    half_space::PyHalfSpace,
};
use impinge::{HalfSpace, Obstacle, Rounded, model::OwnedBody};
use pyo3::{exceptions::PyTypeError, prelude::*};

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

/// A body, with a radius or without, or a half-space.
#[derive(Clone)]
pub(crate) enum Other {
    Body(Operand),
    HalfSpace(HalfSpace),
}

impl Other {
    /// Runs a query with it.
    pub(crate) fn with<T>(&self, question: impl FnOnce(&dyn Obstacle) -> T) -> T {
        match self {
            Self::Body(operand) => question(&operand.get()),
            Self::HalfSpace(half_space) => question(half_space),
        }
    }
}

/// The number of triangles of an operand.
pub(crate) trait TriangleCount {
    fn triangles(&self) -> usize;
}

impl TriangleCount for Operand {
    fn triangles(&self) -> usize {
        self.body.model.mesh().len()
    }
}

impl TriangleCount for Other {
    fn triangles(&self) -> usize {
        match self {
            Self::Body(operand) => operand.triangles(),
            Self::HalfSpace(_) => 0,
        }
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
            let rounded = rounded.get();
            return Ok(Self { body: rounded.body(object.py()).get().owned(), radius: rounded.radius() });
        }
        if object.is_instance_of::<PyHalfSpace>() {
            let text = "a HalfSpace is the second argument of intersects, within, distance and others, and the \
                        first of intersects_at, within_at and distance_at";
            return Err(PyTypeError::new_err(text));
        }
        Subject::extract(object).map(Self::from)
    }
}

/// A `Body`, a `Rounded` or a `HalfSpace` as an argument.
impl<'py> FromPyObject<'_, 'py> for Other {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(half_space) = object.cast::<PyHalfSpace>() {
            return Ok(Self::HalfSpace(half_space.get().half_space));
        }
        Operand::extract(object).map(Self::Body)
    }
}
