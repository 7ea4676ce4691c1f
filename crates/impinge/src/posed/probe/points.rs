//! Six placed points, as integers, and their signs.
use super::{Exact, Number, Place, Point, Space, cross, dot, minus};
use crate::exact::{Magnitude, Predicates, Wide};
use std::cmp::Ordering;

/// Six points of a space.
pub(crate) struct SpacePoints<const N: usize>(pub(super) [Point<Wide<N>>; 6]);

impl<const N: usize> SpacePoints<N> {
    /// The points of these bodies. Boxed, as the widest take 90 KB.
    pub(crate) fn new(space: &Space, points: &[(usize, [f64; 3]); 6]) -> Box<Self> {
        let mut all = Box::new(Self([[Wide::ZERO; 3]; 6]));
        for (to, (body, v)) in all.0.iter_mut().zip(points) {
            *to = Exact(space).point(*body, v);
        }
        all
    }
}

impl<const N: usize> Predicates for SpacePoints<N> {
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        let [a, b, c, d] = [a, b, c, d].map(|i| &self.0[i]);
        let normal = cross(&minus(b, a), &minus(c, a));
        Magnitude::sign(&dot(&normal, &minus(d, a)))
    }
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let from = |i: usize, k: usize| self.0[i][k].minus(&self.0[a][k]);
        Magnitude::sign(&from(b, x).times(&from(c, y)).minus(&from(b, y).times(&from(c, x))))
    }
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        self.0[a][axis].cmp(&self.0[b][axis])
    }
}
