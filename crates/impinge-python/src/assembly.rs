//! Files, and `impinge check`.
use crate::{arrays, errors, mesh::PyMesh, run};
use impinge_io::{Limits, Options};
use numpy::PyArray2;
use pyo3::{
    exceptions::{PyFileNotFoundError, PyOSError},
    prelude::*,
};
use std::{
    collections::{HashMap, hash_map::Entry},
    ffi::OsString,
    path::PathBuf,
    sync::Arc,
};

/// A part: name, file, mesh, pose, and whether a transform that is not rigid was applied to its vertices.
type Part<'py> = (String, PathBuf, Py<PyMesh>, Bound<'py, PyArray2<f64>>, bool);
/// A warning: file, place, text.
type Warning = (PathBuf, Option<String>, String);

/// Reads files: parts and warnings of all.
#[pyfunction]
#[pyo3(signature = (paths, max_parts, max_points, max_triangles, max_bytes, outside_folder))]
pub(crate) fn _read<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    max_parts: Option<usize>,
    max_points: Option<usize>,
    max_triangles: Option<usize>,
    max_bytes: Option<u64>,
    outside_folder: bool,
) -> PyResult<(Vec<Part<'py>>, Vec<Warning>)> {
    let usual = Limits::new();
    let limits = usual
        .with_parts(max_parts.unwrap_or(usual.parts))
        .with_points(max_points.unwrap_or(usual.points))
        .with_triangles(max_triangles.unwrap_or(usual.triangles))
        .with_bytes(max_bytes.unwrap_or(usual.bytes));
    let options = Options::new().with_limits(limits).with_outside_folder(outside_folder);
    let assembly = run::work(py, move |_| {
        let mut all = impinge_io::Assembly::default();
        paths.iter().try_for_each(|path| {
            all.append(impinge_io::read_with(path, &options).map_err(|error| (path.clone(), error))?);
            Ok(())
        })?;
        Ok(all)
    })?;
    let assembly = assembly.map_err(|(path, error): (PathBuf, impinge_io::Error)| match error.is_io() {
        true if !path.exists() => PyFileNotFoundError::new_err(error.to_string()),
        true => PyOSError::new_err(error.to_string()),
        false => errors::Error::new_err((error.to_string(),)),
    })?;
    let mut parts: Vec<Part<'py>> = Vec::with_capacity(assembly.parts.len());
    // Parts that share a mesh share its object.
    let mut meshes: HashMap<*const impinge::Mesh, Py<PyMesh>> = HashMap::new();
    for part in assembly.parts {
        let mesh = match meshes.entry(Arc::as_ptr(&part.mesh)) {
            Entry::Occupied(known) => known.get().clone_ref(py),
            Entry::Vacant(new) => new.insert(Py::new(py, PyMesh(Arc::clone(&part.mesh)))?).clone_ref(py),
        };
        let pose = arrays::matrix(py, &part.pose)?;
        parts.push((part.name.to_string(), part.file.to_path_buf(), mesh, pose, part.baked));
    }
    let warning = |w: &impinge_io::Warning| (w.file().to_path_buf(), w.place(), w.text().to_owned());
    Ok((parts, assembly.warnings.iter().map(warning).collect()))
}

/// The result of `impinge check`.
#[pyclass(frozen, name = "_Checked", module = "impinge._core")]
pub(crate) struct PyChecked(impinge_cli::Checked);

#[pymethods]
impl PyChecked {
    #[getter]
    fn findings(&self) -> u64 {
        self.0.findings()
    }
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.0.json()).map_err(errors::value)
    }
    fn csv(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.0.csv()).map_err(errors::value)
    }
    #[pyo3(signature = (rows=None))]
    fn table(&self, py: Python<'_>, rows: Option<usize>) -> PyResult<String> {
        py.detach(|| self.0.table_of(rows.unwrap_or(usize::MAX))).map_err(errors::value)
    }
}

/// Runs `impinge plan` with these arguments; returns how many tasks there are.
#[pyfunction]
pub(crate) fn _plan(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u32> {
    run::on_helper(py, move |_| impinge_cli::plan(arguments))?.map_err(|text| errors::Error::new_err((text,)))
}

/// Does a task of a plan.
#[pyfunction]
pub(crate) fn _work(py: Python<'_>, plan: PathBuf, task: u32, threads: u16) -> PyResult<String> {
    let done = run::on_helper(py, move |_| impinge_cli::work(&plan, task, threads))?;
    done.map_err(|text| errors::Error::new_err((text,)))
}

/// Puts the results of a plan together.
#[pyfunction]
pub(crate) fn _merge(py: Python<'_>, plan: PathBuf) -> PyResult<PyChecked> {
    let merged = run::on_helper(py, move |_| impinge_cli::merge(&plan))?;
    merged.map(PyChecked).map_err(|text| errors::Error::new_err((text,)))
}

/// Runs `impinge check` with these arguments. The command has a pool of its own, and the thread that runs it
/// becomes a part of the pool: so that thread is never one of Python's.
#[pyfunction]
pub(crate) fn _check(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<PyChecked> {
    let checked = run::on_helper(py, move |_| impinge_cli::check(arguments))?;
    checked.map(PyChecked).map_err(|text| errors::Error::new_err((text,)))
}
