//! [`Operand`]: a body with a radius or without, as an argument of queries.
use crate::body::{PyBody, PyRounded, Subject};
use impinge::{Rounded, model::OwnedBody};
use pyo3::prelude::*;

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
            let rounded = rounded.get();
            return Ok(Self { body: rounded.body(object.py()).get().owned(), radius: rounded.radius() });
        }
        Subject::extract(object).map(Self::from)
    }
}
