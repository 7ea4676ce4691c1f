//! Checks that warm queries do not allocate. Each test binary counts its thread's allocations.
use super::{Setup, poses, scenes, share, share_of};
use crate::meshes;
use impinge::{Body, Query};

/// Runs queries of two bodies, of one mesh and of batches twice. Checks that the second run allocates
/// nothing.
///
/// # Panics
/// Panics if a query allocates; or if the exact stage hardly ran, or the counter does not count.
pub fn queries(setups: &[Setup], allocations: fn() -> usize) {
    let mut queries: Vec<Query> = setups.iter().map(|setup| setup.query().counting(true)).collect();
    for round in 0..2 {
        for (name, a, b) in share(scenes(), 0) {
            // This mesh crosses itself, and has neighbours that only integers decide.
            let both = meshes::merged(&[&a, &b, &meshes::to_grid(&b, 3)]);
            for (setup, query) in setups.iter().zip(&mut queries) {
                let [a, b, both] = [&a, &b, &both].map(|mesh| setup.model(mesh));
                let poses = poses().into_iter().step_by(3);
                let bodies: Vec<_> = poses.map(|(p, q)| [Body::new(&a, p), Body::new(&b, q)]).collect();
                let before = allocations();
                for [a, b] in &bodies {
                    query.first_contact(a, b);
                    query.pairs(a, b);
                }
                query.self_first_contact(&both);
                query.self_pairs(&both);
                query.intersects_each(&bodies);
                query.pairs_each(&bodies);
                let made = allocations() - before;
                assert!(round == 0 || made == 0, "{name}, {setup:?}: {made}");
            }
        }
    }
    for (setup, query) in setups.iter().zip(&queries) {
        let exact = query.counters().map_or(0, |counters| counters.count.exact_tests);
        assert!(exact > share_of(1500) as u64, "{setup:?}: {exact} exact tests");
    }
    assert!(allocations() > 0, "the counter counts");
}

/// Checks refits to two shapes in turn, of all vertices and of a few: from the third round on, none
/// allocates.
///
/// # Panics
/// Panics if a refit allocates; or if the counter does not count.
pub fn refits(setups: &[Setup], allocations: fn() -> usize) {
    // So large that the fast tree joins pieces.
    let mesh = meshes::torus(120, 60, 0.3);
    let shapes = [0.0, 0.1].map(|h| {
        let wave = |v: &[f64; 3]| [v[0], v[1] + h * (3.0 * v[2]).sin(), v[2] + h * (5.0 * v[0]).sin()];
        mesh.points().iter().map(wave).collect::<Vec<_>>()
    });
    let some = shapes
        .each_ref()
        .map(|points| (100..150_u32).map(|i| (i, points[i as usize])).collect::<Vec<(u32, [f64; 3])>>());
    for setup in setups {
        let mut model = setup.model(&mesh);
        for round in 0..6 {
            let before = allocations();
            model.refit(&shapes[round % 2]).expect("as many points");
            let between = allocations();
            model.refit_some(&some[(round + 1) % 2]).expect("vertices that there are");
            let made = [between - before, allocations() - between];
            assert!(round > 0 || made.iter().all(|&made| made > 0), "the counter counts");
            // Both shapes have occurred, and the touched vertices of each.
            assert!(round < 2 || made == [0; 2], "{setup:?}: {made:?}");
        }
    }
}
