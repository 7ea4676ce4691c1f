//! Tables of contacts and of floating groups.
use crate::{
    grid::Table,
    heading::{Heading, example_headings},
    section::Sections,
    words,
};
use impinge_check::{
    records::{Dimension, Floating},
    values::numbers::{Coordinates, count, count_of, grouped},
};
use std::io::{self, Write};

/// Writes a table of contacts if `contacts`, and one of floating groups if the check has found them. Each has
/// at most `most` rows.
pub(crate) fn people(
    page: &Sections<'_>,
    contacts: bool,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if contacts {
        touching(page, most, out)?;
    }
    if let Some(all) = page.report.floating() {
        floating(page, all, most, out)?;
    }
    Ok(())
}

/// Writes the contacts, the largest first: areas before lines before points.
fn touching(page: &Sections<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let graph = report.contact_graph();
    let size = |i: usize| graph.edges()[i].size();
    let mut shown: Vec<usize> = (0..graph.edges().len()).collect();
    // Sizes are not negative, so their bits have the same order.
    let key = |&i: &usize| {
        let edge = &graph.edges()[i];
        (std::cmp::Reverse((edge.dimension, size(i).map(|size| size[1].to_bits()))), i)
    };
    shown.sort_unstable_by_key(key);
    let left = shown.len().saturating_sub(most);
    shown.truncate(most);
    let text = format!(
        "Contacts: {} with a point in common, in {}.",
        count(graph.edges().len() as u64, "part pair"),
        count_of(graph.components().len() as u64, "connected group", "connected groups"),
    );
    writeln!(out, "\n{}", page.folded(&text))?;
    if shown.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let points = shown.iter().flat_map(|&i| graph.edges()[i].point);
    let coordinates = Coordinates::like(points, report.size());
    let [x, y, z] = example_headings(report, "e.g. at x");
    let headings = ["part", "other part", "relation", "contact", ">length\nor area", &x, &y, &z];
    let table = Table { headings: &headings, names: 2, together: 3, width: page.columns };
    let row = |&i: &usize| {
        let edge = &graph.edges()[i];
        let mut row = page.labels(edge.parts);
        row.push(edge.relation.map_or("–", words::word).to_owned());
        row.push(edge.dimension.map_or("–", Dimension::name).to_owned());
        let power = if edge.dimension == Some(Dimension::Area) { 2 } else { 1 };
        row.push(
            size(i).map_or_else(|| "–".to_owned(), |[lo, hi]| page.units.contact(lo / 2.0 + hi / 2.0, power)),
        );
        row.extend(edge.point.map(|c| coordinates.show(c)));
        row
    };
    table.write(|| shown.iter().map(row), out)?;
    if left > 0 {
        let text =
            format!("{} not shown: --limit 0 shows all.", count_of(left as u64, "more is", "more are"));
        writeln!(out, "\n{}", page.folded(&text))?;
    }
    Ok(())
}

/// Writes the floating groups, in the order of the parts.
fn floating(page: &Sections<'_>, all: &[Floating], most: usize, out: &mut dyn Write) -> io::Result<()> {
    if all.is_empty() {
        let text = if page.report.part_count() > 1 { "Nothing floats: all parts are connected." } else { "" };
        return if text.is_empty() { Ok(()) } else { writeln!(out, "\n{}", page.folded(text)) };
    }
    let text = format!(
        "Floating: {} nothing else; the largest connected group is not listed.",
        count_of(all.len() as u64, "part or group touches", "parts and groups touch"),
    );
    writeln!(out, "\n{}\n", page.folded(&text))?;
    let shown = &all[..all.len().min(most)];
    let gap = Heading { what: "gap", unit: page.units.symbols()[0] }.of_table();
    let headings = ["part or group", "nearest part", ">parts", &gap];
    let table = Table { headings: &headings, names: 2, together: 0, width: page.columns };
    let row = |one: &Floating| {
        let first = one.nearest.map_or(one.parts[0], |nearest| nearest.part);
        let nearest = one.nearest.map(|nearest| page.names.label(nearest.other as usize));
        let gap = one.nearest.map(|nearest| page.units.length(nearest.distance[1]));
        let none = || "–".to_owned();
        vec![
            page.names.label(first as usize),
            nearest.unwrap_or_else(none),
            grouped(one.parts.len() as u64),
            gap.unwrap_or_else(none),
        ]
    };
    table.write(|| shown.iter().map(row), out)?;
    if shown.len() < all.len() {
        let left = count_of((all.len() - shown.len()) as u64, "more is", "more are");
        writeln!(out, "\n{left} not shown: --limit 0 shows all.")?;
    }
    Ok(())
}
