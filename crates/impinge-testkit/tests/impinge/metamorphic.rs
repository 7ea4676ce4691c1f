//! Relations of small pairs of bodies, and of the same sets as other meshes, against a reference that shares
//! nothing with the library.
use impinge::Query;
use impinge_testkit::metamorphic::{Change, Number, Seen, case, case_numbers, shrink};
use rayon::prelude::*;

/// Number of other meshes of each pair.
const VARIANTS: u64 = 9;

/// Number of pairs: `IMPINGE_METAMORPHIC`, or 500. 100,000 are a million cases.
fn count() -> u64 {
    std::env::var("IMPINGE_METAMORPHIC").ok().map_or(500, |n| n.parse().unwrap())
}

/// Number of failures to print: `IMPINGE_METAMORPHIC_SHOW`, or 3.
fn show() -> usize {
    std::env::var("IMPINGE_METAMORPHIC_SHOW").ok().map_or(3, |n| n.parse().unwrap())
}

#[test]
fn relations_do_not_depend_on_the_mesh() {
    let starts: Vec<u64> = (0..count()).step_by(50).collect();
    let run = |first: u64| {
        let (mut query, mut seen, mut failures) = (Query::new(), Seen::new(), Vec::new());
        for index in first..count().min(first + 50) {
            match case(41, index, VARIANTS, &mut query, &mut seen) {
                Ok(n) => *seen.entry("cases".to_owned()).or_default() += n,
                Err(failure) => failures.push((index, failure)),
            }
        }
        (seen, failures)
    };
    let (mut seen, mut failures) = (Seen::new(), Vec::new());
    for (more, bad) in starts.into_par_iter().map(run).collect::<Vec<_>>() {
        more.into_iter().for_each(|(what, n)| *seen.entry(what).or_default() += n);
        failures.extend(bad);
    }
    println!("{seen:?}");
    for (index, failure) in failures.iter().take(show()) {
        match shrink(failure, &mut Query::new()) {
            Some(smaller) => println!("case {index}, of {:?}: {smaller}", failure.variant.changes),
            None => println!("case {index}: {failure}"),
        }
    }
    let indices: Vec<u64> = failures.iter().map(|(index, _)| *index).collect();
    assert!(failures.is_empty(), "{} cases: {indices:?}", failures.len());
    assert!(seen["cases"] >= (1 + VARIANTS) * count() * 9 / 10, "many pairs beyond the reference: {seen:?}");
    // Nine kinds, four statuses, 17 changes, and the number of cases.
    assert_eq!(seen.len(), 9 + 4 + Change::ALL.len() + 1, "{seen:?}");
    assert!(seen.values().all(|&n| n * 200 >= count()), "{seen:?}");
}

/// Checks a number of other pairs.
fn numbers(which: Number) {
    let indices: Vec<u64> = (0..count() / 2).collect();
    let run = |first: &[u64]| {
        let mut query = Query::new();
        let check =
            |&index| case_numbers(43, index, 4, &mut query, &[which]).err().map(|failure| (index, failure));
        first.iter().filter_map(check).collect::<Vec<_>>()
    };
    let failures: Vec<_> = indices.par_chunks(50).flat_map_iter(run).collect();
    for (index, failure) in failures.iter().take(show()) {
        println!("case {index}: {failure}");
    }
    let indices: Vec<u64> = failures.iter().map(|(index, _)| *index).collect();
    assert!(failures.is_empty(), "{} cases: {indices:?}", failures.len());
}

#[test]
fn volumes_in_common_are_those_of_the_cells() {
    numbers(Number::Volume);
}

#[test]
fn distances_do_not_depend_on_the_mesh() {
    numbers(Number::Distance);
}

#[test]
fn lengths_of_curves_have_bounds() {
    numbers(Number::Curves);
}
