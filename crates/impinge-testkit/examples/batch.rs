//! Poses a second on 1 to all threads, and their share of linear growth, for random poses of two spheres, as
//! in a planner. Then one large query, divided. Build with `--features rayon`.
use impinge::{Body, BuildOptions, Model, Pose, Query, Threads};
use impinge_testkit::{meshes, rng::Rng};
use std::{error::Error, thread, time::Duration, time::Instant};

/// Number of short runs, with rests between them. Their least time is right even on a machine with other
/// work.
const RUNS: usize = 50;
/// Poses of a batch of some milliseconds. To wake a thread takes 0.1 ms, which shorter batches would mostly
/// show.
const POSES: usize = 8000;
const OF_PAIRS: usize = 640;

fn main() -> Result<(), Box<dyn Error>> {
    if cfg!(not(feature = "rayon")) {
        println!("built without the feature rayon: one thread does all");
    }
    let options = BuildOptions::default();
    let [small, large] = [4, 5].map(|level| Model::with_options(meshes::icosphere(level), &options));
    let (a, c) = (Body::new(&small, Pose::IDENTITY), Body::new(&large, Pose::IDENTITY));
    let mut rng = Rng::new(1);
    let poses =
        (0..POSES).map(|_| Pose::rigid(rng.rotation(), rng.point(2.5))).collect::<Result<Vec<_>, _>>()?;
    let d = Body::new(&large, Pose::rigid(rng.rotation(), [0.01, 0.0, 0.0])?);

    let threads = 1..=thread::available_parallelism()?.get();
    let pools = threads.map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    let mut pools = pools
        .map(|pool| Ok((pool?, Query::new().threads(Threads::Pool), [f64::INFINITY; 3])))
        .collect::<Result<Vec<_>, rayon::ThreadPoolBuildError>>()?;
    for _ in 0..RUNS {
        for (pool, query, least) in &mut pools {
            for (k, least) in least.iter_mut().enumerate() {
                thread::sleep(Duration::from_millis(3));
                let start = Instant::now();
                pool.install(|| match k {
                    0 => query.intersects_at(&a, &small, &poses).len(),
                    1 => query.pairs_at(&a, &small, &poses[..OF_PAIRS]).len(),
                    _ => query.pairs(&c, &d).len(),
                });
                *least = least.min(start.elapsed().as_secs_f64());
            }
        }
    }
    println!(
        "threads   yes or no: poses/s  of linear   all pairs: poses/s  of linear   large query: ms  of linear"
    );
    let alone = pools[0].2;
    for (pool, _, times) in &pools {
        let n = pool.current_num_threads();
        let linear = [0, 1, 2].map(|k| alone[k] / times[k] / n as f64);
        let (first, all, large) = (POSES as f64 / times[0], OF_PAIRS as f64 / times[1], 1e3 * times[2]);
        print!("{n:7}{first:21.0}{:11.2}{all:21.0}{:11.2}", linear[0], linear[1]);
        println!("{large:18.3}{:11.2}", linear[2]);
    }
    Ok(())
}
