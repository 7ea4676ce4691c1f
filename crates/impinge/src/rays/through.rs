//! A corner that a ray runs through.
use crate::vector::Vector;

/// A corner that the ray runs through, neither at its start nor at its end.
#[derive(Clone, Copy)]
pub(super) struct Through {
    /// The corner as the mesh stores it.
    pub(super) corner: Vector,
    pub(super) t: [f64; 2],
}

/// Number of corners that are kept: a ray through an apex often leaves through another one.
pub(super) const KNOWN: usize = 2;
