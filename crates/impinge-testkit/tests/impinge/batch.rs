//! Batches and divided queries return the results of single queries, in their order, on any number of
//! threads. Without the feature `rayon` the same calls do the same on one.
use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, Threads};
use impinge_testkit::{
    cases::{
        Setup,
        batch::{compare, one_by_one, scenes_as_one_by_one},
        is_full, pools, scenes,
    },
    meshes,
    rng::Rng,
};

/// A query on one thread, and one on the pool's.
fn queries() -> [Query; 2] {
    [Query::new(), Query::new().threads(Threads::Pool)]
}

#[test]
fn all_scenes_answer_as_one_by_one() {
    let step = if is_full() { 4 } else { 11 };
    scenes_as_one_by_one(&Setup::on_all_levels(), step, &pools());
}

#[test]
fn bodies_of_many_models() {
    let options = BuildOptions::default();
    let models: Vec<Model> = (1..5).map(|n| Model::with_options(meshes::icosphere(n), &options)).collect();
    let mut rng = Rng::new(3);
    let mut body = |k: usize| Body::new(&models[k], Pose::rigid(rng.rotation(), rng.point(0.5)).unwrap());
    let bodies: Vec<_> =
        (0..4).flat_map(|i| (0..4).map(move |j| [i, j])).map(|ij| ij.map(&mut body)).collect();
    let [mut alone, mut shared] = queries();
    assert!(compare("models", &bodies, &mut alone, &mut shared, &pools()) > 1000);
}

#[test]
fn large_queries_that_are_divided() {
    let options = BuildOptions::default();
    let mut rng = Rng::new(8);
    let turned = Pose::rigid(rng.rotation(), [1e-4, 0.0, 0.0]).unwrap();
    let shift = Pose::from_translation([0.25, 0.0, 0.0]).unwrap();
    let torus = meshes::to_grid(&meshes::torus(120, 80, 0.3), 9);
    let cases: [(&str, Mesh, Mesh, Pose); 3] = [
        ("spheres", meshes::icosphere(5), meshes::icosphere(5), turned),
        ("a torus and itself on the grid", torus.clone(), torus, shift),
        ("sheet and soup", meshes::sheet(1, 60, 0.2), meshes::soup(2, 3000, 0.3), turned),
    ];
    for (name, a, b, pose) in cases {
        let [a, b] = [a, b].map(|mesh| Model::with_options(mesh, &options));
        let bodies = [[Body::new(&a, Pose::IDENTITY), Body::new(&b, pose)]];
        let [mut alone, mut shared] = queries();
        let found = compare(name, &bodies, &mut alone, &mut shared, &pools());
        assert!(found > 1000, "{name}: {found}");
    }
}

#[test]
fn self_queries_that_are_divided() {
    let mut cases = vec![
        ("nothing", Mesh::default(), 0),
        ("one triangle", meshes::soup(1, 1, 1.0), 0),
        ("a soup", meshes::soup(3, 20_000, 0.1), 1000),
        ("a torus on the grid", meshes::to_grid(&meshes::torus(200, 120, 0.3), 30), 10),
        ("a smooth one", meshes::icosphere(6), 0),
        ("twice the same", meshes::merged(&[&meshes::icosphere(5), &meshes::icosphere(5)]), 20_480),
    ];
    cases.extend(scenes().into_iter().map(|(name, a, b)| (name, meshes::merged(&[&a, &b]), 0)));
    let [mut alone, mut shared] = queries();
    for (name, mesh, least) in cases {
        let model = Model::new(mesh.clone());
        let want = alone.self_pairs(&model);
        assert!(want.len() >= least, "{name}: {}", want.len());
        for pool in &pools() {
            let got = pool.install(|| shared.self_pairs(&model));
            assert_eq!(got, want, "{name}, {} threads", pool.current_num_threads());
        }
    }
}

#[test]
fn many_poses_of_one_body_nothing_and_one() {
    let options = BuildOptions::default();
    let [ball, torus] =
        [meshes::icosphere(2), meshes::torus(24, 12, 0.3)].map(|mesh| Model::with_options(mesh, &options));
    let (a, mut rng) = (Body::new(&ball, Pose::IDENTITY), Rng::new(9));
    let poses: Vec<Pose> = (0..700).map(|_| Pose::rigid(rng.rotation(), rng.point(2.5)).unwrap()).collect();
    let [mut alone, mut shared] = queries();
    // The long batch comes first: its data must not show in the short ones.
    for count in [700, 1, 0, 5] {
        let poses = &poses[..count];
        let bodies: Vec<_> = poses.iter().map(|&pose| [a, Body::new(&torus, pose)]).collect();
        let (first, lists) = one_by_one(&mut alone, &bodies);
        let hits = first.iter().flatten().count();
        assert!(count < 700 || (50..650).contains(&hits), "{hits}");
        for pool in pools() {
            let met: Vec<bool> = first.iter().map(Option::is_some).collect();
            assert_eq!(pool.install(|| shared.intersects_at(&a, &torus, poses)), met);
            assert_eq!(pool.install(|| shared.first_contact_at(&a, &torus, poses)), first);
            let all = pool.install(|| shared.pairs_at(&a, &torus, poses));
            assert_eq!((all.len(), all.is_empty()), (count, count == 0));
            assert_eq!(all.iter().collect::<Vec<_>>(), lists);
            assert_eq!(all.pairs(), lists.concat());
            assert_eq!((all.starts().len(), all.starts()[count]), (count + 1, all.pairs().len()));
            assert_eq!(all.get(count), None);
        }
    }
}

#[test]
fn empty_meshes_meet_nothing() {
    let [none, ball] = [Mesh::default(), meshes::icosphere(1)].map(Model::new);
    let [none, ball] = [&none, &ball].map(|model| Body::new(model, Pose::IDENTITY));
    let bodies = [[none, ball], [ball, none], [none, none], [ball, ball]];
    let [mut alone, mut shared] = queries();
    assert!(compare("empty", &bodies, &mut alone, &mut shared, &pools()) > 0, "the last two meet");
}
