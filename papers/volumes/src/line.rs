//! Ray in a tree's normalized frame, and the intervals in which it passes slabs, boxes and balls, with
//! bounds.
//!
//! # The ray
//! u = 2^-53. The exact ray is P(r) = O + r G for r >= 0, where r is t times the largest coordinate of the
//! direction, as computed. So G is within `skew` of a vector g with |g|_inf = 1. From x = O + s g on, where s
//! is about 8 less than the r at which the ray is nearest to the frame's origin, P is x + q G, q = r - s, and
//! x is within
//!
//! off = the error of O + s skew + 4 u (|O| + s)
//!
//! of the exact point. Sizes of vectors are their largest coordinates. Points of triangles are within 4.1 of
//! the origin. With skew < 2^-10 and off <= 0.05 (|x| + 4.5) the ray can meet a triangle only where |q| <=
//! T = 1.1 (|x| + 4.5). There P is within off + T skew of the point x + q g of a line.
//!
//! # Slabs
//! All volumes are within 32 of the origin; S = |x| + 32. A slab low <= n.(p - c) <= high is passed between
//! (low - n.(x - c)) / n.g and (high - n.(x - c)) / n.g. The errors, each as a shift of `low` (or `high`) in
//! units of u |n|_1 S:
//!
//! * 8 for n.(x - c) and its difference from `low`;
//! * 3.3 for n.g, which rounds by 3 u |n|_1, times q;
//! * less than 1 for a denominator smaller than [`LEAST`], which is replaced by it;
//! * up to 7 for the quotient: a reciprocal and a product round it by 3 u of itself. A quotient beyond 2 T
//!   remains beyond T and needs no bound: it excludes nothing, or all.
//!
//! In all 20.
//!
//! # Balls
//! The foot of the centre on the line is at q = -d.g / g.g, d = x - c. It is computed to 18 u S, the vector w
//! from the centre to it to 41 u S. The line is in the ball where |q - foot|^2 g.g <= r^2 - |w|^2. A radius
//! that is larger by twice the pad allows for w and for the rounding of that difference: 6 u r^2, while the
//! square grows by 87 u S r at least. The root, the foot and their sum round by 24 u S.
//!
//! # Pad
//! Each point may be elsewhere by `pad` = off + T skew + 64 u S in each coordinate: more than all of these.
//! So where the ray is at a point of a triangle, q is in the interval of every volume that contains it. An
//! interval that ends before it begins contains none.
use impinge::hierarchy::{RoundedVector, UNIT, Vector, largest};

/// Ends of an interval. If the second is before the first, it contains no number.
pub(crate) type Interval = [f64; 2];

/// The interval that contains no number.
const MISS: Interval = [f64::INFINITY, f64::NEG_INFINITY];

/// Least coordinate of a direction: a smaller one counts as this, 2^-60.
const LEAST: f64 = 1.0 / (1_u64 << 60) as f64;
/// Upper bound of |n|_1 for every vector that is no longer than 1 + 1e-5.
pub(crate) const TAXICAB: f64 = 1.75;

/// A ray: the part of a line from [`Line::begin`] to [`Line::end`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// x and g.
    from: Vector,
    along: Vector,
    over: Vector,
    per_square: f64,
    pad: f64,
    /// q = t `per_t` - `before`.
    per_t: f64,
    before: f64,
}

/// A line relative to a slab's direction, for lines that pass many slabs of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Across {
    at: f64,
    pad: f64,
    over: f64,
}

