//! Stopped work ends soon, reports the stop, and leaves nothing wrong behind.
use impinge::{
    Body, ErrorKind, Model, Pose, Query, Scene, Threads,
    distance::Margin,
    penetration::{Penetration, PenetrationParts},
    relation::RelationKind,
    scene::{BodyId, Detail, Progress, SceneOptions, Stage, Watch},
};
use impinge_testkit::{cases::pools, meshes, rng::Rng};
use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Large triangles in a small cube: millions of pairs meet, which takes a while.
fn heap() -> Model {
    Model::new(meshes::soup(1, 12_000, 1.0))
}

type Ask = fn(&mut Query, &Model) -> usize;

/// Queries of one body with itself, or of one mesh with itself. They return the number of results.
const VERBS: [(&str, Ask); 7] = [
    ("pairs", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        query.pairs(&body, &body).len()
    }),
    ("pairs_into", |query, model| {
        let (body, mut pairs) = (Body::new(model, Pose::IDENTITY), Vec::new());
        query.pairs_into(&body, &body, &mut pairs);
        pairs.len()
    }),
    ("pairs_at", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        query.pairs_at(&body, model, &[Pose::IDENTITY; 8]).pairs().len()
    }),
    ("for_each_pair", |query, model| {
        let (body, mut found) = (Body::new(model, Pose::IDENTITY), 0);
        let _ = query.for_each_pair(&body, &body, |_| {
            found += 1;
            ControlFlow::<()>::Continue(())
        });
        found
    }),
    ("pairs_within", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        query.pairs_within(&body, &body, Margin::new(0.001).unwrap()).len()
    }),
    ("self_pairs", |query, model| query.self_pairs(model).len()),
    ("with_cache", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        query.with_cache(&mut Default::default()).pairs(&body, &body).len()
    }),
];

/// Queries that find all pairs first, in the same form.
const VERBS_OF_PAIRS: [(&str, Ask); 5] = [
    ("relation", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        usize::from(query.relation(&body, &body).touching)
    }),
    ("penetration", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        let found = query.penetration(&body, &body, &PenetrationParts::all());
        usize::from(found != Penetration::default())
    }),
    ("curves", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        query.curves(&body, &body).nodes().len()
    }),
    ("penetration_of_pairs", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        let pairs = Query::new().contact_pairs(&body, &body);
        let found = query.penetration_of_pairs(&pairs, &PenetrationParts::all());
        usize::from(found != Penetration::default())
    }),
    ("curves_of_pairs", |query, model| {
        let body = Body::new(model, Pose::IDENTITY);
        let pairs = Query::new().contact_pairs(&body, &body);
        query.curves_of_pairs(&pairs).nodes().len()
    }),
];

/// Number of triangle pairs that a query has tested. No other work on the machine changes it.
fn tested(query: &Query) -> u64 {
    query.counters().unwrap().count.triangle_tests
}

/// A query whose flag another thread sets after it has begun ends with part of the work done, on one thread
/// and on three. The machine determines when the flag is set: a try that comes too early or too late proves
/// nothing, and is repeated. A query that ignores the flag does all of its work in each try.
#[test]
fn a_long_query_that_is_stopped_ends_soon() {
    let model = heap();
    let body = Body::new(&model, Pose::IDENTITY);
    let (start, mut query) = (Instant::now(), Query::new().counting(true));
    let all = query.pairs(&body, &body).len();
    let (whole, took) = (tested(&query), start.elapsed());
    println!("{all} pairs of {whole} tested in {took:?}");
    assert!(all > 1_000_000, "long enough to be stopped: {all}");
    for (threads, pool) in [(Threads::One, &pools()[0]), (Threads::Pool, &pools()[2])] {
        for (name, ask) in VERBS {
            let mut partly = |after: Duration| {
                let flag = Arc::new(AtomicBool::new(false));
                let mut query = Query::new().threads(threads).counting(true);
                let stopped = thread::scope(|scope| {
                    scope.spawn(|| {
                        thread::sleep(after);
                        flag.store(true, Ordering::Relaxed);
                    });
                    pool.install(|| query.with_stop(&flag, |query| ask(query, &model)))
                });
                // All work is half of `whole` for one mesh and itself, and more for others.
                let done = tested(&query);
                stopped == Err(ErrorKind::Stopped.into()) && 0 < done && done < whole / 4
            };
            let waits = [20, 40, 80, 10, 160].into_iter().cycle().take(100);
            assert!(
                waits.map(|part| took / part).any(&mut partly),
                "{name}, {threads:?}: did all of its work"
            );
        }
    }
}

