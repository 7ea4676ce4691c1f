//! Warnings about input files.
use crate::report;
use serde::{Deserialize, Serialize};

/// A warning about an input file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Warning {
    /// The file it is about.
    pub(crate) file: String,
    /// Where in the file; `None` if it is about all of it.
    pub(crate) place: Option<String>,
    /// The omission or doubt that the reader reports.
    pub(crate) text: String,
}

impl Warning {
    /// A warning of the readers.
    pub(crate) fn of(warning: &impinge_io::Warning) -> Self {
        let file = warning.file().to_string_lossy().into_owned();
        Self { file, place: warning.place(), text: warning.text().to_owned() }
    }

    /// The warning as one line for a terminal.
    pub(crate) fn line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        report::printable(&format!("{}: {place}{}", self.file, self.text))
    }
}
