//! A point that two triangles share, in floating point: for people and pictures, not for decisions.

use crate::motion::{largest, shrinking};

use crate::vector::{Vector, cross, dot, sub};

fn along(a: Vector, d: Vector, s: f64) -> Vector {
    std::array::from_fn(|k| a[k] + d[k] * s)
}

/// Midway between a closest pair of points of two triangles known to meet; exact but for rounding.
///
/// Two triangles that meet do so at a vertex of one on the other, where two edges cross, or where an edge pierces a face:
/// the candidate whose two points are closest wins.
pub(crate) fn point(p: &[Vector; 3], q: &[Vector; 3]) -> Vector {
    // At a size of about 1, so that no product over- or underflows, and near the origin of the pair, so that site coordinates
    // do not eat the digits.
    let scale = shrinking(largest(p.iter().chain(q).flatten().map(|x| x.abs())));
    let o = p[0].map(|x| x * scale);
    let local = |v: &Vector| -> Vector { std::array::from_fn(|k| v[k] * scale - o[k]) };
    let (p, q) = (p.each_ref().map(local), q.each_ref().map(local));
    let mut best = (f64::INFINITY, [0.0; 3]);
    let mut offer = |a: Vector, b: Vector| {
        let d = sub(a, b);
        let gap = dot(d, d);
        if gap < best.0 {
            best = (gap, std::array::from_fn(|k| a[k] + (b[k] - a[k]) / 2.0));
        }
    };
    for i in 0..3 {
        for j in 0..3 {
            let (a, b) = closest_on_segments([p[i], p[(i + 1) % 3]], [q[j], q[(j + 1) % 3]]);
            offer(a, b);
        }
    }
    for (face, other) in [(&p, &q), (&q, &p)] {
        for i in 0..3 {
            if let Some(x) = pierce(face, other[i], other[(i + 1) % 3]) {
                offer(x, x);
            }
            if let Some(x) = foot(face, other[i]) {
                offer(x, other[i]);
            }
        }
    }
    std::array::from_fn(|k| (best.1[k] + o[k]) / scale)
}

/// Where the segment a b crosses the plane of the triangle, if it does so inside of it.
fn pierce(t: &[Vector; 3], a: Vector, b: Vector) -> Option<Vector> {
    let n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let (da, db) = (dot(n, sub(a, t[0])), dot(n, sub(b, t[0])));
    let s = da / (da - db);
    (da * db <= 0.0 && s.is_finite()).then(|| along(a, sub(b, a), s)).filter(|&x| contains(t, n, x))
}

/// The foot of the perpendicular from `x` on the triangle's plane, if it lies in the triangle.
fn foot(t: &[Vector; 3], x: Vector) -> Option<Vector> {
    let n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let s = -dot(n, sub(x, t[0])) / dot(n, n);
    s.is_finite().then(|| along(x, n, s)).filter(|&f| contains(t, n, f))
}

fn contains(t: &[Vector; 3], n: Vector, x: Vector) -> bool {
    (0..3).all(|i| dot(n, cross(sub(t[(i + 1) % 3], t[i]), sub(x, t[i]))) >= 0.0)
}

/// Closest points of two segments (Ericson, Real-Time Collision Detection, 5.1.9), which may be points.
fn closest_on_segments([a, b]: [Vector; 2], [c, d]: [Vector; 2]) -> (Vector, Vector) {
    let (u, v, r) = (sub(b, a), sub(d, c), sub(a, c));
    let (uu, vv, uv) = (dot(u, u), dot(v, v), dot(u, v));
    let (ur, vr) = (dot(u, r), dot(v, r));
    let fraction = |num: f64, den: f64| if den > 0.0 { (num / den).clamp(0.0, 1.0) } else { 0.0 };
    let s = fraction(uv * vr - ur * vv, uu * vv - uv * uv);
    let t = fraction(uv * s + vr, vv);
    // `t` may have been clamped: the closest `s` to it.
    let s = fraction(uv * t - ur, uu);
    (along(a, u, s), along(c, v, t))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [Vector; 3] = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]];

    #[test]
    fn finds_the_shared_point() {
        let at = |q: [Vector; 3]| point(&FLOOR, &q);
        // An edge through the face.
        assert_eq!(at([[1., 1., -1.], [1., 1., 1.], [9., 9., 5.]]), [1., 1., 0.]);
        // A vertex on the face, a vertex on a vertex, crossing edges.
        assert_eq!(at([[1., 2., 0.], [1., 2., 1.], [2., 2., 1.]]), [1., 2., 0.]);
        assert_eq!(at([[0., 0., 0.], [-1., 0., 1.], [-1., -1., 1.]]), [0., 0., 0.]);
        assert_eq!(at([[2., -1., 0.], [2., 0., 0.], [2., -1., 5.]]), [2., 0., 0.]);
        // Coplanar: inside, and a degenerate point on the face, in site coordinates.
        let [x, y, z] = at([[1., 1., 0.], [2., 1., 0.], [1., 2., 0.]]);
        assert!(x >= 1. && y >= 1. && x + y <= 3. && z == 0.);
        // Of any size.
        for size in [1e300, 1e-300, 1e-320] {
            let at = |v: [Vector; 3]| v.map(|v| v.map(|c| c * size));
            let q = at([[1., 2., 0.], [1., 2., 1.], [2., 2., 1.]]);
            assert_eq!(point(&at(FLOOR), &q), q[0]);
        }
        let far = FLOOR.map(|v| v.map(|c| c + 4e6));
        assert_eq!(point(&far, &[[4e6 + 1., 4e6 + 1., 4e6]; 3]), [4e6 + 1., 4e6 + 1., 4e6]);
    }
}
