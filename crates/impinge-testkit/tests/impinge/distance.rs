//! Distances against integers and brute force, equal on all instruction sets and in both orders.
mod cached;
mod coarse;
mod golden;
mod hulls;
mod nearest;
mod order;
mod polycubes;

use impinge::{
    Body, BuildOptions, ErrorKind, Mesh, Model, Pose, Query, SimdLevel, Threads, brute_force,
    distance::{Accuracy, DistanceBounds, Margin},
    model::Rebuild,
};
use impinge_testkit::{
    cases::{Setup, near},
    meshes,
    near_degenerate::{FAMILIES, near_degenerate},
    oracle,
    rng::Rng,
};
use std::cmp::Ordering;

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

fn one(t: &[[f64; 3]; 3]) -> Model {
    model(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap())
}

/// Bounds of the distance of two triangles, by brute force.
fn gap(p: &[[f64; 3]; 3], a: &Pose, q: &[[f64; 3]; 3], b: &Pose, stop: Accuracy) -> DistanceBounds {
    let (p, q) = (one(p), one(q));
    brute_force::distance(&Body::new(&p, *a), &Body::new(&q, *b), stop).unwrap()
}

#[test]
fn intervals_hold_the_distance_and_exact_ones_are_an_ulp_wide() {
    let mut wide = 0;
    for i in 0..FAMILIES.len() as u64 * 60 {
        let case = near_degenerate(77, i);
        let (p, a, q, b) = (&case.p, &case.pose_p, &case.q, &case.pose_q);
        let compare = |d: f64| oracle::compare_distance(p, a, q, b, d);
        let found = gap(p, a, q, b, Accuracy::new());
        let back = gap(q, b, p, a, Accuracy::new());
        assert_eq!((back.lo, back.hi), (found.lo, found.hi), "{case:?}: exchanged");
        let exact = gap(p, a, q, b, Accuracy::new().exact());
        if compare(0.0) == Ordering::Equal {
            assert_eq!((found.lo, found.hi, exact.lo, exact.hi), (0.0, 0.0, 0.0, 0.0), "{case:?}");
            continue;
        }
        assert_eq!([back.points[1], back.points[0]], found.points, "{case:?}: exchanged");
        for DistanceBounds { lo, hi, .. } in [found, exact] {
            assert_ne!(compare(lo), Ordering::Less, "{case:?}: {lo:e}");
            assert!(hi == f64::INFINITY || compare(hi) != Ordering::Greater, "{case:?}: {hi:e}");
        }
        assert!(exact.lo == exact.hi || exact.lo.next_up() == exact.hi, "{case:?}: {exact:?}");
        assert!(found.lo <= exact.lo && exact.hi <= found.hi, "{case:?}: {found:?} and {exact:?}");
        wide += usize::from(found.hi.next_down().next_down() > found.lo);
        if exact.hi < f64::MAX {
            // Margins at the distance, and on either side.
            let (p, q) = (one(p), one(q));
            let (x, y) = (Body::new(&p, *a), Body::new(&q, *b));
            for d in [exact.lo, exact.hi, exact.lo.next_down().max(0.0), exact.hi.next_up()] {
                let stop = Accuracy::new().above(Margin::new(d).unwrap());
                let near = Query::new().with_accuracy(stop).distance(&x, &y);
                assert_eq!(near.is_some(), compare(d) != Ordering::Greater, "{case:?}: {d:e}");
                assert!(near.is_none_or(|near| near.hi <= d && near.lo <= near.hi));
            }
        }
    }
    assert!(wide > 100, "{wide}");
}

#[test]
fn trees_find_what_is_within_a_margin() {
    near::pairs_within(&Setup::both_on_all_levels());
}

