//! A point that two triangles share, and their normals, in floating point: for people and pictures, not for
//! decisions.

use crate::{
    Pose,
    triangle::places::Places,
    vector::{Vector, cross, dot, largest, shrinking, sub},
};

/// A point that two placed triangles share, their unit normals, and whether they share any point: exactly.
///
/// The point is the mean of the ends of the intersection (`Places`). Each of these is rounded as follows,
/// with u = 2^-53 and m the largest size of a corner's coordinate along the axis at hand. x = a (1 - s) + b
/// s: a and b are rounded, u m; s is off by 4 u, 8 u m; and 1 - s, the products and the sum, 3 u m. The mean
/// of up to 21: weights and products 2 u m, sums 20 u m. In all 34 u m, less than 2^-47 m.
///
/// A normal comes with components off by u of the largest. The sum of squares, its root, and the division:
/// less than 6 u more, in all less than 2^-50.
pub(crate) fn contact(
    a: &Pose,
    p: &[Vector; 3],
    b: &Pose,
    q: &[Vector; 3],
) -> (Vector, [Option<Vector>; 2], bool) {
    let places = Places::of(a, p, b, q);
    let (p, q) = (p.map(|v| a.place(v)), q.map(|v| b.place(v)));
    let corners = [p[0], p[1], p[2], q[0], q[1], q[2]];
    let ends = || places.as_slice().iter().map(|at| between(corners[at.from], corners[at.to], at.along));
    let weight = 1.0 / places.as_slice().len() as f64;
    let point = if places.as_slice().is_empty() {
        midway(&p, &q)
    } else {
        std::array::from_fn(|k| {
            let of = |start: f64, pick: fn(f64, f64) -> f64| ends().fold(start, |x, end| pick(x, end[k]));
            let mean: f64 = ends().map(|end| end[k] * weight).sum();
            // Neither beyond the ends by rounding.
            held(mean, of(f64::INFINITY, f64::min), of(f64::NEG_INFINITY, f64::max))
        })
    };
    (point, places.normals.map(|normal| normal.map(unit)), !places.as_slice().is_empty())
}

/// a (1 - s) + b s, between a and b in each coordinate.
fn between(a: Vector, b: Vector, s: f64) -> Vector {
    std::array::from_fn(|k| {
        let (a, b) = (a[k], b[k]);
        // Also where both are infinite.
        if a == b { a } else { held(a * (1.0 - s) + b * s, a.min(b), a.max(b)) }
    })
}

/// Between two numbers. NaN, which comes of corners beyond f64, stays NaN: `clamp` would panic where these
/// are NaN, too.
fn held(x: f64, least: f64, most: f64) -> f64 {
    if x < least {
        least
    } else if x > most {
        most
    } else {
        x
    }
}

/// The unit vector of one whose largest component is about 2^62.
fn unit(n: Vector) -> Vector {
    let length = dot(n, n).sqrt();
    n.map(|x| x / length)
}

fn along(a: Vector, d: Vector, s: f64) -> Vector {
    std::array::from_fn(|k| a[k] + d[k] * s)
}

/// Midway between a closest pair of points of two triangles, but for rounding, which is not bounded: for
/// triangles that do not meet.
///
/// Two triangles that touch do so at a vertex of one on the other, where two edges cross, or where an edge
/// pierces a face: the candidate whose two points are closest wins.
fn midway(p: &[Vector; 3], q: &[Vector; 3]) -> Vector {
    // At a size of about 1, so that no product over- or underflows, and near the origin of the pair, so that
    // site coordinates do not eat the digits.
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
mod tests;
