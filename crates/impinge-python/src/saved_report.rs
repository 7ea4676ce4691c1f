//! Reports as bytes, for pickles.
use crate::{
    arrays,
    assembly::PyAssembly,
    baseline::{self, Against, DateTuple, PyBaseline},
    call::Call,
    check, errors,
    report::PyReport,
    rules::PyRules,
};
use impinge_check::{Pairs, Report, report::Origin};
use pyo3::{prelude::*, types::PyBytes};
use std::collections::HashSet;

/// The decisions and measurements of a report, as bytes.
#[pyfunction]
pub(crate) fn _report_bytes<'py>(py: Python<'py>, report: &PyReport) -> PyResult<Bound<'py, PyBytes>> {
    let report = report.shared();
    let bytes = py.detach(move || report.to_bytes()).map_err(|error| errors::check(&error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The report of these bytes. The other arguments are those of its check; `refused` are the pairs that a function
/// did not choose.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub(crate) fn _report_of(
    py: Python<'_>,
    state: Vec<u8>,
    assembly: Option<&PyAssembly>,
    listed: Option<&Bound<'_, PyAny>>,
    groups: Option<[Vec<usize>; 2]>,
    refused: Option<&Bound<'_, PyAny>>,
    rules: Option<(PyRef<'_, PyRules>, DateTuple)>,
    baseline: Option<(PyRef<'_, PyBaseline>, f64, DateTuple)>,
) -> PyResult<PyReport> {
    let assembly = assembly.map(PyAssembly::shared);
    let count = assembly.as_ref().map_or(0, |assembly| assembly.parts.len());
    let pairs = match (listed, groups, refused) {
        (Some(listed), _, _) => Some(Pairs::listed(arrays::part_pairs(listed, count)?)),
        (_, Some(groups), _) => Some(check::between(groups, count)?),
        (_, _, Some(refused)) => {
            let refused: HashSet<[u32; 2]> = arrays::part_pairs(refused, count)?.into_iter().collect();
            Some(Pairs::filter(move |a, b| !refused.contains(&[a, b])))
        }
        _ => None,
    };
    let rules = rules.map(|(rules, today)| Ok::<_, PyErr>((rules.shared(), baseline::date(today)?)));
    let origin = Origin { assembly, pairs, rules: rules.transpose()? };
    let against = baseline.map(|(baseline, worse, today)| {
        Ok::<_, PyErr>(Against::new(&baseline, baseline::date(today)?, worse))
    });
    let against: Option<Against> = against.transpose()?;
    let report = Call::new().run(py, None, None, move |_| {
        let report = Report::from_bytes(&state, origin)?;
        match against {
            Some(against) => against.compare(report),
            None => Ok(report),
        }
    })?;
    Ok(PyReport::new(report))
}
