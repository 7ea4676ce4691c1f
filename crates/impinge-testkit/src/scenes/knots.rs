//! Two knotted tubes, one along the other, turning together (Larsson 2008).
//!
//! The paper does not give its knots: these are ours. One tube follows the trefoil that winds twice around
//! the z axis and three times through; the other follows the same curve, shifted within its torus. Their
//! linking number is 6, and they are close along the whole curve. A tube's cross-sections have a corner
//! towards the other tube, so that the gap does not depend on the orientation of the polygons.
use super::{
    Family,
    entry::{Draft, Entry},
    motion::{Baked, about, euler, times},
};
use crate::{circle::turn, meshes};
use impinge::Mesh;

pub(super) const RADIUS: f64 = 0.15;
const FRAMES: u32 = 500;

/// Number of rings of the first tube over 49 and of the second over 51, corners of a ring, and the distance
/// of the centre curves beyond two radii. This distance makes the meshes 0.001 apart. It was found by
/// bisection, as chords cut corners.
const LEVELS: [(u32, u32, f64); 3] = [(3, 12, 0.00259), (5, 14, 0.00159), (7, 16, 0.00131)];

pub(super) const SCENES: &[Entry] = &[
    Entry {
        name: "knots-l1",
        about: "two intertwined knots, 3,528 and 3,672 triangles, 0.001 apart along a curve, turn together \
                (Larsson 2008, section 5)",
        family: Family::Larsson08,
        make: |_| Ok(turning(0)),
    },
    Entry {
        name: "knots-l2",
        about: "the same with 6,860 and 7,140 triangles (Larsson 2008, section 5)",
        family: Family::Larsson08,
        make: |_| Ok(turning(1)),
    },
    Entry {
        name: "knots-l3",
        about: "the same with 10,976 and 11,424 triangles (Larsson 2008, section 5)",
        family: Family::Larsson08,
        make: |_| Ok(turning(2)),
    },
];

fn turning(level: usize) -> Draft {
    let [a, b] = tubes(level);
    let (a, b) = (Baked::new(&a, 10), Baked::new(&b, 11));
    let frames = (0..FRAMES).map(|frame| {
        let x = f64::from(frame);
        let rows = times(&about([0.6, 0.0, 0.8], 0.013 * x), &euler([0.021 * x, 0.017 * x, 0.4]));
        [a.as_if_unbaked(&rows, [0.0; 3]), b.as_if_unbaked(&rows, [0.0; 3])]
    });
    Draft { frames: frames.collect(), meshes: [a.mesh, b.mesh], groups: Vec::new(), quick: 12 }
}

/// Both knots of a level, before they are baked: outward triangles, closed.
pub(super) fn tubes(level: usize) -> [Mesh; 2] {
    let (k, corners, gap) = LEVELS[level];
    let apart = 2.0 * RADIUS + gap;
    [tube(49 * k, corners, 0.0, 1.0), tube(51 * k, corners, apart, -1.0)]
}

/// The centre curve at `k` / `n`, shifted by `shift` within the torus, and the direction of the shift.
pub(super) fn centre(k: i64, n: u32, shift: f64) -> ([f64; 3], [f64; 3]) {
    const MINOR: f64 = 0.45;
    let ([c2, s2], [c3, s3]) = (turn(2 * k, n), turn(3 * k, n));
    let r = 1.0 + MINOR * c3;
    let tangent = unit([
        -3.0 * MINOR * s3 * c2 - 2.0 * r * s2,
        -3.0 * MINOR * s3 * s2 + 2.0 * r * c2,
        3.0 * MINOR * c3,
    ]);
    let aside = cross([c3 * c2, c3 * s2, s3], tangent);
    let on_torus = [r * c2, r * s2, MINOR * s3];
    (std::array::from_fn(|i| on_torus[i] + shift * aside[i]), aside)
}

/// A tube along the curve shifted by `shift`, with corners in the direction `facing` times that of the shift.
fn tube(rings: u32, corners: u32, shift: f64, facing: f64) -> Mesh {
    let mut points = Vec::with_capacity((rings * corners) as usize);
    for k in 0..i64::from(rings) {
        let (p, aside) = centre(k, rings, shift);
        // A central difference over a sixteenth of a ring on both sides: rings are perpendicular to the curve
        // to well within 1e-4.
        let [before, after] = [16 * k - 1, 16 * k + 1].map(|k| centre(k, 16 * rings, shift).0);
        let tangent = unit(std::array::from_fn(|i| after[i] - before[i]));
        let towards = aside.map(|x| facing * x);
        let across = cross(tangent, towards);
        points.extend((0..corners).map(|j| {
            let [c, s] = turn(i64::from(j), corners);
            std::array::from_fn(|i| p[i] + RADIUS * (c * towards[i] + s * across[i]))
        }));
    }
    let at = |k: u32, j: u32| (k % rings) * corners + j % corners;
    let mut triangles = Vec::with_capacity(2 * (rings * corners) as usize);
    for k in 0..rings {
        for j in 0..corners {
            let [a, b, c, d] = [at(k, j), at(k, j + 1), at(k + 1, j + 1), at(k + 1, j)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    meshes::mesh(points, triangles)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
    a.map(|x| x / length)
}
