//! Rules: sets of parts, and tests.
use crate::{arrays, assembly::PyAssembly, call::Call, errors, poses};
use impinge_check::{Rules, Unit, rules::SetRef};
use numpy::PyArray3;
use pyo3::prelude::*;
use std::{path::PathBuf, sync::Arc};

/// Rules, read from text.
#[pyclass(frozen, name = "_Rules", module = "impinge._core")]
pub(crate) struct PyRules(Arc<Rules>);

/// The parts of each named set, and the lines of the warnings.
type SetsAndWarnings = (Vec<(String, Vec<usize>)>, Vec<String>);

impl PyRules {
    pub(crate) fn shared(&self) -> Arc<Rules> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl PyRules {
    #[new]
    fn new(text: &str, file: &str) -> PyResult<Self> {
        Ok(Self(Arc::new(Rules::parse(file, text).map_err(|error| errors::check(&error))?)))
    }
    /// The rules of lists of globs, as the command's `--only` and `--ignore` have them.
    #[staticmethod]
    fn quick(only: Option<&str>, ignore: Vec<String>) -> PyResult<Self> {
        let ignore: Vec<&str> = ignore.iter().map(String::as_str).collect();
        let rules = Rules::quick(only, &ignore, None).map_err(|error| {
            // Options of Python are named without dashes.
            errors::Error::new_err((error.to_string().trim_start_matches('-').to_owned(),))
        })?;
        Ok(Self(Arc::new(rules)))
    }
    /// These rules, and others after them.
    fn and_(&self, other: &Self) -> Self {
        Self(Arc::new(Rules::clone(&self.0).and(Rules::clone(&other.0))))
    }
    /// The names of lists of poses that tests need and that are not there yet.
    fn missing_poses(&self) -> Vec<String> {
        self.0.missing_poses().into_iter().map(str::to_owned).collect()
    }
    /// These rules with a list of poses.
    fn with_poses(&self, name: &str, poses: &Bound<'_, PyAny>) -> PyResult<Self> {
        let poses = poses::poses(poses, false, Some(1))?;
        Ok(Self(Arc::new(Rules::clone(&self.0).with_poses(name, poses))))
    }
    /// The names of the tests.
    fn tests(&self) -> Vec<String> {
        self.0.tests().iter().map(|test| test.name.clone()).collect()
    }
    /// The parts of each named set, in the order of the file, and the warnings.
    fn sets(&self, py: Python<'_>, assembly: &PyAssembly, unit: Option<&str>) -> PyResult<SetsAndWarnings> {
        let stated = |name: &str| {
            name.parse::<Unit>().map_err(|error| errors::value(format!("unit: {name:?} is {error}")))
        };
        let unit = unit.map(stated).transpose()?;
        let (rules, assembly) = (Arc::clone(&self.0), assembly.shared());
        Call::new().run(py, None, None, move |_| {
            let coordinates = rules.file_units(&assembly, unit)?.known();
            let members = rules.members(&assembly.parts, coordinates)?;
            let sets = rules.sets().iter().enumerate().filter_map(|(i, set)| {
                Some((set.name()?.to_owned(), members.parts(SetRef::Set(i)).collect()))
            });
            let warnings =
                rules.warnings(&members).iter().map(impinge_check::values::Warning::line).collect();
            Ok((sets.collect(), warnings))
        })
    }
}

/// The text of a file of rules.
#[pyfunction]
pub(crate) fn _rules_text(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| impinge_cli::rules_text(&path)).map_err(|error| errors::of_file(&path, &error))
}

/// A list of poses that a file of rules names, as an array of the shape (P, 3, 4).
#[pyfunction]
pub(crate) fn _pose_list<'py>(
    py: Python<'py>,
    rules: PathBuf,
    name: &str,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let poses = py.detach(|| impinge_cli::pose_list(&rules, name));
    let poses = poses.map_err(|error| errors::Error::new_err((error,)))?;
    let rows = |pose: &impinge::Pose| {
        let (rows, last) = (pose.rows(), pose.translation());
        [0, 1, 2].map(|k| [rows[k][0], rows[k][1], rows[k][2], last[k]])
    };
    arrays::cube(py, poses.iter().map(rows).collect())
}
