//! Random poses of two spheres, as a planner asks them, on 1 thread and on all: poses a second, and how near to linear that grows. Then one
//! large query, divided. Build with `--features rayon`.
use impinge::{Body, BuildOptions, Kind, Model, Pose, Query, Scratches};
use impinge_testkit::{meshes, rng::Rng};
use std::{error::Error, hint::black_box, thread::available_parallelism, time::Instant};

/// The least seconds of some runs.
fn least(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(|_| time()).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let [a, b, c, d] = [5, 5, 6, 7].map(|level| Model::new(meshes::icosphere(level), &options));
    let (a, c) = (Body::new(&a, Pose::IDENTITY), Body::new(&c, Pose::IDENTITY));
    let mut rng = Rng::new(1);
    let poses =
        (0..20_000).map(|_| Pose::rigid(rng.rotation(), rng.point(2.5))).collect::<Result<Vec<_>, _>>()?;
    let d = Body::new(&d, Pose::rigid(rng.rotation(), [1e-4, 0.0, 0.0])?);
    if cfg!(not(feature = "rayon")) {
        println!("built without the feature rayon: one thread does all");
    }
    println!("threads       poses a second    of linear    large query, ms    of linear");
    let mut alone = [0.0; 2];
    for threads in 1..=available_parallelism()?.get() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let (mut scratches, mut found, mut pairs) = (Scratches::new(), Vec::new(), Vec::new());
        let times = pool.install(|| {
            let batch = || Query::default().intersects_at(&a, &b, &poses, &mut scratches, &mut found);
            let batch = least(9, batch);
            let large = || Query::default().par_intersecting_pairs(&c, &d, &mut scratches, &mut pairs);
            [batch, least(9, large)]
        });
        black_box((&found, &pairs));
        if threads == 1 {
            alone = times;
        }
        let linear = [0, 1].map(|k| alone[k] / times[k] / threads as f64);
        let (rate, ms) = (poses.len() as f64 / times[0], times[1] * 1e3);
        println!("{threads:7}{rate:21.0}{:13.2}{ms:19.3}{:13.2}", linear[0], linear[1]);
    }
    Ok(())
}
