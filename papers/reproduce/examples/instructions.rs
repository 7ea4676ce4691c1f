//! Instructions of work on questions that two papers leave open (Hu and others 2016, van den Bergen 1997),
//! for callgrind:
//!
//! ```sh
//! valgrind --tool=callgrind --toggle-collect='*measured*' --callgrind-out-file=/dev/null \
//!     target/release/examples/instructions ideas many all 50
//! ```
//!
//! * `ideas two|many IDEA FRAMES [DATA]`: all pairs of triangles of two dragons or of 200 teapots, with the
//!   idea `none`, `cube`, `hull`, `reuse`, `all`, or with the `fast` tree. FRAMES are spread over all 500.
//! * `scene CHANGE FRAMES`: updates of a scene of 200 teapots: `none`, `cubes` or `no-caches`. The first FRAMES
//!   frames.
//! * `lists kept|new FRAMES`: the paper's broad phase alone.
//! * `torus build|refit|query KIND`: one build, one refit after a wave, or 40 queries of a torus of 5,000
//!   triangles.
use impinge::{
    Body, Model, Pose, Query, Scene,
    broad_phase::{Aabb, BroadPhase},
    scene::{Detail, Enclosure, SceneOptions},
};
use impinge_reproduce::SortedLists;
use impinge_testkit::{
    meshes,
    rng::Rng,
    scenes::{ManyBodies, Sources, build, build_many},
};
use impinge_volumes::{Fit, Kind, Options, Split};
use std::{hint::black_box, path::Path, sync::Arc};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = match arguments[..] {
        ["ideas", scene, idea, frames] => ideas(scene, idea, frames.parse()?, None)?,
        ["ideas", scene, idea, frames, data] => ideas(scene, idea, frames.parse()?, Some(Path::new(data)))?,
        ["scene", change, frames] => scene(change, frames.parse()?)?,
        ["lists", way, frames] => lists(way, frames.parse()?)?,
        ["torus", what, kind] => torus(what, kind)?,
        // Every example runs without arguments.
        [] => ideas("many", "all", 1, None)?,
        _ => return Err("arguments: see the head of the file".into()),
    };
    println!("{}: {found}", arguments.join(" "));
    Ok(())
}

/// Runs the work that callgrind counts.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

fn spread<T>(all: &[T], count: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by((all.len() / count.max(1)).max(1)).take(count)
}

fn ideas(scene: &str, idea: &str, frames: usize, data: Option<&Path>) -> Outcome<usize> {
    let of = |kind, fit| Options::new(kind).fit(fit).split(Split::Mean).leaf_size(1);
    let options = match idea {
        "none" => of(Kind::Obb, Fit::Auto),
        "cube" => of(Kind::HybridPlain, Fit::Triangles),
        "hull" => of(Kind::ObbHull, Fit::Auto),
        "reuse" => of(Kind::Hybrid, Fit::Rapid),
        "all" => of(Kind::Hybrid, Fit::Auto),
        "fast" => Options::new(Kind::Wide),
        _ => return Err(format!("there is no idea '{idea}'").into()),
    };
    let sources = Sources { data, quick: false };
    let (meshes, pairs): (_, Vec<[Pose; 2]>) = match scene {
        "two" => {
            let poses = build("buddhas", &Sources::default())?.frames;
            (build("hands", &sources)?.meshes, spread(&poses, frames).copied().collect())
        }
        "many" => {
            let many = build_many("teapots-200", &sources)?;
            let (mut lists, mut near, mut placed) = (SortedLists::new(), Vec::new(), Vec::new());
            for poses in spread(&many.frames, frames) {
                lists.update(&cubes(&many, poses), &everybody(&many), &mut near);
                placed.extend(near.iter().map(|pair: &[u32; 2]| pair.map(|body| poses[body as usize])));
            }
            (std::array::from_fn(|_| Arc::clone(&many.meshes[0])), placed)
        }
        _ => return Err(format!("there is no scene '{scene}'").into()),
    };
    let [a, b] = meshes.map(|mesh| options.build(mesh));
    let (a, b, mut query) = (a?, b?, Query::new());
    Ok(measured(|| {
        pairs.iter().map(|&[one, two]| query.pairs(&Body::new(&a, one), &Body::new(&b, two)).len()).sum()
    }))
}

fn everybody(many: &ManyBodies) -> Vec<u32> {
    (0..).take(many.bodies.len()).collect()
}

