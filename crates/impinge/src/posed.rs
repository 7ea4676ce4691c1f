//! Exact results for triangles at poses that are more than a sign: points in general position, distances,
//! rays, regions, and the correctly rounded point where an edge meets a plane.
//!
//! The integers are those of [`exact`](crate::exact).
pub(crate) mod distance;
pub(crate) mod exact_frame;
pub(crate) mod homogeneous;
pub(crate) mod probe;
pub(crate) mod ray;
pub(crate) mod region;
pub(crate) mod twice;
