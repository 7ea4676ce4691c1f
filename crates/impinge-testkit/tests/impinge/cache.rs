//! The cache of a pair of bodies changes no result.
use impinge::{Body, BuildOptions, Model, Pose, Query, query::QueryCache};
use impinge_testkit::{meshes, rng::Rng, ways::levels};

/// Spheres that slide slowly through each other: mostly the last witness is enough, and the result is that of
/// a cold query.
#[test]
fn a_cache_changes_no_answer() {
    let options = BuildOptions::default();
    let ball = Model::with_options(meshes::icosphere(3), &options);
    let (mut cold, mut query) = (Query::new(), Query::new().counting(true));
    let (mut cache, mut met, mut warm) = (QueryCache::new(), 0, 0);
    // The cache first gets data of larger bodies.
    let other = Model::with_options(meshes::icosphere(5), &options);
    let still = Body::new(&other, Pose::IDENTITY);
    let shifted = Body::new(&other, Pose::from_translation([1.9, 0.0, 0.0]).unwrap());
    assert!(query.with_cache(&mut cache).intersects(&still, &shifted));
    for step in 0..2000 {
        let x = 2.2 - f64::from(step) * 0.002;
        let (a, b) = (
            Body::new(&ball, Pose::IDENTITY),
            Body::new(&ball, Pose::from_translation([x, 0.05, 0.03]).unwrap()),
        );
        query.reset_counters();
        let witness = query.with_cache(&mut cache).first_contact(&a, &b);
        let count = query.counters().unwrap().count;
        assert_eq!(witness.is_some(), cold.intersects(&a, &b), "{step}");
        met += u32::from(witness.is_some());
        warm += u32::from(witness.is_some() && count.volume_tests == 0);
    }
    println!("{met} of 2000 met, {warm} by the last witness");
    assert!(met > 1000 && warm > met / 2 && warm < met);
}

/// Slow motion, past touching and coincident faces: with a cache every frame has the pairs of a cold query,
/// and most of them without a walk from the roots.
#[test]
fn slow_motion_with_a_cache_gives_the_pairs_of_cold_queries() {
    let options = BuildOptions::default();
    let shapes = [
        meshes::icosphere(3),
        meshes::torus(32, 20, 0.35),
        meshes::needles(8, 500),
        meshes::to_grid(&meshes::torus(40, 30, 0.3), 6),
        meshes::cuboid([0.5, 0.75, 1.0]),
    ];
    let models = shapes.map(|mesh| Model::with_options(mesh, &options));
    let mut rng = Rng::new(5);
    let mut turn = |angle: f64| {
        let [x, y, z] = rng.point(1.0);
        let n = (x * x + y * y + z * z).sqrt();
        let (h, w) = ((angle / 2.0).sin() / n, (angle / 2.0).cos());
        rotation([w, h * x, h * y, h * z])
    };
    let ways = || levels().into_iter().map(|simd| Query::new().simd(simd).counting(true));
    let (mut cold, mut warm): (Vec<Query>, Vec<Query>) = (ways().collect(), ways().collect());
    let (mut once, mut met, mut apart, mut n) = (Query::new(), 0, 0, 0);
    for a in &models {
        for b in &models {
            let (spin, start) = (turn(2e-4), turn(1.0));
            // One cache for all pairs, one for the first contact. Frames of exact coincidence come before
            // those of a rotation.
            let (mut all, mut first, mut rows) = (QueryCache::new(), QueryCache::new(), start);
            for step in 0..150 {
                let x = 1.1 - f64::from(step) / 256.0 / 16.0;
                let rows_now = if step < 75 { *Pose::IDENTITY.rows() } else { rows };
                rows = times(&spin, &rows);
                let (a, b) = (
                    Body::new(a, Pose::IDENTITY),
                    Body::new(b, Pose::rigid(rows_now, [x, 0.25, 0.0]).unwrap()),
                );
                n = (n + 1) % cold.len();
                let want = cold[n].pairs(&a, &b);
                assert_eq!(warm[n].with_cache(&mut all).pairs(&a, &b), want, "{step}");
                let witness = once.with_cache(&mut first).first_contact(&a, &b);
                assert_eq!(witness.is_some(), !want.is_empty(), "{step}");
                assert!(witness.is_none_or(|pair| want.contains(&pair)), "{step}");
                met += usize::from(!want.is_empty());
                apart += usize::from(want.is_empty());
            }
        }
    }
    let [cold, warm] = [&cold, &warm].map(|ways| {
        let tests = |query: &Query| query.counters().unwrap().count.volume_tests;
        ways.iter().map(tests).sum::<u64>()
    });
    println!("{met} met, {apart} did not; {cold} volume tests cold, {warm} with a cache");
    assert!(met > 500 && apart > 500);
    assert!(warm > 0 && 3 * warm < cold, "fronts are of no use");
}

/// Rotation matrix of a unit quaternion.
fn rotation([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn times(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}
