//! Output of `impinge check` about distances.
use crate::{
    chord::{Chord, Sure},
    clearance::{Clearance, Near},
    coverage::Distances,
    outcome::Report,
    report::{Coordinates, Names, Table, amount_beside, count, count_of, folded, grouped, shortest},
};
use impinge::distance::Margin;
use serde::Serialize;
use std::io::Write;

/// For programs.
#[derive(Serialize)]
pub(super) struct JsonNear {
    a: u32,
    b: u32,
    /// Lower and upper bound.
    distance: [f64; 2],
    /// The nearest points, on each part.
    points: [[f64; 3]; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<Sure>,
}

impl From<&Near> for JsonNear {
    fn from(near: &Near) -> Self {
        let &Near { parts: [a, b], distance, points, certainty } = near;
        Self { a, b, distance, points, certainty }
    }
}

/// Columns of a spreadsheet beside those of clashes: the first point is where a clash has its own.
pub(super) const COLUMNS: [&str; 5] = ["distance_lo", "distance_hi", "b_x", "b_y", "b_z"];

/// The cells of these columns.
pub(super) type Cells = [Option<f64>; 5];

/// The cells of a clash.
pub(super) const NO_CELLS: Cells = [None; 5];

pub(super) fn cells(near: &Near) -> Cells {
    let ([lo, hi], [x, y, z]) = (near.distance, near.points[1]);
    [lo, hi, x, y, z].map(Some)
}

/// For people: at most so many rows, the nearest first.
pub(super) fn people(
    report: &Report,
    names: &Names<'_>,
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(nears) = &report.nears else { return Ok(()) };
    if let Some(limit) = nears.asked.limit
        && !nears.list.is_empty()
    {
        let limit = shortest([limit.get(); 2]);
        let at_most = match nears.asked.chord.as_ref().map(Chord::only) {
            Some(Some(only)) => format!("{limit}, or twice the chord tolerance of {} more,", only.get()),
            Some(None) => format!("{limit}, or the chord tolerances of both more,"),
            None => limit,
        };
        let text = format!(
            "Near: at most {at_most} apart without meeting. The point is the nearest one of the first part."
        );
        writeln!(out, "\n{}\n", folded(&text, columns))?;
        table(report, names, (&nears.asked, most), columns, out)?;
    }
    if !nears.asked.what_if.is_empty() {
        writeln!(
            out,
            "\n{}\n",
            folded("What if: findings at each clearance, and pairs that are near.", columns)
        )?;
        let headings = [">clearance", ">near", ">findings"];
        let table = Table { headings: &headings, names: 0, together: 0, width: columns };
        let rows = report.what_if().map(|what_if| {
            vec![shortest([what_if.clearance; 2]), grouped(what_if.near), grouped(what_if.findings)]
        });
        let rows: Vec<_> = rows.collect();
        table.write(|| rows.iter().cloned(), out)?;
    }
    Ok(())
}

fn table(
    report: &Report,
    names: &Names<'_>,
    (asked, most): (&Clearance, usize),
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let all = report.near();
    let mut shown: Vec<usize> = (0..all.len()).collect();
    // Distances are not negative: as their bits go, so do they.
    shown.sort_by_key(|&i| (all[i].distance[1].to_bits(), i));
    shown.truncate(most);
    let rows = || shown.iter().map(|&i| &all[i]);
    let coordinates = Coordinates::like(rows().flat_map(|near| near.points[0]), report.facts.size);
    let row = |near: &Near| {
        let mut row = near.parts.map(|part| names.label(part as usize)).to_vec();
        row.extend(near.certainty.map(|sure| sure.word().to_owned()));
        let limits = asked.compared(report.chords.as_ref(), near.parts);
        let limits: Vec<f64> = limits.each().map(Margin::get).collect();
        row.push(amount_beside(near.distance[1], &limits));
        row.extend(near.points[0].map(|c| coordinates.show(c)));
        row
    };
    let certainty = report.coverage.chord.map(|_| "certainty");
    let headings = ["part", "other part"].into_iter().chain(certainty);
    let headings: Vec<_> = headings.chain([">distance", ">at x", ">y", ">z"]).collect();
    Table { headings: &headings, names: 2, together: 3, width: columns }.write(|| rows().map(row), out)?;
    let left = all.len() - shown.len();
    if left > 0 {
        let text = format!(
            "Shown are the {} that are nearest, {} not: --limit 0 shows all, and -o clashes.json or -o \
             clashes.csv writes all.",
            grouped(shown.len() as u64),
            count_of(left as u64, "more is", "more are")
        );
        writeln!(out, "\n{}", folded(&text, columns))?;
    }
    Ok(())
}

/// The coverage report about distances.
pub(super) fn ledger(distances: &Distances) -> String {
    let &Distances { limit, listed, searched, boxes_within, near, .. } = distances;
    let [are, their, all] = if boxes_within == 1 { ["is", "its", ""] } else { ["are", "their", "all "] };
    // Sums with chord tolerances are rounded up.
    let below = if limit == listed { 0.0 } else { 2.0 * f64::EPSILON };
    let shown = |sum: f64| shortest([sum * (1.0 - below), sum]);
    let near = match near {
        Some(near) if listed != Some(searched) => {
            format!(": {} near, at most {} apart", grouped(near), shown(listed.unwrap_or(0.0)))
        }
        Some(near) => format!(": {} near", grouped(near)),
        None => String::new(),
    };
    let pairs = count(boxes_within, "part pair");
    format!(" {pairs} {are} within {} by {their} boxes, {all}tested{near}.", shown(searched))
}
