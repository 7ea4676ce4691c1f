//! [`ReportWriter`]: what every format is.
use impinge_check::Report;
use std::io::{self, Write};

/// Writes a report in one format.
pub trait ReportWriter {
    /// Writes all of it. What it takes from memory does not grow with the number of clashes, but for an order
    /// of rows.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()>;
}

/// A format in which a report can be written.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// The ending of its files.
    pub extension: &'static str,
    /// Its use, in a few words.
    pub about: &'static str,
    /// Whether it shows contacts, which a check has to measure for it.
    pub contacts: bool,
    /// A writer with the usual options.
    pub writer: fn() -> Box<dyn ReportWriter>,
}
