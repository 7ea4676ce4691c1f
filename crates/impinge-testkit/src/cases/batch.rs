//! Batches and divided queries against single ones, on any number of threads.
use super::{Setup, poses, scenes};
use impinge::{Body, Query, Threads};
use rayon::ThreadPool;

/// Results of single queries, for each pair of bodies: a contact, if they meet, and all pairs of triangles.
pub type Answers = (Vec<Option<[u32; 2]>>, Vec<Vec<[u32; 2]>>);

/// Computes the results of single queries.
pub fn one_by_one(query: &mut Query, bodies: &[[Body<'_>; 2]]) -> Answers {
    bodies.iter().map(|[a, b]| (query.first_contact(a, b), query.pairs(a, b).to_vec())).unzip()
}

/// Checks in every pool that batches and divided queries return the results of single ones, in their order.
/// `alone` runs the single queries; `shared` uses the pool's threads. Returns the number of pairs.
///
/// # Panics
/// Panics if a result differs.
pub fn compare(
    name: &str,
    bodies: &[[Body<'_>; 2]],
    alone: &mut Query,
    shared: &mut Query,
    pools: &[ThreadPool],
) -> usize {
    let (first, lists) = one_by_one(alone, bodies);
    let met: Vec<bool> = first.iter().map(Option::is_some).collect();
    for pool in pools {
        let name = format!("{name}, {} threads", pool.current_num_threads());
        pool.install(|| {
            assert_eq!(shared.first_contact_each(bodies), first, "{name}");
            assert_eq!(shared.intersects_each(bodies), met, "{name}");
            let all = shared.pairs_each(bodies);
            assert_eq!(all.iter().collect::<Vec<_>>(), lists, "{name}");
            for (i, list) in lists.iter().enumerate() {
                assert_eq!(all.get(i), Some(&list[..]), "{name}");
            }
            for (i, ([a, b], list)) in bodies.iter().zip(&lists).enumerate() {
                assert_eq!(shared.pairs(a, b), list, "{name}: frame {i}, divided");
            }
        });
    }
    lists.iter().map(Vec::len).sum()
}

/// Runs [`compare`] on all scenes. Each setup takes every `step`-th pose, as all poses would take a minute.
///
/// # Panics
/// Panics if results differ, or too few triangles meet.
pub fn scenes_as_one_by_one(setups: &[Setup], step: usize, pools: &[ThreadPool]) {
    let (scenes, poses, mut found) = (scenes(), poses(), 0);
    for (n, setup) in setups.iter().enumerate() {
        let (mut alone, mut shared) = (setup.query(), setup.query().threads(Threads::Pool));
        let models: Vec<_> = scenes.iter().map(|(_, a, b)| [setup.model(a), setup.model(b)]).collect();
        let mut bodies = Vec::new();
        for [a, b] in &models {
            let poses = poses.iter().skip(n % step).step_by(step);
            bodies.extend(poses.map(|&(p, q)| [Body::new(a, p), Body::new(b, q)]));
        }
        found += compare(&setup.name, &bodies, &mut alone, &mut shared, pools);
    }
    assert!(found > 3_000, "the scenes must touch for this test to mean anything: {found}");
}
