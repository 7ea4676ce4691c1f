//! Vectors, and probes along the world's axes, for sums over the overlap of two solids.
use super::{Coordinates, Number, Probe, minus};

/// A direction of the world.
pub(crate) fn world_axis<T: Number>(axis: usize) -> Coordinates<T> {
    let along = |k: usize| if k == axis { T::ONE } else { T::ZERO };
    [along(0), along(1), along(2)]
}

/// Operations on vectors.
pub(crate) trait Algebra {
    type Number;
    fn sum(&self, o: &Self) -> Self;
    fn difference(&self, o: &Self) -> Self;
    fn cross(&self, o: &Self) -> Self;
    fn dot(&self, o: &Self) -> Self::Number;
    fn scaled(&self, by: &Self::Number) -> Self;
}

impl<T: Number> Algebra for Coordinates<T> {
    type Number = T;
    fn sum(&self, o: &Self) -> Self {
        [self[0].plus(&o[0]), self[1].plus(&o[1]), self[2].plus(&o[2])]
    }
    fn difference(&self, o: &Self) -> Self {
        minus(self, o)
    }
    // By `times`: `product` is for signs alone.
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
    /// The probe near a point: x + e (1, 0, 0) + e^2 (0, 1, 0) + e^3 (0, 0, 1).
    pub(crate) fn along_axes(x: &Coordinates<T>) -> Self {
        let directions = [world_axis(0), world_axis(1), world_axis(2)];
        Self { x: *x, denominator: T::ONE, of_denominator: 1, directions }
    }
}
