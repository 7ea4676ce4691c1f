//! Scenes constructed to break bounds. Counterexamples found by code review are stored with their bits and
//! compared with the oracle. In random scenes every kind, overlap test and order of the bodies must give the
//! pairs of brute force, which the library's own tests compare with the oracle's on the same scenes.
use impinge::{Body, Mesh, Model, Pose, brute_force, pose};
use impinge_testkit::{
    cases::{
        Setup,
        adversary::{FAMILIES, PlacedMeshPair, power},
        by_oracle, is_full, share, soup, transposed,
    },
    rng::{Rng, nudge},
    ways::setups,
};
use impinge_volumes::{Kind, Options, Split};
use std::collections::BTreeMap;

/// Every kind and overlap test, with leaves and rules that give deep trees and shallow ones.
fn all_setups() -> Vec<Setup> {
    let mut all = Vec::new();
    for &kind in Kind::ALL {
        for &overlap in kind.overlaps() {
            let options = Options::new(kind).overlap(overlap);
            all.extend([options.leaf_size(1), options.leaf_size(4)]);
            if kind != Kind::Wide {
                all.push(options.split(Split::Midpoint).leaf_size(1));
            }
        }
    }
    setups(all)
}

/// Checks that every tree gives these pairs, in both orders.
fn check(name: &str, (a, pose_a, b, pose_b): &PlacedMeshPair, want: &[[u32; 2]], setups: &[Setup]) {
    let swapped = transposed(want);
    for setup in setups {
        let (models, mut query) = ([a, b].map(|mesh| setup.model(mesh)), setup.query());
        for model in &models {
            model.validate().unwrap_or_else(|e| panic!("{name}, {setup:?}: {e}"));
        }
        let (x, y) = (Body::new(&models[0], *pose_a), Body::new(&models[1], *pose_b));
        for (x, y, want) in [(&x, &y, want), (&y, &x, &swapped)] {
            assert_eq!(query.pairs(x, y), want, "{name}, {setup:?}: {x:?} against {y:?}");
        }
    }
}

/// Checks that the oracle finds exactly one pair, and that every tree agrees.
fn meet_once(name: &str, a: Mesh, b: Mesh, pose_b: Pose) {
    let scene = (a, Pose::IDENTITY, b, pose_b);
    let want = by_oracle(&scene.0, &scene.1, &scene.2, &scene.3);
    assert_eq!(want.len(), 1, "{name}");
    assert_eq!(by_brute_force(&scene), want, "{name}");
    check(name, &scene, &want, &all_setups());
}

fn by_brute_force((a, pose_a, b, pose_b): &PlacedMeshPair) -> Vec<[u32; 2]> {
    let models = [a, b].map(|mesh| Model::new(mesh.clone()));
    brute_force::pairs(&Body::new(&models[0], *pose_a), &Body::new(&models[1], *pose_b))
}

#[test]
fn random_scenes_have_the_pairs_of_brute_force() {
    let (setups, mut met) = (all_setups(), BTreeMap::new());
    for (name, scene, scenes) in FAMILIES {
        for i in share(0..scenes, 0) {
            let scene = scene(&mut Rng::for_case(77, i));
            let want = by_brute_force(&scene);
            check(name, &scene, &want, &setups);
            *met.entry(name).or_insert(0) += want.len();
        }
    }
    println!("pairs that meet: {met:?}");
    let least = if is_full() { 100 } else { 30 };
    assert!(met.len() == FAMILIES.len() && met.values().all(|&n| n > least), "{met:?}");
}

/// Both leaves' boxes overlap on z by 0.05. The edge axis e_x x m_x is (0, 0, 2^-1074): along it 0.8 rounded
/// up to one, and the two half-widths of 0.45 and the pad rounded down to zero.
#[test]
fn an_edge_axis_may_be_subnormal() {
    let tiny = f64::from_bits(1);
    let a = soup(&[[[-0.9, 0.0, 0.0], [0.9, 0.0, 0.0], [0.0, 0.0, 0.45]]]);
    let b = soup(&[[[0.0, -0.9, 0.4], [0.0, 0.9, 0.4], [0.0, 0.0, 0.85]]]);
    let turn = Pose::rigid([[1.0, -tiny, 0.0], [tiny, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    meet_once("subnormal axis", a, b, turn);
}

/// A speck inside a needle. In the speck's normalized frame the needle is 2^515 long. Along the axis across
/// it, one of two products that nearly cancel overflowed and the other did not: the result was infinitely far
/// apart.
#[test]
fn an_edge_axis_may_be_huge() {
    let speck = power(-516);
    let a = soup(&[[[-speck, -speck, 0.0], [speck, -speck, 0.0], [0.0, speck, 0.0]]]);
    let thin = 1.0 / 1048576.0;
    let b = soup(&[[[-0.9, -0.9, 0.0], [0.9, 0.9, 0.0], [0.9, -0.9, 0.0]]]);
    let rows = [[0.6, -0.8 * thin, 0.0], [0.8, 0.6 * thin, 0.0], [0.0, 0.0, thin]];
    // 0.48 (2 t 2^515) 2^515 is 2^1024, and `across` makes the two products differ.
    let (t, across) = (power(-7) / 0.48, thin / 2.0);
    let at = [0.6 * t - 0.8 * across, 0.8 * t + 0.6 * across, 0.0];
    meet_once("huge axis", a, b, Pose::affine(rows, at).unwrap());
}

/// Rounded outwards to f32, a normalized frame of the largest mesh reaches a little beyond 4, and a product
/// with its box's doubled centre overflowed although the bound on its rounding did not.
#[test]
fn the_largest_mesh_may_be_sheared() {
    let m = f64::MAX;
    let (ulp, e) = (power(971), power(-24));
    let b =
        soup(&[[[m, m, -ulp], [m, m, ulp], [m - ulp, m, ulp]], [[-m, -m, -m], [-m, -m, -m], [-m, -m, -m]]]);
    let a = soup(&[[[-0.9, -0.5, 0.0], [0.9, -0.5, 0.0], [0.0, 0.9, 0.9]]]);
    let (r, s) = (0.5 - e / 8.0, -(0.5 - e / 2.0));
    let rows = [[r, s, 0.0], [0.0, power(-1023), 0.0], [0.0, 0.0, 1.0]];
    // One ulp more, so that the corner is beyond `a`.
    let t = nudge(-pose::place(&rows, &[0.0; 3], [m, m, 0.0])[0], 1);
    let pose = Pose::affine(rows, [t, -2.0, 0.0]).unwrap();
    meet_once("sheared giant", a, b, pose);
}
