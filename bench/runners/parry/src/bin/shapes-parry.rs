//! parry3d-f64 in the race of shapes.
use contract::{
    Frame,
    shapes::{Query, Shape, ShapeAnswerer, ShapeFile, main as contract_main},
};
use parry3d_f64::{
    math::{Mat3, Pose, Rotation, Vector},
    query::{self, ClosestPoints},
    shape::{Ball, Capsule, ConvexPolyhedron, SharedShape, TriMesh},
};
use std::process::ExitCode;

struct Parry {
    shapes: [SharedShape; 2],
    frames: Vec<[Pose; 2]>,
    margin: f64,
}

impl ShapeAnswerer for Parry {
    const ABOUT: [&'static str; 3] = [
        "parry3d-f64",
        env!("PARRY_VERSION"),
        "Ball, Capsule, ConvexPolyhedron, TriMesh without flags; intersection_test, distance, and \
         closest_points up to the margin; poses as the nearest unit quaternion; rounded",
    ];

    fn build(file: &ShapeFile, way: &str) -> Result<Self, String> {
        if !way.is_empty() {
            return Err(format!("there is no way {way}"));
        }
        let shapes = [shape(&file.shapes[0])?, shape(&file.shapes[1])?];
        let frames = file.frames.iter().map(|frame: &Frame| frame.map(|to| pose(&to))).collect();
        Ok(Self { shapes, frames, margin: file.margin })
    }
    fn answer(&mut self, asked: Query, answers: &mut Vec<[f64; 2]>) -> bool {
        let [a, b] = &self.shapes;
        for [p, q] in &self.frames {
            let found = match asked {
                Query::First => query::intersection_test(p, &**a, q, &**b)
                    .map(|found| f64::from(u8::from(found.intersecting))),
                Query::Distance => query::distance(p, &**a, q, &**b).map(|found| found.distance),
                Query::Within => query::closest_points(p, &**a, q, &**b, self.margin)
                    .map(|found| f64::from(u8::from(found != ClosestPoints::Disjoint))),
            };
            let Ok(found) = found else { return false };
            answers.push([found; 2]);
        }
        true
    }
}

fn shape(shape: &Shape) -> Result<SharedShape, String> {
    let points = |mesh: &contract::Mesh| mesh.points.iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
    Ok(match shape {
        Shape::Sphere { radius } => SharedShape::new(Ball::new(*radius)),
        Shape::Capsule { radius, height } => SharedShape::new(Capsule::new_z(height / 2.0, *radius)),
        Shape::Hull(mesh) => {
            let hull = ConvexPolyhedron::from_convex_mesh(points(mesh), &mesh.triangles);
            SharedShape::new(hull.ok_or("parry refuses the hull")?)
        }
        Shape::Mesh(mesh) => {
            let built = TriMesh::new(points(mesh), mesh.triangles.clone());
            SharedShape::new(built.map_err(|error| format!("parry refuses the mesh: {error}"))?)
        }
    })
}

fn pose(to: &contract::Pose) -> Pose {
    let column = |j: usize| Vector::new(to.rows[0][j], to.rows[1][j], to.rows[2][j]);
    let [x, y, z] = to.translation;
    let rotation = Rotation::from_mat3(&Mat3::from_cols(column(0), column(1), column(2)));
    Pose::from_parts(Vector::new(x, y, z), rotation.normalize())
}

fn main() -> ExitCode {
    contract_main::<Parry>()
}
