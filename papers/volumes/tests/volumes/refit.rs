//! Refitted trees of all kinds and arities: however a mesh deforms, each triangle lies in all volumes above
//! it, and results are those of brute force.
use impinge::{Mesh, Threads};
use impinge_testkit::{
    cases::{Setup, deformations, pools, share},
    meshes,
    ways::{papers, setups},
};
use impinge_volumes::{Kind, Options};

/// Every kind, in every arity or that of the `turn`, and leaves of one triangle.
fn all_setups(turn: usize) -> Vec<Setup> {
    let of = |kind: Kind| {
        share(kind.arities(), turn % kind.arities().len()).map(move |&arity| Options::new(kind).arity(arity))
    };
    setups(papers().flat_map(of).chain([Options::new(Kind::Aabb).leaf_size(1)]))
}

#[test]
fn whatever_the_deformation_answers_are_those_of_brute_force() {
    deformations::whole_refits(&all_setups(0));
}

#[test]
fn any_sequence_of_partial_refits_is_as_good_as_a_full_one() {
    deformations::partial_refits(&all_setups(1));
}

#[test]
fn a_corner_may_leave_a_flat_patch() {
    deformations::flat_patches(&all_setups(2));
}

#[test]
fn what_is_refused_changes_nothing() {
    deformations::refused_refits(&all_setups(0));
}

#[test]
fn decay_tells_when_to_build_anew() {
    deformations::decay(&all_setups(1));
}

/// The tree and its cost are identical, bit by bit, on any number of threads, whether refitted or rebuilt.
#[test]
fn divided_refits_and_builds_make_the_same_tree() {
    let all =
        papers().flat_map(|kind| kind.arities().iter().map(move |&arity| Options::new(kind).arity(arity)));
    for options in all {
        let [alone, shared] =
            [Threads::One, Threads::Pool].map(|threads| setups([options.threads(threads)]).remove(0));
        // Volumes that are not divided among threads take long to fit.
        let is_large = options.kind == Kind::Aabb || (options.kind == Kind::Dop18 && options.arity == 2);
        let large = is_large.then(|| meshes::torus(120, 90, 0.3));
        for mesh in large.into_iter().chain([meshes::soup(5, 9, 0.5), Mesh::default()]) {
            deformations::divided(&mesh, &alone, &shared, &pools());
        }
    }
}
