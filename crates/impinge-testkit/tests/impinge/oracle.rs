//! Near-degenerate pairs of triangles against the testkit's rational oracle: none missed, none invented.
//!
//! 50,000 in an ordinary run, a million with `IMPINGE_FULL=1`; for ten:
//! `IMPINGE_PAIRS=10000000 cargo test --release -p impinge-testkit oracle`.
use impinge::{Body, Mesh, brute_force};
use impinge_testkit::cases::{Setup, contacts, pairs_wanted};

#[test]
fn no_contact_is_missed_and_none_invented() {
    decide_all(contacts::NEAR_DEGENERATE, &Setup::on_all_levels());
}

#[test]
fn nor_among_instances_that_touch_up_to_the_rounding_of_their_poses() {
    decide_all(contacts::INSTANCES, &[]);
}

/// Runs brute force, trees with the setups `always`, or on one instruction set in turn if there are none, and
/// lists on one instruction set in turn.
fn decide_all(source: contacts::Source, always: &[Setup]) {
    let (trees, lists) = (Setup::on_all_levels(), Setup::on_demand());
    contacts::decide_all(pairs_wanted(), source, &|case, index, want| {
        let mesh = |corners: [[f64; 3]; 3]| Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let (p, q) = (trees[0].model(&mesh(case.p)), trees[0].model(&mesh(case.q)));
        let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
        let (pairs, count) = brute_force::counted_pairs(&a, &b);
        assert_eq!(!pairs.is_empty(), want, "brute force, case {index}: {case:?}");
        // One order or the other: both would take twice as long.
        let (a, b) = if index & 2 == 0 { (a, b) } else { (b, a) };
        let turn = index as usize / 4 % trees.len();
        let trees = if always.is_empty() { &trees[turn..=turn] } else { always };
        for setup in trees {
            assert_eq!(setup.query().intersects(&a, &b), want, "{setup:?}, {index}: {case:?}");
        }
        let [p, q] = [a, b].map(|body| lists[0].model(body.model.mesh()));
        let (a, b) = (Body::new(&p, a.pose), Body::new(&q, b.pose));
        let setup = &lists[turn];
        assert_eq!(setup.query().intersects(&a, &b), want, "{setup:?}, {index}: {case:?}");
        count.exact_tests
    });
}
