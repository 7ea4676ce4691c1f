//! Output of `impinge check`: table, JSON or CSV.
mod ledger;
mod near;
mod people;

pub(crate) use self::{ledger::ledger, people::people};

use self::near::JsonNear;
use super::Stream;
use crate::{
    chord::Sure,
    clashes::Clash,
    coverage::Coverage,
    depth::Depth,
    finding::{self, Rule},
    outcome::{Report, WhatIf},
    warning::Warning,
};
use serde::Serialize;
use std::{borrow::Cow, io::Write};

#[derive(Serialize)]
struct JsonReport<'a, P, C, N> {
    impinge: &'static str,
    parts: P,
    clashes: C,
    #[serde(skip_serializing_if = "Option::is_none")]
    near: Option<N>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what_if: Option<Vec<WhatIf>>,
    /// Pairs of parts for which there was no time.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_examined: &'a [[u32; 2]],
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
    /// The chord tolerance of its triangles, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chord: Option<f64>,
}

/// Whether a part bounds a solid.
#[derive(Serialize)]
struct JsonSolid {
    status: &'static str,
    /// Which points are inside, if any are.
    rule: Option<Rule>,
    /// Number of edges that do not close.
    edges: usize,
    /// Number of holes, or borders, that they make up.
    holes: usize,
    /// The middle of an edge of the widest hole, at the part's pose; rounded.
    at: Option<[f64; 3]>,
    /// The longest side of the box around it, in the mesh's own frame.
    width: Option<f64>,
}

impl<'a> JsonPart<'a> {
    fn new(report: &'a Report, index: usize) -> Self {
        let (part, mesh) = (&report.facts.parts[index], report.facts.mesh(index));
        let solid = report.rule.zip(mesh.solid.as_ref()).map(|(rule, solid)| JsonSolid {
            status: finding::status_name(solid.status),
            rule: rule.of(solid.status),
            edges: solid.open_edges,
            holes: solid.holes,
            at: solid.at.map(|at| part.pose.place(at)),
            width: solid.width,
        });
        let (name, file) = (&part.name, part.file.to_string_lossy());
        let chord = report.chords.as_ref().map(|chords| chords.of(index as u32).get());
        Self { index, name, file, triangles: mesh.triangles, solid, chord }
    }
}

#[derive(Serialize)]
struct JsonClash {
    a: u32,
    b: u32,
    #[serde(flatten)]
    relation: Option<JsonRelation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<Sure>,
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
    /// More triangle pairs meet than are listed, so that the depth is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth_not_computed: Option<&'static str>,
}

impl JsonRelation {
    fn new(report: &Report, clash: &Clash) -> Option<Self> {
        let (kind, rule) = (clash.kind?, report.rule?);
        let rule = clash.parts.map(|part| report.facts.status(part).and_then(|status| rule.of(status)));
        let (relation, touching) = (finding::name(kind), clash.triangle_pairs > 0);
        let depth = report.clashes.depth(clash).copied();
        let depth_not_computed = report.is_unmeasured(clash).then_some("too many triangle pairs");
        Some(Self { relation, touching, rule, depth, depth_not_computed })
    }
}

/// For programs: written as it is made.
pub(crate) fn json(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let clash = |clash: &Clash| {
        let [a, b] = clash.parts;
        let relation = JsonRelation::new(report, clash);
        let (certainty, point) = (clash.certainty, clash.point);
        JsonClash { a, b, relation, certainty, triangle_pairs: clash.triangle_pairs, point }
    };
    let is_listed = report.nears.as_ref().is_some_and(|nears| nears.asked.limit.is_some());
    let whole = JsonReport {
        impinge: env!("CARGO_PKG_VERSION"),
        parts: Stream(|| (0..report.facts.parts.len()).map(|index| JsonPart::new(report, index))),
        clashes: Stream(|| report.clashes.list.iter().map(clash)),
        near: is_listed.then_some(Stream(|| report.near().iter().map(JsonNear::from))),
        what_if: Some(report.what_if().collect::<Vec<_>>()).filter(|counts| !counts.is_empty()),
        not_examined: &report.not_examined,
        coverage: &report.coverage,
        warnings: &report.warnings,
    };
    serde_json::to_writer(&mut *out, &whole)?;
    Ok(writeln!(out)?)
}

