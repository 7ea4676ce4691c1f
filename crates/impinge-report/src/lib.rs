//! Writes what a check of an assembly found: each format is a file with a [`ReportWriter`].
//!
//! ```
//! use impinge_check::{Assembly, Check, Watch};
//! use impinge_report::{JsonReport, ReportWriter};
//!
//! let report = Check::new().run(Assembly::default(), &Watch::new())?;
//! let mut bytes = Vec::new();
//! JsonReport.write(&report, &mut bytes)?;
//! assert!(bytes.starts_with(b"{\"impinge\":"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod contacts;
mod csv;
mod graph;
mod grid;
mod json;
mod ledger;
mod names;
mod near;
mod stream;
mod table;
pub mod words;

pub use self::{
    csv::CsvReport,
    graph::{DotReport, GraphMlReport},
    grid::Table,
    json::{JSON_FORMAT_VERSION, JSON_SCHEMA, JsonReport},
    ledger::{summary, warned},
    names::Names,
    stream::Stream,
    table::{KnownFault, TableReport},
};

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
    /// What it is for.
    pub about: &'static str,
    /// A writer with the usual options.
    pub writer: fn() -> Box<dyn ReportWriter>,
}

/// All formats.
pub const FORMATS: &[Format] = &[table::FORMAT, json::FORMAT, csv::FORMAT, graph::DOT, graph::GRAPHML];
