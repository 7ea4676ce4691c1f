//! impinge in the race of intersection curves.
use contract::{
    Frame, Mesh,
    curves::{Counts, Tracer, main as contract_main},
};
use impinge::{Body, Model, Pose, Query};
use std::process::ExitCode;

struct Impinge {
    models: [Model; 2],
    poses: [Pose; 2],
    query: Query,
}

impl Tracer for Impinge {
    const ABOUT: [&'static str; 3] = [
        "impinge",
        env!("CARGO_PKG_VERSION"),
        "exact; poses are not applied in advance; the time of the lines includes finding all pairs again",
    ];

    fn build(a: &Mesh, b: &Mesh) -> Result<Self, String> {
        let model = |mesh: &Mesh| {
            let mesh = impinge::Mesh::new(mesh.points.clone(), mesh.triangles.clone());
            let mesh = mesh.map_err(|error| error.to_string())?;
            Ok::<_, String>(Model::new(mesh))
        };
        let models = [model(a)?, model(b)?];
        Ok(Self { models, poses: [Pose::IDENTITY; 2], query: Query::new() })
    }
    fn place(&mut self, frame: &Frame) -> Result<(), String> {
        for (pose, to) in self.poses.iter_mut().zip(frame) {
            *pose = Pose::rigid(to.rows, to.translation).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
    fn pairs(&mut self) -> usize {
        let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]));
        self.query.pairs(&a, &b).len()
    }
    fn curves(&mut self) {
        let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]));
        self.query.curves(&a, &b);
    }
    fn counts(&mut self) -> Counts {
        let pairs = self.pairs();
        let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]));
        let curves = self.query.curves(&a, &b);
        let segments = |line: impinge::curves::Line<'_>| line.nodes.len() - usize::from(!line.closed);
        Counts {
            pairs,
            lines: curves.lines().len(),
            closed: curves.lines().filter(|line| line.closed).count(),
            segments: curves.lines().map(segments).sum(),
            patches: curves.patches().len(),
            points: curves.points().len(),
        }
    }
}

fn main() -> ExitCode {
    contract_main::<Impinge>()
}
