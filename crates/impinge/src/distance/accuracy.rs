//! Accuracy of distance queries.
use crate::{Error, margin::Margin};

/// Accuracy of a distance query. The default is all that floating point gives.
///
/// ```
/// use impinge::distance::{Margin, Accuracy};
/// // To a thousandth, if it is not more than 5.
/// let stop = Accuracy::new().rel(1e-3)?.above(Margin::new(5.0)?);
/// assert!(Accuracy::new().rel(f64::NAN).is_err());
/// # let _ = stop;
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    pub(super) above: Option<Margin>,
    pub(super) exact: bool,
    pub(crate) solids: bool,
    /// Powers of two, or 0.
    rel: f64,
    abs: f64,
}

impl Accuracy {
    /// The default accuracy, without a limit.
    pub fn new() -> Self {
        Self::default()
    }
    /// Limits the distance: nothing further away is tested, and a greater distance has no result.
    #[must_use]
    pub fn above(self, above: Margin) -> Self {
        Self { above: Some(above), ..self }
    }
    /// Makes the result exact: the distance lies between two neighbours in f64, or is exactly one number. The
    /// triangles attain it, and the points are nearest points, rounded once. Integers decide each step.
    /// [`rel`](Self::rel) and [`abs`](Self::abs) then have no effect.
    #[must_use]
    pub fn exact(self) -> Self {
        Self { exact: true, ..self }
    }
    /// Sets the distance of solids: 0 if one lies in the other. The query's [rule](crate::Query::fill_rule)
    /// decides which points are inside; a mesh with open edges has none. It needs the
    /// [relation](crate::Query::relation) of bodies whose surfaces do not meet. It has no effect on a point.
    #[must_use]
    pub fn solids(self) -> Self {
        Self { solids: true, ..self }
    }
    /// Sets a relative accuracy: the interval may be as wide as `rel` times its upper end.
    ///
    /// Its ends are then multiples of a power of two: the largest that is no more than `rel` times the power
    /// of two of the distance. So they are the same on every machine. The points and triangles are of any
    /// pair whose distance is in the interval.
    ///
    /// # Errors
    /// It is negative, infinite or NaN.
    pub fn rel(self, rel: f64) -> Result<Self, Error> {
        Ok(Self { rel: power_of_two(Margin::new(rel)?.get()).min(1.0), ..self })
    }
    /// Sets an absolute accuracy: the interval may be as wide as this. With [`rel`](Self::rel), too, the
    /// wider one counts.
    #[must_use]
    pub fn abs(self, abs: Margin) -> Self {
        Self { abs: power_of_two(abs.get()), ..self }
    }

    /// True if an interval may be wider than floating point gives.
    pub(super) fn is_coarse(&self) -> bool {
        self.rel > 0.0 || self.abs > 0.0
    }
    /// The accuracy of [`rel`](Self::rel), for a power of two up to 1.
    pub(crate) const fn of_part(rel: f64) -> Self {
        Self { above: None, exact: false, solids: false, rel, abs: 0.0 }
    }
    /// Lowers the limit to this, if it is more.
    pub(crate) fn not_above(self, most: Margin) -> Self {
        let above = self.above.map_or(most, |above| if above < most { above } else { most });
        self.above(above)
    }
    /// The interval around v of all numbers with the same result, if these are more than one number.
    /// Intervals have at most an end in common, as steps are powers of two that do not become less as v
    /// grows, and change at their multiples.
    pub(super) fn interval(&self, v: f64) -> Option<[f64; 2]> {
        let step = self.step(v);
        // 2^53 steps are as fine as f64 is; infinity, if v / step overflows.
        let steps = (v / step).floor();
        if self.exact || step == 0.0 || !v.is_finite() || steps >= 1.0 / f64::EPSILON {
            return None;
        }
        // Less than 2^53 times a power of two that is not less than a unit of the last place of v.
        let lo = steps * step;
        Some([lo, (lo + step).min(f64::MAX)])
    }
    /// The greatest width of the interval around v.
    pub(crate) fn step(&self, v: f64) -> f64 {
        self.abs.max(power_of_two(v) * self.rel)
    }
    /// True if integers have to decide a distance that is at most `hi`. They do so for `exact`, and where f64
    /// has no step that is small enough for `hi`: another walk may have found a pair for which f64 has one,
    /// and both walks must have the same result.
    pub(super) fn is_exact_up_to(&self, hi: f64) -> bool {
        self.exact || self.rel > 0.0 && self.step(hi) == 0.0
    }
    /// The limit: pairs that are certainly further apart than this need no test, if one is `hi` apart at
    /// most.
    pub(super) fn limit(&self, hi: f64) -> f64 {
        match self.above.map(Margin::get) {
            // An exact comparison decides whether it is more than that.
            Some(above) if hi > above => above,
            _ => self.interval(hi).map_or(hi, |[lo, _]| lo),
        }
    }
}