#[inline(always)]
pub(crate) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
fn sub(a: &Vector, b: &Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Intersection of two intervals. A NaN is no end.
#[inline(always)]
pub(crate) fn meet(a: Interval, b: Interval) -> Interval {
    [a[0].max(b[0]), a[1].min(b[1])]
}

#[inline(always)]
fn reciprocal(along: f64) -> f64 {
    1.0 / if along.abs() < LEAST { LEAST } else { along }
}

impl Line {
    /// Line of a ray; `None` where the numbers have no bound, or one that proves nothing.
    pub(crate) fn new(origin: &RoundedVector, direction: &RoundedVector) -> Option<Self> {
        let size = |v: &Vector| largest(v.map(f64::abs));
        let per_t = size(&direction.v);
        let along = direction.v.map(|x| x / per_t);
        let skew = direction.error / per_t * (1.0 + 8.0 * UNIT) + 2.0 * UNIT;
        let per_square = 1.0 / dot(&along, &along);
        let before = (-dot(&origin.v, &along) * per_square - 8.0).max(0.0);
        let from = [0, 1, 2].map(|k| origin.v[k] + before * along[k]);
        let off = origin.error + before * skew + 4.0 * UNIT * (size(&origin.v) + before);
        let far = size(&from);
        let pad = (off + 1.1 * (far + 4.5) * skew + 64.0 * UNIT * (far + 32.0)) * (1.0 + 8.0 * UNIT);
        let is_known = per_t > 1e-290
            && per_t < 1e290
            && skew < 1.0 / 1024.0
            && far < 1e100
            && before < 1e200
            && off <= 0.05 * (far + 4.5);
        is_known.then(|| Self { from, along, over: along.map(reciprocal), per_square, pad, per_t, before })
    }
    /// q of the origin, t = 0.
    pub(crate) fn begin(&self) -> f64 {
        -self.before
    }
    /// Upper bound of q of a parameter t.
    #[inline(always)]
    pub(crate) fn end(&self, t: f64) -> f64 {
        let r = t * self.per_t;
        // The loss by underflow is less than the pad.
        r - self.before + 8.0 * UNIT * (r + self.before) + self.pad
    }
    /// Line relative to slabs low <= n.p <= high, given an upper bound of |n|_1.
    pub(crate) fn across(&self, normal: &Vector, taxicab: f64) -> Across {
        Across {
            at: dot(normal, &self.from),
            pad: self.pad * taxicab,
            over: reciprocal(dot(normal, &self.along)),
        }
    }
    /// Interval in which the line passes a slab low <= n.(p - c) <= high, given an upper bound of |n|_1.
    #[inline(always)]
    pub(crate) fn slab(&self, normal: &Vector, taxicab: f64, centre: &Vector, slab: Interval) -> Interval {
        let over = reciprocal(dot(normal, &self.along));
        Across { at: dot(normal, &sub(&self.from, centre)), pad: self.pad * taxicab, over }.slab(slab)
    }
    /// Interval in which the line passes an axis-aligned box.
    #[inline(always)]
    pub(crate) fn cuboid(&self, lo: &Vector, hi: &Vector) -> Interval {
        let axis =
            |k: usize| Across { at: self.from[k], pad: self.pad, over: self.over[k] }.slab([lo[k], hi[k]]);
        meet(meet(axis(0), axis(1)), axis(2))
    }
    /// Interval in which the line passes a ball.
    #[inline(always)]
    pub(crate) fn ball(&self, centre: &Vector, radius: f64) -> Interval {
        let d = sub(&self.from, centre);
        let foot = -dot(&d, &self.along) * self.per_square;
        let w = [0, 1, 2].map(|k| d[k] + foot * self.along[k]);
        let reach = radius + 2.0 * self.pad;
        let square = (reach * reach - dot(&w, &w)) * self.per_square;
        if square < 0.0 {
            return MISS;
        }
        let half = square.sqrt() + self.pad;
        [foot - half, foot + half]
    }
}

impl Across {
    /// Interval in which the line passes a slab.
    #[inline(always)]
    pub(crate) fn slab(&self, [low, high]: Interval) -> Interval {
        let [a, b] = [(low - self.at - self.pad) * self.over, (high - self.at + self.pad) * self.over];
        // The sign decides: a comparison would take NaN for the end of an interval.
        if self.over > 0.0 { [a, b] } else { [b, a] }
    }
}

#[cfg(test)]
mod tests;
