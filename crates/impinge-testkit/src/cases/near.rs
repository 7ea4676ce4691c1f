//! Pairs of triangles within a margin.
use super::{Setup, is_full, poses, scenes, share, share_of};
use impinge::{
    Body, Model, Pose, brute_force,
    distance::{Accuracy, Margin},
};

/// Trees find the pairs of triangles within a margin that brute force finds: for bodies that overlap, and for
/// disjoint bodies, at a margin that just includes or just excludes their nearest pairs.
///
/// Each scene takes a share of the setups, another one each time.
///
/// # Panics
/// Panics if they do not, or too few triangles are near.
pub fn pairs_within(setups: &[Setup]) {
    let step = if is_full() { 4 } else { 8 };
    let mut found = 0;
    for (turn, (name, a, b)) in scenes().into_iter().enumerate() {
        let plain = [&a, &b].map(|mesh| Model::new(mesh.clone()));
        let size = extent(&a).max(extent(&b));
        let mut asked = Vec::new();
        for (pose_a, pose_b) in poses().into_iter().skip(turn % 4).step_by(step) {
            let (x, y) = (Body::new(&plain[0], pose_a), Body::new(&plain[1], pose_b));
            asked.push((x, y, 0.005_13 * size));
            let mut beside = *pose_b.translation();
            beside[turn % 3] += 3.0 * size;
            let Ok(beside) = Pose::affine(*pose_b.rows(), beside) else { continue };
            let y = Body::new(&plain[1], beside);
            if let Some(gap) = brute_force::distance(&x, &y, Accuracy::new()) {
                asked.extend([0.999 * gap.lo, 1.05 * gap.hi].map(|d| (x, y, d)));
            }
        }
        let wanted: Vec<_> = asked
            .iter()
            .filter_map(|&(x, y, d)| {
                let margin = Margin::new(d).ok()?;
                let want = brute_force::pairs_within(&x, &y, margin);
                // If nearly all are near, the test takes long and shows little.
                (want.len() < 3_000).then_some((x.pose, y.pose, margin, want))
            })
            .collect();
        for setup in share(setups, turn) {
            let (a, b, mut query) = (setup.model(&a), setup.model(&b), setup.query());
            for &(pose_a, pose_b, margin, ref want) in &wanted {
                let (x, y) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                assert_eq!(query.pairs_within(&x, &y, margin), want, "{name}, {setup:?}, {margin:?}");
                let first = query.first_within(&x, &y, margin);
                assert_eq!(first.is_some(), !want.is_empty(), "{name}, {setup:?}, {margin:?}");
                assert!(first.is_none_or(|pair| want.contains(&pair)), "{name}, {setup:?}, {margin:?}");
                found += want.len();
            }
        }
    }
    println!("{found} pairs");
    assert!(
        found > share_of(4_000 * setups.len() / step),
        "the scenes must be near for this test to mean anything"
    );
}

fn extent(mesh: &impinge::Mesh) -> f64 {
    let [lo, hi] = impinge::hierarchy::extent_of(mesh);
    (0..3).fold(0.0, |most: f64, k| most.max(hi[k] - lo[k]))
}
