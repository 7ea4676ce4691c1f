//! A planner's loop: yes-or-no queries of one pair of meshes at thousands of poses, and their cost.
use impinge::{Body, BuildOptions, Model, Pose, Query};
use impinge_testkit::{meshes, rng::Rng};
use std::time::Instant;

fn main() -> Result<(), impinge::Error> {
    let options = BuildOptions::default();
    let (torus, ball) = (
        Model::with_options(meshes::torus(96, 64, 0.3), &options),
        Model::with_options(meshes::icosphere(5), &options),
    );
    let rest = Body::new(&torus, Pose::IDENTITY);
    let mut rng = Rng::new(1);
    let poses =
        (0..10_000).map(|_| Pose::rigid(rng.rotation(), rng.point(2.5))).collect::<Result<Vec<_>, _>>()?;

    // Keep one query for each thread: once it is warm, nothing allocates.
    let mut query = Query::new().counting(true);
    let start = Instant::now();
    let hits = query.intersects_at(&rest, &ball, &poses).iter().filter(|&&hit| hit).count();
    let each = start.elapsed().as_secs_f64() * 1e6 / poses.len() as f64;
    println!("{hits} of {} poses collide; {each:.2} us each", poses.len());
    if let Some(counters) = query.counters() {
        println!("{:?}", counters.count);
    }
    Ok(())
}
