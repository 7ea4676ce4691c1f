//! Cameras that the page need not search for.
use crate::Pictures;
use impinge_check::report::Group;
use std::collections::HashMap;

/// Rows whose cameras are stored, in their order.
const ROWS: usize = 300;
/// Triangles of parts that are drawn to choose cameras.
const TRIANGLES: usize = 500_000;

/// The number of a direction in `camera.js`, how near the camera is, and 1 of a section.
pub(super) type StoredLook = (usize, f64, u8);

/// The cameras of the first findings of rows, by the index of the finding: those of its pictures.
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
