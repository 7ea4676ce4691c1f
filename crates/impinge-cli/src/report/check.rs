//! What `impinge check` says: table, JSON or CSV.
use super::{Coordinates, Names, count, folded, grouped, table};
use crate::{
    args::Format,
    check::{Clash, Coverage, Report, Subject},
};
use impinge_io::Part;
use impinge_testkit::gearbox::ExpectedClash;
use serde::Serialize;
use std::{borrow::Cow, io::Write};

pub(crate) fn write(
    report: &Report,
    format: Format,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match format {
        Format::Table => people(report, columns, out),
        Format::Json => json(report, out),
        Format::Csv => csv(report, out),
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    impinge: &'static str,
    parts: Vec<JsonPart<'a>>,
    clashes: Vec<JsonClash>,
    coverage: &'a Coverage,
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
    a: usize,
    b: usize,
    triangle_pairs: u64,
    point: [f64; 3],
}

fn json(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let clash =
        |&Clash { parts: [a, b], triangle_pairs, point }: &Clash| JsonClash { a, b, triangle_pairs, point };
    let whole = JsonReport {
        impinge: env!("CARGO_PKG_VERSION"),
        parts: report.parts.iter().enumerate().map(JsonPart::new).collect(),
        clashes: report.clashes.iter().map(clash).collect(),
        coverage: &report.coverage,
    };
    serde_json::to_writer(&mut *out, &whole)?;
    Ok(writeln!(out)?)
}

fn csv(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"])?;
    for &Clash { parts: [a, b], triangle_pairs, point: [x, y, z] } in &report.clashes {
        csv.serialize((a, b, &*report.parts[a].name, &*report.parts[b].name, triangle_pairs, x, y, z))?;
    }
    Ok(csv.flush()?)
}

fn people(report: &Report, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let names = Names::new(report.parts.iter());
    if let Subject::BuiltIn { .. } = report.subject {
        let whose = "This is the built-in example. To check files of your own: impinge check FILE...";
        writeln!(out, "{}\n", folded(whose, columns))?;
    }
    write!(out, "{}", names.list(report.parts.iter()))?;
    if let Subject::Across { .. } = report.subject {
        writeln!(
            out,
            "{}",
            folded("Only pairs of a part of the first file and a part of the second.", columns)
        )?;
    }
    if !report.clashes.is_empty() {
        writeln!(out, "\n{}", clashes(report, &names.labels, columns))?;
    }
    if let Subject::BuiltIn { expected, .. } = &report.subject {
        writeln!(out, "\n{}", explanations(report, expected, columns))?;
    }
    writeln!(out, "\n{}", folded(&ledger(report), columns))?;
    Ok(())
}

/// Why the parts of the built-in assembly clash: its faults were made on purpose.
fn explanations(report: &Report, expected: &[ExpectedClash], columns: Option<u16>) -> String {
    let named = |clash: &Clash| clash.parts.map(|part| &*report.parts[part].name);
    let is = |[a, b]: [&str; 2], fault: &ExpectedClash| {
        [fault.a, fault.b] == [a, b] || [fault.b, fault.a] == [a, b]
    };
    let item = |text: String| {
        let text = folded(&text, columns.map(|columns| columns.saturating_sub(2)));
        format!("- {}", text.replace('\n', "\n  "))
    };
    let mut lines = vec!["These faults were built in:".to_owned()];
    for clash in &report.clashes {
        let [a, b] = named(clash);
        let fault = expected.iter().find(|fault| is([a, b], fault));
        let why = fault.map_or("this one was not built in: please report it", |fault| fault.why);
        lines.push(item(format!("{a}, {b}: {why}.")));
    }
    for fault in expected.iter().filter(|fault| !report.clashes.iter().any(|clash| is(named(clash), fault))) {
        let ExpectedClash { a, b, .. } = fault;
        lines.push(item(format!("{a}, {b}: this one was built in but not found: please report it.")));
    }
    lines.join("\n")
}

/// A row for each clash.
fn clashes(report: &Report, labels: &[String], columns: Option<u16>) -> String {
    let coordinates = Coordinates::like(report.clashes.iter().flat_map(|clash| clash.point));
    let mut table = table(&["part", "meets part", ">triangle\npairs", ">e.g. at x", ">y", ">z"], columns);
    for clash in &report.clashes {
        let [a, b] = clash.parts.map(|part| labels[part].clone());
        let [x, y, z] = clash.point.map(|c| coordinates.show(c));
        table.add_row([a, b, grouped(clash.triangle_pairs), x, y, z]);
    }
    table.trim_fmt()
}

/// What was looked at and what was found, in words, so that 'no clash' cannot be taken for 'not looked'.
fn ledger(report: &Report) -> String {
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
    text
}
