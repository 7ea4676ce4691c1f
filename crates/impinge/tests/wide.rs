//! The fast tree on every instruction set of this machine: one set of pairs, that of brute force.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
mod common;

use common::{poses, scenes};
use impinge::{Body, BuildOptions, Count, Kind, Model, Query, Scratch, SimdLevel, brute_force};

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
