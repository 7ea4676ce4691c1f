//! Findings without a decision, by groups.
use super::list::BETWEEN;
use impinge_check::{
    baseline::{Baseline, KnownFinding, Status},
    values::numbers::{count, count_of, grouped},
};
use impinge_report::{KnownNames, Table};
use std::{
    collections::HashMap,
    io::{self, Write},
    path::Path,
};

/// Rows that are listed.
const ROWS: usize = 10;

/// Writes how many findings nobody has decided about, and the first of their groups: those with most findings.
pub(super) fn write(
    baseline: &Baseline,
    path: &Path,
    width: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_open =
        |finding: &&KnownFinding| matches!(finding.status(), Status::New | Status::Reopened | Status::Active);
    let mut groups: Vec<Vec<&KnownFinding>> = Vec::new();
    let mut place_of = HashMap::new();
    let mut all = 0;
    for finding in baseline.findings().iter().filter(is_open) {
        all += 1;
        let place = *place_of.entry(baseline.group_of(finding)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(finding);
    }
    if all == 0 {
        return writeln!(out, "No finding is left to decide.");
    }
    let left = count_of(all, "finding is", "findings are");
    if !baseline.has_groups() {
        return writeln!(out, "{left} left to decide.");
    }
    writeln!(out, "{left} left to decide, in {}:\n", count(groups.len() as u64, "group"))?;
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let names = KnownNames::new(baseline);
    let row = |group: &Vec<&KnownFinding>| {
        let largest = group.iter().max_by(|a, b| {
            let volume = |finding: &KnownFinding| finding.measures.volume.map_or(0.0, |[_, hi]| hi);
            volume(a).total_cmp(&volume(b))
        });
        let largest = largest.unwrap_or(&group[0]);
        vec![
            names.parts(largest).join(BETWEEN),
            baseline.group_of(largest).to_string(),
            KnownNames::word(largest).to_owned(),
            grouped(group.len() as u64),
            names.size(largest),
        ]
    };
    let headings = ["parts", "group", "relation", ">times", ">largest"];
    let table = Table { headings: &headings, names: 1, together: 0, width };
    let first = &groups[..groups.len().min(ROWS)];
    table.write(|| first.iter().map(row), out)?;
    if groups.len() > first.len() {
        let more = count_of((groups.len() - first.len()) as u64, "more group", "more groups");
        let path = path.display();
        writeln!(
            out,
            "\n{more}: impinge baseline list {path} --status new,reopened,active lists their findings"
        )?;
    }
    Ok(())
}
