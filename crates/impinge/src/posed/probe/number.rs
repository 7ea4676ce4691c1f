//! Numbers for probes and planes: integers, and f64 with the bound of its error.
use crate::{
    exact::{Magnitude, wide::Wide},
    vector::UNIT,
};

/// Numbers of planes and probes: integers, or rounded numbers with error bounds.
pub(crate) trait Number: Copy {
    const ZERO: Self;
    const ONE: Self;
    fn plus(&self, o: &Self) -> Self;
    fn minus(&self, o: &Self) -> Self;
    fn times(&self, o: &Self) -> Self;
    fn small(n: i32) -> Self;
    /// The sign; `None` if it is not certain.
    fn sign(&self) -> Option<i32>;
    /// [`times`](Self::times), for signs: a number that is certainly 0 makes every finite product 0.
    #[inline(always)]
    fn product(&self, o: &Self) -> Self {
        self.times(o)
    }
}

impl<const N: usize> Number for Wide<N> {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    fn plus(&self, o: &Self) -> Self {
        let mut sum = *self;
        sum.add(o);
        sum
    }
    fn minus(&self, o: &Self) -> Self {
        let mut difference = *self;
        difference.subtract(o);
        difference
    }
    fn times(&self, o: &Self) -> Self {
        Self::times(self, o)
    }
    fn small(n: i32) -> Self {
        Self::new(i128::from(n), 0)
    }
    fn sign(&self) -> Option<i32> {
        Some(Magnitude::sign(self))
    }
}

/// A number with an error bound. Every operation adds its own rounding, u of the result, the part from the
/// operands' errors, and a little more for the rounding of the error itself. Sums and products that certainly
/// do not round add nothing: faces of assemblies are mostly perpendicular to an axis, and a zero is then
/// certain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundedNumber {
    value: f64,
    error: f64,
}

impl RoundedNumber {
    const EXCESS: f64 = 1.0 + 16.0 * UNIT;

    pub(crate) fn new(value: f64, error: f64) -> Self {
        Self { value, error }
    }
    /// The number, as it was calculated.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }
    /// The error bound.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }
    /// True if it is 0 or a power of two, with which products are not rounded.
    #[inline(always)]
    fn is_power(&self) -> bool {
        self.value.to_bits() & ((1 << 52) - 1) == 0
    }
    fn is_exactly_zero(&self) -> bool {
        self.value == 0.0 && self.error == 0.0
    }
    /// True if it has 24 bits, so that a product of two has all of its bits.
    #[inline(always)]
    fn is_short(&self) -> bool {
        f64::from(self.value as f32) == self.value
    }
    /// A quotient, with its error: infinite or NaN where the divisor may be 0.
    ///
    /// The product in the error may underflow, by less than 2^-1074, and is then divided.
    pub(crate) fn over(&self, o: &Self) -> [f64; 2] {
        let quotient = self.value / o.value;
        let error = self.error + quotient.abs() * o.error + f64::from_bits(1);
        let divisor = o.value.abs() - o.error;
        let error = (error / divisor + 2.0 * UNIT * quotient.abs() + f64::MIN_POSITIVE) * Self::EXCESS;
        [quotient, if divisor > 0.0 { error } else { f64::NAN }]
    }
}

impl Number for RoundedNumber {
    const ZERO: Self = Self { value: 0.0, error: 0.0 };
    const ONE: Self = Self { value: 1.0, error: 0.0 };
    #[inline(always)]
    fn plus(&self, o: &Self) -> Self {
        let value = self.value + o.value;
        // The part that was rounded off (Knuth's two-sum); for differences of like numbers, mostly nothing.
        let part = value - self.value;
        let lost = (self.value - (value - part)) + (o.value - part);
        let error = self.error + o.error;
        let rounding = if lost == 0.0 { 0.0 } else { UNIT * value.abs() };
        Self { value, error: if error + rounding == 0.0 { 0.0 } else { (error + rounding) * Self::EXCESS } }
    }
    #[inline(always)]
    fn minus(&self, o: &Self) -> Self {
        self.plus(&Self { value: -o.value, error: o.error })
    }
    #[inline(always)]
    fn times(&self, o: &Self) -> Self {
        let value = self.value * o.value;
        if self.error + o.error == 0.0 {
            let is_exact = self.is_power() || o.is_power() || self.is_short() && o.is_short();
            let size = value.abs();
            // Neither subnormal nor infinite; or 0 times a number.
            let is_normal = (f64::MIN_POSITIVE..=f64::MAX).contains(&size);
            if is_exact && (is_normal || size == 0.0 && (self.value == 0.0 || o.value == 0.0)) {
                return Self { value, error: 0.0 };
            }
        }
        let error = self.value.abs() * o.error + self.error * (o.value.abs() + o.error);
        // An underflow is less than the least normal number.
        Self { value, error: (error + UNIT * value.abs() + f64::MIN_POSITIVE) * Self::EXCESS }
    }
    fn small(n: i32) -> Self {
        Self { value: f64::from(n), error: 0.0 }
    }
    #[inline(always)]
    fn sign(&self) -> Option<i32> {
        // No comparison with NaN is true.
        if self.value > self.error {
            Some(1)
        } else if self.value < -self.error {
            Some(-1)
        } else {
            self.is_exactly_zero().then_some(0)
        }
    }
    #[inline(always)]
    fn product(&self, o: &Self) -> Self {
        // A number that is not finite has no bound.
        let is_finite = |x: &Self| x.value.is_finite() && x.error.is_finite();
        if self.is_exactly_zero() && is_finite(o) || o.is_exactly_zero() && is_finite(self) {
            return Self::ZERO;
        }
        self.times(o)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overflows_or_underflows_is_not_exact() {
        let number = |value| RoundedNumber::new(value, 0.0);
        let power = |e: i32| number(2.0_f64.powi(e));
        for (a, b) in [(600, 600), (-600, -600), (1023, 1), (-1000, -70)] {
            let product = power(a).times(&power(b));
            assert!(product.error() > 0.0 && product.sign().is_none(), "{a} {b}: {product:?}");
        }
        let infinite = number(f64::INFINITY);
        assert!(infinite.times(&RoundedNumber::ZERO).sign().is_none());
        assert_eq!(
            (power(500).times(&power(500)).error(), power(500).times(&power(500)).sign()),
            (0.0, Some(1))
        );
        assert_eq!(power(1000).times(&RoundedNumber::ZERO).sign(), Some(0));
    }
}
