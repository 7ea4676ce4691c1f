//! Counters of queries, on one thread and on many.
use impinge::{Body, Model, Pose, Query, Threads, query::Counters};
use impinge_testkit::{cases::pools, meshes, rng::Rng};

fn models() -> [Model; 2] {
    [meshes::icosphere(3), meshes::torus(48, 32, 0.3)].map(Model::new)
}

fn places() -> Vec<Pose> {
    let mut rng = Rng::new(21);
    (0..300).map(|_| Pose::rigid(rng.rotation(), rng.point(1.5)).unwrap()).collect()
}

#[test]
fn a_query_that_was_not_told_to_count_has_no_counters() {
    let [ball, torus] = models();
    let (a, b) = (Body::new(&ball, Pose::IDENTITY), Body::new(&torus, Pose::IDENTITY));
    let mut query = Query::new();
    query.pairs(&a, &b);
    assert_eq!(query.counters(), None);
    query.reset_counters();
    assert_eq!(query.counting(true).counters(), Some(Counters::default()));
}

/// Each query adds to the counters, until they are reset.
#[test]
fn counters_add_up() {
    let [ball, torus] = models();
    let a = Body::new(&ball, Pose::IDENTITY);
    let (mut each, mut all) = (Query::new().counting(true), Query::new().counting(true));
    let mut sum = Counters::default();
    for pose in places() {
        let b = Body::new(&torus, pose);
        each.reset_counters();
        each.pairs(&a, &b);
        let once = each.counters().unwrap();
        // The same query has the same counts again.
        each.pairs(&a, &b);
        let mut twice = once;
        twice += once;
        assert_eq!(each.counters(), Some(twice));
        sum += once;
        all.pairs(&a, &b);
    }
    assert_eq!(all.counters(), Some(sum));
    let count = sum.count;
    assert!(count.volume_tests > 0 && count.volume_updates > 0 && count.leaf_pairs > count.triangle_tests);
    assert!(count.filter_tests > 0 && count.exact_tests <= count.filter_tests, "{count:?}");
    assert!(count.filter_tests <= count.triangle_tests, "{count:?}");
}

/// Counts of all threads together do not depend on which thread took which query of a batch.
#[test]
fn counters_of_all_threads_are_those_of_one() {
    let ([ball, torus], poses) = (models(), places());
    let a = Body::new(&ball, Pose::IDENTITY);
    let ask = |query: &mut Query| {
        query.first_contact_at(&a, &torus, &poses);
        query.pairs_at(&a, &torus, &poses);
        query.counters().unwrap()
    };
    let want = ask(&mut Query::new().counting(true));
    for pool in pools() {
        let mut query = Query::new().counting(true).threads(Threads::Pool);
        assert_eq!(pool.install(|| ask(&mut query)), want, "{} threads", pool.current_num_threads());
        query.reset_counters();
        assert_eq!(query.counters(), Some(Counters::default()), "all threads' are reset");
    }
}

/// A large query that is divided visits the same leaves and decides the same pairs as on one thread. Only the
/// order in which blocks wait differs.
#[test]
fn counters_of_a_divided_query_are_those_of_one() {
    let models = [(1, 0.2), (2, 0.25)].map(|(seed, height)| Model::new(meshes::sheet(seed, 120, height)));
    let [a, b] = models.each_ref().map(|model| Body::new(model, Pose::IDENTITY));
    let mut alone = Query::new().counting(true);
    let (found, want) = (alone.pairs(&a, &b).len(), alone.counters().unwrap().count);
    assert!(found > 1000, "{found}");
    for pool in pools() {
        let mut query = Query::new().counting(true).threads(Threads::Pool);
        assert_eq!(pool.install(|| query.pairs(&a, &b).len()), found);
        let got = query.counters().unwrap().count;
        let what = format!("{} threads", pool.current_num_threads());
        let of = |count: impinge::query::Count| [count.volume_tests, count.leaf_pairs, count.triangle_tests];
        assert_eq!(of(got), of(want), "{what}");
        assert_eq!((got.filter_tests, got.exact_tests), (want.filter_tests, want.exact_tests), "{what}");
    }
}
