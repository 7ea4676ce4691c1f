//! The findings of a report as the page's script reads them.
use super::{
    curves::{self, StoredContact},
    looks::{self, StoredLook},
    meshes::{bounds, centre},
};
use crate::{
    Pictures,
    groups::{finding_word, parts},
    keys::keys,
    known::KnownNames,
    names::Names,
    size_units::SizeUnits,
    stream::Stream,
    summary,
    summary_line::SummaryLine,
};
use impinge::Pose;
use impinge_check::{
    Report, Unit,
    baseline::{Baseline, Fate, Gone, Why},
    parts::Sure,
    report::{Coverage, FindingSize, Group, IgnoreSummary, PartFacts, TestSummary},
    values::{
        numbers::{Coordinates, amount},
        text::printable,
    },
};
use serde::Serialize;
use std::{collections::HashMap, io};

/// Maximum number of pairs not examined that are named; the page counts the rest.
const NAMED: usize = 1000;

#[derive(Serialize)]
struct Data<'a, P, F> {
    version: &'static str,
    unit: Option<&'static str>,
    size: Option<String>,
    summary: Vec<SummaryLine>,
    has_meshes: bool,
    has_status: bool,
    files: Vec<String>,
    parts: P,
    meshes: Vec<MeshData>,
    tests: &'a [TestSummary],
    ignores: &'a [IgnoreSummary],
    groups: Vec<GroupData<'a>>,
    findings: F,
    gone: Vec<GoneData<'a>>,
    not_examined: &'a [[u32; 2]],
    coverage: &'a Coverage,
    warnings: Vec<String>,
    baseline: Option<&'a str>,
}

#[derive(Serialize)]
struct PartData {
    name: String,
    file: u32,
    mesh: u32,
    triangles: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Rows of the rotation, then the translation.
    pose: [[f64; 3]; 4],
}

#[derive(Clone, Default, Serialize)]
struct MeshData {
    /// Centre of the box around the mesh. Points are stored relative to it.
    centre: [f64; 3],
    /// Half of the sides of that box.
    half: [f64; 3],
}

#[derive(Serialize)]
struct GroupData<'a> {
    findings: &'a [u32],
    labels: Option<[String; 2]>,
    placements: usize,
}

#[derive(Serialize)]
struct FindingData<'a> {
    /// The fragment of its link.
    key: String,
    test: u32,
    kind: &'static str,
    word: &'static str,
    parts: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
    /// The point as text, in as many digits as tables have.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// The direction in which both parts separate.
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
    /// Volume in common (its lower bound), depth, separating distance, gap: as numbers and as text.
    sizes: [Option<f64>; 4],
    texts: [Option<String>; 4],
    touching: bool,
    /// The part that has moved, and where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<MovedData>,
    /// Lines in which the surfaces meet, if they are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<&'a StoredContact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<&'a StoredLook>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

/// A part at a pose of its motion.
#[derive(Serialize)]
struct MovedData {
    part: u32,
    pose: [[f64; 3]; 4],
    /// The number of the pose, for people.
    place: String,
}

/// A finding of the baseline that this check does not have.
#[derive(Serialize)]
struct GoneData<'a> {
    id: String,
    fate: &'static str,
    test: &'a str,
    /// The names of its parts. The part that is inside the other comes first.
    names: Vec<String>,
    word: &'static str,
    /// The volume in common, from the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<String>,
}

/// The data as JSON that is safe inside a script element.
pub(super) fn json(pictures: &Pictures<'_>, rows: &[Group], baseline: Option<&str>) -> io::Result<Vec<u8>> {
    let report = pictures.report();
    let names = Names::of(report);
    let mut files: Vec<String> = Vec::new();
    let mut number_of: HashMap<String, u32> = HashMap::new();
    let file_of: Vec<u32> = report
        .parts()
        .map(|part| {
            let file = printable(&part.file().to_string_lossy());
            *number_of.entry(file).or_insert_with_key(|file| {
                files.push(file.clone());
                files.len() as u32 - 1
            })
        })
        .collect();
    let coordinates = Coordinates::like(
        report.findings().iter().filter_map(|finding| report.point_of(finding)).flatten(),
        report.size(),
    );
    let (keys, contacts, looks) = (keys(report), curves::find(report, rows), looks::find(pictures, rows));
    let units = SizeUnits::of(report);
    let known = report.baseline().map(|baseline| (baseline, KnownNames::new(baseline)));
    let gone = report.comparison().map_or(&[][..], |comparison| comparison.gone());
    let data = Data {
        version: env!("CARGO_PKG_VERSION"),
        unit: report.unit().map(Unit::symbol),
        size: report.sides().map(|sides| sides.map(amount).join(" × ")),
        summary: summary::lines(report, |name| name),
        has_meshes: report.assembly().is_some(),
        has_status: report.comparison().is_some(),
        files,
        parts: Stream(|| report.parts().map(|part| part_data(report, &names, part, &file_of))),
        meshes: meshes(report),
        tests: report.tests(),
        ignores: report.ignores(),
        groups: rows
            .iter()
            .map(|row| GroupData {
                labels: row.labels.as_ref().map(|labels| labels.each_ref().map(|label| printable(label))),
                placements: row.placements,
                findings: &row.findings,
            })
            .collect(),
        findings: Stream(|| {
            (0..report.findings().len()).map(|i| {
                let finding = finding_data(report, i, &keys[i], &coordinates, &units);
                FindingData { contact: contacts.get(&i), look: looks.get(&i), ..finding }
            })
        }),
        gone: known
            .iter()
            .flat_map(|(baseline, names)| {
                gone.iter().filter_map(|gone| gone_data(baseline, names, &units, gone))
            })
            .collect(),
        not_examined: &report.not_examined()[..report.not_examined().len().min(NAMED)],
        coverage: report.coverage(),
        warnings: report.warnings().iter().map(impinge_check::values::Warning::line).collect(),
        baseline,
    };
    Ok(inert(&serde_json::to_string(&data)?))
}

