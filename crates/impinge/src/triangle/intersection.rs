//! The intersection of two triangles: its vertices, each by the features of both in whose relative interiors
//! it lies.
//!
//! # Definition
//! The *carrier* of a point of a triangle is a set of corners, as bits: those of the feature in whose
//! relative interior the point lies. A degenerate triangle is one or two segments between corners that follow
//! each other on its line (its *legs*), or a point: then no corner lies inside a feature.
//!
//! The intersection of two simplices is convex. Its vertices are of three kinds, and come in this order:
//!
//! 1. corners of one that lie in the other, those of the first triangle before those of the second;
//! 2. points where an edge of one runs through the inside of the other, a triangle, from one side of its
//!    plane to the other;
//! 3. points where two edges cross inside of both.
//!
//! Curves use the vertices, and contact points (`triangle/places.rs`) are computed from them. The yes-or-no
//! test (`triangle/exact.rs`) and the kind of a contact (`relation/contact.rs`) need fewer signs and have
//! code of their own.
use super::exact::lexicographic;
use crate::exact::Predicates;
use std::cmp::Ordering;

/// A carrier in each of two triangles.
pub(crate) type Carriers = [u8; 2];

/// The intersection of two simplices. One vertex is a point, two are a segment, and more are the corners of a
/// convex polygon in the order of its boundary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intersection {
    /// The simplices, as sets of corners.
    pub(crate) of: Carriers,
    pub(crate) vertices: [Carriers; Intersection::MOST],
    pub(crate) len: usize,
    /// For each side of a polygon, from each vertex to the next one: the corner of its triangle that lies
    /// across the edge on which the side lies (3 to 5 are the second triangle's), and whether the polygon
    /// lies on the left of the side, seen along [`Intersection::axis`], as it runs in lexicographic order.
    pub(crate) sides: [(u8, bool); Intersection::MOST],
    /// The first axis along which a polygon's plane is not seen as a line.
    pub(crate) axis: usize,
}

/// The carrier of points inside a triangle, and the triangle as a simplex.
pub(crate) const WHOLE: u8 = 7;

impl Intersection {
    /// Two triangles have six vertices in common at most, in one plane.
    pub(crate) const MOST: usize = 6;

    /// The intersection of two simplices, its vertices in no particular order: points 0, 1, 2 are the corners
    /// of the one, 3, 4, 5 those of the other.
    pub(crate) fn find(g: &dyn Predicates, of: Carriers) -> Self {
        let mut shared =
            Self { of, vertices: [[0; 2]; Self::MOST], len: 0, sides: [(0, false); Self::MOST], axis: 0 };
        find(g, &mut shared);
        shared
    }
    pub(crate) fn vertices(&self) -> &[Carriers] {
        &self.vertices[..self.len]
    }
    fn push(&mut self, vertex: Carriers) {
        if !self.vertices().contains(&vertex) {
            self.vertices[self.len] = vertex;
            self.len += 1;
        }
    }
    /// The corners that are in neither vertex's carrier (bits 3 to 5 are the second triangle's): the edges
    /// across from them hold both vertices.
    fn common_edges(&self, i: usize, j: usize) -> u8 {
        let beside = |x: usize| WHOLE & !self.vertices[i][x] & !self.vertices[j][x];
        beside(0) | beside(1) << 3
    }
    /// True if a segment runs along no edge.
    pub(crate) fn is_inside(&self) -> bool {
        self.common_edges(0, 1) == 0
    }
}

fn corners(carrier: u8, first: usize) -> impl Iterator<Item = usize> + Clone {
    (0..3).filter(move |k| carrier >> k & 1 == 1).map(move |k| first + k)
}

/// The edges of a simplex, as carriers.
fn edges(simplex: u8) -> impl Iterator<Item = u8> + Clone {
    [3, 6, 5].into_iter().filter(move |edge| edge & simplex == *edge)
}

/// The corners of an edge. They run round the triangle: the third edge leads back to the first corner.
pub(crate) fn ends(edge: u8, first: usize) -> [usize; 2] {
    let k = [3, 6, 5].iter().position(|&e| e == edge).unwrap_or(0);
    [first + k, first + (k + 1) % 3]
}

/// The simplices that make up a triangle, and their number.
fn simplices(g: &dyn Predicates, first: usize) -> ([u8; 2], usize) {
    let mut sorted = [first, first + 1, first + 2];
    if g.view(sorted).is_some() {
        return ([WHOLE, 0], 1);
    }
    sorted.sort_unstable_by(|&i, &j| lexicographic(g, i, j).then(i.cmp(&j)));
    let bit = |i: usize| 1 << (i - first);
    let (mut legs, mut len, mut last) = ([bit(sorted[0]), 0], 0, sorted[0]);
    for i in [sorted[1], sorted[2]] {
        if lexicographic(g, last, i) == Ordering::Less {
            legs[len] = bit(last) | bit(i);
            len += 1;
            last = i;
        }
    }
    (legs, len.max(1))
}

