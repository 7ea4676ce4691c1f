//! A large assembly: bolts, plates and pipes on a lattice, with random rotations. Thousands of parts share
//! each mesh.
use crate::{
    gearbox::{ScenePart, bolt, pipe, punched_plate},
    rng::Rng,
};
use impinge::{Mesh, Pose};
use std::sync::Arc;

/// Site of the assembly, in millimetres: more than a thousand kilometres from the origin, as site coordinates
/// are.
pub const SITE: [f64; 3] = [1e9, 2e9, 1e8];

/// Pitch of the lattice, in millimetres: large parts with an unlucky rotation clash.
const PITCH: f64 = 36.0;

/// `parts` parts around `site`. Of five parts, one is a bolt, two are plates and two are pipes, with some 560
/// triangles on average. The lattice is the smallest cube with room for all.
///
/// Positions are multiples of 2^-6 mm: an integer site moves all parts exactly, so clashes do not depend on
/// it.
///
/// # Panics
/// Panics if `site` is not finite.
pub fn lattice(parts: usize, site: [f64; 3]) -> Vec<ScenePart> {
    let shapes: [(&str, Arc<Mesh>); 3] =
        [("bolt", bolt(22.0)), ("plate", punched_plate()), ("pipe", pipe())].map(|(n, m)| (n, Arc::new(m)));
    let side = (1..).find(|n: &usize| n.pow(3) >= parts).unwrap_or(1);
    let mut rng = Rng::new(0x1a77);
    (0..parts)
        .map(|n| {
            let (kind, mesh) = &shapes[[0, 1, 2, 1, 2][n % 5]];
            let cell = [n % side, n / side % side, n / (side * side)];
            let (rows, jitter) = (rng.rotation(), rng.point(4.0));
            let at = [0, 1, 2].map(|k| site[k] + cell[k] as f64 * PITCH + (jitter[k] * 64.0).round() / 64.0);
            let pose = Pose::rigid(rows, at).expect("a rotation, and a finite place");
            ScenePart { name: format!("{kind}_{n:06}"), mesh: Arc::clone(mesh), pose, note: None }
        })
        .collect()
}
