//! Curves as JSON, and drawn.
use crate::{
    args::Drawing,
    pair::{results::Results, rows::Cell},
};
use impinge::curves::{Curves, Feature, Line, LineKind};
use impinge_io::LineGroup;
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
pub(super) struct JsonCurves {
    nodes: Vec<[f64; 3]>,
    /// For each node the features of A and of B in which it lies.
    features: Vec<[JsonFeature; 2]>,
    lines: Vec<JsonLine>,
    patches: Vec<JsonPatch>,
    points: Vec<u32>,
    length: [f64; 2],
    area: [f64; 2],
    self_crossing: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonFeature {
    Vertex(u32),
    Edge([u32; 2]),
    Triangle(u32),
}

#[derive(Serialize)]
struct JsonLine {
    nodes: Vec<u32>,
    closed: bool,
    kind: &'static str,
    length: [f64; 2],
    #[serde(rename = "box")]
    bounds: [[f64; 3]; 2],
}

#[derive(Serialize)]
struct JsonPatch {
    pairs: Vec<[u32; 2]>,
    normal: [f64; 3],
    area: [f64; 2],
    border: Vec<JsonLine>,
}

impl JsonCurves {
    pub(super) fn new(curves: &Curves) -> Self {
        let feature = |feature: Feature| match feature {
            Feature::Vertex(v) => JsonFeature::Vertex(v),
            Feature::Edge(ends) => JsonFeature::Edge(ends),
            Feature::Triangle(t) => JsonFeature::Triangle(t),
        };
        let patches = curves.patches().map(|patch| JsonPatch {
            pairs: patch.pairs().to_vec(),
            normal: patch.normal(),
            area: patch.area(),
            border: patch.border().map(|line| JsonLine::new(&line)).collect(),
        });
        Self {
            nodes: curves.nodes().iter().map(|node| node.point).collect(),
            features: curves.nodes().iter().map(|node| node.features.map(feature)).collect(),
            lines: curves.lines().map(|line| JsonLine::new(&line)).collect(),
            patches: patches.collect(),
            points: curves.points().to_vec(),
            length: curves.length(),
            area: curves.area(),
            self_crossing: curves.self_crossing(),
        }
    }
}

impl JsonLine {
    fn new(line: &Line<'_>) -> Self {
        let &Line { nodes, closed, kind, length, bounds, .. } = line;
        let kind = match kind {
            LineKind::Crossing => "crossing",
            LineKind::Edge => "edge",
            LineKind::Mixed => "mixed",
        };
        Self { nodes: nodes.to_vec(), closed, kind, length, bounds }
    }
}

/// Draws the only frame's curves.
pub(crate) fn draw(results: &Results, drawing: Drawing, mut out: &mut dyn Write) -> anyhow::Result<()> {
    let Some([Cell::Curves(curves), ..]) = results.rows().next() else { return Ok(()) };
    let groups = groups(curves);
    let points: Vec<[f64; 3]> = curves.nodes().iter().map(|node| node.point).collect();
    match drawing {
        Drawing::Glb => Ok(impinge_io::write_lines_glb(&points, &groups, &mut out)?),
        Drawing::Ply => ply(&points, &groups, out),
    }
}

/// Lines by kind, and borders of patches and single points, each in a colour.
fn groups(curves: &Curves) -> [LineGroup<'static>; 5] {
    let group = |name, color| LineGroup { name, color, lines: Vec::new() };
    let mut groups = [
        group("crossing lines", [0.85, 0.1, 0.1]),
        group("lines along edges", [0.95, 0.6, 0.0]),
        group("mixed lines", [0.75, 0.0, 0.6]),
        group("borders of patches", [0.0, 0.35, 0.85]),
        group("points", [0.0, 0.6, 0.3]),
    ];
    let whole = |line: &Line<'_>| {
        let closing = line.closed.then(|| line.nodes[0]);
        line.nodes.iter().copied().chain(closing).collect()
    };
    for line in curves.lines() {
        let kind = match line.kind {
            LineKind::Crossing => 0,
            LineKind::Edge => 1,
            _ => 2,
        };
        groups[kind].lines.push(whole(&line));
    }
    groups[3].lines = curves.patches().flat_map(|patch| patch.border()).map(|line| whole(&line)).collect();
    groups[4].lines = curves.points().iter().map(|&node| vec![node]).collect();
    groups
}

/// Vertices and coloured edges, in text: every number in full.
fn ply(points: &[[f64; 3]], groups: &[LineGroup<'_>], out: &mut dyn Write) -> anyhow::Result<()> {
    let edges: usize = groups.iter().flat_map(|group| &group.lines).map(|line| line.len() - 1).sum();
    writeln!(out, "ply\nformat ascii 1.0\ncomment where two surfaces meet, by impinge")?;
    writeln!(out, "element vertex {}", points.len())?;
    ["x", "y", "z"].iter().try_for_each(|axis| writeln!(out, "property double {axis}"))?;
    writeln!(out, "element edge {edges}\nproperty int vertex1\nproperty int vertex2")?;
    ["red", "green", "blue"].iter().try_for_each(|color| writeln!(out, "property uchar {color}"))?;
    writeln!(out, "end_header")?;
    for [x, y, z] in points {
        writeln!(out, "{x} {y} {z}")?;
    }
    for group in groups {
        let [r, g, b] = group.color.map(|c| (c * 255.0).round() as u8);
        for pair in group.lines.iter().flat_map(|line| line.array_windows()) {
            let [p, q] = pair;
            writeln!(out, "{p} {q} {r} {g} {b}")?;
        }
    }
    Ok(())
}
