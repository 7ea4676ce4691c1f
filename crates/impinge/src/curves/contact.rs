//! The intersection of two triangles: its vertices, each by the features of both in whose relative interiors
//! it lies.
//!
//! # Definition
//! A *carrier* is a set of corners of a triangle, as bits: of a point of the triangle, those of the feature
//! in whose relative interior the point lies. A degenerate triangle is one or two segments between corners
//! that follow each other on its line (its *legs*), or a point: then no corner lies inside a feature.
//!
//! The intersection of two simplices is convex. A vertex of it is a corner of one that lies in the other; or
//! where an edge of one runs through the inside of the other, a triangle, from one side of its plane to the
//! other; or where two edges cross inside of both.
use crate::{exact::Predicates, triangle::exact::lexicographic};
use std::cmp::Ordering;

/// A carrier in each of two triangles.
pub(super) type Carriers = [u8; 2];

/// The intersection of two simplices. One vertex is a point, two are a segment, and more are the corners of a
/// convex polygon in the order of its boundary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The simplices, as sets of corners.
    pub(super) of: Carriers,
    pub(super) vertices: [Carriers; Cell::MOST],
    pub(super) len: usize,
    /// For each side of a polygon, from each vertex to the next one: the corner of its triangle that lies
    /// across the edge on which the side lies (3 to 5 are the second triangle's), and whether the polygon
    /// lies on the left of the side, seen along [`Cell::axis`], as it runs in lexicographic order.
    pub(super) sides: [(u8, bool); Cell::MOST],
    /// The first axis along which a polygon's plane is not seen as a line.
    pub(super) axis: usize,
}

const WHOLE: u8 = 7;

impl Cell {
    /// Two triangles have six vertices in common at most, in one plane.
    pub(super) const MOST: usize = 6;

    fn new(of: Carriers) -> Self {
        Self { of, vertices: [[0; 2]; Self::MOST], len: 0, sides: [(0, false); Self::MOST], axis: 0 }
    }
    fn push(&mut self, vertex: Carriers) {
        if !self.vertices[..self.len].contains(&vertex) {
            self.vertices[self.len] = vertex;
            self.len += 1;
        }
    }
    /// The corners that neither end's carrier has, 3 to 5 those of the second: edges across from them hold
    /// both ends.
    fn common_edges(&self, i: usize, j: usize) -> u8 {
        let beside = |x: usize| WHOLE & !self.vertices[i][x] & !self.vertices[j][x];
        beside(0) | beside(1) << 3
    }
    /// Whether a segment runs along no edge.
    pub(super) fn is_inside(&self) -> bool {
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

fn ends(edge: u8, first: usize) -> [usize; 2] {
    let mut all = corners(edge, first);
    [all.next(), all.next()].map(|k| k.unwrap_or(first))
}

/// The simplices that a triangle is.
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

/// Hands on what two triangles have in common, simplex by simplex: points 0, 1, 2 are the one, 3, 4, 5 the
/// other.
pub(super) fn cells(g: &dyn Predicates, each: &mut dyn FnMut(&Cell)) {
    let ((of_a, m), (of_b, n)) = (simplices(g, 0), simplices(g, 3));
    for &a in &of_a[..m] {
        for &b in &of_b[..n] {
            let mut cell = Cell::new([a, b]);
            find(g, &mut cell);
            if cell.len > 2 {
                arrange(g, &mut cell);
            }
            if cell.len > 0 {
                each(&cell);
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

fn find(g: &dyn Predicates, cell: &mut Cell) {
    let [a, b] = cell.of;
    let sides = [sides(g, a, b, 0), sides(g, b, a, 3)];
    for x in 0..2 {
        let (first, other) = (3 * x, 3 - 3 * x);
        for i in corners(cell.of[x], first) {
            if sides[x].is_none_or(|sides| sides[i - first] == 0)
                && let Some(carrier) = carrier(g, i, cell.of[1 - x], other)
            {
                let own = 1 << (i - first);
                cell.push(if x == 0 { [own, carrier] } else { [carrier, own] });
            }
        }
        let Some(sides) = sides[x] else { continue };
        for edge in edges(cell.of[x]) {
            let [p, q] = ends(edge, first);
            if sides[p - first] * sides[q - first] >= 0 {
                continue;
            }
            // Seen along the edge, the other triangle goes round it.
            let turn = g.orient3d(p, q, other, other + 1);
            let rest = [[other + 1, other + 2], [other + 2, other]];
            if turn != 0 && rest.iter().all(|&[r, s]| g.orient3d(p, q, r, s) == turn) {
                cell.push(if x == 0 { [edge, WHOLE] } else { [WHOLE, edge] });
            }
        }
    }
    // Inside of an edge, only what crosses the other's plane or lies in it.
    let may_cross = |x: usize, edge: u8| {
        sides[x].is_none_or(|sides| {
            let [p, q] = ends(edge, 0);
            sides[p] == -sides[q]
        })
    };
    for e in edges(a).filter(|&e| may_cross(0, e)) {
        for f in edges(b).filter(|&f| may_cross(1, f)) {
            if cross(g, ends(e, 0), ends(f, 3)) {
                cell.push([e, f]);
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

/// Whether two edges cross, each between the other's ends.
fn cross(g: &dyn Predicates, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    // Along an axis along which their plane is seen as a line, no side is strict.
    g.orient3d(a, b, c, d) == 0
        && (0..3).any(|axis| {
            let side = |x, y, z| g.orient2d(axis, x, y, z);
            side(c, d, a) * side(c, d, b) < 0 && side(a, b, c) * side(a, b, d) < 0
        })
}

/// Puts a polygon's vertices in the order of its boundary. Two of them follow each other if and only if an
/// edge holds both: the polygon lies on one side of the edge's line.
fn arrange(g: &dyn Predicates, cell: &mut Cell) {
    for i in 0..cell.len - 1 {
        // The first one left: both ways round are the same polygon.
        let next = (i + 1..cell.len).find(|&j| cell.common_edges(i, j) != 0);
        cell.vertices.swap(i + 1, next.unwrap_or(i + 1));
    }
    cell.axis = g.view([0, 1, 2]).map_or(0, |(axis, _)| axis);
    for i in 0..cell.len {
        let across = cell.common_edges(i, (i + 1) % cell.len).trailing_zeros() as usize % 6;
        let (first, k) = (across / 3 * 3, across % 3);
        let [p, q] = [first + (k + 1) % 3, first + (k + 2) % 3];
        let turn = g.orient2d(cell.axis, p, q, across);
        cell.sides[i] = (across as u8, (turn > 0) == lexicographic(g, p, q).is_lt());
    }
}
