//! Martin Newell's teapot (Utah, 1975): 28 bicubic Bezier patches, and 4 more of a bottom that was added
//! later.
//!
//! His table of 306 points repeats itself: 24 patches are quarter turns of six profiles about z, eight are
//! halves mirrored in the plane y = 0. Here every profile and half occurs once; expanded they are the 32
//! patches. All vertices of a published tessellation of ten by ten squares a patch agree (see the tests).
use crate::meshes;
use impinge::Mesh;
use std::collections::HashMap;

/// A patch: rows along v, columns along u.
pub(super) type Patch = [[[f64; 3]; 4]; 4];

/// Rows [r, h, z] represent (r, 0), (r, h), (h, r), (0, r) at height z: about a quarter of a circle, h being
/// 0.56 r except for the knob. Rim, upper and lower body, knob, lid, bottom; each from the end that keeps
/// normals outside.
const PROFILES: [[[f64; 3]; 4]; 6] = [
    [[1.4, 0.784, 2.4], [1.3375, 0.749, 2.53125], [1.4375, 0.805, 2.53125], [1.5, 0.84, 2.4]],
    [[1.5, 0.84, 2.4], [1.75, 0.98, 1.875], [2.0, 1.12, 1.35], [2.0, 1.12, 0.9]],
    [[2.0, 1.12, 0.9], [2.0, 1.12, 0.45], [1.5, 0.84, 0.225], [1.5, 0.84, 0.15]],
    [[0.0, 0.0, 3.15], [0.8, 0.45, 3.15], [0.0, 0.0, 2.85], [0.2, 0.112, 2.7]],
    [[0.2, 0.112, 2.7], [0.4, 0.224, 2.55], [1.3, 0.728, 2.55], [1.3, 0.728, 2.4]],
    [[1.5, 0.84, 0.15], [1.5, 0.84, 0.075], [1.425, 0.798, 0.0], [0.0, 0.0, 0.0]],
];

/// The half with y >= 0 of both patches of the handle and both of the spout.
const HALVES: [Patch; 4] = [
    [
        [[-1.6, 0.0, 2.025], [-1.6, 0.3, 2.025], [-1.5, 0.3, 2.25], [-1.5, 0.0, 2.25]],
        [[-2.3, 0.0, 2.025], [-2.3, 0.3, 2.025], [-2.5, 0.3, 2.25], [-2.5, 0.0, 2.25]],
        [[-2.7, 0.0, 2.025], [-2.7, 0.3, 2.025], [-3.0, 0.3, 2.25], [-3.0, 0.0, 2.25]],
        [[-2.7, 0.0, 1.8], [-2.7, 0.3, 1.8], [-3.0, 0.3, 1.8], [-3.0, 0.0, 1.8]],
    ],
    [
        [[-2.7, 0.0, 1.8], [-2.7, 0.3, 1.8], [-3.0, 0.3, 1.8], [-3.0, 0.0, 1.8]],
        [[-2.7, 0.0, 1.575], [-2.7, 0.3, 1.575], [-3.0, 0.3, 1.35], [-3.0, 0.0, 1.35]],
        [[-2.5, 0.0, 1.125], [-2.5, 0.3, 1.125], [-2.65, 0.3, 0.9375], [-2.65, 0.0, 0.9375]],
        [[-2.0, 0.0, 0.9], [-2.0, 0.3, 0.9], [-1.9, 0.3, 0.6], [-1.9, 0.0, 0.6]],
    ],
    [
        [[1.7, 0.0, 1.425], [1.7, 0.66, 1.425], [1.7, 0.66, 0.6], [1.7, 0.0, 0.6]],
        [[2.6, 0.0, 1.425], [2.6, 0.66, 1.425], [3.1, 0.66, 0.825], [3.1, 0.0, 0.825]],
        [[2.3, 0.0, 2.1], [2.3, 0.25, 2.1], [2.4, 0.25, 2.025], [2.4, 0.0, 2.025]],
        [[2.7, 0.0, 2.4], [2.7, 0.25, 2.4], [3.3, 0.25, 2.4], [3.3, 0.0, 2.4]],
    ],
    [
        [[2.7, 0.0, 2.4], [2.7, 0.25, 2.4], [3.3, 0.25, 2.4], [3.3, 0.0, 2.4]],
        [[2.8, 0.0, 2.475], [2.8, 0.25, 2.475], [3.525, 0.25, 2.49375], [3.525, 0.0, 2.49375]],
        [[2.9, 0.0, 2.475], [2.9, 0.15, 2.475], [3.45, 0.15, 2.5125], [3.45, 0.0, 2.5125]],
        [[2.8, 0.0, 2.4], [2.8, 0.15, 2.4], [3.2, 0.15, 2.4], [3.2, 0.0, 2.4]],
    ],
];

