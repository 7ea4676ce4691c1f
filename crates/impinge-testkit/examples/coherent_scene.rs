//! Measures a scene's update with and without caches of pairs: 200 teapots (Hu et al. 2016), also in slow
//! motion.
//!
//! Means over 500 frames, each the least of three passes; both ways must give the same result.
use impinge::{
    BuildOptions, Model, Scene,
    scene::{Detail, SceneOptions},
};
use impinge_testkit::scenes::{Error, MANY_BODIES, ManyBodies, Sources, build_many};
use std::{process::ExitCode, sync::Arc, time::Instant};

fn main() -> Result<ExitCode, Error> {
    println!("scene             asked for   cold us  cached us  ratio   near  decided   meet");
    for (name, _) in MANY_BODIES {
        let scene = build_many(name, &Sources::default())?;
        for detail in [Detail::Bodies, Detail::Triangles] {
            let mut times = [f64::INFINITY; 2];
            let mut sums = [[0; 4]; 2];
            for _ in 0..3 {
                for (caches, (time, sum)) in [false, true].into_iter().zip(times.iter_mut().zip(&mut sums)) {
                    let options = SceneOptions::new().caches(caches);
                    let (spent, counts) = run(&scene, options, detail);
                    (*time, *sum) = (f64::min(*time, spent), counts);
                }
            }
            let found = |[_, _, meet, triangles]: [u64; 4]| [meet, triangles];
            if found(sums[0]) != found(sums[1]) {
                eprintln!("coherent_scene: caches changed a result: {sums:?}");
                return Ok(ExitCode::FAILURE);
            }
            let frames = scene.frames.len() as u64;
            let [cold, cached] = times.map(|t| 1e6 * t / frames as f64);
            let [near, decided, meet, _] = sums[1].map(|sum| sum / frames);
            println!(
                "{name:16} {:>10} {cold:9.1} {cached:10.1} {:6.2} {near:6} {decided:8} {meet:6}",
                format!("{detail:?}"),
                cold / cached
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Updates a scene in all frames. Returns seconds, and sums over frames.
fn run(many: &ManyBodies, options: SceneOptions, detail: Detail) -> (f64, [u64; 4]) {
    let build = BuildOptions::default();
    let models: Vec<_> =
        many.meshes.iter().map(|mesh| Arc::new(Model::with_options(Arc::clone(mesh), &build))).collect();
    let mut scene = Scene::with_options(options);
    let bodies: Vec<_> = many
        .bodies
        .iter()
        .zip(&many.frames[0])
        .map(|(&mesh, &pose)| scene.add(Arc::clone(&models[mesh]), pose).expect("trees of one kind"))
        .collect();
    let (mut spent, mut sums, mut poses) = (0.0, [0; 4], Vec::new());
    for frame in &many.frames {
        // In practice a program has just computed the poses it sets: they come from the cache, not from 500
        // frames in memory.
        poses.clear();
        poses.extend_from_slice(frame);
        let start = Instant::now();
        for (&body, &pose) in bodies.iter().zip(&poses) {
            // The body exists.
            let _ = scene.set_pose(body, pose);
        }
        scene.update(detail);
        spent += start.elapsed().as_secs_f64();
        let stats = scene.stats();
        let triangles = scene.contacts().iter().filter_map(|c| c.triangle_pairs).sum::<u64>();
        for (sum, n) in
            sums.iter_mut().zip([stats.near as u64, stats.decided as u64, stats.meet as u64, triangles])
        {
            *sum += n;
        }
    }
    (spent, sums)
}
