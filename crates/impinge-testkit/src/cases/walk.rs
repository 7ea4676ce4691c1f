//! Traversals that stop at each pair and continue.
use super::{Setup, poses, scenes, share, share_of};
use impinge::Body;
use std::ops::ControlFlow;

/// A traversal that continues after each pair finds every pair once; one that is stopped ends.
///
/// # Panics
/// Panics if it does not, or too few triangles meet.
pub fn pairs_one_by_one(setups: &[Setup]) {
    let mut found = 0;
    for (turn, (name, a, b)) in scenes().into_iter().enumerate() {
        for setup in setups {
            let (a, b, mut query) = (setup.model(&a), setup.model(&b), setup.query());
            for (pose_a, pose_b) in share(poses(), turn) {
                let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                let (mut got, mut some) = (Vec::new(), 0);
                let want = query.pairs(&a, &b).to_vec();
                let end = query.for_each_pair(&a, &b, |pair| {
                    got.push(pair);
                    ControlFlow::<()>::Continue(())
                });
                got.sort_unstable();
                assert!(end.is_continue() && got == want, "{name}, {setup:?}");
                let half = want.len().div_ceil(2);
                let end = query.for_each_pair(&a, &b, |pair| {
                    some += 1;
                    if some == half { ControlFlow::Break(pair) } else { ControlFlow::Continue(()) }
                });
                assert_eq!((some, end.break_value().is_some()), (half, half > 0), "{name}, {setup:?}");
                found += want.len();
            }
        }
    }
    println!("{found} pairs");
    assert!(found > share_of(3_000 * setups.len()), "the scenes must touch for this test to mean anything");
}
