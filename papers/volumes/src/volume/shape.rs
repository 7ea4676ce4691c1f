//! A volume as a set of points of its tree's normalized frame: its interval on a ray, and in a direction.
//!
//! # Reach
//! a is a plane's normal with |a|_1 <= 1 / 4.5, as [`RoundedPlane`](impinge::hierarchy::RoundedPlane) has it.
//! A volume's interval of a.y may be too narrow by [`ROUNDING`], 2048 u. Centres are within 13 of the origin
//! and radii at most 14, so that no term of a sum exceeds 16, and no interval has more than 64 roundings of
//! one: slab cut balls, which need most, 220 u. The widths of other volumes are exact products and sums of
//! less.
use crate::line::{Interval, Line, dot};
use impinge::hierarchy::Vector;
use std::fmt::Debug;

/// Greatest error by which a volume's interval in a direction may be too narrow: 2^-42.
pub(crate) const ROUNDING: f64 = 1.0 / (1_u64 << 42) as f64;

/// A decoded volume, for rays and regions.
pub(crate) trait Shape: Copy + Debug + Send + Sync + 'static {
    /// A ray, ready for tests.
    type Ray;
    /// A direction, ready for tests.
    type Direction: Copy + Debug + Send + Sync;

    fn ray(line: &Line) -> Self::Ray;
    /// An interval of q (see [`Line`]) that contains that of every point of the volume's triangles on the
    /// ray.
    fn passage(&self, ray: &Self::Ray) -> Interval;
    /// Prepares a direction with |a|_1 <= 1 / 4.5.
    fn direction(a: &Vector) -> Self::Direction;
    /// An interval that contains a.y of every point y of the volume's triangles, up to [`ROUNDING`].
    fn range(&self, direction: &Self::Direction) -> Interval;
}

/// A plane's normal and its length: the direction of most volumes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneNormal {
    pub(crate) a: Vector,
    pub(crate) length: f64,
}

impl PlaneNormal {
    pub(crate) fn new(a: &Vector) -> Self {
        Self { a: *a, length: dot(a, a).sqrt() }
    }
    /// The interval of an axis-aligned box.
    #[inline(always)]
    pub(crate) fn cuboid(&self, lo: &Vector, hi: &Vector) -> Interval {
        let ends = |k: usize| {
            let (x, y) = (self.a[k] * lo[k], self.a[k] * hi[k]);
            [x.min(y), x.max(y)]
        };
        let [[a, b], [c, d], [e, f]] = [ends(0), ends(1), ends(2)];
        [a + c + e, b + d + f]
    }
    /// The interval of a ball.
    #[inline(always)]
    pub(crate) fn ball(&self, centre: &Vector, radius: f64) -> Interval {
        let (middle, half) = (dot(&self.a, centre), self.length * radius);
        [middle - half, middle + half]
    }
}
