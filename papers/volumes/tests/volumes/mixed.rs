//! Trees that do not fit together: an error from functions that return one, a panic with advice from queries,
//! and the results of brute force where brute force is called.
use impinge::{Body, Model, Pose, Query, Scene, Threads, brute_force, query::QueryCache};
use impinge_testkit::{cases::pools, meshes, rng::Rng};
use impinge_volumes::{Kind, Options};
use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// A model of every kind and arity.
fn models() -> Vec<(Kind, usize, Model)> {
    let arities = |&kind: &Kind| kind.arities().iter().map(move |&arity| (kind, arity));
    let model = |(kind, arity)| {
        let options = Options::new(kind).arity(arity);
        (kind, arity, options.build(meshes::icosphere(1)).unwrap())
    };
    Kind::ALL.iter().flat_map(arities).map(model).collect()
}

#[test]
fn trees_fit_if_they_are_of_one_kind_and_arity() {
    let (models, mut mixed) = (models(), 0);
    for (kind, arity, a) in &models {
        for (other, other_arity, b) in &models {
            let fits = a.fits(b);
            assert_eq!(fits.is_ok(), (kind, arity) == (other, other_arity), "{a:?}, {b:?}");
            if let Err(error) = fits {
                let text = error.to_string();
                assert!(text.contains(kind.name()) && text.contains(other.name()), "{text}");
                mixed += 1;
            }
        }
    }
    assert!(mixed > 500, "{mixed}");
    // The split, fit, overlap test and leaf size of a tree do not matter.
    let plain = Options::new(Kind::Aabb);
    for &split in &impinge_volumes::Split::ALL[1..] {
        let other = plain.split(split).leaf_size(1).overlap(impinge_volumes::Overlap::Sat);
        let [a, b] = [plain, other].map(|options| options.build(meshes::icosphere(1)).unwrap());
        assert_eq!(a.fits(&b), Ok(()));
    }
}

type Ask = fn(&mut Query, &Body<'_>, &Body<'_>) -> Vec<[u32; 2]>;

/// Each query of two bodies, and the pairs that it reports.
const VERBS: [(&str, Ask); 8] = [
    ("pairs", |query, a, b| query.pairs(a, b).to_vec()),
    ("first_contact", |query, a, b| query.first_contact(a, b).into_iter().collect()),
    ("intersects", |query, a, b| if query.intersects(a, b) { brute_force::pairs(a, b) } else { vec![] }),
    ("for_each_pair", |query, a, b| {
        let mut all = Vec::new();
        let _ = query.for_each_pair(a, b, |pair| {
            all.push(pair);
            ControlFlow::<()>::Continue(())
        });
        all
    }),
    ("pairs_at", |query, a, b| query.pairs_at(a, b.model, &[b.pose]).pairs().to_vec()),
    ("first_contact_each", |query, a, b| query.first_contact_each(&[[*a, *b]])[0].into_iter().collect()),
    ("with_cache.pairs", |query, a, b| query.with_cache(&mut QueryCache::new()).pairs(a, b).to_vec()),
    ("with_cache.first_contact", |query, a, b| {
        query.with_cache(&mut QueryCache::new()).first_contact(a, b).into_iter().collect()
    }),
];

/// Two models of different kinds, or of one kind in two arities.
fn couples() -> Vec<[Model; 2]> {
    let [wide, aabb, obb] = [Kind::Wide, Kind::Aabb, Kind::Obb].map(Options::new);
    let couples = [[wide, aabb], [aabb, wide], [aabb, obb], [aabb, aabb.arity(4)], [aabb.arity(8), aabb]];
    couples
        .map(|[a, b]| [a.build(meshes::icosphere(2)).unwrap(), b.build(meshes::torus(16, 10, 0.3)).unwrap()])
        .into()
}

#[test]
fn a_mixed_query_panics_and_says_what_to_do() {
    for [a, b] in couples() {
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY));
        for threads in [Threads::One, Threads::Pool] {
            for (name, ask) in VERBS {
                let asked =
                    catch_unwind(AssertUnwindSafe(|| ask(&mut Query::new().threads(threads), &a, &b)));
                let payload = asked.expect_err(name);
                let text = payload.downcast_ref::<String>().unwrap_or_else(|| panic!("{name}: no text"));
                for part in [a.model.volume(), b.model.volume(), "Query::mixed_by_brute_force"] {
                    assert!(text.contains(part), "{name}: {text}");
                }
            }
        }
    }
}

#[test]
fn a_mixed_query_that_is_asked_for_gives_the_pairs_of_brute_force() {
    let (mut rng, mut found) = (Rng::new(3), 0);
    for [a, b] in couples() {
        for pool in pools() {
            let mut query = Query::new().mixed_by_brute_force(true).counting(true).threads(Threads::Pool);
            for _ in 0..6 {
                let a = Body::new(&a, Pose::rigid(rng.rotation(), rng.point(0.5)).unwrap());
                let b = Body::new(&b, Pose::rigid(rng.rotation(), rng.point(0.5)).unwrap());
                let (want, count) = brute_force::counted_pairs(&a, &b);
                found += want.len();
                for (name, ask) in VERBS {
                    query.reset_counters();
                    let mut got = pool.install(|| ask(&mut query, &a, &b));
                    got.sort_unstable();
                    if name.contains("first") {
                        assert_eq!(got.len(), usize::from(!want.is_empty()), "{name}");
                        assert!(got.iter().all(|pair| want.contains(pair)), "{name}");
                    } else {
                        assert_eq!(got, want, "{name}");
                    }
                    if name == "pairs" {
                        assert_eq!(query.counters().map(|counters| counters.count), Some(count));
                    }
                }
            }
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn a_scene_has_trees_that_fit() {
    let models = models().into_iter().map(|(_, _, model)| Arc::new(model)).collect::<Vec<_>>();
    for (n, model) in models.iter().enumerate() {
        let mut scene = Scene::new();
        let first = scene.add(Arc::clone(model), Pose::IDENTITY).unwrap();
        let second = scene.add(Arc::clone(model), Pose::IDENTITY).unwrap();
        for (m, other) in models.iter().enumerate().filter(|&(m, _)| m != n) {
            for error in [
                scene.add(Arc::clone(other), Pose::IDENTITY).map(|_| ()).unwrap_err(),
                scene.set_model(second, Arc::clone(other)).unwrap_err(),
            ] {
                assert_eq!(Err(error), model.fits(other), "{n}, {m}");
            }
        }
        // A refused model leaves no trace in the scene.
        assert_eq!(scene.bodies().collect::<Vec<_>>(), [first, second]);
        scene.update(impinge::scene::Detail::Bodies);
        assert_eq!(scene.contacts().len(), 1);
        // An empty scene accepts any model.
        scene.remove(first).unwrap();
        scene.remove(second).unwrap();
        scene.add(Arc::clone(&models[(n + 1) % models.len()]), Pose::IDENTITY).unwrap();
    }
}
