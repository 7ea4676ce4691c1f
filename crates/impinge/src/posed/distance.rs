//! Exact comparison of the distance of two placed triangles with a number.
//!
//! The nearest points of two triangles that do not meet lie in two features (corners, edges, insides) and on
//! a common perpendicular of these. Take all pairs of features whose common perpendicular has its feet in
//! them. The length of each of these perpendiculars is the distance of two points of the triangles, so the
//! least of the lengths is the triangles' distance. With w the difference of a point of the one and of the
//! other, u and v edges, n a normal:
//!
//! | features | distance^2 | degree | feet |
//! |---|---|---|---|
//! | corner, corner | w.w | 2 | |
//! | corner, edge | \|u x w\|^2 / u.u | 4 | 0 <= u.w <= u.u |
//! | corner, inside | (n.w)^2 / n.n | 6 | (n x e).w >= 0 for the three edges e |
//! | edge, edge | ((u x v).w)^2 / \|u x v\|^2 | 6 | 0 <= s, t <= \|u x v\|^2 |
//!
//! A row does not count where its u, n or u x v is 0: a segment has no inside, and where parallel edges face
//! each other, a corner of one of them faces the other one. Nothing is divided: the code compares d^2 times
//! the divisor with the dividend.
//!
//! # Sizes
//! Coordinates are integers of L bits. The distance d is a sum of at most 8 such integers, and has L + 3
//! bits. A difference has L + 1 bits, a component of n or u x v 2 L + 3, n.n 4 L + 8, and d^2 n.n 6 L + 14.
//! n.w has 3 L + 6, and its square 6 L + 12. One bit is the sign.
mod nearest;

pub(crate) use self::nearest::{SupportingPair, about, compare_pairs, nearest_points};

use super::probe::{Coordinates, Exact, PlacedPoints, Space, at_limbs, cross, dot, minus};
use crate::{
    Pose,
    exact::{DyadicPoints, DyadicTransform, ExponentRange, Lattice, Wide},
    triangle::decide::Poses,
    vector::Triangle,
};
use std::cmp::Ordering;

/// Two triangles at poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleAt<'a> {
    pub(crate) pose: &'a Pose,
    pub(crate) corners: &'a Triangle,
}

/// Compares the distance of two placed triangles with the sum of at most 8 numbers d >= 0, over the real
/// numbers.
pub(crate) fn compare(a: TriangleAt<'_>, b: TriangleAt<'_>, d: &[f64]) -> Ordering {
    let is_zero = d.iter().all(|d| *d == 0.0);
    if Poses::new(a.pose, b.pose).meet(a.corners, b.corners) {
        return if is_zero { Ordering::Equal } else { Ordering::Less };
    }
    if is_zero {
        return Ordering::Greater;
    }
    let space = space([&a, &b], d);
    at_limbs!(space.limbs, N => of_disjoint::<N>(&space, [&a, &b], d))
}

