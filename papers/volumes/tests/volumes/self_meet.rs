//! Self-intersection: every kind and arity against brute force, and the definition by example.
use impinge_testkit::{
    cases::{
        Setup, share,
        within::{closed_meshes, crossing_meshes, small_cases},
    },
    ways::{papers, setups},
};
use impinge_volumes::Options;

/// Every kind and overlap test, in every arity or that of the `turn`.
fn all_setups(turn: usize) -> Vec<Setup> {
    let mut all = Vec::new();
    for kind in papers() {
        for (k, &arity) in share(kind.arities().iter().enumerate(), turn % kind.arities().len()) {
            let options = Options::new(kind).arity(arity).leaf_size([0, 1, 3][k % 3]);
            all.extend(kind.overlaps().iter().map(|&overlap| options.overlap(overlap)));
        }
    }
    setups(all)
}

#[test]
fn every_kind_gives_the_pairs_of_brute_force() {
    crossing_meshes(&all_setups(0));
}

#[test]
fn closed_meshes_do_not_meet_themselves() {
    closed_meshes(&all_setups(1));
}

#[test]
fn small_cases_are_as_defined() {
    small_cases(&all_setups(2));
}
