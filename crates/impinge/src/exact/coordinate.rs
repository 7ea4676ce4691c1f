//! Exact comparison and rounding of one coordinate of a placed point.
use super::{
    fixed::Fixed,
    integer::Magnitude,
    lattice::{DyadicPoints, DyadicTransform, Lattice},
    size::{WIDTHS, at_size, at_width},
    wide::Wide,
};
use std::cmp::Ordering;

/// One exact coordinate of a placed point: `row . v + t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coordinate {
    pub(crate) row: [f64; 3],
    pub(crate) t: f64,
    pub(crate) v: [f64; 3],
}

impl Coordinate {
    fn terms(&self) -> (DyadicTransform<1>, DyadicPoints<1>) {
        let mut points = DyadicPoints::ZERO;
        points.take(&[self.v]);
        (DyadicTransform::new(&[self.row], &[self.t]), points)
    }
    /// The rounded coordinate if the row is an axis: f64 rounds a sum of two numbers in the same way.
    #[inline]
    fn sum_along_an_axis(&self) -> Option<f64> {
        let Self { row: [x, y, z], t, v } = self;
        let (factor, v) = match (*x == 0.0, *y == 0.0, *z == 0.0) {
            (false, true, true) => (x, v[0]),
            (true, false, true) => (y, v[1]),
            (true, true, false) => (z, v[2]),
            _ => return None,
        };
        // Turns -0 into 0.
        (factor.abs() == 1.0).then(|| factor * v + t + 0.0)
    }
    /// Compares two coordinates over the real numbers.
    pub(crate) fn compare(&self, o: &Self) -> Ordering {
        let ((map, v), (other, w)) = (self.terms(), o.terms());
        let lattice = Lattice::new(v.span(&map).and(w.span(&other)));
        at_size!(lattice.bits, 1, I => {
            let ours = lattice.coordinate::<I, 1, 1>(&map, &v, 0, 0);
            ours.cmp(&lattice.coordinate::<I, 1, 1>(&other, &w, 0, 0))
        })
    }
    /// The nearest f64, ties to even.
    pub(crate) fn round(&self) -> f64 {
        self.sum_along_an_axis().unwrap_or_else(|| self.round_exactly())
    }
    fn round_exactly(&self) -> f64 {
        let (map, v) = self.terms();
        let lattice = Lattice::new(v.span(&map));
        at_size!(lattice.bits, 1, I => round(&lattice.coordinate::<I, 1, 1>(&map, &v, 0, 0), lattice.lo))
    }
}

/// n 2^lo, rounded to the nearest f64, ties to even.
fn round(n: &impl Magnitude, lo: i32) -> f64 {
    if n.sign() == 0 {
        return 0.0;
    }
    let bits = n.bits() as i32;
    // The last place that the result can have, as an exponent: 52 below the leading bit, or the subnormals'
    // one.
    let ulp = (bits - 53 + lo).max(-1074);
    let drop = ulp - lo;
    let whole = if drop <= 0 {
        // At most 53 bits, shifted up to the last place: exact.
        n.shifted_down(0) << -drop
    } else if drop > bits {
        0 // Less than half of the last place.
    } else {
        let (kept, drop) = (n.shifted_down(drop as u32), drop as u32);
        let half = n.shifted_down(drop - 1) & 1 == 1;
        kept + u64::from(half && (n.any_below(drop - 1) || kept & 1 == 1))
    };
    // `whole` has at most 54 bits (53 of them count), and `ulp` >= -1074: both products are exact, or
    // overflow as they should.
    let size = scale(whole as f64, ulp);
    f64::from(n.sign()) * size
}

