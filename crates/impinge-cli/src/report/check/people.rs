//! The table of `impinge check`.
use super::{ledger, near};
use crate::{
    clashes::Clash,
    depth::length,
    finding,
    outcome::Report,
    report::{Coordinates, Names, Table, amount, count_of, folded, grouped},
    subject::Subject,
};
use impinge::relation::RelationKind;
use impinge_demo::ExpectedClash;
use std::{cmp::Reverse, io::Write};

/// For people: at most so many `rows`.
pub(crate) fn people(
    report: &Report,
    rows: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let names = Names::new(report.facts.each());
    if let Subject::BuiltIn { .. } = report.subject {
        let whose = "This is the built-in example. To check files of your own: impinge check FILE...";
        writeln!(out, "{}\n", folded(whose, columns))?;
    }
    write!(out, "{}", names.list())?;
    if let Subject::Across { .. } = report.subject {
        let across = "Only pairs of a part of the first file and a part of the second.";
        writeln!(out, "{}", folded(across, columns))?;
    }
    if report.clashes.list.iter().any(|clash| report.lists(clash)) {
        writeln!(out)?;
        clashes(report, &names, (&|clash| report.lists(clash), rows), columns, out)?;
    }
    if let Some(tolerance) = report.tolerance
        && report.clashes.list.iter().any(|clash| report.is_shallow(clash))
    {
        let shallow = format!("Shallow: a shift by at most {tolerance} takes them out of each other.");
        writeln!(out, "\n{}\n", folded(&shallow, columns))?;
        clashes(report, &names, (&|clash| report.is_shallow(clash), rows), columns, out)?;
    }
    near::people(report, &names, rows, columns, out)?;
    not_examined(report, &names, rows, columns, out)?;
    if let Subject::BuiltIn { expected, .. } = &report.subject {
        writeln!(out, "\n{}", explanations(report, expected, columns))?;
    }
    writeln!(out, "\n{}", folded(&ledger(report), columns))?;
    Ok(())
}

/// The first of those pairs for which there was no time.
fn not_examined(
    report: &Report,
    names: &Names<'_>,
    rows: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let all = &report.not_examined;
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot examined, as the time was up:\n")?;
    let shown = &all[..all.len().min(rows)];
    let row = |pair: &[u32; 2]| pair.map(|part| names.label(part as usize)).to_vec();
    let table = Table { headings: &["part", "other part"], names: 2, together: 0, width: columns };
    table.write(|| shown.iter().map(row), out)?;
    if shown.len() < all.len() {
        let left = count_of((all.len() - shown.len()) as u64, "pair", "pairs");
        writeln!(out, "\nand {left} more: --limit 0 lists all")?;
    }
    Ok(())
}

/// Why the parts of the built-in assembly clash: its faults were made on purpose.
fn explanations(report: &Report, expected: &[ExpectedClash], columns: Option<u16>) -> String {
    let named = |clash: &Clash| clash.parts.map(|part| &*report.facts.parts[part as usize].name);
    let is = |[a, b]: [&str; 2], fault: &ExpectedClash| {
        [fault.a, fault.b] == [a, b] || [fault.b, fault.a] == [a, b]
    };
    let item = |text: String| {
        let text = folded(&text, columns.map(|columns| columns.saturating_sub(2)));
        format!("- {}", text.replace('\n', "\n  "))
    };
    let mut lines = vec!["These faults were built in:".to_owned()];
    let mut found: Vec<&Clash> = report.clashes.list.iter().collect();
    found.sort_by_key(|clash| rank(report, clash));
    for clash in found {
        let [a, b] = named(clash);
        let fault = expected.iter().find(|fault| is([a, b], fault));
        let why = fault.map_or("this one was not built in: please report it", |fault| fault.why);
        let [a, b] = if clash.is_exchanged(&report.facts) { [b, a] } else { [a, b] };
        let relation = clash.kind.map(|kind| format!(" ({})", finding::word(kind))).unwrap_or_default();
        lines.push(item(format!("{a}, {b}{relation}: {why}.")));
    }
    for fault in
        expected.iter().filter(|fault| !report.clashes.list.iter().any(|clash| is(named(clash), fault)))
    {
        let ExpectedClash { a, b, .. } = fault;
        lines.push(item(format!("{a}, {b}: this one was built in but not found: please report it.")));
    }
    lines.join("\n")
}

