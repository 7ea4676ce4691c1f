//! An animation: one mesh whose vertices move.
use super::{Sources, error::Error, models::Models, motion::bounds};
use crate::circle::sin_cos;
use impinge::Mesh;
use std::f64::consts::TAU;

/// A mesh and its vertices, frame by frame.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The triangles, with the vertices of the first frame.
    pub mesh: Mesh,
    /// All vertices in each frame, in the order of the mesh. The last frame precedes the first one.
    pub frames: Vec<Vec<[f64; 3]>>,
    /// The file that is missing, and its replacement.
    pub stand_in: Option<String>,
}

/// The model's file.
pub const GALLOP: &str = "anim_horse_gallop.ply";
const TRIANGLES: usize = 16_843;
/// f32, little-endian: three coordinates a vertex, all vertices of a frame, all frames.
const POSITIONS: &str = "anim_horse_gallop.f32";
const FRAMES: usize = 48;

/// A galloping horse of 16,843 triangles (Sumner and Popovic 2004), whose box is 2 long in its first frame.
/// Without its file, a generated body that bends to and fro.
///
/// # Errors
/// Returns an error for a data folder that does not exist, or a model or positions that are not usable.
pub fn gallop(sources: &Sources<'_>) -> Result<Animation, Error> {
    let mut models = Models::new(sources.data)?;
    let mesh = models.scan(GALLOP, TRIANGLES)?;
    let frames = match (models.stand_in(), sources.data) {
        (None, Some(folder)) => {
            let path = folder.join(POSITIONS);
            let bytes = std::fs::read(&path).map_err(|e| Error::Bytes(format!("{}: {e}", path.display())))?;
            positions(&bytes, mesh.points().len()).ok_or_else(|| {
                Error::Bytes(format!("{}: not whole frames of finite numbers", path.display()))
            })?
        }
        _ => (0..FRAMES).map(|frame| bent(&mesh, frame)).collect(),
    };
    let first = Mesh::new(frames[0].clone(), mesh.triangles().to_vec())
        .map_err(|e| Error::Bytes(format!("{POSITIONS}: {e}")))?;
    let [lo, hi] = bounds(&first);
    let scale = 2.0 / (0..3).map(|k| hi[k] - lo[k]).fold(f64::MIN_POSITIVE, f64::max);
    let fitted = |p: &[f64; 3]| std::array::from_fn(|k| (p[k] - (lo[k] + hi[k]) / 2.0) * scale);
    let frames: Vec<Vec<[f64; 3]>> = frames.iter().map(|frame| frame.iter().map(fitted).collect()).collect();
    let mesh = Mesh::new(frames[0].clone(), mesh.triangles().to_vec())
        .map_err(|e| Error::Bytes(format!("{POSITIONS}: {e}")))?;
    Ok(Animation { mesh, frames, stand_in: models.stand_in() })
}

/// Reads the vertices of each frame. `None` for a part of a frame, no frame, or a number that is not finite.
fn positions(bytes: &[u8], vertices: usize) -> Option<Vec<Vec<[f64; 3]>>> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    let numbers: Vec<f64> = numbers.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect();
    let is_whole =
        rest.is_empty() && !numbers.is_empty() && numbers.len().is_multiple_of(3 * vertices.max(1));
    if !is_whole || numbers.iter().any(|x| !x.is_finite()) {
        return None;
    }
    Some(numbers.as_chunks::<3>().0.chunks_exact(vertices).map(<[_]>::to_vec).collect())
}

fn bent(mesh: &Mesh, frame: usize) -> Vec<[f64; 3]> {
    let angle = sin_cos(TAU * frame as f64 / FRAMES as f64).0;
    let bend = |&[x, y, z]: &[f64; 3]| {
        let (s, c) = sin_cos(0.7 * angle * x.abs());
        [x, c * y - s * z, s * y + c * z]
    };
    mesh.points().iter().map(bend).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_whole_frames() {
        let bytes: Vec<u8> = (0..12_u8).flat_map(|i| f32::from(i).to_le_bytes()).collect();
        let frames = positions(&bytes, 2).unwrap();
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[1], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]);
        assert!(positions(&bytes, 3).is_none() && positions(&bytes[..47], 2).is_none());
        assert!(positions(&[], 2).is_none());
        let odd: Vec<u8> = [f32::NAN, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert!(positions(&odd, 1).is_none());
    }

    #[test]
    fn the_generated_animation_comes_back() {
        let Animation { mesh, frames, stand_in } = gallop(&Sources::default()).unwrap();
        assert!(stand_in.unwrap().contains(GALLOP));
        assert_eq!((frames.len(), &frames[0][..]), (FRAMES, mesh.points()));
        // Half a turn later it is straight again.
        let off =
            frames[0].iter().zip(&frames[FRAMES / 2]).flat_map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs()));
        assert!(off.fold(0.0, f64::max) < 1e-12);
        assert_ne!(frames[0], frames[FRAMES / 4]);
    }
}
