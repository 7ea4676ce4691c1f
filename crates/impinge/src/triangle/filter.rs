//! The floating-point filter: decides almost every pair of triangles in one pass with few branches, and
//! returns "unsure" when it cannot.
//!
//! It computes 15 orientation values (orient3d): 6 of a vertex and the other's plane, 9 of two edges
//! (Pluecker's u . w + v . m). A sign counts only if it exceeds a bound on all errors.
//!
//! # The bound
//! Let u = 2^-53. All arithmetic happens relative to o = p0, and m is the largest coordinate, in size, of the
//! five other points after that subtraction. The coordinates of p are exact; those of q are off by at most
//! `delta`. So a coordinate relative to o is off by at most delta + u m, and an edge's by 2 delta + 4 u m
//! (both ends, and its own subtraction); edges are at most 2 m long in each coordinate.
//!
//! * *Edge-edge*: 12 monomials (an edge, a point, an edge), each at most 2m * m * 2m. Perturbing the factors
//!   moves one by at most 2 (2 delta + 4 u m) 2 m^2 + 4 m^2 (delta + u m) = 12 delta m^2 + 20 u m^3; rounding
//!   (a product and a difference in the cross product; a product, two sums and the last sum in the rest: 6)
//!   by 6 u * 4 m^3. Together 144 delta m^2 + 240 u m^3 + 288 u m^3.
//! * *Vertex-plane*: 6 monomials of three differences of at most 2 m: each moves by 3 (2m)^2 (2 delta + 4 u
//!   m), and rounds by 5 u * 8 m^3. Together 144 delta m^2 + 288 u m^3 + 240 u m^3.
//!
//! Both are 144 delta m^2 + 528 u m^3, to first order. [`bound`] takes 150 and 600: the excess covers the
//! second order (delta is at most m / 256, u far less) and the rounding of the bound itself. Underflow adds a
//! few 2^-1074, which 72 u m^3 exceeds as m >= 2^-300; with m <= 2^300 nothing overflows. Outside of that
//! range nothing is decided.

/// The filter's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterResult {
    Meet,
    Apart,
    Unsure,
}

use crate::vector::{UNIT, Vector, cross, dot, sub};

/// Bound beyond which the sign of an orientation value is certain; infinite if none is.
#[inline(always)]
fn bound(m: f64, delta: f64) -> f64 {
    const LEAST: f64 = f64::from_bits((1023 - 300) << 52);
    const MOST: f64 = f64::from_bits((1023 + 300) << 52);
    // An overflow in the caller's arithmetic made `delta` infinite or NaN, which fails here and decides
    // nothing.
    if (LEAST..=MOST).contains(&m) && delta <= m / 256.0 {
        m * m * (600.0 * UNIT * m + 150.0 * delta)
    } else {
        f64::INFINITY
    }
}

#[inline(always)]
fn certain_sign(x: f64, bound: f64) -> i32 {
    i32::from(x > bound) - i32::from(x < -bound)
}

/// Compares `p`, exact, with `q`, whose coordinates are each within `delta`.
#[inline]
pub(crate) fn decide(p: &[Vector; 3], q: &[Vector; 3], delta: f64) -> FilterResult {
    let o = p[0];
    let (p1, p2) = (sub(p[1], o), sub(p[2], o));
    let q = [sub(q[0], o), sub(q[1], o), sub(q[2], o)];
    let mut m = 0.0;
    for v in [p1, p2, q[0], q[1], q[2]] {
        for x in v {
            // A comparison, not `f64::max`, which takes three instructions to handle NaN. There is no NaN
            // here: q is finite if `delta` is, and p comes from a mesh.
            let x = x.abs();
            if x > m {
                m = x;
            }
        }
    }
    let bound = bound(m, delta);

    // Edges of p and of q, and the side of the other's plane on which each vertex lies: first q's, then p's.
    let u = [p1, sub(p2, p1), sub([0.0; 3], p2)];
    let n = cross(p1, p2);
    let q_side = q.map(|x| certain_sign(dot(n, x), bound));
    if q_side == [1; 3] || q_side == [-1; 3] {
        return FilterResult::Apart;
    }
    let v = [sub(q[1], q[0]), sub(q[2], q[1]), sub(q[0], q[2])];
    let n = cross(v[0], v[1]);
    let p_side = [sub([0.0; 3], q[0]), sub(p1, q[0]), sub(p2, q[0])].map(|x| certain_sign(dot(n, x), bound));
    if p_side == [1; 3] || p_side == [-1; 3] {
        return FilterResult::Apart;
    }

    // Edge i of p against edge j of q: det(u, v, q - p) = u . (v x (q - p)) = u . w + v . m', up to one sign
    // for all.
    let w: [Vector; 3] = std::array::from_fn(|j| cross(q[j], v[j]));
    let moment = [[0.0; 3], cross(p1, u[1]), cross(p2, u[2])];
    let mut volume = [[0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            volume[i][j] = certain_sign(dot(u[i], w[j]) + dot(v[j], moment[i]), bound);
        }
    }
    let mut all_miss = true;
    for i in 0..3 {
        let next = (i + 1) % 3;
        for (ends, row) in [
            ([p_side[i], p_side[next]], volume[i]),
            ([q_side[i], q_side[next]], [volume[0][i], volume[1][i], volume[2][i]]),
        ] {
            match (ends[0] * ends[1], row) {
                // The ends lie on different sides, and the line passes all three edges on the same side.
                (-1, [1, 1, 1] | [-1, -1, -1]) => return FilterResult::Meet,
                // Both ends on one side; or the line passes two edges on different sides, which
                // excludes the triangle wherever the ends may be.
                (1, _) => {}
                (_, row) if row.contains(&1) && row.contains(&-1) => {}
                _ => all_miss = false,
            }
        }
    }
    if all_miss { FilterResult::Apart } else { FilterResult::Unsure }
}
