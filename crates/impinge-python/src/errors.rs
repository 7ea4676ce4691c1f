//! Errors as Python has them.
use impinge::ErrorKind;
use pyo3::{
    exceptions::{PyFileNotFoundError, PyIndexError, PyMemoryError, PyOSError, PyValueError},
    import_exception,
    prelude::*,
};
use std::{any::Any, error::Error as _, fmt::Display, fs, io, panic, path::Path};

import_exception!(impinge._errors, Error);
import_exception!(impinge._errors, FaceIndexError);

/// An error of the library.
pub(crate) fn error(error: &impinge::Error) -> PyErr {
    let (vertex, triangle) = match *error.kind() {
        ErrorKind::VertexNotFinite { vertex, .. } => (Some(vertex), None),
        ErrorKind::IndexOutOfRange { triangle, index, .. } => (Some(index as usize), Some(triangle)),
        ErrorKind::MovedVertexOutOfRange { index, .. } => (Some(index as usize), None),
        _ => (None, None),
    };
    Error::new_err((error.to_string(), vertex, triangle))
}

/// An error of a check.
pub(crate) fn check(error: &impinge_check::Error) -> PyErr {
    Error::new_err((error.to_string(),))
}

/// An error about a robot.
pub(crate) fn robot(error: &impinge_robot::Error) -> PyErr {
    Error::new_err((error.to_string(),))
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

/// An error about a file that people name: an `OSError` if it cannot be opened.
pub(crate) fn of_file(path: &Path, error: &impl Display) -> PyErr {
    let cause = match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::File::open(path).err(),
        found => found.err(),
    };
    match cause.map(|cause| cause.kind()) {
        Some(io::ErrorKind::NotFound) => PyFileNotFoundError::new_err(error.to_string()),
        Some(_) => PyOSError::new_err(error.to_string()),
        None => Error::new_err((error.to_string(),)),
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

/// The name of an object's class, for errors.
pub(crate) fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// A pose that is refused; `place` names it.
pub(crate) fn pose(error: &impinge::Error, place: &str) -> PyErr {
    let remedy = "affine=True takes it as it is";
    let text = match error.kind() {
        ErrorKind::NotRigid { deviation, .. } => format!(
            "{place} is not a rigid motion: R^T R differs from the identity by {deviation:e}, and at most \
             1e-6 is taken as rounding; impinge.nearest_rigid makes R orthonormal, {remedy}"
        ),
        ErrorKind::Mirror => {
            format!(
                "{place} is not a rigid motion: it mirrors, as the determinant of R is negative; {remedy}"
            )
        }
        _ => format!("{place}: {error}"),
    };
    Error::new_err((text, None::<usize>, None::<usize>))
}

/// The error for a caught panic: a list of pairs that memory does not hold. Any other panic is a bug and goes
/// on, and Python shows it.
pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> PyErr {
    match out_of_memory(&*payload) {
        Some(text) => memory(text.clone()),
        None => panic::resume_unwind(payload),
    }
}

fn out_of_memory(payload: &(dyn Any + Send)) -> Option<&String> {
    payload.downcast_ref::<String>().filter(|text| text.starts_with("out of memory"))
}

/// Prints nothing for panics that become a `MemoryError`. This is about panics of this module alone.
pub(crate) fn silence_out_of_memory() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.payload().downcast_ref::<String>();
        if !text.is_some_and(|text| text.starts_with("out of memory")) {
            print(info);
        }
    }));
}

pub(crate) fn memory(text: String) -> PyErr {
    PyMemoryError::new_err(text)
}
