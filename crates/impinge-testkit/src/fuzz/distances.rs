//! Distances of small meshes, of small integers or of any bits, against the oracle and the reference.
use super::{
    bytes::{Bytes, flattened, mesh},
    poses::any_pose,
};
use crate::oracle;
use impinge::{
    Body, Mesh, Model, Pose, Query, brute_force,
    distance::{Accuracy, Margin},
};
use std::cmp::Ordering;

/// Intervals contain the distance, exact ones have no number inside, margins agree with integers, trees agree
/// with the reference, to the bit, and exchanged bodies have the same distance.
///
/// # Panics
/// Panics if one of these fails.
pub fn distances(data: &[u8]) {
    let mut bytes = Bytes(data);
    let is_grid = bytes.below(2) == 0;
    let mut pose = || any_pose(&mut bytes, is_grid);
    let (Some(p), Some(q)) = (pose(), pose()) else { return };
    let coordinate = if is_grid { Bytes::grid } else { Bytes::chaos };
    let (Some(a), Some(b)) = (mesh(&mut bytes, coordinate), mesh(&mut bytes, coordinate)) else { return };
    // Integers of thousands of bits are slow.
    let most = if is_grid { 12 } else { 2 };
    let [a, b] = [a, b].map(|mesh| {
        let triangles = mesh.triangles().iter().take(most).copied().collect();
        let mesh = Mesh::new(mesh.points().to_vec(), triangles).expect("a part of a mesh");
        flattened(&mesh, bytes.byte())
    });
    let shift = Pose::from_translation([f64::from(bytes.below(9)), 0.0, 0.0]).unwrap_or(Pose::IDENTITY);
    let q = q.then(&shift).unwrap_or(q);
    let compare = |d: f64| {
        let all = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| [i, j]));
        let each = all.map(|[i, j]| oracle::compare_distance(&a.corners(i), &p, &b.corners(j), &q, d));
        each.min()
    };
    let models = [&a, &b].map(|mesh| Model::new(mesh.clone()));
    let (x, y) = (Body::new(&models[0], p), Body::new(&models[1], q));
    let mut query = Query::new();
    let found = query.distance(&x, &y);
    let want = brute_force::distance(&x, &y, Accuracy::new());
    let (Some(found), Some(want)) = (found, want) else {
        assert!(found.is_none() && want.is_none() && compare(0.0).is_none(), "{found:?} {want:?}");
        return;
    };
    assert_eq!((found.lo.to_bits(), found.hi.to_bits()), (want.lo.to_bits(), want.hi.to_bits()));
    assert!(found.hi == 0.0 || found.triangles == want.triangles, "{found:?} {want:?}");
    let back = query.distance(&y, &x).expect("it is symmetric");
    assert_eq!((found.lo, found.hi), (back.lo, back.hi));
    let exact = query.with_accuracy(Accuracy::new().exact()).distance(&x, &y).expect("as before");
    assert!(found.lo <= exact.lo && exact.hi <= found.hi, "{found:?} {exact:?}");
    assert!(exact.lo == exact.hi || exact.lo.next_up() == exact.hi, "{exact:?}");
    assert_ne!(compare(exact.lo), Some(Ordering::Less), "{exact:?}");
    assert_eq!(exact.hi == 0.0, compare(0.0) == Some(Ordering::Equal), "{exact:?}");
    for d in [exact.lo, exact.hi, exact.lo / 2.0, exact.hi * 2.0] {
        let Ok(margin) = Margin::new(d) else { continue };
        let is_near = compare(d) != Some(Ordering::Greater);
        assert_eq!(query.within(&x, &y, margin), is_near, "{d:e}");
        assert_eq!(
            query.with_accuracy(Accuracy::new().above(margin)).distance(&x, &y).is_some(),
            is_near,
            "{d:e}"
        );
        assert_eq!(query.pairs_within(&x, &y, margin), brute_force::pairs_within(&x, &y, margin), "{d:e}");
    }
}
