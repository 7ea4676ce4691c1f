//! Rays without a tree.
use super::{Cast, Ray, RayHit, handedness};
use crate::Body;

/// Finds [`Query::ray_first`](crate::Query::ray_first) without a tree and without the filter, O(n).
pub fn ray_first(body: &Body<'_>, ray: &Ray) -> Option<RayHit> {
    ray_all(body, ray).first().copied()
}

/// Finds [`Query::ray_all`](crate::Query::ray_all) without a tree and without the filter. Integers decide
/// every triangle, O(n).
pub fn ray_all(body: &Body<'_>, ray: &Ray) -> Vec<RayHit> {
    let cast = Cast::new(ray, body, handedness(body));
    let all = 0..body.model.mesh().len() as u32;
    let mut hits: Vec<RayHit> = all.filter_map(|i| cast.hit_by_integers(i)).collect();
    cast.sort_by_integers(&mut hits);
    hits
}
