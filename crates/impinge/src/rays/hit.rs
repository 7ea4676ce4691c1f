//! Hits of rays.

/// A triangle that a ray meets, and where.
#[doc(alias = "RayIntersection")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The triangle.
    pub triangle: u32,
    /// An interval that holds the least t at which the ray meets it: 2^-40 of t wide at most, mostly far
    /// less.
    pub enter: [f64; 2],
    /// Interval of the greatest t: equal to `enter`, unless the ray runs within the triangle for a while.
    pub leave: [f64; 2],
    /// Crossing of the ray and the surface here: 1 if it leaves through the triangle's front, the side from
    /// which the corners go counterclockwise, -1 if it enters through it, 0 if it touches without crossing.
    ///
    /// A ray through an edge, a corner or along a face crosses what it would if it were moved by an
    /// infinitely small vector, the same for all triangles. So the crossings of a closed mesh add up to the
    /// winding number at the ray's origin less the one at its end, if neither is on the surface. A mirrored
    /// body keeps the fronts of its mesh.
    pub crossing: i8,
}
