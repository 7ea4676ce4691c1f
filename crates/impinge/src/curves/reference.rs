//! Curves without a tree.
use super::{Curves, find::by_brute_force};
use crate::{Body, query::reference::pairs};

/// As [`Query::curves`](crate::Query::curves), without a tree, and without relying on which features of
/// meshes have points in common: all nodes are compared with all that could hold them, exactly.
pub fn curves(a: &Body<'_>, b: &Body<'_>) -> Curves {
    by_brute_force(a, b, &pairs(a, b))
}
