//! Reports: what a check found, and its lists as columns.
use crate::{arrays, errors, part::OmissionTuple, run};
use impinge_check::{Clash, Groups, Report, files, parts::Sure, relations, sources::Omission};
use impinge_report::{
    FORMATS, Format, HtmlReport, JsonReport, MarkdownReport, Names, Pictures, ReportWriter, TableReport,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::{
    io,
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

/// The result of a check.
#[pyclass(frozen, name = "_Report", module = "impinge._core")]
pub(crate) struct PyReport(Arc<Report>);

pub(crate) type PointTuple = (f64, f64, f64);
pub(crate) fn triple([x, y, z]: [f64; 3]) -> PointTuple {
    (x, y, z)
}

fn file(path: &Path, error: io::Error) -> PyErr {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())).into()
}

#[pymethods]
impl PyReport {
    /// The endings of files that [`PyReport::write`] writes.
    #[staticmethod]
    fn extensions() -> Vec<&'static str> {
        FORMATS.iter().map(|format| format.extension).collect()
    }
    #[getter]
    fn findings(&self) -> u64 {
        self.0.findings().len() as u64
    }
    /// Whether no finding is new, reopened or worse.
    #[getter]
    fn is_clean(&self) -> bool {
        self.0.is_clean()
    }
    #[getter]
    fn parts(&self) -> usize {
        self.0.part_count()
    }
    #[getter]
    fn clashes(&self) -> usize {
        self.0.clashes().len()
    }
    #[getter]
    fn near(&self) -> usize {
        self.0.near().len()
    }
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let report = Arc::clone(&self.0);
        let text = py.detach(move || {
            let mut text = Vec::new();
            JsonReport::new().write(&report, &mut text).map(|()| text)
        })?;
        Ok(PyBytes::new(py, &text))
    }
    fn omissions(&self) -> Vec<OmissionTuple> {
        let one = |it: &Omission| {
            let Omission { file, name, guid, class, count, reason, .. } = it.clone();
            (file.into(), reason, name, guid, class, count as usize, it.is_failed())
        };
        self.0.omissions().iter().map(one).collect()
    }
    /// The numbers of what was examined, as JSON.
    fn coverage(&self) -> PyResult<String> {
        serde_json::to_string(self.0.coverage()).map_err(|error| errors::value(error.to_string()))
    }
    fn table(&self, py: Python<'_>, rows: usize) -> PyResult<String> {
        let report = Arc::clone(&self.0);
        let text = py.detach(move || {
            let mut text = Vec::new();
            TableReport::new().rows(rows).write(&report, &mut text).map(|()| text)
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
    /// Markdown with at most so many rows of each table.
    fn markdown(&self, py: Python<'_>, rows: usize) -> PyResult<String> {
        let report = Arc::clone(&self.0);
        let text = py.detach(move || {
            let mut text = Vec::new();
            MarkdownReport::new().rows(rows).write(&report, &mut text).map(|()| text)
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
    /// The HTML page, without meshes beyond this size.
    fn html(&self, py: Python<'_>, max_size: u64) -> PyResult<String> {
        let report = Arc::clone(&self.0);
        let text = py.detach(move || {
            let mut text = Vec::new();
            HtmlReport::new().max_size(max_size).write(&report, &mut text).map(|()| text)
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
    /// The picture of a finding as a PNG file; `None` without an assembly.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        finding: u32,
        width: u32,
        height: u32,
    ) -> Option<Bound<'py, PyBytes>> {
        let report = Arc::clone(&self.0);
        let png = py.detach(move || Pictures::new(&report).size(width, height).png(finding))?;
        Some(PyBytes::new(py, &png))
    }
    /// Writes a file in the format of its ending.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let Some(format) = Format::of_file(&path) else {
            let all: Vec<_> = FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
            let (last, others) = all.split_last().map_or(("", &[][..]), |(last, others)| (last, others));
            return Err(errors::value(format!(
                "{}: a report is written as {} or {last}",
                path.display(),
                others.join(", ")
            )));
        };
        let has_counts = self.0.what_if().next().is_some() || self.0.what_if_tolerance().next().is_some();
        if matches!(format.name, "csv" | "xlsx" | "glb") && has_counts {
            let name = format.name.to_uppercase();
            let text = format!("what_if: {name} has no place for counts; write .json or .txt");
            return Err(errors::value(text));
        }
        let report = Arc::clone(&self.0);
        let mut models: Vec<&Path> = report.parts().map(|part| part.file()).collect();
        models.dedup();
        // A model can be a GLB, too.
        models.retain(|model| model.is_file());
        if path.is_file() {
            files::check_output(&path, models).map_err(|error| errors::check(&error))?;
        }
        let done = run::work(py, move |_| {
            let done = impinge_io::write_whole(&path, |out| (format.writer)().write(&report, out));
            done.map_err(|error| (path, error))
        })?;
        done.map_err(|(path, error)| file(&path, error))
    }

    /// Writes a picture of each group into a folder; returns how many there are.
    fn images(&self, py: Python<'_>, folder: PathBuf, size: (u32, u32), threads: u16) -> PyResult<usize> {
        let report = Arc::clone(&self.0);
        let done = run::work(py, move |stop| {
            let pictures = Pictures::new(&report).size(size.0, size.1);
            let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
            let threads = NonZero::new(usize::from(threads)).unwrap_or(cores);
            let go_on = |_| match stop.load(Ordering::Relaxed) {
                false => Ok(()),
                true => Err(io::ErrorKind::Interrupted.into()),
            };
            let groups = Groups::new(&report).groups;
            pictures.save(&groups, &folder, threads, &go_on).map_err(|error| (folder, error))
        })?;
        done.map_err(|(path, error)| file(&path, error))
    }

    /// The indices of clashes, the gravest first.
    fn ranked<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let report = Arc::clone(&self.0);
        let order = py.detach(move || {
            let all = report.clashes();
            let mut order: Vec<i64> = (0..all.len() as i64).collect();
            order.sort_by_cached_key(|&i| report.rank(&all[i as usize]));
            order
        });
        arrays::list(py, order).into_any()
    }

    /// Names and columns of all clashes. What is not known is NaN, or -1 in `shallow`, or 255.
    fn clash_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (report, all) = (&*self.0, self.0.clashes());
        let nan = |x: Option<f64>| x.unwrap_or(f64::NAN);
        let depth = |clash: &Clash| report.depth(clash);
        let columns = PyDict::new(py);
        let parts: Vec<[u32; 2]> = all.iter().map(|clash| clash.parts).collect();
        columns.set_item("parts", arrays::table(py, parts)?)?;
        let counts: Vec<bool> = all.iter().map(|clash| report.counts(clash)).collect();
        columns.set_item("counts", arrays::list(py, counts))?;
        let place = |clash: &Clash| clash.relation.map_or(u8::MAX, |kind| relations::place(kind) as u8);
        columns.set_item("relation", arrays::list(py, all.iter().map(place).collect::<Vec<_>>()))?;
        let sure: Vec<u8> = all.iter().map(|clash| sure_code(clash.certainty)).collect();
        columns.set_item("certainty", arrays::list(py, sure))?;
        let pairs: Vec<u64> = all.iter().map(|clash| clash.triangle_pairs).collect();
        columns.set_item("triangle_pairs", arrays::list(py, pairs))?;
        let points: Vec<[f64; 3]> = all.iter().map(|clash| clash.point).collect();
        columns.set_item("point", arrays::table(py, points)?)?;
        let volume = |clash| depth(clash).and_then(|depth| depth.overlap_volume).unwrap_or([f64::NAN; 2]);
        let volumes: Vec<[f64; 2]> = all.iter().map(volume).collect();
        columns.set_item("overlap_volume", arrays::table(py, volumes)?)?;
        let deep = |clash| depth(clash).and_then(|depth| depth.interference_depth).unwrap_or([f64::NAN; 2]);
        let depths: Vec<[f64; 2]> = all.iter().map(deep).collect();
        columns.set_item("interference_depth", arrays::table(py, depths)?)?;
        let least = |clash| nan(depth(clash).and_then(|depth| depth.depth_at_least));
        columns.set_item("depth_at_least", arrays::list(py, all.iter().map(least).collect::<Vec<_>>()))?;
        let by = |clash| depth(clash).and_then(|depth| depth.separating_translation).unwrap_or([f64::NAN; 3]);
        let translations: Vec<[f64; 3]> = all.iter().map(by).collect();
        columns.set_item("separating_translation", arrays::table(py, translations)?)?;
        let length = |clash| nan(depth(clash).and_then(|depth| depth.separating_distance));
        let lengths: Vec<f64> = all.iter().map(length).collect();
        columns.set_item("separating_distance", arrays::list(py, lengths))?;
        let shallow = |clash| report.is_within_tolerance(clash).map_or(-1, i8::from);
        columns.set_item("shallow", arrays::list(py, all.iter().map(shallow).collect::<Vec<_>>()))?;
        Ok(columns)
    }
    /// Names and columns of all near pairs.
    fn near_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = self.0.near();
        let columns = PyDict::new(py);
        let parts: Vec<[u32; 2]> = all.iter().map(|near| near.parts).collect();
        columns.set_item("parts", arrays::table(py, parts)?)?;
        let distances: Vec<[f64; 2]> = all.iter().map(|near| near.distance).collect();
        columns.set_item("distance", arrays::table(py, distances)?)?;
        let points: Vec<[[f64; 3]; 2]> = all.iter().map(|near| near.points).collect();
        columns.set_item("points", arrays::cube(py, points)?)?;
        let sure: Vec<u8> = all.iter().map(|near| sure_code(near.certainty)).collect();
        columns.set_item("certainty", arrays::list(py, sure))?;
        Ok(columns)
    }
    /// Pairs of parts that were left alone, of the shape (K, 2).
    fn not_examined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(arrays::table(py, self.0.not_examined().to_vec())?.into_any())
    }
    /// Clearance, near pairs, findings.
    fn what_if(&self) -> Vec<(f64, u64, u64)> {
        self.0.what_if().map(|count| (count.clearance, count.near, count.findings)).collect()
    }
    /// Tolerance, findings that it makes shallow, other findings.
    fn what_if_tolerance(&self) -> Vec<(f64, u64, u64)> {
        self.0.what_if_tolerance().map(|count| (count.tolerance, count.shallow, count.findings)).collect()
    }
    fn warnings(&self) -> Vec<(String, Option<String>, String)> {
        let warnings = self.0.warnings().iter();
        warnings.map(|w| (w.file.clone(), w.place.clone(), w.text.clone())).collect()
    }
    fn names(&self) -> Vec<&str> {
        self.0.parts().map(|part| part.name()).collect()
    }
    /// The names by which people tell the parts apart.
    fn labels(&self) -> Vec<String> {
        let names = Names::of(&self.0);
        (0..self.0.part_count()).map(|part| names.label(part)).collect()
    }
    /// The names of relations, in the order of the codes of [`PyReport::clash_columns`].
    #[staticmethod]
    fn relations() -> Vec<&'static str> {
        relations::ALL.map(relations::name).to_vec()
    }
}

/// 0 possible, 1 definite.
fn sure_code(sure: Option<Sure>) -> u8 {
    match sure {
        None => u8::MAX,
        Some(Sure::Possible) => 0,
        Some(Sure::Definite) => 1,
    }
}

impl PyReport {
    pub(crate) fn shared(&self) -> Arc<Report> {
        Arc::clone(&self.0)
    }
    pub(crate) fn new(report: Report) -> Self {
        Self(Arc::new(report))
    }
}
