//! The first time of contact in integers.
//!
//! f(t) is the determinant that is 0 where the four points lie in one plane, a cubic polynomial.
//!
//! 1. *f is not identically 0.* Contact needs f = 0, so the first contact is the first root of f at which the
//!    features meet. [`point_is_on_triangle`] and [`segments_meet`] decide that by signs of polynomials.
//! 2. *f is identically 0.* If there is no contact at 0, let t be the first time. Then the point is on an
//!    edge (x, y) of the triangle: were it in the interior of a triangle that is not degenerate, it would
//!    have been there before, as all stays in one plane. In the same way one of the four end points is on the
//!    other segment: were both segments to cross in their interiors, they would have crossed before, and
//!    parallel segments meet in an end point, too. So m = (y - x) x (p - x), quadratic, is 0 at t for such a
//!    p, x, y. If m is identically 0, then p = x or p = y at t by the same reason, and |p - x|^2 or |p - y|^2
//!    is 0. The first contact is the least of the roots of all of these polynomials at which the features
//!    meet.
use super::{
    feature_kind::FeatureKind,
    long_integer::LongInteger,
    polynomial::{MovingVector, Polynomial, difference, product, scalar_product},
    root::{DyadicInterval, Root, first_root},
};
use crate::vector::Vector;

/// Four moving points on a common lattice.
pub(super) struct MovingPoints {
    kind: FeatureKind,
    points: [MovingVector; 4],
}

/// x = m 2^e, m odd or 0.
pub(super) fn split(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (m, raw) = if raw == 0 { (fraction, 1) } else { (fraction | 1 << 52, raw) };
    let zeros = if m == 0 { 0 } else { m.trailing_zeros() };
    (if x < 0.0 { -(m >> zeros) } else { m >> zeros }, raw - 1075 + zeros as i32)
}

impl MovingPoints {
    /// Takes finite positions at the times 0 and 1.
    pub(super) fn new(kind: FeatureKind, [start, end]: &[[Vector; 4]; 2]) -> Self {
        let all = start.iter().chain(end).flatten().map(|&x| split(x));
        let lo = all.filter(|(m, _)| *m != 0).map(|(_, e)| e).min().unwrap_or(0);
        let integer = |x: f64| {
            let (m, e) = split(x);
            LongInteger::new(m, if m == 0 { 0 } else { (e - lo) as u32 })
        };
        let points = std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                let (from, mut by) = (integer(start[i][k]), integer(end[i][k]));
                by.subtract(&from);
                Polynomial::new(vec![from, by])
            })
        });
        Self { kind, points }
    }
    /// Takes points on one lattice.
    pub(super) fn of(kind: FeatureKind, points: [MovingVector; 4]) -> Self {
        Self { kind, points }
    }
    /// The polynomial that is 0 where the points lie in one plane.
    pub(super) fn determinant(&self) -> Polynomial {
        let [a, b, c, d] = &self.points;
        let [u, v, w] = match self.kind {
            FeatureKind::PointTriangle => [difference(c, b), difference(d, b), difference(a, b)],
            FeatureKind::EdgeEdge => [difference(b, a), difference(d, c), difference(c, a)],
        };
        scalar_product(&product(&u, &v), &w)
    }
    fn meet(&self, time: &mut Root<'_>) -> bool {
        let [a, b, c, d] = &self.points;
        match self.kind {
            FeatureKind::PointTriangle => point_is_on_triangle(time, a, [b, c, d]),
            FeatureKind::EdgeEdge => segments_meet(time, [a, b], [c, d]),
        }
    }
    /// The first root of the determinant in an interval in which every root is a contact.
    pub(super) fn first_coplanar(&self, within: &DyadicInterval) -> Option<[f64; 2]> {
        let f = self.determinant();
        if f.is_zero() { self.first_in_plane() } else { first_root(&f, within, |_| true) }
    }
    /// The first contact.
    pub(super) fn first(&self) -> Option<[f64; 2]> {
        let f = self.determinant();
        if f.is_zero() {
            return self.first_in_plane();
        }
        first_root(&f, &DyadicInterval::ALL, |time| self.meet(time))
    }
    /// The first contact of points that are always in one plane.
    fn first_in_plane(&self) -> Option<[f64; 2]> {
        if self.meet(&mut Root::start()) {
            return Some([0.0; 2]);
        }
        let [a, b, c, d] = &self.points;
        let events = match self.kind {
            FeatureKind::PointTriangle => vec![[a, b, c], [a, c, d], [a, d, b]],
            FeatureKind::EdgeEdge => vec![[a, c, d], [b, c, d], [c, a, b], [d, a, b]],
        };
        let mut first: Option<[f64; 2]> = None;
        let mut look = |p: &Polynomial| {
            let found = first_root(p, &DyadicInterval::ALL, |time| self.meet(time));
            if let Some([lo, hi]) = found {
                // Both are monotone in the root, so the least ones enclose the least root.
                first = Some(first.map_or([lo, hi], |[l, h]| [l.min(lo), h.min(hi)]));
            }
        };
        for [p, x, y] in events {
            let from = difference(p, x);
            let m = product(&difference(y, x), &from);
            if let Some(m) = m.iter().find(|m| !m.is_zero()) {
                look(m);
                continue;
            }
            for v in [from, difference(p, y)] {
                // At a time when the vector is 0, this component is 0.
                if let Some(component) = v.iter().find(|component| !component.is_zero()) {
                    look(component);
                }
            }
        }
        first
    }
}

