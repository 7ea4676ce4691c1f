//! Whether areas cancel in every plane.
//!
//! What a chain counts in one plane is 0 almost everywhere if and only if its boundary is 0 there: it is
//! constant where no edge is, and 0 far out. So no area is cut: edges of the triangles of one plane cancel on
//! all lines, or do not.
//!
//! Planes, and lines through a point, are told apart by keys modulo a prime. Two triangles of one plane have
//! normals that are multiples of each other, so their keys are equal, unless the prime divides a normal: then
//! it has no key, and all planes are compared. Where keys are equal by chance, exact signs decide.
use super::chain::adds_up;
use crate::{Mesh, exact::InPlane, vector::Vector};

/// Whether in each plane the areas of these faces, in ascending order, cancel, or are covered an even number
/// of times.
pub(super) fn cancel(mesh: &Mesh, vertices: &[u32], faces: &[u32], parity: bool) -> bool {
    let Some(&first) = faces.first() else { return true };
    // The plane of one face decides nearly all meshes.
    let corners = mesh.corners(first);
    let plane = InPlane::new(&corners);
    let beside: Vec<u32> = faces.iter().copied().filter(|&t| is_in(mesh, t, &plane)).collect();
    if !cancel_in_plane(mesh, vertices, &beside, parity) {
        return false;
    }
    let others = faces.iter().copied().filter(|t| beside.binary_search(t).is_err());
    let mut keyed: Vec<([u64; 4], u32)> = others.map(|t| (plane_key(&mesh.corners(t)), t)).collect();
    if keyed.iter().any(|([x, y, z, _], _)| [x, y, z] == [&0; 3]) {
        keyed.iter_mut().for_each(|(key, _)| *key = [0; 4]);
    }
    keyed.sort_unstable();
    keyed.chunk_by(|(a, _), (b, _)| a == b).all(|run| {
        let mut left: Vec<u32> = run.iter().map(|&(_, t)| t).collect();
        while let Some(&first) = left.first() {
            let corners = mesh.corners(first);
            let plane = InPlane::new(&corners);
            let (beside, others): (Vec<u32>, Vec<u32>) = left.iter().partition(|&&t| is_in(mesh, t, &plane));
            if !cancel_in_plane(mesh, vertices, &beside, parity) {
                return false;
            }
            left = others;
        }
        true
    })
}

/// Whether a triangle lies in a plane.
fn is_in(mesh: &Mesh, t: u32, plane: &InPlane<'_>) -> bool {
    mesh.triangles()[t as usize].iter().all(|&v| plane.contains(&mesh.points()[v as usize]))
}

fn cancel_in_plane(mesh: &Mesh, vertices: &[u32], faces: &[u32], parity: bool) -> bool {
    let mut edges: Vec<([u32; 2], i64)> = Vec::with_capacity(3 * faces.len());
    for &t in faces {
        let corners = mesh.triangles()[t as usize].map(|v| vertices[v as usize]);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            edges.push(if a < b { ([a, b], 1) } else { ([b, a], -1) });
        }
    }
    edges.sort_unstable();
    let sums = edges.chunk_by(|(a, _), (b, _)| a == b).map(|run| {
        let sum: i64 = run.iter().map(|(_, way)| way).sum();
        (run[0].0, if parity { sum.rem_euclid(2) } else { sum })
    });
    let left: Vec<([u32; 2], i64)> = sums.filter(|(_, sum)| *sum != 0).collect();
    adds_up(&left, mesh.points(), parity)
}

/// 2^61 - 1. A number below it has a product of two in 128 bits.
const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// A coordinate modulo the prime: 2^61 is 1.
fn residue(x: f64) -> u64 {
    let bits = x.to_bits();
    let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (size, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field as i64 - 1075) };
    let power = 1_u64 << exponent.rem_euclid(61);
    let value = times(size, power);
    if x < 0.0 { minus(0, value) } else { value }
}

/// 1 / a, by Fermat.
fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut left) = (a, 1, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        left >>= 1;
    }
    result
}

/// Equal for vectors that are multiples of each other.
fn direction<const N: usize>(v: [u64; N]) -> [u64; N] {
    match v.into_iter().find(|&x| x != 0) {
        Some(first) => {
            let factor = inverse(first);
            v.map(|x| times(x, factor))
        }
        None => v,
    }
}

