//! The fast tree on every instruction set of this machine: one set of pairs, that of brute force.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
mod common;

use common::{poses, scenes};
use impinge::{
    Body, BuildOptions, Count, Kind, Mesh, Model, Quality, Query, Scratch, SimdLevel, brute_force,
};

/// Those that this processor has.
fn levels() -> Vec<SimdLevel> {
    SimdLevel::ALL.iter().copied().filter(|&level| level.in_use() == level).collect()
}

#[test]
fn every_instruction_set_gives_the_pairs_of_brute_force() {
    let (mut scratch, mut count, mut queries, mut found) = (Scratch::new(), Count::default(), 0, 0);
    for (name, a, b) in scenes() {
        let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
        let (a, b) = (Model::new(a, &options), Model::new(b, &options));
        a.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
        b.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
        for (pose_a, pose_b) in poses() {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            let (mut want, mut got) = (Vec::new(), Vec::new());
            brute_force::intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut ());
            for simd in levels() {
                let query = Query { simd, ..Query::default() };
                query.intersecting_pairs(&a, &b, &mut scratch, &mut got, &mut count);
                assert_eq!(got, want, "{name}, {simd:?}, {pose_a:?}, {pose_b:?}");
                let witness = query.intersects(&a, &b, &mut scratch, &mut ());
                assert_eq!(witness.is_some(), !want.is_empty(), "{name}, {simd:?}");
                assert!(witness.is_none_or(|w| want.contains(&w)), "{name}, {simd:?}: {witness:?}");
                queries += 1;
                found += got.len();
            }
        }
    }
    println!("{queries} queries, {found} pairs on {:?}: {count:?}", levels());
    assert!(found > 10_000, "the scenes must touch for this test to mean anything");
}

/// Every way to build.
fn builds() -> Vec<BuildOptions> {
    let mut all = Vec::new();
    for &quality in Quality::ALL {
        for compact in [false, true] {
            for leaf_size in [0, 1, 3, 8] {
                all.push(BuildOptions {
                    kind: Kind::Wide,
                    quality,
                    compact,
                    leaf_size,
                    ..BuildOptions::default()
                });
            }
        }
    }
    all
}

#[test]
fn every_build_is_valid_and_gives_the_pairs_of_brute_force() {
    let (mut scratch, mut found) = (Scratch::new(), 0);
    for (name, a, b) in scenes() {
        let (a, b): (std::sync::Arc<Mesh>, std::sync::Arc<Mesh>) = (a.into(), b.into());
        let poses = poses();
        let mut wants = Vec::new();
        for options in builds() {
            let models = [&a, &b].map(|mesh| Model::new(mesh.clone(), &options));
            for model in &models {
                model.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
                let again = Model::new(model.shared_mesh().clone(), &options);
                assert_eq!(format!("{again:?}"), format!("{model:?}"), "{name}, {options:?}: built twice");
                // No leaf holds more than was asked for.
                let most = if options.leaf_size == 0 { 8 } else { options.leaf_size };
                assert!(model.stats().leaves * most >= model.mesh().len(), "{name}, {options:?}");
            }
            for (i, &(pose_a, pose_b)) in poses.iter().enumerate() {
                let (a, b) = (Body::new(&models[0], pose_a), Body::new(&models[1], pose_b));
                if wants.len() == i {
                    let mut want = Vec::new();
                    brute_force::intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut ());
                    wants.push(want);
                }
                let mut got = Vec::new();
                impinge::intersecting_pairs(&a, &b, &mut scratch, &mut got);
                assert_eq!(got, wants[i], "{name}, {options:?}, {pose_a:?}, {pose_b:?}");
                found += got.len();
            }
        }
    }
    assert!(found > 100_000, "{found} pairs: the scenes must touch for this test to mean anything");
}

#[test]
fn compact_trees_are_smaller_and_small_leaves_are_honoured() {
    let mesh: std::sync::Arc<Mesh> = impinge_testkit::meshes::icosphere(5).into();
    let stats = |options: BuildOptions| Model::new(mesh.clone(), &options).stats();
    let wide = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let (fine, compact) = (stats(wide), stats(BuildOptions { compact: true, ..wide }));
    let each = |bytes: usize| bytes as f64 / mesh.len() as f64;
    assert!(each(fine.bytes) < 48.0, "{fine:?}");
    assert!(each(fine.bytes) - each(compact.bytes) > 8.5, "{fine:?} {compact:?}");
    assert_eq!(stats(BuildOptions { leaf_size: 1, ..wide }).leaves, mesh.len());
    assert_eq!(stats(BuildOptions { leaf_size: 8, ..wide }), fine);
}
