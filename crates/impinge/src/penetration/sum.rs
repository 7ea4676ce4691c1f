//! Six times the integral of the product of two solids' winding numbers, as a sum over faces.
//!
//! # The sum
//! Let v and w be the winding numbers of A and B. The divergence of (x - o) / 3 is 1, and v and w change on
//! the faces alone. So the integral of v w is 1/3 of a sum over all faces of A and of B. The summand of a
//! face of A is (p - o) . n times the integral of w over the face, with a point p of the face's plane and its
//! normal n. A face of B has v in place of w (after Franklin 1987, who sums over polygons).
//!
//! The integral of w over a face, times n, is half the sum of w (x x dx) along its boundary, and of the jumps
//! of w times x x dx along the segments in which the face meets B. Such a vector is parallel to n, so (p - o)
//! . n times the integral is the product of p - o with the vector: no normal is calculated, and slivers do no
//! harm. In all, six times the volume is the sum over faces of p . L, all points relative to o, where L is
//! the sum of
//!
//! * for each segment from y to z in which the face meets a face of the other body: y x z, the back of that
//!   other face being on the left;
//! * for each edge: m x Y, where Y is the sum of c_k y_k over its *events* y_k. These are the points where
//!   the edge runs through the other body, and its ends inside. c_k is the fall of the winding number there,
//!   which counts as 0 beyond the ends of the edge. For on a line x x dx is m x dx, with any point m of the
//!   line, and all c_k add up to 0. Here m is one of the events, and so nothing is sorted.
//!
//! p is an event, too. So all points of the calculation lie in the box that both bodies have in common, and
//! long edges make no large numbers that cancel. A small translation of B changes winding numbers only in a
//! small volume, so degenerate contacts are decided by such a translation (`pierce.rs`).
//!
//! Every number carries a bound of its error, roundings included ([`RoundedNumber`]).
use super::overlay::{Met, Overlay, OverlayMemory};
use crate::posed::probe::{Algebra, Coordinates, Number, RoundedNumber};
use std::ops::ControlFlow;

/// The sum over all faces that are laid over the other body. Breaks if it is stopped.
pub(super) fn six_times(overlay: &Overlay<'_>, memory: &OverlayMemory) -> ControlFlow<(), RoundedNumber> {
    let mut sum = RoundedNumber::ZERO;
    for x in 0..2 {
        for t in overlay.laid(x) {
            overlay.stop.check()?;
            if let Some(part) = of_face(overlay, memory, x, t) {
                sum = sum.plus(&part);
            }
        }
    }
    ControlFlow::Continue(sum)
}

/// The summand of a face; `None` if the other body neither winds round it nor meets it.
pub(super) fn of_face(
    overlay: &Overlay<'_>,
    memory: &OverlayMemory,
    x: usize,
    t: u32,
) -> Option<RoundedNumber> {
    let corners = overlay.bodies[x].model.mesh().triangles()[t as usize];
    let w = corners.map(|v| memory.windings[x][v as usize]);
    let at = |k: usize| memory.points.point(x, corners[k]);
    match overlay.met(x, t, memory) {
        Some(met) => Some(part(met, w, at)),
        // All of it is inside.
        None if w[0] != 0 => Some(cone([at(0), at(1), at(2)]).times(&RoundedNumber::small(w[0]))),
        None => None,
    }
}

/// p . L of a face with the winding number 1 all over it.
pub(super) fn cone([p, q, r]: [Coordinates<RoundedNumber>; 3]) -> RoundedNumber {
    q.difference(&p).cross(&r.difference(&p)).dot(&p)
}

/// p . L of a face that the other body meets, whose corners have these winding numbers.
fn part(met: &Met, w: [i32; 3], at: impl Fn(usize) -> Coordinates<RoundedNumber>) -> RoundedNumber {
    let mut all = met.along;
    for (k, edge) in met.edges.iter().enumerate() {
        let (mut sum, mut point) = (edge.sum, edge.point);
        for (end, falls) in [(k, -1), ((k + 1) % 3, 1)] {
            if w[end] != 0 {
                let corner = at(end);
                sum = sum.sum(&corner.scaled(&RoundedNumber::small(falls * w[end])));
                point.get_or_insert(corner);
            }
        }
        if let Some(point) = point {
            all = all.sum(&point.cross(&sum));
        }
    }
    met.point.dot(&all)
}
