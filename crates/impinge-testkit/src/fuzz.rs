//! Checks of the fuzz targets `agreement`, `validity`, `relations`, `distances`, `curves`, `points` and
//! `saved`; the ordinary tests run them on the seed corpora.
mod bytes;
mod curves;
mod distances;
mod points;
mod poses;
mod relations;

pub use self::{curves::curves, distances::distances, points::points, relations::relations};
pub use crate::saved::altered as saved;

use self::{
    bytes::{Bytes, flattened, mesh},
    poses::grid_pose,
};
use crate::{
    oracle,
    ways::{splits, ways_of},
};
use impinge::{Body, Mesh, Pose, Query, brute_force};
use impinge_volumes::{Kind, Options};

/// Grid mode: small integers, for which contacts are exact and frequent. Trees of every kind, brute force and
/// the rational oracle agree on every pair of triangles.
///
/// # Panics
/// Panics if they do not.
pub fn agreement(data: &[u8]) {
    let mut bytes = Bytes(data);
    let poses = match bytes.below(3) {
        0 => [Pose::IDENTITY; 2],
        1 => [grid_pose(&mut bytes); 2],
        _ => [grid_pose(&mut bytes), grid_pose(&mut bytes)],
    };
    let (Some(a), Some(b)) = (mesh(&mut bytes, Bytes::grid), mesh(&mut bytes, Bytes::grid)) else { return };
    let [a, b] = [a, b].map(|mesh| flattened(&mesh, bytes.byte()));
    let mut want = Vec::new();
    for i in 0..a.len() as u32 {
        for j in 0..b.len() as u32 {
            if oracle::intersects(&a.corners(i), &poses[0], &b.corners(j), &poses[1]) {
                want.push([i, j]);
            }
        }
    }
    trees_agree(&a, &b, &poses, Some(&want), bytes.byte());
}

/// Chaos mode: any bits. Invalid input gives an error; nothing panics; trees agree with brute force.
///
/// # Panics
/// Panics if one of these fails.
pub fn validity(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut pose = || {
        let kind = bytes.below(3);
        let rows = std::array::from_fn(|_| std::array::from_fn(|_| bytes.chaos()));
        let t = std::array::from_fn(|_| bytes.chaos());
        match kind {
            0 => Some(Pose::IDENTITY),
            1 => Pose::affine(rows, t).ok(),
            _ => Pose::rigid(*Pose::IDENTITY.rows(), t).ok(),
        }
    };
    let (Some(p), Some(q)) = (pose(), pose()) else { return };
    let (Some(a), Some(b)) = (mesh(&mut bytes, Bytes::chaos), mesh(&mut bytes, Bytes::chaos)) else { return };
    let [a, b] = [a, b].map(|mesh| flattened(&mesh, bytes.byte()));
    trees_agree(&a, &b, &[p, q], None, bytes.byte());
}

/// Checks that trees of every kind and brute force find the same pairs, `want` if given. `axes` flattens the
/// shape that refits start from (see [`flattened`]).
fn trees_agree(a: &Mesh, b: &Mesh, poses: &[Pose; 2], want: Option<&[[u32; 2]]>, axes: u8) {
    let mut reference: Option<Vec<[u32; 2]>> = want.map(<[_]>::to_vec);
    for &kind in Kind::ALL {
        for (n, (&split, leaf_size)) in splits(kind).iter().zip([1, 3, 2].into_iter().cycle()).enumerate() {
            let options = Options::new(kind).split(split).leaf_size(leaf_size);
            let mut models =
                [a, b].map(|mesh| options.build(mesh.clone()).expect("options that the kind has"));
            for model in &models {
                assert_eq!(model.validate(), Ok(()), "{options:?}");
            }
            if n == 0 {
                let moved: Vec<_> = (0..).zip(a.points().iter().copied()).collect();
                let mut model = options.build(flattened(a, axes)).expect("options that the kind has");
                for moved in moved.chunks(3).chain([&moved[..]]) {
                    model.refit_some(moved).expect("all finite, as they were before");
                    assert_eq!(model.validate(), Ok(()), "{options:?}, {moved:?}");
                }
                let (a, b) = (Body::new(&model, poses[0]), Body::new(&models[1], poses[1]));
                let got = Query::new().pairs(&a, &b).to_vec();
                assert_eq!(
                    &got,
                    reference.get_or_insert_with(|| got.clone()),
                    "{options:?}, refitted, {poses:?}"
                );
            }
            let [of_a, of_b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
            let by_force = brute_force::pairs(&of_a, &of_b);
            assert_eq!(
                &by_force,
                reference.get_or_insert_with(|| by_force.clone()),
                "brute force, {poses:?}"
            );
            for way in ways_of(kind, n / 3 + n) {
                models.iter_mut().for_each(|model| way.apply(model));
                let (mut query, [a, b]) = (way.query(), [0, 1].map(|k| Body::new(&models[k], poses[k])));
                assert_eq!(
                    Some(query.pairs(&a, &b)),
                    reference.as_deref(),
                    "{options:?}, {way:?}, {poses:?}"
                );
                let mut swapped = query.pairs(&b, &a).to_vec();
                swapped.iter_mut().for_each(|pair| pair.reverse());
                swapped.sort_unstable();
                assert_eq!(Some(&swapped), reference.as_ref(), "swapped, {options:?}, {way:?}, {poses:?}");
            }
        }
    }
}
