//! Groups of the findings of a report.
use crate::{arrays, errors, findings::numbers, report::PyReport};
use impinge_check::{
    Groups, Rules,
    report::{Group, GroupBy},
};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// Groups of findings, whose objects Python makes at their first use.
#[pyclass(frozen, name = "_Groups", module = "impinge._core")]
pub(crate) struct PyGroups(Groups);

/// Test, kind, labels, indices of findings; placements, and [`numbers`].
type GroupTuple<'py> =
    (u32, &'static str, Option<(String, String)>, Bound<'py, PyArray1<i64>>, (usize, [Option<f64>; 5]));

#[pymethods]
impl PyGroups {
    /// Groups by shapes, by the labels of the parts, or by gaps of at most a length.
    #[new]
    fn new(
        py: Python<'_>,
        report: &PyReport,
        labels: Option<Vec<String>>,
        near: Option<f64>,
    ) -> PyResult<Self> {
        let report = report.shared();
        let by = match (labels, near) {
            (Some(labels), _) if labels.len() != report.part_count() => {
                return Err(errors::value(format!(
                    "by: a label for each of {} parts, not {}",
                    report.part_count(),
                    labels.len()
                )));
            }
            (Some(labels), _) => GroupBy::Labels(labels.into_iter().map(Arc::from).collect()),
            (None, Some(length)) if !(length > 0.0 && length.is_finite()) => {
                return Err(errors::value(format!("near must be finite and more than 0, not {length}")));
            }
            (None, Some(length)) => GroupBy::Near(length),
            (None, None) => GroupBy::Shapes,
        };
        Ok(Self(py.detach(move || Groups::by(&report, &by))))
    }
    /// Numbers of groups, of sets of connected parts, and of parts that explain findings.
    fn counts(&self) -> (usize, usize, usize) {
        (self.0.groups.len(), self.0.connected.len(), self.0.explained.len())
    }
    fn group<'py>(&self, py: Python<'py>, index: usize) -> PyResult<GroupTuple<'py>> {
        let group: &Group = self.0.groups.get(index).ok_or_else(|| missing(index))?;
        let labels = group.labels.as_ref().map(|[a, b]| (a.to_string(), b.to_string()));
        let findings = arrays::list(py, group.findings.iter().map(|&i| i64::from(i)).collect());
        Ok((group.test, group.kind.name(), labels, findings, (group.placements, numbers(&group.size))))
    }
    /// Indices of parts, and pairs of the shape (K, 2).
    fn connected<'py>(
        &self,
        py: Python<'py>,
        index: usize,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>)> {
        let one = self.0.connected.get(index).ok_or_else(|| missing(index))?;
        let parts = arrays::list(py, one.parts.iter().map(|&part| i64::from(part)).collect());
        Ok((parts, arrays::table(py, one.pairs.clone())?.into_any()))
    }
    /// The part, and the number of findings that no part before it has.
    fn explained(&self, index: usize) -> PyResult<(u32, u64)> {
        let one = self.0.explained.get(index).ok_or_else(|| missing(index))?;
        Ok((one.part, one.findings))
    }
}

fn missing(index: usize) -> PyErr {
    errors::index(format!("there is no group {index}"))
}

/// The text of each part for a field, as rules name it; `None` where a part has none.
#[pyfunction]
pub(crate) fn _labels(report: &PyReport, field: &str) -> PyResult<Vec<Option<String>>> {
    let report = report.shared();
    let Some(assembly) = report.assembly() else {
        let text = format!("by: {field:?}: the parts of a plan have no fields; give a function of a part");
        return Err(errors::value(text));
    };
    let own = Rules::new();
    let rules = report.rules().unwrap_or(&own);
    let label = |part| rules.fields(part).get(field).map(|value| value.text().into_owned());
    let labels: Vec<Option<String>> = assembly.parts.iter().map(label).collect();
    if labels.iter().all(Option::is_none) && !labels.is_empty() {
        return Err(errors::value(format!("by: no part has {field:?}")));
    }
    Ok(labels)
}
