//! A warm query does not allocate, whatever it has to decide.
use crate::allocator;
use impinge::{
    Body, BuildOptions, Model, Pose, Query, Threads,
    coverage::{CoverageOptions, Proxy},
    penetration::PenetrationParts,
    relation::RelationKind,
};
use impinge_testkit::{
    cases::{Setup, pools, warm},
    meshes,
    rng::Rng,
};

#[test]
fn a_warm_query_does_not_allocate() {
    warm::queries(&Setup::on_all_levels(), allocator::count);
}

#[test]
fn a_warm_refit_does_not_allocate() {
    warm::refits(&Setup::on_all_levels()[..1], allocator::count);
}

/// Relations, depths and distances of solids allocate nothing when they are queried again, whether faces
/// cross or have no contact. Decisions by integers may allocate: the widest take too much of a stack, and are
/// boxed.
#[test]
fn warm_relations_depths_and_distances_do_not_allocate() {
    let mut rng = Rng::new(11);
    let models = [meshes::icosphere(2), meshes::torus(24, 12, 0.3), meshes::icosphere(1)].map(Model::new);
    let poses: Vec<Pose> = (0..40).map(|_| Pose::rigid(rng.rotation(), rng.point(0.9)).unwrap()).collect();
    let small = [[0.25, 0.0, 0.0], [0.0, 0.25, 0.0], [0.0, 0.0, 0.25]];
    let inside = Pose::affine(small, [0.01, 0.02, 0.03]).unwrap();
    let mut query = Query::new();
    let mut seen = Vec::new();
    for round in 0..3 {
        for (x, a) in models.iter().enumerate() {
            for (y, b) in models.iter().enumerate() {
                for pose in poses.iter().chain([&inside]) {
                    let (a, b) = (Body::new(a, Pose::IDENTITY), Body::new(b, *pose));
                    let before = allocator::count();
                    let relation = query.relation(&a, &b);
                    let between = allocator::count();
                    let found = query.penetration(&a, &b, &PenetrationParts::all());
                    let after = allocator::count();
                    let far = Pose::affine(*pose.rows(), pose.translation().map(|x| x + 3.0)).unwrap();
                    let gap = query.distance(&a, &Body::new(b.model, far));
                    assert!(gap.is_some_and(|gap| gap.lo > 0.0));
                    let made = [between - before, after - between, allocator::count() - after];
                    assert!(round < 2 || made == [0; 3], "{x} {y} {pose:?}: {made:?}, {relation:?}");
                    // Pairs and curves never allocate, whatever decides.
                    let (before, met) = (allocator::count(), !query.pairs(&a, &b).is_empty());
                    assert_eq!(query.curves(&a, &b).is_empty(), !met);
                    assert!(round == 0 || allocator::count() == before, "{x} {y} {pose:?}: curves");
                    seen.push((relation.kind, found.separating_translation.is_some()));
                }
            }
        }
    }
    for kind in [RelationKind::Apart, RelationKind::Overlap, RelationKind::Contains] {
        assert!(seen.contains(&(kind, true)), "{kind:?}");
    }
    assert!(allocator::count() > 0, "the counter counts");
}

/// A warm batch allocates nothing on one thread. On more, a thread may meet a query that needs more memory
/// than those before, and rayon's own queues may grow: a few allocations, however many queries there are.
#[test]
fn a_warm_batch_does_not_allocate_for_a_query() {
    let mut rng = Rng::new(4);
    let poses: Vec<Pose> = (0..2000).map(|_| Pose::rigid(rng.rotation(), rng.point(2.0)).unwrap()).collect();
    let options = BuildOptions::default();
    let [ball, torus] =
        [meshes::icosphere(2), meshes::torus(24, 12, 0.3)].map(|mesh| Model::with_options(mesh, &options));
    let rest = Body::new(&ball, Pose::IDENTITY);
    let twice = Model::with_options(meshes::merged(&[ball.mesh(), torus.mesh()]), &options);
    for pool in pools() {
        let threads = pool.current_num_threads();
        let allocations = || pool.broadcast(|_| allocator::count()).iter().sum::<usize>();
        let (mut query, mut before, mut least) = (Query::new().threads(Threads::Pool), 0, 0);
        for round in 0..3 {
            before = allocations();
            pool.install(|| {
                query.intersects_at(&rest, &torus, &poses);
                assert!(query.pairs_at(&rest, &torus, &poses).pairs().len() > 2000, "something to store");
                least = query.pairs(&rest, &rest).len();
                least = least.min(query.self_pairs(&twice).len());
            });
            assert!(round > 0 || allocations() > before, "the counter counts");
        }
        assert!(least > 100, "there must be something to store");
        let most = if threads == 1 { 0 } else { 100 * threads };
        let made = allocations() - before;
        assert!(made <= most, "{threads} threads: {made} allocations");
    }
}

/// A query that covers a part again by balls, a capsule or a hull allocates nothing. Flush faces
/// may: relations of unions decide them.
#[test]
fn warm_covers_do_not_allocate() {
    let part = Model::new(meshes::torus(24, 12, 0.3));
    let hull = Model::new(meshes::icosphere(2));
    let axis = Model::segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let ring: Vec<[f64; 4]> = (0..24)
        .map(|k| (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos())
        .map(|(y, x)| [x, y, 0.0, 0.33])
        .collect();
    let placed = |model, radius| Body::new(model, Pose::IDENTITY).rounded(radius).unwrap();
    let proxies = [
        Proxy::balls(&ring).unwrap(),
        Proxy::balls(&ring[1..]).unwrap(),
        Proxy::new().with(placed(&axis, 1.25)),
        Proxy::balls(&ring[..12]).unwrap().with(placed(&hull, 0.0)),
    ];
    let mut query = Query::new();
    let mut seen = Vec::new();
    for round in 0..3 {
        for proxy in &proxies {
            let before = allocator::count();
            let found = query.coverage(&Body::new(&part, Pose::IDENTITY), proxy, &CoverageOptions::new());
            let count = allocator::count() - before;
            assert!(round == 0 || count == 0, "{count} allocations in round {round}");
            seen.push(found.covered);
        }
    }
    assert!(seen.contains(&Some(true)) && seen.contains(&Some(false)), "{seen:?}");
}
