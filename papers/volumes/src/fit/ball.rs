//! Enclosing balls: the smallest (Welzl 1991), nearly the smallest (Larsson and Akenine-Moller 2008),
//! Ritter's.
use crate::primitives::NORMALIZATION_ERROR;
use impinge::hierarchy::{Bounds, round_up};

use impinge::hierarchy::{Vector, cross, dot, sub};

/// Greatest number of points that are all used: that of the extremal points of a 26-DOP.
const FEW: usize = 26;

/// A ball, with the square of its radius.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// The centre.
    pub centre: Vector,
    /// The square of the radius.
    pub square: f64,
}

impl Ball {
    fn around(centre: Vector, p: Vector) -> Self {
        let d = sub(p, centre);
        Self { centre, square: dot(d, d) }
    }
    fn holds(&self, p: Vector) -> bool {
        let d = sub(p, self.centre);
        dot(d, d) <= self.square * (1.0 + 1e-12)
    }
}

/// The smallest ball of a few points, up to rounding (Welzl 1991), with loops instead of recursion. The outer
/// loops fix the points on the surface.
pub(crate) fn smallest(points: &[Vector]) -> Ball {
    let Some(&first) = points.first() else { return Ball { centre: [0.0; 3], square: 0.0 } };
    let mut ball = Ball { centre: first, square: 0.0 };
    for (i, &p) in points.iter().enumerate() {
        if ball.holds(p) {
            continue;
        }
        ball = Ball { centre: p, square: 0.0 };
        for (j, &q) in points[..i].iter().enumerate() {
            if ball.holds(q) {
                continue;
            }
            ball = Ball::around(std::array::from_fn(|k| (p[k] + q[k]) / 2.0), p);
            for (l, &r) in points[..j].iter().enumerate() {
                if ball.holds(r) {
                    continue;
                }
                ball = through_three(p, q, r).unwrap_or(ball);
                for &s in &points[..l] {
                    if !ball.holds(s) {
                        ball = through_four(p, q, r, s).unwrap_or(ball);
                    }
                }
            }
        }
    }
    ball
}

/// The smallest ball of all points if they are few; otherwise that of the extremal points only, which need
/// not contain the others. It is nearly the smallest, in linear time (Larsson and Akenine-Moller 2008,
/// section 2).
pub fn of_extremal(points: &[Vector], ends: &[[Vector; 2]]) -> Ball {
    smallest(if points.len() <= FEW { points } else { ends.as_flattened() })
}

/// Margin that [`stored`] adds to a radius beyond rounding. The exact points are within sqrt 3
/// [`NORMALIZATION_ERROR`], 14 u, of the given ones. The rest is for `holds`, which gets points as intervals
/// some 20 u wide, and for volumes that keep more inside the ball.
pub(crate) const MARGIN: f64 = 32.0 * NORMALIZATION_ERROR;

/// The stored form of a ball: the centre rounded to f32, and a radius, rounded outwards, that makes it
/// contain the exact points if the given points are within [`NORMALIZATION_ERROR`] of them. The centre is
/// moved into `bounds`, which contains the points: rounding may put the centre of the smallest ball anywhere.
/// The radius exceeds every distance from the centre to a point by at least [`MARGIN`].
pub(crate) fn stored(ball: &Ball, points: &[Vector], bounds: &Bounds) -> ([f32; 3], f32) {
    // Not `clamp`, which would keep a NaN.
    let centre: [f32; 3] =
        std::array::from_fn(|k| (ball.centre[k] as f32).max(bounds.lo[k]).min(bounds.hi[k]));
    let near = centre.map(f64::from);
    let square = points.iter().map(|&p| Ball::around(near, p).square).fold(0.0, f64::max);
    // The square has the error of 5 roundings, its root that of one more.
    (centre, round_up(square.sqrt() * (1.0 + 4.0 * f64::EPSILON) + MARGIN))
}

