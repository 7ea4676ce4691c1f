//! Curves without a tree.
use super::{Curves, find::by_brute_force};
use crate::{Body, query::reference::pairs};

/// Curves as [`Query::curves`](crate::Query::curves) finds them, without a tree. It compares all nodes
/// exactly with everything that could contain them, and relies on no fact about common points of features.
pub fn curves(a: &Body<'_>, b: &Body<'_>) -> Curves {
    by_brute_force(a, b, &pairs(a, b))
}
