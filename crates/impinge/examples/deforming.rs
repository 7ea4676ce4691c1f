//! A sheet falls over a ball that does not move. In each frame the sheet gets new points, and is tested
//! against the ball and against itself.
//!
//! `cargo run --release -p impinge --example deforming`
use impinge::{BuildOptions, Mesh, Model, Pose, Query, Scene, model::Rebuild, scene::Detail};
use std::{error::Error, f64::consts::TAU, sync::Arc};

/// Squares on a side of the sheet, and on a half circle of the ball.
const N: u32 = 64;

/// A grid of n by m squares, each cut in two, with corners at `at(u, v)` for u and v from 0 to 1.
fn grid(n: u32, m: u32, at: impl Fn(f64, f64) -> [f64; 3]) -> Result<Mesh, impinge::Error> {
    let points = (0..=m).flat_map(|j| (0..=n).map(move |i| (i, j)));
    let points = points.map(|(i, j)| at(f64::from(i) / f64::from(n), f64::from(j) / f64::from(m))).collect();
    let corner = |k: u32| k / n * (n + 1) + k % n;
    let square = |k: u32| [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]];
    Mesh::new(points, (0..n * m).map(corner).flat_map(square).collect())
}

/// The sheet sinks around the ball; from frame 60 on its sides are folded under until they cross each other.
fn sheet(u: f64, v: f64, frame: u32) -> [f64; 3] {
    let time = f64::from(frame) / 60.0;
    let (x, y) = (3.0 * u - 1.5, 3.0 * v - 1.5);
    let drape = time.min(1.0) * 0.9 * (x * x + y * y);
    let fold = 1.0 - 1.5 * (time - 1.0).max(0.0) * (drape / 2.0).min(1.0);
    [x * fold, y * fold, 1.6 - 0.55 * time.min(1.0) - drape]
}

fn main() -> Result<(), Box<dyn Error>> {
    let ball = grid(2 * N, N, |u, v| {
        let ((s, c), (t, d)) = ((TAU * u).sin_cos(), (TAU / 2.0 * v).sin_cos());
        [t * c, t * s, d]
    })?;
    let options = BuildOptions::default();
    let mut scene = Scene::new();
    scene.add(Arc::new(Model::with_options(ball, &options)), Pose::IDENTITY)?;
    let cloth = Arc::new(Model::with_options(grid(N, N, |u, v| sheet(u, v, 0))?, &options));
    let cloth = scene.add(cloth, Pose::IDENTITY)?;

    let mut query = Query::new();
    for frame in 0..=120 {
        let along = |k: u32| f64::from(k) / f64::from(N);
        let points: Vec<_> =
            (0..=N).flat_map(|j| (0..=N).map(move |i| sheet(along(i), along(j), frame))).collect();
        let done = scene.deform(cloth, &points, Rebuild::default())?;
        scene.update(Detail::Counts);
        if frame % 10 == 0 {
            let model = scene.body(cloth)?.0;
            let own = query.self_pairs(model).len();
            let met = scene.contacts().first().and_then(|contact| contact.triangle_pairs).unwrap_or(0);
            println!(
                "frame {frame:3}: {done:?}, decay {:.2}; meets the ball in {met:4} pairs of triangles, \
                 itself in {}",
                model.decay(),
                own
            );
        }
    }
    Ok(())
}
