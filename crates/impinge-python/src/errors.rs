//! Errors as Python has them.
use pyo3::{
    PyErr,
    exceptions::{PyFileNotFoundError, PyIndexError, PyOSError, PyValueError},
    import_exception,
};
use std::{error::Error as _, fmt::Display, io};

import_exception!(impinge._errors, Error);
import_exception!(impinge._errors, FaceIndexError);

/// An error of the library.
pub(crate) fn error(error: &impinge::Error) -> PyErr {
    Error::new_err((error.to_string(), error.vertex(), error.triangle()))
}

/// A file that cannot be read or written, or is refused.
pub(crate) fn file(error: &impinge_io::Error) -> PyErr {
    let mut text = error.to_string();
    if !error.is_io() {
        return Error::new_err((text,));
    }
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    if let Some(cause) = cause {
        text += &format!(": {cause}");
    }
    match cause.map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => PyFileNotFoundError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}

/// A face that names a vertex which does not exist.
pub(crate) fn face_index(face: usize, vertex: impl Display, vertices: usize) -> PyErr {
    let text = match vertices {
        0 => format!("face {face} names vertex {vertex}, but there are no vertices"),
        n => format!("face {face} names vertex {vertex}, but vertices are 0 to {}", n - 1),
    };
    FaceIndexError::new_err((text, None::<usize>, face))
}

/// An index out of range, of other things.
pub(crate) fn index(text: String) -> PyErr {
    PyIndexError::new_err(text)
}

pub(crate) fn value(text: String) -> PyErr {
    PyValueError::new_err(text)
}

/// A pose that is refused; `place` names it.
pub(crate) fn pose(error: &impinge::Error, place: &str) -> PyErr {
    let remedy = "affine=True takes it as it is";
    let text = match error.deviation() {
        Some(deviation) => format!(
            "{place} is not a rigid motion: R^T R differs from the identity by {deviation:e}, and at most \
             1e-6 is taken as rounding; impinge.nearest_rigid makes R orthonormal, {remedy}"
        ),
        None if error.is_mirror() => {
            format!(
                "{place} is not a rigid motion: it mirrors, as the determinant of R is negative; {remedy}"
            )
        }
        None => format!("{place}: {error}"),
    };
    Error::new_err((text, None::<usize>, None::<usize>))
}

/// Goes on with a panic of another thread, which is a bug: Python shows it as any other.
pub(crate) fn resume(payload: Box<dyn std::any::Any + Send>) -> ! {
    std::panic::resume_unwind(payload)
}
