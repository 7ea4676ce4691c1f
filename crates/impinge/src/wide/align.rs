//! The frame in which a mesh's triangles have small boxes.
//!
//! CAD is made of faces across a few axes; turned so that these are the tree's, boxes fit. One rotation a model is folded into the relative pose of a query,
//! where it costs nothing.
use super::{Matrix, Vector, turned};
use crate::vector::{cross, dot, sub};

/// Triangles looked at.
const SAMPLE: usize = 512;
/// Of which so many of the largest, and as many others, give directions.
const SOURCES: usize = 16;
/// A turn must cut the sum of areas to this part, or the mesh stays as it is. (0.95 gained another 1.2 to 1.5 on scans only because both meshes were
/// the same one: fast-tree.md, section 0.)
const WORTH: f64 = 0.8;
/// Small turns tried on the best.
const REFINEMENTS: usize = 40;

const NONE: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The sum of half the areas of the triangles' boxes, in a frame.
fn cost(frame: &Matrix, sample: &[[Vector; 2]]) -> f64 {
    sample
        .iter()
        .map(|[u, v]| {
            let (a, b) = (turned(frame, u), turned(frame, v));
            let [x, y, z] = [0, 1, 2].map(|k| a[k].max(b[k]).max(0.0) - a[k].min(b[k]).min(0.0));
            x * y + y * z + z * x
        })
        .sum()
}

fn unit(v: Vector) -> Option<Vector> {
    let length = dot(v, v).sqrt();
    (length > 1e-30).then(|| v.map(|x| x / length))
}

/// Axes along an edge and the normal of a triangle with edges u and v.
fn frame(edge: Vector, normal: Vector) -> Option<Matrix> {
    let (n, e) = (unit(normal)?, unit(edge)?);
    Some([n, e, cross(n, e)])
}

/// Turns that many of the triangles into boxes of little area; the identity unless that is worth it.
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
    let start = cost(&NONE, &sample);
    let mut best = (start, NONE);
    for [u, v] in sources {
        let n = cross(*u, *v);
        for edge in [*u, *v, sub(*v, *u)] {
            let Some(frame) = frame(edge, n) else { continue };
            let cost = cost(&frame, &sample);
            if cost < best.0 {
                best = (cost, frame);
            }
        }
    }
    // Small turns about axes that go round: no random numbers are needed.
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
            let cost = cost(&frame, &sample);
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
    if best.0 < WORTH * start { best.1 } else { NONE }
}
