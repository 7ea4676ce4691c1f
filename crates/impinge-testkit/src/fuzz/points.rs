//! Nearest points, rays and regions of small meshes, of small integers or of any bits, against the oracle and
//! the reference.
use super::{
    bytes::{Bytes, flattened, mesh},
    poses::any_pose,
};
use crate::oracle;
use impinge::{
    Body, HalfSpace, Mesh, Model, Pose, Query, brute_force, distance::Accuracy, rays::Ray, regions::InRegion,
};
use std::cmp::Ordering;

/// Intervals contain distances and parameters, hits and triangles in regions agree with integers, and trees
/// agree with the reference, to the bit.
///
/// # Panics
/// Panics if one of these fails.
pub fn points(data: &[u8]) {
    let mut bytes = Bytes(data);
    let is_grid = bytes.below(2) == 0;
    let Some(pose) = any_pose(&mut bytes, is_grid) else { return };
    let coordinate = if is_grid { Bytes::grid } else { Bytes::chaos };
    let Some(whole) = mesh(&mut bytes, coordinate) else { return };
    // Integers of thousands of bits are slow.
    let most = if is_grid { 12 } else { 2 };
    let triangles = whole.triangles().iter().take(most).copied().collect();
    let whole = Mesh::new(whole.points().to_vec(), triangles).expect("a part of a mesh");
    let mesh = flattened(&whole, bytes.byte());
    let mut vector = || [0; 3].map(|_| coordinate(&mut bytes));
    let (point, direction) = (vector(), vector());
    let of: Vec<([f64; 3], f64)> = (0..3).map(|_| (vector(), vector()[0])).collect();
    let model = Model::new(mesh.clone());
    let (body, mut query) = (Body::new(&model, pose), Query::new());

    let found = query.closest_point(&body, point);
    assert_eq!(found, brute_force::closest_point(&body, point, Accuracy::new()));
    if let Some(found) = found {
        let each = (0..mesh.len() as u32).map(|i| mesh.corners(i));
        let compare = |d: f64| {
            let each = each.clone();
            each.map(|t| oracle::compare_distance(&[point; 3], &Pose::IDENTITY, &t, &pose, d)).min()
        };
        assert_eq!(found.hi == 0.0, compare(0.0) == Some(Ordering::Equal), "{found:?}");
        assert_ne!(compare(found.lo), Some(Ordering::Less), "{found:?}");
        assert!(found.hi == f64::INFINITY || compare(found.hi) != Some(Ordering::Greater), "{found:?}");
    }

    if let Ok(ray) = Ray::new(point, direction).and_then(|ray| ray.until(1.0)) {
        let hits = query.ray_all(&body, &ray).to_vec();
        assert_eq!(hits, brute_force::ray_all(&body, &ray));
        assert_eq!(query.ray_first(&body, &ray), hits.first().copied());
        for i in 0..mesh.len() as u32 {
            let meets = |ends| oracle::segment_meets(&point, &direction, ends, &mesh.corners(i), &pose);
            let hit = hits.iter().find(|hit| hit.triangle == i);
            assert_eq!(hit.is_some(), meets([0.0, 1.0]), "{i} of {hits:?}");
            if let Some(hit) = hit {
                assert!(meets([0.0, hit.enter[1]]) && meets([hit.leave[0], 1.0]), "{hit:?}");
                assert!(hit.enter[0] == 0.0 || !meets([0.0, hit.enter[0].next_down()]), "{hit:?}");
            }
        }
    }

    let of: Vec<_> = of.into_iter().filter(|(n, d)| HalfSpace::new(*n, *d).is_ok()).collect();
    let planes: Vec<HalfSpace> = of.iter().filter_map(|(n, d)| HalfSpace::new(*n, *d).ok()).collect();
    for which in [InRegion::Partly, InRegion::Wholly] {
        let wholly = which == InRegion::Wholly;
        let is_in = |i: &u32| oracle::is_in_region(&mesh.corners(*i), &pose, &of, wholly);
        let want: Vec<u32> = (0..mesh.len() as u32).filter(is_in).collect();
        assert_eq!(query.triangles_in(&body, &planes, which), want, "{of:?}");
        assert_eq!(brute_force::triangles_in(&body, &planes, which), want, "{of:?}");
    }
}
