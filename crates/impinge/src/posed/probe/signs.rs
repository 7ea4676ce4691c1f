//! More signs of placed points: for sums over the overlap of two solids.
use super::{
    Magnitude, Number, Point, Probe, Rounded, SpacePoints, Wide, cross, dot, leading, minus, scale_by,
};
use crate::vector::UNIT;

/// A direction of the world.
pub(crate) fn world_axis<T: Number>(axis: usize) -> Point<T> {
    let along = |k: usize| if k == axis { T::ONE } else { T::ZERO };
    [along(0), along(1), along(2)]
}

/// Vectors.
pub(crate) trait Algebra {
    type Number;
    fn sum(&self, o: &Self) -> Self;
    fn difference(&self, o: &Self) -> Self;
    fn cross(&self, o: &Self) -> Self;
    fn dot(&self, o: &Self) -> Self::Number;
    fn scaled(&self, by: &Self::Number) -> Self;
}

impl<T: Number> Algebra for Point<T> {
    type Number = T;
    fn sum(&self, o: &Self) -> Self {
        [self[0].plus(&o[0]), self[1].plus(&o[1]), self[2].plus(&o[2])]
    }
    fn difference(&self, o: &Self) -> Self {
        minus(self, o)
    }
    // Not by `product`, which has no use where numbers are wanted.
    fn cross(&self, o: &Self) -> Self {
        let minor = |i: usize, j: usize| self[i].times(&o[j]).minus(&self[j].times(&o[i]));
        [minor(1, 2), minor(2, 0), minor(0, 1)]
    }
    fn dot(&self, o: &Self) -> T {
        self[0].times(&o[0]).plus(&self[1].times(&o[1])).plus(&self[2].times(&o[2]))
    }
    fn scaled(&self, by: &T) -> Self {
        [self[0].times(by), self[1].times(by), self[2].times(by)]
    }
}

impl<T: Number> Probe<T> {
    /// Near a point: x + e (1, 0, 0) + e^2 (0, 1, 0) + e^3 (0, 0, 1).
    pub(crate) fn along_axes(x: &Point<T>) -> Self {
        let directions = [world_axis(0), world_axis(1), world_axis(2)];
        Self { x: *x, denominator: T::ONE, of_denominator: 1, directions }
    }
}

impl<const N: usize> SpacePoints<N> {
    /// The sign of a component of (s - r) x (q - p).
    pub(crate) fn turn(&self, axis: usize, [r, s]: [usize; 2], [p, q]: [usize; 2]) -> i32 {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let along = |from: usize, to: usize, k: usize| self.0[to][k].minus(&self.0[from][k]);
        let first = along(r, s, x).times(&along(p, q, y));
        Magnitude::sign(&first.minus(&along(r, s, y).times(&along(p, q, x))))
    }
    /// Where the plane of three points divides the segment from p to q, whose ends are on different sides of
    /// it: the part of the segment that comes before, to within 8 u of itself.
    #[inline(never)]
    pub(crate) fn fraction(&self, [a, b, c]: [usize; 3], p: usize, q: usize) -> Rounded {
        let normal = cross(&minus(&self.0[b], &self.0[a]), &minus(&self.0[c], &self.0[a]));
        let value = |i: usize| -> Wide<N> { dot(&normal, &minus(&self.0[i], &self.0[a])) };
        let at = value(p);
        let all = at.minus(&value(q));
        if Magnitude::sign(&all) == 0 {
            return Rounded::new(0.5, 0.5);
        }
        let ((m, shift), (n, shift_n)) = (leading(&at), leading(&all));
        // Cut off after 62 bits, rounded to 53, and divided.
        let part = scale_by(m / n, shift - shift_n);
        Rounded::new(part, 8.0 * UNIT * part.abs() + f64::MIN_POSITIVE)
    }
}
