//! How far two placed triangles are from each other, compared with a number: exactly.
//!
//! The nearest points of two triangles that do not meet lie in two features (corners, edges, insides) and on
//! a common perpendicular of them. So the distance is the least among all pairs of features whose common
//! perpendicular has its feet in them; each of these is the distance of two points of the triangles, and so
//! never less. With w the difference of a point of the one and of the other, u and v edges, n a normal:
//!
//! | features | distance^2 | degree | feet |
//! |---|---|---|---|
//! | corner, corner | w.w | 2 | |
//! | corner, edge | \|u x w\|^2 / u.u | 4 | 0 <= u.w <= u.u |
//! | corner, inside | (n.w)^2 / n.n | 6 | (n x e).w >= 0 for the three edges e |
//! | edge, edge | ((u x v).w)^2 / \|u x v\|^2 | 6 | 0 <= s, t <= \|u x v\|^2 |
//!
//! Where u, n or u x v is 0 the row is left out: a segment has no inside, and of parallel edges that face
//! each other a corner faces the other edge. Nothing is divided: d^2 times the divisor is compared.
//!
//! # Sizes
//! Coordinates are integers of L bits, d among them. A difference has L + 1, a component of n or u x v 2 L +
//! 3, n.w 3 L + 6, and its square, like d^2 n.n, 6 L + 13 at most.
use super::{
    Poses,
    lattice::{DyadicTransform, ExponentRange, Lattice, Points},
    probe::{Exact, Place, Point, Space, at_limbs, cross, dot, minus},
    wide::Wide,
};
use crate::Pose;
use std::cmp::Ordering;

type Triangle = [[f64; 3]; 3];

/// Two triangles at poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleAt<'a> {
    pub(crate) pose: &'a Pose,
    pub(crate) corners: &'a Triangle,
}

/// Compares the distance of two placed triangles with d >= 0, over the real numbers.
pub(crate) fn compare(a: TriangleAt<'_>, b: TriangleAt<'_>, d: f64) -> Ordering {
    if Poses::new(a.pose, b.pose).meet(a.corners, b.corners) {
        return if d > 0.0 { Ordering::Less } else { Ordering::Equal };
    }
    if d == 0.0 {
        return Ordering::Greater;
    }
    let space = space([&a, &b], d);
    at_limbs!(space.limbs, N => of_disjoint::<N>(&space, [&a, &b], d))
}

fn space(triangles: [&TriangleAt<'_>; 2], d: f64) -> Space {
    // Equal poses are not left out: they may change lengths.
    let maps = triangles.map(|t| DyadicTransform::new(t.pose.rows(), t.pose.translation()));
    let span = |k: usize| maps[k].span(&Points::<1>::ranges(triangles[k].corners));
    let lattice = Lattice::new(span(0).and(span(1)).and(ExponentRange::of(d)));
    Space::with_bits(maps, lattice, 6 * lattice.bits + 13)
}

fn of_disjoint<const N: usize>(space: &Space, [a, b]: [&TriangleAt<'_>; 2], d: f64) -> Ordering {
    let exact = Exact::<N>(space);
    // One by one: as a pair they would be copied, which without optimisation takes much of the stack.
    let p = exact.corners(0, a.corners);
    let q = exact.corners(1, b.corners);
    let d = space.length(d);
    let mut all = Features { square: d.times(&d), nearest: Ordering::Greater };
    let edges = [[0, 1], [1, 2], [2, 0]];
    for (own, other) in [(&p, &q), (&q, &p)] {
        for v in own {
            for [i, j] in edges {
                all.corner_and_edge(v, [&other[i], &other[j]]);
            }
        }
        all.corners_and_inside(own, other);
    }
    for [i, j] in edges {
        for [k, l] in edges {
            all.edges([&p[i], &p[j]], [&q[k], &q[l]]);
        }
    }
    all.nearest
}

/// How the least distance of the pairs of features so far compares.
struct Features<const N: usize> {
    /// d^2.
    square: Wide<N>,
    nearest: Ordering,
}

/// Whether 0 <= x <= y.
fn is_between<const N: usize>(x: &Wide<N>, y: &Wide<N>) -> bool {
    *x >= Wide::ZERO && x <= y
}

// Functions of their own: the widest numbers take 5 KB each.
impl<const N: usize> Features<N> {
    /// A distance whose square is `over` by `under`.
    #[inline(never)]
    fn take(&mut self, over: &Wide<N>, under: &Wide<N>) {
        self.nearest = self.nearest.min(over.cmp(&self.square.times(under)));
    }
    /// A corner, and an edge with its ends.
    #[inline(never)]
    fn corner_and_edge(&mut self, v: &Point<Wide<N>>, [p, q]: [&Point<Wide<N>>; 2]) {
        let (u, w) = (minus(q, p), minus(v, p));
        self.take(&dot(&w, &w), &Wide::ONE);
        let (along, length) = (dot(&u, &w), dot(&u, &u));
        if length != Wide::ZERO && is_between(&along, &length) {
            let n = cross(&u, &w);
            self.take(&dot(&n, &n), &length);
        }
    }
    #[inline(never)]
    fn corners_and_inside(&mut self, corners: &[Point<Wide<N>>; 3], t: &[Point<Wide<N>>; 3]) {
        let n = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
        let length = dot(&n, &n);
        if length == Wide::ZERO {
            return;
        }
        for v in corners {
            let faces = |i: usize| {
                let inwards = cross(&n, &minus(&t[(i + 1) % 3], &t[i]));
                dot(&inwards, &minus(v, &t[i])) >= Wide::ZERO
            };
            if (0..3).all(faces) {
                let height = dot(&n, &minus(v, &t[0]));
                self.take(&height.times(&height), &length);
            }
        }
    }
    #[inline(never)]
    fn edges(&mut self, [p, q]: [&Point<Wide<N>>; 2], [r, s]: [&Point<Wide<N>>; 2]) {
        let (u, v, w) = (minus(q, p), minus(s, r), minus(r, p));
        let n = cross(&u, &v);
        let length = dot(&n, &n);
        // p + x u and r + y v are nearest for x = (w x v).n / n.n and y = (w x u).n / n.n.
        if length != Wide::ZERO
            && is_between(&dot(&cross(&w, &v), &n), &length)
            && is_between(&dot(&cross(&w, &u), &n), &length)
        {
            let apart = dot(&n, &w);
            self.take(&apart.times(&apart), &length);
        }
    }
}
