//! Exact boxes around parts.
use crate::{parts::meshes::distinct_meshes, pool::Pool, watch::Watch};
use impinge::{
    Mesh,
    broad_phase::Aabb,
    world::{WorldBox, WorldBoxes},
};
use impinge_io::Part;
use std::sync::Arc;

/// The result of `make` for the box around each part, which is `None` for a part without a triangle.
pub(crate) fn each<T: Send>(
    parts: &[Part],
    pool: &Pool,
    watch: &Watch<'_>,
    make: impl Fn(Option<WorldBox>) -> T + Sync,
) -> Vec<T> {
    watch.stage("boxes around parts", parts.len() as u64);
    let (meshes, mesh_of) = distinct_meshes(parts);
    let mut uses = vec![0_usize; meshes.len()];
    mesh_of.iter().for_each(|&mesh| uses[mesh] += 1);
    let shared = |(mesh, uses): (&Arc<Mesh>, usize)| (uses >= MANY).then(|| WorldBoxes::new(mesh));
    let shared: Vec<Option<WorldBoxes>> = meshes.iter().zip(uses).map(shared).collect();
    let placed: Vec<_> = parts.iter().zip(mesh_of).collect();
    let one = |(part, mesh): &(&Part, usize)| {
        let shared = shared[*mesh].as_ref();
        let made = make(match shared {
            Some(boxes) => boxes.at(&part.pose),
            None => WorldBox::new(&part.mesh, &part.pose),
        });
        watch.step(1);
        made
    };
    pool.map(&placed, FEW, one)
}

/// A lower bound of the distance of two boxes that are not empty: the largest gap along an axis, rounded
/// down.
pub(crate) fn gap(a: &Aabb, b: &Aabb) -> f64 {
    let along = |k: usize| (a.lo[k] - b.hi[k]).max(b.lo[k] - a.hi[k]).next_down();
    (0..3).map(along).fold(0.0, f64::max)
}

/// Number of parts with one mesh from which [`WorldBoxes`] pays.
const MANY: usize = 16;

/// Least number of parts for a thread. A part takes some microseconds, or less with a small mesh.
const FEW: usize = 16;