/// All 32 patches: 6 profiles by 4 quarters, then 4 halves by 2.
pub(super) fn patches() -> Vec<Patch> {
    let quarter = |profile: &[[f64; 3]; 4], q: usize| {
        profile.map(|[r, h, z]| {
            [[r, 0.0], [r, h], [h, r], [0.0, r]].map(|[x, y]| match q {
                0 => [x, y, z],
                1 => [-y, x, z],
                2 => [-x, -y, z],
                _ => [y, -x, z],
            })
        })
    };
    let mirrored = |half: &Patch| {
        half.map(|mut row| {
            // In reverse order, so that the normal stays outside.
            row.reverse();
            row.map(|[x, y, z]| [x, -y, z])
        })
    };
    let turned = PROFILES.iter().flat_map(|p| (0..4).map(move |q| quarter(p, q)));
    turned.chain(HALVES.iter().flat_map(|h| [*h, mirrored(h)])).collect()
}

/// The teapot as `n` by `n` squares a patch, cut in two: 64 n^2 triangles. The 8 n at the two poles are
/// degenerate, and are skipped unless `keep_degenerate`. Patches share common points.
pub fn teapot(n: u32, keep_degenerate: bool) -> Mesh {
    let n = n.max(1);
    let (mut points, mut index) = (Vec::new(), HashMap::new());
    let mut triangles = Vec::new();
    for patch in patches() {
        let mut grid = Vec::with_capacity(((n + 1) * (n + 1)) as usize);
        for j in 0..=n {
            for i in 0..=n {
                let point = at(&patch, weights(i, n), weights(j, n));
                let next = points.len() as u32;
                let found = *index.entry(point.map(f64::to_bits)).or_insert(next);
                if found == next {
                    points.push(point);
                }
                grid.push(found);
            }
        }
        for j in 0..n {
            for i in 0..n {
                let k = (j * (n + 1) + i) as usize;
                let [a, b] = [grid[k], grid[k + 1]];
                let [d, c] = [grid[k + n as usize + 1], grid[k + n as usize + 2]];
                for t in [[a, c, b], [a, d, c]] {
                    if keep_degenerate || (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
                        triangles.push(t);
                    }
                }
            }
        }
    }
    meshes::mesh(points, triangles)
}

/// Bernstein's polynomials at `i` / `n`, exactly [1, 0, 0, 0] and [0, 0, 0, 1] at the ends.
fn weights(i: u32, n: u32) -> [f64; 4] {
    let t = f64::from(i) / f64::from(n);
    let s = 1.0 - t;
    [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t]
}

fn at(patch: &Patch, u: [f64; 4], v: [f64; 4]) -> [f64; 3] {
    std::array::from_fn(|k| {
        let row = |r: &[[f64; 3]; 4]| blend(u, r.map(|p| p[k]));
        // `+ 0.0` makes a zero positive, so that equal points have equal bits.
        blend(v, [row(&patch[0]), row(&patch[1]), row(&patch[2]), row(&patch[3])]) + 0.0
    })
}

/// The weighted mean. Weights add up to 1 except for rounding: a pole, where all four points are equal, must
/// stay one point.
fn blend(w: [f64; 4], x: [f64; 4]) -> f64 {
    if x[1..].iter().all(|y| *y == x[0]) {
        x[0]
    } else {
        w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3]
    }
}