fn space(triangles: [&TriangleAt<'_>; 2], d: &[f64]) -> Space {
    // Equal poses count, too: they may change lengths.
    let maps = triangles.map(|t| DyadicTransform::new(t.pose.rows(), t.pose.translation()));
    let span = |k: usize| maps[k].span(&DyadicPoints::<1>::ranges(triangles[k].corners));
    let points = span(0).and(span(1));
    let lattice = Lattice::new(d.iter().fold(points, |all, d| all.and(ExponentRange::of(*d))));
    Space::with_bits(maps, lattice, 6 * lattice.bits + 15)
}

fn of_disjoint<const N: usize>(space: &Space, [a, b]: [&TriangleAt<'_>; 2], d: &[f64]) -> Ordering {
    let exact = Exact::<N>(space);
    // One by one: as a pair they would be copied, which without optimisation takes much of the stack.
    let p = exact.corners(0, a.corners);
    let q = exact.corners(1, b.corners);
    let d = d.iter().fold(Wide::ZERO, |mut sum, d| {
        sum.add(&space.length(*d));
        sum
    });
    let mut all = Against { square: d.times(&d), nearest: Ordering::Greater };
    for_each_feature(&p, &q, &mut all);
    all.nearest
}

/// Ends of a triangle's edges.
const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// A feature of each of two triangles. `side` is the triangle that the corner is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FeaturePair {
    Corners([usize; 2]),
    CornerAndEdge { side: usize, corner: usize, edge: usize },
    CornerAndInside { side: usize, corner: usize },
    Edges([usize; 2]),
}

/// Takes the pairs of features whose common perpendicular has its feet in them.
pub(super) trait TakeFeature<const N: usize> {
    /// A distance whose square is `over` by `under`.
    fn take(&mut self, feature: FeaturePair, over: &Wide<N>, under: &Wide<N>);
}

pub(super) fn for_each_feature<const N: usize>(
    p: &[Coordinates<Wide<N>>; 3],
    q: &[Coordinates<Wide<N>>; 3],
    all: &mut dyn TakeFeature<N>,
) {
    for (side, own, other) in [(0, p, q), (1, q, p)] {
        for corner in 0..3 {
            for edge in 0..3 {
                corner_and_edge(side, own, corner, other, edge, all);
            }
        }
        corners_and_inside(side, own, other, all);
    }
    for i in 0..3 {
        for k in 0..3 {
            edges(p, i, q, k, all);
        }
    }
}

/// Comparison of the least distance of the pairs of features so far with the root of a square.
struct Against<const N: usize> {
    square: Wide<N>,
    nearest: Ordering,
}

impl<const N: usize> TakeFeature<N> for Against<N> {
    #[inline(never)]
    fn take(&mut self, _: FeaturePair, over: &Wide<N>, under: &Wide<N>) {
        self.nearest = self.nearest.min(over.cmp(&self.square.times(under)));
    }
}

/// True if 0 <= x <= y.
fn is_between<const N: usize>(x: &Wide<N>, y: &Wide<N>) -> bool {
    *x >= Wide::ZERO && x <= y
}

// Functions of their own: the widest numbers take 5 KB each.

/// A corner, and an edge with its first end.
#[inline(never)]
fn corner_and_edge<const N: usize>(
    side: usize,
    own: &[Coordinates<Wide<N>>; 3],
    corner: usize,
    other: &[Coordinates<Wide<N>>; 3],
    edge: usize,
    all: &mut dyn TakeFeature<N>,
) {
    let [start, end] = EDGES[edge];
    let (u, w) = (minus(&other[end], &other[start]), minus(&own[corner], &other[start]));
    let corners = if side == 0 { [corner, start] } else { [start, corner] };
    all.take(FeaturePair::Corners(corners), &dot(&w, &w), &Wide::ONE);
    let (along, length) = (dot(&u, &w), dot(&u, &u));
    if length != Wide::ZERO && is_between(&along, &length) {
        let n = cross(&u, &w);
        all.take(FeaturePair::CornerAndEdge { side, corner, edge }, &dot(&n, &n), &length);
    }
}

#[inline(never)]
fn corners_and_inside<const N: usize>(
    side: usize,
    corners: &[Coordinates<Wide<N>>; 3],
    t: &[Coordinates<Wide<N>>; 3],
    all: &mut dyn TakeFeature<N>,
) {
    let n = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    let length = dot(&n, &n);
    if length == Wide::ZERO {
        return;
    }
    for (corner, v) in corners.iter().enumerate() {
        let faces = |i: usize| {
            let inwards = cross(&n, &minus(&t[(i + 1) % 3], &t[i]));
            dot(&inwards, &minus(v, &t[i])) >= Wide::ZERO
        };
        if (0..3).all(faces) {
            let height = dot(&n, &minus(v, &t[0]));
            all.take(FeaturePair::CornerAndInside { side, corner }, &height.times(&height), &length);
        }
    }
}

#[inline(never)]
fn edges<const N: usize>(
    p: &[Coordinates<Wide<N>>; 3],
    i: usize,
    q: &[Coordinates<Wide<N>>; 3],
    k: usize,
    all: &mut dyn TakeFeature<N>,
) {
    let ([a, b], [c, d]) = (EDGES[i], EDGES[k]);
    let (u, v, w) = (minus(&p[b], &p[a]), minus(&q[d], &q[c]), minus(&q[c], &p[a]));
    let n = cross(&u, &v);
    let length = dot(&n, &n);
    // p + x u and r + y v are nearest for x = (w x v).n / n.n and y = (w x u).n / n.n.
    if length != Wide::ZERO
        && is_between(&dot(&cross(&w, &v), &n), &length)
        && is_between(&dot(&cross(&w, &u), &n), &length)
    {
        let apart = dot(&n, &w);
        all.take(FeaturePair::Edges([i, k]), &apart.times(&apart), &length);
    }
}