/// A row for each of some clashes, by rank; where there are more than `most`, for the first of them.
fn clashes(
    report: &Report,
    names: &Names<'_>,
    (lists, most): (&dyn Fn(&Clash) -> bool, usize),
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let all = &report.clashes.list;
    // Indices, eight bytes each: there are at most 2^32 parts, but there may be more clashes than that.
    let mut shown: Vec<usize> = (0..all.len()).filter(|&i| lists(&all[i])).collect();
    let left = shown.len().saturating_sub(most);
    let key = |&i: &usize| (rank(report, &all[i]), i);
    if left > 0 {
        shown.select_nth_unstable_by_key(most, key);
        shown.truncate(most);
    }
    // Surfaces stay in the order of the parts, if all are shown.
    if left > 0 || report.rule.is_some() {
        shown.sort_unstable_by_key(key);
    }
    let rows = || shown.iter().map(|&i| &all[i]);
    let coordinates = Coordinates::like(rows().flat_map(|clash| clash.point), report.facts.size);
    let mut headings = vec!["part", if report.rule.is_some() { "other part" } else { "meets part" }];
    if report.rule.is_some() {
        headings.push("relation");
    }
    headings.extend(report.coverage.chord.map(|_| "certainty"));
    let is_deep = rows().any(|clash| report.clashes.depth(clash).is_some());
    headings.extend(if is_deep { [">volume", ">clear by"].as_slice() } else { &[">triangle\npairs"] });
    headings.extend([">e.g. at x", ">y", ">z"]);
    let table = Table { headings: &headings, names: 2, together: 3, width: columns };
    let row = |clash: &Clash| {
        let mut row = clash.parts.map(|part| names.label(part as usize)).to_vec();
        if clash.is_exchanged(&report.facts) {
            row.swap(0, 1);
        }
        row.extend(clash.kind.map(|kind| finding::word(kind).to_owned()));
        row.extend(clash.certainty.map(|sure| sure.word().to_owned()));
        if is_deep {
            let depth = report.clashes.depth(clash);
            let volume =
                depth.and_then(|depth| depth.overlap_volume).map(|[lo, hi]| amount(lo / 2.0 + hi / 2.0));
            let by = depth.and_then(|depth| depth.separating_translation).map(|by| amount(length(by)));
            row.extend([volume, by].map(|known| known.unwrap_or_else(|| "–".to_owned())));
        } else {
            row.push(grouped(clash.triangle_pairs));
        }
        row.extend(clash.point.map(|c| coordinates.show(c)));
        row
    };
    table.write(|| rows().map(row), out)?;
    if left > 0 {
        let text = format!(
            "Shown are the {} clashes that rank first, {} not: --limit 0 shows all, and -o clashes.json or \
             -o clashes.csv writes all.",
            grouped(shown.len() as u64),
            count_of(left as u64, "more is", "more are")
        );
        writeln!(out, "\n{}", folded(&text, columns))?;
    }
    Ok(())
}

/// The rank of a clash. Clashes that count come first, the largest volume in common first; clashes without a
/// volume follow by relation, and by the most triangle pairs.
fn rank(report: &Report, clash: &Clash) -> (bool, Reverse<u64>, usize, Reverse<u64>) {
    let place = match clash.kind {
        // Whichever part is the inner one.
        Some(RelationKind::BInA) => finding::place(RelationKind::AInB),
        kind => kind.map_or(0, finding::place),
    };
    let volume = report.clashes.depth(clash).and_then(|depth| depth.overlap_volume);
    // Volumes are not negative: as their bits go, so do they.
    let volume = volume.map_or(0, |[_, hi]| hi.max(0.0).to_bits());
    (!report.counts(clash), Reverse(volume), place, Reverse(clash.triangle_pairs))
}
