//! `impinge check` for programs: the same work, kept instead of printed.
use crate::{
    check::NO_COUNTS,
    command::{self, Command},
    outcome::Report,
    progress::Progress,
    report,
};
use std::{ffi::OsString, io::Write};

/// The result of [`check`].
pub struct Checked(pub(crate) Report);

/// Runs `impinge check` with these arguments, those behind `check`, and prints nothing. Options that are
/// about writing (`--output`, `--format`, `--limit`, `--show`) have no meaning here.
///
/// ```
/// let found = impinge_cli::check(["--demo", "gearbox"])?;
/// assert_eq!(found.findings(), 9);
/// assert!(found.json()?.starts_with("{\"impinge\":"));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// The text that the command would print on stderr.
pub fn check(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Checked, String> {
    let Command::Check(check) = command::parse("check", arguments)? else {
        return Err("the command is not check".into());
    };
    Ok(Checked(check.find(Progress::silent()).map_err(|error| format!("{error:#}"))?))
}

impl Checked {
    /// How many findings count: the command's exit status is 1 if there are any.
    pub fn findings(&self) -> u64 {
        self.0.findings()
    }
    /// As `--format json` writes it.
    ///
    /// # Errors
    /// It cannot be written, with the reason.
    pub fn json(&self) -> Result<String, String> {
        text(|out| report::check::json(&self.0, out))
    }
    /// As `--format csv` writes it.
    ///
    /// # Errors
    /// It cannot be written, with the reason: counts of findings (`--what-if`) have no rows.
    pub fn csv(&self) -> Result<String, String> {
        if self.0.what_if().next().is_some() {
            return Err(NO_COUNTS.into());
        }
        text(|out| report::check::csv(&self.0, out))
    }
    /// As `--format table --limit 0` writes it.
    ///
    /// # Errors
    /// It cannot be written, with the reason.
    pub fn table(&self) -> Result<String, String> {
        self.table_of(usize::MAX)
    }
    /// As `--format table --limit ROWS` writes it; 100 is what the command shows by default.
    ///
    /// # Errors
    /// It cannot be written, with the reason.
    pub fn table_of(&self, rows: usize) -> Result<String, String> {
        text(|out| report::check::people(&self.0, rows, None, out))
    }
}

fn text(write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> Result<String, String> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| format!("{error:#}"))?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}
