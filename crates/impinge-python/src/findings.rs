//! Findings of a report as columns, and what led to them.
use crate::{arrays, errors, report::PyReport};
use impinge_check::{
    Finding, FindingKind,
    report::{FindingSize, PairDecision},
};
use numpy::PyArray1;
use pyo3::{prelude::*, types::PyDict};

/// Test, kind, decision, index of the ignore rule that decided.
type ExplanationTuple = (u32, Option<&'static str>, &'static str, Option<u32>);

/// The names of [`numbers`].
const MEASURED: [&str; 5] = ["volume", "volume_at_least", "depth", "separating_distance", "distance"];

pub(crate) fn numbers(size: &FindingSize) -> [Option<f64>; 5] {
    let FindingSize { volume, depth, separating_distance, distance, .. } = *size;
    let [least, most] = volume.map_or([None; 2], |volume| volume.map(Some));
    [most, least, depth, separating_distance, distance]
}

/// The indices of findings, the gravest first.
#[pyfunction]
pub(crate) fn _ranked_findings<'py>(py: Python<'py>, report: &PyReport) -> Bound<'py, PyArray1<i64>> {
    let report = report.shared();
    let order = py.detach(move || {
        let all = report.findings();
        let mut order: Vec<i64> = (0..all.len() as i64).collect();
        order.sort_by_cached_key(|&i| report.rank_of(&all[i as usize]));
        order
    });
    arrays::list(py, order)
}

/// Columns of all findings: test, parts with -1 for a part that is not there, and kind as a place in the list
/// of names that comes second.
#[pyfunction]
pub(crate) fn _finding_keys<'py>(
    py: Python<'py>,
    report: &PyReport,
) -> PyResult<(Bound<'py, PyDict>, Vec<&'static str>)> {
    let report = report.shared();
    let mut kinds: Vec<FindingKind> = Vec::new();
    let mut code = |kind: FindingKind| {
        let place = kinds.iter().position(|&known| known == kind).unwrap_or(kinds.len());
        if place == kinds.len() {
            kinds.push(kind);
        }
        place as u8
    };
    let all = report.findings();
    let columns = PyDict::new(py);
    let tests: Vec<u32> = all.iter().map(|finding| finding.test).collect();
    columns.set_item("test", arrays::list(py, tests))?;
    let codes: Vec<u8> = all.iter().map(|finding| code(finding.kind)).collect();
    columns.set_item("kind", arrays::list(py, codes))?;
    let parts = |finding: &Finding| match *finding.parts() {
        [a, b] => [a, b].map(i64::from),
        ref one => [i64::from(one[0]), -1],
    };
    columns.set_item("parts", arrays::table(py, all.iter().map(parts).collect::<Vec<_>>())?)?;
    Ok((columns, kinds.into_iter().map(FindingKind::name).collect()))
}

/// Columns of what was measured of all findings; NaN is what was not.
#[pyfunction]
pub(crate) fn _finding_numbers<'py>(py: Python<'py>, report: &PyReport) -> PyResult<Bound<'py, PyDict>> {
    let report = report.shared();
    let all: Vec<[Option<f64>; 5]> =
        report.findings().iter().map(|finding| numbers(&report.size_of(finding))).collect();
    let columns = PyDict::new(py);
    for (k, name) in MEASURED.into_iter().enumerate() {
        let column: Vec<f64> = all.iter().map(|one| one[k].unwrap_or(f64::NAN)).collect();
        columns.set_item(name, arrays::list(py, column))?;
    }
    let point = |finding: &Finding| report.point_of(finding).unwrap_or([f64::NAN; 3]);
    let points: Vec<[f64; 3]> = report.findings().iter().map(point).collect();
    columns.set_item("point", arrays::table(py, points)?)?;
    Ok(columns)
}

/// The tests and the ignore rules, as the JSON of the report has them.
#[pyfunction]
pub(crate) fn _summaries(report: &PyReport) -> PyResult<(String, String)> {
    let report = report.shared();
    let failed = |error: serde_json::Error| errors::value(error.to_string());
    let tests = serde_json::to_string(report.tests()).map_err(failed)?;
    Ok((tests, serde_json::to_string(report.ignores()).map_err(failed)?))
}

/// Decision of each test on two parts.
#[pyfunction]
pub(crate) fn _explain(report: &PyReport, a: u32, b: u32) -> PyResult<Vec<ExplanationTuple>> {
    let report = report.shared();
    for part in [a, b] {
        if part as usize >= report.part_count() {
            return Err(errors::index(format!("there is no part {part}: there are {}", report.part_count())));
        }
    }
    let explain = |one: impinge_check::report::Explanation| {
        let (decision, rule) = decision(one.decision);
        (one.test, one.kind.map(FindingKind::name), decision, rule)
    };
    Ok(report.explain([a, b]).into_iter().map(explain).collect())
}

/// The name of a decision, and the ignore rule that made it.
fn decision(decision: PairDecision) -> (&'static str, Option<u32>) {
    match decision {
        PairDecision::NotAsked => ("not_asked", None),
        PairDecision::Removed(rule) => ("removed", Some(rule)),
        PairDecision::Apart => ("apart", None),
        PairDecision::NotReported => ("not_reported", None),
        PairDecision::WithinRounding => ("within_rounding", None),
        PairDecision::Shallow => ("shallow", None),
        PairDecision::Possible => ("possible", None),
        PairDecision::Ignored(rule) => ("ignored", Some(rule)),
        PairDecision::Finding => ("finding", None),
        // The careful choice for decisions that this module does not have.
        _ => ("not_examined", None),
    }
}
