//! Rules: sets of parts, and tests.
use crate::{
    assembly::PyAssembly,
    check::{self, Call},
    errors,
};
use impinge_check::{Rules, Unit, rules::SetRef};
use pyo3::prelude::*;
use std::sync::Arc;

/// Rules, read from text.
#[pyclass(frozen, name = "_Rules", module = "impinge._core")]
pub(crate) struct PyRules(Arc<Rules>);

/// The parts of each named set, and the lines of the warnings.
type SetsAndWarnings = (Vec<(String, Vec<usize>)>, Vec<String>);

#[pymethods]
impl PyRules {
    #[new]
    fn new(text: &str, file: &str) -> PyResult<Self> {
        Ok(Self(Arc::new(Rules::parse(file, text).map_err(|error| check::error(&error))?)))
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
            let warnings = rules.warnings(&members).iter().map(impinge_check::Warning::line).collect();
            Ok((sets.collect(), warnings))
        })
    }
}
