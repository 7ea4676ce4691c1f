//! Baselines: the findings of earlier deliveries, with what people decided about them.
use crate::{errors, report::PyReport};
use impinge_check::{
    Date, Report,
    baseline::{Baseline, BaselineFile, Decision, DecisionKind, FindingId, KnownFinding, Note, Worse},
};
use pyo3::prelude::*;
use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Year, month and day.
pub(crate) type DateTuple = (u16, u8, u8);
/// Status, reason, author, date, last day.
type DecisionTuple = (&'static str, String, String, DateTuple, Option<DateTuple>);
/// Id, status, test, names of the parts, relation; volume, depth, distance; the day since which it has its
/// status; the decision; the name of its group, if the baseline has groups.
type KnownTuple = (
    String,
    &'static str,
    String,
    Vec<String>,
    String,
    (Option<f64>, Option<f64>, Option<f64>),
    DateTuple,
    Option<DecisionTuple>,
    Option<String>,
);

/// A baseline.
#[pyclass(frozen, name = "_Baseline", module = "impinge._core")]
pub(crate) struct PyBaseline {
    own: Arc<Baseline>,
    /// Contents of its file when it was read, or written; `None` if it comes from no file.
    read: Option<Arc<Baseline>>,
    /// Whether a file has had it since.
    is_written: AtomicBool,
}

impl PyBaseline {
    fn new_of(own: Arc<Baseline>, read: Option<Arc<Baseline>>) -> Self {
        Self { own, read, is_written: AtomicBool::new(false) }
    }
    /// One that was made of this one.
    fn next(&self, next: Baseline) -> Self {
        let is_written = self.is_written.load(Ordering::Relaxed);
        let read = if is_written { Some(Arc::clone(&self.own)) } else { self.read.clone() };
        Self::new_of(Arc::new(next), read)
    }
    /// Writes it into a file that has what this one was made of, or is not there.
    fn write_into(&self, file: BaselineFile, name: &str) -> PyResult<()> {
        let now = file.baseline();
        let is_there = now.is_some_and(|now| *now == *self.own);
        if !(is_there || now.is_none() || now == self.read.as_deref()) {
            let text = "its contents are not what this baseline was made of: Baseline.read reads it again, and \
                        Baseline.edit changes it in one step";
            return Err(errors::Error::new_err((format!("{name}: {text}"),)));
        }
        if !is_there {
            file.write(&self.own).map_err(|error| errors::check(&error))?;
        }
        self.is_written.store(true, Ordering::Relaxed);
        Ok(())
    }
}

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
        Self::new_of(Arc::default(), None)
    }
    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| Baseline::read(&path));
        let read = Arc::new(read.map_err(|error| errors::of_file(&path, &error))?);
        Ok(Self::new_of(Arc::clone(&read), Some(read)))
    }
    /// Writes a file, unless it has changed since it was read.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let name = path.display().to_string();
        let file = py.detach(|| BaselineFile::open(&path)).map_err(|error| errors::of_file(&path, &error))?;
        py.detach(|| self.write_into(file, &name))
    }
    /// Reads the contents of a file; errors begin with its name.
    #[staticmethod]
    fn parse(py: Python<'_>, name: &str, text: &str) -> PyResult<Self> {
        let parsed = py.detach(|| Baseline::parse(name, text));
        Ok(Self::new_of(Arc::new(parsed.map_err(|error| errors::check(&error))?), None))
    }
    /// The contents of its file.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.own.to_text())
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
        let find = |digits: &String| self.own.find(digits).map_err(|error| errors::check(&error));
        let ids = ids.iter().map(find).collect::<PyResult<Vec<FindingId>>>()?;
        let until = until.map(date).transpose()?;
        let note = Note { reason: note.0.into(), by: note.1.into(), date: date(day)?, until };
        let kind = if is_approved { DecisionKind::Approved } else { DecisionKind::Reviewed };
        let next = self.own.decide(&ids, kind, &note).map_err(|error| errors::check(&error))?;
        Ok(self.next(next))
    }
    /// A baseline without resolved findings.
    fn prune(&self) -> Self {
        self.next(self.own.prune())
    }
    fn findings(&self) -> Vec<KnownTuple> {
        self.own.findings().iter().map(|finding| known(&self.own, finding)).collect()
    }
}

/// The file of a baseline, which no other process can open to change it until this one is closed.
#[pyclass(frozen, name = "_BaselineFile", module = "impinge._core")]
pub(crate) struct PyBaselineFile {
    path: PathBuf,
    file: Mutex<Option<BaselineFile>>,
}

#[pymethods]
impl PyBaselineFile {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = py.detach(|| BaselineFile::open(&path)).map_err(|error| errors::of_file(&path, &error))?;
        Ok(Self { path, file: Mutex::new(Some(file)) })
    }
    /// The contents; `None` if there is no file.
    fn baseline(&self) -> Option<PyBaseline> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let own = Arc::new(file.as_ref()?.baseline()?.clone());
        Some(PyBaseline::new_of(Arc::clone(&own), Some(own)))
    }
    /// Replaces the contents, and closes the file.
    fn write(&self, py: Python<'_>, baseline: &PyBaseline) -> PyResult<()> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
        let file = file.ok_or_else(|| errors::value("the file is closed".to_owned()))?;
        if file.baseline() != Some(&*baseline.own) {
            let done = py.detach(|| file.write(&baseline.own));
            done.map_err(|error| errors::of_file(&self.path, &error))?;
        }
        baseline.is_written.store(true, Ordering::Relaxed);
        Ok(())
    }
    /// Lets others change the file.
    fn close(&self) {
        drop(self.file.lock().unwrap_or_else(PoisonError::into_inner).take());
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
        baseline.has_groups().then(|| baseline.group_of(finding).to_string()),
    )
}

/// Settings of the comparison of reports with a baseline.
pub(crate) struct Against {
    baseline: Arc<Baseline>,
    today: Date,
    worse: Worse,
}

impl Against {
    pub(crate) fn new(baseline: &PyBaseline, today: Date, relative: f64) -> Self {
        Self { baseline: Arc::clone(&baseline.own), today, worse: Worse { relative, ..Worse::default() } }
    }
    pub(crate) fn compare(&self, report: Report) -> Result<Report, impinge_check::Error> {
        self.baseline.check_unit(report.unit())?;
        Ok(report.with_baseline(Arc::clone(&self.baseline), self.today, self.worse))
    }
}

/// The baseline after a report that was compared with it.
#[pyfunction]
pub(crate) fn _updated(
    py: Python<'_>,
    report: &PyReport,
    baseline: &PyBaseline,
    day: DateTuple,
) -> PyResult<Option<PyBaseline>> {
    let (report, own, day) = (report.shared(), Arc::clone(&baseline.own), date(day)?);
    Ok(py.detach(move || report.updated(&own, day)).map(|next| baseline.next(next)))
}
