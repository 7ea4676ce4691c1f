//! impinge in the race of motions. Ways: `` a sweep, `steps` queries of contact at 1,001 moments, up to the
//! first contact.
use contract::motion::{MotionFile, Outcome, Sweeper, main as contract_main};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions},
};
use std::process::ExitCode;

/// Intervals between the moments of `steps`.
const STEPS: u32 = 1000;

struct Impinge {
    models: [Model; 2],
    path: Path,
    query: Query,
    steps: bool,
}

impl Sweeper for Impinge {
    const ABOUT: [&'static str; 3] = [
        "impinge",
        env!("CARGO_PKG_VERSION"),
        "Query::sweep with the default options: a resolution of 1e-9, proved over the real numbers; `steps`: \
         Query::intersects at 1,001 moments, up to the first contact",
    ];

    fn build(file: &MotionFile, way: &str) -> Result<Self, String> {
        if !way.is_empty() && way != "steps" {
            return Err(format!("there is no way {way}"));
        }
        let told = |error: impinge::Error| error.to_string();
        let model = |mesh: &contract::Mesh| {
            Mesh::new(mesh.points.clone(), mesh.triangles.clone()).map(Model::new).map_err(told)
        };
        Ok(Self {
            models: [model(&file.meshes[0])?, model(&file.meshes[1])?],
            path: path(file).map_err(told)?,
            query: Query::new(),
            steps: !way.is_empty(),
        })
    }
    fn sweep(&mut self) -> Result<Outcome, String> {
        let Self { models: [a, b], path, query, steps } = self;
        let resting = Body::new(a, Pose::IDENTITY);
        if *steps {
            let mut times = (0..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
            let first = times.find(|&t| query.intersects(&resting, &Body::new(b, path.at(t))));
            return Ok(first.map_or_else(Outcome::clear, Outcome::contact));
        }
        Ok(match query.sweep(resting, Moving::new(b, path), &SweepOptions::new()) {
            Sweep::Clear => Outcome::clear(),
            Sweep::Contact { free_until, meets_at, pose, pair: [i, j] } => {
                let numbers: Vec<String> = (pose.rows().as_flattened().iter())
                    .chain(pose.translation())
                    .map(|x| format!("{x:?}"))
                    .collect();
                Outcome {
                    verdict: "contact",
                    between: [free_until, meets_at],
                    more: vec![("pair", format!("{i} {j}")), ("pose", numbers.join(" "))],
                }
            }
            Sweep::Near { free_until, until, why, .. } => Outcome {
                verdict: "undecided",
                between: [free_until, until],
                more: vec![("status", format!("{why:?}"))],
            },
        })
    }
}

/// The path: a screw if the way is along the axis, else between two poses.
fn path(file: &MotionFile) -> Result<Path, impinge::Error> {
    let MotionFile { start: contract::Pose { rows, translation }, way, turn, .. } = *file;
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (angle, start) = (dot(turn, turn).sqrt(), Pose::rigid(rows, translation)?);
    if angle == 0.0 {
        return Path::translation(start, way);
    }
    let axis = turn.map(|x| x / angle);
    let advance = dot(way, axis);
    if (0..3).all(|k| way[k] == axis[k] * advance) {
        return Path::screw(start, translation, axis, angle, advance);
    }
    let end = [0, 1, 2].map(|k| translation[k] + way[k]);
    let turned = Pose::from_axis_angle(turn, angle, end)?;
    // The scenes have no rotation at the start of such a path.
    assert_eq!(rows, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "a path between rotated poses");
    Path::between(&start, &turned, [0.0; 3])
}

fn main() -> ExitCode {
    contract_main::<Impinge>()
}