fn through_three(p: Vector, q: Vector, r: Vector) -> Option<Ball> {
    let (a, b) = (sub(q, p), sub(r, p));
    let n = cross(a, b);
    let (aa, bb, nn) = (dot(a, a), dot(b, b), dot(n, n));
    let (u, v) = (cross(b, n), cross(n, a));
    let offset: Vector = std::array::from_fn(|k| (aa * u[k] + bb * v[k]) / (2.0 * nn));
    centred(p, offset)
}

fn through_four(p: Vector, q: Vector, r: Vector, s: Vector) -> Option<Ball> {
    let (a, b, c) = (sub(q, p), sub(r, p), sub(s, p));
    let det = 2.0 * dot(a, cross(b, c));
    let (aa, bb, cc) = (dot(a, a), dot(b, b), dot(c, c));
    let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
    let offset: Vector = std::array::from_fn(|k| (aa * u[k] + bb * v[k] + cc * w[k]) / det);
    centred(p, offset)
}

/// Ball through p with its centre at an offset; `None` if the points are nearly dependent.
fn centred(p: Vector, offset: Vector) -> Option<Ball> {
    let square = dot(offset, offset);
    square.is_finite().then(|| Ball { centre: std::array::from_fn(|k| p[k] + offset[k]), square })
}

/// Ritter's ball (Graphics Gems, 1990): starts from the given pair that is furthest apart, and grows point by
/// point.
pub(crate) fn ritter(pairs: &[[Vector; 2]], points: impl Iterator<Item = Vector>) -> Ball {
    let mut ball = Ball { centre: [0.0; 3], square: -1.0 };
    for [p, q] in pairs {
        let candidate = Ball::around(std::array::from_fn(|k| (p[k] + q[k]) / 2.0), *p);
        if candidate.square > ball.square {
            ball = candidate;
        }
    }
    for p in points {
        let d = sub(p, ball.centre);
        let distance = dot(d, d).sqrt();
        let radius = ball.square.max(0.0).sqrt();
        if distance > radius {
            let grown = (radius + distance) / 2.0;
            let shift = (grown - radius) / distance;
            ball = Ball {
                centre: std::array::from_fn(|k| ball.centre[k] + d[k] * shift),
                square: grown * grown,
            };
        }
    }
    ball
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_ball_of_a_few_points() {
        let near = |ball: Ball, centre: Vector, radius: f64| {
            assert!((ball.square.sqrt() - radius).abs() < 1e-9, "{ball:?}");
            assert!((0..3).all(|k| (ball.centre[k] - centre[k]).abs() < 1e-9), "{ball:?}");
        };
        near(smallest(&[[1., 2., 3.]]), [1., 2., 3.], 0.0);
        near(smallest(&[[0.; 3], [2., 0., 0.], [1., 0.5, 0.]]), [1., 0., 0.], 1.0);
        near(smallest(&[[0.; 3], [2., 0., 0.], [0., 2., 0.]]), [1., 1., 0.], 2.0_f64.sqrt());
        // A regular tetrahedron, and points inside.
        let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.], [0.; 3], [0.5, 0., 0.]];
        near(smallest(&corners), [0.; 3], 3.0_f64.sqrt());
        // One point many times, and points on a line.
        near(smallest(&[[5.; 3]; 7]), [5.; 3], 0.0);
        near(smallest(&[[0.; 3], [1.; 3], [4.; 3], [2.; 3]]), [2.; 3], 12.0_f64.sqrt());
    }

    #[test]
    fn ritter_holds_all_and_is_no_smaller() {
        let points: Vec<Vector> = (0..200_u32)
            .map(|i| {
                let x = |m: u32| f64::from(i.wrapping_mul(m) >> 3 & 0xff) / 128.0 - 1.0;
                [x(2_654_435_761), x(40_503_013), x(97_531_357)]
            })
            .collect();
        let ball = ritter(&[[points[0], points[1]], [points[2], points[3]]], points.iter().copied());
        assert!(points.iter().all(|&p| ball.holds(p)));
        assert!(ball.square >= smallest(&points).square * (1.0 - 1e-9));
    }
}
