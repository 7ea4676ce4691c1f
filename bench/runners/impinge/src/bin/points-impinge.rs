//! impinge in the race of points and rays.
use contract::{
    Mesh,
    points::{Answerer, Kind, Questions, main as contract_main},
};
use impinge::{
    Body, Model, Pose, Query,
    rays::Ray,
    solid::{FillRule, Location},
};
use std::process::ExitCode;

struct Impinge {
    model: Model,
    query: Query,
    points: Vec<[f64; 3]>,
    rays: Vec<Ray>,
}

impl Answerer for Impinge {
    const ABOUT: [&'static str; 3] =
        ["impinge", env!("CARGO_PKG_VERSION"), "exact; distances and t as intervals"];

    fn build(mesh: &Mesh) -> Result<Self, String> {
        let mesh = impinge::Mesh::new(mesh.points.clone(), mesh.triangles.clone());
        let model = Model::new(mesh.map_err(|error| error.to_string())?);
        // Builds the structures that are made on first use.
        model.solid();
        // The rule of CGAL and the oracle: shells of a mesh may overlap.
        Ok(Self {
            model,
            query: Query::new().fill_rule(FillRule::EvenOdd),
            points: Vec::new(),
            rays: Vec::new(),
        })
    }
    fn answer(&mut self, set: &Questions, answers: &mut Vec<[f64; 2]>) -> bool {
        let body = Body::new(&self.model, Pose::IDENTITY);
        self.points.clear();
        self.points.extend(set.asked.iter().map(|&[x, y, z, ..]| [x, y, z]));
        match set.kind {
            Kind::Closest => {
                let near = |&point| self.query.closest_point(&body, point);
                let bounds = |near: Option<impinge::distance::ClosestPoint>| {
                    near.map_or([f64::NAN; 2], |p| [p.lo, p.hi])
                };
                answers.extend(self.points.iter().map(near).map(bounds));
            }
            // A batch, the usual form for many rays: several are processed at a time.
            Kind::First => {
                let ray = |&[x, y, z, u, v, w]: &[f64; 6]| Ray::new([x, y, z], [u, v, w]).expect("a ray");
                self.rays.clear();
                self.rays.extend(set.asked.iter().map(ray));
                let hits = self.query.ray_first_each(&body, &self.rays);
                answers.extend(hits.iter().map(|hit| hit.map_or([f64::INFINITY; 2], |hit| hit.enter)));
            }
            Kind::Inside => {
                let of = |&location: &Location| match location {
                    Location::Inside => [1.0; 2],
                    Location::OnSurface => [0.5; 2],
                    Location::Outside => [0.0; 2],
                    _ => [f64::NAN; 2],
                };
                answers.extend(self.query.locate(&body, &self.points).iter().map(of));
            }
        }
        true
    }
}

fn main() -> ExitCode {
    contract_main::<Impinge>()
}
