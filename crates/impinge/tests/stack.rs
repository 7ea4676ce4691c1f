//! Everything fits the stack of an ordinary thread, without optimisation, too: CI runs this file in both ways.
mod common;

use common::{poses, scenes};
use impinge::{
    Body, BuildOptions, Detail, Kind, Model, Query, QueryCache, Rebuild, Scene, Scratch, SimdLevel,
};
use std::{sync::Arc, thread};

/// Half of what Rust gives a thread, and what Windows gives the first one.
const STACK: usize = 1 << 20;

#[test]
fn a_small_stack_is_enough() {
    let asked = thread::Builder::new().stack_size(STACK).spawn(ask).unwrap().join().unwrap();
    assert!(asked > 300, "{asked}");
}

/// How many queries there were.
fn ask() -> usize {
    let (mut scratch, mut pairs, mut asked) = (Scratch::new(), Vec::new(), 0);
    // Faces that coincide, and numbers that overflow.
    for (name, a, b) in [scenes().swap_remove(3), scenes().swap_remove(8)] {
        for &kind in Kind::ALL {
            let options = BuildOptions { kind, ..BuildOptions::default() };
            let (mut a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
            let points = a.mesh().points().to_vec();
            a.deform(&points, Rebuild::default()).unwrap();
            let (b, mut cache) = (Arc::new(b), QueryCache::new());
            for (&simd, (pose_a, pose_b)) in SimdLevel::ALL.iter().cycle().zip(poses().into_iter().step_by(2))
            {
                let query = Query { simd, ..Query::default() };
                let (of_a, of_b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                let met = query.intersects(&of_a, &of_b, &mut scratch, &mut ()).is_some();
                query.intersecting_pairs(&of_a, &of_b, &mut scratch, &mut pairs, &mut ());
                assert_eq!(met, !pairs.is_empty(), "{name}, {kind:?}, {simd:?}");
                let again = query.intersects_cached(&of_a, &of_b, &mut cache, &mut scratch, &mut ());
                assert_eq!(met, again.is_some(), "{name}, {kind:?}, {simd:?}, cached");
                asked += 3;
            }
            Query::default().self_intersecting_pairs(&a, &mut scratch, &mut pairs, &mut ());
            let mut scene = Scene::new();
            for (_, pose) in poses().into_iter().step_by(2) {
                scene.add(Arc::clone(&b), pose);
            }
            scene.update(&Query::default(), Detail::Triangles);
        }
    }
    asked
}
