//! Distances: against integers, against brute force, the same whatever the instructions and the order.
use impinge::{
    Body, BuildOptions, Gap, Margin, Mesh, Model, Pose, Query, SimdLevel, Stop, Threads, brute_force,
};
use impinge_testkit::{
    meshes,
    near_degenerate::{FAMILIES, near_degenerate},
    oracle,
    rng::Rng,
};
use std::cmp::Ordering;

fn model(mesh: Mesh) -> Model {
    Model::new(mesh, &BuildOptions::default())
}

fn one(t: &[[f64; 3]; 3]) -> Model {
    model(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap())
}

/// The nearest pair of two triangles.
fn gap(p: &[[f64; 3]; 3], a: &Pose, q: &[[f64; 3]; 3], b: &Pose, stop: Stop) -> Gap {
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
        let found = gap(p, a, q, b, Stop::new());
        let back = gap(q, b, p, a, Stop::new());
        assert_eq!((back.lo, back.hi), (found.lo, found.hi), "{case:?}: exchanged");
        let exact = gap(p, a, q, b, Stop::new().exact());
        if compare(0.0) == Ordering::Equal {
            assert_eq!((found.lo, found.hi, exact.lo, exact.hi), (0.0, 0.0, 0.0, 0.0), "{case:?}");
            continue;
        }
        assert_eq!([back.points[1], back.points[0]], found.points, "{case:?}: exchanged");
        for Gap { lo, hi, .. } in [found, exact] {
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
                let stop = Stop::new().above(Margin::new(d).unwrap());
                let near = Query::new().distance(&x, &y, stop);
                assert_eq!(near.is_some(), compare(d) != Ordering::Greater, "{case:?}: {d:e}");
                assert!(near.is_none_or(|near| near.hi <= d && near.lo <= near.hi));
            }
        }
    }
    assert!(wide > 100, "{wide}");
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
        .map(|model| Model::new(model.shared_mesh().clone(), &BuildOptions::default().compact(true)))
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
            // No rotation.
            let rows = poses[0].rows().map(|row| [row[0] * 1.5, row[1] + 0.3 * row[0], -0.01 * row[2]]);
            poses[0] = Pose::affine(rows, *poses[0].translation()).unwrap();
        }
        let (a, b) = (Body::new(&models[i], poses[0]), Body::new(&models[j], poses[1]));
        let want = brute_force::distance(&a, &b, Stop::new()).unwrap();
        if want.hi == 0.0 {
            assert_eq!(query.distance(&a, &b, Stop::new()).unwrap().hi, 0.0);
            continue;
        }
        apart += 1;
        for &level in SimdLevel::ALL {
            let got = Query::new().simd(level).distance(&a, &b, Stop::new()).unwrap();
            assert_eq!(got, want, "{round}: {level:?}");
        }
        let swapped = query.distance(&b, &a, Stop::new()).unwrap();
        assert_eq!((swapped.lo, swapped.hi), (want.lo, want.hi), "{round}: exchanged");
        let other = Body::new(&compact[i], poses[0]);
        assert_eq!(query.distance(&other, &b, Stop::new()).unwrap(), want, "{round}: compact");
        let exact = query.distance(&a, &b, Stop::new().exact()).unwrap();
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
        let gap = brute_force::distance(&a, &b, Stop::new().exact()).unwrap();
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
        assert!(error.is_not_a_distance() && error.to_string().contains(&bad.to_string()), "{error}");
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
    assert_eq!(query.distance(&a, &none, Stop::new()), None);
    assert!(!query.within(&none, &a, Margin::new(f64::MAX).unwrap()));
}

#[test]
fn batches_answer_as_single_queries_do_on_any_number_of_threads() {
    let mut rng = Rng::new(8);
    let (a, b) = (model(meshes::torus(12, 9, 0.3)), model(meshes::icosphere(2)));
    let body = Body::new(&a, Pose::IDENTITY);
    let poses: Vec<Pose> = (0..300).map(|_| Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap()).collect();
    let margin = Margin::new(0.5).unwrap();
    let (stop, mut query) = (Stop::new().above(margin), Query::new());
    let gaps: Vec<_> = poses.iter().map(|pose| query.distance(&body, &Body::new(&b, *pose), stop)).collect();
    let near: Vec<_> = poses.iter().map(|pose| query.within(&body, &Body::new(&b, *pose), margin)).collect();
    assert!(gaps.iter().zip(&near).all(|(gap, near)| gap.is_some() == *near));
    assert!(near.contains(&true) && near.contains(&false));
    let pairs: Vec<_> = poses.iter().map(|pose| [body, Body::new(&b, *pose)]).collect();
    for query in [Query::new(), Query::new().threads(Threads::Pool)] {
        let mut query = query;
        assert_eq!(query.distance_at(&body, &b, &poses, stop), gaps);
        assert_eq!(query.distance_each(&pairs, stop), gaps);
        assert_eq!(query.within_at(&body, &b, &poses, margin), near);
    }
}
