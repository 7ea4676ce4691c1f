//! A rotation of the whole mesh that makes its triangles' boxes small.
//!
//! The faces of a CAD part are mostly perpendicular to a few directions. Axis-aligned boxes fit best if these
//! are the axes, which they need not be in the file. A model's rotation is part of the relative pose of a
//! query, where it costs nothing.
//!
//! Candidates are the frames of large triangles (a normal and an edge); the best of them is then improved by
//! small rotations.
use super::for_builds;
use crate::{
    simd::{Simd, Work},
    vector::{Matrix, Vector, cross, dot, sub},
};

/// Approximate number of triangles in the sample.
const SAMPLE: usize = 512;
/// Number of the largest of them that give candidates, and approximate number of the others that do.
const SOURCES: usize = 16;
/// A rotation must reduce the sum of areas to this part, else the mesh stays as it is.
const WORTH: f64 = 0.8;
/// Number of steps that improve the best candidate by small rotations.
const REFINEMENTS: usize = 40;

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The number of triangles between two tests whether a frame can still be better.
const RUN: usize = 32;

/// The sum of half the surfaces of the triangles' boxes in a frame. A triangle is given by two edges from one
/// corner. A sum is not completed once it exceeds `enough`: its terms are not negative.
fn cost(frame: &Matrix, sample: &[[Vector; 2]], enough: f64) -> f64 {
    for_builds().call(AlignmentWork { frame, sample, enough })
}

/// The arguments of [`cost`].
struct AlignmentWork<'a> {
    frame: &'a Matrix,
    sample: &'a [[Vector; 2]],
    enough: f64,
}

impl Work for AlignmentWork<'_> {
    type Out = f64;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> f64 {
        // Columns, so that the three coordinates of a turned vector are one sum of vectors.
        let [a, b, c] = *self.frame;
        let columns = [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]];
        // Plain comparisons: the NaN handling of `max` and `min` took a third of the time.
        let greater = |a: f64, b: f64| if a > b { a } else { b };
        let lesser = |a: f64, b: f64| if a < b { a } else { b };
        let mut sum = 0.0;
        for run in self.sample.chunks(RUN) {
            for [u, v] in run {
                let (mut a, mut b, mut side) = ([0.0; 4], [0.0; 4], [0.0; 4]);
                for k in 0..3 {
                    a[k] = columns[0][k] * u[0] + columns[1][k] * u[1] + columns[2][k] * u[2];
                    b[k] = columns[0][k] * v[0] + columns[1][k] * v[1] + columns[2][k] * v[2];
                }
                for k in 0..4 {
                    side[k] = greater(greater(a[k], b[k]), 0.0) - lesser(lesser(a[k], b[k]), 0.0);
                }
                let [x, y, z, _] = side;
                sum += x * y + y * z + z * x;
            }
            if sum > self.enough {
                break;
            }
        }
        sum
    }
}

fn unit(v: Vector) -> Option<Vector> {
    let length = dot(v, v).sqrt();
    (length > 1e-30).then(|| v.map(|x| x / length))
}

/// The frame of an edge and a normal across it; none if one of them has no length, or if the normal is that of
/// a triangle on a line but for rounding: that may have any direction, and the frame would be no rotation.
fn frame(edge: Vector, normal: Vector) -> Option<Matrix> {
    let (n, e) = (unit(normal)?, unit(edge)?);
    (dot(n, e).abs() < 1e-10).then(|| [n, e, cross(n, e)])
}

/// The rotation, its rows the new axes; the identity unless another is much better.
pub(super) fn align(count: usize, triangle: impl Fn(usize) -> [Vector; 3]) -> Matrix {
    let stride = count.div_ceil(SAMPLE).max(1);
    let mut sample: Vec<[Vector; 2]> = (0..count)
        .step_by(stride)
        .map(|i| {
            let t = triangle(i);
            [sub(t[1], t[0]), sub(t[2], t[0])]
        })
        .collect();
    let area = |[u, v]: &[Vector; 2]| {
        let n = cross(*u, *v);
        dot(n, n)
    };
    sample.sort_by(|a, b| area(b).total_cmp(&area(a)));
    let others = sample.len().saturating_sub(SOURCES).div_ceil(SOURCES).max(1);
    let sources = sample.iter().take(SOURCES).chain(sample.iter().skip(SOURCES).step_by(others));
    let start = cost(&IDENTITY, &sample, f64::INFINITY);
    let mut best = (start, IDENTITY);
    for [u, v] in sources {
        let n = cross(*u, *v);
        for edge in [*u, *v, sub(*v, *u)] {
            let Some(frame) = frame(edge, n) else { continue };
            let cost = cost(&frame, &sample, best.0);
            if cost < best.0 {
                best = (cost, frame);
            }
        }
    }
    // Each step tries both directions about one of the three axes in turn; when neither is better, steps
    // become smaller.
    let mut step = 0.1_f64;
    for round in 0..REFINEMENTS {
        let axis = round % 3;
        let mut better = false;
        for angle in [step, -step] {
            let (s, c) = angle.sin_cos();
            let mut frame = best.1;
            let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
            let [u, v] = [best.1[y], best.1[z]];
            frame[y] = [0, 1, 2].map(|k| c * u[k] - s * v[k]);
            frame[z] = [0, 1, 2].map(|k| s * u[k] + c * v[k]);
            let cost = cost(&frame, &sample, best.0);
            if cost < best.0 {
                best = (cost, frame);
                better = true;
                break;
            }
        }
        if !better {
            step *= 0.8;
        }
    }
    if best.0 < WORTH * start { best.1 } else { IDENTITY }
}
