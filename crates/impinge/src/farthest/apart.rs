//! Test that polygons are certainly apart.
use crate::vector::{Triangle, Vector, cross, dot, sub};

/// True if a direction separates a convex polygon from a triangle: then they certainly have no point in
/// common. Corners may be off by a third of `room`. Values along a direction round by less than 8 u of the
/// size of coordinates, which `room` covers.
pub(super) fn are_apart(p: &[Vector], q: &Triangle, room: f64) -> bool {
    let range = |points: &[Vector], w: &Vector| {
        points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], x| {
            let s = dot(*w, *x);
            [least.min(s), most.max(s)]
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
    if separates([1.0, 0.0, 0.0]) || separates([0.0, 1.0, 0.0]) || separates([0.0, 0.0, 1.0]) {
        return true;
    }
    let n = cross(edge(p, 0), edge(p, 1));
    separates(n)
        || (0..p.len()).any(|i| v.iter().any(|v| separates(cross(edge(p, i), *v))))
        // For polygons in one plane.
        || v.iter().any(|v| separates(cross(m, *v)))
        || (0..p.len()).any(|i| separates(cross(n, edge(p, i))))
}
