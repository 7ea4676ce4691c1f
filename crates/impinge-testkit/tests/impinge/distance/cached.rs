//! Distances with a cache of the last query.
use impinge::{
    Body, Model, Pose, Query,
    distance::{Accuracy, Margin},
    query::QueryCache,
};
use impinge_testkit::{meshes, rng::Rng, ways::levels};

/// Results with a cache equal those without one: in slow motion, over jumps, and between other bodies.
#[test]
fn a_cache_never_changes_a_distance() {
    let models =
        [meshes::torus(24, 14, 0.3), meshes::icosphere(3), meshes::sheet(3, 12, 0.2)].map(Model::new);
    let (mut near, mut met) = (0, 0);
    for level in levels() {
        let mut rng = Rng::new(21);
        let (mut query, mut cache) = (Query::new().simd(level), QueryCache::new());
        let (mut place, mut pair) = ([2.5, 0.0, 0.0], [0, 1]);
        let mut turn = rng.rotation();
        for step in 0..150 {
            let by = rng.point(if step % 40 == 39 { 2.0 } else { 0.05 });
            place = [0, 1, 2].map(|k| place[k] + by[k] - 0.01 * place[k]);
            if step % 40 == 20 {
                turn = rng.rotation();
            }
            if step % 50 == 49 {
                pair = [rng.below(3) as usize, rng.below(3) as usize];
            }
            let a = Body::new(&models[pair[0]], Pose::IDENTITY);
            let b = Body::new(&models[pair[1]], Pose::rigid(turn, place).unwrap());
            for stop in
                [Accuracy::new(), Accuracy::new().above(Margin::new(0.8).unwrap()), Accuracy::new().exact()]
            {
                let want = Query::new().with_accuracy(stop).distance(&a, &b);
                let found = query.with_cache(&mut cache).with_accuracy(stop).distance(&a, &b);
                match want {
                    // If the bodies meet, the result names any triangles that do.
                    Some(want) if want.hi == 0.0 => {
                        assert_eq!(found.map(|found| found.hi), Some(0.0), "{step}");
                        met += 1;
                    }
                    _ => assert_eq!(found, want, "{step}"),
                }
            }
            let margin = Margin::new(0.6).unwrap();
            let is_near = Query::new().within(&a, &b, margin);
            assert_eq!(query.with_cache(&mut cache).within(&a, &b, margin), is_near, "{step}");
            near += usize::from(is_near);
        }
    }
    assert!(near > 50 && met > 20, "{near} {met}");
}
