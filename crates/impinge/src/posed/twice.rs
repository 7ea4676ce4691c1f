//! Numbers of twice the precision with error bounds: mostly they are enough to find the nearest f64.
//!
//! A number is the sum of two f64, the second no more than u of the first. With u = 2^-53:
//!
//! * a sum is off by at most 3 u^2 / (1 - 4 u) of itself (Joldes, Muller and Popescu 2017, algorithm 6), a
//!   product by 7 u^2 (algorithm 10). The code takes 4 u^2 and 8 u^2 of the result's first part, which is the
//!   result to within 2 u;
//! * a quotient x / y is the sum of t and (x - y t) / y. The quotient t of the first parts is off by 3 u. So
//!   the remainder (x - y t) / y is at most 3 u of the quotient; it rounds by 3 u of itself, which makes 9
//!   u^2. The product y t is off by 8 u^2, its difference from x by less than u^2. The code takes 32 u^2;
//! * errors e and f of the operands add e + f to a sum, |x| f + e (|y| + f) to a product x y, and
//!   (e + |q| f) / (|y| - f) to a quotient q = x / y;
//! * a product of two f64 is not exactly two numbers where it underflows, by less than the least normal
//!   number. A quotient divides this error and the underflow of its own error bound;
//! * the error is itself rounded, less than 10 times, by u each: 16 u more are taken.
//!
//! An overflow gives infinity or NaN, and proves nothing.
use super::probe::{Coordinates, Number};
use crate::{
    Pose,
    vector::{UNIT, Vector, product_error},
};

/// high + low, off by no more than `error`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twice {
    high: f64,
    low: f64,
    error: f64,
}

const EXCESS: f64 = 1.0 + 16.0 * UNIT;
const SQUARE: f64 = UNIT * UNIT;

/// A sum and its rounding error (Knuth).
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// A sum and its rounding error, where a is no less than b in size (Dekker).
#[inline(always)]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// A product and its rounding error.
#[inline(always)]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, product_error(a, b, product))
}

impl Twice {
    #[inline(always)]
    pub(crate) fn exactly(x: f64) -> Self {
        Self { high: x, low: 0.0, error: 0.0 }
    }
    /// A product of two f64.
    #[inline(always)]
    fn product(a: f64, b: f64) -> Self {
        let (high, low) = two_product(a, b);
        let is_exact = high.abs() > 1e-280 || a == 0.0 || b == 0.0;
        Self { high, low, error: if is_exact { 0.0 } else { f64::MIN_POSITIVE } }
    }
    /// The number as one f64, and a bound of its error.
    pub(crate) fn rounded(&self) -> [f64; 2] {
        [self.high, (self.low.abs() + self.error) * EXCESS]
    }
    fn is_zero(&self) -> bool {
        self.high == 0.0 && self.error == 0.0
    }
    #[inline(always)]
    pub(super) fn over(&self, o: &Self) -> Self {
        let first = self.high / o.high;
        let rest = self.minus(&o.times(&Self::exactly(first)));
        let (high, low) = fast_two_sum(first, rest.high / o.high);
        let divisor = (o.high.abs() - o.low.abs()) * (1.0 - 4.0 * UNIT) - o.error;
        let error = self.error + high.abs() * (1.0 + 4.0 * UNIT) * o.error + f64::MIN_POSITIVE;
        let error = (error / divisor + 32.0 * SQUARE * high.abs() + f64::MIN_POSITIVE) * EXCESS;
        Self { high, low, error: if divisor > 0.0 { error } else { f64::NAN } }
    }
    /// The nearest f64, and whether it is exactly the number; `None` if that is not certain.
    #[inline(always)]
    pub(super) fn round(&self) -> Option<(f64, bool)> {
        if self.error == 0.0 {
            // The first part is the rounded sum or product of two numbers; the addition of 0 turns -0 into 0.
            // The second part of a product of numbers near the largest one is NaN: then the first part may be
            // exact or not.
            let is_known = self.high.is_finite() && !self.low.is_nan();
            return is_known.then_some((self.high + 0.0, self.low == 0.0));
        }
        // Sums of the second part and this are rounded by u of u of the first.
        let off = (self.error + 2.0 * SQUARE * self.high.abs()) * EXCESS;
        let is_nearest =
            self.high + (self.low - off) == self.high && self.high + (self.low + off) == self.high;
        // Integers decide if it may be this very number.
        let is_between = self.low.abs() > off;
        (is_nearest && is_between && self.high.is_normal()).then_some((self.high, false))
    }
    /// A placed point.
    #[inline(always)]
    pub(super) fn place(pose: &Pose, v: &Vector) -> Coordinates<Self> {
        let coordinate = |k: usize| {
            let mut sum = Self::exactly(pose.translation()[k]);
            for (&r, &x) in pose.rows()[k].iter().zip(v) {
                // Poses have many zeros and ones.
                if r == 1.0 {
                    sum = sum.plus(&Self::exactly(x));
                } else if r != 0.0 {
                    sum = sum.plus(&Self::product(r, x));
                }
            }
            sum
        };
        [coordinate(0), coordinate(1), coordinate(2)]
    }
}

