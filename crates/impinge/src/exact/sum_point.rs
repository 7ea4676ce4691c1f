//! Points whose coordinates are sums of two numbers: exactly what a body's points are where its pose only
//! exchanges axes and moves ([`AxisPlacement`]), as most poses of assemblies do.
//!
//! A coordinate is high + low, with high the f64 nearest to it (Knuth's two-sum gives both without error). So
//! a number has one such form: two coordinates are equal if and only if both parts are, and are in the order
//! of their first parts, or of the second ones where those are equal.
//!
//! # Differences
//! The difference d of two coordinates a and b is computed as
//!
//! * h + e = a.high - b.high and l + f = a.low - b.low, two-sums, so without error;
//! * s + g = h + l, a two-sum; and the result is s + ((g + e) + f), rounded.
//!
//! It is off by at most (u + 8 u^2) |d|, and 0 if and only if d is. Note |e| <= u |h|, |f| <= u |l|, |g| <=
//! u |s|.
//!
//! * Where |l| <= |h| / 4, |s| is at least (3/4) |h| but for rounding. The rest is then less than 3 u |s|,
//!   and its two sums round by less than 6 u^2 |s|; the last sum rounds by u of the result.
//! * Where |l| > |h| / 4 and h is not 0, the first parts are so near to each other that their difference is
//!   exact: e = 0 (Sterbenz). Let w be the last bit's unit of the larger one. Then |l| <= w, and h is a
//!   multiple of w / 2. If g is 0, so that the rest is f, the result is s + f = d, rounded once. If not, s
//!   has all 53 bits above the last bit of l, so that |f| <= u |s|, and the first case's bounds hold.
//! * Where h is 0, a.high = b.high; e and g are 0, and the result is l, which is d rounded once.
//!
//! All numbers are in the safe range of [`is_in_safe_range`](super::is_in_safe_range), which holds for sums
//! of two of them as it does for each: they are multiples of 2^-350 and less than 2^301.
use super::{
    point::{ExactPoint, float_sign},
    sixty_bits,
};
use crate::vector::{UNIT, Vector};
use std::{
    cmp::Ordering,
    ops::{Add, Sub},
};

/// A point, each coordinate the sum of a number and a smaller one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SumPoint {
    high: Vector,
    low: Vector,
}

impl SumPoint {
    pub(crate) const ORIGIN: Self = Self { high: [0.0; 3], low: [0.0; 3] };

    /// The point p + t.
    #[inline(always)]
    pub(crate) fn new(p: &Vector, t: &Vector) -> Self {
        let mut point = Self::ORIGIN;
        for k in 0..3 {
            [point.high[k], point.low[k]] = sum(p[k], t[k]);
        }
        point
    }
    /// The point, if its coordinates are numbers of f64.
    pub(crate) fn single(&self) -> Option<Vector> {
        (self.low == [0.0; 3]).then_some(self.high)
    }
}

impl ExactPoint for SumPoint {
    #[inline(always)]
    fn minus(&self, o: &Self) -> Vector {
        let along = |k: usize| difference([self.high[k], self.low[k]], [o.high[k], o.low[k]]);
        [along(0), along(1), along(2)]
    }
    #[inline(always)]
    fn compare(&self, o: &Self, axis: usize) -> Ordering {
        let parts = |p: &Self| [p.high[axis], p.low[axis]];
        // Finite; `partial_cmp` because -0.0 and 0.0 are the same number.
        parts(self).partial_cmp(&parts(o)).unwrap_or(Ordering::Equal)
    }
    #[inline(always)]
    fn orient2d(axis: usize, [a, b, c]: [&Self; 3]) -> Option<i32> {
        let (u, v, [x, y]) = (b.minus(a), c.minus(a), [(axis + 1) % 3, (axis + 2) % 3]);
        let (first, second) = (u[x] * v[y], u[y] * v[x]);
        let det = first - second;
        // A monomial rounds twice for differences, and for its product and the sum: 4 u of itself; and the
        // sum of both and the bound round.
        if det.abs() > 6.0 * UNIT * (first.abs() + second.abs()) {
            return Some(float_sign(det));
        }
        // The product of two differences is 0 only if one of them is.
        if first == 0.0 && second == 0.0 { Some(0) } else { sixty_bits::orient2d(axis, [a, b, c]) }
    }
    #[inline(always)]
    fn parts(&self, axis: usize) -> [f64; 2] {
        [self.high[axis], self.low[axis]]
    }
    const IS_SUM: bool = true;
}

