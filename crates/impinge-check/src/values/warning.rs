//! Warnings about input files.
use crate::values::text;
use serde::{Deserialize, Serialize};

/// A warning about an input file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Warning {
    /// The file.
    pub file: String,
    /// The place in the file; `None` for the whole file.
    pub place: Option<String>,
    /// The omission or doubt that the reader reports.
    pub text: String,
}

/// Converts a warning of the readers.
impl From<&impinge_io::Warning> for Warning {
    fn from(warning: &impinge_io::Warning) -> Self {
        let file = warning.file().to_string_lossy().into_owned();
        Self { file, place: warning.place(), text: warning.text().to_owned() }
    }
}

impl Warning {
    /// A warning about a file, or about a place in it.
    pub fn new(file: impl Into<String>, place: Option<String>, text: impl Into<String>) -> Self {
        Self { file: file.into(), place, text: text.into() }
    }
    /// The warning as one line for a terminal.
    pub fn line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        text::printable(&format!("{}: {place}{}", self.file, self.text))
    }
}
