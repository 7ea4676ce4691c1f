//! Seeded meshes for tests, about the size of the cube [-1, 1]^3. [`to_grid`] maps any of them to small
//! integers, for which contacts are exact and frequent.
pub use super::icosphere::icosphere;
use super::{
    circle::{sin_cos, turn},
    rng::Rng,
};
use impinge::{Error, Mesh};
use std::f64::consts::TAU;

/// `triangles` loose triangles about `size` across, scattered over the cube.
pub fn soup(seed: u64, triangles: usize, size: f64) -> Mesh {
    let mut rng = Rng::new(seed);
    let mut points = Vec::with_capacity(3 * triangles);
    for _ in 0..triangles {
        let centre = rng.point(1.0);
        for _ in 0..3 {
            let offset = rng.point(size / 2.0);
            points.push(std::array::from_fn(|k| centre[k] + offset[k]));
        }
    }
    mesh(points, (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// `triangles` slivers of length about 1 and at most a millionth as wide, in all directions.
pub fn needles(seed: u64, triangles: usize) -> Mesh {
    let mut rng = Rng::new(seed);
    let mut points = Vec::with_capacity(3 * triangles);
    for _ in 0..triangles {
        let (foot, along, aside) = (rng.point(1.0), rng.direction(), rng.direction());
        let width = 1e-6 * rng.unit();
        let tip: [f64; 3] = std::array::from_fn(|k| foot[k] + along[k]);
        points.extend([foot, tip, std::array::from_fn(|k| tip[k] + width * aside[k])]);
    }
    mesh(points, (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// A connected sheet of 2 `n`^2 triangles over the square, bent by random waves of `height`.
pub fn sheet(seed: u64, n: usize, height: f64) -> Mesh {
    let n = n.max(1);
    let mut rng = Rng::new(seed);
    let waves: [[f64; 3]; 6] = std::array::from_fn(|i| {
        let reach = 2.0 + 2.0 * i as f64;
        [rng.between(-reach, reach), rng.between(-reach, reach), TAU * rng.unit()]
    });
    let mut points = Vec::with_capacity((n + 1) * (n + 1));
    for j in 0..=n {
        for i in 0..=n {
            let (x, y) = (2.0 * i as f64 / n as f64 - 1.0, 2.0 * j as f64 / n as f64 - 1.0);
            let z: f64 = waves.iter().map(|w| sin_cos(w[0] * x + w[1] * y + w[2]).0).sum();
            points.push([x, y, height * z / 6.0]);
        }
    }
    let at = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let mut triangles = Vec::with_capacity(2 * n * n);
    for j in 0..n {
        for i in 0..n {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    mesh(points, triangles)
}

/// The unit sphere in `rings` bands (at least 2) from pole to pole, each of `segments` (at least 3).
pub fn uv_sphere(rings: u32, segments: u32) -> Mesh {
    valid(Mesh::uv_sphere(1.0, rings.max(2), segments.max(3)))
}

/// A ring around z: tube of radius `tube` around the circle of radius 1 - `tube`; 2 `rings` `segments`
/// triangles.
pub fn torus(rings: u32, segments: u32, tube: f64) -> Mesh {
    let (rings, segments) = (rings.max(3), segments.max(3));
    let mut points = Vec::new();
    for i in 0..rings {
        let [cx, cy] = turn(i64::from(i), rings);
        points.extend((0..segments).map(|j| {
            let [x, z] = turn(i64::from(j), segments);
            let r = 1.0 - tube + tube * x;
            [r * cx, r * cy, tube * z]
        }));
    }
    let at = |i: u32, j: u32| (i % rings) * segments + j % segments;
    let mut triangles = Vec::new();
    for i in 0..rings {
        for j in 0..segments {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh(points, triangles)
}

/// The box from -`half` to `half`: 8 points, 12 triangles.
pub fn cuboid(half: [f64; 3]) -> Mesh {
    valid(Mesh::cuboid(half.map(|x| 2.0 * x)))
}

/// The mesh stretched to fill the cube [-`half`, `half`]^3 and rounded to integers. Triangles may degenerate.
pub fn to_grid(mesh: &Mesh, half: i32) -> Mesh {
    let largest = mesh.points().iter().flatten().fold(f64::MIN_POSITIVE, |m, c| m.max(c.abs()));
    // `+ 0.0` makes a zero positive.
    mapped(mesh, |p| p.map(|c| (c / largest * f64::from(half)).round() + 0.0))
}

/// The mesh with each point replaced. `map` must return finite numbers.
pub fn mapped(source: &Mesh, map: impl Fn([f64; 3]) -> [f64; 3]) -> Mesh {
    mesh(source.points().iter().map(|p| map(*p)).collect(), source.triangles().to_vec())
}

/// The mesh shifted by `t`, each coordinate rounded.
pub fn translated(source: &Mesh, t: [f64; 3]) -> Mesh {
    mapped(source, |p| std::array::from_fn(|k| p[k] + t[k]))
}

/// The mesh with its triangles in random order; the second result is the old index of each.
pub fn permuted(source: &Mesh, seed: u64) -> (Mesh, Vec<u32>) {
    let mut order: Vec<u32> = (0..source.len() as u32).collect();
    Rng::new(seed).shuffle(&mut order);
    let triangles = order.iter().map(|&i| source.triangles()[i as usize]).collect();
    (mesh(source.points().to_vec(), triangles), order)
}

/// All meshes in one, in order.
pub fn merged(meshes: &[&Mesh]) -> Mesh {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for part in meshes {
        let first = points.len() as u32;
        points.extend_from_slice(part.points());
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    mesh(points, triangles)
}

/// Makes a mesh of points and indices that are valid by construction.
pub(crate) fn mesh(points: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Mesh {
    valid(Mesh::new(points, triangles))
}

fn valid(mesh: Result<Mesh, Error>) -> Mesh {
    mesh.unwrap_or_else(|error| unreachable!("a generator made a bad mesh: {error}"))
}
