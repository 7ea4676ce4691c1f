//! Tables of gaps along the poses of a motion.
use crate::{
    grid::Table,
    heading::{Heading, example_headings},
    section::Sections,
};
use impinge_check::{
    FindingKind,
    records::MotionGap,
    values::numbers::{Coordinates, count_of},
};
use std::io::{self, Write};

/// Writes the pairs that come too near, the nearest first, of findings that are listed.
pub(crate) fn people(page: &Sections<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let findings = (0..).zip(report.findings()).filter(|(_, finding)| finding.kind == FindingKind::MinGap);
    let listed = findings.filter(|&(i, _)| report.is_listed(i));
    let mut all: Vec<&MotionGap> = listed.filter_map(|(_, finding)| report.motion_gap_of(finding)).collect();
    if all.is_empty() {
        return Ok(());
    }
    // Distances are not negative, so their bits have the same order.
    all.sort_by_key(|gap| gap.distance[1].to_bits());
    writeln!(out, "\n{}\n", page.folded("Least gaps along poses, which are counted from 0. 1.250 is a quarter of the way from pose 1 to 2."))?;
    let shown = &all[..all.len().min(most)];
    let coordinates = Coordinates::like(shown.iter().flat_map(|gap| gap.points[0]), report.size());
    let gap = Heading { what: "gap", unit: page.units.symbols()[0] }.of_table();
    let [x, y, z] = example_headings(report, "at x");
    let headings = ["part that moves", "other part", ">pose", &gap, &x, &y, &z];
    let table = Table { headings: &headings, names: 2, together: 3, width: page.columns };
    let row = |gap: &&MotionGap| {
        let [a, b] = gap.parts;
        let other = if gap.moving == a { b } else { a };
        let mut row = page.labels([gap.moving, other]);
        row.push(gap.place());
        row.push(page.units.length(gap.distance[1]));
        row.extend(gap.points[0].map(|c| coordinates.show(c)));
        row
    };
    table.write(|| shown.iter().map(row), out)?;
    if shown.len() < all.len() {
        let left = count_of((all.len() - shown.len()) as u64, "more is", "more are");
        writeln!(out, "\n{left} not shown: --limit 0 shows all.")?;
    }
    Ok(())
}
