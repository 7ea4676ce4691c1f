//! A point that two triangles share, and their normals, in floating point: for people and pictures, not for
//! decisions.

use crate::{
    Pose,
    triangle::{
        closest::{RoundedTrianglePair, nearest},
        places::IntersectionVertices,
    },
    vector::{Vector, dot, largest, shrinking},
};

/// A point that two placed triangles share, their unit normals, and true if they share any point, which is
/// exact.
///
/// The point is the mean of the ends of the intersection (`IntersectionVertices`). Each of these is rounded
/// as follows, with u = 2^-53 and m the largest size of a corner's coordinate along the axis at hand. x = a
/// (1 - s) + b s: a and b are rounded, u m; s is off by 4 u, 8 u m; and 1 - s, the products and the sum, 3 u
/// m. The mean of up to 21: weights and products 2 u m, sums 20 u m. In all 34 u m, less than 2^-47 m.
///
/// A normal comes with components off by u of the largest. The sum of squares, its root, and the division:
/// less than 6 u more, in all less than 2^-50.
pub(crate) fn contact(
    a: &Pose,
    p: &[Vector; 3],
    b: &Pose,
    q: &[Vector; 3],
) -> (Vector, [Option<Vector>; 2], bool) {
    let places = IntersectionVertices::of(a, p, b, q);
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
            // Rounding must not move the mean beyond the ends.
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

/// x held between two numbers. NaN, which comes of corners beyond f64, stays NaN: `clamp` would panic if the
/// numbers are NaN, too.
fn held(x: f64, least: f64, most: f64) -> f64 {
    if x < least {
        least
    } else if x > most {
        most
    } else {
        x
    }
}

/// The unit vector of a vector whose largest component is about 2^62.
fn unit(n: Vector) -> Vector {
    let length = dot(n, n).sqrt();
    n.map(|x| x / length)
}

/// The point midway between the closest points of two triangles that do not meet. Its rounding is not
/// bounded.
fn midway(p: &[Vector; 3], q: &[Vector; 3]) -> Vector {
    // At a size of about 1, so that no product over- or underflows, and near the origin of the pair, so that
    // large coordinates cost no digits.
    let scale = shrinking(largest(p.iter().chain(q).flatten().map(|x| x.abs())));
    let o = p[0].map(|x| x * scale);
    let local = |v: &Vector| -> Vector { std::array::from_fn(|k| v[k] * scale - o[k]) };
    let (p, q) = (p.each_ref().map(local), q.each_ref().map(local));
    let [a, b] = nearest(&RoundedTrianglePair { p, q, off: 0.0 }).points;
    std::array::from_fn(|k| (a[k] + (b[k] - a[k]) / 2.0 + o[k]) / scale)
}

#[cfg(test)]
mod tests;