/// No traversal begins if the flag is set before. The next query without it has all results.
#[test]
fn a_stopped_query_is_as_good_as_new() {
    let model = Model::new(meshes::icosphere(3));
    let (a, b) = (
        Body::new(&model, Pose::IDENTITY),
        Body::new(&model, Pose::rigid(*Pose::IDENTITY.rows(), [0.1; 3]).unwrap()),
    );
    let want = impinge::pairs(&a, &b);
    let (set, clear) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
    let mut query = Query::new();
    for (name, ask) in VERBS.into_iter().chain(VERBS_OF_PAIRS) {
        let mut found = usize::MAX;
        let stopped = query.with_stop(&set, |query| found = ask(query, &model));
        assert_eq!(stopped, Err(ErrorKind::Stopped.into()), "{name}");
        // Equal bodies at equal poses need no work for their relation.
        assert!(found == 0 || name == "relation", "{name}: {found}");
        assert_eq!(query.pairs(&a, &b), want, "after {name}");
        assert_eq!(query.with_stop(&clear, |query| query.pairs(&a, &b).to_vec()), Ok(want.clone()), "{name}");
    }
    // Nested calls: the inner flag counts inside, and the outer one again after it.
    let inner =
        query.with_stop(&clear, |query| query.with_stop(&set, |query| query.intersects(&a, &b)).is_err());
    assert_eq!(inner, Ok(true));
    assert_eq!(query.pairs(&a, &b), want);
}

// ---- scenes ----

const BODIES: usize = 40;

/// Bodies of three shapes in a small space.
fn scene(options: SceneOptions) -> (Scene, Vec<BodyId>) {
    let models = [meshes::icosphere(1), meshes::torus(10, 8, 0.3), meshes::cuboid([0.4, 0.3, 0.2])]
        .map(|mesh| Arc::new(Model::new(mesh)));
    let mut scene = Scene::with_options(options);
    let ids = (0..BODIES).map(|n| scene.add(Arc::clone(&models[n % 3]), Pose::IDENTITY).unwrap()).collect();
    (scene, ids)
}

/// A scene that is stopped at any moment, edited further, and stopped again agrees in the end with a twin
/// that was never stopped: on contacts, and on changes since the last update that both completed.
#[test]
fn a_scene_that_was_stopped_tells_what_one_tells_that_never_was() {
    let (mut stops, mut began, mut ended, mut rounds) = (0, 0, 0, 0);
    for (seed, threads) in [(1, Threads::One), (2, Threads::Pool), (3, Threads::One), (4, Threads::Pool)] {
        let options = SceneOptions::new().threads(threads).caches(seed < 3);
        let ((mut scene, ids), (mut twin, _)) = (scene(options), scene(options));
        let (mut rng, pool) = (Rng::new(seed), &pools()[2]);
        for _ in 0..150 {
            rounds += 1;
            let detail = *rng.pick(&[Detail::Bodies, Detail::Counts, Detail::Triangles]);
            // Some rounds of motion: each starts an update and stops it, without one of the twin.
            for _ in 0..rng.below(4) {
                for &id in &ids {
                    if rng.one_in(3) {
                        let pose = Pose::rigid(rng.rotation(), rng.point(1.6)).unwrap();
                        scene.set_pose(id, pose).unwrap();
                        twin.set_pose(id, pose).unwrap();
                    }
                }
                let (told, stop, after) =
                    (AtomicUsize::new(0), AtomicBool::new(false), rng.below(120) as usize);
                let hear = |_: Progress| {
                    if told.fetch_add(1, Ordering::Relaxed) == after {
                        stop.store(true, Ordering::Relaxed);
                    }
                };
                let watch = Watch::new().progress(&hear).stop(&stop);
                match pool.install(|| scene.update_with(detail, &watch)) {
                    Err(error) => {
                        assert_eq!(*error.kind(), ErrorKind::Stopped);
                        assert!(scene.contacts().is_empty());
                        stops += 1;
                    }
                    // The update was completed before the stop, so the twin has one, too.
                    Ok(()) => pool.install(|| twin.update(detail)),
                }
            }
            pool.install(|| scene.update(detail));
            pool.install(|| twin.update(detail));
            let told = |scene: &Scene| {
                let contacts = scene.contacts().iter();
                let contacts = contacts.map(|c| {
                    let least = (detail > Detail::Bodies).then_some(c.witness.unwrap());
                    // An error if the pairs were not requested, the same for both scenes.
                    (c.bodies, c.began, least, c.triangle_pairs, scene.triangle_pairs(c).map(<[_]>::to_vec))
                });
                (contacts.collect::<Vec<_>>(), scene.ended().to_vec())
            };
            assert_eq!(told(&scene), told(&twin), "seed {seed}, round {rounds}");
            began += scene.contacts().iter().filter(|contact| contact.began).count();
            ended += scene.ended().len();
        }
    }
    println!("{rounds} rounds, {stops} stops, {began} began, {ended} ended");
    assert!(stops > 300 && began > 1000 && ended > 1000, "{stops} stops, {began} began, {ended} ended");
}

