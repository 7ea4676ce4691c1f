//! Where the surfaces of two parts meet, as lines that the page draws.
use impinge::{Body, BuildOptions, Model, Query};
use impinge_check::{GroupBy, Groups, Report};
use std::{collections::HashMap, sync::Arc};

/// Findings whose curves are stored, the gravest of each group first.
const FINDINGS: usize = 300;
/// Findings where more pairs of triangles meet have none.
const PAIRS: u64 = 20_000;
/// Triangles for which trees are built.
const TRIANGLES: usize = 2_000_000;
/// Numbers that are stored, three a node.
const NUMBERS: usize = 600_000;

/// Lines of a finding: coordinates of nodes, three each, relative to its point.
pub(super) type Lines = Vec<Vec<f32>>;

/// The curves of findings, by their index. A finding without an entry has no stored curves.
pub(super) fn find(report: &Report, by: &GroupBy) -> HashMap<usize, Lines> {
    let mut found = HashMap::new();
    let Some(assembly) = report.assembly() else { return found };
    let (mut models, mut triangles, mut numbers) = (HashMap::<u32, Model>::new(), 0, 0);
    let (mut query, options) = (Query::new(), BuildOptions::default());
    let groups = Groups::by(report, by).groups;
    let first = groups.iter().filter_map(|group| group.findings.first());
    let others = groups.iter().flat_map(|group| group.findings.iter().skip(1));
    for &i in first.chain(others).take(FINDINGS) {
        let finding = &report.findings()[i as usize];
        let clash = report.clash_of(finding).filter(|clash| (1..=PAIRS).contains(&clash.triangle_pairs));
        let (Some(clash), Some(origin)) = (clash, report.point_of(finding)) else { continue };
        let numbers_of = clash.parts.map(|part| report.part(part).mesh());
        for (part, mesh) in clash.parts.into_iter().zip(numbers_of) {
            if !models.contains_key(&mesh) && triangles < TRIANGLES {
                let part = &assembly.parts[part as usize];
                triangles += part.mesh.len();
                models.insert(mesh, Model::new(Arc::clone(&part.mesh), &options));
            }
        }
        let [Some(a), Some(b)] = numbers_of.map(|mesh| models.get(&mesh)) else { continue };
        let [at, beside] = clash.parts.map(|part| *report.part(part).pose());
        let curves = query.curves(&Body::new(a, at), &Body::new(b, beside));
        let place = |&node: &u32| {
            let point = curves.nodes()[node as usize].point;
            [0, 1, 2].map(|k| (point[k] - origin[k]) as f32)
        };
        let line = |line: impinge::curves::Line<'_>| -> Vec<f32> {
            let end = line.nodes.first().filter(|_| line.closed);
            line.nodes.iter().chain(end).flat_map(place).collect()
        };
        let borders = curves.patches().flat_map(|patch| patch.border().map(line).collect::<Vec<_>>());
        let lines: Lines = curves.lines().map(line).chain(borders).collect();
        numbers += lines.iter().map(Vec::len).sum::<usize>();
        if numbers > NUMBERS {
            break;
        }
        found.insert(i as usize, lines);
    }
    found
}
