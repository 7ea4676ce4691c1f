//! Queries, refits and scenes on the stack of a small thread.
use super::{Setup, poses, scenes};
use crate::meshes;
use impinge::{
    Body, HalfSpace, Pose, Scene,
    distance::{Accuracy, Margin},
    model::Rebuild,
    penetration::PenetrationParts,
    query::QueryCache,
    rays::Ray,
    regions::InRegion,
    relation::RelationKind,
    scene::Detail,
    solid::Location,
};
use std::{sync::Arc, thread};

/// Size of a small stack in bytes: half of what Rust gives a thread, and what Windows gives the first thread.
pub const SMALL_STACK: usize = 1 << 20;

/// Runs all queries on a stack of `stack` bytes. Returns their number.
///
/// # Panics
/// Panics if results differ. If the stack is too small, the process ends.
pub fn ask(setups: &[Setup], stack: usize) -> usize {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(stack).spawn_scoped(scope, || ask_here(setups));
        thread.expect("a thread").join().expect("answers differ")
    })
}

fn ask_here(setups: &[Setup]) -> usize {
    let mut asked = 0;
    // Faces that coincide, and numbers that overflow.
    for (name, a, b) in [scenes().swap_remove(3), scenes().swap_remove(8)] {
        for setup in setups {
            let (mut query, mut cache) = (setup.query(), QueryCache::new());
            let (mut a, b) = (setup.model(&a), Arc::new(setup.model(&b)));
            let points = a.mesh().points().to_vec();
            a.deform(&points, Rebuild::default()).expect("as many points");
            for (pose_a, pose_b) in poses().into_iter().step_by(2) {
                let (of_a, of_b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                let met = query.intersects(&of_a, &of_b);
                assert_eq!(met, !query.pairs(&of_a, &of_b).is_empty(), "{name}, {setup:?}");
                let again = query.with_cache(&mut cache).intersects(&of_a, &of_b);
                assert_eq!(met, again, "{name}, {setup:?}, cached");
                assert_eq!(met, !query.curves(&of_a, &of_b).is_empty(), "{name}, {setup:?}");
                asked += 4;
            }
            query.self_pairs(&a);
            let mut scene = Scene::new();
            for (_, pose) in poses().into_iter().step_by(2) {
                scene.add(Arc::clone(&b), pose).expect("trees of one kind");
            }
            scene.update(Detail::Relations);
        }
    }
    for setup in setups {
        // Boxes that overlap in one mesh, as long and as thin as numbers allow.
        let long = meshes::cuboid([1e300, 1e-300, 1.0]);
        let long = meshes::merged(&[&long, &meshes::translated(&long, [1e299, 0.0, 0.5])]);
        let (a, b) = (setup.model(&long), setup.model(&meshes::translated(&long, [2e299, 1e-301, 1.0])));
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY));
        assert_eq!(setup.query().relation(&a, &b).kind, RelationKind::Overlap);
        assert_eq!(setup.query().locate(&a, &[[0.0; 3]]), [Location::Inside]);
        let found = setup.query().penetration(&a, &b, &PenetrationParts::all());
        assert!(found.depth_at_least.is_none_or(|depth| depth.length <= 1e300), "{found:?}");
        assert!(!setup.query().curves(&a, &b).is_empty());
        let far = Pose::from_translation([3e300, 1e-300, 1.5]).expect("finite numbers");
        let b = Body::new(b.model, far);
        let gap = setup
            .query()
            .with_accuracy(Accuracy::new().exact())
            .distance(&a, &b)
            .expect("they have triangles");
        assert!(gap.lo > 0.0 && gap.hi == gap.lo, "{gap:?}");
        let margin = Margin::new(gap.lo.next_down()).expect("a distance");
        assert!(!setup.query().within(&a, &b, margin));
        let found =
            setup.query().with_accuracy(Accuracy::new().exact()).closest_point(&a, [3e300, 1e-300, 0.5]);
        assert!(found.is_some_and(|found| found.lo > 0.0 && found.hi <= found.lo.next_up()));
        // Along an edge, with integers of maximum width.
        let corner = a.model.mesh().corners(0)[0];
        let ray = Ray::new(corner, [-1e300, 1e-300, 0.0]).expect("finite numbers");
        assert!(setup.query().ray_first(&a, &ray).is_some_and(|hit| hit.enter == [0.0; 2]));
        assert!(setup.query().ray_all(&a, &ray).len() > 1);
        let planes =
            [[1e-300, 0.0, 1e300], [-1e-300, 1e300, 0.0]].map(|n| HalfSpace::new(n, 0.0).expect("finite"));
        assert!(!setup.query().triangles_in(&a, &planes, InRegion::Partly).is_empty());
        asked += 9;
    }
    asked
}
