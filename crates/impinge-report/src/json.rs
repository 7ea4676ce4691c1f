//! [`JsonReport`]: a report for programs, with every number in full.
use crate::{
    stream::Stream,
    writer::{Format, ReportWriter},
};
use impinge_check::baseline::{Comparison, Fate};
use impinge_check::values::text::VisibleJson;
use impinge_check::{
    Clash, Groups, Report, Unit,
    parts::Sure,
    records::{Contact, Depth, Floating, MotionGap, Near},
    relations,
    report::{
        Connected, Coverage, Explained, Group, GroupBy, IgnoreSummary, PartFacts, TestSummary, WhatIf,
        WhatIfTolerance,
    },
    sources::{FileOffset, Omission},
    values::Warning,
};
use serde::Serialize;
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// The version of the format. It changes when a field is removed or changes its meaning, not when one is
/// added.
pub const JSON_FORMAT_VERSION: u32 = 2;

/// The JSON Schema (draft 2020-12) of [`JsonReport`]'s output.
pub const JSON_SCHEMA: &str = include_str!("../schema/report.schema.json");

/// Report as one JSON object, for programs, with every number in full. [`JSON_SCHEMA`] describes it.
#[derive(Clone, Default)]
pub struct JsonReport {
    groups: GroupBy,
}

impl JsonReport {
    /// Report with the default groups.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the rule that groups findings.
    #[must_use]
    pub fn groups(self, by: GroupBy) -> Self {
        Self { groups: by }
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "json",
    extension: "json",
    about: "for programs; every number in full",
    contacts: false,
    writer: || Box::new(JsonReport::new()),
};

#[derive(Serialize)]
struct Whole<'a, P, C, N, F> {
    impinge: &'static str,
    format_version: u32,
    /// Unit of all coordinates and lengths.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    /// The sides of the box around all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<[f64; 3]>,
    parts: P,
    clashes: C,
    #[serde(skip_serializing_if = "Option::is_none")]
    near: Option<N>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what_if: Option<Vec<WhatIf>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what_if_tolerance: Option<Vec<WhatIfTolerance>>,
    /// Parts and groups that touch nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    floating: Option<Vec<JsonFloating<'a>>>,
    /// Pairs that come too near at one of the poses of a motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    motion_gaps: Option<Vec<JsonMotionGap>>,
    tests: &'a [TestSummary],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    ignores: &'a [IgnoreSummary],
    findings: F,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<JsonBaseline>,
    groups: JsonGroups,
    /// Pairs of parts that the check did not examine.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_examined: &'a [[u32; 2]],
    coverage: &'a Coverage,
    warnings: &'a [Warning],
    /// Offsets of coordinates from those of a map, as files state them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    offsets: &'a [FileOffset],
    /// Parts of the files that the assembly lacks.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    omissions: &'a [Omission],
}

#[derive(Serialize)]
struct JsonPart<'a> {
    index: u32,
    name: &'a str,
    file: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    class: Option<&'a str>,
    triangles: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    solid: Option<JsonSolid>,
    /// The chord tolerance of its triangles, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chord: Option<f64>,
    /// Intersections of its triangles with each other, if the check searched for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    self_intersections: Option<JsonSelfIntersections>,
}

/// Pairs of triangles of one part that meet elsewhere than in common corners and edges.
#[derive(Serialize)]
struct JsonSelfIntersections {
    triangle_pairs: u64,
    /// A point of the least of these pairs, at the part's pose; null without one.
    point: Option<[f64; 3]>,
}

/// Closedness of a part.
#[derive(Serialize)]
struct JsonSolid {
    status: &'static str,
    /// Rule by which points are inside, if any are.
    rule: Option<&'static str>,
    /// Number of edges that do not close.
    edges: usize,
    /// Number of holes, or borders, that these edges make up.
    holes: usize,
    /// The middle of an edge of the widest hole, at the part's pose; rounded.
    at: Option<[f64; 3]>,
    /// The longest side of the box around that hole, in the mesh's own frame.
    width: Option<f64>,
}

impl<'a> From<PartFacts<'a>> for JsonPart<'a> {
    fn from(part: PartFacts<'a>) -> Self {
        let solid = part.solid().map(|solid| JsonSolid {
            status: relations::closedness_name(solid.status),
            rule: part.fill_rule().map(relations::fill_rule_name),
            edges: solid.open_edges,
            holes: solid.holes,
            at: solid.at.map(|at| part.pose().place(at)),
            width: solid.width,
        });
        let (index, name, file) = (part.index(), part.name(), part.file().to_string_lossy());
        let self_intersections = part
            .self_intersections()
            .map(|found| JsonSelfIntersections { triangle_pairs: found.triangle_pairs, point: found.point });
        let (guid, class) = (part.guid(), part.class());
        let (triangles, chord) = (part.triangles(), part.chord());
        Self { index, name, file, guid, class, triangles, solid, chord, self_intersections }
    }
}

