//! [`ReportWriter`], the trait of every format.
use crate::{PictureUse, Pictures};
use impinge_check::Report;
use std::io::{self, Write};

/// Writes a report in one format.
pub trait ReportWriter {
    /// Writes the whole report. Its memory does not grow with the number of clashes, except for the order of
    /// rows, and except for the formats BCF and HTML, which are made in memory.
    ///
    /// # Errors
    /// Errors of `out`.
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()>;
    /// The pictures that it shows, for [`Pictures::share`], which draws each finding once for all formats of
    /// a run.
    fn pictures(&self, _report: &Report) -> Vec<PictureUse> {
        Vec::new()
    }
    /// Writes the report of these pictures, the same bytes as [`ReportWriter::write`]. Takes shared pictures
    /// instead of drawing them.
    ///
    /// # Errors
    /// Errors of `out`.
    fn write_with(&self, pictures: &Pictures<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.write(pictures.report(), out)
    }
}

/// A format in which a report can be written.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Format {
    /// Name of the format.
    pub name: &'static str,
    /// Extension of its files.
    pub extension: &'static str,
    /// Its use, in a few words.
    pub about: &'static str,
    /// True if it shows contacts, which the check must measure for it.
    pub contacts: bool,
    /// Makes a writer with the default options.
    pub writer: fn() -> Box<dyn ReportWriter>,
}
