//! The command line.
use crate::run;
use pyo3::prelude::*;
use std::ffi::OsString;

/// The command `impinge`, with these arguments, the first being its name; returns the exit status.
///
/// Parameters
/// ----------
/// arguments : list of str
///     As in `sys.argv`.
///
/// Returns
/// -------
/// int
///     0 if nothing was found that counts, 1 if something was, 2 if the work could not be done.
#[pyfunction]
pub(crate) fn _command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    run::on_helper(py, move |_| impinge_cli::main(arguments))
}
