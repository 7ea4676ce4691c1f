//! The distance of two bodies, and the nearest points of a body.
//!
//! # One answer
//! Floating point gives each pair of triangles an interval, by operations that every machine rounds alike
//! (`Pairs`). The pair with the least upper bound is never left out of a walk, whatever the order, since
//! no lower bound of it exceeds its upper one; so it is the same always, and with it the points and the upper
//! bound; of several with this bound the one with the greatest lower bound, then the largest size, then the
//! least numbers. The other pairs that are tested depend on the walk. The lower bound of the result is that
//! pair's own, less a little, if no other pair is nearer, else the distance rounded down: both depend on the
//! meshes alone, as integers decide what intervals do not.
//!
//! # Equally near pairs
//! Where many pairs are as near as f64 can tell, few of them are compared by integers: see `exactly.rs`. With
//! [`Accuracy::exact`] the pair is the least of those that attain the distance, and its points are rounded
//! once (`posed/distance/nearest.rs`).
mod accuracy;
mod cached;
mod divided;
mod exactly;
mod least;
mod margins;
mod pairs;
mod placing;
mod query;
pub(crate) mod reference;
mod search;
mod within;

pub use self::accuracy::Accuracy;
pub(crate) use self::{
    exactly::Decider,
    pairs::{Pairs, Shape, is_second_first},
    search::{Candidates, Search},
};
pub use crate::margin::Margin;

use crate::{Body, contact::contact_point};

/// A distance of two bodies' surfaces, and where they are as near as that.
///
/// With [`Accuracy::exact`] the interval depends on the two sets of points alone. By default its last bits
/// depend on how each triangle is stored, too: on the order of its corners; and of bodies at one pose on the
/// order of both meshes' points, which determines the body that comes first. The order of triangles has no
/// influence on the interval. It decides which of several equally near pairs the result names.
#[doc(alias("Gap", "ClosestPoints", "DistanceResult"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DistanceBounds {
    /// The distance is not less,
    pub lo: f64,
    /// and not more; 0 exactly if the bodies meet.
    pub hi: f64,
    /// A triangle of each, which [`points`](Self::points) are on. With [`Accuracy::exact`] their distance is
    /// the bodies' distance, and of several such pairs they are the least. Otherwise their distance is at
    /// most [`hi`](Self::hi), and another pair may be nearer within the interval.
    pub triangles: [u32; 2],
    /// Near points of the two triangles in the world: on the first body and on the second. With
    /// [`Accuracy::exact`] they are nearest points, each coordinate rounded to the nearest number. Otherwise
    /// each coordinate is within 2^-47 of the largest number on the way from a point of the triangle: of the
    /// coordinates of the corners, multiplied with the pose, of those in the world, and of the distance.
    pub points: [[f64; 3]; 2],
}

impl DistanceBounds {
    /// The gap of bodies that meet, in these triangles.
    pub(crate) fn meeting([a, b]: [&Body<'_>; 2], triangles: [u32; 2]) -> Self {
        let point = contact_point(a, b, triangles).point;
        Self { lo: 0.0, hi: 0.0, triangles, points: [point; 2] }
    }
}

/// How far a point is from a body's surface, and where that is as near.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClosestPoint {
    /// The distance is not less,
    pub lo: f64,
    /// and not more; 0 exactly if the point is on the surface.
    pub hi: f64,
    /// The triangle that [`point`](Self::point) is on. With [`Accuracy::exact`] it is the least of the
    /// nearest triangles. Otherwise its distance is at most [`hi`](Self::hi), and another one may be nearer
    /// within the interval.
    pub triangle: u32,
    /// A near point of that triangle, in the world. With [`Accuracy::exact`] it is the nearest one, each
    /// coordinate rounded to the nearest number. Otherwise it is as precise as [`DistanceBounds::points`].
    pub point: [f64; 3],
}