fn is_zero(time: &mut Root<'_>, v: &MovingVector) -> bool {
    v.iter().all(|component| time.sign_of(component) == 0)
}

/// True if 0 <= s <= e.
fn is_between(time: &mut Root<'_>, s: &Polynomial, e: &Polynomial) -> bool {
    time.sign_of(s) >= 0 && time.sign_of(&e.minus(s)) >= 0
}

/// True if p is on the segment from a to b, which may be a point.
fn point_is_on_segment(time: &mut Root<'_>, p: &MovingVector, a: &MovingVector, b: &MovingVector) -> bool {
    let (u, w) = (difference(b, a), difference(p, a));
    if is_zero(time, &u) {
        return is_zero(time, &w);
    }
    is_zero(time, &product(&u, &w)) && is_between(time, &scalar_product(&u, &w), &scalar_product(&u, &u))
}

/// True if p is on the triangle, where the four points lie in one plane. The triangle may be degenerate.
fn point_is_on_triangle(time: &mut Root<'_>, p: &MovingVector, [a, b, c]: [&MovingVector; 3]) -> bool {
    let n = product(&difference(b, a), &difference(c, a));
    let edges = [[a, b], [b, c], [c, a]];
    if is_zero(time, &n) {
        return edges.into_iter().any(|[x, y]| point_is_on_segment(time, p, x, y));
    }
    edges.into_iter().all(|[x, y]| {
        let m = product(&difference(y, x), &difference(p, x));
        time.sign_of(&scalar_product(&n, &m)) >= 0
    })
}

/// True if the segments from a to b and from c to d meet, where the four points lie in one plane. With
/// n = (b - a) x (d - c), the lines meet in a + s (b - a) and c + t (d - c), where s and t are the scalar
/// products below over n.n.
fn segments_meet(time: &mut Root<'_>, [a, b]: [&MovingVector; 2], [c, d]: [&MovingVector; 2]) -> bool {
    let (u, v, w) = (difference(b, a), difference(d, c), difference(c, a));
    let n = product(&u, &v);
    if is_zero(time, &n) {
        let ends = [[a, c, d], [b, c, d], [c, a, b], [d, a, b]];
        return ends.into_iter().any(|[p, x, y]| point_is_on_segment(time, p, x, y));
    }
    let whole = scalar_product(&n, &n);
    is_between(time, &scalar_product(&product(&w, &v), &n), &whole)
        && is_between(time, &scalar_product(&product(&w, &u), &n), &whole)
}
