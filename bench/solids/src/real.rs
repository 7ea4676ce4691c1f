//! Pairs for the race: parts of real files whose boxes meet, and spheres.
use crate::{
    shapes::{of, plain},
    surface::{is_two_manifold, mapped, merged, volume_6},
};
use contract::pairs::{Pair, Solid};
use impinge_testkit::meshes;
use std::path::Path;

/// `count` pairs of parts of a file whose boxes meet, evenly sampled among all such pairs of closed
/// two-manifolds that face outwards, which rivals require. Also returns the number of such pairs.
///
/// # Errors
/// Returns an error if the file cannot be read.
/// It cannot be read.
pub fn parts(path: &Path, count: usize) -> Result<(Vec<Pair>, usize), String> {
    let assembly = impinge_io::read(path).map_err(|error| error.to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut bodies = Vec::new();
    for (index, part) in assembly.parts.iter().enumerate() {
        let mesh = mapped(&of(&part.mesh), |v| part.pose.place(v));
        let mesh = merged(&mesh);
        if is_two_manifold(&mesh) && volume_6(&mesh) > 0.0 {
            let (mut lo, mut hi) = ([f64::MAX; 3], [f64::MIN; 3]);
            for p in &mesh.points {
                for k in 0..3 {
                    (lo[k], hi[k]) = (lo[k].min(p[k]), hi[k].max(p[k]));
                }
            }
            bodies.push((index, mesh, lo, hi));
        }
    }
    let mut found = Vec::new();
    for (i, (_, _, lo, hi)) in bodies.iter().enumerate() {
        for (j, (_, _, other_lo, other_hi)) in bodies.iter().enumerate().skip(i + 1) {
            if (0..3).all(|k| lo[k] <= other_hi[k] && other_lo[k] <= hi[k]) {
                found.push([i, j]);
            }
        }
    }
    let all = found.len();
    let count = count.min(all);
    let pair = |index: usize| {
        let [i, j] = found[index * all / count];
        let name = format!("{stem} {} {}", bodies[i].0, bodies[j].0);
        Pair { name, bodies: [i, j].map(|k| plain(bodies[k].1.clone())) }
    };
    Ok(((0..count).map(pair).collect(), all))
}

/// Spheres of 20 times 4^`levels` triangles: across each other, nearly in contact at a point, disjoint with
/// boxes that meet, one in the other, equal, and a nearly equal one at a quarter turn.
pub fn spheres(levels: std::ops::RangeInclusive<u32>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for level in levels {
        let sphere = of(&meshes::icosphere(level));
        let at = |t: [f64; 3], scale: f64| -> Solid {
            plain(mapped(&sphere, |p| [0, 1, 2].map(|k| p[k] * scale + t[k])))
        };
        let turned = plain(mapped(&sphere, |[x, y, z]| [0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z]));
        for (how, b) in [
            ("deep", at([0.7, 0.4, 0.3], 1.0)),
            ("shallow", at([1.1, 1.1, 1.2], 1.0)),
            ("apart", at([1.3, 1.2, 1.1], 1.0)),
            ("nested", at([0.1, 0.2, 0.1], 0.5)),
            ("shell", at([0.0; 3], 0.99)),
            ("same", at([0.0; 3], 1.0)),
            ("turned", turned),
        ] {
            let triangles = sphere.triangles.len();
            pairs.push(Pair { name: format!("spheres-{triangles} {how}"), bodies: [at([0.0; 3], 1.0), b] });
        }
    }
    pairs
}
