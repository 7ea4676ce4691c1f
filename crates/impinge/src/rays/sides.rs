//! Edges and plane of a triangle relative to a ray's origin, with error bounds: see the head of `rays.rs`.
use crate::vector::{UNIT, Vector, cross, dot};

/// Bound of the error of (c x e).d, given X, E and the errors: see the head. 16 X E comes before u.
#[inline(always)]
pub(super) fn bound(x: f64, side: f64, off_c: f64, off_e: f64) -> f64 {
    let wide = 16.0 * x;
    wide * off_e + 16.0 * off_c * (side + off_e) + wide * side * (4.0 * UNIT) + f64::MIN_POSITIVE
}

/// A triangle that a ray may meet, relative to its origin: see the head.
pub(super) struct RayTriangle {
    pub(super) corner: Vector,
    pub(super) edges: [Vector; 2],
    /// X, and E without its error.
    pub(super) x: f64,
    pub(super) off_c: f64,
    pub(super) side: f64,
    pub(super) off_e: f64,
    /// True if the ray's line certainly goes through the inside.
    pub(super) is_through: bool,
}

/// Parameter t = num / den at which the ray meets a triangle's plane, with bounds of both errors.
pub(super) struct PlaneParameter {
    pub(super) num: f64,
    pub(super) den: f64,
    pub(super) num_off: f64,
    pub(super) den_off: f64,
}

impl RayTriangle {
    #[inline(always)]
    pub(super) fn plane(&self, d: &Vector) -> PlaneParameter {
        let &Self { corner, edges, x, off_c, side, off_e, .. } = self;
        let n = cross(edges[0], edges[1]);
        // 16 E^2, and 16 E^2 X below: see the head.
        let square = 16.0 * side * side;
        let off_n = 4.0 * side * off_e + 2.0 * off_e * off_e + 0.25 * UNIT * square + f64::MIN_POSITIVE;
        PlaneParameter {
            num: dot(n, corner),
            den: dot(n, *d),
            num_off: 3.0 * (off_n * x + 0.125 * square * off_c + off_n * off_c)
                + square * x * UNIT
                + f64::MIN_POSITIVE,
            den_off: 6.0 * off_n + square * (2.0 * UNIT) + f64::MIN_POSITIVE,
        }
    }
}
