//! Parts that intersect themselves, for people.
use crate::{grid::Table, heading::example_headings, section::Sections, summary_line::SummaryLine};
use impinge_check::{
    report::{PartFacts, SelfIntersecting},
    values::numbers::{Coordinates, count_of, grouped},
};
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Writes a row for each part that intersects itself, the part with the most pairs first.
pub(crate) fn people(page: &Sections<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let found = |part: &PartFacts<'_>| part.self_intersections().map_or(0, |found| found.triangle_pairs);
    let mut shown: Vec<PartFacts<'_>> = report.parts().filter(|part| found(part) > 0).collect();
    if shown.is_empty() {
        return Ok(());
    }
    shown.sort_by_key(|part| Reverse(found(part)));
    let left = shown.len().saturating_sub(most);
    shown.truncate(most);
    let points = shown.iter().filter_map(|part| part.self_intersections()?.point);
    let coordinates = Coordinates::like(points.flatten(), report.size());
    writeln!(out, "\nSelf-intersections:\n")?;
    let row = |part: &PartFacts<'_>| {
        let point = part.self_intersections().and_then(|found| found.point);
        let what = [page.names.label(part.index() as usize), grouped(found(part))];
        what.into_iter().chain(point.into_iter().flatten().map(|c| coordinates.show(c))).collect()
    };
    let [x, y, z] = example_headings(report, "e.g. at x");
    let headings = ["part", ">triangle\npairs", &x, &y, &z];
    let table = Table { headings: &headings, names: 1, together: 3, width: page.columns };
    table.write(|| shown.iter().map(row), out)?;
    if left > 0 {
        writeln!(out, "\nand {}: --limit 0 lists all", count_of(left as u64, "part more", "parts more"))?;
    }
    Ok(())
}

/// Lines of the summary about parts that intersect themselves.
pub(crate) fn summary_lines(
    &SelfIntersecting { parts, not_examined, .. }: &SelfIntersecting,
) -> Vec<SummaryLine> {
    let mut lines = Vec::new();
    if parts > 0 || not_examined == 0 {
        lines.push(SummaryLine::new("Self", parts, "parts intersect themselves"));
    }
    if not_examined > 0 {
        lines.push(SummaryLine::new(
            "Not examined",
            not_examined,
            "parts for self-intersections: the time was up",
        ));
    }
    lines
}
