//! Trees against brute force: every kind, split rule, leaf size and box test gives the same pairs; so do swapped
//! bodies, moved bodies and reordered triangles.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
mod common;

use common::{pairs, poses, scenes};
use impinge::{Body, BuildOptions, Kind, Mesh, Model, Pose, Query, Scratch, Split, brute_force};
use impinge_testkit::{meshes, rng::Rng, ways::queries_of};
use std::thread;

fn every_option() -> Vec<(BuildOptions, Query)> {
    let mut all = Vec::new();
    for &kind in Kind::ALL {
        for &fit in kind.fits() {
            // `auto` is one of the others. Arities and leaf sizes go round: nine trees meet all nine pairs.
            for (k, &split) in Split::ALL[1..].iter().enumerate() {
                for query in queries_of(kind, k / 3 + k) {
                    let (n, arities) = (all.len(), kind.arities());
                    let (arity, leaf_size) = (arities[n % arities.len()], [1, 3, 8][n / arities.len() % 3]);
                    let options =
                        BuildOptions { kind, split, fit, leaf_size, arity, ..BuildOptions::default() };
                    all.push((options, query));
                }
            }
        }
    }
    all
}

#[test]
fn every_option_gives_the_pairs_of_brute_force() {
    // A thread a scene: there are many options.
    let totals: Vec<[usize; 2]> = thread::scope(|scope| {
        let work: Vec<_> = scenes()
            .into_iter()
            .map(|(name, a, b)| scope.spawn(move || every_option_on(name, &a, &b)))
            .collect();
        work.into_iter().map(|thread| thread.join().expect("a scene's answers differ")).collect()
    });
    let [queries, found] =
        totals.into_iter().fold([0; 2], |[q, f], [queries, found]| [q + queries, f + found]);
    println!("{queries} queries, {found} pairs: trees and brute force agree");
    assert!(found > 10_000, "the scenes must touch for this test to mean anything");
}

/// How many queries, and how many pairs they found.
fn every_option_on(name: &str, a: &Mesh, b: &Mesh) -> [usize; 2] {
    let (mut scratch, mut queries, mut found) = (Scratch::new(), 0, 0);
    let poses = poses();
    // Brute force once a pose: it looks at no tree.
    let plain = [a, b].map(|mesh| Model::new(mesh.clone(), &BuildOptions::default()));
    let wants: Vec<Vec<[u32; 2]>> = poses
        .iter()
        .map(|&(pose_a, pose_b)| {
            let (a, b) = (Body::new(&plain[0], pose_a), Body::new(&plain[1], pose_b));
            let mut want = Vec::new();
            brute_force::intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut ());
            assert_eq!(
                brute_force::intersects(&a, &b, &mut scratch, &mut ()),
                want.first().copied(),
                "the reference's first contact is its least pair"
            );
            want
        })
        .collect();
    for (options, query) in every_option() {
        let (a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
        a.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
        b.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
        for (&(pose_a, pose_b), want) in poses.iter().zip(&wants) {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            let mut got = Vec::new();
            query.intersecting_pairs(&a, &b, &mut scratch, &mut got, &mut ());
            assert_eq!(&got, want, "{name}, {options:?}, {query:?}, {pose_a:?}, {pose_b:?}");
            let witness = query.intersects(&a, &b, &mut scratch, &mut ());
            assert_eq!(witness.is_some(), !want.is_empty(), "{name}, {options:?}");
            assert!(witness.is_none_or(|w| want.contains(&w)), "{name}, {options:?}: {witness:?}");
            queries += 1;
            found += want.len();
        }
    }
    [queries, found]
}

#[test]
fn swapping_the_bodies_transposes_the_pairs() {
    for (name, a, b) in scenes() {
        let (a, b) = (Model::new(a, &BuildOptions::default()), Model::new(b, &BuildOptions::default()));
        for (pose_a, pose_b) in poses() {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            let mut swapped: Vec<_> = pairs(&b, &a).into_iter().map(|[j, i]| [i, j]).collect();
            swapped.sort_unstable();
            assert_eq!(swapped, pairs(&a, &b), "{name}");
        }
    }
}

#[test]
fn reordering_the_triangles_renames_the_pairs() {
    for (seed, (name, a, b)) in scenes().into_iter().enumerate() {
        // `names[new]` is the old number.
        let (shuffled, names) = meshes::permuted(&a, seed as u64);
        let b = Model::new(b, &BuildOptions::default());
        let (a, shuffled) =
            (Model::new(a, &BuildOptions::default()), Model::new(shuffled, &BuildOptions::default()));
        for (pose_a, pose_b) in poses() {
            let b = Body::new(&b, pose_b);
            let mut renamed: Vec<_> = pairs(&Body::new(&shuffled, pose_a), &b)
                .into_iter()
                .map(|[i, j]| [names[i as usize], j])
                .collect();
            renamed.sort_unstable();
            assert_eq!(renamed, pairs(&Body::new(&a, pose_a), &b), "{name}");
        }
    }
}

/// One exact motion of both bodies changes nothing: quarter turns and shifts of grid meshes are exact in f64.
#[test]
fn moving_both_changes_nothing() {
    let mut rng = Rng::new(5);
    for (name, a, b) in scenes().into_iter().filter(|(name, ..)| name.contains("grid")) {
        let (a, b) = (Model::new(a, &BuildOptions::default()), Model::new(b, &BuildOptions::default()));
        let still = pairs(&Body::new(&a, Pose::IDENTITY), &Body::new(&b, Pose::IDENTITY));
        assert!(!still.is_empty(), "{name}");
        for _ in 0..8 {
            let t = rng.grid_point(1 << 20);
            for rows in [
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
                [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            ] {
                let pose = Pose::rigid(rows, t).unwrap();
                assert_eq!(pairs(&Body::new(&a, pose), &Body::new(&b, pose)), still, "{name}: one pose");
                // The same place reached by another way: the points of one body moved, the other's pose.
                let moved = meshes::mapped(a.mesh(), |v| pose.place(v));
                let moved = Model::new(moved, &BuildOptions::default());
                assert_eq!(
                    pairs(&Body::new(&moved, Pose::IDENTITY), &Body::new(&b, pose)),
                    still,
                    "{name}: moved points against a pose"
                );
            }
        }
    }
}

#[test]
fn an_empty_mesh_meets_nothing() {
    let empty = Model::new(impinge::Mesh::default(), &BuildOptions::default());
    let ball = Model::new(meshes::icosphere(1), &BuildOptions::default());
    let (e, b) = (Body::new(&empty, Pose::IDENTITY), Body::new(&ball, Pose::IDENTITY));
    empty.validate().unwrap();
    for (x, y) in [(&e, &b), (&b, &e), (&e, &e)] {
        assert!(pairs(x, y).is_empty());
        assert_eq!(impinge::intersects(x, y, &mut Scratch::new()), None);
        assert_eq!(brute_force::intersects(x, y, &mut Scratch::new(), &mut ()), None);
    }
}
