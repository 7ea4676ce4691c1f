//! Areas that cancel in every plane.
//!
//! The count of a chain in one plane is 0 almost everywhere if and only if its boundary is 0 there: it is
//! constant where no edge is, and 0 far out. So no area needs to be cut: the areas cancel if the edges of the
//! triangles of one plane cancel on all lines.
use super::{balance::adds_up, keys::plane_key};
use crate::{Mesh, exact::InPlane};

/// True if the areas of these faces, which are in ascending order, cancel in each plane, or with `parity` are
/// covered an even number of times.
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

#[cfg(test)]
mod tests {
    use crate::{
        Mesh, Model,
        solid::{
            Closedness,
            keys::{line_key, plane_key},
        },
        vector::Vector,
    };

    /// Twice the area of the triangle abc is the prime, as is the length of the edge ab of the second mesh.
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
            Model::new(mesh).solid().status()
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
