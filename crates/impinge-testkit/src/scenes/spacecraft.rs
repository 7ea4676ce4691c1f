//! A spacecraft as a triangle soup: parts interpenetrate, and triangles have all shapes.
use crate::{circle::turn, meshes, rng::Rng};
use impinge::Mesh;

/// Hull (6 long along x), four wings, engines, hull plates, struts, antennae: some 6,000 triangles.
pub(super) fn spacecraft() -> Mesh {
    let mut rng = Rng::new(0x5bace);
    // Stations along the hull: x, and half its width and height.
    let hull: Vec<[f64; 3]> = (0..=24)
        .map(|i| {
            let t = f64::from(i) / 24.0;
            let swell = 4.0 * t * (1.0 - t);
            [6.0 * t - 2.0, 0.15 + 0.45 * swell, 0.1 + 0.35 * swell]
        })
        .collect();
    let mut parts = vec![loft(&hull, 24)];
    for side in 0..4 {
        let [c, s] = turn(i64::from(2 * side + 1), 8);
        let out = [0.0, c, s];
        parts.push(wing([-1.6, 0.0, 0.0], out, 14, 12));
        let tip = out.map(|x| 2.6 * x);
        // An engine at the wing's root and a cannon along its tip: long thin triangles.
        parts.push(rod([-2.2, out[1], out[2]], [-0.4, out[1], out[2]], 0.28, 24));
        parts.push(rod([-1.6, tip[1], tip[2]], [2.4, tip[1], tip[2]], 0.04, 8));
    }
    for _ in 0..100 {
        let [x, w, h] = *rng.pick(&hull);
        let [c, s] = turn(rng.int(0, 23), 24);
        let half = [rng.between(0.03, 0.2), rng.between(0.02, 0.1), rng.between(0.01, 0.04)];
        let rows = rng.rotation();
        let plate = meshes::mapped(&meshes::cuboid(half), |v| super::motion::apply(&rows, v));
        parts.push(meshes::translated(&plate, [x, w * c, h * s]));
    }
    let outside = |rng: &mut Rng, reach: f64| -> [[f64; 3]; 2] {
        let [x, w, h] = *rng.pick(&hull);
        let ([c, s], lean) = (turn(rng.int(0, 35), 36), rng.direction());
        let foot = [x, w * c, h * s];
        [foot, [foot[0] + 0.4 * reach * lean[0], foot[1] + reach * c, foot[2] + reach * s]]
    };
    for _ in 0..60 {
        let [foot, tip] = outside(&mut rng, 0.5);
        parts.push(rod(foot, tip, 0.015, 4));
    }
    for _ in 0..40 {
        let [foot, tip] = outside(&mut rng, 1.5);
        parts.push(spike(foot, tip, 0.01, 5));
    }
    meshes::merged(&parts.iter().collect::<Vec<_>>())
}

/// A skin over elliptic stations [x, half width, half height], open at the ends.
fn loft(stations: &[[f64; 3]], sides: u32) -> Mesh {
    let ring = |[x, w, h]: &[f64; 3]| {
        let (x, w, h) = (*x, *w, *h);
        (0..sides).map(move |j| {
            let [c, s] = turn(i64::from(j), sides);
            [x, w * c, h * s]
        })
    };
    let points = stations.iter().flat_map(ring).collect();
    let at = |i: u32, j: u32| i * sides + j % sides;
    let quads = (0..stations.len() as u32 - 1).flat_map(|i| (0..sides).map(move |j| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
        [[a, b, c], [a, c, d]]
    });
    meshes::mesh(points, triangles.collect())
}

/// A flat wing of two sheets, 1.4 long at its root and 2.6 wide, tapering along `out`.
fn wing(root: [f64; 3], out: [f64; 3], long: u32, wide: u32) -> Mesh {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for sheet in [-0.03, 0.03] {
        let first = points.len() as u32;
        for j in 0..=wide {
            for i in 0..=long {
                let (u, v) = (f64::from(i) / f64::from(long), f64::from(j) / f64::from(wide));
                let (x, y) = (1.4 * u * (1.0 - 0.5 * v), 2.6 * v);
                // Perpendicular to x and to `out`.
                let thick = [0.0, -out[2] * sheet, out[1] * sheet];
                let along = [x, 0.0, 0.0];
                points.push(std::array::from_fn(|k| root[k] + along[k] + y * out[k] + thick[k]));
            }
        }
        for j in 0..wide {
            for i in 0..long {
                let a = first + j * (long + 1) + i;
                let [b, c, d] = [a + 1, a + long + 2, a + long + 1];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    meshes::mesh(points, triangles)
}

/// A closed prism from `a` to `b`: 4 `sides` - 4 triangles. Those of the walls are as long as the prism.
pub(super) fn rod(a: [f64; 3], b: [f64; 3], radius: f64, sides: u32) -> Mesh {
    let points = [a, b].into_iter().flat_map(|end| ring(end, a, b, radius, sides)).collect();
    let walls = (0..sides).flat_map(|j| {
        let k = (j + 1) % sides;
        [[j, k, sides + k], [j, sides + k, sides + j]]
    });
    let ends = (1..sides - 1).flat_map(|j| [[0, j + 1, j], [sides, sides + j, sides + j + 1]]);
    meshes::mesh(points, walls.chain(ends).collect())
}

/// A cone from `a` to the point `b`, open at its base.
fn spike(a: [f64; 3], b: [f64; 3], radius: f64, sides: u32) -> Mesh {
    let mut points = ring(a, a, b, radius, sides);
    points.push(b);
    meshes::mesh(points, (0..sides).map(|j| [j, (j + 1) % sides, sides]).collect())
}

/// Corners around `end`, perpendicular to the line from `a` to `b`.
fn ring(end: [f64; 3], a: [f64; 3], b: [f64; 3], radius: f64, sides: u32) -> Vec<[f64; 3]> {
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let unit = |p: [f64; 3]| {
        let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt().max(f64::MIN_POSITIVE);
        p.map(|x| x / length)
    };
    let along = unit(std::array::from_fn(|k| b[k] - a[k]));
    // Any direction that is not nearly that of the line.
    let other = if along[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let u = unit(cross(along, other));
    let v = cross(along, u);
    (0..sides)
        .map(|j| {
            let [c, s] = turn(i64::from(j), sides);
            std::array::from_fn(|k| end[k] + radius * (c * u[k] + s * v[k]))
        })
        .collect()
}
