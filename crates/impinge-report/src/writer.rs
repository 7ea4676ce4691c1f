//! [`ReportWriter`]: what every format is.
use crate::{PictureUse, Pictures};
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
    /// The pictures that it shows, for [`Pictures::share`]: with them each finding is drawn once for all
    /// formats of a run.
    fn pictures(&self, _report: &Report) -> Vec<PictureUse> {
        Vec::new()
    }
    /// Writes the report of these pictures, the same bytes as [`ReportWriter::write`]. Takes its pictures from
    /// those that are shared.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_with(&self, pictures: &Pictures<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.write(pictures.report(), out)
    }
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
