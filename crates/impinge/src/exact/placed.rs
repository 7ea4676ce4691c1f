//! Predicates on points whose coordinates are integers.
use super::{
    integer::{Integer, Magnitude, cross},
    lattice::{DyadicPoints, DyadicTransform, Lattice, TwoTriangles},
    point::float_sign,
    predicates::Predicates,
};
use crate::vector::{self, dot, sub};
use std::cmp::Ordering;

/// Six points on one lattice, relative to the first.
///
/// Products of integers are expensive, and most signs are clear, so each sign is first computed from `near`,
/// the points in f64. With u = 2^-53 and m the largest coordinate in size, each is off by at most 2 u m
/// ([`Integer::near`]; where this is u m + 1, m is about 2^62, so that 1 < u m). So a difference of two, at
/// most 2 m, is off by 6 u m: 4 for its ends and 2 for itself. Then
///
/// * a 3 x 3 determinant (6 monomials) is off by 6 * 3 (2m)^2 6 u m = 432 u m^3, and 6 * 5 u (2m)^3 = 240 u
///   m^3 of rounding: 672;
/// * a 2 x 2 one (2 monomials) by 2 * 2 (2m) 6 u m = 48 u m^2, and 2 * 3 u (2m)^2 = 24 u m^2 of rounding: 72.
///
/// The bounds take 1024 and 128. As m < 2^255, nothing overflows; as a coordinate that is not 0 is at least
/// 1, nothing underflows.
pub(crate) struct IntegerPoints<I> {
    points: [[I; 3]; 6],
    near: [[f64; 3]; 6],
    /// The sizes from which on the sign of a 3 x 3 and of a 2 x 2 determinant of `near` is certain.
    certain: (f64, f64),
}

impl<I: Integer> IntegerPoints<I> {
    pub(crate) const ZERO: Self =
        Self { points: [[I::ZERO; 3]; 6], near: [[0.0; 3]; 6], certain: (0.0, 0.0) };

    /// Fills the points in place, as they are large.
    #[inline(always)]
    pub(crate) fn put(&mut self, lattice: Lattice, six: &TwoTriangles<'_>) {
        for k in 0..3 {
            let o: I = lattice.coordinate(six.maps[0], &six.points[0], k, 0);
            for i in 1..6 {
                let x: I = lattice.coordinate(six.maps[i / 3], &six.points[i / 3], k, i % 3);
                self.points[i][k] = x.minus(&o);
            }
        }
        self.approximate();
    }
    /// Fills the points in place with points of two bodies, each with the number of its body.
    pub(crate) fn put_points(
        &mut self,
        lattice: Lattice,
        maps: &[DyadicTransform<3>; 2],
        points: &[(usize, [f64; 3]); 6],
    ) {
        let placed = |i: usize, k: usize| -> I {
            let (body, v) = points[i];
            let mut one = DyadicPoints::<1>::ZERO;
            one.take(&[v]);
            lattice.coordinate(&maps[body], &one, k, 0)
        };
        for k in 0..3 {
            let o = placed(0, k);
            for i in 1..6 {
                self.points[i][k] = placed(i, k).minus(&o);
            }
        }
        self.approximate();
    }
    #[inline(always)]
    fn approximate(&mut self) {
        I::near(&self.points, &mut self.near);
        let mut m = 0.0;
        for x in self.near.as_flattened() {
            if x.abs() > m {
                m = x.abs();
            }
        }
        let u = f64::EPSILON / 2.0;
        self.certain = (1024.0 * u * m * m * m, 128.0 * u * m * m);
    }
    /// Makes integers compute every later sign.
    #[cfg(test)]
    pub(crate) fn distrust(&mut self) {
        self.certain = (f64::INFINITY, f64::INFINITY);
    }
    /// a - b.
    #[inline(always)]
    pub(crate) fn minus(&self, a: usize, b: usize) -> [I; 3] {
        std::array::from_fn(|k| self.points[a][k].minus(&self.points[b][k]))
    }
    /// (b - a) x (c - a).
    #[inline(always)]
    pub(crate) fn normal(&self, a: usize, b: usize, c: usize) -> [I::Minor; 3] {
        cross(&self.minus(b, a), &self.minus(c, a))
    }
    /// det(b - a, c - a, d - a).
    #[inline(always)]
    pub(crate) fn volume(&self, a: usize, b: usize, c: usize, d: usize) -> I::Determinant {
        I::dot(&self.normal(a, b, c), &self.minus(d, a))
    }
    /// Twice the signed area of a triangle, seen along an axis.
    #[inline(always)]
    pub(crate) fn area(&self, axis: usize, a: usize, b: usize, c: usize) -> I::Minor {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let minus = |i: usize, k: usize| self.points[i][k].minus(&self.points[a][k]);
        I::minor(&minus(b, x), &minus(b, y), &minus(c, x), &minus(c, y))
    }
    #[inline(always)]
    fn near(&self, a: usize, b: usize) -> [f64; 3] {
        sub(self.near[a], self.near[b])
    }
}

impl<I: Integer> Predicates for IntegerPoints<I> {
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        let det = dot(vector::cross(self.near(b, a), self.near(c, a)), self.near(d, a));
        if det.abs() > self.certain.0 {
            return float_sign(det);
        }
        self.volume(a, b, c, d).sign()
    }
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let near = |i: usize, k: usize| self.near[i][k] - self.near[a][k];
        let det = near(b, x) * near(c, y) - near(b, y) * near(c, x);
        if det.abs() > self.certain.1 {
            return float_sign(det);
        }
        self.area(axis, a, b, c).sign()
    }
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        self.points[a][axis].cmp(&self.points[b][axis])
    }
    fn same(&self, a: usize, b: usize) -> bool {
        self.points[a] == self.points[b]
    }
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        let [a, b, c] = t;
        let normal = vector::cross(self.near(b, a), self.near(c, a));
        // The normal in integers is the expensive half, and is mostly needed three times or not at all.
        let mut exact = None;
        points.map(|i| {
            let det = dot(normal, self.near(i, a));
            if det.abs() > self.certain.0 {
                return float_sign(det);
            }
            let normal = exact.get_or_insert_with(|| self.normal(a, b, c));
            I::dot(normal, &self.minus(i, a)).sign()
        })
    }
    fn axes(&self, [a, b, c]: [usize; 3]) -> [usize; 3] {
        let normal = vector::cross(self.near(b, a), self.near(c, a)).map(f64::abs);
        let longest = if normal[0] > normal[1] { 0 } else { 1 };
        let longest = if normal[2] > normal[longest] { 2 } else { longest };
        [longest, (longest + 1) % 3, (longest + 2) % 3]
    }
}

/// Runs `$body` with `$g`, the predicates on the six points, in integers that are wide enough, from those
/// that the macro `$at` lists.
macro_rules! on_lattice {
    ($at:ident, $six:expr, $degree:expr, $g:ident => $body:expr) => {
        $crate::exact::on_lattice!($at, $six, $degree, bool, $g => $body)
    };
    ($at:ident, $six:expr, $degree:expr, $out:ty, $g:ident => $body:expr) => {{
        // One function for each width: the widest takes 30 KB of stack.
        #[inline(never)]
        fn with<I: Integer>(lattice: Lattice, six: &TwoTriangles<'_>) -> $out {
            let mut placed = IntegerPoints::<I>::ZERO;
            placed.put(lattice, six);
            let $g = &placed;
            $body
        }
        let lattice = $six.lattice();
        $at!(lattice.bits, $degree, I => with::<I>(lattice, $six))
    }};
}
pub(crate) use on_lattice;
