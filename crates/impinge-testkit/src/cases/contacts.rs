//! Near-degenerate pairs of triangles, by the million, for tests that decide each of them.
use crate::{
    near_degenerate::{PairCase, near_degenerate, near_touching_instances},
    oracle,
};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

#[derive(Default, Clone, Copy, Debug)]
struct ContactCounts {
    cases: u64,
    contacts: u64,
    exact: u64,
}

/// Source of the cases: a function of a seed and a number, and the minimum and maximum share of a family's
/// cases that meet.
pub type Source = (fn(u64, u64) -> PairCase, [f64; 2]);

/// Pairs that just touch or just miss, about equally often.
pub const NEAR_DEGENERATE: Source = (near_degenerate, [0.3, 0.7]);
/// Instances of parts that were modelled to touch. Rounding breaks nearly every contact of some families.
pub const INSTANCES: Source = (near_touching_instances, [0.005, 0.95]);

/// Passes the first `total` cases, their numbers and the oracle's results to `decide`, on all threads.
/// `decide` returns the number of decisions by the exact stage.
///
/// # Panics
/// Panics if `decide` does. Panics if a family of at least 1,000 cases has a share of contacts outside the
/// source's limits: a test with hardly any cases of one result would detect little.
pub fn decide_all(
    total: u64,
    (make, [least, most]): Source,
    decide: &(impl Fn(&PairCase, u64, bool) -> u64 + Sync),
) {
    const CHUNK: u64 = 1000;
    let next = AtomicU64::new(0);
    let work = || {
        let mut tally = BTreeMap::<_, ContactCounts>::new();
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= total {
                return tally;
            }
            for index in start..(start + CHUNK).min(total) {
                let case = make(1, index);
                let want = oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q);
                let exact = decide(&case, index, want);
                let tally = tally.entry(case.family).or_default();
                tally.cases += 1;
                tally.contacts += u64::from(want);
                tally.exact += exact;
            }
        }
    };
    let tallies: Vec<_> = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, |n| n.get());
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("a worker found a difference")).collect()
    });
    let mut all = BTreeMap::<_, ContactCounts>::new();
    for (family, t) in tallies.into_iter().flatten() {
        let sum = all.entry(family).or_default();
        (sum.cases, sum.contacts, sum.exact) =
            (sum.cases + t.cases, sum.contacts + t.contacts, sum.exact + t.exact);
    }
    println!("{:24} {:>9} {:>9} {:>9}", "family", "pairs", "contacts", "exact");
    for (family, t) in &all {
        println!("{family:24} {:9} {:9} {:9}", t.cases, t.contacts, t.exact);
        let share = t.contacts as f64 / t.cases as f64;
        assert!(t.cases < 1000 || (least..most).contains(&share), "{family}: {share:.2} of the pairs meet");
    }
    println!("{} pairs: 0 missed, 0 invented", all.values().map(|t| t.cases).sum::<u64>());
}
