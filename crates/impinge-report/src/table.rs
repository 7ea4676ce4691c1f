//! [`TableReport`]: a report for people.
use crate::{
    contacts,
    grid::Table,
    groups,
    heading::{Heading, example_headings},
    motion_gaps,
    names::Names,
    near, omissions, rules,
    section::Sections,
    self_intersections,
    size_units::SizeUnits,
    summary::summary,
    words,
    writer::{Format, ReportWriter},
};
use impinge_check::{
    Clash, Pairs, Relations, Report,
    report::{GroupBy, WhatIfTolerance},
    sources::{CoordinateUnit, FileOffset},
    values::{
        numbers::{Coordinates, count_of, grouped, rough},
        text::{folded, printable},
    },
};
use std::io::{self, Write};

/// Report as text for people: tables of findings, the gravest first, and the numbers of examined pairs.
#[derive(Clone)]
pub struct TableReport {
    rows: usize,
    columns: Option<u16>,
    shown: Relations,
    example: Option<Vec<KnownFault>>,
    contacts: bool,
    groups: Option<GroupBy>,
    statistics: bool,
}

/// A fault that was made on purpose.
#[derive(Clone, Debug)]
pub struct KnownFault {
    /// The name of one part.
    pub a: String,
    /// The name of the other.
    pub b: String,
    /// Reason for the clash.
    pub why: String,
}

pub(crate) const FORMAT: Format = Format {
    name: "table",
    extension: "txt",
    about: "for people",
    contacts: false,
    writer: || Box::new(TableReport::new()),
};

impl Default for TableReport {
    fn default() -> Self {
        Self {
            rows: usize::MAX,
            columns: None,
            shown: Relations::NONE,
            example: None,
            contacts: false,
            groups: Some(GroupBy::Shapes),
            statistics: false,
        }
    }
}

impl TableReport {
    /// Report of all groups of findings, of any width.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the maximum number of rows of each table, the gravest first; the others are counted.
    #[must_use]
    pub fn rows(self, most: usize) -> Self {
        Self { rows: most, ..self }
    }
    /// Sets the number of columns of characters, into which tables fit if names allow it. With `None`, names
    /// of more than 48 columns are cut in their middle.
    #[must_use]
    pub fn columns(self, columns: Option<u16>) -> Self {
        Self { columns, ..self }
    }
    /// Lists clashes of these relations, too, even if they do not count.
    #[must_use]
    pub fn show(self, relations: Relations) -> Self {
        Self { shown: relations, ..self }
    }
    /// Lists contacts, too ([`Report::contact_graph`]).
    #[must_use]
    pub fn contacts(self, is: bool) -> Self {
        Self { contacts: is, ..self }
    }
    /// Lists groups of findings ([`Groups`](impinge_check::Groups)); `None` lists all findings.
    #[must_use]
    pub fn groups(self, by: Option<GroupBy>) -> Self {
        Self { groups: by, ..self }
    }
    /// Shows an example of each group in place of a point, if groups have labels.
    #[must_use]
    pub fn statistics(self, is: bool) -> Self {
        Self { statistics: is, ..self }
    }
    /// Marks the report as that of an example, and explains its faults.
    #[must_use]
    pub fn example(self, faults: Vec<KnownFault>) -> Self {
        Self { example: Some(faults), ..self }
    }

    /// True if a clash has a row. Shallow clashes have a table of their own.
    fn lists(&self, report: &Report, clash: &Clash) -> bool {
        let is_shown = clash.relation.is_some_and(|kind| self.shown.holds(kind));
        report.lists(clash)
            || is_shown
                && !report.counts(clash)
                && !report.is_shallow(clash)
                && !report.is_within_rounding(clash)
    }
}