impl Number for Twice {
    const ZERO: Self = Self { high: 0.0, low: 0.0, error: 0.0 };
    const ONE: Self = Self { high: 1.0, low: 0.0, error: 0.0 };
    #[inline(always)]
    fn plus(&self, o: &Self) -> Self {
        if self.is_zero() {
            return *o;
        }
        if o.is_zero() {
            return *self;
        }
        let (sum, lost) = two_sum(self.high, o.high);
        if self.low == 0.0 && o.low == 0.0 && self.error + o.error == 0.0 {
            return Self { high: sum, low: lost, error: 0.0 };
        }
        let (low, least) = two_sum(self.low, o.low);
        if lost == 0.0 && low == 0.0 && self.error + o.error == 0.0 {
            return Self::exactly(sum);
        }
        let (sum, low) = fast_two_sum(sum, lost + low);
        let (high, low) = fast_two_sum(sum, least + low);
        Self { high, low, error: (self.error + o.error + 4.0 * SQUARE * high.abs()) * EXCESS }
    }
    #[inline(always)]
    fn minus(&self, o: &Self) -> Self {
        self.plus(&Self { high: -o.high, low: -o.low, error: o.error })
    }
    #[inline(always)]
    fn times(&self, o: &Self) -> Self {
        if self.is_zero() || o.is_zero() {
            return Self::ZERO;
        }
        let (product, lost) = two_product(self.high, o.high);
        let (high, low) = fast_two_sum(product, lost + (self.high * o.low + self.low * o.high));
        let size = self.high.abs() * (1.0 + 4.0 * UNIT);
        let error = size * o.error + self.error * (o.high.abs() * (1.0 + 4.0 * UNIT) + o.error);
        Self { high, low, error: (error + 8.0 * SQUARE * high.abs() + f64::MIN_POSITIVE) * EXCESS }
    }
    fn small(n: i32) -> Self {
        Self::exactly(f64::from(n))
    }
    #[inline(always)]
    fn sign(&self) -> Option<i32> {
        // The second part is at most u of the first.
        let size = self.high.abs() * (1.0 - 4.0 * UNIT);
        if size > self.error {
            return Some(if self.high > 0.0 { 1 } else { -1 });
        }
        self.is_zero().then_some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use num_bigint::BigInt;

    /// A number as an integer, in units of 2^-1100.
    fn whole(x: f64) -> BigInt {
        let bits = x.abs().to_bits();
        let m = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52) * if x < 0.0 { -1 } else { 1 };
        if x == 0.0 { BigInt::from(0) } else { m << ((bits >> 52) as u32 + 1100 - 1075) }
    }

    /// The error of a number and its error bound, both times 2^1100.
    fn off(x: &Twice, exact: &BigInt) -> (BigInt, BigInt) {
        let off = whole(x.high) + whole(x.low) - exact;
        (BigInt::from(off.magnitude().clone()), whole(x.error))
    }

    fn number(rng: &mut Rng) -> Twice {
        let high = rng.between(-1.0, 1.0) * 2.0_f64.powi(rng.int(-20, 20) as i32);
        let high = if rng.one_in(6) { (high * 16.0).round() } else { high };
        let (high, low) = fast_two_sum(high, high * UNIT * rng.between(-1.0, 1.0));
        if rng.one_in(4) { Twice::exactly(high) } else { Twice { high, low, error: 0.0 } }
    }

    #[test]
    fn no_error_is_greater_than_it_says() {
        let (mut rng, mut close) = (Rng::new(90), [0; 3]);
        for _ in 0..200_000 {
            let (x, y) = (number(&mut rng), number(&mut rng));
            let near = Twice { high: x.high.next_up(), ..number(&mut rng) };
            let near = Twice { low: near.low.clamp(-x.low.abs(), x.low.abs()), ..near };
            let value = |x: &Twice| whole(x.high) + whole(x.low);
            let y = if rng.one_in(3) { near } else { y };
            let sum = off(&x.minus(&y), &(value(&x) - value(&y)));
            let product = off(&x.times(&y), &((value(&x) * value(&y)) >> 1100));
            let mut cases = vec![(0, sum), (1, product)];
            if y.high != 0.0 {
                // In the same units; what the division leaves is far below the error.
                let (numerator, denominator): (BigInt, BigInt) = (value(&x) << 1100, value(&y));
                cases.push((2, off(&x.over(&y), &(numerator / denominator))));
            }
            for (kind, (off, most)) in cases {
                // One unit for what the reference has cut off.
                assert!(off <= &most + 1, "{kind}: {x:?} {y:?}");
                // Not silly: within a factor of 20, now and then.
                close[kind] += i32::from(off.clone() * 20 > most && off > BigInt::from(1));
            }
        }
        assert!(close.iter().all(|&n| n > 100), "{close:?}");
    }

    #[test]
    fn what_is_not_certain_is_not_said() {
        let near = |low: f64, error: f64| Twice { high: 1.0, low, error };
        assert_eq!(near(1e-20, 0.0).round(), Some((1.0, false)));
        assert_eq!(near(0.0, 0.0).round(), Some((1.0, true)));
        // It may be 1, and it may lie beyond the point midway to the next number.
        assert_eq!(near(1e-31, 1e-30).round(), None);
        assert_eq!(near(UNIT * (1.0 - 1e-15), 1e-30).round(), None);
        assert_eq!(near(UNIT * 0.99, 1e-30).round(), Some((1.0, false)));
        assert_eq!(near(1e-20, f64::NAN).round(), None);
        // Half of this number is exact, but its halves overflow: nothing is said of it.
        let large = 1.5 * 2.0_f64.powi(1000);
        assert_ne!(Twice::product(0.5, large).round(), Some((0.5 * large, false)));
        assert_eq!(Twice::product(0.5, 1.5).round(), Some((0.75, true)));
        assert_eq!(Twice::exactly(-0.0).round().map(|(x, _)| x.to_bits()), Some(0));
    }
}
