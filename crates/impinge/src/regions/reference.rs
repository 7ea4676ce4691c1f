//! Triangles in a region without a tree.
use super::{InRegion, is_in_by_integers};
use crate::{Body, HalfSpace};

/// Finds [`Query::triangles_in`](crate::Query::triangles_in) without a tree and without the filter. Integers
/// decide every triangle, O(n).
pub fn triangles_in(body: &Body<'_>, planes: &[HalfSpace], which: InRegion) -> Vec<u32> {
    let all = 0..body.model.mesh().len() as u32;
    all.filter(|&i| is_in_by_integers(body, i, planes, which)).collect()
}
