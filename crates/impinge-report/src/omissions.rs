//! Parts of the files that an assembly lacks: a list of those not examined, and numbers of those left out.
use crate::{grid::Table, summary_line::SummaryLine};
use impinge_check::{
    Report,
    sources::Omission,
    values::{
        numbers::{count, count_of, grouped},
        text::{folded, printable},
    },
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Text for an unknown value.
const NONE: &str = "–";

/// Headings of the lists for people.
pub(crate) const HEADINGS: [&str; 4] = ["part", "type", "identifier", "reason"];

/// Parts that no mesh could be made of.
pub(crate) fn failed(report: &Report) -> Vec<&Omission> {
    report.omissions().iter().filter(|omission| omission.is_failed()).collect()
}

pub(crate) fn row(omission: &Omission) -> [String; 4] {
    let text = |text: &Option<String>| text.as_deref().map_or_else(|| NONE.to_owned(), printable);
    let name = match omission.count {
        1 => text(&omission.name),
        n => count(n, "part"),
    };
    [name, text(&omission.class), text(&omission.guid), printable(&omission.reason)]
}

/// The text that ends a headline, such as `, 3 parts not examined`; empty if all parts were.
pub(crate) fn headline(report: &Report) -> String {
    match report.coverage().parts_not_examined {
        0 => String::new(),
        n => format!(", {} not examined", count(n, "part")),
    }
}

/// Lines of the summary about parts. `quote` writes types.
pub(crate) fn summary_lines(report: &Report, quote: fn(String) -> String) -> Vec<SummaryLine> {
    let coverage = report.coverage();
    let mut lines = Vec::new();
    if coverage.parts_not_examined > 0 {
        let text = "parts, in whole or in part: no mesh could be made of what the files have";
        lines.push(SummaryLine::new("Not examined", coverage.parts_not_examined, text));
    }
    if coverage.parts_left_out > 0 {
        let text = format!("on purpose: {}", by_class(report, quote));
        lines.push(SummaryLine::new("Left out", coverage.parts_left_out, text));
    }
    lines
}

/// Numbers of parts that were left out, by type, the most frequent first.
fn by_class(report: &Report, quote: fn(String) -> String) -> String {
    let mut counts: BTreeMap<Option<&str>, u64> = BTreeMap::new();
    for omission in report.omissions().iter().filter(|omission| !omission.is_failed()) {
        *counts.entry(omission.class.as_deref()).or_default() += omission.count;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(class, n)| (class.is_none(), std::cmp::Reverse(*n)));
    let one = |(class, n): &(Option<&str>, u64)| match class {
        Some(class) => format!("{} {}", grouped(*n), quote(printable(class))),
        None => format!("{} without a type", count(*n, "part")),
    };
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Writes the list of parts that were not examined.
pub(crate) fn people(
    report: &Report,
    rows: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = failed(report);
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}\n", folded("Not examined, as no mesh could be made of them:", columns))?;
    let shown = &all[..all.len().min(rows)];
    let table = Table { headings: &HEADINGS, names: 1, together: 0, width: columns };
    table.write(|| shown.iter().map(|omission| row(omission).to_vec()), out)?;
    if shown.len() < all.len() {
        let left = count_of((all.len() - shown.len()) as u64, "entry", "entries");
        writeln!(out, "\nand {left} more: --limit 0 lists all")?;
    }
    Ok(())
}
