//! Generated bodies for missing models: similar only in size, smoothness and number of triangles.
use super::motion::placed;
use crate::{circle::sin_cos, meshes, rng::Rng};
use impinge::{Mesh, Pose};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// A closed body with five limbs and fine bumps, of about the given number of nearly equal triangles.
pub(super) fn scan(triangles: usize) -> Mesh {
    let n = ((triangles as f64 / 12.0).sqrt().round() as u32).max(1);
    let mut rng = Rng::new(0xb0d7);
    let limbs: [[f64; 3]; 5] = std::array::from_fn(|_| rng.direction());
    let waves: [([f64; 3], f64); 12] = std::array::from_fn(|i| {
        let (direction, reach) = (rng.direction(), 6.0 + 4.0 * i as f64);
        (direction.map(|x| reach * x), TAU * rng.unit())
    });
    meshes::mapped(&cube_sphere(n), |p| {
        let dot = |q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        // A bell around each limb's direction, by division only.
        let limbs: f64 = limbs.iter().map(|l| 1.0 / (1.0 + 12.0 * (1.0 - dot(*l)))).map(|b| b * b).sum();
        let bumps: f64 =
            waves.iter().enumerate().map(|(i, (w, phase))| sin_cos(dot(*w) + phase).0 / (i + 1) as f64).sum();
        p.map(|x| x * (0.4 + 0.6 * limbs + 0.02 * bumps))
    })
}

/// The unit sphere as a cube's surface of 12 `n`^2 triangles, pushed outwards.
fn cube_sphere(n: u32) -> Mesh {
    let (mut points, mut index, mut triangles) = (Vec::new(), HashMap::new(), Vec::new());
    let mut vertex = |at: [u32; 3]| {
        *index.entry(at).or_insert_with(|| {
            let p: [f64; 3] = at.map(|i| 2.0 * f64::from(i) / f64::from(n) - 1.0);
            // Evens out the squares towards the corners of the cube: tan(x pi / 4), nearly.
            let p = p.map(|x| x * (0.785 + 0.215 * x * x));
            let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
            points.push(p.map(|x| x / length));
            points.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for side in [0, n] {
            for i in 0..n {
                for j in 0..n {
                    let mut corner = |u: u32, v: u32| {
                        let mut at = [side; 3];
                        (at[(axis + 1) % 3], at[(axis + 2) % 3]) = (i + u, j + v);
                        vertex(at)
                    };
                    let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    triangles.extend(if side == 0 { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] });
                }
            }
        }
    }
    meshes::mesh(points, triangles)
}

/// The placed parts of `copies` of the gearbox side by side; if 0, two of its gears, its shafts, keys and
/// covers.
pub(super) fn assembly(copies: usize) -> Vec<Mesh> {
    let scene = impinge_demo::gearbox();
    let drive = ["gear_1", "pump_", "shaft_", "key_", "cover_"];
    let in_drive = |name: &str| drive.iter().any(|d| name.starts_with(d));
    let parts = scene.parts.iter().filter(|p| copies > 0 || in_drive(&p.name));
    let parts: Vec<Mesh> = parts.map(|p| placed(&p.mesh, &p.pose)).collect();
    // The width of the housing, and a gap.
    let step = 260.0;
    (0..copies.max(1))
        .flat_map(|i| parts.iter().map(move |p| (i, p)))
        .map(|(i, part)| match i {
            0 => part.clone(),
            _ => placed(part, &shifted([0.0, step * i as f64, 0.0])),
        })
        .collect()
}

fn shifted(t: [f64; 3]) -> Pose {
    super::motion::pose(super::motion::UNTURNED, t)
}