#[derive(Serialize)]
struct JsonClash {
    a: u32,
    b: u32,
    /// True if it is a finding.
    counts: bool,
    #[serde(flatten)]
    relation: Option<JsonRelation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<Sure>,
    /// Contact of both parts, if the check computes contacts, and surfaces meet while insides do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<Contact>,
    triangle_pairs: u64,
    /// A point of both parts: where they meet, or in the part that is inside the other.
    point: [f64; 3],
}

#[derive(Serialize)]
struct JsonRelation {
    relation: &'static str,
    /// True if their surfaces meet.
    touching: bool,
    /// Rule by which points are inside of each part; null for a surface.
    rule: [Option<&'static str>; 2],
    #[serde(flatten)]
    depth: Option<Depth>,
    /// True or absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    within_rounding: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shallow: Option<bool>,
    /// Reason for a missing depth: more triangle pairs meet than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth_not_computed: Option<&'static str>,
}

impl JsonRelation {
    fn new(report: &Report, clash: &Clash) -> Option<Self> {
        let kind = clash.relation?;
        let rule = clash.parts.map(|part| report.part(part).fill_rule().map(relations::fill_rule_name));
        let (relation, touching) = (relations::name(kind), clash.is_touching());
        let depth = report.depth(clash).copied();
        let shallow = report.is_within_tolerance(clash);
        let depth_not_computed = report.is_unmeasured(clash).then_some("too many triangle pairs");
        let within_rounding = report.is_within_rounding(clash).then_some(true);
        Some(Self { relation, touching, rule, depth, within_rounding, shallow, depth_not_computed })
    }
}

#[derive(Serialize)]
struct JsonNear {
    a: u32,
    b: u32,
    /// Lower and upper bound.
    distance: [f64; 2],
    /// The nearest points, on each part.
    points: [[f64; 3]; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<Sure>,
}

impl From<&Near> for JsonNear {
    fn from(near: &Near) -> Self {
        let &Near { parts: [a, b], distance, points, certainty, .. } = near;
        Self { a, b, distance, points, certainty }
    }
}

#[derive(Serialize)]
struct JsonFloating<'a> {
    parts: &'a [u32],
    /// The nearest part outside, if there is one.
    nearest: Option<JsonNeighbour>,
}

#[derive(Serialize)]
struct JsonNeighbour {
    part: u32,
    /// Part outside of the group.
    other: u32,
    /// Lower and upper bound.
    distance: [f64; 2],
    points: [[f64; 3]; 2],
}

impl<'a> From<&'a Floating> for JsonFloating<'a> {
    fn from(floating: &'a Floating) -> Self {
        let nearest = floating.nearest.map(|near| JsonNeighbour {
            part: near.part,
            other: near.other,
            distance: near.distance,
            points: near.points,
        });
        Self { parts: &floating.parts, nearest }
    }
}

#[derive(Serialize)]
struct JsonMotionGap {
    test: u32,
    a: u32,
    b: u32,
    moving: u32,
    pose: u32,
    after: f64,
    distance: [f64; 2],
    points: [[f64; 3]; 2],
}

impl From<&MotionGap> for JsonMotionGap {
    fn from(gap: &MotionGap) -> Self {
        let &MotionGap { test, parts: [a, b], moving, pose, after, distance, points, .. } = gap;
        Self { test, a, b, moving, pose, after, distance, points }
    }
}

#[derive(Serialize)]
struct JsonFinding {
    test: u32,
    kind: &'static str,
    parts: OneOrTwo,
    /// True if a placement error that the rules state would undo it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fragile: Option<bool>,
    /// Status, with a baseline.
    #[serde(flatten)]
    seen: Option<JsonSeen>,
}

/// Status of a finding against a baseline.
#[derive(Serialize)]
struct JsonSeen {
    id: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reopened: Option<&'static str>,
}

/// Indices of parts.
#[derive(Serialize)]
#[serde(untagged)]
enum OneOrTwo {
    One([u32; 1]),
    Two([u32; 2]),
}

impl JsonFinding {
    fn new(report: &Report, index: usize) -> Self {
        let finding = &report.findings()[index];
        let parts = match *finding.parts() {
            [a, b] => OneOrTwo::Two([a, b]),
            _ => OneOrTwo::One([finding.parts()[0]]),
        };
        let seen = report.status(index).map(|seen| JsonSeen {
            id: seen.id.to_string(),
            status: seen.status.name(),
            reopened: seen.why.map(impinge_check::baseline::Why::name),
        });
        let fragile = report.is_fragile(finding);
        Self { test: finding.test, kind: finding.kind.name(), parts, fragile, seen }
    }
}