/// Cells of what two parts that clash are to each other, and how deep: what is not known is empty.
type Cells =
    ((Option<&'static str>, Option<bool>), [Option<f64>; 2], Option<f64>, [Option<f64>; 3], Option<bool>);

/// A name that no spreadsheet takes for a formula. One that begins with `=`, `+`, `-`, `@`, a tab or a
/// carriage return would be run by whoever opens the file, and so would what follows a semicolon or a tab
/// where these separate cells. An apostrophe before it makes it text (OWASP, 'CSV Injection'). JSON has names
/// as they are.
fn inert(name: &str) -> Cow<'_, str> {
    let is_live =
        |c: char| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠');
    let mut text = String::new();
    let (mut at_start, mut copied) = (true, 0);
    for (i, c) in name.char_indices() {
        if at_start && is_live(c) {
            text.push_str(&name[copied..i]);
            text.push('\'');
            copied = i;
        }
        // Blanks at the start of a cell may be dropped.
        at_start = matches!(c, ';' | '\t' | '\r' | '\n') || at_start && c == ' ';
    }
    if copied == 0 && text.is_empty() {
        return Cow::Borrowed(name);
    }
    text.push_str(&name[copied..]);
    Cow::Owned(text)
}

/// For spreadsheets: a row for each clash, then one for each pair that is near, then one for each that was
/// not examined.
pub(crate) fn csv(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let mut headings = vec!["a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"];
    if report.rule.is_some() {
        headings.extend(["relation", "touching", "overlap_volume_lo", "overlap_volume_hi", "depth_at_least"]);
        headings.extend([
            "separating_translation_x",
            "separating_translation_y",
            "separating_translation_z",
            "shallow",
        ]);
    }
    if report.nears.is_some() {
        headings.extend(near::COLUMNS);
    }
    if report.coverage.chord.is_some() {
        headings.push("certainty");
    }
    csv.write_record(headings)?;
    type Found = ([u32; 2], Option<u64>, [Option<f64>; 3], Option<&'static str>);
    let has_certainty = report.coverage.chord.is_some();
    let mut write = |(parts, pairs, point, certainty): Found, of_solids: Cells, distance| {
        let [name_a, name_b] = parts.map(|part| inert(&report.facts.parts[part as usize].name));
        let row = (parts, name_a, name_b, pairs, point);
        // A tuple within a row is as many cells as it has.
        match (report.rule.is_some(), report.nears.is_some(), has_certainty) {
            (false, false, _) => csv.serialize(row),
            (true, false, _) => csv.serialize((row, of_solids)),
            (false, true, _) => csv.serialize((row, distance)),
            (true, true, false) => csv.serialize((row, of_solids, distance)),
            // Certainty needs solids, and such a query includes distances.
            (true, true, true) => csv.serialize((row, of_solids, distance, certainty)),
        }
    };
    for clash in &report.clashes.list {
        let depth = report.clashes.depth(clash);
        let volume = depth.and_then(|depth| depth.overlap_volume).map_or([None; 2], |v| v.map(Some));
        let clear = depth.and_then(|depth| depth.separating_translation).map_or([None; 3], |t| t.map(Some));
        let least = depth.and_then(|depth| depth.depth_at_least);
        let shallow = depth.and_then(|depth| depth.shallow);
        let relation = (clash.kind.map(finding::name), Some(clash.triangle_pairs > 0));
        let of_solids = (relation, volume, least, clear, shallow);
        let point = clash.point.map(Some);
        let found = (clash.parts, Some(clash.triangle_pairs), point, clash.certainty.map(Sure::word));
        write(found, of_solids, near::NO_CELLS)?;
    }
    for near in report.near() {
        let of_solids = ((Some("near"), Some(false)), [None; 2], None, [None; 3], None);
        let found = (near.parts, Some(0), near.points[0].map(Some), near.certainty.map(Sure::word));
        write(found, of_solids, near::cells(near))?;
    }
    for &pair in &report.not_examined {
        let of_solids = ((Some("not_examined"), None), [None; 2], None, [None; 3], None);
        write((pair, None, [None; 3], None), of_solids, near::NO_CELLS)?;
    }
    Ok(csv.flush()?)
}
