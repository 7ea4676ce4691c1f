//! Batches and divided queries give what single queries give, in the order of the questions, on any number of threads. Without the feature
//! `rayon` the same calls do the same on one.
mod common;

use common::{poses, scenes};
use impinge::{Body, BuildOptions, Kind, Mesh, Model, PairLists, Pose, Query, Scratch, Scratches};
use impinge_testkit::{meshes, rng::Rng};
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pools() -> Vec<ThreadPool> {
    [1, 2, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()).into()
}

type Answers = (Vec<Option<[u32; 2]>>, Vec<Vec<[u32; 2]>>);

/// What single queries say.
fn one_by_one(bodies: &[[Body<'_>; 2]]) -> Answers {
    let (query, mut scratch) = (Query::default(), Scratch::new());
    bodies
        .iter()
        .map(|[a, b]| {
            let mut pairs = Vec::new();
            query.intersecting_pairs(a, b, &mut scratch, &mut pairs, &mut ());
            (query.intersects(a, b, &mut scratch, &mut ()), pairs)
        })
        .unzip()
}

/// Memory that has seen other batches, on other numbers of threads.
#[derive(Default)]
struct Used {
    scratches: Scratches,
    first: Vec<Option<[u32; 2]>>,
    lists: PairLists,
    pairs: Vec<[u32; 2]>,
}

impl Used {
    /// How many pairs there are.
    fn compare(&mut self, name: &str, bodies: &[[Body<'_>; 2]], pools: &[ThreadPool]) -> usize {
        let (query, (first, lists)) = (Query::default(), one_by_one(bodies));
        let Self { scratches, first: got, lists: all, pairs } = self;
        for pool in pools {
            let name = format!("{name}, {} threads", pool.current_num_threads());
            pool.install(|| {
                query.intersects_each(bodies, scratches, got);
                assert_eq!(*got, first, "{name}");
                query.intersecting_pairs_each(bodies, scratches, all);
                assert_eq!(all.iter().collect::<Vec<_>>(), lists, "{name}");
                for (i, ([a, b], list)) in bodies.iter().zip(&lists).enumerate() {
                    assert_eq!(all.get(i), Some(&list[..]), "{name}");
                    query.par_intersecting_pairs(a, b, scratches, pairs);
                    assert_eq!(pairs, list, "{name}: frame {i}, divided");
                }
            });
        }
        lists.iter().map(Vec::len).sum()
    }
}

#[test]
fn every_kind_answers_as_one_by_one() {
    let (pools, poses, mut used, mut found) = (pools(), poses(), Used::default(), 0);
    let scenes = scenes();
    for (n, &kind) in Kind::ALL.iter().enumerate() {
        let options = BuildOptions { kind, ..BuildOptions::default() };
        let model = |mesh: &Mesh| Model::new(mesh.clone(), &options);
        let models: Vec<_> = scenes.iter().map(|(_, a, b)| [model(a), model(b)]).collect();
        // Some poses for each kind, in turn: exact tests at all of them take a minute.
        let step = if kind == Kind::Wide { 2 } else { 5 };
        let mut bodies = Vec::new();
        for [a, b] in &models {
            let poses = poses.iter().skip(n % step).step_by(step);
            bodies.extend(poses.map(|&(p, q)| [Body::new(a, p), Body::new(b, q)]));
        }
        found += used.compare(kind.name(), &bodies, &pools);
    }
    assert!(found > 10_000, "the scenes must touch for this test to mean anything");
}

#[test]
fn trees_of_two_kinds_and_bodies_of_many_models() {
    let kinds = [Kind::Wide, Kind::Aabb, Kind::Wide, Kind::Obb];
    let models: Vec<Model> = (1..)
        .zip(kinds)
        .map(|(n, kind)| Model::new(meshes::icosphere(n), &BuildOptions { kind, ..BuildOptions::default() }))
        .collect();
    let mut rng = Rng::new(3);
    let mut body = |k: usize| Body::new(&models[k], Pose::rigid(rng.rotation(), rng.point(0.5)).unwrap());
    let bodies: Vec<_> =
        (0..4).flat_map(|i| (0..4).map(move |j| [i, j])).map(|ij| ij.map(&mut body)).collect();
    assert!(Used::default().compare("models", &bodies, &pools()) > 1000);
}

#[test]
fn large_wide_queries_that_are_divided() {
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
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
        let [a, b] = [a, b].map(|mesh| Model::new(mesh, &options));
        let bodies = [[Body::new(&a, Pose::IDENTITY), Body::new(&b, pose)]];
        let found = Used::default().compare(name, &bodies, &pools());
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
    let (pools, query, mut used) = (pools(), Query::default(), Used::default());
    for (name, mesh, least) in cases {
        for kind in [Kind::Wide, Kind::Aabb] {
            let model = Model::new(mesh.clone(), &BuildOptions { kind, ..BuildOptions::default() });
            let mut want = Vec::new();
            query.self_intersecting_pairs(&model, &mut Scratch::new(), &mut want, &mut ());
            assert!(want.len() >= least, "{name}: {}", want.len());
            for pool in &pools {
                let Used { scratches, pairs, .. } = &mut used;
                pool.install(|| query.par_self_intersecting_pairs(&model, scratches, pairs));
                assert_eq!(*pairs, want, "{name}, {kind:?}, {} threads", pool.current_num_threads());
            }
        }
    }
}

#[test]
fn many_poses_of_one_body_nothing_and_one() {
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let [ball, torus] =
        [meshes::icosphere(2), meshes::torus(24, 12, 0.3)].map(|mesh| Model::new(mesh, &options));
    let (a, mut rng) = (Body::new(&ball, Pose::IDENTITY), Rng::new(9));
    let poses: Vec<Pose> = (0..700).map(|_| Pose::rigid(rng.rotation(), rng.point(2.5)).unwrap()).collect();
    let (query, mut used) = (Query::default(), Used::default());
    // The long batch first: what it leaves behind must not show in the short ones.
    for count in [700, 1, 0, 5] {
        let poses = &poses[..count];
        let bodies: Vec<_> = poses.iter().map(|&pose| [a, Body::new(&torus, pose)]).collect();
        let (first, lists) = one_by_one(&bodies);
        let hits = first.iter().flatten().count();
        assert!(count < 700 || (50..650).contains(&hits), "{hits}");
        for pool in pools() {
            let Used { scratches, first: got, lists: all, .. } = &mut used;
            pool.install(|| query.intersects_at(&a, &torus, poses, scratches, got));
            assert_eq!(*got, first);
            pool.install(|| query.intersecting_pairs_at(&a, &torus, poses, scratches, all));
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
    for &kind in Kind::ALL {
        let options = BuildOptions { kind, ..BuildOptions::default() };
        let [none, ball] = [Mesh::default(), meshes::icosphere(1)].map(|mesh| Model::new(mesh, &options));
        let [none, ball] = [&none, &ball].map(|model| Body::new(model, Pose::IDENTITY));
        let bodies = [[none, ball], [ball, none], [none, none], [ball, ball]];
        let found = Used::default().compare(kind.name(), &bodies, &pools());
        assert!(found > 0, "the last two meet");
    }
}
