//! Near-degenerate pairs of triangles against the testkit's rational oracle: none missed, none invented.
//!
//! A hundred thousand in an ordinary run, a million where CI is set; for ten:
//! `IMPINGE_PAIRS=10000000 cargo test --release -p impinge --test impinge oracle`.
use impinge::{Body, Mesh, brute_force};
use impinge_testkit::cases::{Setup, contacts, pairs_wanted};

#[test]
fn no_contact_is_missed_and_none_invented() {
    let setups = Setup::on_all_levels();
    contacts::decide_all(pairs_wanted(), &|case, index, want| {
        let mesh = |corners: [[f64; 3]; 3]| Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let (p, q) = (setups[0].model(&mesh(case.p)), setups[0].model(&mesh(case.q)));
        let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
        let (pairs, count) = brute_force::counted_pairs(&a, &b);
        assert_eq!(!pairs.is_empty(), want, "brute force, case {index}: {case:?}");
        // One order or the other: both would take twice as long.
        let (a, b) = if index & 2 == 0 { (a, b) } else { (b, a) };
        for setup in &setups {
            assert_eq!(setup.query().intersects(&a, &b), want, "{setup:?}, {index}: {case:?}");
        }
        count.exact_tests
    });
}
