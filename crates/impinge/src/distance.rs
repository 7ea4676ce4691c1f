//! The distance of two bodies, and the nearest points of a body.
//!
//! # One result
//! Floating point gives each pair of triangles an interval, by operations that every machine rounds alike
//! (`TrianglePairDistances`). The result depends on the meshes alone, though the other pairs that are tested
//! depend on the walk:
//!
//! * The pair is the one with the least upper bound. No walk leaves it out, since no lower bound of it
//!   exceeds its upper one. Of several pairs with this bound the result is the one with the greatest lower
//!   bound, then the largest size, then the least numbers. So every walk finds the same pair, points and
//!   upper bound.
//! * The lower bound is that pair's own, less a little, if no other pair is nearer; else it is the distance
//!   rounded down. Integers decide where intervals do not.
//!
//! # Equally near pairs
//! Where f64 cannot order many near pairs, integers compare a few of them: see `exactly.rs`. With
//! [`Accuracy::exact`] the pair is the least of those that attain the distance, and its points are rounded
//! once (`posed/distance/nearest.rs`).
mod accuracy;
mod accurate;
mod cached;
mod divided;
mod exactly;
mod hulls;
mod least;
mod margins;
mod pairs;
mod placing;
mod query;
pub(crate) mod reference;
mod rounded;
mod search;
mod within;

pub use self::{accuracy::Accuracy, accurate::AccurateQuery};
pub(crate) use self::{
    exactly::Decider,
    margins::margins_of,
    pairs::{MeshAt, TrianglePairDistances, is_second_first},
    search::{Candidates, Search},
};
pub use crate::margin::Margin;

use crate::{Body, contact::contact_point};

/// Distance of two bodies' surfaces as an interval, and two points that are so near.
///
/// With [`Accuracy::exact`] the interval depends on the two sets of points alone. By default its last bits
/// also depend on the order of each triangle's corners. For bodies at one pose they depend, too, on the order
/// of both meshes' points, which determines the body that comes first. The order of triangles has no
/// influence on the interval. It decides which of several equally near pairs the result names.
#[doc(alias("Gap", "ClosestPoints", "DistanceResult"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DistanceBounds {
    /// Lower bound of the distance.
    pub lo: f64,
    /// Upper bound of the distance; 0 if and only if the bodies meet.
    pub hi: f64,
    /// The triangle of each body that its point in [`points`](Self::points) is on. With [`Accuracy::exact`]
    /// their distance is the bodies' distance, and of several such pairs they are the least. Otherwise their
    /// distance is at most [`hi`](Self::hi), and another pair may be nearer within the interval.
    pub triangles: [u32; 2],
    /// Near points of the two triangles in the world: on the first body and on the second. With
    /// [`Accuracy::exact`] they are nearest points, each coordinate rounded to the nearest number. Otherwise
    /// each coordinate is off from a point of the triangle by at most 2^-47 times the largest of these
    /// numbers: the corners' coordinates multiplied with the pose, those in the world, and the distance.
    pub points: [[f64; 3]; 2],
}

impl DistanceBounds {
    /// The gap of bodies that meet, in these triangles; the same point in either order of the bodies.
    pub(crate) fn meeting([a, b]: [&Body<'_>; 2], triangles: [u32; 2]) -> Self {
        let key = |body: &Body<'_>, triangle| {
            (*body.pose.translation(), *body.pose.rows(), body.model.mesh().corners(triangle))
        };
        let [i, j] = triangles;
        let is_second_first = key(b, j) < key(a, i);
        let contact = if is_second_first { contact_point(b, a, [j, i]) } else { contact_point(a, b, [i, j]) };
        Self { lo: 0.0, hi: 0.0, triangles, points: [contact.point; 2] }
    }
}

/// Distance of a point from a body's surface as an interval, and a point of the surface that is so near.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClosestPoint {
    /// Lower bound of the distance.
    pub lo: f64,
    /// Upper bound of the distance; 0 if and only if the point is on the surface.
    pub hi: f64,
    /// The triangle that [`point`](Self::point) is on. With [`Accuracy::exact`] it is the least of the
    /// nearest triangles. Otherwise its distance is at most [`hi`](Self::hi), and another one may be nearer
    /// within the interval.
    pub triangle: u32,
    /// A near point of that triangle, in the world. With [`Accuracy::exact`] it is the nearest one, each
    /// coordinate rounded to the nearest number. Otherwise it is as precise as [`DistanceBounds::points`].
    pub point: [f64; 3],
}
