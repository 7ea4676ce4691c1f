//! impinge in the race of shapes. Ways: `` for each pair of poses alone, `cached` from the last frame's data,
//! `batch` for all poses of the second shape at once.
use contract::shapes::{Query as Asked, Shape, ShapeAnswerer, ShapeFile, main as contract_main};
use impinge::{
    AnyBody, Body, Mesh, Model, Pose, Query,
    distance::{DistanceBounds, Margin},
    model,
    query::QueryCache,
};
use std::process::ExitCode;

/// The way of a run.
enum Way {
    Alone,
    Cached(Box<QueryCache>),
    Batch,
}

struct Impinge {
    shapes: [model::Shape; 2],
    poses: [Vec<Pose>; 2],
    margin: Margin,
    query: Query,
    way: Way,
}

impl ShapeAnswerer for Impinge {
    const ABOUT: [&'static str; 3] =
        ["impinge", env!("CARGO_PKG_VERSION"), "exact; distances as intervals of the default accuracy"];

    fn build(file: &ShapeFile, way: &str) -> Result<Self, String> {
        let told = |error: impinge::Error| error.to_string();
        let shape = |shape: &Shape| match shape {
            Shape::Sphere { radius } => model::Shape::sphere(*radius),
            Shape::Capsule { radius, height } => model::Shape::capsule(*radius, *height),
            Shape::Hull(mesh) | Shape::Mesh(mesh) => Mesh::new(mesh.points.clone(), mesh.triangles.clone())
                .and_then(|mesh| model::Shape::padded(Model::new(mesh), 0.0)),
        };
        let pose = |pose: &contract::Pose| Pose::rigid(pose.rows, pose.translation);
        let poses = |k: usize| file.frames.iter().map(|frame| pose(&frame[k])).collect::<Result<_, _>>();
        let way = match way {
            "" => Way::Alone,
            "cached" => Way::Cached(Box::default()),
            "batch" => Way::Batch,
            _ => return Err(format!("there is no way {way}")),
        };
        Ok(Self {
            shapes: [shape(&file.shapes[0]).map_err(told)?, shape(&file.shapes[1]).map_err(told)?],
            poses: [poses(0).map_err(told)?, poses(1).map_err(told)?],
            margin: Margin::new(file.margin).map_err(told)?,
            query: Query::new(),
            way,
        })
    }
    fn answer(&mut self, asked: Asked, answers: &mut Vec<[f64; 2]>) -> bool {
        let Self { shapes: [a, b], poses: [of_a, of_b], query, margin, way } = self;
        if let Way::Batch = way {
            // The first shape has one pose in all frames.
            let a = a.at(of_a[0]);
            match asked {
                Asked::First => {
                    answers.extend(query.intersects_at(&a, b.model(), of_b).iter().map(|&yes| is(yes)));
                }
                Asked::Distance => {
                    answers.extend(query.distance_at(&a, b.model(), of_b).iter().map(|&gap| bounds(gap)));
                }
                Asked::Within => {
                    let near = query.within_at(&a, b.model(), of_b, *margin);
                    answers.extend(near.iter().map(|&yes| is(yes)));
                }
            }
            return true;
        }
        for (&p, &q) in of_a.iter().zip(&*of_b) {
            let b = &Body::new(b.model(), q);
            // A body without a radius is passed as such, as users do.
            let plain = &Body::new(a.model(), p);
            answers.push(match (&mut *way, asked) {
                (Way::Cached(cache), _) if a.radius() == 0.0 => {
                    let mut query = query.with_cache(cache);
                    match asked {
                        Asked::First => is(query.intersects(plain, b)),
                        Asked::Distance => bounds(query.distance(plain, b)),
                        Asked::Within => is(query.within(plain, b, *margin)),
                    }
                }
                _ if a.radius() == 0.0 => alone(query, plain, b, *margin, asked),
                _ => alone(query, &a.at(p), b, *margin, asked),
            });
        }
        true
    }
}

/// The result of one query.
fn alone(query: &mut Query, a: &impl AnyBody, b: &Body<'_>, margin: Margin, asked: Asked) -> [f64; 2] {
    match asked {
        Asked::First => is(query.intersects(a, b)),
        Asked::Distance => bounds(query.distance(a, b)),
        Asked::Within => is(query.within(a, b, margin)),
    }
}

fn is(yes: bool) -> [f64; 2] {
    [f64::from(u8::from(yes)); 2]
}

fn bounds(gap: Option<DistanceBounds>) -> [f64; 2] {
    gap.map_or([f64::NAN; 2], |gap| [gap.lo, gap.hi])
}

fn main() -> ExitCode {
    contract_main::<Impinge>()
}
