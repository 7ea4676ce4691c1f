//! The point of one surface that is farthest from another surface, of all points or of those on one side of
//! a solid: the directed Hausdorff distance, and the interference depth of a fit.
//!
//! # Definition
//! The surface of a body is the union of its placed closed triangles. For bodies A and B the distance is the
//! supremum of dist(x, surface of B) over the points x of A's surface that are on the [`SolidSide`] of B. By
//! the query's rule a point is inside of B or outside, or on B's surface: there it is on both sides, at
//! distance 0. So bodies that touch have a distance of 0 at least on either side.
//!
//! # Algorithm
//! A *facet* is two triangles that make up a flat convex quadrangle, or one triangle (`facets.rs`). Best
//! first over *cells*, convex parts of A's facets, by an upper bound (`search.rs`):
//!
//! 1. The distance from a convex set is a convex function. So for a cell C and any facet F of B no point of C
//!    is farther from B than the farthest corner of C is from F. F is the facet nearest to a corner, or one
//!    that was good for the cell's parent. The bound is exact where one facet of B lies across all of C.
//! 2. A cell is divided where two facets of B are equally far (`split.rs`). The bounds of the parts on either
//!    side are then exact, however large the parts are.
//! 3. A facet of A that meets no triangle of B is on one side as a whole. Let e be the best lower bound so
//!    far. A cell of another facet does not matter if its centre is not on the wanted side, and if the cell,
//!    its corners moved towards the centre by at most e, meets no triangle of B. Any point of the cell on the
//!    wanted side is then within e of B, as the way to its moved place leads through B (`sides.rs`).
//! 4. Corners that are proved to be on the side are lower bounds.
//!
//! Roundings are covered by one length, the pad (`frame.rs`).
mod apart;
mod cell;
mod facets;
mod frame;
mod interference;
mod patches;
mod plane;
mod query;
pub(crate) mod reference;
mod sample;
mod samples;
mod search;
mod sides;
mod split;

/// The points of a surface that count: those on a side of the other body's solid, or any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolidSide {
    /// Any point; the other body need not be a solid.
    #[default]
    Any,
    /// Points inside of the other solid, or on its surface.
    Inside,
    /// Points outside of the other solid, or on its surface.
    Outside,
}

/// The result of [`Query::farthest_distance`](crate::Query::farthest_distance).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Farthest {
    /// The distance.
    At(FarthestPoint),
    /// No point of the surface is on the side, or a body has no triangles.
    NoPoint,
    /// A side is wanted, but the other mesh bounds no solid: it is open, or has no interior.
    NoSolid,
}

impl Farthest {
    /// The distance, if there is one.
    pub fn point(self) -> Option<FarthestPoint> {
        if let Self::At(point) = self { Some(point) } else { None }
    }
}

/// The greatest distance of points of a surface from another surface, and a point that is nearly as far.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FarthestPoint {
    /// Lower bound of the distance, which [`points`](Self::points) prove.
    pub lo: f64,
    /// Upper bound of the distance. Infinite where f64 cannot hold a bound.
    pub hi: f64,
    /// The triangle of each body that its point is on.
    pub triangles: [u32; 2],
    /// A point of the first body's surface that is at least [`lo`](Self::lo) away from the second surface,
    /// and the nearest point found there; both in the world and rounded.
    pub points: [[f64; 3]; 2],
}
