//! Sweeps are the same on every instruction set, for every tree and for any number of threads, and allocate
//! nothing when warm.
use super::{Case, Side, scenes};
use crate::allocator;
use impinge::{
    Body, BuildOptions, Model, Pose, Quality, Query, Threads,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions},
};
use impinge_testkit::{
    cases::{is_full, pools},
    meshes,
    rng::Rng,
    ways::levels,
};

#[test]
fn results_are_equal_on_all_instruction_sets() {
    let mut queries: Vec<Query> = levels().into_iter().map(|level| Query::new().simd(level)).collect();
    // Where bodies meet at the start, any of the pairs that meet is a result.
    let without_first = |sweep| match sweep {
        Sweep::Contact { free_until: 0.0, meets_at: 0.0, pose, .. } => {
            Sweep::Contact { free_until: 0.0, meets_at: 0.0, pose, pair: [0; 2] }
        }
        other => other,
    };
    let mut unequal = 0;
    for index in 0..if is_full() { 20_000 } else { 400 } {
        let case = scenes::case(&mut Rng::for_case(65, index));
        let all: Vec<Sweep> = queries.iter_mut().map(|query| without_first(case.sweep(query))).collect();
        if all.iter().any(|sweep| *sweep != all[0]) {
            println!("case {index}: {all:?}");
            unequal += 1;
        }
    }
    assert_eq!(unequal, 0);
}

#[test]
fn results_are_equal_for_all_trees() {
    let mut query = Query::new();
    for index in 0..if is_full() { 5_000 } else { 200 } {
        let case = scenes::case(&mut Rng::for_case(66, index));
        let found = case.sweep(&mut query);
        for options in [
            BuildOptions::default().quality(Quality::Fast),
            BuildOptions::default().quality(Quality::OnDemand),
            BuildOptions::default().leaf_size(1),
        ] {
            let rebuilt = |side: &Side| {
                let model = Model::with_options(side.model.mesh().clone(), &options);
                Side { model, track: side.track.clone(), radius: side.radius }
            };
            let other = Case { a: rebuilt(&case.a), b: rebuilt(&case.b), margin: case.margin };
            let other = other.sweep(&mut query);
            // Times of both are bounds of the same contact. Other pairs may meet at that time.
            match (found, other) {
                (
                    Sweep::Contact { free_until: f, meets_at: m, .. },
                    Sweep::Contact { free_until, meets_at, .. },
                ) => assert!(f <= meets_at && free_until <= m, "case {index}: {found:?} {other:?}"),
                (Sweep::Clear, Sweep::Clear) | (Sweep::Near { .. }, Sweep::Near { .. }) => {}
                both => panic!("case {index}, {options:?}: {both:?}"),
            }
        }
    }
}

/// A body, another, and paths of that one.
fn batch(rng: &mut Rng, count: usize) -> (Model, Model, Vec<Path>) {
    let [a, b] = [meshes::icosphere(2), meshes::torus(24, 12, 0.3)].map(Model::new);
    let paths = (0..count).map(|_| scenes::path(rng, false)).collect();
    (a, b, paths)
}

#[test]
fn batches_are_equal_on_any_number_of_threads() {
    let (a, b, paths) = batch(&mut Rng::new(67), 200);
    let body = Body::new(&a, Pose::IDENTITY);
    let options = SweepOptions::new();
    let mut query = Query::new();
    let one: Vec<Sweep> =
        paths.iter().map(|path| query.sweep(body, Moving::new(&b, path), &options)).collect();
    assert!(one.iter().filter(|sweep| **sweep == Sweep::Clear).count() > 10);
    assert!(one.iter().filter(|sweep| matches!(sweep, Sweep::Contact { .. })).count() > 10);
    assert_eq!(query.sweep_at(body, &b, &paths, &options), one);
    for pool in pools() {
        let many = pool
            .install(|| Query::new().threads(Threads::Pool).sweep_at(body, &b, &paths, &options).to_vec());
        assert_eq!(many, one, "{} threads", pool.current_num_threads());
    }
    assert_eq!(query.sweep_at(body, &b, &[], &options), []);
}

/// Decisions by integers may allocate, so models are no soups on grids here.
#[test]
fn a_warm_sweep_does_not_allocate() {
    let (a, b, paths) = batch(&mut Rng::new(68), 60);
    let options = SweepOptions::new();
    let moving = Path::screw(Pose::IDENTITY, [0.5, 0.0, 0.0], [0.0, 1.0, 0.0], 2.0, 0.5).unwrap();
    let mut query = Query::new();
    for round in 0..2 {
        for path in &paths {
            let before = allocator::count();
            query.sweep(Body::new(&a, Pose::IDENTITY), Moving::new(&b, path), &options);
            query.sweep(Moving::new(&a, &moving), Moving::new(&b, path).rounded(0.25).unwrap(), &options);
            let made = allocator::count() - before;
            assert!(round == 0 || made == 0, "{made} allocations: {path:?}");
        }
    }
    assert!(allocator::count() > 0, "the counter counts");
}
