//! Points to be located: anywhere, on grids, on corners, edges and faces, and off those by a bit.
use crate::{
    shapes::{cuboid, hollow, of, plain, polycube},
    surface::{is_two_manifold, merged, volume_6},
};
use contract::{Mesh, pairs::Points};
use impinge_testkit::{
    meshes,
    rng::{Rng, nudge},
};
use std::path::Path;

/// Sets of points, `count` in all, and meshes that CGAL accepts; those of files only if there is a folder.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn sets(seed: u64, count: usize, data: Option<&Path>) -> Result<Vec<Points>, String> {
    let mut rng = Rng::new(seed);
    let mut named = vec![
        ("box".to_owned(), cuboid([-2.0, -1.0, -3.0], [2.0, 5.0, 3.0])),
        ("icosphere".to_owned(), of(&meshes::icosphere(2))),
        ("icosphere on a grid".to_owned(), of(&meshes::to_grid(&meshes::icosphere(2), 16))),
        ("torus".to_owned(), of(&meshes::torus(16, 8, 0.3))),
        ("torus on a grid".to_owned(), of(&meshes::to_grid(&meshes::torus(12, 8, 0.3), 16))),
        ("hollow box".to_owned(), merged(&hollow(&mut rng).mesh)),
    ];
    while named.len() < 12 {
        let body = polycube(&mut rng);
        if body.manifold {
            named.push((format!("polycube {}", named.len() - 5), merged(&body.mesh)));
        }
    }
    for name in ["brep_Axis_of_bearing.obj", "asm_as1_oc_214.obj"] {
        let Some(path) = data.map(|folder| folder.join(name)).filter(|path| path.is_file()) else { continue };
        let parts = impinge_io::read(&path).map_err(|error| error.to_string())?.parts;
        let parts = parts.iter().map(|part| merged(&of(&part.mesh)));
        let parts = parts.filter(|mesh| is_two_manifold(mesh) && mesh.triangles.len() < 2000);
        let largest = parts.filter(|mesh| volume_6(mesh) > 0.0).max_by_key(|mesh| mesh.triangles.len());
        named.extend(largest.map(|mesh| (name.to_owned(), mesh)));
    }
    let each = count.div_ceil(named.len());
    let mut sets = Vec::new();
    for (name, mesh) in named {
        let body = plain(mesh);
        let points = (0..each).map(|_| point(&mut rng, &body.mesh)).collect();
        sets.push(Points { name, mesh: body.mesh, points });
    }
    Ok(sets)
}

fn point(rng: &mut Rng, mesh: &Mesh) -> [f64; 3] {
    let (mut lo, mut hi) = ([f64::MAX; 3], [f64::MIN; 3]);
    for p in &mesh.points {
        for k in 0..3 {
            (lo[k], hi[k]) = (lo[k].min(p[k]), hi[k].max(p[k]));
        }
    }
    let [a, b, c] = rng.pick(&mesh.triangles).map(|corner| mesh.points[corner as usize]);
    let mix = |u: f64, v: f64, w: f64| [0, 1, 2].map(|k| u * a[k] + v * b[k] + w * c[k]);
    let mut point = match rng.below(8) {
        0..3 => {
            return std::array::from_fn(|k| {
                let more = 0.1 * (hi[k] - lo[k]);
                rng.between(lo[k] - more, hi[k] + more)
            });
        }
        // Sixteenths of the box: on the planes of grid meshes.
        3 => return std::array::from_fn(|k| lo[k] + (hi[k] - lo[k]) * rng.int(-1, 17) as f64 / 16.0),
        4 => a,
        5 => mix(0.5, 0.5, 0.0),
        6 => mix(0.25, 0.25, 0.5),
        _ => {
            let (u, v) = (rng.unit(), rng.unit());
            mix(u, (1.0 - u) * v, (1.0 - u) * (1.0 - v))
        }
    };
    if rng.one_in(2) {
        let k = rng.below(3) as usize;
        point[k] = nudge(point[k], *rng.pick(&[-1, 1, -16, 16]));
    }
    point
}
