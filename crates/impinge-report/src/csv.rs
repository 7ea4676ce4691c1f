//! [`CsvReport`]: a report for spreadsheets.
use crate::writer::{Format, ReportWriter};
use impinge_check::{
    Finding, FindingKind, Groups, Report, parts::Sure, records::Depth, relations, report::GroupBy,
};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Report as CSV, for spreadsheets: rows of clashes, then of near pairs, of parts that meet themselves, of
/// other findings (floating parts, lost contacts, gaps along poses), and of pairs that were not examined.
///
/// Each finding has a row. So a pair that several tests report has several rows, which differ in the columns
/// `test`, `severity`, `finding` (the id), `group` and `status`. A clash that is no finding has one row, in
/// which these are empty. After `status` come `fragile` with placement errors in the rules, types and
/// identifiers if parts have any, and `within_rounding` with such pairs. Columns stay where they are: a new
/// one comes after all others. No name is a formula to a spreadsheet.
#[derive(Clone, Default)]
pub struct CsvReport {
    byte_order_mark: bool,
    groups: GroupBy,
}

impl CsvReport {
    /// UTF-8 without a byte order mark.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets whether the file begins with a byte order mark. Without it, some spreadsheets read names in
    /// another encoding.
    #[must_use]
    pub fn byte_order_mark(self, is_there: bool) -> Self {
        Self { byte_order_mark: is_there, ..self }
    }
    /// Sets the rule that groups findings: those of one group have the same number in the column `group`.
    #[must_use]
    pub fn groups(self, by: GroupBy) -> Self {
        Self { groups: by, ..self }
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "csv",
    extension: "csv",
    about: "for spreadsheets",
    contacts: false,
    writer: || Box::new(CsvReport::new()),
};

/// A name that no spreadsheet takes for a formula. A spreadsheet may run a cell that begins with `=`, `+`,
/// `-`, `@`, a tab or a carriage return. A semicolon or a tab in a name may separate cells, so it also runs
/// what follows them. An apostrophe before such a character makes it text (OWASP, 'CSV Injection'). JSON has
/// names as they are.
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

/// The first columns of every report, then those of checks of solids.
const ALWAYS: [&str; 8] = ["a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"];
const OF_SOLIDS: [&str; 12] = [
    "relation",
    "touching",
    "overlap_volume_lo",
    "overlap_volume_hi",
    "interference_depth_lo",
    "interference_depth_hi",
    "depth_at_least",
    "separating_translation_x",
    "separating_translation_y",
    "separating_translation_z",
    "shallow",
    "separating_distance",
];
const LAST: [&str; 6] = ["counts", "test", "severity", "finding", "group", "status"];
/// The column of reports whose rules state placement errors; it follows `LAST`.
const OF_PLACEMENT: &str = "fragile";
/// The column of reports with pairs that touch within rounding; it follows `OF_ELEMENTS`.
const OF_ROUNDING: &str = "within_rounding";
/// The columns of reports with parts that have an identifier or a type; they follow `OF_PLACEMENT`.
const OF_ELEMENTS: [&str; 4] = ["type_a", "type_b", "guid_a", "guid_b"];
const OF_DISTANCES: [&str; 5] = ["distance_lo", "distance_hi", "b_x", "b_y", "b_z"];

/// A row. A value that is unknown or does not apply is an empty cell.
#[derive(Default)]
struct Row {
    parts: [u32; 2],
    counts: Option<bool>,
    triangle_pairs: Option<u64>,
    point: [Option<f64>; 3],
    relation: Option<&'static str>,
    touching: Option<bool>,
    depth: Option<Depth>,
    shallow: Option<bool>,
    within_rounding: Option<bool>,
    distance: [Option<f64>; 5],
    certainty: Option<Sure>,
}

/// The test of a finding, its severity, id, group and status, and true if it is fragile.
type OfFinding<'a> = (
    Option<Cow<'a, str>>,
    Option<&'static str>,
    Option<String>,
    Option<u32>,
    Option<&'static str>,
    Option<bool>,
);

/// The findings in the order of the rows, and the group of each.
struct Findings<'a> {
    report: &'a Report,
    /// Indices in [`Report::findings`].
    order: Vec<u32>,
    /// Number of findings, in this order, whose rows are written.
    next: usize,
    /// Group of each finding. With a baseline, only new and reopened findings have one.
    group_of: Vec<Option<u32>>,
}