/// The simplex of the same points: a triangle, or the segment between the outermost corners.
pub(crate) fn hull(g: &dyn Predicates, first: usize) -> u8 {
    let ([leg, other], _) = simplices(g, first);
    leg ^ other
}

/// Passes on the intersection of two triangles, simplex by simplex: points 0, 1, 2 are the one, 3, 4, 5 the
/// other.
pub(crate) fn each(g: &dyn Predicates, take: &mut dyn FnMut(&Intersection)) {
    let ((of_a, m), (of_b, n)) = (simplices(g, 0), simplices(g, 3));
    for &a in &of_a[..m] {
        for &b in &of_b[..n] {
            let mut shared = Intersection::find(g, [a, b]);
            if shared.len > 2 {
                arrange(g, &mut shared);
            }
            if shared.len > 0 {
                take(&shared);
            }
        }
    }
}

/// The three signs of a simplex's points against the plane of the other one, if that is a triangle.
fn sides(g: &dyn Predicates, simplex: u8, other: u8, first: usize) -> Option<[i32; 3]> {
    let from = 3 - first;
    (other == WHOLE).then(|| match simplex {
        WHOLE => g.sides([from, from + 1, from + 2], [first, first + 1, first + 2]),
        _ => {
            let mut sides = [0; 3];
            corners(simplex, 0).for_each(|k| sides[k] = g.orient3d(from, from + 1, from + 2, first + k));
            sides
        }
    })
}

fn find(g: &dyn Predicates, shared: &mut Intersection) {
    let [a, b] = shared.of;
    let sides = [sides(g, a, b, 0), sides(g, b, a, 3)];
    for x in 0..2 {
        let (first, other) = (3 * x, 3 - 3 * x);
        for i in corners(shared.of[x], first) {
            if sides[x].is_none_or(|sides| sides[i - first] == 0)
                && let Some(carrier) = carrier(g, i, shared.of[1 - x], other)
            {
                let own = 1 << (i - first);
                shared.push(if x == 0 { [own, carrier] } else { [carrier, own] });
            }
        }
    }
    for x in 0..2 {
        let (first, other) = (3 * x, 3 - 3 * x);
        let Some(sides) = sides[x] else { continue };
        for edge in edges(shared.of[x]) {
            let [p, q] = ends(edge, first);
            if sides[p - first] * sides[q - first] >= 0 {
                continue;
            }
            // Seen along the edge, the other triangle goes round it.
            let turn = g.orient3d(p, q, other, other + 1);
            let rest = [[other + 1, other + 2], [other + 2, other]];
            if turn != 0 && rest.iter().all(|&[r, s]| g.orient3d(p, q, r, s) == turn) {
                shared.push(if x == 0 { [edge, WHOLE] } else { [WHOLE, edge] });
            }
        }
    }
    // Inside, an edge can only cross another if it crosses the other's plane or lies in it.
    let may_cross = |x: usize, edge: u8| {
        sides[x].is_none_or(|sides| {
            let [p, q] = ends(edge, 0);
            sides[p] == -sides[q]
        })
    };
    for e in edges(a).filter(|&e| may_cross(0, e)) {
        for f in edges(b).filter(|&f| may_cross(1, f)) {
            if cross(g, ends(e, 0), ends(f, 3)) {
                shared.push([e, f]);
            }
        }
    }
}

/// The carrier of a point in a simplex that lies in the same plane, if that is a triangle.
fn carrier(g: &dyn Predicates, i: usize, simplex: u8, first: usize) -> Option<u8> {
    let mut all = corners(simplex, first);
    match simplex.count_ones() {
        1 => g.same(i, all.next()?).then_some(simplex),
        2 => {
            let [p, q] = ends(simplex, first);
            if (0..3).any(|axis| g.orient2d(axis, p, q, i) != 0) {
                return None;
            }
            let (p, q) = if lexicographic(g, p, q).is_lt() { (p, q) } else { (q, p) };
            match (lexicographic(g, p, i), lexicographic(g, i, q)) {
                (Ordering::Equal, _) => Some(1 << (p - first)),
                (_, Ordering::Equal) => Some(1 << (q - first)),
                (Ordering::Less, Ordering::Less) => Some(simplex),
                _ => None,
            }
        }
        _ => {
            let (axis, turn) = g.view([first, first + 1, first + 2])?;
            let mut carrier = WHOLE;
            for k in 0..3 {
                match g.orient2d(axis, first + k, first + (k + 1) % 3, i) * turn {
                    -1 => return None,
                    0 => carrier &= !(1 << ((k + 2) % 3)),
                    _ => {}
                }
            }
            Some(carrier)
        }
    }
}

