//! Points where the edges of two triangles run through the other one, with the second body moved a little.
//!
//! The second body counts as moved by (e, e^2, e^3), with e so small that a smaller one changes no sign. Then
//! no corner lies in a plane, and no two edges meet. A sign that is 0 becomes that of the gradient's first
//! component that is not 0: -n for a plane that is moved, n for a plane that stays, and v x u for an edge u
//! that stays and an edge v that is moved. Parallel edges need no sign, for one of them lies beside the
//! other's triangle. Volumes change as little as one likes, so that the sums are right. The combinatorics has
//! no special case: two triangles have a segment in common, or nothing.
//!
//! # Signs
//! A corner lies above a triangle where n . (p - b) > 0. For edges p q of the one and r s of the other let g
//! = det(q - p, r - p, s - p), which is the same the other way round. The edge p q runs upwards through the
//! triangle if p is below it, q is above, and g > 0 for all edges r s of the triangle; downwards if all is
//! the other way round.
//!
//! # Errors
//! Coordinates may be off by e_k along axis k, so differences by 2 e_k and their rounding, u of twice the
//! largest coordinate: at most f_k = 4 e_k, as e_k is no less than u of that coordinate. With U, V, W the
//! absolute values of three differences, each plus f, the determinant moves by at most the permanent of U, V,
//! W less that of the absolute values; it rounds by at most 8 u of its permanent; and so do these permanents:
//! 24 u are taken.
//!
//! Products may underflow. With h = 2^-1074, a product of two differences is then off by h / 2, and a sum of
//! two such products by h. This holds for the minors of the determinant and of both permanents, and they are
//! multiplied by W, which may be as large as 2^501. So their underflow changes the value and its bound by at
//! most 3 h (W_1 + W_2 + W_3). It is covered by adding m = 2^-1022 to each minor of the wider permanent: the
//! bound grows by at least m (W_1 + W_2 + W_3). The products with W themselves underflow by less than m.
//!
//! Signs alone are mostly certain by one bound for all determinants of two triangles. It is that of U = V = W
//! = D, the sides of a box around both, f wider: permanents grow with their entries, and so does what f adds
//! to them. The permanent of D three times is 6 D_1 D_2 D_3; 32 u are taken, for the sides and the bound
//! round, too.
use crate::{
    exact::{self, ExactPoint, Integer, Predicates, SumPoint},
    posed::probe::{Coordinates, Number, RoundedNumber, SpacePoints},
    vector::{NO_EXTENT, UNIT, Vector, cross, dot, grow, sub},
};

/// Signs from integers.
pub(super) trait Exactly {
    fn orient(&self, of: [usize; 4]) -> i32;
    /// The sign of a component of a triangle's normal.
    fn normal(&self, axis: usize, of: [usize; 3]) -> i32;
    /// The sign of v x u.
    fn turn(&self, axis: usize, v: [usize; 2], u: [usize; 2]) -> i32;
    /// See [`SpacePoints::fraction`].
    fn fraction(&self, plane: [usize; 3], p: usize, q: usize) -> RoundedNumber;
}

impl<I: Integer> Exactly for SpacePoints<I> {
    fn orient(&self, [a, b, c, d]: [usize; 4]) -> i32 {
        self.orient3d(a, b, c, d)
    }
    fn normal(&self, axis: usize, [a, b, c]: [usize; 3]) -> i32 {
        self.orient2d(axis, a, b, c)
    }
    fn turn(&self, axis: usize, v: [usize; 2], u: [usize; 2]) -> i32 {
        Self::turn(self, axis, v, u)
    }
    fn fraction(&self, plane: [usize; 3], p: usize, q: usize) -> RoundedNumber {
        Self::fraction(self, plane, p, q)
    }
}

/// The exact corners of two triangles, if there are any: as they are stored, or as sums.
pub(super) enum ExactCorners {
    Stored([Vector; 6]),
    Sums([SumPoint; 6]),
    Nothing,
}

/// Corners of two triangles: 0, 1, 2 of the first body, 3, 4, 5 of the second, which is moved.
pub(super) struct Six<'a> {
    pub(super) points: [Coordinates<RoundedNumber>; 6],
    /// The exact corners, for signs.
    pub(super) known: &'a ExactCorners,
    /// The error that a point may have, axis by axis, before integers decide.
    pub(super) tolerance: Vector,
    near: [Vector; 6],
    /// f.
    slack: Vector,
    /// Error bound of all determinants.
    most_off: f64,
}

