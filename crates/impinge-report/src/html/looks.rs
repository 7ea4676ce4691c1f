//! Cameras that the page need not search for.
use crate::Pictures;
use impinge_check::{Groups, Report, report::GroupBy};
use std::collections::HashMap;

/// Groups whose cameras are stored, the gravest first.
const GROUPS: usize = 300;
/// Triangles of parts that are drawn to choose cameras.
const TRIANGLES: usize = 500_000;

/// The number of a direction in `camera.js`, how near the camera is, and 1 of a section.
pub(super) type StoredLook = (usize, f64, u8);

/// The cameras of the gravest findings of groups, by the index of the finding: those of its pictures.
pub(super) fn find(report: &Report, by: &GroupBy) -> HashMap<usize, StoredLook> {
    let (pictures, mut triangles) = (Pictures::new(report), 0);
    let mut found = HashMap::new();
    for group in Groups::by(report, by).groups.iter().take(GROUPS) {
        let Some(&finding) = group.findings.first() else { continue };
        let parts = report.findings()[finding as usize].parts();
        triangles += parts.iter().map(|&part| report.part(part).triangles()).sum::<usize>();
        if triangles > TRIANGLES {
            break;
        }
        found.extend(pictures.camera(finding).map(|camera| (finding as usize, camera.look.numbers())));
    }
    found
}
