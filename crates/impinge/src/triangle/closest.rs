//! Nearest points of two triangles in floating point, and proven bounds of their distance.
//!
//! The distance of any two points of the triangles is an upper bound. And for *any* direction w the triangles
//! lie in two half spaces, w.x <= max w.p_i and w.x >= min w.q_j, so that their distance is at least (min
//! w.q_j - max w.p_i) / |w|. With w from the one nearest point to the other both bounds agree up to rounding:
//! at the true ones w is perpendicular to what supports them. A solver that errs makes the interval wider,
//! and never wrong.
//!
//! If the distance is much less than the triangles' size, that direction is inaccurate. Then those of normals
//! and of cross products of edges are tried.
//!
//! # Rounding
//! Let no coordinate exceed X, and each be within `off` of the exact one. A point p + s e1 + t e2, where s
//! and t are not negative and their sum is at most 1 up to a rounding, is computed within 16 u X of a point
//! of the triangle, axis by axis: 2 u X for either product (an edge has 2 X), as much for the edges, 8 u X
//! for the sums, 2 u X for the sum of s and t. So |y - x| is off by sqrt 3 (2 off + 32 u X), and its own few
//! roundings. A product w.p is off by |w|_1 (off + 3 u X), the difference of two rounds once more: in all
//! less than |w|_1 (2 off + 9 u X).
mod pairs;
#[cfg(test)]
mod reference;
mod triangles;

pub(crate) use self::{
    pairs::{Batch, Relative, Shift, nearest},
    triangles::{TriangleBatch, to_point},
};

use crate::vector::{Triangle, UNIT, Vector, cross, dot, sub};

/// Two triangles. No coordinate exceeds [`SIZE`], and each is within `off` of the exact one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundedTrianglePair {
    pub(crate) p: Triangle,
    pub(crate) q: Triangle,
    pub(crate) off: f64,
}

/// Bounds of the distance of two triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleDistance {
    /// Points of the two, nearest to each other in floating point.
    pub(crate) points: [Vector; 2],
    /// Lower bound of the distance.
    pub(crate) lo: f64,
    /// Upper bound of the distance.
    pub(crate) hi: f64,
}

/// Least square of a direction that is used: squares of shorter ones lose bits.
const LEAST_SQUARE: f64 = 1e-250;

/// The bound of coordinates.
const SIZE: f64 = 2.0;

/// Bounds that differ by no more than this are good enough. With a good direction they differ by up to 112 u
/// SIZE + 7 off, and for most pairs by more than 64 u SIZE.
pub(crate) const GOOD: f64 = 128.0 * UNIT * SIZE;

/// True if the direction from the one point to the other may be a bad one for a lower bound.
#[inline(always)]
fn is_direction_bad([lo, hi]: [f64; 2], off: f64) -> bool {
    hi - lo > (64.0 * UNIT * SIZE + 8.0 * off).max(GOOD)
}

/// A lower bound of the distance of two triangles, by the directions of normals and of cross products of
/// edges. If the distance is much less than the size, these are still as accurate as the corners.
fn least_across(RoundedTrianglePair { p, q, off }: &RoundedTrianglePair) -> f64 {
    let edges = |t: &Triangle| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
    let (u, v) = (edges(p), edges(q));
    let across = u.iter().flat_map(|u| v.iter().map(|v| cross(*u, *v)));
    [cross(u[0], u[1]), cross(v[0], v[1])].into_iter().chain(across).fold(0.0, |best, w| {
        let square = dot(w, w);
        if square < LEAST_SQUARE {
            return best;
        }
        let (of_p, of_q) = (p.map(|v| dot(w, v)), q.map(|v| dot(w, v)));
        let [least_p, least_q] = [of_p, of_q].map(|sides| sides.into_iter().fold(f64::MAX, f64::min));
        let [most_p, most_q] = [of_p, of_q].map(|sides| sides.into_iter().fold(f64::MIN, f64::max));
        let room = (w[0].abs() + w[1].abs() + w[2].abs()) * (2.0 * off + 9.0 * UNIT * SIZE) + 1e-300;
        let lo = |gap: f64| (gap - room) / square.sqrt() * (1.0 - 8.0 * UNIT) - 1e-150;
        // Along w, and against it. NaN is no bound.
        best.max(lo(least_q - most_p)).max(lo(least_p - most_q))
    })
}

/// The nearest point of a triangle to the origin, and bounds of its distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToPoint {
    pub(crate) foot: Vector,
    /// The corner that the foot is, if any.
    pub(crate) corner: Option<usize>,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
}

/// Least size of coordinates with which [`to_point`] neither over- nor underflows where it matters.
pub(crate) const LEAST_SIZE: f64 = 1e-60;
/// Greatest such size: see [`LEAST_SIZE`].
pub(crate) const MOST_SIZE: f64 = 1e60;
