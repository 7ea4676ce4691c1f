//! Exact boxes around parts.
use crate::{input, parallel, progress::Progress};
use impinge::{Mesh, WorldBox};
use impinge_io::Part;
use rayon::ThreadPool;
use std::sync::Arc;

/// What `make` makes of the box around each part; `None` around a part without a triangle.
pub(crate) fn each<T: Send>(
    parts: &[Part],
    pool: &ThreadPool,
    progress: &Progress,
    make: impl Fn(Option<WorldBox>) -> T + Sync,
) -> Vec<T> {
    progress.stage("boxes around parts", parts.len() as u64);
    let (meshes, mesh_of) = input::distinct_meshes(parts);
    let mut uses = vec![0_usize; meshes.len()];
    mesh_of.iter().for_each(|&mesh| uses[mesh] += 1);
    let order: Vec<usize> = (0..meshes.len()).collect();
    let meshes = parallel::each(pool, &order, |&mesh| match uses[mesh] {
        ..MANY => Arc::clone(&meshes[mesh]),
        _ => corners_once(&meshes[mesh]).map_or_else(|| Arc::clone(&meshes[mesh]), Arc::new),
    });
    let placed: Vec<_> = parts.iter().zip(mesh_of).collect();
    parallel::each(pool, &placed, |(part, mesh)| {
        let made = make(WorldBox::new(&meshes[*mesh], &part.pose));
        progress.step(1);
        made
    })
}

/// A mesh that so many parts share is worth a copy.
const MANY: usize = 4;

/// A mesh with the same corners, each in one triangle instead of the six or so that meet in it: a box looks
/// at all corners of all triangles. Corners are in the order in which they come first, so that even where two
/// are equally far out the box is that of the mesh, bit by bit.
fn corners_once(mesh: &Mesh) -> Option<Mesh> {
    let mut is_seen = vec![false; mesh.points().len()];
    let mut points = Vec::with_capacity(mesh.points().len());
    for &corner in mesh.triangles().as_flattened() {
        if !std::mem::replace(&mut is_seen[corner as usize], true) {
            points.push(mesh.points()[corner as usize]);
        }
    }
    let last = u32::try_from(points.len()).ok()?.checked_sub(1)?;
    let up_to = |i: u32| i.min(last);
    let triangle = |i: u32| [i, up_to(i.saturating_add(1)), up_to(i.saturating_add(2))];
    let triangles = (0..=last).step_by(3).map(triangle).collect();
    Mesh::new(points, triangles).ok()
}

#[cfg(test)]
mod tests {
    use super::corners_once;
    use impinge::{Mesh, WorldBox};
    use impinge_demo::{SITE, lattice};

    #[test]
    fn boxes_are_those_of_the_meshes() {
        for part in lattice(300, SITE) {
            let [own, other] = [&*part.mesh, &corners_once(&part.mesh).unwrap()]
                .map(|mesh| WorldBox::new(mesh, &part.pose).unwrap());
            assert_eq!(format!("{own:?}"), format!("{other:?}"));
        }
        for corners in 1..8 {
            // The last point is no corner.
            let points = (0..=corners).map(|i| [f64::from(i), 0.0, 0.0]).collect();
            let triangles = (0..corners).map(|i| [i as u32; 3]).collect();
            let once = corners_once(&Mesh::new(points, triangles).unwrap()).unwrap();
            let seen: std::collections::BTreeSet<u32> =
                once.triangles().as_flattened().iter().copied().collect();
            assert_eq!((seen.len(), once.points().len()), (corners as usize, corners as usize));
        }
        assert!(corners_once(&Mesh::default()).is_none());
    }
}
