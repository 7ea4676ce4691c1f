//! Models without trees: their results, when their trees are built, and what deformations do to both.
use crate::allocator;
use impinge::{
    Body, BuildOptions, Error, Mesh, Model, Pose, Quality, Query, Scene, Threads, brute_force,
    model::Rebuild, scene::Detail,
};
use impinge_testkit::{
    cases::{Setup, pools, poses, scenes},
    meshes,
    rng::Rng,
};
use std::sync::Arc;

fn on_demand(mesh: &Mesh) -> Model {
    Model::with_options(mesh.clone(), &BuildOptions::new().quality(Quality::OnDemand))
}

/// True if the model has a tree: lists have no nodes.
fn is_built(model: &Model) -> bool {
    model.stats().nodes > 0
}

#[test]
fn lists_give_the_pairs_of_brute_force() {
    let (mut found, mut built) = (0, 0);
    for (name, a, b) in scenes() {
        let plain = [&a, &b].map(|mesh| Model::new(mesh.clone()));
        for (pose_a, pose_b) in poses() {
            let want = brute_force::pairs(&Body::new(&plain[0], pose_a), &Body::new(&plain[1], pose_b));
            found += want.len();
            for setup in Setup::on_demand() {
                let [a, b] = [&a, &b].map(|mesh| setup.model(mesh));
                let (x, y) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                let mut query = setup.query();
                assert_eq!(query.pairs(&x, &y), want, "{name}, {setup:?}, {pose_a:?} {pose_b:?}");
                assert_eq!(query.intersects(&y, &x), !want.is_empty(), "{name}, {setup:?}");
                a.validate().and(b.validate()).unwrap_or_else(|e| panic!("{name}: {e}"));
                built += usize::from(is_built(&a));
            }
        }
    }
    println!("{found} pairs, {built} trees");
    assert!(found > 10_000, "{found}");
}

#[test]
fn a_tree_is_built_once_it_pays() {
    let mesh = meshes::icosphere(4);
    let [a, b] = [on_demand(&mesh), on_demand(&mesh)];
    assert_eq!((a.stats().bytes, a.volume()), (0, "wide"), "nothing is made before it is needed");
    let (mut query, mut rng, mut asked) = (Query::new(), Rng::new(4), 0);
    while !(is_built(&a) && is_built(&b)) {
        let pose = Pose::rigid(rng.rotation(), rng.point(1.2)).unwrap();
        let (x, y) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, pose));
        let want = brute_force::intersects(&x, &y);
        assert_eq!(query.intersects(&x, &y), want);
        asked += 1;
        assert!(asked < 10_000, "never");
    }
    assert!(asked > 2, "at once");
    let plain = Model::new(mesh.clone());
    assert_eq!(a.stats().nodes, plain.stats().nodes, "the same tree");
    // A query with a model that has a tree builds the tree of the other.
    let c = on_demand(&mesh);
    query.intersects(&Body::new(&c, Pose::IDENTITY), &Body::new(&plain, Pose::IDENTITY));
    assert!(is_built(&c) && a.fits(&plain).is_ok() && plain.fits(&a).is_ok());
    // A query of a mesh with itself builds its tree, too.
    let d = on_demand(&mesh);
    assert!(query.self_pairs(&d).is_empty() && is_built(&d));
}

/// Disjoint parts need no tree. Large ones that meet do: to compare them block by block takes longer.
#[test]
fn little_work_needs_no_tree_and_much_does() {
    let [ball, fine] = [meshes::icosphere(3), meshes::icosphere(6)];
    let [a, b, c, d] = [&ball, &ball, &fine, &fine].map(on_demand);
    let far = Pose::from_translation([0.0, 2.5, 0.0]).unwrap();
    let mut query = Query::new();
    for _ in 0..1000 {
        assert!(!query.intersects(&Body::new(&a, Pose::IDENTITY), &Body::new(&b, far)));
    }
    assert!(!is_built(&a) && !is_built(&b));
    let turned = Pose::rigid(Rng::new(1).rotation(), [0.0; 3]).unwrap();
    assert!(query.pairs(&Body::new(&c, Pose::IDENTITY), &Body::new(&d, turned)).len() > 1000);
    assert!(is_built(&c) && is_built(&d));
}

