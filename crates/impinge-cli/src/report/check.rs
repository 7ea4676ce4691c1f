//! What `impinge check` says: table, JSON or CSV.
use super::{Coordinates, Names, Stream, Table, count, folded, grouped, warned};
use crate::{
    check::{Coverage, Report, Subject},
    clashes::Clash,
    hull::Hull,
    input::Warning,
};
use impinge_demo::ExpectedClash;
use impinge_io::Part;
use serde::Serialize;
use std::{borrow::Cow, cmp::Reverse, io::Write};

#[derive(Serialize)]
struct JsonReport<'a, P, C> {
    impinge: &'static str,
    parts: P,
    clashes: C,
    coverage: &'a Coverage,
    warnings: &'a [Warning],
}

#[derive(Serialize)]
struct JsonPart<'a> {
    index: usize,
    name: &'a str,
    file: Cow<'a, str>,
    triangles: usize,
}

impl<'a> JsonPart<'a> {
    fn new((index, part): (usize, &'a Part)) -> Self {
        Self { index, name: &part.name, file: part.file.to_string_lossy(), triangles: part.mesh.len() }
    }
}

#[derive(Serialize)]
struct JsonClash {
    a: u32,
    b: u32,
    triangle_pairs: u64,
    point: [f64; 3],
}

/// For programs: written as it is made.
pub(crate) fn json(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let clash = |clash: &Clash| {
        let [a, b] = clash.parts;
        let point = report.clashes.point(&report.parts, clash);
        JsonClash { a, b, triangle_pairs: clash.triangle_pairs, point }
    };
    let whole = JsonReport {
        impinge: env!("CARGO_PKG_VERSION"),
        parts: Stream(|| report.parts.iter().enumerate().map(JsonPart::new)),
        clashes: Stream(|| report.clashes.list.iter().map(clash)),
        coverage: &report.coverage,
        warnings: &report.warnings,
    };
    serde_json::to_writer(&mut *out, &whole)?;
    Ok(writeln!(out)?)
}

/// For spreadsheets.
pub(crate) fn csv(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"])?;
    for clash in &report.clashes.list {
        let [a, b] = clash.parts;
        let [name_a, name_b] = clash.parts.map(|part| &*report.parts[part as usize].name);
        let [x, y, z] = report.clashes.point(&report.parts, clash);
        csv.serialize((a, b, name_a, name_b, clash.triangle_pairs, x, y, z))?;
    }
    Ok(csv.flush()?)
}

/// For people: at most so many `rows`.
pub(crate) fn people(
    report: &Report,
    rows: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let names = Names::new(report.parts.iter());
    if let Subject::BuiltIn { .. } = report.subject {
        let whose = "This is the built-in example. To check files of your own: impinge check FILE...";
        writeln!(out, "{}\n", folded(whose, columns))?;
    }
    write!(out, "{}", names.list())?;
    if let Subject::Across { .. } = report.subject {
        let across = "Only pairs of a part of the first file and a part of the second.";
        writeln!(out, "{}", folded(across, columns))?;
    }
    if !report.clashes.list.is_empty() {
        writeln!(out)?;
        clashes(report, &names, rows, columns, out)?;
    }
    if let Subject::BuiltIn { expected, .. } = &report.subject {
        writeln!(out, "\n{}", explanations(report, expected, columns))?;
    }
    writeln!(out, "\n{}", folded(&ledger(report), columns))?;
    Ok(())
}

/// Why the parts of the built-in assembly clash: its faults were made on purpose.
fn explanations(report: &Report, expected: &[ExpectedClash], columns: Option<u16>) -> String {
    let named = |clash: &Clash| clash.parts.map(|part| &*report.parts[part as usize].name);
    let is = |[a, b]: [&str; 2], fault: &ExpectedClash| {
        [fault.a, fault.b] == [a, b] || [fault.b, fault.a] == [a, b]
    };
    let item = |text: String| {
        let text = folded(&text, columns.map(|columns| columns.saturating_sub(2)));
        format!("- {}", text.replace('\n', "\n  "))
    };
    let mut lines = vec!["These faults were built in:".to_owned()];
    for clash in &report.clashes.list {
        let [a, b] = named(clash);
        let fault = expected.iter().find(|fault| is([a, b], fault));
        let why = fault.map_or("this one was not built in: please report it", |fault| fault.why);
        lines.push(item(format!("{a}, {b}: {why}.")));
    }
    for fault in
        expected.iter().filter(|fault| !report.clashes.list.iter().any(|clash| is(named(clash), fault)))
    {
        let ExpectedClash { a, b, .. } = fault;
        lines.push(item(format!("{a}, {b}: this one was built in but not found: please report it.")));
    }
    lines.join("\n")
}

/// A row for each clash; where there are more than `most`, for those with the most triangle pairs.
fn clashes(
    report: &Report,
    names: &Names<'_>,
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let all = &report.clashes.list;
    // Indices, four bytes each: there are at most 2^32 parts, but there may be more clashes than that.
    let mut shown: Vec<usize> = Vec::new();
    if all.len() > most {
        shown = (0..all.len()).collect();
        // Ties go by the order of the parts.
        let key = |&i: &usize| (Reverse(all[i].triangle_pairs), i);
        shown.select_nth_unstable_by_key(most, key);
        shown.truncate(most);
        shown.sort_unstable_by_key(key);
    }
    let rows = || {
        let some = shown.iter().map(|&i| &all[i]);
        let every = all.iter().take(if shown.is_empty() { usize::MAX } else { 0 });
        some.chain(every)
    };
    let point = |clash: &Clash| report.clashes.point(&report.parts, clash);
    let coordinates = Coordinates::like(rows().flat_map(point), Hull::of(&report.parts).size());
    let table = Table {
        headings: &["part", "meets part", ">triangle\npairs", ">e.g. at x", ">y", ">z"],
        names: 2,
        width: columns,
    };
    let row = |clash: &Clash| {
        let [a, b] = clash.parts.map(|part| names.label(part as usize));
        let [x, y, z] = point(clash).map(|c| coordinates.show(c));
        vec![a, b, grouped(clash.triangle_pairs), x, y, z]
    };
    table.write(|| rows().map(row), out)?;
    if !shown.is_empty() {
        let text = format!(
            "Shown are the {} clashes with the most triangle pairs, {} more are not: --limit 0 shows all, \
             and -o clashes.json or -o clashes.csv writes all.",
            grouped(shown.len() as u64),
            grouped((all.len() - shown.len()) as u64)
        );
        writeln!(out, "\n{}", folded(&text, columns))?;
    }
    Ok(())
}

/// What was looked at and what was found, in words, so that 'no clash' cannot be taken for 'not looked'.
pub(crate) fn ledger(report: &Report) -> String {
    let Coverage { part_pairs, boxes_overlap, tested, clashing, triangle_pairs, .. } = report.coverage;
    let mut text = match (part_pairs, boxes_overlap) {
        (0, _) => "Nothing to test: a clash takes two parts.".to_owned(),
        (_, 0) => format!("No clash. Of {} none has boxes that overlap.", count(part_pairs, "part pair")),
        _ => format!(
            "{}{} of {} {} boxes that overlap; {} tested exactly: {} {}, {} {} clear.",
            if clashing == 0 { "No clash. " } else { "" },
            grouped(boxes_overlap),
            count(part_pairs, "part pair"),
            if boxes_overlap == 1 { "has" } else { "have" },
            if tested == 1 { "it was".to_owned() } else { format!("all {} were", grouped(tested)) },
            grouped(clashing),
            if clashing == 1 { "clashes" } else { "clash" },
            grouped(tested - clashing),
            if tested - clashing == 1 { "is" } else { "are" },
        ),
    };
    if clashing > 0 {
        let verb = if triangle_pairs == 1 { "meets" } else { "meet" };
        text += &format!(" {} {verb}.", count(triangle_pairs, "triangle pair"));
    }
    text + &warned(&report.warnings)
}