#[test]
fn trees_and_brute_force_agree_to_the_bit() {
    let mut rng = Rng::new(5);
    let shapes = [
        meshes::uv_sphere(9, 14),
        meshes::torus(10, 8, 0.3),
        meshes::soup(3, 150, 0.3),
        meshes::needles(4, 80),
        meshes::cuboid([0.4, 0.7, 0.2]),
        meshes::sheet(5, 9, 0.2),
    ];
    let models: Vec<Model> = shapes.into_iter().map(model).collect();
    let compact: Vec<Model> = models
        .iter()
        .map(|model| Model::with_options(model.shared_mesh().clone(), &BuildOptions::default().compact(true)))
        .collect();
    let (mut apart, mut query) = (0, Query::new());
    for round in 0..240 {
        let (i, j) = (rng.below(6) as usize, rng.below(6) as usize);
        let mut pose = |far: f64| {
            let q = [0; 4].map(|_| rng.unit() - 0.5);
            Pose::from_quaternion(q, [0; 3].map(|_| far * (rng.unit() - 0.5))).unwrap()
        };
        let mut poses = [pose(1.0), pose([3.0, 6.0, 1e3, 1e7][round % 4])];
        if round % 5 == 0 {
            // Not a rigid pose.
            let rows = poses[0].rows().map(|row| [row[0] * 1.5, row[1] + 0.3 * row[0], -0.01 * row[2]]);
            poses[0] = Pose::affine(rows, *poses[0].translation()).unwrap();
        }
        let (a, b) = (Body::new(&models[i], poses[0]), Body::new(&models[j], poses[1]));
        let want = brute_force::distance(&a, &b, Accuracy::new()).unwrap();
        if want.hi == 0.0 {
            assert_eq!(query.distance(&a, &b).unwrap().hi, 0.0);
            continue;
        }
        apart += 1;
        for &level in SimdLevel::ALL {
            let got = Query::new().simd(level).distance(&a, &b).unwrap();
            assert_eq!(got, want, "{round}: {level:?}");
        }
        let swapped = query.distance(&b, &a).unwrap();
        assert_eq!((swapped.lo, swapped.hi), (want.lo, want.hi), "{round}: exchanged");
        let other = Body::new(&compact[i], poses[0]);
        assert_eq!(query.distance(&other, &b).unwrap(), want, "{round}: compact");
        let exact = query.with_accuracy(Accuracy::new().exact()).distance(&a, &b).unwrap();
        assert!(want.lo <= exact.lo && exact.hi <= want.hi && exact.hi <= exact.lo.next_up());
    }
    assert!(apart > 150, "{apart}");
}

#[test]
fn pairs_within_a_margin_are_those_of_brute_force() {
    let mut rng = Rng::new(6);
    let shapes = [meshes::uv_sphere(7, 10), meshes::torus(8, 6, 0.3), meshes::soup(3, 60, 0.3)];
    let models: Vec<Model> = shapes.into_iter().map(model).collect();
    let (mut query, mut near, mut far) = (Query::new(), 0, 0);
    for round in 0..90 {
        let (i, j) = (rng.below(3) as usize, rng.below(3) as usize);
        let mut pose = |far: f64| {
            let q = [0; 4].map(|_| rng.unit() - 0.5);
            Pose::from_quaternion(q, [0; 3].map(|_| far * (rng.unit() - 0.5))).unwrap()
        };
        let (a, b) = (Body::new(&models[i], pose(1.0)), Body::new(&models[j], pose(4.0)));
        let gap = brute_force::distance(&a, &b, Accuracy::new().exact()).unwrap();
        for margin in [0.0, gap.lo, gap.hi, gap.hi * 1.01, 0.2] {
            let margin = Margin::new(margin).unwrap();
            let want = brute_force::pairs_within(&a, &b, margin);
            if margin == Margin::ZERO {
                assert_eq!(want, brute_force::pairs(&a, &b));
            }
            for &level in SimdLevel::ALL {
                let mut query = Query::new().simd(level);
                assert_eq!(query.pairs_within(&a, &b, margin), want, "{round}: {margin:?}, {level:?}");
                let first = query.first_within(&a, &b, margin);
                assert!(first.map_or(want.is_empty(), |pair| want.contains(&pair)));
            }
            let back: Vec<_> = query.pairs_within(&b, &a, margin).iter().map(|&[j, i]| [i, j]).collect();
            assert_eq!(back.len(), want.len());
            assert_eq!(query.within_at(&a, b.model, &[b.pose], margin), [!want.is_empty()]);
            *(if want.is_empty() { &mut far } else { &mut near }) += 1;
        }
    }
    assert!(near > 100 && far > 50, "{near} and {far}");
}

#[test]
fn margins_are_finite_and_not_negative() {
    for bad in [-1.0, -f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let error = Margin::new(bad).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidMargin { .. }), "{error}");
        assert!(error.to_string().contains(&bad.to_string()), "{error}");
    }
    for good in [0.0, -0.0, f64::from_bits(1), f64::MAX] {
        assert_eq!(Margin::new(good).unwrap().get().to_bits(), good.abs().to_bits());
    }
    let (p, q) = (one(&[[0.0; 3]; 3]), one(&[[f64::MAX, 0.0, 0.0], [f64::MAX, 1.0, 0.0], [f64::MAX; 3]]));
    let (a, b) = (Body::new(&p, Pose::IDENTITY), Body::new(&q, Pose::IDENTITY));
    let mut query = Query::new();
    assert!(query.within(&a, &b, Margin::new(f64::MAX).unwrap()));
    assert!(!query.within(&a, &b, Margin::new(f64::MAX.next_down()).unwrap()));
    let empty = model(Mesh::default());
    let none = Body::new(&empty, Pose::IDENTITY);
    assert_eq!(query.distance(&a, &none), None);
    assert!(!query.within(&none, &a, Margin::new(f64::MAX).unwrap()));
}

