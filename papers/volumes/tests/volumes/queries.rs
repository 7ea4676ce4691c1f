//! Ways to run queries of all kinds: one by one, many at a time, warm, on a small stack, on many threads.
use crate::allocator;
use impinge::{Body, Pose};
use impinge_testkit::{
    cases::{Setup, batch, near, pools, small_stack, walk, warm},
    meshes,
    ways::{papers, setups},
};
use impinge_volumes::{Kind, Options};

/// Every kind with each of its overlap tests.
fn all_setups() -> Vec<Setup> {
    let with = |kind: Kind| kind.overlaps().iter().map(move |&overlap| Options::new(kind).overlap(overlap));
    setups(papers().flat_map(with))
}

#[test]
fn every_kind_answers_many_as_one_by_one() {
    batch::scenes_as_one_by_one(&setups(papers().map(Options::new)), 5, &pools());
}

#[test]
fn pairs_one_by_one_are_all_pairs() {
    walk::pairs_one_by_one(&setups(papers().map(Options::new)));
}

#[test]
fn a_warm_query_does_not_allocate() {
    warm::queries(&all_setups(), allocator::count);
}

#[test]
fn every_kind_finds_what_is_within_a_margin() {
    near::pairs_within(&all_setups());
}

/// Kinds whose volumes are merged; the others are fitted again.
#[test]
fn a_warm_refit_does_not_allocate() {
    let merged = [Kind::Aabb, Kind::Dop14, Kind::Dop18, Kind::Dop24, Kind::Dop26];
    warm::refits(&setups(merged.map(Options::new)), allocator::count);
}

#[test]
fn a_small_stack_is_enough() {
    let setups = all_setups();
    let asked = small_stack::ask(&setups, small_stack::SMALL_STACK);
    assert_eq!(asked, 57 * setups.len());
}

/// The intersection curves depend only on the pairs of triangles that meet.
#[test]
fn every_kind_finds_the_same_curves() {
    let (a, b) = (meshes::icosphere(2), meshes::torus(24, 12, 0.3));
    let pose = Pose::from_translation([0.5, 0.25, 0.125]).unwrap();
    let mut all = Vec::new();
    for setup in setups(papers().map(Options::new)) {
        let (a, b) = (setup.model(&a), setup.model(&b));
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, pose));
        all.push(setup.query().curves(&a, &b).clone());
        assert_eq!(all[0], all[all.len() - 1], "{setup:?}");
    }
    assert!(all.len() > 5 && all[0].lines().len() > 0);
}
