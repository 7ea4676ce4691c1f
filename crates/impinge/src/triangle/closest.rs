//! Nearest points of two triangles in floating point, and what is proved of their distance.
//!
//! Whatever points of the two triangles are found, their distance is an upper bound. And for *any* direction
//! w the triangles lie in two half spaces, w.x <= max w.p_i and w.x >= min w.q_j, so that their distance is
//! at least (min w.q_j - max w.p_i) / |w|. With w from the one nearest point to the other both bounds agree
//! up to rounding: at the true ones w is perpendicular to what supports them. A solver that errs makes the
//! interval wider, and never wrong.
//!
//! Where triangles are much nearer than they are large, that direction is inaccurate, and those of normals
//! and of edges across each other are tried.
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
    triangles::{Triangles, to_point},
};

use crate::vector::{UNIT, Vector, cross, dot, sub};

type Triangle = [Vector; 3];

/// Two triangles. No coordinate exceeds [`SIZE`], and each is within `off` of the exact one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) p: Triangle,
    pub(crate) q: Triangle,
    pub(crate) off: f64,
}

/// Bounds of the distance of two triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Points of the two, nearest to each other in floating point.
    pub(crate) points: [Vector; 2],
    /// The distance is not less.
    pub(crate) lo: f64,
    /// And not more.
    pub(crate) hi: f64,
}

/// Shorter directions are not used: their squares lose bits.
const LEAST_SQUARE: f64 = 1e-250;

/// The bound of coordinates.
const SIZE: f64 = 2.0;

/// Bounds that are no further apart than this are as good as need be: of a good direction they are up to
/// 112 u SIZE and 7 off apart, of most pairs more than 64 u SIZE.
pub(crate) const GOOD: f64 = 128.0 * UNIT * SIZE;

/// Whether the direction from the one point to the other may be a bad one for a lower bound.
#[inline(always)]
fn is_direction_bad([lo, hi]: [f64; 2], off: f64) -> bool {
    hi - lo > (64.0 * UNIT * SIZE + 8.0 * off).max(GOOD)
}

/// A lower bound of the distance of two triangles, by the directions of normals and across two edges: where
/// the two are much nearer than they are large, these are as accurate as the corners.
fn least_across(Pair { p, q, off }: &Pair) -> f64 {
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
    /// If it is a corner.
    pub(crate) corner: Option<usize>,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
}

/// The sizes of coordinates with which [`to_point`] neither over- nor underflows where it matters.
pub(crate) const LEAST_SIZE: f64 = 1e-60;
/// See [`LEAST_SIZE`].
pub(crate) const MOST_SIZE: f64 = 1e60;
