//! The fast tree on every instruction set of this machine: one set of pairs, that of brute force.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
mod common;

use common::{poses, scenes};
use impinge::{
    Body, BuildOptions, Count, Kind, Mesh, Model, Pose, Quality, Query, QueryCache, Scratch, brute_force,
};
use impinge_testkit::{meshes, rng::Rng, ways::levels};
use std::ops::ControlFlow;

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

/// The pairs of fixed scenes, hashed: the same number whatever the instruction set, the build profile or the machine.
#[test]
fn golden_hash() {
    let mut rng = Rng::new(77);
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let shapes: [Mesh; 5] = [
        meshes::icosphere(4),
        meshes::torus(64, 40, 0.35),
        meshes::needles(8, 2000),
        meshes::to_grid(&meshes::torus(40, 30, 0.3), 6),
        meshes::mapped(&meshes::sheet(3, 40, 0.3), |v| v.map(|x| 1e6 + x)),
    ];
    let models = shapes.map(|mesh| Model::new(mesh, &options));
    let mut cases = Vec::new();
    for (k, a) in models.iter().enumerate() {
        for b in &models[k..] {
            // Bodies of which one lies far out are brought together; the same place twice gives exact contacts.
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
    let (mut scratch, mut pairs) = (Scratch::new(), Vec::new());
    let mut hashes = Vec::new();
    for simd in levels() {
        let (mut hash, mut total) = (0xcbf2_9ce4_8422_2325_u64, 0);
        for &(a, pose_a, b, pose_b) in &cases {
            let query = Query { simd, ..Query::default() };
            query.intersecting_pairs(
                &Body::new(a, pose_a),
                &Body::new(b, pose_b),
                &mut scratch,
                &mut pairs,
                &mut (),
            );
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

/// How many pairs, and their hash.
const GOLDEN: (usize, u64) = (49_974, 0xe2fc_534c_99b4_3b46);

/// Spheres that slide slowly through each other: mostly the last witness is enough, and the answer is that of a cold query.
#[test]
fn a_cache_changes_no_answer() {
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let ball = Model::new(meshes::icosphere(3), &options);
    let (mut scratch, mut cache, mut met, mut warm) = (Scratch::new(), QueryCache::new(), 0, 0);
    // Filled by bodies of other sizes.
    let other = Model::new(meshes::icosphere(5), &options);
    let still = Body::new(&other, Pose::IDENTITY);
    let shifted = Body::new(&other, Pose::from_translation([1.9, 0.0, 0.0]).unwrap());
    assert!(
        Query::default().intersects_cached(&still, &shifted, &mut cache, &mut scratch, &mut ()).is_some()
    );
    for step in 0..2000 {
        let x = 2.2 - f64::from(step) * 0.002;
        let (a, b) = (
            Body::new(&ball, Pose::IDENTITY),
            Body::new(&ball, Pose::from_translation([x, 0.05, 0.03]).unwrap()),
        );
        let mut count = Count::default();
        let witness = Query::default().intersects_cached(&a, &b, &mut cache, &mut scratch, &mut count);
        let want = impinge::intersects(&a, &b, &mut scratch);
        assert_eq!(witness.is_some(), want.is_some(), "{step}");
        met += u32::from(witness.is_some());
        warm += u32::from(witness.is_some() && count.volume_tests == 0);
    }
    println!("{met} of 2000 met, {warm} by the last witness");
    assert!(met > 1000 && warm > met / 2 && warm < met);
}

/// Slow motion, past touching and coincident faces: with a cache every frame has the pairs of a cold query, and most of them without a walk from the roots.
#[test]
fn slow_motion_with_a_cache_gives_the_pairs_of_cold_queries() {
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let shapes = [
        meshes::icosphere(3),
        meshes::torus(32, 20, 0.35),
        meshes::needles(8, 500),
        meshes::to_grid(&meshes::torus(40, 30, 0.3), 6),
        meshes::cuboid([0.5, 0.75, 1.0]),
    ];
    let models = shapes.map(|mesh| Model::new(mesh, &options));
    let mut rng = Rng::new(5);
    let mut turn = |angle: f64| {
        let [x, y, z] = rng.point(1.0);
        let n = (x * x + y * y + z * z).sqrt();
        let (h, w) = ((angle / 2.0).sin() / n, (angle / 2.0).cos());
        rotation([w, h * x, h * y, h * z])
    };
    let (mut scratch, mut cold, mut warm) = (Scratch::new(), Count::default(), Count::default());
    let (mut got, mut want, mut met, mut apart, mut n) = (Vec::new(), Vec::new(), 0, 0, 0);
    for a in &models {
        for b in &models {
            let (spin, start) = (turn(2e-4), turn(1.0));
            // One cache for all pairs, one for the first; frames of exact coincidence among those of a rotation.
            let (mut all, mut first, mut rows) = (QueryCache::new(), QueryCache::new(), start);
            for step in 0..150 {
                let x = 1.1 - f64::from(step) / 256.0 / 16.0;
                let rows_now = if step < 75 { *Pose::IDENTITY.rows() } else { rows };
                rows = times(&spin, &rows);
                let (a, b) = (
                    Body::new(a, Pose::IDENTITY),
                    Body::new(b, Pose::rigid(rows_now, [x, 0.25, 0.0]).unwrap()),
                );
                let levels = levels();
                let query = Query { simd: levels[n % levels.len()], ..Query::default() };
                n += 1;
                query.intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut cold);
                query.intersecting_pairs_cached(&a, &b, &mut all, &mut scratch, &mut got, &mut warm);
                assert_eq!(got, want, "{step}");
                let witness = query.intersects_cached(&a, &b, &mut first, &mut scratch, &mut ());
                assert_eq!(witness.is_some(), !want.is_empty(), "{step}");
                assert!(witness.is_none_or(|pair| want.contains(&pair)), "{step}");
                met += usize::from(!want.is_empty());
                apart += usize::from(want.is_empty());
            }
        }
    }
    println!("{met} met, {apart} did not; cold {cold:?}, cached {warm:?}");
    assert!(met > 500 && apart > 500);
    assert!(3 * warm.volume_tests < cold.volume_tests, "fronts are of no use");
}

/// Of a unit quaternion.
fn rotation([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn times(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// A walk that goes on after each pair finds every pair once, of every kind; one that is told to stop, stops.
#[test]
fn pairs_one_by_one_are_all_pairs() {
    let (mut scratch, mut found) = (Scratch::new(), 0);
    for (name, a, b) in scenes() {
        for &kind in Kind::ALL {
            let options = BuildOptions { kind, ..BuildOptions::default() };
            let (a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
            for (n, (pose_a, pose_b)) in poses().into_iter().enumerate() {
                let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                let levels = levels();
                let query = Query { simd: levels[n % levels.len()], ..Query::default() };
                let (mut want, mut got, mut some) = (Vec::new(), Vec::new(), 0);
                query.intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut ());
                let end = query.find_pairs(&a, &b, &mut scratch, &mut (), |pair| {
                    got.push(pair);
                    ControlFlow::<()>::Continue(())
                });
                got.sort_unstable();
                assert!(end.is_continue() && got == want, "{name}, {kind:?}");
                let half = want.len().div_ceil(2);
                let end = query.find_pairs(&a, &b, &mut scratch, &mut (), |pair| {
                    some += 1;
                    if some == half { ControlFlow::Break(pair) } else { ControlFlow::Continue(()) }
                });
                assert_eq!((some, end.break_value().is_some()), (half, half > 0), "{name}, {kind:?}");
                found += want.len();
            }
        }
    }
    println!("{found} pairs");
    assert!(found > 10_000, "the scenes must touch for this test to mean anything");
}

/// Squares of one plane, each cut in two along a diagonal, all lower halves against all upper ones: their boxes overlap and no volume has a sign, but nothing meets
/// unless they are pushed together.
#[test]
fn faces_of_one_plane_that_are_apart_need_no_integers() {
    let halves = |corner: f64, end: f64| {
        let points = (0..64).flat_map(|k| {
            let [x, y] = [f64::from(k % 8), f64::from(k / 8)].map(|o| 2.0 * o);
            [[x + corner, y + corner, 0.0], [x + corner, y + end, 0.0], [x + end, y + corner, 0.0]]
        });
        let mesh = Mesh::new(points.collect(), (0..64).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect());
        Model::new(mesh.unwrap(), &BuildOptions::default())
    };
    let pose = Pose::rigid(Rng::new(3).rotation(), [4.0, 5.0, 6.0]).unwrap();
    for (end, meets) in [(0.25, false), (0.0, true)] {
        let (a, b) = (halves(0.0, 1.0), halves(1.0, end));
        let (a, b) = (Body::new(&a, pose), Body::new(&b, pose));
        for simd in levels() {
            let (mut scratch, mut pairs, mut count) = (Scratch::new(), Vec::new(), Count::default());
            let query = Query { simd, ..Query::default() };
            query.intersecting_pairs(&a, &b, &mut scratch, &mut pairs, &mut count);
            assert_eq!(!pairs.is_empty(), meets, "{simd:?}");
            assert!(count.filter_tests > 50, "{simd:?}: nothing was undecided: {count:?}");
            assert_eq!(count.exact_tests > 0, meets, "{simd:?}: {count:?}");
            // One contact is enough for the first.
            let mut first = Count::default();
            assert_eq!(query.intersects(&a, &b, &mut scratch, &mut first).is_some(), meets);
            assert!(first.exact_tests <= 4, "{simd:?}: {first:?}");
        }
    }
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
    let sheet = meshes::sheet(2, 6, 0.3);
    let flat = meshes::mapped(&sheet, |[x, y, _]| [x, y, 0.0]);
    let line = meshes::mapped(&sheet, |[x, y, _]| [x + y, 0.0, 0.0]);
    let place = meshes::mapped(&sheet, |_| [0.25, 0.0, 0.0]);
    let thin = [("flat", flat.clone(), sheet), ("a line", line, flat.clone()), ("a point", place, flat)];
    for (name, a, b) in scenes().into_iter().chain(thin) {
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

/// FNV-1a of what a model prints of itself: all nodes, words and numbers.
struct Hash(u64);
impl std::fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 =
            text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Ok(())
    }
}
fn hash(model: &Model) -> u64 {
    use std::fmt::Write;
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    write!(hash, "{model:?}").expect("it takes all");
    hash.0
}

/// Whoever builds it, a tree is the same to the last bit.
#[test]
fn threads_change_no_tree() {
    let pools = [1, 2, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let soup = meshes::soup(4, 30_000, 0.05);
    // Points that no triangle has are not there.
    let loose = [&[[1e6, -1e6, 0.5]], soup.points()].concat();
    let loose = Mesh::new(loose, soup.triangles().iter().map(|t| t.map(|i| i + 1)).collect()).unwrap();
    let shapes: [(&str, Mesh); 7] = [
        ("nothing", Mesh::default()),
        ("a small sphere", meshes::icosphere(3)),
        ("327,680 triangles", meshes::icosphere(7)),
        ("needles", meshes::needles(8, 50_000)),
        ("a soup with loose points", loose),
        ("one place", Mesh::new(vec![[1.0; 3]; 3], vec![[0, 1, 2]; 40_000]).unwrap()),
        ("a grid", meshes::to_grid(&meshes::torus(300, 100, 0.3), 6)),
    ];
    for (name, mesh) in shapes {
        let mesh: std::sync::Arc<Mesh> = mesh.into();
        for options in builds().into_iter().filter(|options| options.leaf_size % 8 == 0) {
            let alone = Model::new(mesh.clone(), &options);
            let want = hash(&alone);
            for pool in &pools {
                let model = pool.install(|| Model::par_new(mesh.clone(), &options));
                assert_eq!(hash(&model), want, "{name}, {options:?}, {} threads", pool.current_num_threads());
            }
            if mesh.len() < 50_000 && !name.starts_with("one") {
                alone.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
            }
        }
    }
    let ball: std::sync::Arc<Mesh> = meshes::icosphere(8).into();
    let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
    let alone = Model::new(ball.clone(), &options);
    let model = pools[1].install(|| Model::par_new(ball.clone(), &options));
    let stats = |model: &Model| model.stats();
    assert_eq!(stats(&model), stats(&alone), "1,310,720 triangles");
    let pose = Pose::from_translation([0.013, 0.007, 1.9]).unwrap();
    let mut lists = [(); 2].map(|()| Vec::new());
    for (model, list) in [&alone, &model].into_iter().zip(&mut lists) {
        let bodies = [Body::new(model, Pose::IDENTITY), Body::new(model, pose)];
        impinge::intersecting_pairs(&bodies[0], &bodies[1], &mut Scratch::new(), list);
    }
    assert!(lists[0].len() > 500 && lists[0] == lists[1], "{} pairs", lists[0].len());
    // Every other kind does the same alone.
    for &kind in Kind::ALL {
        let options = BuildOptions { kind, ..BuildOptions::default() };
        let mesh: std::sync::Arc<Mesh> = meshes::icosphere(2).into();
        let model = pools[1].install(|| Model::par_new(mesh.clone(), &options));
        assert_eq!(hash(&model), hash(&Model::new(mesh, &options)), "{kind:?}");
    }
}
