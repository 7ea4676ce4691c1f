//! Parts that intersect themselves, for people.
use crate::{grid::Table, heading::example_headings, section::Sections};
use impinge_check::{
    report::{PartFacts, SelfIntersecting},
    values::numbers::{Coordinates, count, count_of, grouped},
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

/// Sentences of the coverage report about parts that intersect themselves.
pub(crate) fn ledger(&SelfIntersecting { parts, not_examined, .. }: &SelfIntersecting) -> String {
    let mut text = match parts {
        0 if not_examined > 0 => String::new(),
        0 => " No part intersects itself.".to_owned(),
        1 => " 1 part intersects itself.".to_owned(),
        _ => format!(" {} intersect themselves.", count(parts, "part")),
    };
    if not_examined > 0 {
        let parts = count_of(not_examined, "part was", "parts were");
        text += &format!(" {parts} not examined for self-intersections: the time was up.");
    }
    text
}
