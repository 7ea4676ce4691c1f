//! Test that polygons are certainly apart.
use crate::vector::{Triangle, Vector, cross, dot, sub};

/// The least and the greatest coordinates of points.
pub(super) fn box_of(points: &[Vector]) -> [Vector; 2] {
    points.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[lo, hi], p| {
        // `f64::min` takes twice as long, for NaN.
        [
            [0, 1, 2].map(|k| if p[k] < lo[k] { p[k] } else { lo[k] }),
            [0, 1, 2].map(|k| if p[k] > hi[k] { p[k] } else { hi[k] }),
        ]
    })
}

/// True if the box of a polygon is apart from that of a triangle by more than `room`.
pub(super) fn box_is_apart([lo, hi]: &[Vector; 2], q: &Triangle, room: f64) -> bool {
    (0..3).any(|k| q.iter().all(|p| p[k] - hi[k] > room) || q.iter().all(|p| lo[k] - p[k] > room))
}

/// True if a direction separates a convex polygon from a triangle: then they certainly have no point in
/// common. Corners may be off by a third of `room`. Values along a direction round by less than 8 u of the
/// size of coordinates, which `room` covers. [`box_is_apart`] has tried the axes.
pub(super) fn are_apart(p: &[Vector], q: &Triangle, room: f64) -> bool {
    let range = |points: &[Vector], w: &Vector| {
        points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], x| {
            let s = dot(*w, *x);
            [if s < least { s } else { least }, if s > most { s } else { most }]
        })
    };
    let separates = |w: Vector| {
        let (of_p, of_q) = (range(p, &w), range(q, &w));
        let room = room * (w[0].abs() + w[1].abs() + w[2].abs());
        of_q[0] - of_p[1] > room || of_p[0] - of_q[1] > room
    };
    let edge = |points: &[Vector], i: usize| sub(points[(i + 1) % points.len()], points[i]);
    let v = [edge(q, 0), edge(q, 1), edge(q, 2)];
    let m = cross(v[0], v[1]);
    // The triangle's plane first: such planes divide cells.
    if separates(m) {
        return true;
    }
    let n = cross(edge(p, 0), edge(p, 1));
    separates(n)
        // For polygons in one plane: most are, where parts are flush.
        || v.iter().any(|v| separates(cross(m, *v)))
        || (0..p.len()).any(|i| separates(cross(n, edge(p, i))))
        || (0..p.len()).any(|i| v.iter().any(|v| separates(cross(edge(p, i), *v))))
}
