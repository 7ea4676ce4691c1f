//! The computations of the lanes for one pair and for one triangle, with branches: lanes hold the same bits.
use super::{LEAST_SQUARE, RoundedTrianglePair, SIZE, ToPoint, TriangleDistance, is_direction_bad};
use crate::vector::{Triangle, UNIT, Vector, cross, dot, sub};

/// A point of a triangle, as fractions of the edges from the first corner to the second and the third.
type Weights = [f64; 2];

const fn at_corner(i: usize) -> Weights {
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]][i]
}

fn point(t: &Triangle, [s, r]: Weights) -> Vector {
    let (u, v) = (sub(t[1], t[0]), sub(t[2], t[0]));
    [0, 1, 2].map(|k| t[0][k] + (s * u[k] + r * v[k]))
}

/// The point of edge i, from its first corner, at x in [0, 1].
fn on_edge(i: usize, x: f64) -> Weights {
    match i {
        0 => [x, 0.0],
        1 => [1.0 - x, x],
        _ => [0.0, 1.0 - x],
    }
}

fn clamp(x: f64) -> f64 {
    // NaN becomes 0.
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}

/// Parameters x, y at which segments p + x u and q + y v are nearest (Ericson, Real-Time Collision Detection,
/// 5.1.9).
fn between_edges(p: Vector, u: Vector, q: Vector, v: Vector) -> [f64; 2] {
    let r = sub(p, q);
    let (a, e, f) = (dot(u, u), dot(v, v), dot(v, r));
    let (b, c) = (dot(u, v), dot(u, r));
    if a == 0.0 {
        return [0.0, clamp(f / e)];
    }
    if e == 0.0 {
        return [clamp(-c / a), 0.0];
    }
    let determinant = a * e - b * b;
    let x = if determinant > 0.0 { clamp((b * f - c * e) / determinant) } else { 0.0 };
    let y = (b * x + f) / e;
    if y < 0.0 {
        [clamp(-c / a), 0.0]
    } else if y > 1.0 {
        [clamp((b - c) / a), 1.0]
    } else {
        [x, clamp(y)]
    }
}

/// The foot of a point on a triangle's plane, if it lies in the triangle.
fn foot(v: Vector, t: &Triangle) -> Option<Weights> {
    let (e, f, w) = (sub(t[1], t[0]), sub(t[2], t[0]), sub(v, t[0]));
    let n = cross(e, f);
    let square = dot(n, n);
    let (s, r) = (dot(cross(w, f), n) / square, dot(cross(e, w), n) / square);
    (s >= 0.0 && r >= 0.0 && s + r <= 1.0).then_some([s, r])
}

/// The nearest points of two triangles so far.
struct NearestWeights<'t> {
    triangles: [&'t Triangle; 2],
    square: f64,
    weights: [Weights; 2],
}

impl NearestWeights<'_> {
    /// Takes two points, if they are nearer. Returns true if, but for rounding, no points are nearer than
    /// these: then both triangles lie behind them.
    fn take(&mut self, weights: [Weights; 2]) -> bool {
        let [p, q] = self.triangles;
        let (x, y) = (point(p, weights[0]), point(q, weights[1]));
        let w = sub(y, x);
        let square = dot(w, w);
        if square >= self.square {
            return false;
        }
        (self.square, self.weights) = (square, weights);
        let room = 16.0 * UNIT * square.sqrt();
        p.iter().all(|v| dot(w, sub(*v, x)) <= room) && q.iter().all(|v| dot(w, sub(*v, y)) >= -room)
    }
}

/// The nearest points of two triangles: the best of nine pairs of edges, and of six corners and insides.
fn search(p: &Triangle, q: &Triangle) -> [Weights; 2] {
    let mut best = NearestWeights { triangles: [p, q], square: f64::INFINITY, weights: [at_corner(0); 2] };
    for i in 0..3 {
        let u = sub(p[(i + 1) % 3], p[i]);
        for j in 0..3 {
            let [x, y] = between_edges(p[i], u, q[j], sub(q[(j + 1) % 3], q[j]));
            if best.take([on_edge(i, x), on_edge(j, y)]) {
                return best.weights;
            }
        }
    }
    for i in 0..3 {
        if let Some(foot) = foot(p[i], q)
            && best.take([at_corner(i), foot])
        {
            break;
        }
        if let Some(foot) = foot(q[i], p)
            && best.take([foot, at_corner(i)])
        {
            break;
        }
    }
    best.weights
}

