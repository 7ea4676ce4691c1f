//! Tables of contacts, and of groups that float.
use crate::{grid::Table, names::Names, words};
use impinge_check::{
    Report,
    records::{Dimension, Floating},
    values::{
        numbers::{Coordinates, amount, count, count_of, grouped},
        text::folded,
    },
};
use std::io::{self, Write};

/// The tables of a report whose check asked for them, of at most so many rows.
pub(crate) fn people(
    report: &Report,
    names: &Names<'_>,
    (contacts, most): (bool, usize),
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if contacts {
        touching(report, names, most, columns, out)?;
    }
    if let Some(all) = report.floating() {
        floating(report, (all, names), most, columns, out)?;
    }
    Ok(())
}

/// What touches what: the largest contacts first, areas before lines before points.
fn touching(
    report: &Report,
    names: &Names<'_>,
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let graph = report.contact_graph();
    let size = |i: usize| graph.edges()[i].size();
    let mut shown: Vec<usize> = (0..graph.edges().len()).collect();
    // Sizes are not negative: as their bits go, so do they.
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
    writeln!(out, "\n{}", folded(&text, columns))?;
    if shown.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let points = shown.iter().flat_map(|&i| graph.edges()[i].point);
    let coordinates = Coordinates::like(points, report.size());
    let headings =
        ["part", "other part", "relation", "contact", ">length\nor area", ">e.g. at x", ">y", ">z"];
    let table = Table { headings: &headings, names: 2, together: 3, width: columns };
    let row = |&i: &usize| {
        let edge = &graph.edges()[i];
        let mut row = edge.parts.map(|part| names.label(part as usize)).to_vec();
        row.push(edge.relation.map_or("–", words::word).to_owned());
        row.push(edge.dimension.map_or("–", Dimension::name).to_owned());
        row.push(size(i).map_or_else(|| "–".to_owned(), |[lo, hi]| amount(lo / 2.0 + hi / 2.0)));
        row.extend(edge.point.map(|c| coordinates.show(c)));
        row
    };
    table.write(|| shown.iter().map(row), out)?;
    if left > 0 {
        let text =
            format!("{} not shown: --limit 0 shows all.", count_of(left as u64, "more is", "more are"));
        writeln!(out, "\n{}", folded(&text, columns))?;
    }
    Ok(())
}

/// Groups that float, in the order of the parts.
fn floating(
    report: &Report,
    (all, names): (&[Floating], &Names<'_>),
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if all.is_empty() {
        let text = if report.part_count() > 1 { "Nothing floats: all parts are connected." } else { "" };
        return if text.is_empty() { Ok(()) } else { writeln!(out, "\n{}", folded(text, columns)) };
    }
    let text = format!(
        "Floating: {} nothing else; the largest connected group is not listed.",
        count_of(all.len() as u64, "part or group touches", "parts and groups touch"),
    );
    writeln!(out, "\n{}\n", folded(&text, columns))?;
    let shown = &all[..all.len().min(most)];
    let headings = ["part or group", "nearest part", ">parts", ">gap"];
    let table = Table { headings: &headings, names: 2, together: 0, width: columns };
    let row = |one: &Floating| {
        let first = one.nearest.map_or(one.parts[0], |nearest| nearest.part);
        let nearest = one.nearest.map(|nearest| names.label(nearest.other as usize));
        let gap = one.nearest.map(|nearest| amount(nearest.distance[1]));
        let none = || "–".to_owned();
        vec![
            names.label(first as usize),
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