/// A point where an edge runs through a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piercing {
    /// Edge 0 to 2 of the first triangle, 3 to 5 of the second.
    pub(super) edge: usize,
    /// True if it runs from behind the other triangle to its front.
    pub(super) up: bool,
    pub(super) at: Coordinates<RoundedNumber>,
}

/// The segment that two triangles have in common, if there is one: its ends, along the cross product of the
/// first one's normal and the second one's.
pub(super) type CommonSegment = Option<[Piercing; 2]>;

const NEXT: [usize; 6] = [1, 2, 0, 4, 5, 3];

/// Three of the points, and the terms of their orientation with a fourth one.
struct OrientationTerms {
    t: [usize; 3],
    n: Vector,
    minors: Vector,
    /// Minors of the differences plus f, with m for an underflow.
    wider: Vector,
}

impl<'a> Six<'a> {
    pub(super) fn new(
        points: [Coordinates<RoundedNumber>; 6],
        known: &'a ExactCorners,
        tolerance: Vector,
    ) -> Self {
        let near = points.each_ref().map(|p| [p[0].value(), p[1].value(), p[2].value()]);
        let mut slack = [0.0; 3];
        for p in &points {
            for k in 0..3 {
                slack[k] = 4.0 * p[k].error().max(slack[k] / 4.0);
            }
        }
        let mut bounds = NO_EXTENT;
        near.iter().for_each(|p| grow(&mut bounds, p));
        let [lo, hi] = bounds;
        let sides: Vector = [0, 1, 2].map(|k| hi[k] - lo[k]);
        let wider: Vector = [0, 1, 2].map(|k| sides[k] + slack[k]);
        let [volume, most] = [sides, wider].map(|[x, y, z]| 6.0 * (x * y * z));
        let underflow = f64::MIN_POSITIVE * (8.0 + wider[0] + wider[1] + wider[2]);
        let most_off = (most - volume) + 32.0 * UNIT * most + underflow;
        Self { points, known, tolerance, near, slack, most_off }
    }

