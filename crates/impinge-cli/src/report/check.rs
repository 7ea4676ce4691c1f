//! What `impinge check` says: table, JSON or CSV.
use super::{Coordinates, count, folded, grouped, labels, table};
use crate::{
    args::Format,
    check::{Clash, Coverage, Report, Subject},
};
use impinge_io::Part;
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
        csv.serialize((a, b, &report.parts[a].name, &report.parts[b].name, triangle_pairs, x, y, z))?;
    }
    Ok(csv.flush()?)
}

fn people(report: &Report, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let labels = labels(report.parts.iter());
    writeln!(out, "{}", folded(&heading(report), columns))?;
    if !report.clashes.is_empty() {
        writeln!(out, "\n{}", clashes(report, &labels, columns))?;
    }
    writeln!(out, "\n{}", folded(&ledger(report), columns))?;
    Ok(())
}

fn heading(report: &Report) -> String {
    let what = match &report.subject {
        Subject::Files(paths) => {
            paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>().join(", ")
        }
        Subject::Between(a, b) => format!("{} against {}", a.display(), b.display()),
        Subject::BuiltIn(demo) => demo.file().to_owned(),
    };
    let triangles: u64 = report.parts.iter().map(|part| part.mesh.len() as u64).sum();
    let parts = count(report.coverage.parts as u64, "part");
    super::printable(&format!("{what}: {parts}, {}", count(triangles, "triangle")))
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
