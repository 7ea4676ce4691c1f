//! The fast tree finds the pairs of brute force on every instruction set of this machine.
use impinge::{Body, BuildOptions, Mesh, Model, Pose, Quality, Query, SimdLevel, brute_force};
use impinge_testkit::{
    cases::{Setup, is_full, poses, scenes, share, walk},
    meshes,
    rng::Rng,
    ways::levels,
};
use std::sync::Arc;

#[test]
fn every_instruction_set_gives_the_pairs_of_brute_force() {
    let (mut queries, mut found) = (0, 0);
    let mut ways: Vec<(SimdLevel, Query)> =
        levels().into_iter().map(|simd| (simd, Query::new().simd(simd).counting(true))).collect();
    for (turn, (name, a, b)) in scenes().into_iter().enumerate() {
        let options = BuildOptions::default();
        let (a, b) = (Model::with_options(a, &options), Model::with_options(b, &options));
        a.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
        b.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
        for (pose_a, pose_b) in share(poses(), turn) {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            let want = brute_force::pairs(&a, &b);
            for (simd, query) in &mut ways {
                assert_eq!(query.pairs(&a, &b), want, "{name}, {simd:?}, {pose_a:?}, {pose_b:?}");
                let witness = query.first_contact(&a, &b);
                assert_eq!(witness.is_some(), !want.is_empty(), "{name}, {simd:?}");
                assert!(witness.is_none_or(|w| want.contains(&w)), "{name}, {simd:?}: {witness:?}");
                queries += 1;
                found += want.len();
            }
        }
    }
    println!("{queries} queries, {found} pairs");
    for (simd, query) in &ways {
        println!("{simd:?}: {:?}", query.counters().unwrap().count);
    }
    assert!(found > 10_000, "the scenes must touch for this test to mean anything");
}

/// Hash of the pairs of fixed scenes, equal for every instruction set, build profile and machine.
#[test]
fn golden_hash() {
    let mut rng = Rng::new(77);
    let options = BuildOptions::default();
    let shapes: [Mesh; 5] = [
        meshes::icosphere(4),
        meshes::torus(64, 40, 0.35),
        meshes::needles(8, 2000),
        meshes::to_grid(&meshes::torus(40, 30, 0.3), 6),
        meshes::mapped(&meshes::sheet(3, 40, 0.3), |v| v.map(|x| 1e6 + x)),
    ];
    let models = shapes.map(|mesh| Model::with_options(mesh, &options));
    let mut cases = Vec::new();
    for (k, a) in models.iter().enumerate() {
        for b in &models[k..] {
            // Bodies, one of them far out, are brought together; the same place twice gives exact
            // contacts.
            let centre =
                |model: &Model| model.mesh().points()[0].map(|x| if x.abs() > 1e5 { -1e6 } else { 0.0 });
            let pose = |model: &Model, rows: [[f64; 3]; 3], at: [f64; 3]| {
                let c = centre(model);
                let shift =
                    [0, 1, 2].map(|i| at[i] + rows[i][0] * c[0] + rows[i][1] * c[1] + rows[i][2] * c[2]);
                Pose::rigid(rows, shift).unwrap()
            };
            for _ in 0..4 {
                let (r, s, t) = (rng.rotation(), rng.rotation(), rng.point(0.4));
                cases.push((a, pose(a, r, [0.0; 3]), b, pose(b, s, t)));
            }
            let unit = *Pose::IDENTITY.rows();
            cases.push((a, pose(a, unit, [0.0; 3]), b, pose(b, unit, [0.25, 0.0, 0.0])));
        }
    }
    let mut hashes = Vec::new();
    for simd in levels() {
        let (mut query, mut hash, mut total) = (Query::new().simd(simd), 0xcbf2_9ce4_8422_2325_u64, 0);
        for &(a, pose_a, b, pose_b) in &cases {
            let pairs = query.pairs(&Body::new(a, pose_a), &Body::new(b, pose_b));
            total += pairs.len();
            // FNV-1a, by words.
            for word in pairs.as_flattened() {
                hash = (hash ^ u64::from(*word)).wrapping_mul(0x100_0000_01b3);
            }
        }
        hashes.push((total, hash));
    }
    println!("{hashes:x?} on {:?}", levels());
    assert!(hashes.iter().all(|&hash| hash == GOLDEN), "{hashes:x?}");
}

/// Number of pairs, and their hash.
const GOLDEN: (usize, u64) = (49_974, 0xe2fc_534c_99b4_3b46);

#[test]
fn pairs_one_by_one_are_all_pairs() {
    walk::pairs_one_by_one(&Setup::both_on_all_levels());
}