/// True if two edges cross, each between the other's ends.
fn cross(g: &dyn Predicates, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    g.orient3d(a, b, c, d) == 0 && crossing_axis(g, [a, b], [c, d]).is_some()
}

/// An axis along which two edges of one plane are seen to cross, each between the other's ends. No side is
/// strict along an axis along which their plane is seen as a line.
pub(crate) fn crossing_axis(
    g: &(impl Predicates + ?Sized),
    [a, b]: [usize; 2],
    [c, d]: [usize; 2],
) -> Option<usize> {
    (0..3).find(|&axis| {
        let side = |x, y, z| g.orient2d(axis, x, y, z);
        side(c, d, a) * side(c, d, b) < 0 && side(a, b, c) * side(a, b, d) < 0
    })
}

/// Puts a polygon's vertices in the order of its boundary. Two of them follow each other if and only if an
/// edge holds both: the polygon lies on one side of the edge's line.
fn arrange(g: &dyn Predicates, shared: &mut Intersection) {
    for i in 0..shared.len - 1 {
        // The first one left: both ways round are the same polygon.
        let next = (i + 1..shared.len).find(|&j| shared.common_edges(i, j) != 0);
        shared.vertices.swap(i + 1, next.unwrap_or(i + 1));
    }
    shared.axis = g.view([0, 1, 2]).map_or(0, |(axis, _)| axis);
    for i in 0..shared.len {
        let across = shared.common_edges(i, (i + 1) % shared.len).trailing_zeros() as usize % 6;
        let (first, k) = (across / 3 * 3, across % 3);
        let [p, q] = [first + (k + 1) % 3, first + (k + 2) % 3];
        let turn = g.orient2d(shared.axis, p, q, across);
        shared.sides[i] = (across as u8, (turn > 0) == lexicographic(g, p, q).is_lt());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{
        near_degenerate::{FAMILIES, near_degenerate},
        oracle,
        rng::Rng,
    };
    use crate::{
        Pose,
        exact::{
            DyadicTransform, Fixed, Integer, IntegerPoints, Lattice, TwoTriangles, WIDTHS, Wide, at_size,
            at_width, on_lattice,
        },
    };

    type Triangle = [[f64; 3]; 3];

    fn hulls((a, p): (&Pose, &Triangle), (b, q): (&Pose, &Triangle)) -> Intersection {
        let maps = [a, b].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
        let six = TwoTriangles::new(&maps, [p, q]);
        on_lattice!(at_size, &six, 3, Intersection, g => Intersection::find(g, [hull(g, 0), hull(g, 3)]))
    }

    /// Triangles with common points have vertices, and the order of the triangles does not matter. Returns
    /// the number of vertices.
    fn check(p: (&Pose, &Triangle), q: (&Pose, &Triangle)) -> usize {
        let [there, back] = [hulls(p, q), hulls(q, p)];
        let mut swapped: Vec<Carriers> = back.vertices().iter().map(|&[x, y]| [y, x]).collect();
        swapped.sort_unstable();
        let mut vertices = there.vertices().to_vec();
        vertices.sort_unstable();
        assert_eq!(vertices, swapped, "{p:?} {q:?}");
        assert_eq!(!vertices.is_empty(), oracle::intersects(p.1, p.0, q.1, q.0), "{p:?} {q:?}");
        vertices.len()
    }

    #[test]
    fn vertices_are_there_if_the_oracle_finds_a_common_point() {
        let (mut seen, mut rng) = ([0; Intersection::MOST + 1], Rng::new(34));
        for round in 0..20_000 {
            let mut point = || {
                [0, 1, 2].map(|k| if k == 2 && round % 2 == 0 { 0.0 } else { f64::from(rng.below(4) as u32) })
            };
            let [p, q] = [[point(), point(), point()], [point(), point(), point()]];
            seen[check((&Pose::IDENTITY, &p), (&Pose::IDENTITY, &q))] += 1;
        }
        assert!(seen[..6].iter().all(|&n| n > 100), "{seen:?}");
        let mut meet = 0;
        for i in 0..FAMILIES.len() as u64 * 300 {
            let case = near_degenerate(34, i);
            meet += usize::from(check((&case.pose_p, &case.p), (&case.pose_q, &case.q)) > 0);
        }
        assert!(meet > FAMILIES.len() * 100, "{meet}");
    }
}
