//! Tables of near pairs, and of their numbers at other clearances.
use crate::{
    grid::Table,
    heading::{Heading, example_headings},
    section::Sections,
    size_units::SizeUnits,
    summary_line::SummaryLine,
};
use impinge_check::{
    records::Near,
    report::Distances,
    values::numbers::{Coordinates, count, grouped},
};
use std::io::{self, Write};

/// Writes at most `most` rows, the nearest first; the caller passes 0 if groups list near pairs.
pub(super) fn people(page: &Sections<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let Some(limit) = report.clearance() else { return Ok(()) };
    if let Some(limit) = limit
        && !report.near().is_empty()
    {
        let limit = page.given_length(limit);
        let at_most = match report.chord() {
            Some(Some(only)) => {
                format!("{limit}, or twice the chord tolerance of {} more,", page.given_length(only))
            }
            Some(None) if report.coverage().chord.as_ref().is_some_and(|chord| chord.is_of_rounding) => {
                format!("{limit}, or the rounding of both more,")
            }
            Some(None) => format!("{limit}, or the chord tolerances of both more,"),
            None => limit,
        };
        let text = format!(
            "Near: pairs that do not meet and are at most {at_most} apart. The point is that of the first part."
        );
        writeln!(out, "\n{}", page.folded(&text))?;
        if most > 0 {
            writeln!(out)?;
            table(page, most, out)?;
        }
    }
    if report.what_if().next().is_some() {
        writeln!(
            out,
            "\n{}\n",
            page.folded("What if: findings at each clearance, and pairs that are near.")
        )?;
        let clearance = Heading { what: "clearance", unit: page.units.symbols()[0] }.of_table();
        let headings = [&clearance, ">near", ">findings"];
        let table = Table { headings: &headings, names: 0, together: 0, width: page.columns };
        let rows = report.what_if().map(|what_if| {
            vec![page.units.given_length(what_if.clearance), grouped(what_if.near), grouped(what_if.findings)]
        });
        let rows: Vec<_> = rows.collect();
        table.write(|| rows.iter().cloned(), out)?;
    }
    Ok(())
}

fn table(page: &Sections<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let all = report.near();
    let mut shown: Vec<usize> = (0..all.len()).collect();
    // Distances are not negative, so their bits have the same order.
    shown.sort_by_key(|&i| (all[i].distance[1].to_bits(), i));
    shown.truncate(most);
    let rows = || shown.iter().map(|&i| &all[i]);
    let coordinates = Coordinates::like(rows().flat_map(|near| near.points[0]), report.size());
    let row = |near: &Near| {
        let mut row = page.labels(near.parts);
        row.extend(near.certainty.map(|sure| sure.name().to_owned()));
        row.push(page.units.gap_beside(near.distance[1], &report.compared(near)));
        row.extend(near.points[0].map(|c| coordinates.show(c)));
        row
    };
    let certainty = report.coverage().chord.map(|_| "certainty");
    let distance = Heading { what: "distance", unit: page.units.symbols()[0] }.of_table();
    let [x, y, z] = example_headings(report, "at x");
    let headings = ["part", "other part"].into_iter().chain(certainty);
    let headings: Vec<_> = headings.chain([&*distance, &x, &y, &z]).collect();
    Table { headings: &headings, names: 2, together: 3, width: page.columns }
        .write(|| rows().map(row), out)?;
    let left = all.len() - shown.len();
    if left > 0 {
        let text = format!(
            "Showing the nearest {} of {}: --limit 0 shows all, and -o clashes.json or -o clashes.csv writes all.",
            grouped(shown.len() as u64),
            count(all.len() as u64, "pair"),
        );
        writeln!(out, "\n{}", page.folded(&text))?;
    }
    Ok(())
}

/// The line of the summary about distances.
pub(super) fn summary_line(units: &SizeUnits, distances: &Distances) -> SummaryLine {
    let &Distances { listed, searched, boxes_within, pairs_left_out, tested, near, .. } = distances;
    let shown = |sum: f64| units.with_length_unit(&units.given_length(sum));
    let tested = match (tested, pairs_left_out) {
        (n, 0) if n < boxes_within => format!("only {} of them tested", grouped(n)),
        (_, 0) => "all tested".to_owned(),
        (n, out) => format!("{} of them tested, the rules leave {} out", grouped(n), grouped(out)),
    };
    let pairs = count(boxes_within + pairs_left_out, "part pair");
    let mut text = format!("of {pairs} within {} by their boxes, {tested}", shown(searched));
    if near.is_some() && listed != Some(searched) {
        text = format!("at most {} apart; {text}", shown(listed.unwrap_or(0.0)));
    }
    SummaryLine { name: "Near", number: near, text }
}
