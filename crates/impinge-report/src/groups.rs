//! Tables of groups of findings.
use crate::{grid::Table, heading::example_headings, section::Sections, size_columns::SizeColumns, words};
use impinge::relation::RelationKind;
use impinge_check::{
    Finding, FindingKind, Groups, Report,
    report::{Explained, Group, GroupBy},
    values::{
        numbers::{Coordinates, count, count_of, grouped},
        text::printable,
    },
};
use std::io::{self, Write};

/// Maximum number of parts that are listed because they explain findings; the rest explain few.
const EXPLAINED: usize = 10;

/// Options of the tables.
pub(crate) struct Shown<'a> {
    pub(crate) by: &'a GroupBy,
    /// True if each row has an example in place of a point.
    pub(crate) statistics: bool,
    /// Maximum number of rows.
    pub(crate) most: usize,
}

pub(crate) fn people(page: &Sections<'_>, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let groups = Groups::by(report, shown.by);
    if groups.groups.is_empty() {
        return Ok(());
    }
    let findings = report.listed() as usize;
    if groups.groups.len() < findings {
        let what = match shown.by {
            GroupBy::Labels(_) => "with the same labels".to_owned(),
            GroupBy::Near(length) => format!("with gaps of at most {}", page.given_length(*length)),
            _ => "of the same two shapes with the same relation".to_owned(),
        };
        let text = format!(
            "{} in {} {what}; each row shows the gravest of its group.",
            count(findings as u64, "finding"),
            count(groups.groups.len() as u64, "group"),
        );
        writeln!(out, "\n{}", page.folded(&text))?;
    }
    writeln!(out)?;
    table(page, &groups, shown, out)?;
    explained(page, &groups, shown.most, out)
}

/// Writes a row for each of the first groups.
fn table(page: &Sections<'_>, groups: &Groups, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = page.report;
    let all = &groups.groups[..groups.groups.len().min(shown.most)];
    let gravest = |group: &Group| report.findings()[group.findings[0] as usize];
    let has_point = !shown.statistics;
    let has = |is: &dyn Fn(&Group) -> bool| all.iter().any(is);
    let has_tests = report.tests().len() > 1;
    let severity = |group: &Group| report.tests()[group.test as usize].severity;
    let has_severity = has(&|group| severity(group) != severity(&all[0])) || has_tests;
    let has_status = report.comparison().is_some();
    let has_labels = has(&|group| group.labels.is_some());
    let has_times = has(&|group| group.findings.len() > 1);
    let sizes = SizeColumns::new(report, &page.units, all.iter().map(|group| &group.size));
    let certainty = |group: &Group| {
        let finding = gravest(group);
        report
            .clash_of(&finding)
            .and_then(|clash| clash.certainty)
            .or_else(|| report.near_of(&finding).and_then(|near| near.certainty))
    };
    let has_certainty = has(&|group| certainty(group).is_some());
    let fragile = |group: &Group| {
        let each = group.findings.iter().map(|&i| &report.findings()[i as usize]);
        each.filter(|finding| report.is_fragile(finding) == Some(true)).count() as u64
    };
    let has_fragile = has(&|group| fragile(group) > 0);
    let mut headings = if has_labels { vec!["of", "and"] } else { vec!["part", "other part"] };
    headings.push("relation");
    headings.extend(has_severity.then_some("severity"));
    headings.extend(has_status.then_some("status"));
    headings.extend(has_tests.then_some("test"));
    headings.extend(has_certainty.then_some("certainty"));
    headings.extend(has_times.then_some(">times"));
    headings.extend(has_fragile.then_some(">fragile"));
    let mut headings: Vec<String> = headings.into_iter().map(str::to_owned).collect();
    headings.extend(sizes.headings().map(|heading| heading.of_table()));
    if has_point {
        headings.extend(example_headings(report, "e.g. at x"));
    } else if has_labels {
        headings.push("e.g.".to_owned());
    }
    let headings: Vec<&str> = headings.iter().map(|heading| &**heading).collect();
    let points = all.iter().filter_map(|group| report.point_of(&gravest(group)));
    let coordinates = Coordinates::like(points.flatten(), report.size());
    let together = if has_point { 3 } else { 0 };
    let table = Table { headings: &headings, names: 2, together, width: page.columns };
    let row = |group: &Group| {
        let finding = gravest(group);
        let parts = parts(report, &finding);
        let label = |part: u32| page.names.label(part as usize);
        let mut row = match &group.labels {
            Some(labels) => labels.each_ref().map(|label| printable(label)).to_vec(),
            None => parts.map(|part| part.map_or_else(String::new, label)).to_vec(),
        };
        row.push(finding_word(finding.kind).to_owned());
        row.extend(has_severity.then(|| severity(group).name().to_owned()));
        row.extend(has_status.then(|| status(report, group.findings[0])));
        row.extend(has_tests.then(|| printable(&report.tests()[group.test as usize].name)));
        row.extend(
            has_certainty.then(|| certainty(group).map_or("", impinge_check::parts::Sure::name).to_owned()),
        );
        row.extend(has_times.then(|| grouped(group.findings.len() as u64)));
        row.extend(has_fragile.then(|| grouped(fragile(group))));
        row.extend(sizes.cells(&group.size, &finding));
        if has_point {
            let point = report.point_of(&finding);
            row.extend(match point {
                Some(point) => point.map(|c| coordinates.show(c)),
                None => [(); 3].map(|()| "–".to_owned()),
            });
        } else if has_labels {
            let example: Vec<String> = parts.into_iter().flatten().map(label).collect();
            row.push(example.join(", "));
        }
        row
    };
    table.write(|| all.iter().map(row), out)?;
    let left = groups.groups.len() - all.len();
    if left > 0 {
        let text = format!(
            "Showing the first {} of {}: --limit 0 shows all, --ungrouped lists pairs, and -o clashes.json or \
             -o clashes.csv writes all.",
            grouped(all.len() as u64),
            count(groups.groups.len() as u64, "group"),
        );
        writeln!(out, "\n{}", page.folded(&text))?;
    }
    Ok(())
}

