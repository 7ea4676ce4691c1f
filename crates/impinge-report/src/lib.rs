//! Writes what a check of an assembly found: each format is a file with a [`ReportWriter`].
//!
//! ```
//! use impinge_check::{Assembly, Check, Watch};
//! use impinge_report::{JsonReport, ReportWriter};
//!
//! let report = Check::new().run(Assembly::default(), &Watch::new())?;
//! let mut bytes = Vec::new();
//! JsonReport::new().write(&report, &mut bytes)?;
//! assert!(bytes.starts_with(b"{\"impinge\":"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cases;
mod contact_lines;
mod contacts;
mod csv;
mod glb;
mod graph;
mod grid;
mod groups;
mod html;
mod json;
mod junit;
mod layout;
mod ledger;
mod markdown;
mod motion_gaps;
mod names;
mod near;
mod omissions;
mod pictures;
mod rules;
mod self_intersections;
mod stream;
mod svg;
mod table;
pub mod words;
mod writer;
mod xlsx;
mod xml;

pub use self::{
    csv::CsvReport,
    glb::GlbReport,
    graph::{DotReport, GraphMlReport},
    grid::Table,
    groups::finding_word,
    html::HtmlReport,
    json::{JSON_FORMAT_VERSION, JSON_SCHEMA, JsonReport},
    junit::JunitReport,
    ledger::{summary, warned},
    markdown::MarkdownReport,
    names::Names,
    pictures::{Camera, Pictures, check_pictures_folder, remove_unfinished_pictures},
    stream::Stream,
    svg::SvgReport,
    table::{KnownFault, TableReport},
    writer::{Format, ReportWriter},
    xlsx::XlsxReport,
};

/// All formats.
pub const FORMATS: &[Format] = &[
    table::FORMAT,
    json::FORMAT,
    html::FORMAT,
    csv::FORMAT,
    markdown::FORMAT,
    junit::FORMAT,
    graph::DOT,
    graph::GRAPHML,
    svg::FORMAT,
    glb::FORMAT,
    xlsx::FORMAT,
];

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