#[test]
fn deformed_lists_and_trees_follow_their_meshes() -> Result<(), Error> {
    let mut rng = Rng::new(9);
    let mesh = meshes::torus(24, 12, 0.3);
    let other = on_demand(&meshes::icosphere(3));
    let mut models = [on_demand(&mesh), on_demand(&mesh)];
    // The second one has a tree from the start.
    Query::new().self_pairs(&models[1]);
    let (mut found, mut query) = (0, Query::new());
    for round in 0..12 {
        let points: Vec<[f64; 3]> =
            mesh.points().iter().map(|v| [0, 1, 2].map(|k| v[k] + 0.2 * rng.point(1.0)[k])).collect();
        let few: Vec<(u32, [f64; 3])> = (0..20).map(|i| (i, rng.point(3.0))).collect();
        for model in &mut models {
            match round % 3 {
                0 => model.refit(&points)?,
                1 => model.refit_some(&few)?,
                _ => drop(model.deform(&points, Rebuild::When(1.1))?),
            }
            model.validate()?;
            assert!(model.decay() > 0.0);
            let (a, b) = (Body::new(model, Pose::IDENTITY), Body::new(&other, Pose::IDENTITY));
            let want = brute_force::pairs(&a, &b);
            assert_eq!(query.pairs(&a, &b), want, "round {round}");
            found += want.len();
        }
    }
    assert!(found > 1000, "{found}");
    Ok(())
}

/// The first contact may depend on earlier queries, but not whether there is one.
#[test]
fn batches_take_them() {
    let mut rng = Rng::new(12);
    let meshes = [meshes::icosphere(3), meshes::torus(24, 12, 0.3)];
    let plain = meshes.each_ref().map(|mesh| Model::new(mesh.clone()));
    let poses: Vec<Pose> = (0..300).map(|_| Pose::rigid(rng.rotation(), rng.point(2.5)).unwrap()).collect();
    let rest = Body::new(&plain[0], Pose::IDENTITY);
    let (mut alone, mut shared) = (Query::new(), Query::new().threads(Threads::Pool));
    for pool in pools() {
        let models = meshes.each_ref().map(on_demand);
        let body = Body::new(&models[0], Pose::IDENTITY);
        pool.install(|| {
            let met = alone.intersects_at(&rest, &plain[1], &poses);
            assert_eq!(shared.intersects_at(&body, &models[1], &poses), met);
            assert!(met.iter().any(|&met| met) && met.iter().any(|&met| !met));
            let all = alone.pairs_at(&rest, &plain[1], &poses);
            assert!(shared.pairs_at(&body, &models[1], &poses).iter().eq(all.iter()));
        });
        assert!(models.iter().all(is_built), "both ways were taken");
    }
}

#[test]
fn scenes_take_them() -> Result<(), Error> {
    let mut rng = Rng::new(3);
    let mesh = meshes::torus(16, 8, 0.3);
    let quick = Arc::new(on_demand(&mesh));
    let plain = Arc::new(Model::new(mesh));
    let [mut lists, mut trees] = [Scene::new(), Scene::new()];
    let mut ids = Vec::new();
    for _ in 0..40 {
        let pose = Pose::rigid(rng.rotation(), rng.point(3.0))?;
        ids.push([lists.add(Arc::clone(&quick), pose)?, trees.add(Arc::clone(&plain), pose)?]);
    }
    let mut met = 0;
    for _ in 0..5 {
        lists.update(Detail::Counts);
        trees.update(Detail::Counts);
        let of = |scene: &Scene| -> Vec<_> {
            scene.contacts().iter().map(|c| (c.bodies, c.triangle_pairs)).collect()
        };
        assert_eq!(of(&lists), of(&trees));
        met += lists.contacts().len();
        for &[a, b] in &ids {
            let pose = Pose::rigid(rng.rotation(), rng.point(3.0))?;
            lists.set_pose(a, pose)?;
            trees.set_pose(b, pose)?;
        }
    }
    assert!(met > 50, "{met}");
    Ok(())
}

#[test]
fn a_warm_query_of_lists_does_not_allocate() {
    let mesh = meshes::to_grid(&meshes::torus(30, 20, 0.3), 6);
    let shifted = Pose::from_translation([0.25, 0.0, 0.0]).unwrap();
    for setup in Setup::on_demand() {
        let [a, b] = [&mesh, &mesh].map(on_demand);
        let (mut query, mut made) = (setup.query(), Vec::new());
        for _ in 0..3 {
            let before = allocator::count();
            for pose in [Pose::IDENTITY, shifted] {
                let (x, y) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, pose));
                assert!(query.pairs(&x, &y).len() > 100 && query.intersects(&x, &y));
            }
            made.push(allocator::count() - before);
        }
        assert!(made[0] > 0 && made[2] == 0, "{setup:?}: {made:?}");
        assert!(!is_built(&a), "lists were asked");
    }
}
