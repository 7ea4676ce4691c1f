//! parry3d-f64 in the race of motions.
use contract::motion::{MotionFile, Outcome, Sweeper, main as contract_main};
use parry3d_f64::{
    math::{Mat3, Pose, Rotation, Vector},
    query::{NonlinearRigidMotion, cast_shapes_nonlinear},
    shape::{ConvexPolyhedron, SharedShape, TriMesh},
};
use std::process::ExitCode;

struct Parry {
    shapes: [SharedShape; 2],
    motion: NonlinearRigidMotion,
}

impl Sweeper for Parry {
    const ABOUT: [&'static str; 3] = [
        "parry3d-f64",
        env!("PARRY_VERSION"),
        "cast_shapes_nonlinear of TriMesh without flags, or of ConvexPolyhedron; stop_at_penetration; rounded",
    ];

    fn build(file: &MotionFile, way: &str) -> Result<Self, String> {
        if !way.is_empty() {
            return Err(format!("there is no way {way}"));
        }
        let shape = |mesh: &contract::Mesh| {
            let points: Vec<Vector> = mesh.points.iter().map(|&p| vector(p)).collect();
            if file.convex {
                let hull = ConvexPolyhedron::from_convex_mesh(points, &mesh.triangles);
                return Ok(SharedShape::new(hull.ok_or("parry refuses the hull")?));
            }
            let built = TriMesh::new(points, mesh.triangles.clone());
            Ok::<_, String>(SharedShape::new(
                built.map_err(|error| format!("parry refuses the mesh: {error}"))?,
            ))
        };
        let rows = &file.start.rows;
        let column = |j: usize| Vector::new(rows[0][j], rows[1][j], rows[2][j]);
        let rotation = Rotation::from_mat3(&Mat3::from_cols(column(0), column(1), column(2)));
        let start = Pose::from_parts(vector(file.start.translation), rotation.normalize());
        let motion = NonlinearRigidMotion::new(start, Vector::ZERO, vector(file.way), vector(file.turn));
        Ok(Self { shapes: [shape(&file.meshes[0])?, shape(&file.meshes[1])?], motion })
    }
    fn sweep(&mut self) -> Result<Outcome, String> {
        let [a, b] = &self.shapes;
        let still = NonlinearRigidMotion::constant_position(Pose::IDENTITY);
        let found = cast_shapes_nonlinear(&still, &**a, &self.motion, &**b, 0.0, 1.0, true)
            .map_err(|error| error.to_string())?;
        Ok(found.map_or_else(Outcome::clear, |hit| Outcome {
            more: vec![("status", format!("{:?}", hit.status))],
            ..Outcome::contact(hit.time_of_impact)
        }))
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}

fn main() -> ExitCode {
    contract_main::<Parry>()
}