impl ReportWriter for TableReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let (rows, columns) = (self.rows, self.columns);
        let page = Sections { report, names: Names::of(report), units: SizeUnits::of(report), columns };
        if self.example.is_some() {
            let whose = "This is the built-in example. To check files of your own: impinge check FILE...";
            writeln!(out, "{}\n", folded(whose, columns))?;
        }
        write!(out, "{}", page.names.list())?;
        if let Some(size) = size(report, self.example.is_some()) {
            writeln!(out, "{}", folded(&size, columns))?;
        }
        for offset in offsets(report) {
            writeln!(out, "{}", folded(&offset, columns))?;
        }
        if let Pairs::Across { .. } = report.pairs() {
            let across = "Only pairs of a part of the first file and a part of the second.";
            writeln!(out, "{}", folded(across, columns))?;
        }
        let lists = |clash: &Clash| self.lists(report, clash);
        if let Some(by) = &self.groups {
            let shown = groups::Shown { by, statistics: self.statistics, most: rows };
            groups::people(&page, &shown, out)?;
        } else if report.clashes().iter().any(lists) {
            writeln!(out)?;
            clashes(&page, &lists, rows, out)?;
        }
        let is_shown = |clash: &Clash| lists(clash) && !report.counts(clash);
        if self.groups.is_some() && report.clashes().iter().any(is_shown) {
            writeln!(out, "\nOther relations, which do not count:\n")?;
            clashes(&page, &is_shown, rows, out)?;
        }
        if report.clashes().iter().any(|clash| report.is_within_rounding(clash)) {
            let text = "Touching within rounding: overlaps that are no deeper than the rounding that the \
                        files of both parts state. They do not count.";
            writeln!(out, "\n{}\n", folded(text, columns))?;
            clashes(&page, &|clash| report.is_within_rounding(clash), rows, out)?;
        }
        let tolerance = match report.rules() {
            Some(_) => Some("the tolerance of a test".to_owned()),
            None => report.tolerance().map(|tolerance| page.given_length(tolerance)),
        };
        if let Some(tolerance) = tolerance
            && report.clashes().iter().any(|clash| report.is_shallow(clash))
        {
            let shallow = format!(
                "Shallow: at most {tolerance} deep, or a shift no longer than that takes them out of each \
                 other."
            );
            writeln!(out, "\n{}\n", folded(&shallow, columns))?;
            clashes(&page, &|clash| report.is_shallow(clash), rows, out)?;
        }
        let near_rows = if self.groups.is_some() { 0 } else { rows };
        near::people(&page, near_rows, out)?;
        motion_gaps::people(&page, rows, out)?;
        what_if_tolerance(&page, out)?;
        contacts::people(&page, self.contacts, rows, out)?;
        self_intersections::people(&page, rows, out)?;
        not_examined(&page, rows, out)?;
        omissions::people(report, rows, columns, out)?;
        rules::people(report, rows, columns, out)?;
        if let Some(faults) = &self.example {
            writeln!(out, "\n{}", explanations(report, faults, columns))?;
            let hint = "Findings that are alike are one row, a group: impinge check --demo lattice. What is \
                        designed can be left out: impinge check --demo gearbox --ignore 'cable_clip*'. \
                        `impinge rules example` prints a file of rules, explained.";
            writeln!(out, "\n{}", folded(hint, columns))?;
        }
        writeln!(out, "\n{}", summary(report, columns))
    }
}

/// Writes the number of findings at each tolerance.
fn what_if_tolerance(page: &Sections<'_>, out: &mut dyn Write) -> io::Result<()> {
    let all: Vec<_> = page.report.what_if_tolerance().collect();
    if all.is_empty() {
        return Ok(());
    }
    let text = "What if: findings at each tolerance, and those that it makes shallow.";
    writeln!(out, "\n{}\n", page.folded(text))?;
    let tolerance = Heading { what: "tolerance", unit: page.units.symbols()[0] }.of_table();
    let headings = [&tolerance, ">shallow", ">findings"];
    let table = Table { headings: &headings, names: 0, together: 0, width: page.columns };
    let row = |one: &WhatIfTolerance| {
        vec![page.units.given_length(one.tolerance), grouped(one.shallow), grouped(one.findings)]
    };
    table.write(|| all.iter().map(row), out)
}

/// Size of all parts together, with its unit.
fn size(report: &Report, is_example: bool) -> Option<String> {
    let sides = report.sides()?.map(rough).join(" x ");
    Some(match report.coordinate_unit() {
        CoordinateUnit::OfFiles(unit) if is_example => format!("Size {sides} {}", unit.symbol()),
        CoordinateUnit::OfFiles(unit) => format!("Size {sides} {}, unit from the file", unit.symbol()),
        CoordinateUnit::Stated(unit) => format!("Size {sides} {}, unit from --unit", unit.symbol()),
        CoordinateUnit::OfRules(unit) => format!("Size {sides} {}, unit from the rules", unit.symbol()),
        _ => format!("Size {sides}, unit unknown: --unit sets it"),
    })
}

/// The offsets of coordinates that files state, one line for each.
fn offsets(report: &Report) -> Vec<String> {
    let line = |one: &FileOffset| {
        let (file, [x, y, z]) = (printable(&one.file), one.offset);
        format!("Map coordinates of {file} are these plus ({x}, {y}, {z})")
    };
    report.offsets().iter().filter(|one| one.offset != [0.0; 3]).map(line).collect()
}

/// Writes the first pairs for which there was no time.
fn not_examined(page: &Sections<'_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let all = page.report.not_examined();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot examined, as the time was up:\n")?;
    let shown = &all[..all.len().min(rows)];
    let row = |&pair: &[u32; 2]| page.labels(pair);
    let table = Table { headings: &["part", "other part"], names: 2, together: 0, width: page.columns };
    table.write(|| shown.iter().map(row), out)?;
    if shown.len() < all.len() {
        let left = count_of((all.len() - shown.len()) as u64, "pair", "pairs");
        writeln!(out, "\nand {left} more: --limit 0 lists all")?;
    }
    Ok(())
}