    /// The data that the sides of several points of one plane have in common.
    #[inline(always)]
    fn plane(&self, [a, b, c]: [usize; 3]) -> OrientationTerms {
        let from = self.near[a];
        let (u, v) = (sub(self.near[b], from), sub(self.near[c], from));
        let (n, [u, v]) = (cross(u, v), [u, v].map(|x| x.map(f64::abs)));
        let wider = minors(self.wider(u), self.wider(v)).map(|x| x + f64::MIN_POSITIVE);
        OrientationTerms { t: [a, b, c], n, minors: minors(u, v), wider }
    }
    fn wider(&self, x: Vector) -> Vector {
        [x[0] + self.slack[0], x[1] + self.slack[1], x[2] + self.slack[2]]
    }
    /// det(b - a, c - a, d - a), and its error, for a plane through a, b and c.
    #[inline(always)]
    fn determinant(&self, plane: &OrientationTerms, d: usize) -> [f64; 2] {
        let w = sub(self.near[d], self.near[plane.t[0]]);
        let (value, w) = (dot(plane.n, w), w.map(f64::abs));
        let most = dot(plane.wider, self.wider(w));
        [value, most - dot(plane.minors, w) + 24.0 * UNIT * most + f64::MIN_POSITIVE]
    }
    /// The determinant with its sign, which is 0 where it is 0 for certain; `None` if that takes integers.
    #[inline(always)]
    fn orient(
        &self,
        plane: &OrientationTerms,
        d: usize,
        exact: Option<&dyn Exactly>,
    ) -> Option<(RoundedNumber, i32)> {
        let [value, error] = self.determinant(plane, d);
        let number = RoundedNumber::new(value, error);
        if value.abs() > error {
            return Some((number, if value > 0.0 { 1 } else { -1 }));
        }
        let [a, b, c] = plane.t;
        let sign = self.orient_exactly([a, b, c, d], exact)?;
        Some((if sign == 0 { RoundedNumber::ZERO } else { number }, sign))
    }
    #[inline(never)]
    fn orient_exactly(&self, of: [usize; 4], exact: Option<&dyn Exactly>) -> Option<i32> {
        let known = match self.known {
            ExactCorners::Stored(six) => orient_points(six, of),
            ExactCorners::Sums(six) => orient_points(six, of),
            ExactCorners::Nothing => None,
        };
        known.or_else(|| Some(exact?.orient(of)))
    }
    /// The sign of the first component of a normal that is not 0.
    fn normal(&self, t: [usize; 3], exact: Option<&dyn Exactly>) -> Option<i32> {
        for axis in 0..3 {
            let known = match self.known {
                ExactCorners::Stored(six) => ExactPoint::orient2d(axis, t.map(|i| &six[i])),
                ExactCorners::Sums(six) => ExactPoint::orient2d(axis, t.map(|i| &six[i])),
                ExactCorners::Nothing => None,
            };
            let sign = match known {
                Some(sign) => sign,
                None => exact?.normal(axis, t),
            };
            if sign != 0 {
                return Some(sign);
            }
        }
        Some(0)
    }
    /// The sign of the first component of v x u that is not 0.
    fn turn(&self, v: [usize; 2], u: [usize; 2], exact: Option<&dyn Exactly>) -> Option<i32> {
        for axis in 0..3 {
            let known = match self.known {
                ExactCorners::Stored(six) => turn_of_points(axis, six, v, u),
                ExactCorners::Sums(six) => turn_of_points(axis, six, v, u),
                ExactCorners::Nothing => None,
            };
            let sign = match known {
                Some(sign) => sign,
                None => exact?.turn(axis, v, u),
            };
            if sign != 0 {
                return Some(sign);
            }
        }
        Some(0)
    }
    /// The side of the other triangle's plane on which a point lies, with the value that decides.
    #[inline(always)]
    fn side(
        &self,
        plane: &OrientationTerms,
        point: usize,
        exact: Option<&dyn Exactly>,
    ) -> Option<(RoundedNumber, i32)> {
        let (value, sign) = self.orient(plane, point, exact)?;
        if sign != 0 {
            return Some((value, sign));
        }
        // The plane is moved, or the point.
        let normal = self.normal(plane.t, exact)?;
        Some((value, if point < 3 { -normal } else { normal }))
    }
    /// The sign of g for edge i of the first triangle and edge j of the second.
    fn beside(&self, i: usize, j: usize, exact: Option<&dyn Exactly>) -> Option<i32> {
        let (u, v) = ([i, NEXT[i]], [j, NEXT[j]]);
        let [a, b, c, d] = [u[0], u[1], v[0], v[1]].map(|k| &self.near[k]);
        let value = dot(cross(sub(*b, *a), sub(*c, *a)), sub(*d, *a));
        if value.abs() > self.most_off {
            return Some(if value > 0.0 { 1 } else { -1 });
        }
        match self.orient(&self.plane([u[0], u[1], v[0]]), v[1], exact)?.1 {
            0 => self.turn(v, u, exact),
            sign => Some(sign),
        }
    }

    /// The segment that both triangles have in common. `None` if that takes integers, which are not given.
    pub(super) fn segment(&self, exact: Option<&dyn Exactly>) -> Option<CommonSegment> {
        let mut sides = [(RoundedNumber::ZERO, 0); 6];
        for first in [0, 3] {
            let plane = self.plane([3 - first, 4 - first, 5 - first]);
            for (i, side) in sides.iter_mut().enumerate().skip(first).take(3) {
                *side = self.side(&plane, i, exact)?;
            }
            if sides[first].1 == sides[first + 1].1 && sides[first].1 == sides[first + 2].1 {
                return Some(None);
            }
        }
        let mut known = [[0; 3]; 3];
        let mut ends = [None; 2];
        for edge in 0..6 {
            let to = sides[NEXT[edge]].1;
            if sides[edge].1 == to {
                continue;
            }
            let mut is_through = true;
            for k in 0..3 {
                let (i, j) = if edge < 3 { (edge, k) } else { (k, edge - 3) };
                if known[i][j] == 0 {
                    known[i][j] = self.beside(i, 3 + j, exact)?;
                }
                if known[i][j] != to {
                    is_through = false;
                    break;
                }
            }
            if is_through {
                let (up, at) = (to > 0, self.at(edge, &sides, exact)?);
                // Inside the first triangle, the side of the second one's back is on the left: an edge of the
                // first that comes up is where the segment enters, one of the second where it ends.
                ends[usize::from(up != (edge < 3))] = Some(Piercing { edge, up, at });
            }
        }
        let [from, to] = ends;
        debug_assert!(from.is_some() == to.is_some(), "a segment has two ends");
        Some(from.zip(to).map(|(from, to)| [from, to]))
    }

