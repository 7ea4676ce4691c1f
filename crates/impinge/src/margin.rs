//! Margins: distances that are not negative, and exact sums of them.
use crate::{Error, ErrorKind, posed::twice::two_sum};
use std::cmp::Ordering;

/// A distance to compare with: finite, not negative, and taken as it is. [`Margin::sum`] is the exact sum of
/// several numbers, which f64 may not hold: two radii and a clearance, say.
///
/// ```
/// use impinge::{ErrorKind, distance::Margin};
/// assert_eq!(Margin::new(0.005)?.get(), 0.005);
/// let error = Margin::new(-1.0).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::InvalidMargin { distance: -1.0 });
/// // 1 + 2^-60 is more than 1, and no f64.
/// let sum = Margin::sum([1.0, 2_f64.powi(-60), 0.0])?;
/// assert!(sum > Margin::new(1.0)? && sum < Margin::new(1_f64.next_up())?);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Margin {
    /// Numbers that are not negative. The margin is their sum.
    parts: [f64; PARTS],
    /// The least f64 that is no less than the sum; infinite for sums of several numbers above [`LARGE`].
    up: f64,
    /// The greatest f64 that is no more than the sum; 0 if `up` is infinite.
    down: f64,
}

/// A sum of three numbers, and the radii of two bodies.
const PARTS: usize = 5;

/// Less than 2^1023. Up to this, sums are rounded to f64, and no partial sum overflows.
const LARGE: f64 = f64::MAX / 2.0;

impl Margin {
    /// The margin 0: only bodies that meet are within it.
    pub const ZERO: Self = Self { parts: [0.0; PARTS], up: 0.0, down: 0.0 };

    /// A margin of this distance.
    ///
    /// # Errors
    /// It is negative, infinite or NaN.
    pub fn new(distance: f64) -> Result<Self, Error> {
        if distance.is_finite() && distance >= 0.0 {
            // -0.0 becomes 0.0.
            Ok(Self::of(distance + 0.0))
        } else {
            Err(ErrorKind::InvalidMargin { distance }.into())
        }
    }
    /// The margin of a distance that is finite and not negative.
    pub(crate) const fn of(distance: f64) -> Self {
        Self { parts: [distance, 0.0, 0.0, 0.0, 0.0], up: distance, down: distance }
    }
    /// The sum of these numbers, exactly: it is not rounded.
    ///
    /// # Errors
    /// A number is negative, infinite or NaN, or the sum is about 2^1023 or more.
    pub fn sum(numbers: [f64; 3]) -> Result<Self, Error> {
        let mut parts = [0.0; PARTS];
        for (part, distance) in parts.iter_mut().zip(numbers) {
            *part = Self::new(distance)?.up;
        }
        let sum = Self::of_parts(parts);
        if sum.up.is_infinite() {
            return Err(ErrorKind::InvalidMargin { distance: sum.up }.into());
        }
        Ok(sum)
    }
    /// The sum with the radii of two bodies, exactly. Neither is more than 2^900.
    #[inline(always)]
    pub(crate) fn with_radii(self, [a, b]: [f64; 2]) -> Self {
        if a == 0.0 && b == 0.0 {
            return self;
        }
        let [x, y, z, ..] = self.parts;
        Self::of_parts([x, y, z, a, b])
    }
    fn of_parts(parts: [f64; PARTS]) -> Self {
        // Off by a few units of the last place. The loops end at the least f64 that is no less than the sum.
        let mut up: f64 = parts.iter().sum();
        if up > LARGE {
            return Self { parts, up: f64::INFINITY, down: 0.0 };
        }
        let compare = |x: f64| sign_of_sum(parts.into_iter().chain([-x]));
        while compare(up).is_gt() {
            up = up.next_up();
        }
        while up > 0.0 && compare(up.next_down()).is_le() {
            up = up.next_down();
        }
        Self { parts, up, down: if compare(up).is_eq() { up } else { up.next_down() } }
    }
    /// The number. Of a sum it is the least f64 that is no less.
    pub fn get(self) -> f64 {
        self.up
    }
    /// The greatest f64 that is no more than the margin; 0 if [`Self::get`] is infinite.
    pub(crate) fn down(self) -> f64 {
        self.down
    }
    /// True if it is 0.
    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        self.up == 0.0
    }
    /// The numbers whose sum it is; some may be 0.
    pub(crate) fn parts(&self) -> &[f64] {
        &self.parts
    }
}