/// x 2^e for an x that is 0 or at least 1, and e >= -1074.
fn scale(x: f64, e: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    if e > 1023 {
        x * power(1023) * power((e - 1023).min(1023))
    } else if e >= -1022 {
        x * power(e)
    } else {
        // The first product is exact: x >= 1 has room for 52 more halvings.
        x * power(e + 100) * power(-100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(row: [f64; 3], t: f64, v: [f64; 3]) -> f64 {
        Coordinate { row, t, v }.round()
    }

    #[test]
    fn rounds_once_to_the_nearest() {
        let e = f64::EPSILON;
        assert_eq!(one([1.0, 0.0, 0.0], 0.0, [0.1, 5.0, 7.0]), 0.1);
        // 1 + e/2 is a tie, to even; a little more is not.
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [1.0, e / 2.0, 0.0]), 1.0);
        assert_eq!(one([1.0, 1.0, 1.0], 0.0, [1.0, e / 2.0, 1e-300]), 1.0 + e);
        assert_eq!(one([1.0, 1.0, 1.0], 0.0, [1.0, e / 2.0, -1e-300]), 1.0);
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [1.0 + e, e / 2.0, 0.0]), 1.0 + 2.0 * e);
        // Catastrophic cancellation leaves what is truly there.
        assert_eq!(one([1e200, 1.0, -1e200], 0.0, [1e100, 3.5, 1e100]), 3.5);
        // Subnormals, and what lies below them.
        let tiny = f64::from_bits(1);
        assert_eq!(one([0.5, 0.0, 0.0], 0.0, [tiny, 0.0, 0.0]), 0.0);
        assert_eq!(one([0.5, 0.0, 0.0], 0.0, [3.0 * tiny, 0.0, 0.0]), 2.0 * tiny);
        assert_eq!(one([0.75, 0.0, 0.0], 0.0, [-tiny, 0.0, 0.0]), -tiny);
        assert_eq!(one([tiny, 0.0, 0.0], 0.0, [tiny, 0.0, 0.0]), 0.0);
        assert_eq!(one([tiny, 1.0, 0.0], 0.0, [tiny, f64::MAX, 0.0]), f64::MAX);
        // Overflow, just short of it, and the largest sum there is.
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [f64::MAX, 1e291, 0.0]), f64::MAX);
        assert_eq!(one([1.0, 1.0, 0.0], 0.0, [f64::MAX, 1e300, 0.0]), f64::INFINITY);
        assert_eq!(one([-f64::MAX; 3], -f64::MAX, [f64::MAX; 3]), f64::NEG_INFINITY);
        assert_eq!(one([0.0; 3], f64::MIN_POSITIVE, [0.0; 3]), f64::MIN_POSITIVE);
    }

    #[test]
    fn sums_along_an_axis_are_those_of_integers() {
        let mut x = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            x ^ x >> 31
        };
        let mut checked = 0;
        while checked < 20_000 {
            let (axis, sign) = (checked % 3, [1.0, -1.0][checked / 3 % 2]);
            let (t, v) = (f64::from_bits(next()), f64::from_bits(next()));
            // Mostly of one size, equal and opposite, or zeros.
            let v = match checked % 7 {
                0 => v,
                1 => -sign * t,
                2 => -0.0,
                _ => t * (v.to_bits() % 9) as f64 / 7.0,
            };
            if t.is_finite() && v.is_finite() {
                let (mut row, mut all) = ([0.0, -0.0, 0.0], [3.0, f64::MAX, -1e-320]);
                (row[axis], all[axis]) = (sign, v);
                let coordinate = Coordinate { row, t, v: all };
                let sum = coordinate.sum_along_an_axis().unwrap();
                assert_eq!(sum.to_bits(), coordinate.round_exactly().to_bits(), "{coordinate:?}");
                checked += 1;
            }
        }
        assert!(Coordinate { row: [0.5, 0.0, 0.0], t: 0.0, v: [1.0; 3] }.sum_along_an_axis().is_none());
    }

    #[test]
    fn a_single_product_agrees_with_the_machine() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            f64::from_bits(x ^ x >> 31)
        };
        let mut checked = 0;
        while checked < 200_000 {
            let (a, b) = (next(), next());
            if a.is_finite() && b.is_finite() {
                checked += 1;
                assert_eq!(one([a, 0.0, 0.0], 0.0, [b, 1.0, 1.0]), a * b, "{a:e} * {b:e}");
                assert_eq!(one([a, 0.0, 0.0], b, [1.0, 1.0, 1.0]), a + b, "{a:e} + {b:e}");
            }
        }
    }

    #[test]
    fn compares_beyond_rounding() {
        let at = |t: f64, x: f64| Coordinate { row: [1.0, 0.0, 0.0], t, v: [x, 0.0, 0.0] };
        assert_eq!(at(1.0, 1e-300).compare(&at(1.0, 0.0)), Ordering::Greater);
        assert_eq!(at(1.0, 1e-300).compare(&at(1.0, 2e-300)), Ordering::Less);
        assert_eq!(at(0.5, 0.5).compare(&at(1.0, -0.0)), Ordering::Equal);
        let (huge, tiny) = (f64::MAX, f64::from_bits(1));
        let far = |s: f64| Coordinate { row: [huge, s * tiny, 0.0], t: 0.0, v: [huge, tiny, 0.0] };
        assert_eq!(far(1.0).compare(&far(-1.0)), Ordering::Greater);
    }
}
