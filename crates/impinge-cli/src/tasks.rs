//! `impinge plan`, `work` and `merge` for programs: the same work, and nothing is printed.
use crate::{
    checked::Checked,
    command::{self, Command},
    merge::report,
    progress::Progress,
};
use std::{ffi::OsString, path::Path};

/// Runs `impinge plan` with these arguments, those behind `plan`; returns how many tasks there are.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let plan = folder.path().join("plan");
/// let arguments = ["--demo", "gearbox", "--tasks", "3", "-o", plan.to_str().expect("a name in UTF-8")];
/// assert_eq!(impinge_cli::plan(arguments)?, 3);
/// for task in 0..3 {
///     impinge_cli::work(&plan, task, 1)?;
/// }
/// assert_eq!(impinge_cli::merge(&plan)?.json()?, impinge_cli::check(["--demo", "gearbox"])?.json()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text that the command would print on stderr.
pub fn plan(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Result<u32, String> {
    match command::parse("plan", arguments)? {
        Command::Plan(plan) => plan.write(Progress::silent()).map(|(tasks, _)| tasks).map_err(text),
        _ => Err("the command is not plan".into()),
    }
}

/// Does a task of a plan, by so many threads, 0 for all; returns the line that `impinge work` prints.
///
/// # Errors
/// The text that the command would print on stderr.
pub fn work(plan: &Path, task: u32, threads: u16) -> Result<String, String> {
    let (task, threads) = (format!("--task={task}"), format!("--threads={threads}"));
    // A folder's name may begin with a dash.
    let arguments = [task.into(), threads.into(), "--".into(), plan.as_os_str().to_owned()];
    let mut said = String::new();
    match command::parse("work", arguments)? {
        Command::Work(work) => work.each(Progress::silent, |line| {
            said = line.to_owned();
            Ok(())
        }),
        _ => return Err("the command is not work".into()),
    }
    .map_err(text)?;
    Ok(said)
}

/// Puts the results of a plan together.
///
/// # Errors
/// The text that `impinge merge` would print on stderr.
pub fn merge(plan: &Path) -> Result<Checked, String> {
    report(plan).map(Checked).map_err(text)
}

fn text(error: anyhow::Error) -> String {
    format!("{error:#}")
}
