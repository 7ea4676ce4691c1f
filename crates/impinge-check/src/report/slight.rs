//! [`Slight`]: clashes that may be rounding noise.
use serde::{Deserialize, Serialize};

/// Findings that a tiny shift undoes. If there are many, rounded coordinates made them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Slight {
    /// Lower bound of the number of such clashes: those whose boxes overlap by at most `length` along an
    /// axis, so that a shift by that length separates the parts.
    pub clashes: u64,
    /// A millionth of the size of the model, rounded up to two digits.
    pub length: f64,
}

/// Largest length of a tiny shift, as a fraction of the model's size.
const TINY: f64 = 1e-6;

impl Slight {
    /// A millionth of the size of a model, rounded up to two digits; 0 if the size is unknown.
    pub(crate) fn length_of(size: f64) -> f64 {
        if size > 0.0 && size.is_finite() { rounded_up(TINY * size) } else { 0.0 }
    }
    /// Counts the slight clashes of a model of this size; `None` if the size is unknown. `thicknesses` has
    /// the least overlap of the boxes of each clash along an axis.
    pub(crate) fn of(size: f64, thicknesses: impl Iterator<Item = f64>) -> Option<Self> {
        let length = Self::length_of(size);
        if length == 0.0 {
            return None;
        }
        Some(Self { clashes: thicknesses.filter(|&thickness| thickness <= length).count() as u64, length })
    }
}

/// The least number with two digits that is not less.
fn rounded_up(x: f64) -> f64 {
    let text = format!("{x:.1e}");
    let near: f64 = text.parse().unwrap_or(x);
    if near >= x {
        return near;
    }
    // One more in the second digit.
    let (_, exponent) = text.split_once('e').unwrap_or(("", "0"));
    let step: f64 = format!("0.1e{exponent}").parse().unwrap_or(0.0);
    format!("{:.1e}", near + step).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::rounded_up;

    #[test]
    fn numbers_are_rounded_up() {
        for (x, up) in [(2.441e-5, 2.5e-5), (2.4e-5, 2.4e-5), (9.99e-4, 1e-3), (1.0, 1.0), (123.0, 130.0)] {
            assert_eq!(rounded_up(x), up);
            assert!(rounded_up(x) >= x);
        }
    }
}
