//! Rotations, and meshes brought to a size and baked.
use crate::{
    circle::{sin_cos, turn},
    meshes,
    rng::Rng,
};
use impinge::{Mesh, Pose};

pub(super) type Rows = [[f64; 3]; 3];

pub(super) const UNTURNED: Rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A mesh of a scene, and the rotation that is baked into it.
#[derive(Debug)]
pub(super) struct Baked {
    pub(super) mesh: Mesh,
    rows: Rows,
}

impl Baked {
    /// `source` rotated about the origin, by a rotation that depends only on `seed`.
    pub(super) fn new(source: &Mesh, seed: u64) -> Self {
        let rows = Rng::for_case(0x5cee5, seed).rotation();
        Self { mesh: meshes::mapped(source, |v| apply(&rows, v)), rows }
    }
    /// The pose that moves the mesh before its baking by `rows` and `t`, to within rounding.
    pub(super) fn as_if_unbaked(&self, rows: &Rows, t: [f64; 3]) -> Pose {
        pose(times(rows, &transposed(&self.rows)), t)
    }
}

/// The mesh twice, with different rotations.
pub(super) fn twice(mesh: &Mesh, seed: u64) -> [Mesh; 2] {
    [seed, seed + 1].map(|s| Baked::new(mesh, s).mesh)
}

/// Box of a mesh: the least and the greatest coordinates.
pub(super) fn bounds(mesh: &Mesh) -> [[f64; 3]; 2] {
    let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    mesh.points().iter().fold(start, |[lo, hi], p| {
        [std::array::from_fn(|k| lo[k].min(p[k])), std::array::from_fn(|k| hi[k].max(p[k]))]
    })
}

/// The mesh with its box centred at the origin, with `size` as its longest side.
pub(super) fn fitted(mesh: &Mesh, size: f64) -> Mesh {
    let [lo, hi] = bounds(mesh);
    let longest = (0..3).map(|k| hi[k] - lo[k]).fold(f64::MIN_POSITIVE, f64::max);
    let scale = size / longest;
    meshes::mapped(mesh, |p| std::array::from_fn(|k| (p[k] - (lo[k] + hi[k]) / 2.0) * scale))
}

/// The mesh at its pose, rounded once.
pub(super) fn placed(mesh: &Mesh, pose: &Pose) -> Mesh {
    if *pose == Pose::IDENTITY { mesh.clone() } else { meshes::mapped(mesh, |v| pose.place(v)) }
}

pub(super) fn apply(rows: &Rows, v: [f64; 3]) -> [f64; 3] {
    rows.map(|r| r[0] * v[0] + r[1] * v[1] + r[2] * v[2])
}

/// Composition: first `b`, then `a`.
pub(super) fn times(a: &Rows, b: &Rows) -> Rows {
    a.map(|r| std::array::from_fn(|j| r[0] * b[0][j] + r[1] * b[1][j] + r[2] * b[2][j]))
}

pub(super) fn transposed(a: &Rows) -> Rows {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// Rotation by `k` / `n` of a full turn about x, and then about z (Zachmann's tumbling).
pub(super) fn tumbled(k: i64, n: u32) -> Rows {
    let [c, s] = turn(k, n);
    [[c, -s * c, s * s], [s, c * c, -c * s], [0.0, s, c]]
}

/// Rotation by Euler's angles in radians: about x, then y, then z.
pub(super) fn euler(angles: [f64; 3]) -> Rows {
    let [(a, b), (c, d), (e, f)] = angles.map(sin_cos);
    let x = [[1.0, 0.0, 0.0], [0.0, b, -a], [0.0, a, b]];
    let y = [[d, 0.0, c], [0.0, 1.0, 0.0], [-c, 0.0, d]];
    let z = [[f, -e, 0.0], [e, f, 0.0], [0.0, 0.0, 1.0]];
    times(&z, &times(&y, &x))
}

/// Rotation about a unit `axis`, by an angle in radians (Rodrigues).
pub(super) fn about(axis: [f64; 3], angle: f64) -> Rows {
    let ([x, y, z], (s, c)) = (axis, sin_cos(angle));
    let t = 1.0 - c;
    [
        [c + t * x * x, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, c + t * y * y, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, c + t * z * z],
    ]
}

/// Makes a pose of a rotation that is valid by construction.
pub(super) fn pose(rows: Rows, t: [f64; 3]) -> Pose {
    Pose::rigid(rows, t).unwrap_or_else(|error| unreachable!("a motion made a bad pose: {error}"))
}
