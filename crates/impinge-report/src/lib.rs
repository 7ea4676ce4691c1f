//! Writes the report of a check of an assembly to files. Each format has a [`ReportWriter`].
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

mod bcf;
mod case_text;
mod cases;
mod contact_lines;
mod contacts;
mod csv;
mod dot;
mod glb;
mod grid;
mod groups;
mod heading;
mod html;
mod json;
mod junit;
mod keys;
mod known;
mod markdown;
mod motion_gaps;
mod names;
mod navisworks;
mod near;
mod omissions;
mod pictures;
mod rules;
mod section;
mod self_intersections;
mod size_columns;
mod size_units;
mod stream;
mod summary;
mod summary_line;
mod table;
pub mod words;
mod writer;
mod xlsx;
mod xml_writer;
mod zip_options;

pub use self::{
    bcf::{BcfReport, BcfVersion},
    csv::CsvReport,
    dot::DotReport,
    glb::GlbReport,
    grid::Table,
    groups::{finding_word, parts as finding_parts},
    html::HtmlReport,
    json::{JSON_FORMAT_VERSION, JSON_SCHEMA, JsonReport},
    junit::JunitReport,
    known::KnownNames,
    markdown::MarkdownReport,
    names::Names,
    navisworks::NavisworksReport,
    pictures::{
        Camera, PaintedLayer, PaintedScene, PictureUse, Pictures, check_pictures_folder,
        remove_unfinished_pictures,
    },
    size_units::SizeUnits,
    stream::Stream,
    summary::{summary, warned},
    summary_line::{SummaryLine, aligned},
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
    dot::FORMAT,
    bcf::FORMAT,
    navisworks::FORMAT,
    glb::FORMAT,
    xlsx::FORMAT,
];

impl Format {
    /// The format with the longest extension that a file's name ends with, in upper or lower case.
    ///
    /// ```
    /// use impinge_report::Format;
    ///
    /// assert_eq!(Format::of_file("a.xml".as_ref()).map(|format| format.name), Some("junit"));
    /// assert_eq!(Format::of_file("a.navisworks.xml".as_ref()).map(|format| format.name), Some("navisworks"));
    /// assert!(Format::of_file("xml".as_ref()).is_none());
    /// ```
    pub fn of_file(path: &std::path::Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let fits = |format: &&Self| {
            // A name must come before the dot.
            let before = name.strip_suffix(format.extension).and_then(|rest| rest.strip_suffix('.'));
            before.is_some_and(|before| !before.is_empty())
        };
        FORMATS.iter().filter(fits).max_by_key(|format| format.extension.len()).copied()
    }
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
