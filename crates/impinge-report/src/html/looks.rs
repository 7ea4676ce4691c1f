//! Cameras that the page need not search for.
use crate::Pictures;
use impinge_check::report::Group;
use std::collections::HashMap;

/// Maximum number of rows whose cameras are stored, the first rows first.
const ROWS: usize = 300;
/// Maximum number of triangles of the parts that are drawn to choose cameras.
const TRIANGLES: usize = 500_000;

/// Number of the direction in `camera.js`, nearness of the camera, and 1 if a section opens the parts, else
/// 0.
pub(super) type StoredLook = (usize, f64, u8);

/// Cameras of the pictures of each row's first finding, by the index of the finding.
pub(super) fn find(pictures: &Pictures<'_>, rows: &[Group]) -> HashMap<usize, StoredLook> {
    let (report, mut triangles) = (pictures.report(), 0);
    let mut found = HashMap::new();
    for row in rows.iter().take(ROWS) {
        let Some(&finding) = row.findings.first() else { continue };
        let parts = report.findings()[finding as usize].parts();
        triangles += parts.iter().map(|&part| report.part(part).triangles()).sum::<usize>();
        if triangles > TRIANGLES {
            break;
        }
        found.extend(pictures.camera(finding).map(|camera| (finding as usize, camera.look.numbers())));
    }
    found
}
