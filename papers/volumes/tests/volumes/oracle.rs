//! Near-degenerate pairs of triangles that meet, in trees of one triangle: no volume loses a contact.
//!
//! A pair that a tree of the papers reports has passed the library's own narrow phase, which its own tests
//! compare with the oracle. A volume can only lose a contact, so only pairs that meet are tested here, as
//! many as there.
use impinge::{Body, Mesh};
use impinge_testkit::{
    cases::{Setup, contacts, pairs_wanted},
    ways::{papers, setups},
};
use impinge_volumes::Options;

#[test]
fn no_volume_loses_a_contact() {
    let with = |kind| move |&overlap| Options::new(kind).overlap(overlap);
    let ways: Vec<Vec<Setup>> = papers().map(|kind| setups(kind.overlaps().iter().map(with(kind)))).collect();
    contacts::decide_all(pairs_wanted(), contacts::NEAR_DEGENERATE, &|case, index, want| {
        if !want {
            return 0;
        }
        let mesh = |corners: [[f64; 3]; 3]| Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let (p, q) = (mesh(case.p), mesh(case.q));
        for ways in &ways {
            let setup = &ways[index as usize / 4 % ways.len()];
            let (p, q) = (setup.model(&p), setup.model(&q));
            let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
            // One order or the other: both would take twice as long.
            let (a, b) = if index & 2 == 0 { (a, b) } else { (b, a) };
            assert!(setup.query().intersects(&a, &b), "{setup:?}, {index}: {case:?}");
        }
        0
    });
}
