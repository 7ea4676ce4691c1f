//! Contacts of the surfaces of two parts, as lines and patches that the page draws.
use super::rows::in_order;
use crate::contact_lines::{ContactLines, Points};
use impinge_check::{Report, report::Group};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Maximum number of findings whose curves are searched for, the first of each row before the others.
const FINDINGS: usize = 300;
/// Number of triangles in trees after which no further trees are built.
const TRIANGLES: usize = 2_000_000;
/// Maximum number of stored numbers, three a node.
const NUMBERS: usize = 600_000;

/// The contact of a finding: coordinates of nodes, three each, relative to its point.
#[derive(Serialize)]
pub(super) struct StoredContact {
    /// Lines in which the surfaces cross.
    curves: Vec<Vec<f32>>,
    /// Patches in which they lie on each other: the lines around each patch and its holes.
    patches: Vec<Vec<Vec<f32>>>,
}

/// The stored contacts of findings, by the index of the finding.
pub(super) fn find(report: &Report, rows: &[Group]) -> HashMap<usize, StoredContact> {
    let mut found = HashMap::new();
    let (lines, mut meshes) = (ContactLines::new(report), HashSet::new());
    let (mut triangles, mut numbers) = (0, 0);
    for i in in_order(rows).take(FINDINGS) {
        let finding = &report.findings()[i as usize];
        let (Some(clash), Some(origin)) = (lines.clash(finding), report.point_of(finding)) else { continue };
        let fits = clash.parts.into_iter().all(|part| {
            let facts = report.part(part);
            let has = meshes.contains(&facts.mesh());
            if !has && triangles < TRIANGLES {
                triangles += facts.triangles();
                meshes.insert(facts.mesh());
            }
            meshes.contains(&facts.mesh())
        });
        if !fits {
            continue;
        }
        let contact = lines.contact(finding);
        numbers += 3 * contact.lines().map(Vec::len).sum::<usize>();
        if numbers > NUMBERS {
            break;
        }
        let flat = |points: &Points| -> Vec<f32> {
            points.iter().flat_map(|p| [0, 1, 2].map(|k| (p[k] - origin[k]) as f32)).collect()
        };
        let patches = contact.patches.iter().map(|lines| lines.iter().map(flat).collect()).collect();
        found
            .insert(i as usize, StoredContact { curves: contact.curves.iter().map(flat).collect(), patches });
    }
    found
}
