//! Agreement cannot see a volume that became loose, nor a filter that decides nothing. The pinned counts in
//! `effort.txt` can.
//!
//! A change there is no error by itself: the commit that changes a number says why it did.
use impinge::{Body, BuildOptions, Count, Kind, Model, Overlap, Pose, Query, Scratch, Split};
use impinge_testkit::{meshes, rng::Rng};
use std::{collections::BTreeSet, fmt::Write};

fn effort(options: &BuildOptions, overlap: Overlap) -> Count {
    let a = Model::new(meshes::icosphere(4), options);
    let b = Model::new(meshes::torus(48, 32, 0.4), options);
    let (mut rng, mut scratch, mut pairs) = (Rng::new(2024), Scratch::new(), Vec::new());
    let mut count = Count::default();
    for _ in 0..20 {
        let pose = Pose::rigid(rng.rotation(), rng.point(1.2)).unwrap();
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, pose));
        Query { overlap, ..Query::default() }.intersecting_pairs(
            &a,
            &b,
            &mut scratch,
            &mut pairs,
            &mut count,
        );
    }
    count
}

#[test]
fn work_done_is_pinned() {
    let mut got = String::new();
    let mut pin = |options: BuildOptions, overlap: Overlap| {
        let c = effort(&options, overlap);
        let BuildOptions { kind, split, fit, arity, .. } = options;
        writeln!(
            got,
            "{} {split:?} {fit:?} {overlap:?} {arity}: {} volumes, {} placed, {} reached, {} triangles, {} exact",
            kind.name(),
            c.volume_tests,
            c.volume_updates,
            c.leaf_pairs,
            c.triangle_tests,
            c.exact_tests
        )
        .unwrap();
    };
    for &kind in Kind::ALL {
        let options = BuildOptions { kind, ..BuildOptions::default() };
        for &fit in kind.fits() {
            for &overlap in kind.overlaps() {
                // `auto` is one of the others.
                for &split in &Split::ALL[1..] {
                    pin(BuildOptions { split, fit, ..options }, overlap);
                }
                for &arity in &kind.arities()[1..] {
                    pin(BuildOptions { fit, arity, ..options }, overlap);
                }
            }
        }
    }
    let want: BTreeSet<&str> = include_str!("effort.txt").lines().collect();
    let got_lines: BTreeSet<&str> = got.lines().collect();
    let difference: Vec<_> = got_lines.symmetric_difference(&want).collect();
    assert!(difference.is_empty(), "counts that differ: {difference:#?}\nAll of them now:\n{got}");
}
