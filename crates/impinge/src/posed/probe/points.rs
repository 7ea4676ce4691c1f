//! Six placed points, as integers, and their signs.
use super::{RoundedNumber, Space, leading, scale_by};
use crate::{
    exact::{Integer, IntegerPoints, Magnitude, Predicates},
    vector::UNIT,
};
use std::cmp::Ordering;

/// Six points of a space.
pub(crate) struct SpacePoints<I>(IntegerPoints<I>);

impl<I: Integer> SpacePoints<I> {
    /// The points of these bodies. Boxed, as the widest take 90 KB.
    pub(crate) fn new(space: &Space, points: &[(usize, [f64; 3]); 6]) -> Box<Self> {
        let mut all = Box::new(Self(IntegerPoints::ZERO));
        all.0.put_points(space.lattice, &space.maps, points);
        all
    }
    /// The sign of a component of (s - r) x (q - p).
    pub(crate) fn turn(&self, axis: usize, [r, s]: [usize; 2], [p, q]: [usize; 2]) -> i32 {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let (u, v) = (self.0.minus(s, r), self.0.minus(q, p));
        I::minor(&u[x], &u[y], &v[x], &v[y]).sign()
    }
    /// The part of the segment from p to q that comes before the plane of three points, to within 8 u of
    /// itself. The ends are on different sides of the plane.
    #[inline(never)]
    pub(crate) fn fraction(&self, [a, b, c]: [usize; 3], p: usize, q: usize) -> RoundedNumber {
        let normal = self.0.normal(a, b, c);
        let [at, all] = [self.0.minus(p, a), self.0.minus(p, q)].map(|v| I::dot(&normal, &v));
        if all.sign() == 0 {
            return RoundedNumber::new(0.5, 0.5);
        }
        let ((m, shift), (n, shift_n)) = (leading(&at), leading(&all));
        // Cut off after 62 bits, rounded to 53, and divided.
        let part = scale_by(m / n, shift - shift_n);
        RoundedNumber::new(part, 8.0 * UNIT * part.abs() + f64::MIN_POSITIVE)
    }
}

impl<I: Integer> Predicates for SpacePoints<I> {
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        self.0.orient3d(a, b, c, d)
    }
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        self.0.orient2d(axis, a, b, c)
    }
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        self.0.compare(axis, a, b)
    }
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        self.0.sides(t, points)
    }
}
