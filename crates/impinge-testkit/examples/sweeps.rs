//! Sweeps of known scenes: what is proved, the time it takes, and that of static queries along the same path.
//!
//! `cargo run --release -p impinge-testkit --example sweeps [-- NAME]` runs the scenes whose name contains
//! NAME.
use impinge::{
    Body, Query,
    sweep::{Moving, SweepOptions},
};
use impinge_testkit::sweeps;
use std::time::Instant;

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    for scene in sweeps::scenes().iter().filter(|scene| scene.name.contains(&only)) {
        let resting = Body::new(&scene.resting, impinge::Pose::IDENTITY);
        let moving = Moving::new(&scene.moving, &scene.path);
        let (mut query, mut least) = (Query::new(), f64::MAX);
        let mut result = None;
        for _ in 0..5 {
            let start = Instant::now();
            result = Some(query.sweep(resting, moving, &SweepOptions::new()));
            least = least.min(start.elapsed().as_secs_f64());
        }
        let start = Instant::now();
        let first = (0..1000).find(|k| {
            let pose = scene.path.at(f64::from(*k) / 1000.0);
            query.intersects(&resting, &Body::new(&scene.moving, pose))
        });
        let sampled = start.elapsed().as_secs_f64();
        println!(
            "{:26} {:9.1} us {result:?}; 1000 samples {:.1} us, first contact {first:?}",
            scene.name,
            least * 1e6,
            sampled * 1e6
        );
    }
}
