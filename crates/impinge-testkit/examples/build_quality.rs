//! Prints the tables of `papers/docs/build-quality.md`: quality of builds for the horse and the saw, by kind,
//! arity, leaf size and split rule. `build_quality [--data DIR]`; without the models it uses generated ones,
//! with a notice.
//!
//! Nv, Nu and Np are means of a frame over the quick scenes `horses` and `tumble-saw` (where its distance is
//! at least 1), all pairs.
use impinge::{Body, Query};
use impinge_testkit::{
    scenes::{Scene, Sources, build},
    ways::splits,
};
use impinge_volumes::{Kind, Options};
use std::{path::Path, process::ExitCode, time::Instant};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = match &arguments[..] {
        [] => None,
        [option, folder] if option == "--data" => Some(Path::new(folder)),
        _ => {
            eprintln!("usage: build_quality [--data DIR]");
            return ExitCode::from(2);
        }
    };
    match ["horses", "tumble-saw"].map(|name| build(name, &Sources { data, quick: true })) {
        [Ok(horses), Ok(mut saw)] => {
            // At smaller distances most of one saw is inside the other, and a frame takes a second.
            let far = saw.groups.iter().filter(|group| group.distance.is_some_and(|d| d >= 1.0));
            let frames = far.flat_map(|group| saw.frames[group.frames.clone()].to_vec()).collect();
            saw.frames = frames;
            [horses, saw].iter().for_each(report);
            ExitCode::SUCCESS
        }
        [Err(error), _] | [_, Err(error)] => {
            eprintln!("build_quality: {error}");
            ExitCode::from(2)
        }
    }
}

fn report(scene: &Scene) {
    println!("## {}: {}\n", scene.name, scene.about);
    if let Some(stand_in) = &scene.stand_in {
        println!("**{stand_in}**\n");
    }
    println!("### Kinds, 1 triangle a leaf\n\n{HEAD}");
    for &kind in Kind::ALL {
        for &overlap in kind.overlaps() {
            let options = Options::new(kind).leaf_size(1).overlap(overlap);
            Row::of(scene, &options).print(&format!("{} {}", kind.name(), overlap.name()));
        }
    }
    println!("\n### Children a node, and triangles a leaf\n\n{HEAD}");
    for kind in [Kind::Aabb, Kind::Sphere, Kind::Dop18, Kind::Obb, Kind::Scb] {
        for &arity in kind.arities() {
            for leaf_size in [1, 2, 4, 6, 8] {
                let options = Options::new(kind).arity(arity).leaf_size(leaf_size);
                Row::of(scene, &options)
                    .print(&format!("{}, {arity} a node, {leaf_size} a leaf", kind.name()));
            }
        }
    }
    println!("\n### Split rules, 1 triangle a leaf\n\n{HEAD}");
    for kind in [Kind::Aabb, Kind::Boxtree, Kind::Obb, Kind::Scb] {
        for &split in splits(kind) {
            let options = Options::new(kind).leaf_size(1).split(split);
            Row::of(scene, &options).print(&format!("{} {}", kind.name(), split.name()));
        }
    }
    println!();
}

const HEAD: &str = "\
| | build ms | nodes | bytes a triangle | Nv | Nu | Np (leaf pairs) | triangle tests | us |
|---|---|---|---|---|---|---|---|---|";

/// Statistics of a tree of the first mesh, and the mean work of a frame.
struct Row {
    build_ms: f64,
    nodes: usize,
    bytes: f64,
    work: [f64; 4],
    us: f64,
}

impl Row {
    fn of(scene: &Scene, options: &Options) -> Self {
        let model = |n: usize| options.build(scene.meshes[n].clone()).expect("options that the kind has");
        let start = Instant::now();
        let a = model(0);
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        let b = model(1);
        let (mut counting, mut query) = (Query::new().counting(true), Query::new());
        let mut time = 0.0;
        for &[pose_a, pose_b] in &scene.frames {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            counting.pairs(&a, &b);
            let start = Instant::now();
            query.pairs(&a, &b);
            time += start.elapsed().as_secs_f64() * 1e6;
        }
        let count = counting.counters().unwrap_or_default().count;
        let mean = |sum: f64| sum / scene.frames.len() as f64;
        let work = [count.volume_tests, count.volume_updates, count.leaf_pairs, count.triangle_tests];
        let stats = a.stats();
        Self {
            build_ms,
            nodes: stats.nodes,
            bytes: stats.bytes as f64 / a.mesh().len() as f64,
            work: work.map(|n| mean(n as f64)),
            us: mean(time),
        }
    }
    fn print(&self, name: &str) {
        let Self { build_ms, nodes, bytes, work: [nv, nu, reached, np], us } = self;
        println!(
            "| {name} | {build_ms:.0} | {nodes} | {bytes:.1} | {nv:.0} | {nu:.0} | {reached:.0} \
             | {np:.0} | {us:.0} |"
        );
    }
}
