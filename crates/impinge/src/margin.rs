//! Margins: distances that are not negative.
use crate::{Error, ErrorKind, posed::twice::two_sum};

/// A distance to compare with: finite, not negative, and taken as it is.
///
/// ```
/// use impinge::{ErrorKind, distance::Margin};
/// assert_eq!(Margin::new(0.005)?.get(), 0.005);
/// let error = Margin::new(-1.0).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::InvalidMargin { distance: -1.0 });
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Margin(f64);

impl Margin {
    /// The margin 0: only bodies that meet are within it.
    pub const ZERO: Self = Self(0.0);

    /// A margin of this distance.
    ///
    /// # Errors
    /// It is negative, infinite or NaN.
    pub fn new(distance: f64) -> Result<Self, Error> {
        if distance.is_finite() && distance >= 0.0 {
            // -0.0 becomes 0.0.
            Ok(Self(distance + 0.0))
        } else {
            Err(ErrorKind::InvalidMargin { distance }.into())
        }
    }
    /// The sum of both, exactly or the next number above it.
    ///
    /// # Errors
    /// It is more than f64 holds.
    pub fn plus(self, more: Self) -> Result<Self, Error> {
        Self::new(sum_up(self.0, more.0))
    }
    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// x + y rounded up. If the sum overflows, the error is NaN, and the sum stays infinite.
pub(crate) fn sum_up(x: f64, y: f64) -> f64 {
    let (sum, error) = two_sum(x, y);
    if error > 0.0 { sum.next_up() } else { sum }
}
