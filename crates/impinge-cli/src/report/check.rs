//! What `impinge check` says: table, JSON or CSV.
mod ledger;
mod people;

pub(crate) use self::{ledger::ledger, people::people};

use super::Stream;
use crate::{
    check::{Coverage, Report},
    clashes::Clash,
    depth::Depth,
    finding::{self, Rule},
    input::Warning,
};
use serde::Serialize;
use std::{borrow::Cow, io::Write};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    solid: Option<JsonSolid>,
}

/// Whether a part bounds a solid.
#[derive(Serialize)]
struct JsonSolid {
    status: &'static str,
    /// Which points are inside, if any are.
    rule: Option<Rule>,
    /// How many edges do not close.
    edges: usize,
    /// How many holes, or borders, they make up.
    holes: usize,
    /// The middle of an edge of the widest, where the part stands; rounded.
    at: Option<[f64; 3]>,
    /// The longest side of the box around it, in the mesh's own frame.
    width: Option<f64>,
}

impl<'a> JsonPart<'a> {
    fn new(report: &'a Report, index: usize) -> Self {
        let part = &report.parts[index];
        let solid = report.rule.map(|rule| {
            let solid = report.clashes.solid(index);
            JsonSolid {
                status: finding::status_name(solid.status()),
                rule: rule.of(solid.status()),
                edges: solid.open_edges(),
                holes: solid.boundaries().len(),
                at: finding::open_at(solid).map(|at| part.pose.place(at)),
                width: finding::open_width(solid),
            }
        });
        Self { index, name: &part.name, file: part.file.to_string_lossy(), triangles: part.mesh.len(), solid }
    }
}

#[derive(Serialize)]
struct JsonClash {
    a: u32,
    b: u32,
    #[serde(flatten)]
    relation: Option<JsonRelation>,
    triangle_pairs: u64,
    /// A point of both: where they meet, or in the one that is inside the other.
    point: [f64; 3],
}

#[derive(Serialize)]
struct JsonRelation {
    relation: &'static str,
    /// Whether their surfaces meet.
    touching: bool,
    /// By which rule points are inside of each; null of a surface.
    rule: [Option<Rule>; 2],
    #[serde(flatten)]
    depth: Option<Depth>,
}

impl JsonRelation {
    fn new(report: &Report, clash: &Clash) -> Option<Self> {
        let (kind, rule) = (clash.kind?, report.rule?);
        let rule = clash.parts.map(|part| rule.of(report.clashes.solid(part as usize).status()));
        let (relation, touching) = (finding::name(kind), clash.triangle_pairs > 0);
        Some(Self { relation, touching, rule, depth: report.clashes.depth(clash).copied() })
    }
}

/// For programs: written as it is made.
pub(crate) fn json(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let clash = |clash: &Clash| {
        let [a, b] = clash.parts;
        let point = report.clashes.point(&report.parts, clash);
        let relation = JsonRelation::new(report, clash);
        JsonClash { a, b, relation, triangle_pairs: clash.triangle_pairs, point }
    };
    let whole = JsonReport {
        impinge: env!("CARGO_PKG_VERSION"),
        parts: Stream(|| (0..report.parts.len()).map(|index| JsonPart::new(report, index))),
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
    let mut headings = vec!["a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"];
    if report.rule.is_some() {
        headings.extend(["relation", "touching", "overlap_volume_lo", "overlap_volume_hi", "depth_at_least"]);
        headings.extend(["clear_by_x", "clear_by_y", "clear_by_z", "shallow"]);
    }
    csv.write_record(headings)?;
    for clash in &report.clashes.list {
        let [a, b] = clash.parts;
        let [name_a, name_b] = clash.parts.map(|part| &*report.parts[part as usize].name);
        let [x, y, z] = report.clashes.point(&report.parts, clash);
        let row = (a, b, name_a, name_b, clash.triangle_pairs, x, y, z);
        match clash.kind {
            None => csv.serialize(row)?,
            Some(kind) => {
                // What is not known is an empty cell.
                let depth = report.clashes.depth(clash);
                let volume = depth.and_then(|depth| depth.overlap_volume).map_or([None; 2], |v| v.map(Some));
                let clear = depth.and_then(|depth| depth.clear_by).map_or([None; 3], |t| t.map(Some));
                let least = depth.and_then(|depth| depth.depth_at_least);
                let shallow = depth.and_then(|depth| depth.shallow);
                let relation = (finding::name(kind), clash.triangle_pairs > 0);
                csv.serialize((row, relation, volume, least, clear, shallow))?;
            }
        }
    }
    Ok(csv.flush()?)
}
