//! [`CsvReport`]: for spreadsheets.
use crate::writer::{Format, ReportWriter};
use impinge_check::{Depth, Report, Sure, relations};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// For spreadsheets: a row for each clash, then one for each pair that is near, then one for each that was
/// not examined. No name is a formula to a spreadsheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvReport {
    byte_order_mark: bool,
}

impl CsvReport {
    /// UTF-8 without a byte order mark.
    pub fn new() -> Self {
        Self::default()
    }
    /// Whether the file begins with a byte order mark: some spreadsheets take names for another encoding
    /// without it.
    #[must_use]
    pub fn byte_order_mark(self, is_there: bool) -> Self {
        Self { byte_order_mark: is_there }
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "csv",
    extension: "csv",
    about: "for spreadsheets",
    contacts: false,
    writer: || Box::new(CsvReport::new()),
};

/// A name that no spreadsheet takes for a formula. One that begins with `=`, `+`, `-`, `@`, a tab or a
/// carriage return would be run by whoever opens the file, and so would what follows a semicolon or a tab
/// where these separate cells. An apostrophe before it makes it text (OWASP, 'CSV Injection'). JSON has names
/// as they are.
fn inert(name: &str) -> Cow<'_, str> {
    let is_live =
        |c: char| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠');
    let mut text = String::new();
    let (mut at_start, mut copied) = (true, 0);
    for (i, c) in name.char_indices() {
        if at_start && is_live(c) {
            text.push_str(&name[copied..i]);
            text.push('\'');
            copied = i;
        }
        // Blanks at the start of a cell may be dropped.
        at_start = matches!(c, ';' | '\t' | '\r' | '\n') || at_start && c == ' ';
    }
    if copied == 0 && text.is_empty() {
        return Cow::Borrowed(name);
    }
    text.push_str(&name[copied..]);
    Cow::Owned(text)
}

/// The columns of every report, and those of checks about solids, distances and chord tolerances.
const ALWAYS: [&str; 8] = ["a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"];
const OF_SOLIDS: [&str; 10] = [
    "relation",
    "touching",
    "overlap_volume_lo",
    "overlap_volume_hi",
    "depth_at_least",
    "separating_translation_x",
    "separating_translation_y",
    "separating_translation_z",
    "shallow",
    "separating_translation_length",
];
const OF_DISTANCES: [&str; 5] = ["distance_lo", "distance_hi", "b_x", "b_y", "b_z"];

/// A row. What is not known, or does not apply, is an empty cell.
#[derive(Default)]
struct Row {
    parts: [u32; 2],
    counts: Option<bool>,
    triangle_pairs: Option<u64>,
    point: [Option<f64>; 3],
    relation: Option<&'static str>,
    touching: Option<bool>,
    depth: Option<Depth>,
    distance: [Option<f64>; 5],
    certainty: Option<Sure>,
}

/// The rows of a report.
struct Rows<'a, W: Write> {
    report: &'a Report,
    csv: csv::Writer<W>,
    /// Whether the report is about solids, about distances, and has chord tolerances.
    has: [bool; 3],
}

impl<'a, W: Write> Rows<'a, W> {
    fn new(report: &'a Report, out: W) -> csv::Result<Self> {
        let has =
            [report.fill_rule().is_some(), report.clearance().is_some(), report.coverage().chord.is_some()];
        let mut csv = csv::Writer::from_writer(out);
        let optional = [&OF_SOLIDS[..], &OF_DISTANCES, &["certainty"]];
        let optional = optional.iter().zip(has).filter(|(_, has)| *has).flat_map(|(columns, _)| *columns);
        csv.write_record(ALWAYS.iter().chain(optional).chain(&["counts"]))?;
        Ok(Self { report, csv, has })
    }
    fn write(&mut self, row: &Row) -> csv::Result<()> {
        let [name_a, name_b] = row.parts.map(|part| inert(self.report.part(part).name()));
        let always = (row.parts, name_a, name_b, row.triangle_pairs, row.point);
        let depth = row.depth.as_ref();
        let volume =
            depth.and_then(|depth| depth.overlap_volume).map_or([None; 2], |bounds| bounds.map(Some));
        let by = depth.and_then(|depth| depth.separating_translation).map_or([None; 3], |by| by.map(Some));
        let least = depth.and_then(|depth| depth.depth_at_least);
        let shallow = depth.and_then(|depth| depth.shallow);
        let length = depth.and_then(Depth::separating_length);
        let solids = (row.relation, row.touching, volume, least, by, shallow, length);
        let (certainty, counts) = (row.certainty.map(Sure::name), row.counts);
        // A tuple within a row is as many cells as it has.
        match self.has {
            [false, false, _] => self.csv.serialize((always, counts)),
            [true, false, _] => self.csv.serialize((always, solids, counts)),
            [false, true, _] => self.csv.serialize((always, row.distance, counts)),
            [true, true, false] => self.csv.serialize((always, solids, row.distance, counts)),
            // Certainty needs solids, and such a check includes distances.
            [true, true, true] => self.csv.serialize((always, solids, row.distance, certainty, counts)),
        }
    }
}

impl ReportWriter for CsvReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        if self.byte_order_mark {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut rows = Rows::new(report, out)?;
        for clash in report.clashes() {
            rows.write(&Row {
                parts: clash.parts,
                counts: Some(report.counts(clash)),
                triangle_pairs: Some(clash.triangle_pairs),
                point: clash.point.map(Some),
                relation: clash.relation.map(relations::name),
                touching: Some(clash.is_touching()),
                depth: report.depth(clash).copied(),
                certainty: clash.certainty,
                ..Row::default()
            })?;
        }
        for near in report.near() {
            let ([lo, hi], [x, y, z]) = (near.distance, near.points[1]);
            rows.write(&Row {
                parts: near.parts,
                counts: Some(true),
                triangle_pairs: Some(0),
                point: near.points[0].map(Some),
                relation: Some("near"),
                touching: Some(false),
                distance: [lo, hi, x, y, z].map(Some),
                certainty: near.certainty,
                ..Row::default()
            })?;
        }
        for &parts in report.not_examined() {
            rows.write(&Row { parts, relation: Some("not_examined"), ..Row::default() })?;
        }
        rows.csv.flush()
    }
}