/// Explanations of the clashes of the built-in assembly, whose faults were made on purpose.
fn explanations(report: &Report, expected: &[KnownFault], columns: Option<u16>) -> String {
    let named = |clash: &Clash| clash.parts.map(|part| report.part(part).name());
    let is = |[a, b]: [&str; 2], fault: &KnownFault| {
        [&*fault.a, &*fault.b] == [a, b] || [&*fault.b, &*fault.a] == [a, b]
    };
    let item = |text: String| {
        let text = folded(&text, columns.map(|columns| columns.saturating_sub(2)));
        format!("- {}", text.replace('\n', "\n  "))
    };
    let mut lines = vec!["These faults were built in:".to_owned()];
    let mut found: Vec<&Clash> = report.clashes().iter().collect();
    found.sort_by_key(|clash| report.rank(clash));
    for clash in found {
        let [a, b] = named(clash);
        let fault = expected.iter().find(|fault| is([a, b], fault));
        let why = fault.map_or("this one was not built in: please report it", |fault| &fault.why);
        let [a, b] = report.in_order(clash).map(|part| report.part(part).name());
        let relation = clash.relation.map(|kind| format!(" ({})", words::word(kind))).unwrap_or_default();
        lines.push(item(format!("{a}, {b}{relation}: {why}.")));
    }
    for fault in expected.iter().filter(|fault| !report.clashes().iter().any(|clash| is(named(clash), fault)))
    {
        let KnownFault { a, b, .. } = fault;
        lines.push(item(format!("{a}, {b}: this one was built in but not found: please report it.")));
    }
    lines.join("\n")
}

/// Writes rows of the clashes that `lists` selects, by rank, at most `most` rows.
fn clashes(
    page: &Sections<'_>,
    lists: &dyn Fn(&Clash) -> bool,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (report, units) = (page.report, &page.units);
    let all = report.clashes();
    // Indices, eight bytes each: there are at most 2^32 parts, but there may be more clashes than that.
    let mut shown: Vec<usize> = (0..all.len()).filter(|&i| lists(&all[i])).collect();
    let left = shown.len().saturating_sub(most);
    let key = |&i: &usize| (report.rank(&all[i]), i);
    if left > 0 {
        shown.select_nth_unstable_by_key(most, key);
        shown.truncate(most);
    }
    // Surfaces stay in the order of the parts, if all are shown.
    if left > 0 || report.fill_rule().is_some() {
        shown.sort_unstable_by_key(key);
    }
    let rows = || shown.iter().map(|&i| &all[i]);
    let coordinates = Coordinates::like(rows().flat_map(|clash| clash.point), report.size());
    let mut headings = vec!["part", if report.fill_rule().is_some() { "other part" } else { "meets part" }];
    if report.fill_rule().is_some() {
        headings.push("relation");
    }
    headings.extend(report.coverage().chord.map(|_| "certainty"));
    let is_deep = rows().any(|clash| report.depth(clash).is_some());
    let sizes = units.headings();
    let point = example_headings(report, "e.g. at x");
    match is_deep {
        true => headings.extend(sizes[..3].iter().map(|heading| &**heading)),
        false => headings.push(">triangle\npairs"),
    }
    headings.extend(point.iter().map(|heading| &**heading));
    let table = Table { headings: &headings, names: 2, together: 3, width: page.columns };
    let row = |clash: &Clash| {
        let mut row = page.labels(report.in_order(clash));
        row.extend(clash.relation.map(|kind| words::word(kind).to_owned()));
        row.extend(clash.certainty.map(|sure| sure.name().to_owned()));
        if is_deep {
            let depth = report.depth(clash);
            let volume = depth.and_then(|depth| depth.overlap_volume).map(|bounds| units.volume(bounds));
            let deep = depth.and_then(|depth| depth.interference_depth).map(|[_, hi]| units.length(hi));
            let by = depth.and_then(|depth| depth.separating_distance).map(|by| units.length(by));
            row.extend([volume, deep, by].map(|known| known.unwrap_or_else(|| "–".to_owned())));
        } else {
            row.push(grouped(clash.triangle_pairs));
        }
        row.extend(clash.point.map(|c| coordinates.show(c)));
        row
    };
    table.write(|| rows().map(row), out)?;
    if left > 0 {
        let text = format!(
            "Showing the first {} of {}: --limit 0 shows all, and -o clashes.json or -o clashes.csv \
             writes all.",
            grouped(shown.len() as u64),
            count_of((shown.len() + left) as u64, "clash", "clashes"),
        );
        writeln!(out, "\n{}", page.folded(&text))?;
    }
    Ok(())
}