/// The status of a finding against the baseline, and the reason if it was reopened; empty without a baseline.
pub(crate) fn status(report: &Report, finding: u32) -> String {
    let Some(seen) = report.status(finding as usize) else { return String::new() };
    match seen.why {
        Some(why) => format!("{} ({})", seen.status.name(), why.name()),
        None => seen.status.name().to_owned(),
    }
}

/// The parts of a finding. The part that is inside the other, or the surface, comes first.
pub fn parts(report: &Report, finding: &Finding) -> [Option<u32>; 2] {
    match (report.clash_of(finding), finding.parts()) {
        (Some(clash), _) => report.in_order(clash).map(Some),
        (None, &[a, b]) => [Some(a), Some(b)],
        (None, one) => [one.first().copied(), None],
    }
}

/// Word for the kind of a finding, which follows the names of its parts.
pub fn finding_word(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Clash(Some(kind)) => words::word(kind),
        FindingKind::Clash(None) => words::word(RelationKind::Meet),
        FindingKind::Near => "near",
        FindingKind::SelfIntersection => "crosses itself",
        FindingKind::Floating => "floats",
        FindingKind::LostContact => "lost contact",
        FindingKind::MinGap => "near in motion",
        _ => "other",
    }
}

/// Writes the parts that explain most findings.
fn explained(page: &Sections<'_>, groups: &Groups, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let Some((text, first)) = explanation(page.report, groups, most) else { return Ok(()) };
    writeln!(out, "\n{}\n", page.folded(&text))?;
    let table = Table { headings: &["part", ">findings"], names: 1, together: 0, width: page.columns };
    let row = |one: &Explained| vec![page.names.label(one.part as usize), grouped(one.findings)];
    table.write(|| first.iter().map(row), out)
}

/// The sentence about the parts that explain findings, and the first of these parts. `None` if each part has
/// few findings, because it explains nothing then.
pub(crate) fn explanation<'a>(
    report: &Report,
    groups: &'a Groups,
    most: usize,
) -> Option<(String, &'a [Explained])> {
    let (all, findings) = (&groups.explained, report.listed() as usize);
    if all.first().is_none_or(|one| one.findings < 3) || 2 * all.len() > findings {
        return None;
    }
    let text = format!(
        "Explained by: each of {} has one of {} (of {}), in {}. Each row counts what the rows above leave.",
        count(findings as u64, "finding"),
        count(all.len() as u64, "part"),
        grouped(report.part_count() as u64),
        count_of(groups.connected.len() as u64, "connected set of parts", "connected sets of parts"),
    );
    Some((text, &all[..all.len().min(most).min(EXPLAINED)]))
}