    /// The point of an edge in the other triangle's plane, and so in that triangle.
    fn at(
        &self,
        edge: usize,
        sides: &[(RoundedNumber, i32); 6],
        exact: Option<&dyn Exactly>,
    ) -> Option<Coordinates<RoundedNumber>> {
        let (p, q) = (edge, NEXT[edge]);
        let (of_p, of_q) = (sides[p].0, sides[q].0);
        // From the nearer end, whose distance is then the smaller number.
        let (p, q, of_p, of_q) =
            if of_p.value().abs() <= of_q.value().abs() { (p, q, of_p, of_q) } else { (q, p, of_q, of_p) };
        let t = if edge < 3 { [3, 4, 5] } else { [0, 1, 2] };
        let [part, error] = of_p.over(&of_p.minus(&of_q));
        let point = self.between(p, q, t, RoundedNumber::new(part, error));
        if (0..3).all(|k| point[k].error() <= self.tolerance[k]) {
            return Some(point);
        }
        Some(self.between(p, q, t, exact?.fraction(t, p, q)))
    }
    /// p + (q - p) times a part, which is between 0 and 1; within the boxes of the edge and of the triangle.
    fn between(&self, p: usize, q: usize, t: [usize; 3], part: RoundedNumber) -> Coordinates<RoundedNumber> {
        let (a, b) = (&self.points[p], &self.points[q]);
        let part = within(part, 0.0, 1.0);
        [0, 1, 2].map(|k| {
            let ends = |i: &usize| {
                let x = &self.points[*i][k];
                [x.value() - x.error(), x.value() + x.error()]
            };
            let hull = |of: &[usize]| {
                of.iter().map(ends).fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], [from, to]| {
                    [if from < lo { from } else { lo }, if to > hi { to } else { hi }]
                })
            };
            let ([lo, hi], [from, to]) = (hull(&[p, q]), hull(&t));
            let x = a[k].plus(&b[k].minus(&a[k]).times(&part));
            // Ends of intervals are rounded by u of numbers that are off by more.
            within(x, lo.max(from), hi.min(to))
        })
    }
}

fn orient_points<P: ExactPoint>(six: &[P; 6], [a, b, c, d]: [usize; 4]) -> Option<i32> {
    // Neighbours in a mesh that is laid over itself have corners in common.
    let is_one = |i: usize, j: usize| six[i] == six[j];
    if is_one(a, d) || is_one(b, d) || is_one(c, d) || is_one(a, c) || is_one(b, c) {
        return Some(0);
    }
    exact::by_points(six, |g| g.orient3d(a, b, c, d))
}

/// The sign of a component of v x u, if it is certain.
fn turn_of_points<P: ExactPoint>(axis: usize, six: &[P; 6], v: [usize; 2], u: [usize; 2]) -> Option<i32> {
    let [v, u] = [v, u].map(|[from, to]| six[to].minus(&six[from]));
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    let (first, second) = (v[x] * u[y], v[y] * u[x]);
    let value = first - second;
    // The bound of `SumPoint::orient2d`.
    if value.abs() > 6.0 * UNIT * (first.abs() + second.abs()) {
        return Some(if value > 0.0 { 1 } else { -1 });
    }
    (first == 0.0 && second == 0.0).then_some(0)
}

/// The part of an interval that lies between two numbers; between these where it has no bound.
fn within(x: RoundedNumber, least: f64, most: f64) -> RoundedNumber {
    let (lo, hi) = (x.value() - x.error(), x.value() + x.error());
    // Comparisons with NaN are false.
    let lo = if lo > least { lo.next_down() } else { least };
    let hi = if hi < most { hi.next_up() } else { most };
    if lo >= hi {
        // Up to rounding, one number.
        let (lo, hi) = (hi.min(lo), lo.max(hi));
        return RoundedNumber::new(lo, (hi - lo) * (1.0 + 4.0 * UNIT));
    }
    let middle = lo / 2.0 + hi / 2.0;
    let error = (hi - middle).max(middle - lo);
    RoundedNumber::new(middle, error * (1.0 + 4.0 * UNIT))
}

/// Sums of the monomials in the coordinates of a cross product, of absolute values.
#[inline(always)]
fn minors(u: Vector, v: Vector) -> Vector {
    [u[1] * v[2] + u[2] * v[1], u[2] * v[0] + u[0] * v[2], u[0] * v[1] + u[1] * v[0]]
}