impl PartialEq for Margin {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Margin {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // Rounding up keeps the order, but may make different sums equal.
        let order = self.up.total_cmp(&other.up);
        // A sum that was not rounded is above one that was.
        Some(order.then_with(|| match [self, other].map(|sum| sum.down == sum.up) {
            [true, true] => Ordering::Equal,
            [true, false] => Ordering::Greater,
            [false, true] => Ordering::Less,
            [false, false] => sign_of_sum(self.parts.into_iter().chain(other.parts.map(|part| -part))),
        }))
    }
}

/// Sign of an exact sum of at most 10 numbers, whose partial sums do not overflow.
///
/// The numbers are added one by one to an expansion, whose parts do not overlap, by Shewchuk's grow-expansion
/// (1997, theorem 10). The sign is that of the largest part that is not 0. Sums of f64 do not underflow.
fn sign_of_sum(numbers: impl Iterator<Item = f64>) -> Ordering {
    let (mut expansion, mut length) = ([0.0; 2 * PARTS], 0);
    for mut sum in numbers {
        for part in &mut expansion[..length] {
            (sum, *part) = two_sum(sum, *part);
        }
        expansion[length] = sum;
        length += 1;
    }
    let largest = expansion.iter().rev().find(|part| **part != 0.0);
    largest.map_or(Ordering::Equal, |part| part.total_cmp(&0.0))
}

/// x + y rounded up. If the sum overflows, the error is NaN, and the sum stays infinite.
pub(crate) fn sum_up(x: f64, y: f64) -> f64 {
    let (sum, error) = two_sum(x, y);
    if error > 0.0 { sum.next_up() } else { sum }
}

#[cfg(test)]
mod tests {
    use super::Margin;
    use crate::samples::rng::Rng;

    /// A number, and the same in units of 2^-60.
    fn number(random: &mut Rng) -> (f64, i128) {
        let (m, shift) = (random.next_u64() >> 11, random.below(61));
        // Few bits in some: sums that f64 holds, and ties.
        let m = if random.one_in(3) { m & 7 } else { m };
        (m as f64 * 2_f64.powi(-(shift as i32)), i128::from(m) << (60 - shift))
    }

    #[test]
    fn sums_are_exact() {
        let (mut random, unit) = (Rng::new(55), 2_f64.powi(-60));
        // The sum of f64 that are multiples of the unit, as a number of units; each is less than 2^113.
        let units = |x: f64| (x / unit) as i128;
        for _ in 0..100_000 {
            let [a, b] = [(); 2].map(|()| {
                let numbers = [(); 3].map(|()| number(&mut random));
                let exact: i128 = numbers.iter().map(|(_, units)| units).sum();
                let margin = Margin::sum(numbers.map(|(x, _)| x)).unwrap();
                let (up, down) = (margin.get(), margin.down());
                if up == down {
                    assert_eq!(units(up), exact, "{numbers:?}");
                } else {
                    assert_eq!(up, down.next_up(), "{numbers:?}");
                    assert!(units(down) < exact && exact < units(up), "{numbers:?}");
                }
                (margin, exact)
            });
            assert_eq!(a.0.partial_cmp(&b.0), Some(a.1.cmp(&b.1)), "{a:?} {b:?}");
            assert_eq!(a.0 == b.0, a.1 == b.1);
        }
    }

    #[test]
    fn radii_are_added() {
        let margin = Margin::sum([1.0, 0.25, 2_f64.powi(-70)]).unwrap();
        let sum = margin.with_radii([0.5, 2_f64.powi(-80)]);
        assert_eq!((sum.get(), sum.down()), (1.75_f64.next_up(), 1.75));
        assert!(sum > Margin::sum([1.75, 2_f64.powi(-70), 0.0]).unwrap());
        assert_eq!(margin.with_radii([0.0; 2]), margin);
        let most = Margin::new(f64::MAX).unwrap().with_radii([1e-300, 1.0]);
        assert!(most > Margin::new(f64::MAX).unwrap() && most.get() == f64::INFINITY && most.down() == 0.0);
        assert!(Margin::sum([f64::MAX, 0.0, 0.0]).is_err() && Margin::sum([0.0, -1.0, 2.0]).is_err());
    }
}
