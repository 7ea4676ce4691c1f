//! Trees and placements that are compared.
use impinge::Pose;
use impinge_testkit::rng::Rng;
use impinge_volumes::{Kind, Options};

/// Options of all kinds, with one triangle a leaf as in the paper; the fast tree with its own leaves.
pub(super) fn trees() -> impl Iterator<Item = (Kind, Options)> {
    Kind::ALL.iter().map(|&kind| (kind, Options::new(kind).leaf_size(usize::from(kind != Kind::Wide))))
}

/// Placements of two copies of a body that is 2 long, the first at the origin. The distance grows from 0.2 to
/// 1.2, so that some pairs of surfaces cross, and some only come near.
pub(super) fn placements(count: usize) -> Vec<[Pose; 2]> {
    let mut rng = Rng::new(0x0be6);
    let mut place = |k: usize| {
        let far = 0.2 + (k as f64 + 0.5) / count as f64;
        let shift = rng.direction().map(|x| far * x);
        let first = Pose::rigid(rng.rotation(), [0.0; 3]);
        let second = Pose::rigid(rng.rotation(), shift);
        match (first, second) {
            (Ok(first), Ok(second)) => [first, second],
            _ => unreachable!("rotations are rigid"),
        }
    };
    (0..count).map(&mut place).collect()
}
