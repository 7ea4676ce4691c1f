//! Near-degenerate pairs of triangles against the testkit's rational oracle: none missed, none invented.
//!
//! A million by default; `IMPINGE_PAIRS=10000000 cargo test --release --test oracle` for ten.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
use impinge::{Body, BuildOptions, Count, Kind, Mesh, Model, Query, Scratch, brute_force};
use impinge_testkit::{
    near_degenerate::{PairCase, near_degenerate},
    oracle,
    ways::queries,
};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

fn wanted() -> u64 {
    std::env::var("IMPINGE_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}

fn one(corners: [[f64; 3]; 3], kind: Kind) -> Model {
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("the generator makes finite points");
    Model::new(mesh, &BuildOptions { kind, ..BuildOptions::default() })
}

/// What happened, by family.
#[derive(Default, Clone, Copy)]
struct Tally {
    cases: u64,
    contacts: u64,
    exact: u64,
}

#[test]
fn no_contact_is_missed_and_none_invented() {
    let total = wanted();
    let workers = thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let next = AtomicU64::new(0);
    const CHUNK: u64 = 1000;
    let ways: Vec<Vec<Query>> = Kind::ALL.iter().map(|&kind| queries(kind)).collect();
    let tallies: Vec<BTreeMap<&str, Tally>> = thread::scope(|scope| {
        let work = || {
            let mut tally = BTreeMap::<_, Tally>::new();
            let mut scratch = Scratch::new();
            loop {
                let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                if start >= total {
                    return tally;
                }
                for index in start..(start + CHUNK).min(total) {
                    let case = near_degenerate(1, index);
                    check(&case, index, &ways, &mut scratch, tally.entry(case.family).or_default());
                }
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("a worker found a difference")).collect()
    });
    let mut all = BTreeMap::<_, Tally>::new();
    for (family, t) in tallies.into_iter().flatten() {
        let sum = all.entry(family).or_default();
        *sum = Tally {
            cases: sum.cases + t.cases,
            contacts: sum.contacts + t.contacts,
            exact: sum.exact + t.exact,
        };
    }
    println!("{:24} {:>9} {:>9} {:>9}", "family", "pairs", "contacts", "exact");
    for (family, t) in &all {
        println!("{family:24} {:9} {:9} {:9}", t.cases, t.contacts, t.exact);
        assert!(
            t.contacts * 10 > t.cases && t.contacts * 10 < t.cases * 10,
            "{family}: one answer hardly ever occurs"
        );
    }
    println!("{} pairs: 0 missed, 0 invented", all.values().map(|t| t.cases).sum::<u64>());
}

fn check(case: &PairCase, index: u64, ways: &[Vec<Query>], scratch: &mut Scratch, tally: &mut Tally) {
    let want = oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q);
    let (p, q) = (one(case.p, Kind::default()), one(case.q, Kind::default()));
    let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
    let mut count = Count::default();
    let got = brute_force::intersects(&a, &b, scratch, &mut count).is_some();
    assert_eq!(got, want, "brute force, case {index}: {case:?}");
    for &kind in Kind::ALL {
        // What most trees report has passed the same narrow phase: a volume can only lose a contact. The fast tree has a first stage of its own, on each
        // instruction set.
        let own = kind == Kind::Wide;
        if !want && !own {
            continue;
        }
        let (p, q) = (one(case.p, kind), one(case.q, kind));
        let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
        // One order or the other: both would take twice as long.
        let (a, b) = if index & 2 == 0 { (a, b) } else { (b, a) };
        let ways = &ways[kind as usize];
        for query in if own { &ways[..] } else { &ways[index as usize / 4 % ways.len()..][..1] } {
            let got = query.intersects(&a, &b, scratch, &mut ()).is_some();
            assert_eq!(got, want, "{kind:?}, {query:?}, {index}: {case:?}");
        }
    }
    tally.cases += 1;
    tally.contacts += u64::from(want);
    tally.exact += count.exact_tests;
}
