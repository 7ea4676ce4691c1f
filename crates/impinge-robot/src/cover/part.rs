//! [`CoverPart`]: a shape of a part, as triangles.
use super::shape::{CoverShape, CoverSolid};
use impinge::{Mesh, Model, Pose, Side};
use std::sync::Arc;

/// The chord of the triangles that stand for a cylinder, as a part of its radius.
const CHORD: f64 = 1e-4;

/// The chord of the triangles in a ball, as a part of its radius, where only distances from it are asked for.
const BALL_CHORD: f64 = 1e-3;

/// A shape of a part: all points no farther from triangles than a radius.
#[derive(Clone, Debug)]
pub struct CoverPart {
    /// Its triangles; one point for a ball, and a segment for a capsule.
    pub model: Arc<Model>,
    /// Its pose.
    pub pose: Pose,
    /// The radius of a ball or a capsule.
    pub radius: f64,
    /// A bound of how far points of a cylinder are from the triangles, which are inside it. 0 for other shapes.
    pub slack: f64,
    /// A bound of how far the triangles are outside of a cylinder, by roundings.
    pub rounding: f64,
    /// The shape.
    pub shape: CoverShape,
}

impl CoverPart {
    /// Triangles in the frame of the link that are in the shape, and how far a point of it is from them, or from
    /// their inside, at most.
    pub(super) fn inner_mesh(&self) -> Result<(Mesh, f64), impinge::Error> {
        let place = |mesh: &Mesh| {
            let points = mesh.points().iter().map(|p| self.pose.place(*p)).collect();
            Mesh::new(points, mesh.triangles().to_vec())
        };
        if self.radius == 0.0 {
            return Ok((place(self.model.mesh())?, self.slack));
        }
        // Balls about the ends of a capsule, and a cylinder between them.
        let chord = BALL_CHORD * self.radius;
        let ball = Mesh::ellipsoid([self.radius; 3], chord, Side::Inscribed)?;
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        let mut add = |mesh: &Mesh, at: [f64; 3]| {
            let first = points.len() as u32;
            points.extend(mesh.points().iter().map(|p| [0, 1, 2].map(|k| p[k] + at[k])));
            triangles.extend(mesh.triangles().iter().map(|t| t.map(|i| i + first)));
        };
        let ends: Vec<[f64; 3]> = self.model.mesh().points().iter().map(|p| self.pose.place(*p)).collect();
        ends.iter().for_each(|end| add(&ball, *end));
        if let &[a, b] = &*ends
            && a != b
        {
            add(&cylinder(&[a, b], self.radius)?.0, [0.0; 3]);
        }
        let size = ends.iter().flatten().map(|x| x.abs()).fold(self.radius, f64::max);
        Ok((Mesh::new(points, triangles)?, chord + 1e-13 * size))
    }
    /// The part that a shape is.
    ///
    /// # Errors
    /// Numbers that overflow.
    pub fn new(shape: CoverShape) -> Result<Self, impinge::Error> {
        let (model, pose, radius, [slack, rounding]) = match &shape.solid {
            CoverSolid::Ball { center, radius } => {
                (Arc::new(Model::points(&[*center])?), Pose::IDENTITY, *radius, [0.0; 2])
            }
            CoverSolid::Cylinder { ends, radius } => {
                let (mesh, off) = cylinder(ends, *radius)?;
                (Arc::new(Model::new(mesh)), Pose::IDENTITY, 0.0, off)
            }
            CoverSolid::Body { model, pose, radius } => (Arc::clone(model), *pose, *radius, [0.0; 2]),
        };
        Ok(Self { model, pose, radius, slack, rounding, shape })
    }
}

/// A mesh in a cylinder, how far a point of the cylinder is from it at most, and how far it is outside.
fn cylinder(ends: &[[f64; 3]; 2], radius: f64) -> Result<(Mesh, [f64; 2]), impinge::Error> {
    let axis: [f64; 3] = [0, 1, 2].map(|k| ends[1][k] - ends[0][k]);
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    if radius == 0.0 || length == 0.0 {
        // A segment or a disk: no point of it is farther from the ends than the radius.
        return Ok((Mesh::new(ends.to_vec(), vec![[0, 1, 1]])?, [radius, 0.0]));
    }
    let chord = CHORD * radius;
    let mesh = Mesh::cylinder(radius, length, chord, Side::Inscribed)?;
    // From the z axis to this one.
    let z = axis.map(|x| x / length);
    let (x, y) = beside(z);
    let middle = [0, 1, 2].map(|k| ends[0][k] / 2.0 + ends[1][k] / 2.0);
    let points =
        mesh.points().iter().map(|p| [0, 1, 2].map(|k| middle[k] + p[0] * x[k] + p[1] * y[k] + p[2] * z[k]));
    let mesh = Mesh::new(points.collect(), mesh.triangles().to_vec())?;
    // The roundings of these points, some 1e-15 of their size.
    let size = ends.iter().flatten().map(|x| x.abs()).fold(radius + length, f64::max);
    let rounding = 1e-13 * size;
    Ok((mesh, [(chord + rounding).next_up(), rounding]))
}

/// Two directions that are orthogonal to a direction and to each other.
fn beside(z: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let least = (0..3).min_by(|&i, &j| z[i].abs().total_cmp(&z[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let x = cross(axis, z);
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let x = x.map(|a| a / length);
    (x, cross(z, x))
}
