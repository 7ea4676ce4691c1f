//! Agreement cannot see a volume that became loose, nor a filter that decides nothing. These pinned counts can.
//!
//! A change here is no error by itself: the commit that changes a number says why it did.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
use impinge::{Body, BuildOptions, Count, Kind, Model, Overlap, Pose, Query, Scratch, Split};
use impinge_testkit::{meshes, rng::Rng};

fn effort(kind: Kind, split: Split, overlap: Overlap) -> Count {
    let options = BuildOptions { kind, split, ..BuildOptions::default() };
    let a = Model::new(meshes::icosphere(4), &options);
    let b = Model::new(meshes::torus(48, 32, 0.4), &options);
    let (mut rng, mut scratch, mut pairs) = (Rng::new(2024), Scratch::new(), Vec::new());
    let mut count = Count::default();
    for _ in 0..20 {
        let pose = Pose::rigid(rng.rotation(), rng.point(1.2)).unwrap();
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, pose));
        Query { overlap }.intersecting_pairs(&a, &b, &mut scratch, &mut pairs, &mut count);
    }
    count
}

#[test]
fn work_done_is_pinned() {
    let mut got = Vec::new();
    for &kind in Kind::ALL {
        for &split in Split::ALL {
            for overlap in [Overlap::SatLite, Overlap::Sat] {
                let c = effort(kind, split, overlap);
                println!("{kind:?} {split:?} {overlap:?}: {c:?}");
                got.push((c.volume_tests, c.triangle_tests, c.exact_tests));
            }
        }
    }
    assert_eq!(got, PINNED);
}

const PINNED: [(u64, u64, u64); 4] =
    [(120332, 26409, 0), (108284, 26223, 0), (100976, 26092, 0), (89664, 25800, 0)];
