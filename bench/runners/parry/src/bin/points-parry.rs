//! parry3d-f64 in the race of points and rays.
use contract::{
    Mesh,
    points::{Answerer, Kind, Questions, main as contract_main},
};
use parry3d_f64::{
    math::Vector,
    query::{PointQuery, Ray, RayCast},
    shape::TriMesh,
};
use std::process::ExitCode;

struct Parry(TriMesh);

impl Answerer for Parry {
    const ABOUT: [&'static str; 3] = [
        "parry3d-f64",
        env!("PARRY_VERSION"),
        "project_local_point and cast_local_ray of a TriMesh without flags; rounded. Whether a point is \
         inside needs pseudo-normals, which are not enabled",
    ];

    fn build(mesh: &Mesh) -> Result<Self, String> {
        let points = mesh.points.iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
        let built = TriMesh::new(points, mesh.triangles.clone());
        built.map(Self).map_err(|error| format!("parry refuses the mesh: {error}"))
    }
    fn answer(&mut self, set: &Questions, answers: &mut Vec<[f64; 2]>) -> bool {
        match set.kind {
            Kind::Closest => answers.extend(set.asked.iter().map(|&[x, y, z, ..]| {
                let point = Vector::new(x, y, z);
                let near = self.0.project_local_point(point, false).point;
                [(near - point).length(); 2]
            })),
            Kind::First => answers.extend(set.asked.iter().map(|&[x, y, z, u, v, w]| {
                let ray = Ray::new(Vector::new(x, y, z), Vector::new(u, v, w));
                [self.0.cast_local_ray(&ray, f64::MAX, true).unwrap_or(f64::INFINITY); 2]
            })),
            Kind::Inside => return false,
        }
        true
    }
}

fn main() -> ExitCode {
    contract_main::<Parry>()
}