/// The paper's cubes, around the mean of the triangles' corners.
fn cubes(many: &ManyBodies, poses: &[Pose]) -> Vec<Aabb> {
    let mesh = &many.meshes[0];
    let corners = || mesh.triangles().as_flattened().iter().map(|&i| mesh.points()[i as usize]);
    let n = (3 * mesh.len()) as f64;
    let mean: [f64; 3] = std::array::from_fn(|k| corners().map(|v| v[k]).sum::<f64>() / n);
    let far = corners().map(|v| (0..3).map(|k| (v[k] - mean[k]).powi(2)).sum::<f64>()).fold(0.0, f64::max);
    let r = far.sqrt() + 1e-9;
    let cube = |pose: &Pose| {
        let c = pose.place(mean);
        Aabb { lo: c.map(|x| x - r), hi: c.map(|x| x + r) }
    };
    poses.iter().map(cube).collect()
}

fn lists(way: &str, frames: usize) -> Outcome<usize> {
    let many = build_many("teapots-200", &Sources::default())?;
    let boxes: Vec<Vec<Aabb>> = many.frames.iter().take(frames).map(|poses| cubes(&many, poses)).collect();
    let (everybody, mut near) = (everybody(&many), Vec::new());
    let mut lists = SortedLists::new();
    let are_new = way == "new";
    Ok(measured(|| {
        let mut found = 0;
        for boxes in &boxes {
            if are_new {
                lists = SortedLists::new();
            }
            lists.update(boxes, &everybody, &mut near);
            found += near.len();
        }
        found
    }))
}

fn scene(change: &str, frames: usize) -> Outcome<usize> {
    let options = match change {
        "none" => SceneOptions::new(),
        "cubes" => SceneOptions::new().enclosure(Enclosure::Cubic),
        "no-caches" => SceneOptions::new().caches(false),
        _ => return Err(format!("there is no change '{change}'").into()),
    };
    let many = build_many("teapots-200", &Sources::default())?;
    let model = Arc::new(Model::new(Arc::clone(&many.meshes[0])));
    let mut scene = Scene::with_options(options);
    let bodies = many.frames[0].iter().map(|&pose| scene.add(Arc::clone(&model), pose));
    let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
    let pairs = measured(|| -> Result<u64, impinge::Error> {
        let mut pairs = 0;
        for poses in many.frames.iter().take(frames) {
            for (&body, &pose) in bodies.iter().zip(poses) {
                scene.set_pose(body, pose)?;
            }
            scene.update(Detail::Triangles);
            pairs += scene.contacts().iter().filter_map(|c| c.triangle_pairs).sum::<u64>();
        }
        Ok(pairs)
    })?;
    Ok(usize::try_from(pairs)?)
}

fn torus(what: &str, kind: &str) -> Outcome<usize> {
    let kind =
        Kind::ALL.iter().copied().find(|k| k.name() == kind).ok_or(format!("there is no volume '{kind}'"))?;
    let options = Options::new(kind).leaf_size(usize::from(kind != Kind::Wide));
    let mesh = Arc::new(meshes::torus(100, 25, 0.25));
    if what == "build" {
        return Ok(measured(|| options.build(Arc::clone(&mesh)))?.stats().bytes);
    }
    let mut model = options.build(Arc::clone(&mesh))?;
    let wave = |height: f64| -> Vec<[f64; 3]> {
        mesh.points().iter().map(|&[x, y, z]| [x, y, z + height * (4.0 * x + 2.0 * y).sin()]).collect()
    };
    match what {
        "refit" => {
            // The first refit makes the memory of the others.
            model.refit(&wave(0.1))?;
            let points = wave(0.2);
            measured(|| model.refit(&points))?;
            Ok(model.stats().bytes)
        }
        "query" => {
            // The placements of `impinge-papers reproduce open-questions`.
            let mut rng = Rng::new(0x0be6);
            let mut places = Vec::new();
            for k in 0..40 {
                let far = 0.2 + (f64::from(k) + 0.5) / 40.0;
                let shift = rng.direction().map(|x| far * x);
                places.push([Pose::rigid(rng.rotation(), [0.0; 3])?, Pose::rigid(rng.rotation(), shift)?]);
            }
            let mut query = Query::new();
            Ok(measured(|| {
                places
                    .iter()
                    .map(|poses| {
                        query.pairs(&Body::new(&model, poses[0]), &Body::new(&model, poses[1])).len()
                    })
                    .sum()
            }))
        }
        _ => Err(format!("there is no work '{what}'").into()),
    }
}