/// Equal for lines through the first point that are the same, unless it is 0: then nothing is known.
pub(super) fn line_key(from: &Vector, to: &Vector) -> [u64; 3] {
    direction([0, 1, 2].map(|k| minus(residue(to[k]), residue(from[k]))))
}

/// Equal for triangles of one plane, unless the first three numbers are 0: then nothing is known.
fn plane_key(t: &[Vector; 3]) -> [u64; 4] {
    let p = t.map(|v| v.map(residue));
    let [u, v] = [1, 2].map(|i| [0, 1, 2].map(|k| minus(p[i][k], p[0][k])));
    let n = [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        minus(times(u[i], v[j]), times(u[j], v[i]))
    });
    let d = (0..3).fold(0, |sum, k| minus(sum, minus(0, times(n[k], p[0][k]))));
    direction([n[0], n[1], n[2], d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildOptions, Model, exact, solid::Closedness};

    #[test]
    fn keys_of_one_plane_are_equal() {
        let mut rng = crate::samples::rng::Rng::new(33);
        for case in 0..2000 {
            let scale = [1.0, 2.0_f64.powi(-900), 2.0_f64.powi(830), 5e-324][case % 4];
            let [p, u, v] = [0; 3].map(|_| [0; 3].map(|_: i32| rng.int(-9, 9) as f64));
            let mut point = || {
                let (s, t) = (rng.int(-9, 9) as f64, rng.int(-9, 9) as f64);
                [0, 1, 2].map(|k| (p[k] + s * u[k] + t * v[k]) * scale)
            };
            let mut triangle = || loop {
                let t = [point(), point(), point()];
                if !exact::are_collinear(&t) {
                    break t;
                }
            };
            if exact::are_collinear(&[[0.0; 3], u, v]) {
                continue;
            }
            let (a, b) = (triangle(), triangle());
            assert_eq!(plane_key(&a), plane_key(&b), "{case}: {a:?} {b:?}");
            let plane = InPlane::new(&a);
            assert!(b.iter().all(|v| plane.contains(v)));
            let off = b.map(|v| [v[0], v[1] + scale, v[2] + 2.0 * scale]);
            let is_same = off.iter().all(|v| plane.contains(v));
            assert_eq!(plane_key(&a) == plane_key(&off), is_same, "{case}: {a:?} {off:?}");
        }
    }

    /// Twice the area of the triangle abc is the prime, and so is the length of the edge ab of the second
    /// mesh.
    #[test]
    fn a_normal_that_the_prime_divides_has_no_key() {
        let (long, half) = (2.0_f64.powi(31), 2.0_f64.powi(30));
        let quad = |z: f64| [[0.0, 0.0, z], [long, 1.0, z], [long, half, z], [1.0, half, z]];
        let [a, b, _, c] = quad(5.0);
        assert_eq!(plane_key(&[a, b, c])[..3], [0; 3]);
        let points = [quad(0.0), quad(5.0)].concat();
        let front = [[0, 1, 2], [0, 2, 3], [4, 5, 7], [5, 6, 7]];
        let back = [[0, 2, 1], [0, 3, 2], [4, 6, 5], [4, 7, 6]];
        let status = |points: Vec<Vector>, faces: Vec<[u32; 3]>| {
            let mesh = Mesh::new(points, faces).unwrap();
            Model::new(mesh, &BuildOptions::default()).solid().status()
        };
        assert_eq!(status(points.clone(), [front, back].concat()), Closedness::NoInterior);
        assert_eq!(status(points, [&front[..], &back[..2]].concat()), Closedness::Open);
        // A T-junction on an edge whose length is the prime.
        let large = 2.0_f64.powi(61);
        let ends = [[1.0, 0.0, 0.0], [large, 0.0, 0.0], [4.0, 0.0, 0.0], [2.0, 8.0, 0.0], [2.0, 0.0, 8.0]];
        let [a, b, m, c, d] = [0, 1, 2, 3, 4];
        let faces = vec![[a, b, c], [m, a, d], [b, m, d], [a, c, d], [c, b, d]];
        assert_eq!(line_key(&ends[0], &ends[1]), [0; 3]);
        assert_eq!(status(ends.to_vec(), faces), Closedness::Closed);
    }
}