impl<'a> Findings<'a> {
    fn new(report: &'a Report, by: &GroupBy) -> Self {
        // Before the order exists: grouping takes more memory than it leaves.
        let group_of = Groups::numbers(report, by);
        let findings = report.findings();
        let key = |&i: &u32| {
            let finding = &findings[i as usize];
            (list(finding.kind), finding.parts(), finding.test)
        };
        let mut order: Vec<u32> = (0..findings.len() as u32).collect();
        order.sort_unstable_by(|i, j| key(i).cmp(&key(j)));
        Self { report, order, next: 0, group_of }
    }
    /// The next finding, if it belongs to this list and these parts.
    fn next(&mut self, in_list: u8, parts: &[u32]) -> Option<OfFinding<'a>> {
        let &i = self.order.get(self.next)?;
        let finding = &self.report.findings()[i as usize];
        if list(finding.kind) != in_list || finding.parts() != parts {
            return None;
        }
        self.next += 1;
        let test = &self.report.tests()[finding.test as usize];
        let seen = self.report.status(i as usize);
        let (id, group) = (seen.map(|seen| seen.id.to_string()), self.group_of[i as usize]);
        let status = seen.map(|seen| seen.status.name());
        let fragile = self.report.is_fragile(finding);
        Some((Some(inert(&test.name)), Some(test.severity.name()), id, group, status, fragile))
    }
}

impl Findings<'_> {
    /// The next finding, if the report has no list of its kind.
    fn next_other(&self) -> Option<Finding> {
        let finding = self.report.findings()[*self.order.get(self.next)? as usize];
        Some(finding).filter(|finding| list(finding.kind) == OTHER)
    }
}

/// The lists in the order of their rows.
const CLASHES: u8 = 0;
const NEAR: u8 = 1;
const OF_ONE_PART: u8 = 2;
const OTHER: u8 = 3;

fn list(kind: FindingKind) -> u8 {
    match kind {
        FindingKind::Clash(_) => CLASHES,
        FindingKind::Near => NEAR,
        FindingKind::SelfIntersection => OF_ONE_PART,
        _ => OTHER,
    }
}

struct Rows<'a, W: Write> {
    report: &'a Report,
    findings: Findings<'a>,
    csv: csv::Writer<W>,
    /// True if the report is about solids, about distances, and has chord tolerances.
    has: [bool; 3],
    /// True if rules state placement errors.
    has_placement: bool,
    /// True if a part has an identifier or a type.
    has_elements: bool,
    has_rounding: bool,
}

impl<'a, W: Write> Rows<'a, W> {
    fn new(report: &'a Report, by: &GroupBy, out: W) -> csv::Result<Self> {
        let has_distances = report.clearance().is_some() || report.motion_gaps().is_some();
        let has = [report.fill_rule().is_some(), has_distances, report.coverage().chord.is_some()];
        let mut csv = csv::Writer::from_writer(out);
        let optional = [&OF_SOLIDS[..], &OF_DISTANCES, &["certainty"]];
        let optional = optional.iter().zip(has).filter(|(_, has)| *has).flat_map(|(columns, _)| *columns);
        let has_placement = report.fragile().is_some();
        let placement = has_placement.then_some(&OF_PLACEMENT);
        let has_elements = report.parts().any(|part| part.guid().is_some() || part.class().is_some());
        let elements = OF_ELEMENTS.iter().filter(|_| has_elements);
        let has_rounding = report.tests().iter().any(|test| test.within_rounding > 0);
        let rounding = has_rounding.then_some(&OF_ROUNDING);
        let columns =
            ALWAYS.iter().chain(optional).chain(&LAST).chain(placement).chain(elements).chain(rounding);
        csv.write_record(columns)?;
        Ok(Self {
            report,
            findings: Findings::new(report, by),
            csv,
            has,
            has_placement,
            has_elements,
            has_rounding,
        })
    }
    /// Writes a row for each finding of this list about the parts of `row`; one row if there is none.
    fn write_findings(&mut self, in_list: u8, row: &Row) -> csv::Result<()> {
        let parts = if row.parts[0] == row.parts[1] { &row.parts[..1] } else { &row.parts };
        let first = self.findings.next(in_list, parts);
        self.write(row, first.unwrap_or_default())?;
        while let Some(finding) = self.findings.next(in_list, parts) {
            self.write(row, finding)?;
        }
        Ok(())
    }
    fn write(&mut self, row: &Row, finding: OfFinding<'_>) -> csv::Result<()> {
        let [name_a, name_b] = row.parts.map(|part| inert(self.report.part(part).name()));
        let always = (row.parts, name_a, name_b, row.triangle_pairs, row.point);
        let depth = row.depth.as_ref();
        let bounds = |of: fn(&Depth) -> Option<[f64; 2]>| {
            depth.and_then(of).map_or([None; 2], |bounds| bounds.map(Some))
        };
        let volumes = [bounds(|depth| depth.overlap_volume), bounds(|depth| depth.interference_depth)];
        let by = depth.and_then(|depth| depth.separating_translation).map_or([None; 3], |by| by.map(Some));
        let least = depth.and_then(|depth| depth.depth_at_least);
        let length = depth.and_then(|depth| depth.separating_distance);
        let solids = (row.relation, row.touching, volumes, least, by, row.shallow, length);
        let certainty = row.certainty.map(Sure::name);
        let (test, severity, id, group, status, fragile) = finding;
        let fragile = [fragile];
        let parts = row.parts.map(|part| self.report.part(part));
        let [types, guids] = [parts.map(|part| part.class()), parts.map(|part| part.guid())];
        let elements: [_; 4] = std::array::from_fn(|i| [types, guids][i / 2][i % 2].map(inert));
        let elements = &elements[..if self.has_elements { 4 } else { 0 }];
        let fragile = &fragile[..usize::from(self.has_placement)];
        let rounding = [row.within_rounding];
        let rounding = &rounding[..usize::from(self.has_rounding)];
        let last = (row.counts, test, severity, id, group, status, fragile, elements, rounding);
        // Each element of a tuple within a row is a cell.
        match self.has {
            [false, false, _] => self.csv.serialize((always, last)),
            [true, false, _] => self.csv.serialize((always, solids, last)),
            [false, true, _] => self.csv.serialize((always, row.distance, last)),
            [true, true, false] => self.csv.serialize((always, solids, row.distance, last)),
            // Certainty needs solids, and such a check includes distances.
            [true, true, true] => self.csv.serialize((always, solids, row.distance, certainty, last)),
        }
    }
}