/// Progress reports each stage once at its start with nothing done, then piece by piece up to its total.
/// Stages come in their order; on one thread, so do pieces.
#[test]
fn progress_is_told_of_every_stage() {
    for (threads, pool) in [(Threads::One, &pools()[0]), (Threads::Pool, &pools()[2])] {
        let (mut scene, ids) = scene(SceneOptions::new().threads(threads));
        let mut rng = Rng::new(9);
        for &id in &ids {
            scene.set_pose(id, Pose::rigid(rng.rotation(), rng.point(1.2)).unwrap()).unwrap();
        }
        let heard = Mutex::new(Vec::new());
        let hear = |progress: Progress| heard.lock().unwrap().push(progress);
        let done = pool.install(|| scene.update_with(Detail::Counts, &Watch::new().progress(&hear)));
        assert_eq!(done, Ok(()));
        let heard = heard.into_inner().unwrap();
        let mut rest = &heard[..];
        for stage in [Stage::Boxes, Stage::BroadPhase, Stage::Pairs] {
            let (of_it, after) = rest.split_at(rest.iter().take_while(|p| p.stage == stage).count());
            rest = after;
            let mut done: Vec<usize> = of_it.iter().map(|p| p.done).collect();
            if threads == Threads::Pool {
                done.sort_unstable();
            }
            let total = of_it.first().map_or(0, |p| p.total);
            assert!(of_it.iter().all(|p| p.total == total), "{stage:?}: {of_it:?}");
            assert_eq!(done, (0..=total).collect::<Vec<_>>(), "{stage:?}");
            let least = match stage {
                Stage::Boxes => BODIES,
                Stage::BroadPhase => 1,
                _ => scene.contacts().len().max(20),
            };
            assert!(total >= least, "{stage:?}: {total}");
        }
        assert!(rest.is_empty(), "a stage came back: {rest:?}");
        // Unchanged pairs take no work, and the progress shows that, too.
        let heard = Mutex::new(Vec::new());
        let hear =
            |progress: Progress| heard.lock().unwrap().push((progress.stage, progress.done, progress.total));
        scene.update_with(Detail::Counts, &Watch::new().progress(&hear)).unwrap();
        let want = [
            (Stage::Boxes, 0, 0),
            (Stage::BroadPhase, 0, 1),
            (Stage::BroadPhase, 1, 1),
            (Stage::Pairs, 0, 0),
        ];
        assert_eq!(heard.into_inner().unwrap(), want);
    }
}

/// A callback that panics leaves no flag behind: the next query is not stopped.
#[test]
fn a_question_that_panics_gives_the_flag_back() {
    let model = Model::new(meshes::icosphere(2));
    let body = Body::new(&model, Pose::IDENTITY);
    let (mut query, flag) = (Query::new(), Arc::new(AtomicBool::new(true)));
    let all = query.pairs(&body, &body).to_vec();
    let asked =
        catch_unwind(AssertUnwindSafe(|| query.with_stop(&flag, |_| -> usize { panic!("a callback") })));
    assert!(asked.is_err() && all.len() > 100);
    assert_eq!(query.pairs(&body, &body), all);
}

/// A stopped query has not found all pairs, so queries that need all of them find them again.
#[test]
fn contact_pairs_of_a_stopped_query_are_not_used() {
    let model = Model::new(meshes::icosphere(2));
    let b = Pose::from_translation([0.5, 0.25, 0.0]).unwrap();
    let [a, b] = [Pose::IDENTITY, b].map(|pose| Body::new(&model, pose));
    let (mut query, flag, mut pairs) = (Query::new(), Arc::new(AtomicBool::new(true)), None);
    assert!(query.with_stop(&flag, |query| pairs = Some(query.contact_pairs(&a, &b))).is_err());
    let pairs = pairs.unwrap();
    assert!(pairs.as_slice().is_empty());
    assert_eq!(query.relation_of_pairs(&pairs).kind, RelationKind::Overlap);
    let all = PenetrationParts::all();
    assert_eq!(query.penetration_of_pairs(&pairs, &all), query.penetration(&a, &b, &all));
    let curves = query.curves(&a, &b).clone();
    assert!(curves.lines().len() == 1 && *query.curves_of_pairs(&pairs) == curves);
    let whole = query.contact_pairs(&a, &b);
    assert_eq!(*query.curves_of_pairs(&whole), curves);
    assert_eq!(whole.as_slice(), query.pairs(&a, &b));
}
