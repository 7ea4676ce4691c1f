//! Lower bounds of distances, as numbers of f64: lengths of separations along axes.
//!
//! A separation is a distance less a reach. The reach includes all errors except the rounding of that last
//! difference, as in the volume's overlap test. So a positive separation is too large by a few roundings of
//! itself at most, and walks allow for these.
use impinge::hierarchy::Placement;

/// Greatest bound: squares and products with factors stay finite. A bound that is cut off here is still a
/// lower bound.
const MOST: f64 = f64::from_bits((1023 + 500) << 52);

/// The bound of a separation: 0 if it is negative or NaN.
#[inline(always)]
pub(crate) fn positive(separation: f64) -> f64 {
    if separation > 0.0 { separation.min(MOST) } else { 0.0 }
}

/// The bound of separations along three axes at right angles.
#[inline(always)]
pub(crate) fn length(separations: [f64; 3]) -> f64 {
    let [x, y, z] = separations.map(positive);
    (x * x + y * y + z * z).sqrt()
}

/// The larger of two bounds. `b` is ignored if it is NaN.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The factor that turns a distance in the moving normalized frame into a lower bound of that in the resting
/// one: the map to the moving frame lengthens nothing by more than its norm.
pub(crate) fn factor(placement: &Placement) -> f64 {
    1.0 / placement.to_moving.norm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_number_proves_nothing_and_infinity_no_more_than_a_finite_bound() {
        assert_eq!(length([3.0, f64::NAN, -1.0]), 3.0);
        assert_eq!(length([3.0, 0.0, 4.0]), 5.0);
        assert!(length([f64::INFINITY; 3]).is_finite());
        assert_eq!([positive(f64::NEG_INFINITY), larger(1.0, f64::NAN)], [0.0, 1.0]);
    }
}
