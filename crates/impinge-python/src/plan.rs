//! Checks in tasks: plans, their tasks, and what these found together.
use crate::{
    assembly::{self, PyAssembly},
    call::Call,
    check::PyCheck,
    errors,
    report::PyReport,
};
use impinge_check::{
    Error, Pairs, Watch,
    sources::Omission,
    tasks::{Plan, PlanOptions, PlanWriter, Worker},
    values::Warning,
};
use impinge_io::{Assembly, Options};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// Input of a plan: files, which are read one after the other, or parts in memory.
#[derive(FromPyObject)]
pub(crate) enum Input<'py> {
    Assembly(Bound<'py, PyAssembly>),
    Files(Vec<PathBuf>),
}

/// Error that ended a plan.
enum Failed {
    Reading(PathBuf, impinge_io::Error),
    Check(Error),
    Text(String),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Check(error)
    }
}

/// Writes a plan; returns how many tasks there are.
#[pyfunction]
pub(crate) fn _plan(
    py: Python<'_>,
    check: &PyCheck,
    input: Input<'_>,
    folder: PathBuf,
    tasks: Option<u32>,
    memory: Option<u64>,
    across: bool,
) -> PyResult<u32> {
    let check = check.0.clone();
    let options = PlanOptions::new();
    let options = match (tasks, memory) {
        (Some(count), _) => options.tasks(count),
        (None, Some(bytes)) => options.memory(bytes),
        (None, None) => options,
    };
    let input = match input {
        Input::Assembly(assembly) => Ok(assembly.get().shared()),
        Input::Files(paths) => Err(paths),
    };
    let planned = Call::new().run(py, None, None, move |watch| {
        let write = || {
            let writer = PlanWriter::new(&folder, &check, &options)?;
            match &input {
                Ok(assembly) => of_memory(writer, assembly, across, watch),
                Err(paths) => of_files(writer, paths, across, watch),
            }
        };
        Ok(write())
    })?;
    planned.map_err(|failed| match failed {
        Failed::Reading(path, error) => assembly::unreadable(&path, &error),
        Failed::Check(error) => errors::check(&error),
        Failed::Text(text) => errors::Error::new_err((text,)),
    })
}

fn utf8(path: &Path) -> Result<&str, Failed> {
    let text = format!("{}: a plan holds only file names in UTF-8", path.display());
    path.to_str().ok_or(Failed::Text(text))
}

fn pairs(across: bool, second: usize) -> Pairs {
    if across { Pairs::Across { second } } else { Pairs::All }
}

/// Adds the parts of each source.
fn add_all(
    writer: &mut PlanWriter,
    assembly: &Assembly,
    watch: &Watch<'_>,
) -> Result<(), impinge_check::Error> {
    let mut rest = &*assembly.parts;
    for source in &assembly.sources {
        let (parts, others) = rest.split_at(source.parts.min(rest.len()));
        writer.add(parts, source, watch)?;
        rest = others;
    }
    Ok(())
}

fn of_memory(
    mut writer: PlanWriter,
    assembly: &Assembly,
    across: bool,
    watch: &Watch<'_>,
) -> Result<u32, Failed> {
    assembly.sources.iter().try_for_each(|source| utf8(&source.file).map(drop))?;
    add_all(&mut writer, assembly, watch)?;
    let second = assembly.sources.first().map_or(0, |source| source.parts);
    let warnings = assembly.warnings.iter().map(Warning::from).collect();
    writer.add_omissions(assembly.omissions.iter().map(Omission::from));
    Ok(writer.finish(&pairs(across, second), warnings, watch)?.tasks)
}

fn of_files(
    mut writer: PlanWriter,
    paths: &[PathBuf],
    across: bool,
    watch: &Watch<'_>,
) -> Result<u32, Failed> {
    let read = |path: &Path| {
        impinge_io::read_with(path, &Options::new()).map_err(|error| Failed::Reading(path.to_owned(), error))
    };
    let pool = writer.pool().clone();
    let (mut warnings, mut omissions, mut second) = (Vec::new(), Vec::new(), None);
    let mut next = paths.first().map(|path| read(path));
    for (i, path) in paths.iter().enumerate() {
        let Some(file) = next else { break };
        let file = file?;
        utf8(path)?;
        second.get_or_insert(file.parts.len());
        warnings.extend(file.warnings.iter().map(Warning::from));
        omissions.extend(file.omissions.iter().map(Omission::from));
        // The next file is read while this one's parts are stored; no more are in memory.
        let (added, following) =
            pool.join(|| add_all(&mut writer, &file, watch), || paths.get(i + 1).map(|path| read(path)));
        added?;
        next = following;
    }
    warnings.extend(writer.unit_warnings().iter().map(Warning::from));
    writer.add_omissions(omissions);
    Ok(writer.finish(&pairs(across, second.unwrap_or_default()), warnings, watch)?.tasks)
}

/// Does a task of a plan; returns the numbers of pairs that were tested and that are clashing, and whether its
/// result is new.
#[pyfunction]
pub(crate) fn _work(py: Python<'_>, plan: PathBuf, task: u32, threads: u16) -> PyResult<(u64, u64, bool)> {
    Call::new().run(py, None, None, move |watch| {
        let done = Plan::open(&plan)?.work(task, &mut Worker::new(threads)?, watch)?;
        Ok((done.tested, done.clashing, done.is_new))
    })
}

/// Puts the results of a plan together.
#[pyfunction]
pub(crate) fn _merge(py: Python<'_>, plan: PathBuf) -> PyResult<PyReport> {
    let report = Call::new().run(py, None, None, move |watch| Plan::open(&plan)?.merge(watch))?;
    Ok(PyReport::new(report))
}