/// The largest power of two up to a number that is not negative; 0 below the least normal one.
fn power_of_two(x: f64) -> f64 {
    // Without the fraction.
    f64::from_bits(x.to_bits() & 0x7ff << 52)
}

#[cfg(test)]
mod tests {
    use super::{Accuracy, power_of_two};
    use crate::margin::Margin;

    #[test]
    fn powers_of_two() {
        for (x, most) in [(1.0, 1.0), (1.999, 1.0), (0.3, 0.25), (f64::MAX, 2_f64.powi(1023)), (0.0, 0.0)] {
            assert_eq!(power_of_two(x), most);
        }
        assert_eq!(power_of_two(f64::MIN_POSITIVE.next_down()), 0.0);
    }

    #[test]
    fn intervals_hold_their_numbers_follow_each_other_and_are_no_wider_than_asked() {
        let margin = |x| Margin::new(x).unwrap();
        let stops = [
            Accuracy::new().rel(0.1).unwrap(),
            Accuracy::new().abs(margin(0.3)),
            Accuracy::new().rel(1e-3).unwrap().abs(margin(0.07)),
            Accuracy::new().rel(7.0).unwrap(),
            Accuracy::new().rel(0.5).unwrap().abs(margin(1e300)),
        ];
        let values =
            [0.0, f64::MIN_POSITIVE, 1e-300, 0.01, 0.3, 1.0_f64.next_down(), 1.0, 77.7, 1e300, f64::MAX];
        for stop in stops {
            for v in values {
                let Some([lo, hi]) = stop.interval(v) else {
                    // Steps of f64 itself are coarser, or it has no number as small as a step.
                    let step = stop.abs.max(stop.rel * v);
                    assert!(step < v.next_up() - v || stop.abs == 0.0 && v < 1e-290, "{stop:?} {v}");
                    continue;
                };
                assert!(lo <= v && v <= hi && lo < hi, "{stop:?} {v}: {lo} {hi}");
                assert!(hi - lo <= stop.abs.max(stop.rel * v), "{stop:?} {v}: {lo} {hi}");
                // All numbers of an interval have this interval, and the next one begins where it ends.
                assert_eq!(stop.interval(lo), Some([lo, hi]));
                if hi < f64::MAX {
                    assert_eq!(stop.interval(hi.next_down()), Some([lo, hi]));
                    assert_eq!(stop.interval(hi).unwrap()[0], hi);
                }
            }
        }
        // A step that f64 cannot resolve anyway.
        assert_eq!(Accuracy::new().rel(1e-17).unwrap().interval(1.0), None);
        assert_eq!(Accuracy::new().abs(margin(1e-300)).interval(1.0), None);
        assert_eq!(Accuracy::new().rel(0.1).unwrap().exact().interval(1.0), None);
        // Where a step would be less than all numbers of f64 but 0.
        let tenth = Accuracy::new().rel(0.1).unwrap();
        assert_eq!(tenth.interval(f64::from_bits(3)), None);
        assert!(tenth.is_exact_up_to(f64::from_bits(3)) && !tenth.is_exact_up_to(1.0));
        assert!(!Accuracy::new().is_exact_up_to(0.0) && Accuracy::new().exact().is_exact_up_to(1.0));
        assert!(Accuracy::new().rel(-1.0).is_err() && Accuracy::new().rel(f64::INFINITY).is_err());
    }
}
