//! The meshes of a page, each once, compressed, those of the first rows first.
use super::rows::in_order;
use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use impinge::Mesh;
use impinge_check::{Report, report::Group};
use std::io::{self, Write};

/// Bytes of a line around the base64 text of a mesh.
const AROUND: u64 = 24;

/// Writes a line for each mesh: its number, a blank, and in base64 the deflated bytes of [`bytes`]. Meshes
/// that do not fit into `most` bytes are omitted.
pub(super) fn write(report: &Report, rows: &[Group], most: u64, out: &mut dyn Write) -> io::Result<()> {
    let Some(assembly) = report.assembly() else { return Ok(()) };
    let mut left = most;
    let mut is_done = vec![false; report.part_count()];
    for part in order(report, rows) {
        let number = report.part(part).mesh();
        if std::mem::replace(&mut is_done[number as usize], true) {
            continue;
        }
        let mesh = &assembly.parts[part as usize].mesh;
        // Deflate packs at most about 1000 times, and a triangle takes 12 bytes: this cannot fit.
        if mesh.is_empty() || mesh.len() as u64 / 64 > left {
            continue;
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
        encoder.write_all(&bytes(mesh))?;
        let text = BASE64_STANDARD.encode(encoder.finish()?);
        let length = text.len() as u64 + AROUND;
        if length <= left {
            left -= length;
            writeln!(out, "{number} {text}")?;
        }
    }
    Ok(())
}

/// Parts in the order in which meshes are written: those of the first finding of each row, those of the other
/// findings, then the rest.
fn order<'a>(report: &'a Report, rows: &'a [Group]) -> impl Iterator<Item = u32> {
    let parts = in_order(rows).flat_map(|i| report.findings()[i as usize].parts().iter().copied());
    parts.chain(0..report.part_count() as u32)
}

/// The middle of the box around all points of a mesh, rounded.
pub(crate) fn centre(mesh: &Mesh) -> [f64; 3] {
    let [low, high] = bounds(mesh);
    [0, 1, 2].map(|k| low[k] / 2.0 + high[k] / 2.0)
}

/// The box around all points of a mesh; the origin if it has no point.
pub(super) fn bounds(mesh: &Mesh) -> [[f64; 3]; 2] {
    let Some(&first) = mesh.points().first() else { return [[0.0; 3]; 2] };
    mesh.points().iter().fold([first; 2], |[low, high], p| {
        [[0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k]))]
    })
}

/// The numbers of points and triangles (u32), points relative to the centre (f32), and corners of triangles
/// (u32), each minus the one before it, all little-endian. All first bytes of a list come before all second
/// ones, and so on: alike bytes compress well.
fn bytes(mesh: &Mesh) -> Vec<u8> {
    let centre = centre(mesh);
    let counts = [mesh.points().len() as u32, mesh.len() as u32].map(u32::to_le_bytes);
    let relative = |(k, x): (usize, &f64)| ((x - centre[k]) as f32).to_le_bytes();
    let points: Vec<[u8; 4]> =
        mesh.points().iter().flat_map(|p| p.iter().enumerate().map(relative)).collect();
    let mut last = 0;
    // Differences are small, because neighbours have close numbers.
    let mut difference = |corner: &u32| {
        let step = corner.wrapping_sub(std::mem::replace(&mut last, *corner));
        step.to_le_bytes()
    };
    let corners: Vec<[u8; 4]> = mesh.triangles().iter().flatten().map(&mut difference).collect();
    let mut bytes = counts.concat();
    for numbers in [points, corners] {
        for k in 0..4 {
            bytes.extend(numbers.iter().map(|number| number[k]));
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{bytes, centre};
    use impinge::Mesh;

    #[test]
    fn points_far_away_keep_their_digits() {
        let far = 4e6;
        let mesh = Mesh::new(
            vec![[far, 0., 0.], [far + 0.001, 0., 0.], [far, 0.003, 0.], [far, 0., 2.]],
            vec![[0, 1, 2], [3, 0, 1]],
        )
        .unwrap();
        let packed = bytes(&mesh);
        assert_eq!(packed[..8], [4, 0, 0, 0, 2, 0, 0, 0]);
        let number =
            |start: usize, count: usize, i: usize| [0, 1, 2, 3].map(|k| packed[start + k * count + i]);
        for (i, point) in mesh.points().iter().enumerate() {
            for (k, x) in point.iter().enumerate() {
                let stored = f64::from(f32::from_le_bytes(number(8, 12, 3 * i + k)));
                assert!((centre(&mesh)[k] + stored - x).abs() < 1e-9);
            }
        }
        let mut corner = 0_u32;
        let corners: Vec<u32> = (0..6)
            .map(|i| {
                corner = corner.wrapping_add(u32::from_le_bytes(number(8 + 48, 6, i)));
                corner
            })
            .collect();
        assert_eq!(corners, [0, 1, 2, 3, 0, 1]);
    }
}
