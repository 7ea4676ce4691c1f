//! Signs of determinants of points, by floating point where these are certain.
use super::{
    point::{ExactPoint, float_sign},
    sixty_bits,
};
use crate::vector::{UNIT, Vector, cross, dot};
use std::{cell::Cell, cmp::Ordering};

/// The signs that the exact triangle test needs, of six points: 0 to 2 the first triangle's, 3 to 5 the
/// second's.
pub(crate) trait Predicates {
    /// Sign of det(b - a, c - a, d - a), up to one fixed factor.
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32;
    /// Sign of the 2 x 2 determinant in the plane that is left when coordinate `axis` is dropped.
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32;
    /// Compares coordinate `axis` of two points.
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering;
    /// True if two points are equal.
    fn same(&self, a: usize, b: usize) -> bool {
        (0..3).all(|axis| self.compare(axis, a, b).is_eq())
    }
    /// The sides of the plane of three points on which three others lie.
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        points.map(|i| self.orient3d(t[0], t[1], t[2], i))
    }
    /// The axes in the order in which dropping one is likely to keep the shape of a triangle: a guess.
    fn axes(&self, _corners: [usize; 3]) -> [usize; 3] {
        [0, 1, 2]
    }
    /// An axis along which a triangle is seen with an area, and the sign of that area; `None` if its corners
    /// lie on one line.
    #[inline(always)]
    fn view(&self, corners: [usize; 3]) -> Option<(usize, i32)> {
        let [a, b, c] = corners;
        let mut seen = self.axes(corners).into_iter().map(|axis| (axis, self.orient2d(axis, a, b, c)));
        seen.find(|(_, turn)| *turn != 0)
    }
}

/// Predicates on six points of two triangles whose coordinates are exact: floating point where it is certain,
/// and machine integers.
///
/// [`is_in_safe_range`] makes sure that nothing over- or underflows.
pub(crate) struct PointPredicates<'a, P> {
    points: &'a [P; 6],
    /// Set if a sign was not certain: then no result counts.
    unsure: Cell<bool>,
}

impl<'a, P: ExactPoint> PointPredicates<'a, P> {
    pub(crate) fn new(points: &'a [P; 6]) -> Self {
        Self { points, unsure: Cell::new(false) }
    }
    /// True if a sign was not certain: then no result counts.
    pub(crate) fn is_unsure(&self) -> bool {
        self.unsure.get()
    }
    fn certain(&self, sign: Option<i32>) -> i32 {
        sign.unwrap_or_else(|| {
            self.unsure.set(true);
            0
        })
    }
    #[inline(always)]
    fn plane(&self, [a, b, c]: [usize; 3]) -> OrientationPlane<'_, P> {
        OrientationPlane::new([&self.points[a], &self.points[b], &self.points[c]])
    }
}

/// The plane of three points, for the signs of others; all in the safe range.
pub(crate) struct OrientationPlane<'a, P> {
    corners: [&'a P; 3],
    /// A normal, and the permanents of its coordinates: sums of their monomials' absolute values.
    n: Vector,
    permanents: Vector,
    /// The axis that the plane is perpendicular to, if there is one.
    axis: Option<usize>,
}

impl<'a, P: ExactPoint> OrientationPlane<'a, P> {
    #[inline(always)]
    pub(crate) fn new(corners: [&'a P; 3]) -> Self {
        let [a, b, c] = corners;
        let (u, v) = (b.minus(a), c.minus(a));
        let axis = (0..3).find(|&k| u[k] == 0.0 && v[k] == 0.0);
        let (n, u, v) = (cross(u, v), u.map(f64::abs), v.map(f64::abs));
        let permanents = [u[1] * v[2] + u[2] * v[1], u[2] * v[0] + u[0] * v[2], u[0] * v[1] + u[1] * v[0]];
        Self { corners, n, permanents, axis }
    }
    /// Sign of det(b - a, c - a, d - a); `None` if it takes longer integers.
    #[inline(always)]
    pub(crate) fn side(&self, d: &P) -> Option<i32> {
        let w = d.minus(self.corners[0]);
        // Many faces of CAD models are perpendicular to an axis: four points of one need no expansions.
        if self.axis.is_some_and(|k| w[k] == 0.0) {
            return Some(0);
        }
        let det = dot(self.n, w);
        let permanent = dot(self.permanents, w.map(f64::abs));
        // A monomial rounds at most 3 times for differences, 2 for products, 1 in the minor, 2 in the sum: 8
        // u of itself (the permanent is their sum); and its own rounding.
        if det.abs() <= 10.0 * UNIT * permanent {
            return self.exactly(d);
        }
        Some(float_sign(det))
    }
    #[inline(never)]
    fn exactly(&self, d: &P) -> Option<i32> {
        let [a, b, c] = self.corners;
        // Among n triangles at an apex n^2 pairs have that corner.
        if d == a || d == b || d == c {
            return Some(0);
        }
        sixty_bits::orient3d([a, b, c, d])
    }
}

impl<P: ExactPoint> Predicates for PointPredicates<'_, P> {
    #[inline(always)]
    fn orient3d(&self, a: usize, b: usize, c: usize, d: usize) -> i32 {
        self.certain(self.plane([a, b, c]).side(&self.points[d]))
    }
    /// Computes the plane once.
    #[inline(always)]
    fn sides(&self, t: [usize; 3], points: [usize; 3]) -> [i32; 3] {
        let plane = self.plane(t);
        let side = |i: usize| self.certain(plane.side(&self.points[i]));
        [side(points[0]), side(points[1]), side(points[2])]
    }
    #[inline(always)]
    fn orient2d(&self, axis: usize, a: usize, b: usize, c: usize) -> i32 {
        self.certain(P::orient2d(axis, [a, b, c].map(|i| &self.points[i])))
    }
    #[inline(always)]
    fn compare(&self, axis: usize, a: usize, b: usize) -> Ordering {
        self.points[a].compare(&self.points[b], axis)
    }
}

/// True if Shewchuk's predicates neither overflow nor underflow on coordinates like `x`.
///
/// Every |x| that is not 0 lies in [2^-298, 2^300], so each is a multiple of 2^-350; every term of every
/// expansion is then a multiple of 2^-1050, hence representable, and is less than 2^910, far from overflow.
pub(crate) fn is_in_safe_range(x: f64) -> bool {
    const LEAST: f64 = f64::from_bits((1023 - 298) << 52);
    const MOST: f64 = f64::from_bits((1023 + 300) << 52);
    (x == 0.0) | ((LEAST <= x.abs()) & (x.abs() <= MOST))
}

/// True if all coordinates of some points are in the safe range.
pub(crate) fn are_in_safe_range(points: &[[f64; 3]]) -> bool {
    // No early exit, so that the compiler can vectorize.
    points.as_flattened().iter().fold(true, |all, &x| all & is_in_safe_range(x))
}

/// The result of `ask` by the signs of six points whose coordinates are exact and in the safe range; `None`
/// if that takes longer integers.
#[inline(always)]
pub(crate) fn by_points<P: ExactPoint, T>(
    points: &[P; 6],
    ask: impl FnOnce(&PointPredicates<'_, P>) -> T,
) -> Option<T> {
    let raw = PointPredicates::new(points);
    let answer = ask(&raw);
    (!raw.is_unsure()).then_some(answer)
}
