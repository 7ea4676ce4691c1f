//! With a warm scratch a query does not allocate, whatever it has to decide.
mod common;

use common::{poses, scenes};
use impinge::{Body, BuildOptions, Kind, Model, PairLists, Pose, Query, Scratch, Scratches};
use impinge_testkit::{meshes, rng::Rng, ways::queries};
use rayon::ThreadPoolBuilder;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local!(static ALLOCATIONS: Cell<usize> = const { Cell::new(0) });

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is `GlobalAlloc`'s own.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    // SAFETY: the contract is `GlobalAlloc`'s own.
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `dealloc`'s contract.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_warm_query_does_not_allocate() {
    let (mut scratch, mut pairs) = (Scratch::new(), Vec::new());
    let mut exact = impinge::Count::default();
    for round in 0..2 {
        for (name, a, b) in scenes() {
            for &kind in Kind::ALL {
                let options = BuildOptions { kind, ..BuildOptions::default() };
                let (a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
                for (query, (pose_a, pose_b)) in queries(kind).into_iter().cycle().zip(poses()) {
                    let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                    let before = ALLOCATIONS.get();
                    query.intersects(&a, &b, &mut scratch, &mut ());
                    query.intersecting_pairs(&a, &b, &mut scratch, &mut pairs, &mut exact);
                    let allocations = ALLOCATIONS.get() - before;
                    assert!(round == 0 || allocations == 0, "{name}, {kind:?}, {query:?}: {allocations}");
                }
            }
        }
    }
    assert!(exact.exact_tests > 1000, "the exact stage must have been among what was asked");
    assert!(ALLOCATIONS.get() > 0, "the counter counts");
}

/// Meshes that cross themselves, and neighbours that only integers decide.
#[test]
fn a_warm_self_query_does_not_allocate() {
    let (mut scratch, mut pairs, mut exact) = (Scratch::new(), Vec::new(), impinge::Count::default());
    for round in 0..2 {
        for (name, a, b) in scenes() {
            let both = meshes::merged(&[&a, &b, &meshes::to_grid(&b, 3)]);
            for &kind in Kind::ALL {
                let model = Model::new(both.clone(), &BuildOptions { kind, ..BuildOptions::default() });
                for query in queries(kind) {
                    let before = ALLOCATIONS.get();
                    query.self_intersects(&model, &mut scratch, &mut exact);
                    query.self_intersecting_pairs(&model, &mut scratch, &mut pairs, &mut exact);
                    let allocations = ALLOCATIONS.get() - before;
                    assert!(round == 0 || allocations == 0, "{name}, {kind:?}, {query:?}: {allocations}");
                }
            }
        }
    }
    assert!(exact.exact_tests > 1000, "the exact stage must have been among what was asked");
}

/// On one thread a warm batch allocates nothing. On more, a thread may meet a query that needs more memory than those that it has met before, and rayon's own
/// queues may grow: a few allocations, however many queries there are.
#[test]
fn a_warm_batch_does_not_allocate_for_a_query() {
    let mut rng = Rng::new(4);
    let poses: Vec<Pose> = (0..2000).map(|_| Pose::rigid(rng.rotation(), rng.point(2.0)).unwrap()).collect();
    for kind in [Kind::Aabb, Kind::Wide] {
        let options = BuildOptions { kind, ..BuildOptions::default() };
        let [ball, torus] =
            [meshes::icosphere(2), meshes::torus(24, 12, 0.3)].map(|mesh| Model::new(mesh, &options));
        let rest = Body::new(&ball, Pose::IDENTITY);
        let twice = Model::new(meshes::merged(&[ball.mesh(), torus.mesh()]), &options);
        for threads in [1, 2, 3] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let allocations = || pool.broadcast(|_| ALLOCATIONS.get()).iter().sum::<usize>();
            let (mut scratches, mut first, mut all) = (Scratches::new(), Vec::new(), PairLists::new());
            let (mut pairs, mut crossing, mut before) = (Vec::new(), Vec::new(), 0);
            for round in 0..3 {
                before = allocations();
                pool.install(|| {
                    let query = Query::default();
                    query.intersects_at(&rest, &torus, &poses, &mut scratches, &mut first);
                    query.intersecting_pairs_at(&rest, &torus, &poses, &mut scratches, &mut all);
                    query.par_intersecting_pairs(&rest, &rest, &mut scratches, &mut pairs);
                    query.par_self_intersecting_pairs(&twice, &mut scratches, &mut crossing);
                });
                assert!(round > 0 || allocations() > before, "the counter counts");
            }
            let least = pairs.len().min(crossing.len());
            assert!(all.pairs().len() > 2000 && least > 100, "there must be something to store");
            let most = if threads == 1 { 0 } else { 100 * threads };
            let made = allocations() - before;
            assert!(made <= most, "{kind:?}, {threads} threads: {made} allocations");
        }
    }
}

#[test]
fn a_warm_refit_does_not_allocate() {
    // So large that kind wide puts pieces together.
    let mesh = meshes::torus(120, 60, 0.3);
    let shapes = [0.0, 0.1].map(|h| {
        let wave = |v: &[f64; 3]| [v[0], v[1] + h * (3.0 * v[2]).sin(), v[2] + h * (5.0 * v[0]).sin()];
        mesh.points().iter().map(wave).collect::<Vec<_>>()
    });
    let some = shapes
        .each_ref()
        .map(|points| (100..150_u32).map(|i| (i, points[i as usize])).collect::<Vec<(u32, [f64; 3])>>());
    for kind in [Kind::Aabb, Kind::Dop14, Kind::Dop26, Kind::Wide] {
        let mut model = Model::new(mesh.clone(), &BuildOptions { kind, ..BuildOptions::default() });
        for round in 0..6 {
            let before = ALLOCATIONS.get();
            model.refit(&shapes[round % 2]).unwrap();
            let between = ALLOCATIONS.get();
            model.refit_some(&some[(round + 1) % 2]).unwrap();
            let made = [between - before, ALLOCATIONS.get() - between];
            assert!(round > 0 || made.iter().all(|&made| made > 0), "the counter counts");
            // Both shapes have been seen, and what was touched of each.
            assert!(round < 2 || made == [0; 2], "{kind:?}: {made:?}");
        }
    }
}
