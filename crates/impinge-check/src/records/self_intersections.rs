//! [`SelfIntersections`]: places where the mesh of a part crosses, touches or covers itself.
use crate::{
    parts::meshes::distinct_meshes,
    records::{bodies::Bodies, run::Run},
};
use impinge::{Body, Query, Threads, contact::contact_point};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The pairs of triangles of one part that meet elsewhere than in common corners and edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SelfIntersections {
    /// Number of pairs; 0 if the part does not intersect itself.
    pub triangle_pairs: u64,
    /// A point of the least of these pairs, at the part's pose, up to rounding; `None` if there is no pair.
    pub point: Option<[f64; 3]>,
}

/// Self-intersections of each part; `None` if there was no time to find them.
pub(crate) type OfParts = Vec<Option<SelfIntersections>>;

/// Finds the self-intersections of each mesh once. Parts with one mesh have the same pairs, each at its own
/// pose.
pub(crate) fn find(run: &Run<'_>, bodies: Bodies<'_>) -> anyhow::Result<OfParts> {
    let (pool, watch) = (run.pool, run.watch);
    let (meshes, mesh_of) = distinct_meshes(run.parts);
    let mut owner = vec![0; meshes.len()];
    (0..run.parts.len()).rev().for_each(|part| owner[mesh_of[part]] = part as u32);
    // The largest first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..meshes.len()).collect();
    order.sort_by_key(|&mesh| Reverse(meshes[mesh].len()));
    let triangles = meshes.iter().map(|mesh| mesh.len() as u64).sum();
    watch.stage("looking for self-intersections, triangles", triangles);
    // Threads that find no mesh left help other threads with theirs.
    let query = || Query::new().threads(Threads::Pool);
    let found = pool.in_order(order.len(), query, |query, i| {
        let model = bodies.model(owner[order[i]]);
        let found = watch.ask(query, |query| query.self_pairs_at_most(model, 0, &mut Vec::new()));
        watch.step(model.mesh().len() as u64);
        found
    });
    watch.check()?;
    let mut of_mesh = vec![None; meshes.len()];
    order.into_iter().zip(found).for_each(|(mesh, found)| of_mesh[mesh] = found);
    let of_part = |(part, &mesh): (u32, &usize)| {
        let found = of_mesh[mesh]?;
        let point = found.first.map(|least| witness(&bodies.body(part), least));
        Some(SelfIntersections { triangle_pairs: found.count, point })
    };
    Ok((0..).zip(&mesh_of).map(of_part).collect())
}

/// A point that two triangles of a part have in common.
fn witness(body: &Body<'_>, pair: [u32; 2]) -> [f64; 3] {
    contact_point(body, body, pair).point
}

#[cfg(test)]
mod tests {
    use crate::{Assembly, Check, Part, Pool, Watch};
    use impinge::{Mesh, Model, Pose, brute_force};
    use std::sync::{Arc, atomic::AtomicBool};

    /// Triangles between few points of a grid, so that many share corners, touch, cross and cover each other.
    fn soup(seed: u64, triangles: usize) -> Mesh {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let side = 2 + next(5);
        let points: Vec<[f64; 3]> = (0..12).map(|_| [0; 3].map(|_| next(side) as f64)).collect();
        let corners = (0..triangles).map(|_| [0; 3].map(|_| next(12) as u32)).collect();
        Mesh::new(points, corners).unwrap()
    }

    #[test]
    fn the_same_as_all_pairs_of_triangles_one_by_one() {
        let (mut with, mut without) = (0, 0);
        for seed in 1..150 {
            let mesh = Arc::new(soup(seed, 1 + seed as usize % 9));
            let pose = Pose::from_translation([100.0, 0.0, 0.0]).unwrap();
            let mut assembly = Assembly::new();
            assembly.push(Part::from_mesh("at rest", mesh.clone(), Pose::IDENTITY));
            assembly.push(Part::from_mesh("moved", mesh.clone(), pose));
            let check = Check::new().self_intersections(true);
            let report = check.run(assembly, &Watch::new()).unwrap();
            let want = brute_force::self_pairs(&Model::new(mesh.clone()));
            let [at_rest, moved] = [0, 1].map(|part| *report.part(part).self_intersections().unwrap());
            assert_eq!(at_rest.triangle_pairs, want.len() as u64, "seed {seed}");
            assert_eq!(moved.triangle_pairs, at_rest.triangle_pairs);
            assert_eq!(at_rest.point.is_some(), !want.is_empty());
            let boxes = want.first().map(|pair| pair.map(|i| mesh.corners(i)));
            if let (Some(boxes), Some(point)) = (boxes, at_rest.point) {
                for (corners, k) in boxes.iter().flat_map(|corners| [0, 1, 2].map(|k| (corners, k))) {
                    let along = corners.map(|corner| corner[k]);
                    let [lo, hi] = [
                        along.iter().copied().fold(f64::MAX, f64::min),
                        along.iter().copied().fold(f64::MIN, f64::max),
                    ];
                    assert!(lo - 1e-12 <= point[k] && point[k] <= hi + 1e-12, "seed {seed}");
                }
                let shifted = moved.point.unwrap();
                assert!((shifted[0] - point[0] - 100.0).abs() < 1e-9 && shifted[1..] == point[1..]);
            }
            let parts = if want.is_empty() { 0 } else { 2 };
            let coverage = report.coverage().self_intersections.as_ref().unwrap();
            assert_eq!((coverage.parts, coverage.not_examined), (parts, 0));
            let pairs = report.clashes().iter().filter(|clash| report.counts(clash)).count() as u64;
            assert_eq!(report.findings().len() as u64, pairs + parts);
            if want.is_empty() { without += 1 } else { with += 1 }
        }
        assert!(with > 20 && without > 20, "{with} {without}");
    }

    #[test]
    fn what_there_was_no_time_for_is_not_taken_for_clean() {
        let stop = Arc::new(AtomicBool::new(true));
        let mut assembly = Assembly::new();
        assembly.push(Part::from_mesh("one", soup(7, 9), Pose::IDENTITY));
        let check = Check::new().self_intersections(true).pool(&Pool::new(1).unwrap());
        let report = check.run(assembly.clone(), &Watch::new().stop(&stop)).unwrap();
        assert!(report.part(0).self_intersections().is_none());
        assert_eq!(report.coverage().self_intersections.as_ref().unwrap().not_examined, 1);
        let cancel = AtomicBool::new(true);
        let ended = check.run(assembly, &Watch::new().cancel(&cancel));
        assert!(ended.err().is_some_and(|error| error.is_cancelled()));
    }
}
