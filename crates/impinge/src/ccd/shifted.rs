//! The first contact of a triangle at rest and a shifted one: exact at any poses.
//!
//! A placed corner has coordinates r v + t, a sum of products of f64 numbers: an integer multiple of a power of
//! two. So [`MovingPoints`] decides each corner against the other triangle, and each pair of edges. Triangles
//! that are apart at first meet in one of these first.
use super::{
    exact_time::{MovingPoints, split},
    feature_kind::FeatureKind,
    long_integer::LongInteger,
    polynomial::{MovingVector, Polynomial},
};
use crate::{Pose, vector::Vector};
use std::array;

/// A triangle at a pose, and how far it is shifted from time 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShiftedTriangle<'p> {
    pub(crate) pose: &'p Pose,
    pub(crate) corners: [Vector; 3],
    pub(crate) by: Vector,
}

impl ShiftedTriangle<'_> {
    /// The products whose sum is a coordinate of a corner.
    fn terms(&self, corner: usize, k: usize) -> [[f64; 2]; 4] {
        let (row, v) = (self.pose.rows()[k], self.corners[corner]);
        [[row[0], v[0]], [row[1], v[1]], [row[2], v[2]], [self.pose.translation()[k], 1.0]]
    }
    fn least_exponent(&self) -> Option<i32> {
        let terms = (0..9).flat_map(|k| self.terms(k / 3, k % 3)).chain(self.by.map(|x| [x, 1.0]));
        let parts = terms.map(|factors| factors.map(split));
        parts.filter(|[x, y]| x.0 != 0 && y.0 != 0).map(|[x, y]| x.1 + y.1).min()
    }
    /// The corners as functions of time, in units of 2^lo.
    fn points(&self, lo: i32) -> [MovingVector; 3] {
        let integer = |[x, y]: [f64; 2]| {
            let ([m, n], [e, f]) = ([x, y].map(|x| split(x).0), [x, y].map(|x| split(x).1));
            if m == 0 || n == 0 {
                return LongInteger::ZERO;
            }
            LongInteger::new(m, (e + f - lo) as u32).times(&LongInteger::new(n, 0))
        };
        array::from_fn(|corner| {
            array::from_fn(|k| {
                let mut from = LongInteger::ZERO;
                for term in self.terms(corner, k) {
                    from.add(&integer(term));
                }
                Polynomial::new(vec![from, integer([self.by[k], 1.0])])
            })
        })
    }
}

/// The first time in [0, 1] at which two triangles meet that are apart at first, as in
/// [`FirstTime`](super::FirstTime); `None` also if it is later than `most`.
pub(crate) fn first_contact(triangles: [&ShiftedTriangle<'_>; 2], most: f64) -> Option<[f64; 2]> {
    let lo = triangles.iter().filter_map(|triangle| triangle.least_exponent()).min().unwrap_or(0);
    let [a, b] = triangles.map(|triangle| triangle.points(lo));
    let mut first: Option<[f64; 2]> = None;
    let mut look = |kind, points: [&MovingVector; 4]| {
        let most = first.map_or(most, |[_, meets_at]| meets_at.min(most));
        let points = MovingPoints::of(kind, points.map(Clone::clone));
        let Some([lo, hi]) = points.first_of_shift(most) else { return };
        first = Some(first.map_or([lo, hi], |[l, h]| [l.min(lo), h.min(hi)]));
    };
    for (points, [x, y, z]) in [(&a, &b), (&b, &a)] {
        for point in points {
            look(FeatureKind::PointTriangle, [point, x, y, z]);
        }
    }
    let edges = [[0, 1], [1, 2], [2, 0]];
    for [i, j] in edges {
        for [k, l] in edges {
            look(FeatureKind::EdgeEdge, [&a[i], &a[j], &b[k], &b[l]]);
        }
    }
    first
}

impl MovingPoints {
    /// The first contact, if all moving points move by the same way; `None` also if it is later than `most`,
    /// from 0 to 1.
    fn first_of_shift(&self, most: f64) -> Option<[f64; 2]> {
        let f = self.determinant();
        if !f.is_zero() {
            // It has degree 1: without a change of its sign there is no root.
            let (m, e) = split(most);
            let (m, k) = if m == 0 { (m, 0) } else { (m, e.unsigned_abs()) };
            let [start, end] =
                [(0, 0), (m, k)].map(|(m, k)| f.on_interval(&LongInteger::new(m, 0), k).sign_at_start());
            if start * end > 0 {
                return None;
            }
        }
        self.first().filter(|[free_until, _]| *free_until <= most)
    }
}
