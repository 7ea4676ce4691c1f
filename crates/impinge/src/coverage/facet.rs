//! The distance of a point from one triangle of an element.
use super::near_point::NearPoint;
use crate::vector::{Triangle, UNIT, Vector, cross, dot, length, sub};

/// An upper bound of the distance of a point from a triangle with corners that are rounded once.
///
/// The distance from any point of the triangle is one. A point a + s u + t v is within 16 u X of the triangle on
/// each axis, X being the largest coordinate; the corners and the difference add 4 u X.
pub(super) fn most_to_triangle(point: &NearPoint, triangle: &Triangle) -> f64 {
    let y = near(&point.at, triangle);
    let size = triangle.iter().chain([&point.at]).flatten().map(|x| x.abs()).fold(0.0, f64::max);
    let far = length(sub(point.at, y));
    // An overflow, or a triangle for which the place is no number.
    if !far.is_finite() {
        return f64::INFINITY;
    }
    (far * (1.0 + 8.0 * UNIT) + 64.0 * UNIT * size + point.off + 1e-150).next_up()
}

/// The point of a triangle that is nearest to a point, by floating point: that in its plane if it is inside,
/// else the nearest one of its edges.
fn near(x: &Vector, [a, b, c]: &Triangle) -> Vector {
    let (u, v, w) = (sub(*b, *a), sub(*c, *a), sub(*x, *a));
    let n = cross(u, v);
    let square = dot(n, n);
    let (s, t) = (dot(cross(w, v), n) / square, dot(cross(u, w), n) / square);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        return [0, 1, 2].map(|k| a[k] + (s * u[k] + t * v[k]));
    }
    let edges = [[a, b], [b, c], [c, a]].map(|[p, q]| {
        let way = sub(*q, *p);
        let place = (dot(sub(*x, *p), way) / dot(way, way)).clamp(0.0, 1.0);
        // A corner that repeats has no way.
        let place = if place.is_nan() { 0.0 } else { place };
        [0, 1, 2].map(|k| p[k] + place * way[k])
    });
    let far = |y: &Vector| length(sub(*x, *y));
    edges.into_iter().min_by(|y, z| far(y).total_cmp(&far(z))).unwrap_or(*a)
}
