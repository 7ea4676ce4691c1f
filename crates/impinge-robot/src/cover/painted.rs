//! The parts of a link in small triangles, each with its depth, for pictures.
use super::{
    part::CoverPart,
    shape::{CoverShape, CoverSolid, proxy_of},
};
use impinge::{Error, Mesh, Pose, Query, Side};

/// A link's parts in small triangles, and its shapes, all in the frame of the link.
#[derive(Clone, Debug, Default)]
pub struct PaintedCover {
    /// Corners of small triangles.
    pub triangles: Vec<[[f64; 3]; 3]>,
    /// For each, about how far its middle is outside of the shapes; negative inside, and infinite without
    /// shapes.
    pub depths: Vec<f64>,
    /// Triangles of the shapes.
    pub shapes: Vec<[[f64; 3]; 3]>,
}

/// Sides of small triangles are no longer than this part of the parts' size.
const SMALL: f64 = 1.0 / 80.0;

/// The most small triangles.
const MOST: usize = 400_000;

/// The chord of round shapes, as a part of their radius.
const CHORD: f64 = 0.01;

/// Divides the parts of a link into small triangles, and measures how far each is outside of the shapes.
///
/// # Errors
/// Numbers that overflow.
pub fn paint(query: &mut Query, parts: &[CoverPart], shapes: &[CoverShape]) -> Result<PaintedCover, Error> {
    let mut painted = PaintedCover::default();
    let mut whole = Vec::new();
    for part in parts {
        let (mesh, _) = part.inner_mesh()?;
        whole.extend((0..mesh.len() as u32).map(|i| mesh.corners(i)));
    }
    let size = (0..3)
        .map(|k| {
            let along = || whole.iter().flatten().map(move |p| p[k]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        })
        .fold(0.0, f64::max);
    let small = SMALL * size;
    let mut room = MOST.saturating_sub(whole.len());
    while let Some(triangle) = whole.pop() {
        let lengths = [0, 1, 2].map(|i| distance(triangle[i], triangle[(i + 1) % 3]));
        let i = (0..3).max_by(|&i, &j| lengths[i].total_cmp(&lengths[j])).unwrap_or(0);
        // A number that is not finite is not divided.
        if !(lengths[i] > small && lengths[i].is_finite()) || room == 0 {
            painted.triangles.push(triangle);
            continue;
        }
        room -= 1;
        let [a, b, c] = [0, 1, 2].map(|j| triangle[(i + j) % 3]);
        let middle = [0, 1, 2].map(|k| a[k] / 2.0 + b[k] / 2.0);
        whole.extend([[a, middle, c], [middle, b, c]]);
    }
    let middles: Vec<[f64; 3]> = painted
        .triangles
        .iter()
        .map(|t| [0, 1, 2].map(|k| t[0][k] / 3.0 + t[1][k] / 3.0 + t[2][k] / 3.0))
        .collect();
    let mut depths = Vec::with_capacity(middles.len());
    query.point_depths(&proxy_of(shapes)?, &middles, &mut depths);
    painted.depths = depths.iter().map(|[lo, _]| *lo).collect();
    for shape in shapes {
        let (mesh, pose) = drawn(shape)?;
        painted.shapes.extend((0..mesh.len() as u32).map(|i| mesh.corners(i).map(|p| pose.place(p))));
    }
    Ok(painted)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt()
}

/// Triangles of a shape, and their pose.
fn drawn(shape: &CoverShape) -> Result<(Mesh, Pose), Error> {
    Ok(match &shape.solid {
        CoverSolid::Ball { radius: 0.0, .. } => (Mesh::new(Vec::new(), Vec::new())?, Pose::IDENTITY),
        CoverSolid::Ball { center, radius } => {
            let mesh = Mesh::ellipsoid([*radius; 3], CHORD * radius, Side::Inscribed)?;
            (mesh, Pose::from_translation(*center)?)
        }
        _ => (CoverPart::new(shape.clone())?.inner_mesh()?.0, Pose::IDENTITY),
    })
}