/// Computes bounds of the distance of two triangles.
pub(crate) fn nearest(&RoundedTrianglePair { ref p, ref q, off }: &RoundedTrianglePair) -> TriangleDistance {
    let [on_p, on_q] = search(p, q);
    let points = [point(p, on_p), point(q, on_q)];
    let w = sub(points[1], points[0]);
    let length = dot(w, w).sqrt();
    // Underflows lose far less than the last terms.
    let hi = (length + 3.5 * (off + 16.0 * UNIT * SIZE)) * (1.0 + 8.0 * UNIT) + 1e-150;
    let lo = |w: Vector| {
        let square = dot(w, w);
        if square < LEAST_SQUARE {
            return 0.0;
        }
        let sides = |t: &Triangle| t.map(|v| dot(w, v));
        let most = sides(p).into_iter().fold(f64::MIN, f64::max);
        let least = sides(q).into_iter().fold(f64::MAX, f64::min);
        let room = (w[0].abs() + w[1].abs() + w[2].abs()) * (2.0 * off + 9.0 * UNIT * SIZE) + 1e-300;
        let lo = (least - most - room) / square.sqrt() * (1.0 - 8.0 * UNIT) - 1e-150;
        if lo > 0.0 { lo } else { 0.0 }
    };
    let mut found = TriangleDistance { points, lo: lo(w), hi };
    // If the distance is much less than the size, the direction from one point to the other is inaccurate.
    // The directions of normals and of cross products of edges are as accurate as the corners.
    if is_direction_bad([found.lo, hi], off) {
        let edges = |t: &Triangle| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
        let (u, v) = (edges(p), edges(q));
        let mut both = |n: Vector| found.lo = found.lo.max(lo(n)).max(lo(n.map(|x| -x)));
        both(cross(u[0], u[1]));
        both(cross(v[0], v[1]));
        for u in u {
            v.iter().for_each(|v| both(cross(u, *v)));
        }
    }
    found
}

/// Feature of a triangle that may have its nearest point.
#[derive(Clone, Copy)]
enum TriangleFeature {
    Corner(usize),
    Edge([usize; 2]),
    Inside,
}

/// See [`super::to_point`].
pub(crate) fn to_point(t: &Triangle, off: &[f64; 3]) -> ToPoint {
    let (e, f) = (sub(t[1], t[0]), sub(t[2], t[0]));
    let n = cross(e, f);
    let over = 1.0 / dot(n, n);
    let w = t[0].map(|x| -x);
    let (s, r) = (dot(cross(w, f), n) * over, dot(cross(e, w), n) * over);
    if s >= 0.0 && r >= 0.0 && s + r <= 1.0 {
        let foot = [0, 1, 2].map(|k| t[0][k] + (s * e[k] + r * f[k]));
        let inside = bounded(t, off, &n, (foot, TriangleFeature::Inside));
        // The foot on a triangle that is nearly a segment is inaccurate: an edge may be better.
        if inside.hi - inside.lo <= 1e-13 * (inside.hi + size(&t[0]) + size(&t[1]) + size(&t[2])) {
            return inside;
        }
        let edge = bounded(t, off, &n, on_edges(t));
        return if edge.hi < inside.hi { edge } else { inside };
    }
    bounded(t, off, &n, on_edges(t))
}

fn size(v: &Vector) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// The point of a triangle's edges that is nearest to the origin.
fn on_edges(t: &Triangle) -> (Vector, TriangleFeature) {
    let mut best = (f64::INFINITY, (t[0], TriangleFeature::Corner(0)));
    for i in 0..3 {
        let j = (i + 1) % 3;
        // In the same direction for all triangles that have the edge.
        let (i, j) = if t[j] < t[i] { (j, i) } else { (i, j) };
        let u = sub(t[j], t[i]);
        let x = clamp(-dot(t[i], u) / dot(u, u));
        let found = if x == 0.0 {
            (t[i], TriangleFeature::Corner(i))
        } else if x == 1.0 {
            (t[j], TriangleFeature::Corner(j))
        } else {
            ([0, 1, 2].map(|k| t[i][k] + x * u[k]), TriangleFeature::Edge([i, j]))
        };
        let square = dot(found.0, found.0);
        if square < best.0 {
            best = (square, found);
        }
    }
    best.1
}

/// The bounds of the distance that follow from a foot.
fn bounded(t: &Triangle, off: &[f64; 3], n: &Vector, (foot, feature): (Vector, TriangleFeature)) -> ToPoint {
    let (room, w) = match feature {
        TriangleFeature::Corner(i) => (off[i], foot),
        TriangleFeature::Edge([i, j]) => {
            let u = sub(t[j], t[i]);
            let along = dot(foot, u) / dot(u, u);
            let w = [0, 1, 2].map(|k| foot[k] - along * u[k]);
            (off[i].max(off[j]) + 16.0 * UNIT * size(&t[i]).max(size(&t[j])), w)
        }
        TriangleFeature::Inside => {
            let most = size(&t[0]).max(size(&t[1])).max(size(&t[2]));
            let away = if dot(*n, t[0]) < 0.0 { n.map(|x| -x) } else { *n };
            (off[0].max(off[1]).max(off[2]) + 16.0 * UNIT * most, away)
        }
    };
    // Underflows lose far less than the last terms.
    let hi = (dot(foot, foot).sqrt() + 1.75 * room) * (1.0 + 8.0 * UNIT) + 1e-150;
    let (square, mut lo) = (dot(w, w), 0.0);
    if square >= LEAST_SQUARE {
        let taxicab = w[0].abs() + w[1].abs() + w[2].abs();
        let side = |i: usize| dot(w, t[i]) - taxicab * (off[i] + 4.0 * UNIT * size(&t[i]));
        let least = side(0).min(side(1)).min(side(2));
        lo = (least / square.sqrt() * (1.0 - 8.0 * UNIT) - 1e-150).max(0.0);
    }
    let corner = if let TriangleFeature::Corner(i) = feature { Some(i) } else { None };
    // An infinite or NaN foot gives no upper bound.
    ToPoint { foot, corner, lo, hi: if hi.is_nan() { f64::INFINITY } else { hi } }
}