#[test]
fn batches_answer_as_single_queries_do_on_any_number_of_threads() {
    let mut rng = Rng::new(8);
    let (a, b) = (model(meshes::torus(12, 9, 0.3)), model(meshes::icosphere(2)));
    let body = Body::new(&a, Pose::IDENTITY);
    let poses: Vec<Pose> = (0..300).map(|_| Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap()).collect();
    let margin = Margin::new(0.5).unwrap();
    let (stop, mut query) = (Accuracy::new().above(margin), Query::new());
    let gaps: Vec<_> =
        poses.iter().map(|pose| query.with_accuracy(stop).distance(&body, &Body::new(&b, *pose))).collect();
    let near: Vec<_> = poses.iter().map(|pose| query.within(&body, &Body::new(&b, *pose), margin)).collect();
    assert!(gaps.iter().zip(&near).all(|(gap, near)| gap.is_some() == *near));
    assert!(near.contains(&true) && near.contains(&false));
    let pairs: Vec<_> = poses.iter().map(|pose| [body, Body::new(&b, *pose)]).collect();
    for query in [Query::new(), Query::new().threads(Threads::Pool)] {
        let mut query = query;
        assert_eq!(query.with_accuracy(stop).distance_at(&body, &b, &poses), gaps);
        assert_eq!(query.with_accuracy(stop).distance_each(&pairs), gaps);
        assert_eq!(query.within_at(&body, &b, &poses, margin), near);
    }
}

type Triangle = [[f64; 3]; 3];

fn soup(triangles: &[Triangle]) -> Model {
    let numbers = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    model(Mesh::new(triangles.as_flattened().to_vec(), numbers).unwrap())
}

/// Checks that the distance of two soups is exactly `want`, and that decisions on margins agree.
fn check(name: &str, p: &[Triangle], q: &[Triangle], want: f64) {
    let (p, q) = (soup(p), soup(q));
    let (a, b) = (Body::new(&p, Pose::IDENTITY), Body::new(&q, Pose::IDENTITY));
    let mut query = Query::new();
    for (a, b) in [(a, b), (b, a)] {
        let exact = query.with_accuracy(Accuracy::new().exact()).distance(&a, &b).unwrap();
        assert_eq!((exact.lo, exact.hi), (want, want), "{name}");
        let gap = query.distance(&a, &b).unwrap();
        assert!(gap.lo <= want && want <= gap.hi, "{name}: {gap:?}");
        assert!(query.within(&a, &b, Margin::new(want).unwrap()), "{name}");
        assert!(want == 0.0 || !query.within(&a, &b, Margin::new(want.next_down()).unwrap()), "{name}");
        assert_eq!(gap, brute_force::distance(&a, &b, Accuracy::new()).unwrap(), "{name}");
        let all = query.pairs_within(&a, &b, Margin::new(f64::MAX).unwrap()).len();
        assert_eq!(all, p.mesh().len() * q.mesh().len(), "{name}: a margin larger than both");
    }
}