/// A sum and its rounding error (Knuth).
#[inline(always)]
pub(crate) fn sum<T: Copy + Add<Output = T> + Sub<Output = T>>(a: T, b: T) -> [T; 2] {
    let sum = a + b;
    let part = sum - a;
    [sum, (a - (sum - part)) + (b - part)]
}

/// A difference and its rounding error.
#[inline(always)]
fn less<T: Copy + Add<Output = T> + Sub<Output = T>>(a: T, b: T) -> [T; 2] {
    let difference = a - b;
    let part = difference - a;
    [difference, (a - (difference - part)) - (b + part)]
}

/// The difference of two sums, each nearest to its first part: see the module's head.
#[inline(always)]
pub(crate) fn difference<T: Copy + Add<Output = T> + Sub<Output = T>>(a: [T; 2], b: [T; 2]) -> T {
    let ([h, e], [l, f]) = (less(a[0], b[0]), less(a[1], b[1]));
    let [s, g] = sum(h, l);
    s + ((g + e) + f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;

    /// Two numbers of up to 53 bits and offsets like them, whose sums are nearly the same, or not.
    fn coordinates(rng: &mut Rng) -> [[f64; 2]; 2] {
        let ulps = |rng: &mut Rng, x: f64| x * (1.0 + rng.int(-3, 3) as f64 * f64::EPSILON);
        let number = |rng: &mut Rng| {
            let bits = if rng.one_in(3) { rng.int(-9, 9) as f64 } else { rng.between(-4.0, 4.0) };
            bits * 2.0_f64.powi(rng.int(-12, 12) as i32)
        };
        let [v, t] = [number(rng), number(rng)];
        let other = match rng.below(5) {
            0 => [t, v],
            1 => [ulps(rng, v), ulps(rng, t)],
            2 => [v + t, ulps(rng, v) - v],
            3 => [ulps(rng, v + t), ulps(rng, t) * 2.0_f64.powi(-40)],
            _ => [number(rng), number(rng)],
        };
        [[v, t], other]
    }

    /// x in units of 2^-110.
    fn integer(x: f64) -> i128 {
        let (high, part) = (x.trunc(), x.fract() * 2.0_f64.powi(62));
        let low = (part.fract() * 2.0_f64.powi(48)) as i128;
        ((high as i128) << 110) + ((part.trunc() as i128) << 48) + low
    }

    #[test]
    fn differences_are_those_of_integers() {
        let (mut rng, mut zeros, mut cancelled) = (Rng::new(60), 0, 0);
        for _ in 0..400_000 {
            let [[v, t], [w, s]] = coordinates(&mut rng);
            let (a, b) = (SumPoint::new(&[v; 3], &[t; 3]), SumPoint::new(&[w; 3], &[s; 3]));
            let want = integer(v) + integer(t) - integer(w) - integer(s);
            let found = a.minus(&b)[0];
            let off = (integer(found) - want).unsigned_abs();
            let most = (want.unsigned_abs() >> 53) + (want.unsigned_abs() >> 102) + 1;
            assert!(off <= most && (found == 0.0) == (want == 0), "{v} + {t} - ({w} + {s}): {found}");
            assert_eq!(a.compare(&b, 1), want.cmp(&0), "{v} + {t}, {w} + {s}");
            assert_eq!(a == b, want == 0);
            zeros += u32::from(want == 0);
            cancelled += u32::from(want != 0 && found.abs() < 1e-15 * (v + t).abs());
        }
        assert!(zeros > 20_000 && cancelled > 20_000, "{zeros} zeros, {cancelled} nearly");
    }
}
