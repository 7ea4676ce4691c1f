//! A mesh for tests of large queries.
use crate::{Mesh, Model};

/// A wavy sheet of 2 n^2 triangles.
pub(crate) fn sheet(n: u32, axis: usize) -> Model {
    let at = |k: u32| [k % (n + 1), k / (n + 1)].map(|x| f64::from(x) / f64::from(n));
    let points = (0..(n + 1) * (n + 1)).map(at).map(|v| [v[0], v[1], 0.1 * (9.0 * v[axis]).sin()]).collect();
    let corner = |k: u32| k / n * (n + 1) + k % n;
    let square = |k: u32| [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]];
    let mesh = Mesh::new(points, (0..n * n).map(corner).flat_map(square).collect());
    let mesh = mesh.expect("finite points, indices below their number");
    Model::new(mesh)
}
