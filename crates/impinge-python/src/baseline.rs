//! Baselines: the findings of earlier deliveries, with what people decided about them.
use crate::{errors, report::PyReport};
use impinge_check::{
    Date, Report,
    baseline::{Baseline, Decision, DecisionKind, FindingId, KnownFinding, Note, Worse},
};
use pyo3::prelude::*;
use std::sync::Arc;

/// Year, month and day.
pub(crate) type DateTuple = (u16, u8, u8);
/// Status, reason, author, date, last day.
type DecisionTuple = (&'static str, String, String, DateTuple, Option<DateTuple>);
/// Id, status, test, names of the parts, relation; volume, depth, distance; the day since which it has its
/// status; the decision.
type KnownTuple = (
    String,
    &'static str,
    String,
    Vec<String>,
    String,
    (Option<f64>, Option<f64>, Option<f64>),
    DateTuple,
    Option<DecisionTuple>,
);

/// A baseline.
#[pyclass(frozen, name = "_Baseline", module = "impinge._core")]
pub(crate) struct PyBaseline(Arc<Baseline>);

pub(crate) fn date((year, month, day): DateTuple) -> PyResult<Date> {
    Date::new(year, month, day).ok_or_else(|| errors::value("the calendar has no such day".to_owned()))
}

fn of_date(date: Date) -> DateTuple {
    (date.year(), date.month(), date.day())
}

#[pymethods]
impl PyBaseline {
    #[new]
    fn new() -> Self {
        Self(Arc::new(Baseline::new()))
    }
    /// Reads the contents of a file; errors begin with its name.
    #[staticmethod]
    fn parse(py: Python<'_>, name: &str, text: &str) -> PyResult<Self> {
        let parsed = py.detach(|| Baseline::parse(name, text));
        Ok(Self(Arc::new(parsed.map_err(|error| errors::check(&error))?)))
    }
    /// The contents of its file.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.to_text())
    }
    /// A baseline in which somebody has decided about findings.
    fn decide(
        &self,
        ids: Vec<String>,
        is_approved: bool,
        note: (String, String),
        day: DateTuple,
        until: Option<DateTuple>,
    ) -> PyResult<Self> {
        let find = |digits: &String| self.0.find(digits).map_err(|error| errors::check(&error));
        let ids = ids.iter().map(find).collect::<PyResult<Vec<FindingId>>>()?;
        let until = until.map(date).transpose()?;
        let note = Note { reason: note.0.into(), by: note.1.into(), date: date(day)?, until };
        let kind = if is_approved { DecisionKind::Approved } else { DecisionKind::Reviewed };
        let next = self.0.decide(&ids, kind, &note).map_err(|error| errors::check(&error))?;
        Ok(Self(Arc::new(next)))
    }
    /// A baseline without resolved findings.
    fn prune(&self) -> Self {
        Self(Arc::new(self.0.prune()))
    }
    fn findings(&self) -> Vec<KnownTuple> {
        self.0.findings().iter().map(|finding| known(&self.0, finding)).collect()
    }
}

fn known(baseline: &Baseline, finding: &KnownFinding) -> KnownTuple {
    let decision = |decision: &Decision| {
        let Decision { kind, reason, by, date, until, .. } = decision;
        let texts = (reason.to_string(), by.to_string());
        (kind.status().name(), texts.0, texts.1, of_date(*date), until.map(of_date))
    };
    let measures = &finding.measures;
    let upper = |bounds: Option<[f64; 2]>| bounds.map(|[_, hi]| hi);
    (
        finding.id.to_string(),
        finding.status().name(),
        finding.test.to_string(),
        baseline.names(finding).into_iter().map(str::to_owned).collect(),
        measures.relation.to_string(),
        (upper(measures.volume), upper(measures.depth), upper(measures.distance)),
        of_date(finding.since),
        finding.decision.as_ref().map(decision),
    )
}

/// How a report is compared with a baseline.
pub(crate) struct Against {
    baseline: Arc<Baseline>,
    today: Date,
    worse: Worse,
}

impl Against {
    pub(crate) fn new(baseline: &PyBaseline, today: Date, relative: f64) -> Self {
        Self { baseline: Arc::clone(&baseline.0), today, worse: Worse { relative, ..Worse::default() } }
    }
    pub(crate) fn compare(&self, report: Report) -> Report {
        report.with_baseline(&self.baseline, self.today, self.worse)
    }
}

/// The id of a finding, its status, and why it was reopened.
#[pyfunction]
pub(crate) fn _status(
    report: &PyReport,
    index: usize,
) -> Option<(String, &'static str, Option<&'static str>)> {
    let seen = report.shared().status(index)?;
    Some((seen.id.to_string(), seen.status.name(), seen.why.map(impinge_check::baseline::Why::name)))
}

/// The baseline after a report that was compared with it.
#[pyfunction]
pub(crate) fn _updated(
    py: Python<'_>,
    report: &PyReport,
    baseline: &PyBaseline,
    day: DateTuple,
) -> PyResult<Option<PyBaseline>> {
    let (report, baseline, day) = (report.shared(), Arc::clone(&baseline.0), date(day)?);
    Ok(py.detach(move || report.updated(&baseline, day)).map(|next| PyBaseline(Arc::new(next))))
}
