//! Points whose differences floating point computes with one rounding.
use crate::vector::{Vector, sub};
use std::cmp::Ordering;

/// A point whose coordinates are exact: as stored, or sums of two numbers ([`SumPoint`](super::SumPoint)).
pub(crate) trait ExactPoint: Copy + PartialEq {
    /// The difference of two points, each component off by at most (u + 8 u^2) of itself: 0 if and only if
    /// both coordinates are equal.
    fn minus(&self, o: &Self) -> Vector;
    fn compare(&self, o: &Self, axis: usize) -> Ordering;
    /// The sign of the 2 x 2 determinant (b - a, c - a) in the plane that is left when coordinate `axis` is
    /// dropped; `None` if it takes longer integers.
    fn orient2d(axis: usize, points: [&Self; 3]) -> Option<i32>;
    /// A coordinate as the sum of a number and a second one, which is smaller than the first one's last bit.
    fn parts(&self, axis: usize) -> [f64; 2];
    /// True if the second number may be other than 0.
    const IS_SUM: bool;
}

impl ExactPoint for Vector {
    #[inline(always)]
    fn minus(&self, o: &Self) -> Vector {
        sub(*self, *o)
    }
    #[inline(always)]
    fn compare(&self, o: &Self, axis: usize) -> Ordering {
        // Finite by construction of the mesh; `partial_cmp` because -0.0 and 0.0 are the same number.
        self[axis].partial_cmp(&o[axis]).unwrap_or(Ordering::Equal)
    }
    /// Shewchuk's adaptive predicate (crate `robust`).
    #[inline(always)]
    fn orient2d(axis: usize, points: [&Self; 3]) -> Option<i32> {
        let [a, b, c] = points.map(|p| robust::Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] });
        Some(float_sign(robust::orient2d(a, b, c)))
    }
    #[inline(always)]
    fn parts(&self, axis: usize) -> [f64; 2] {
        [self[axis], 0.0]
    }
    const IS_SUM: bool = false;
}

pub(super) fn float_sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}