/// Squares of one plane, each cut in two along a diagonal, all lower halves against all upper ones: their
/// boxes overlap and no volume has a sign, but nothing meets unless they are pushed together.
#[test]
fn faces_of_one_plane_that_are_apart_need_no_integers() {
    let halves = |corner: f64, end: f64, z: f64| {
        let points = (0..64).flat_map(|k| {
            let [x, y] = [f64::from(k % 8), f64::from(k / 8)].map(|o| 2.0 * o);
            [[x + corner, y + corner, z], [x + corner, y + end, z], [x + end, y + corner, z]]
        });
        let mesh = Mesh::new(points.collect(), (0..64).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect());
        Model::new(mesh.unwrap())
    };
    // Lanes are certain of zeros at one pose, and at two that map axes to axes.
    let pose = Pose::rigid(Rng::new(3).rotation(), [4.0, 5.0, 6.0]).unwrap();
    let there = Pose::from_translation([0.0, 0.0, 8.0]).unwrap();
    for (end, meets, [pose_a, pose_b]) in [
        (0.25, false, [pose; 2]),
        (0.0, true, [pose; 2]),
        (0.25, false, [there, Pose::IDENTITY]),
        (0.0, true, [there, Pose::IDENTITY]),
    ] {
        let height = if pose_a == pose_b { 0.0 } else { 8.0 };
        let (a, b) = (halves(0.0, 1.0, 0.0), halves(1.0, end, height));
        let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
        for simd in levels() {
            let mut query = Query::new().simd(simd).counting(true);
            assert_eq!(!query.pairs(&a, &b).is_empty(), meets, "{simd:?}");
            let count = query.counters().unwrap().count;
            assert!(count.filter_tests > 50, "{simd:?}: nothing was undecided: {count:?}");
            assert_eq!(count.exact_tests, 0, "{simd:?}: {count:?}");
        }
    }
}

/// Every way to build.
pub(crate) fn builds() -> Vec<BuildOptions> {
    let mut all = vec![BuildOptions::new().quality(Quality::OnDemand)];
    for quality in [Quality::High, Quality::Fast] {
        for compact in [false, true] {
            for leaf_size in [1, 3, 8] {
                all.push(BuildOptions::new().quality(quality).compact(compact).leaf_size(leaf_size));
            }
        }
    }
    all
}

#[test]
fn every_build_is_valid_and_gives_the_pairs_of_brute_force() {
    let (mut query, mut found) = (Query::new(), 0);
    let sheet = meshes::sheet(2, 6, 0.3);
    let flat = meshes::mapped(&sheet, |[x, y, _]| [x, y, 0.0]);
    let line = meshes::mapped(&sheet, |[x, y, _]| [x + y, 0.0, 0.0]);
    let place = meshes::mapped(&sheet, |_| [0.25, 0.0, 0.0]);
    // All builds at all poses take a minute, so an ordinary run takes a third of each.
    let step = if is_full() { 1 } else { 3 };
    let thin = [("flat", flat.clone(), sheet), ("a line", line, flat.clone()), ("a point", place, flat)];
    for (turn, (name, a, b)) in scenes().into_iter().chain(thin).enumerate() {
        let (a, b): (Arc<Mesh>, Arc<Mesh>) = (a.into(), b.into());
        let poses = poses();
        let plain = [&a, &b].map(|mesh| Model::new(mesh.clone()));
        let [plain_a, plain_b] = plain.each_ref();
        let wants: Vec<_> = poses
            .iter()
            .map(|&(p, q)| brute_force::pairs(&Body::new(plain_a, p), &Body::new(plain_b, q)))
            .collect();
        for (n, options) in share(builds().into_iter().enumerate(), turn) {
            let models = [&a, &b].map(|mesh| Model::with_options(mesh.clone(), &options));
            for model in &models {
                model.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
                let again = Model::with_options(model.shared_mesh().clone(), &options);
                assert_eq!(format!("{again:?}"), format!("{model:?}"), "{name}, {options:?}: built twice");
                // No leaf has more triangles than requested.
                let room = model.stats().leaves * options.leaf_size;
                let is_built = options.quality != Quality::OnDemand;
                assert!(!is_built || room >= model.mesh().len(), "{name}, {options:?}");
            }
            for (i, &(pose_a, pose_b)) in poses.iter().enumerate().skip(n / 3 % step).step_by(step) {
                let (a, b) = (Body::new(&models[0], pose_a), Body::new(&models[1], pose_b));
                let got = query.pairs(&a, &b);
                assert_eq!(got, wants[i], "{name}, {options:?}, {pose_a:?}, {pose_b:?}");
                found += got.len();
            }
        }
    }
    assert!(
        found > 100_000 / (step * step),
        "{found} pairs: the scenes must touch for this test to mean anything"
    );
}

#[test]
fn compact_trees_are_smaller_and_small_leaves_are_honoured() {
    let mesh: Arc<Mesh> = meshes::icosphere(5).into();
    let stats = |options: BuildOptions| Model::with_options(mesh.clone(), &options).stats();
    let wide = BuildOptions::default();
    let (fine, compact) = (stats(wide), stats(wide.compact(true)));
    let each = |bytes: usize| bytes as f64 / mesh.len() as f64;
    assert!(each(fine.bytes) < 48.0, "{fine:?}");
    assert!(each(fine.bytes) - each(compact.bytes) > 8.5, "{fine:?} {compact:?}");
    assert_eq!(stats(wide.leaf_size(1)).leaves, mesh.len());
    assert_eq!(stats(wide.leaf_size(8)), fine);
}