/// Bodies with a known distance that is hard to compute.
#[test]
fn awkward_distances() {
    let t: Triangle = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let moved = |t: &Triangle, d: [f64; 3]| t.map(|v| [v[0] + d[0], v[1] + d[1], v[2] + d[2]]);
    check("parallel faces", &[t], &[moved(&t, [0.5, 0.5, 3.0])], 3.0);
    check("parallel faces beside each other", &[t], &[moved(&t, [4.0, 0.0, 3.0])], 3.0);
    let wall: Triangle = [[-1.0, 5.0, -9.0], [9.0, 5.0, -9.0], [-1.0, 5.0, 9.0]];
    check("a corner and a face", &[t], &[wall], 1.0);
    let other: Triangle = [[7.0, 0.0, 4.0], [7.0, 4.0, 4.0], [9.0, 0.0, 4.0]];
    check(
        "parallel edges, as far as 3, 4 and 5 are",
        &[[[4.0, 0.0, 0.0], [4.0, 9.0, 0.0], [0.0; 3]]],
        &[other],
        5.0,
    );
    let cross: Triangle = [[1.0, -5.0, 2.0], [1.0, 5.0, 2.0], [1.0, 0.0, 9.0]];
    check("edges across", &[[[-5.0, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, -9.0]]], &[cross], 2.0);
    check("a foot on an edge", &[t], &[[[2.0, -1.0, 0.0], [2.0, -3.0, 0.0], [3.0, -3.0, 1.0]]], 1.0);
    check("a foot on a corner", &[t], &[[[-3.0, -4.0, 0.0], [-4.0, -9.0, 0.0], [-9.0, -4.0, 1.0]]], 5.0);
    check("a point and a face", &[t], &[[[1.0, 1.0, 0.25]; 3]], 0.25);
    check("two points", &[[[1.0; 3]; 3]], &[[[1.0, 4.0, 5.0]; 3]], 5.0);
    let segment: Triangle = [[9.0, 0.0, 1.0], [-9.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    check("a segment and a face", &[t], &[segment], 1.0);
    check("two segments", &[segment], &[[[1.0, 2.0, -7.0], [1.0, 2.0, 7.0], [1.0, 2.0, 0.0]]], 2.0);
    let needle: Triangle = [[0.0; 3], [1e6, 1.0, 0.0], [1e6, 0.0, 0.0]];
    check("needles", &[needle], &[moved(&needle, [0.0, 0.0, 0.125])], 0.125);
    let far = [1e6, 1e6, -1e6];
    check(
        "near, far away",
        &[moved(&t, far)],
        &[moved(&t, [far[0], far[1], far[2] + 0.0009765625])],
        0.0009765625,
    );
    for size in [1e-300, 2.0_f64.powi(-1060), 1e300] {
        let t = t.map(|v| v.map(|x| x * size));
        check("sizes", &[t], &[moved(&t, [size, 0.0, 2.0 * size])], 2.0 * size);
    }
    let least = f64::from_bits(1);
    check("a gap that is subnormal", &[t], &[moved(&t, [0.0, 0.0, least])], least);
    check("crossing", &[t], &[[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]], 0.0);
    check("touching", &[t], &[[[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]], 0.0);
    check("equal bodies", &[t, needle], &[t, needle], 0.0);
    check("duplicates", &[wall, t, t], &[moved(&t, [0.5, 0.5, 3.0]); 3], 0.5);
    // Inside, without contact: the surfaces' distance.
    let cube = |half: f64| meshes::cuboid([half; 3]);
    let (large, small) = (model(cube(2.0)), model(cube(0.5)));
    let (a, b) = (Body::new(&large, Pose::IDENTITY), Body::new(&small, Pose::IDENTITY));
    let inside = Query::new().with_accuracy(Accuracy::new().exact()).distance(&a, &b).unwrap();
    assert_eq!((inside.lo, inside.hi), (1.5, 1.5));
    // The least of several pairs that are equally near.
    let (many, few) = (soup(&[wall, t, t]), soup(&[moved(&t, [0.5, 0.5, -3.0]); 3]));
    let (a, b) = (Body::new(&many, Pose::IDENTITY), Body::new(&few, Pose::IDENTITY));
    let first = Query::new().distance(&a, &b).unwrap();
    assert_eq!(first.triangles, [0, 0], "{first:?}");
    // A sphere in a slightly larger one, which is near everywhere, and many triangles against one.
    let sphere = model(meshes::icosphere(4));
    let larger = model(meshes::mapped(&meshes::icosphere(4), |p| p.map(|x| 1.03 * x)));
    let plate = one(&[[-9.0, -9.0, 2.0], [9.0, -9.0, 2.0], [0.0, 9.0, 2.0]]);
    for other in [&larger, &plate] {
        let (a, b) = (Body::new(&sphere, Pose::IDENTITY), Body::new(other, Pose::IDENTITY));
        let gap = Query::new().distance(&a, &b).unwrap();
        assert_eq!(Query::new().distance(&b, &a).unwrap().hi, gap.hi);
        assert!(gap.hi - gap.lo < 1e-11 && gap.lo > 0.02 && gap.hi < 1.1, "{gap:?}");
    }
    // Trees whose boxes are no longer tight.
    let mut bent = model(meshes::icosphere(3));
    let points: Vec<_> =
        bent.mesh().points().iter().map(|p| [p[0], p[1] * 0.3, p[2] + p[0] * p[0]]).collect();
    bent.deform(&points, Rebuild::Never).unwrap();
    let anew = model(bent.mesh().clone());
    let b = Body::new(&sphere, Pose::from_translation([2.5, 0.5, 0.0]).unwrap());
    let [bent, anew] =
        [&bent, &anew].map(|model| Query::new().distance(&Body::new(model, Pose::IDENTITY), &b));
    assert!(bent == anew && bent.is_some());
}