/// Escapes the characters of JSON that end a script element or a line of a script. They occur only in
/// strings.
fn inert(json: &str) -> Vec<u8> {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            c => text.push(c),
        }
    }
    text.into_bytes()
}

fn part_data(report: &Report, names: &Names<'_>, part: PartFacts<'_>, file_of: &[u32]) -> PartData {
    let index = part.index() as usize;
    let own = report.assembly().map(|assembly| &assembly.parts[index]);
    PartData {
        name: names.label(index),
        file: file_of[index],
        mesh: part.mesh(),
        triangles: part.triangles(),
        guid: own.and_then(|own| own.guid.as_deref()).map(printable),
        class: own.and_then(|own| own.class.as_deref()).map(printable),
        pose: rows_of(part.pose()),
    }
}

fn rows_of(pose: &Pose) -> [[f64; 3]; 4] {
    let [x, y, z] = *pose.rows();
    [x, y, z, *pose.translation()]
}

fn meshes(report: &Report) -> Vec<MeshData> {
    let Some(assembly) = report.assembly() else { return Vec::new() };
    let mut all: Vec<Option<MeshData>> = Vec::new();
    for (facts, part) in report.parts().zip(&assembly.parts) {
        let number = facts.mesh() as usize;
        if all.len() <= number {
            all.resize(number + 1, None);
        }
        all[number].get_or_insert_with(|| {
            let [low, high] = bounds(&part.mesh);
            MeshData { centre: centre(&part.mesh), half: [0, 1, 2].map(|k| high[k] / 2.0 - low[k] / 2.0) }
        });
    }
    all.into_iter().map(Option::unwrap_or_default).collect()
}

/// The data of a finding without its contact and its look.
fn finding_data<'a>(
    report: &Report,
    i: usize,
    key: &str,
    coordinates: &Coordinates,
    units: &SizeUnits,
) -> FindingData<'a> {
    let finding = &report.findings()[i];
    let (clash, near) = (report.clash_of(finding), report.near_of(finding));
    let depth = clash.and_then(|clash| report.depth(clash));
    let FindingSize { volume: bounds, depth: deep, separating_distance: by, distance: gap, .. } =
        report.size_of(finding);
    let between = near.map(|near| [0, 1, 2].map(|k| near.points[1][k] - near.points[0][k]));
    let is_unmeasured = clash.is_some_and(|clash| report.is_unmeasured(clash));
    let unmeasured = || is_unmeasured.then(|| "not computed".to_owned());
    let length = |length: f64| units.with_length_unit(&units.length(length));
    let volume_text = bounds.map(|bounds| units.with_volume_unit(&units.volume(bounds)));
    let gap_text = gap.map(|gap| units.with_length_unit(&units.gap(report, finding, gap)));
    let certainty = clash.and_then(|clash| clash.certainty).or_else(|| near.and_then(|near| near.certainty));
    let (point, seen) = (report.point_of(finding), report.status(i));
    FindingData {
        key: key.to_owned(),
        test: finding.test,
        kind: finding.kind.name(),
        word: finding_word(finding.kind),
        parts: parts(report, finding).into_iter().flatten().collect(),
        point,
        at: point.map(|point| point.map(|c| coordinates.show(c)).join(", ")),
        normal: depth.and_then(|depth| depth.separating_translation).or(between),
        sizes: [bounds.map(|[lo, _]| lo), deep, by, gap],
        texts: [volume_text.or_else(unmeasured), deep.map(length), by.map(length), gap_text],
        touching: clash.is_some_and(impinge_check::Clash::is_touching),
        moved: report.motion_gap_of(finding).map(|gap| MovedData {
            part: gap.moving,
            pose: rows_of(&report.pose_in(finding, gap.moving)),
            place: gap.place(),
        }),
        contact: None,
        look: None,
        certainty: certainty.map(Sure::name),
        status: seen.map(|seen| seen.status.name()),
        why: seen.and_then(|seen| seen.why).map(Why::name),
    }
}

fn gone_data<'a>(
    baseline: &'a Baseline,
    names: &KnownNames<'_>,
    units: &SizeUnits,
    gone: &Gone,
) -> Option<GoneData<'a>> {
    let known = baseline.finding(gone.id)?;
    Some(GoneData {
        id: gone.id.to_string(),
        fate: fate(gone.fate),
        test: &known.test,
        names: names.parts(known),
        word: KnownNames::word(known),
        volume: known.measures.volume.map(|bounds| units.with_volume_unit(&units.volume(bounds))),
    })
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Resolved => "resolved",
        Fate::StillResolved => "resolved before",
        Fate::PartMissing => "part missing",
        _ => "not examined",
    }
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn json_ends_no_script() {
        let text = "</script><!-- & \u{2028}\u{2029} \u{202e} \" \u{1}";
        let json = serde_json::to_string(text).unwrap();
        let inert = String::from_utf8(inert(&json)).unwrap();
        assert!(!inert.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&inert).unwrap(), text);
    }
}
