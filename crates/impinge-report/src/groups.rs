//! Tables of groups of findings.
use crate::{grid::Table, names::Names, words};
use impinge::relation::RelationKind;
use impinge_check::{
    Groups, Pattern, Report,
    numbers::{amount, count, count_of, grouped},
    text::folded,
};
use std::io::{self, Write};

/// Parts that explain findings: so many are listed where the rest explain few.
const EXPLAINED: usize = 10;

/// The tables of groups, of at most so many rows.
pub(crate) fn people(
    report: &Report,
    names: &Names<'_>,
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = Groups::new(report);
    if groups.patterns.is_empty() {
        return Ok(());
    }
    let text = format!(
        "Groups: {} of the same two shapes with the same relation, in {}; each with one pair of parts as example.",
        count(groups.patterns.len() as u64, "group"),
        count_of(groups.connected.len() as u64, "connected set of parts", "connected sets of parts"),
    );
    writeln!(out, "\n{}\n", folded(&text, columns))?;
    let shown = &groups.patterns[..groups.patterns.len().min(most)];
    let headings = ["part", "other part", "relation", ">times", ">placements", ">largest\nvolume"];
    let table = Table { headings: &headings, names: 2, together: 0, width: columns };
    let row = |pattern: &Pattern| {
        let mut row = named(pattern).map(|part| names.label(part as usize)).to_vec();
        let word = if pattern.is_near { "near" } else { pattern.relation.map_or("meet", words::word) };
        row.push(word.to_owned());
        row.push(grouped(pattern.pairs.len() as u64));
        row.push(grouped(pattern.placements as u64));
        row.push(pattern.volume.map_or_else(|| "–".to_owned(), amount));
        row
    };
    table.write(|| shown.iter().map(row), out)?;
    if shown.len() < groups.patterns.len() {
        let left = count_of((groups.patterns.len() - shown.len()) as u64, "more is", "more are");
        writeln!(out, "\n{}", folded(&format!("{left} not shown: --limit 0 shows all."), columns))?;
    }
    explained(report, (&groups, names), most.min(EXPLAINED), columns, out)
}

/// The parts of a group's example, the one that is inside the other, or the surface, first.
fn named(pattern: &Pattern) -> [u32; 2] {
    let [a, b] = pattern.pairs[0];
    match pattern.relation {
        Some(RelationKind::BInA) => [b, a],
        _ => [a, b],
    }
}

/// The parts that resolve most findings.
fn explained(
    report: &Report,
    (groups, names): (&Groups, &Names<'_>),
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Where each part has one finding, parts explain nothing.
    if groups.explained.first().is_none_or(|one| one.findings < 2) {
        return Ok(());
    }
    let all = &groups.explained;
    let text = format!(
        "Explained by: {} of {} {} in all {}. Each row counts what the rows above leave.",
        count(all.len() as u64, "part"),
        grouped(report.part_count() as u64),
        if all.len() == 1 { "is" } else { "are" },
        count(report.findings(), "finding"),
    );
    writeln!(out, "\n{}\n", folded(&text, columns))?;
    let shown = &all[..all.len().min(most)];
    let table = Table { headings: &["part", ">findings"], names: 1, together: 0, width: columns };
    let row = |one: &impinge_check::Explained| vec![names.label(one.part as usize), grouped(one.findings)];
    table.write(|| shown.iter().map(row), out)
}