impl ReportWriter for CsvReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        if self.byte_order_mark {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut rows = Rows::new(report, &self.groups, out)?;
        for clash in report.clashes() {
            let row = Row {
                parts: clash.parts,
                counts: Some(report.counts(clash)),
                triangle_pairs: Some(clash.triangle_pairs),
                point: clash.point.map(Some),
                relation: clash.relation.map(relations::name),
                touching: Some(clash.is_touching()),
                depth: report.depth(clash).copied(),
                shallow: report.is_within_tolerance(clash),
                within_rounding: Some(report.is_within_rounding(clash)),
                certainty: clash.certainty,
                ..Row::default()
            };
            rows.write_findings(CLASHES, &row)?;
        }
        for near in report.near() {
            let ([lo, hi], [x, y, z]) = (near.distance, near.points[1]);
            let row = Row {
                parts: near.parts,
                counts: Some(true),
                triangle_pairs: Some(0),
                point: near.points[0].map(Some),
                relation: Some(FindingKind::Near.name()),
                touching: Some(false),
                distance: [lo, hi, x, y, z].map(Some),
                certainty: near.certainty,
                ..Row::default()
            };
            rows.write_findings(NEAR, &row)?;
        }
        for part in report.parts() {
            let Some(found) = part.self_intersections().filter(|found| found.triangle_pairs > 0) else {
                continue;
            };
            let row = Row {
                parts: [part.index(); 2],
                counts: Some(true),
                triangle_pairs: Some(found.triangle_pairs),
                point: found.point.map_or([None; 3], |point| point.map(Some)),
                relation: Some(FindingKind::SelfIntersection.name()),
                touching: Some(true),
                ..Row::default()
            };
            rows.write_findings(OF_ONE_PART, &row)?;
        }
        while let Some(finding) = rows.findings.next_other() {
            let parts = match *finding.parts() {
                [a, b] => [a, b],
                ref one => [one[0]; 2],
            };
            let relation = Some(finding.kind.name());
            let mut row = Row { parts, counts: Some(true), relation, ..Row::default() };
            if let Some(gap) = report.motion_gap_of(&finding) {
                let ([lo, hi], [x, y, z]) = (gap.distance, gap.points[1]);
                row.point = gap.points[0].map(Some);
                row.distance = [lo, hi, x, y, z].map(Some);
            }
            rows.write_findings(OTHER, &row)?;
        }
        for &parts in report.not_examined() {
            let row = Row { parts, relation: Some("not_examined"), ..Row::default() };
            rows.write(&row, OfFinding::default())?;
        }
        rows.csv.flush()
    }
}
