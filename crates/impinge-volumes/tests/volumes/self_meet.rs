//! Self-intersection: every kind and arity against brute force, and the definition by example.
use impinge_testkit::{
    cases::{
        Setup,
        within::{closed_meshes, crossing_meshes, small_cases},
    },
    ways::{papers, setups},
};
use impinge_volumes::Options;

/// Every kind, arity and overlap test.
fn all_setups() -> Vec<Setup> {
    let mut all = Vec::new();
    for kind in papers() {
        for (k, &arity) in kind.arities().iter().enumerate() {
            let options = Options::new(kind).arity(arity).leaf_size([0, 1, 3][k % 3]);
            all.extend(kind.overlaps().iter().map(|&overlap| options.overlap(overlap)));
        }
    }
    setups(all)
}

#[test]
fn every_kind_gives_the_pairs_of_brute_force() {
    crossing_meshes(&all_setups());
}

#[test]
fn closed_meshes_do_not_meet_themselves() {
    closed_meshes(&all_setups());
}

#[test]
fn small_cases_are_as_defined() {
    small_cases(&all_setups());
}