/// Comparison with a baseline: numbers of findings by status, and ids of findings that are gone.
#[derive(Serialize)]
struct JsonBaseline {
    new: u64,
    reopened: u64,
    active: u64,
    reviewed: u64,
    approved: u64,
    resolved: Vec<String>,
    /// Findings with a missing part, or whose parts no test examined.
    not_examined: Vec<String>,
}

impl From<&Comparison> for JsonBaseline {
    fn from(comparison: &Comparison) -> Self {
        let counts = comparison.counts_of();
        let gone = |is: fn(Fate) -> bool| {
            comparison.gone().iter().filter(|gone| is(gone.fate)).map(|gone| gone.id.to_string()).collect()
        };
        Self {
            new: counts.new,
            reopened: counts.reopened,
            active: counts.active,
            reviewed: counts.reviewed,
            approved: counts.approved,
            resolved: gone(|fate| fate == Fate::Resolved),
            not_examined: gone(|fate| matches!(fate, Fate::PartMissing | Fate::NotExamined)),
        }
    }
}

#[derive(Serialize)]
struct JsonGroups {
    groups: Vec<JsonGroup>,
    connected: Vec<JsonConnected>,
    explained: Vec<JsonExplained>,
}

#[derive(Serialize)]
struct JsonGroup {
    test: u32,
    /// Kind of the gravest finding.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<[String; 2]>,
    /// Indices in the list of findings.
    findings: Vec<u32>,
    placements: usize,
    volume: Option<f64>,
    volume_at_least: Option<f64>,
    depth: Option<f64>,
    separating_distance: Option<f64>,
    distance: Option<f64>,
}

#[derive(Serialize)]
struct JsonConnected {
    parts: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

#[derive(Serialize)]
struct JsonExplained {
    part: u32,
    findings: u64,
}

impl From<Groups> for JsonGroups {
    fn from(groups: Groups) -> Self {
        let group = |group: Group| JsonGroup {
            test: group.test,
            kind: group.kind.name(),
            labels: group.labels.map(|labels| labels.map(|label| label.to_string())),
            findings: group.findings,
            placements: group.placements,
            volume: group.size.volume.map(|[_, hi]| hi),
            volume_at_least: group.size.volume.map(|[lo, _]| lo),
            depth: group.size.depth,
            separating_distance: group.size.separating_distance,
            distance: group.size.distance,
        };
        let connected = |one: Connected| JsonConnected { parts: one.parts, pairs: one.pairs };
        let explained = |one: Explained| JsonExplained { part: one.part, findings: one.findings };
        Self {
            groups: groups.groups.into_iter().map(group).collect(),
            connected: groups.connected.into_iter().map(connected).collect(),
            explained: groups.explained.into_iter().map(explained).collect(),
        }
    }
}

impl ReportWriter for JsonReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let clash = |clash: &Clash| {
            let ([a, b], counts) = (clash.parts, report.counts(clash));
            let relation = JsonRelation::new(report, clash);
            let contact = report.contact(clash).copied();
            let &Clash { certainty, triangle_pairs, point, .. } = clash;
            JsonClash { a, b, counts, relation, certainty, contact, triangle_pairs, point }
        };
        let is_listed = report.clearance().is_some_and(|limit| limit.is_some());
        let whole = Whole {
            impinge: env!("CARGO_PKG_VERSION"),
            format_version: JSON_FORMAT_VERSION,
            unit: report.unit().map(Unit::symbol),
            size: report.sides(),
            parts: Stream(|| report.parts().map(JsonPart::from)),
            clashes: Stream(|| report.clashes().iter().map(clash)),
            near: is_listed.then_some(Stream(|| report.near().iter().map(JsonNear::from))),
            what_if: Some(report.what_if().collect::<Vec<_>>()).filter(|counts| !counts.is_empty()),
            what_if_tolerance: Some(report.what_if_tolerance().collect::<Vec<_>>())
                .filter(|all| !all.is_empty()),
            floating: report.floating().map(|all| all.iter().map(JsonFloating::from).collect()),
            motion_gaps: report.motion_gaps().map(|all| all.iter().map(JsonMotionGap::from).collect()),
            tests: report.tests(),
            ignores: report.ignores(),
            findings: Stream(|| (0..report.findings().len()).map(|i| JsonFinding::new(report, i))),
            baseline: report.comparison().map(JsonBaseline::from),
            groups: JsonGroups::from(Groups::by(report, &self.groups)),
            not_examined: report.not_examined(),
            coverage: report.coverage(),
            warnings: report.warnings(),
            offsets: report.offsets(),
            omissions: report.omissions(),
        };
        serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
        writeln!(out)
    }
}
