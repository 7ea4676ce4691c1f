//! Nearest points against integers and brute force, equal on all instruction sets.
use crate::allocator;
use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, Quality, Query, SimdLevel, Threads, brute_force,
    distance::{Accuracy, ClosestPoint, Margin},
};
use impinge_testkit::{
    cases::pools,
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

/// A pose that is rigid, stretches, shears or mirrors.
fn any_pose(rng: &mut Rng, far: f64) -> Pose {
    let (rows, t) = (rng.rotation(), rng.point(far));
    match rng.below(5) {
        0 => Pose::IDENTITY,
        1 => Pose::from_translation(t).unwrap(),
        2 => Pose::affine(rows.map(|[x, y, z]| [x * 1.5, y + 0.3 * x, -0.01 * z]), t).unwrap(),
        _ => Pose::rigid(rows, t).unwrap(),
    }
}

#[test]
fn intervals_hold_the_distance_and_exact_ones_are_an_ulp_wide() {
    let (mut on, mut wide) = (0, 0);
    for i in 0..FAMILIES.len() as u64 * 80 {
        let case = near_degenerate(78, i);
        // A placed and rounded corner of either triangle, against the second triangle.
        let corner = case.p[i as usize % 3];
        let point = if i % 2 == 0 { case.pose_p.place(corner) } else { case.pose_q.place(case.q[0]) };
        if !point.iter().all(|x| x.is_finite()) {
            continue;
        }
        let compare =
            |d: f64| oracle::compare_distance(&[point; 3], &Pose::IDENTITY, &case.q, &case.pose_q, d);
        let model = one(&case.q);
        let body = Body::new(&model, case.pose_q);
        let mut query = Query::new();
        let found = query.closest_point(&body, point).unwrap();
        let exact = query.with_accuracy(Accuracy::new().exact()).closest_point(&body, point).unwrap();
        assert_eq!(brute_force::closest_point(&body, point, Accuracy::new()), Some(found), "{case:?}");
        if compare(0.0) == Ordering::Equal {
            on += 1;
            assert_eq!((found.lo, found.hi, exact.lo, exact.hi), (0.0, 0.0, 0.0, 0.0), "{case:?}");
            continue;
        }
        for ClosestPoint { lo, hi, .. } in [found, exact] {
            assert!(hi > 0.0, "{case:?}");
            assert_ne!(compare(lo), Ordering::Less, "{case:?}: {lo:e}");
            assert!(hi == f64::INFINITY || compare(hi) != Ordering::Greater, "{case:?}: {hi:e}");
        }
        assert!(exact.lo == exact.hi || exact.lo.next_up() == exact.hi, "{case:?}: {exact:?}");
        assert!(found.lo <= exact.lo && exact.hi <= found.hi, "{case:?}: {found:?} and {exact:?}");
        wide += usize::from(found.hi.next_down().next_down() > found.lo);
        if exact.hi < f64::MAX {
            for d in [exact.lo, exact.hi, exact.lo.next_down().max(0.0), exact.hi.next_up()] {
                let near = query
                    .with_accuracy(Accuracy::new().above(Margin::new(d).unwrap()))
                    .closest_point(&body, point);
                assert_eq!(near.is_some(), compare(d) != Ordering::Greater, "{case:?}: {d:e}");
                assert!(near.is_none_or(|near| near.hi <= d && near.lo <= near.hi));
            }
        }
    }
    assert!(on > 100 && wide > 100, "{on} {wide}");
}

#[test]
fn trees_and_brute_force_agree_to_the_bit() {
    let mut rng = Rng::new(50);
    let shapes = [
        meshes::uv_sphere(9, 14),
        meshes::torus(10, 8, 0.3),
        meshes::soup(3, 150, 0.3),
        meshes::needles(4, 80),
        meshes::cuboid([0.4, 0.7, 0.2]),
        meshes::sheet(5, 9, 0.2),
        // On a line, and in a point: only degenerate triangles.
        meshes::mapped(&meshes::soup(6, 20, 0.5), |p| [p[0], 0.0, 0.0]),
        meshes::mapped(&meshes::soup(6, 9, 0.5), |_| [0.25; 3]),
    ];
    let models: Vec<Model> = shapes.into_iter().map(model).collect();
    let options = [BuildOptions::default().compact(true), BuildOptions::default().quality(Quality::OnDemand)];
    let others: Vec<[Model; 2]> = models
        .iter()
        .map(|model| options.map(|options| Model::with_options(model.shared_mesh().clone(), &options)))
        .collect();
    let (mut on, mut narrow) = (0, 0);
    for round in 0..1600 {
        let i = rng.below(models.len() as u64) as usize;
        let pose = any_pose(&mut rng, [1.0, 1e3, 1e7][round % 3]);
        let body = Body::new(&models[i], pose);
        let mesh = models[i].mesh();
        let corner = mesh.corners(rng.below(mesh.len() as u64) as u32);
        let middle = [0, 1, 2].map(|k| (corner[0][k] + corner[1][k]) / 2.0);
        let point = match rng.below(6) {
            0 => pose.place(corner[0]),
            1 => pose.place(middle),
            2 => pose.place(middle).map(|x| x + 1e-9 * rng.unit()),
            3 => pose.place(rng.point(50.0)),
            4 => pose.place(rng.point([1e8, 1e11, 1e15, 1e19, 1e22][round % 5])),
            _ => pose.place(rng.point(1.0)),
        };
        let want = brute_force::closest_point(&body, point, Accuracy::new()).unwrap();
        on += usize::from(want.hi == 0.0);
        for &level in SimdLevel::ALL {
            let got = Query::new().simd(level).closest_point(&body, point);
            assert_eq!(got, Some(want), "{round}: {i} {level:?}, {point:?} {pose:?}");
        }
        for other in &others[i] {
            let got = Query::new().closest_point(&Body::new(other, pose), point);
            assert_eq!(got, Some(want), "{round}: {i}");
        }
        let exact = Query::new().with_accuracy(Accuracy::new().exact()).closest_point(&body, point).unwrap();
        assert!(want.lo <= exact.lo && exact.hi <= want.hi && exact.hi <= exact.lo.next_up(), "{round}");
        // The rounded point has the distance of the result, up to rounding, which is larger for needles.
        let off = [0, 1, 2].map(|k| want.point[k] - point[k]);
        let far = (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]).sqrt();
        let size = point.iter().fold(want.hi, |size, x| size.max(x.abs()));
        assert!((far - want.hi).abs() <= 1e-10 * size, "{round}: {far:e} {want:?}");
        narrow += usize::from(
            (far - want.hi).abs() <= 1e-14 * size && want.hi - want.lo <= 1e-11 * want.hi.max(2.0),
        );
    }
    assert!(on > 60 && narrow > 1400, "{on} {narrow}");
}

#[test]
fn of_triangles_that_are_as_near_it_is_the_least() {
    // Eight triangles round a corner, in any order, and duplicates.
    let around: Vec<[f64; 3]> =
        (0..8).map(|i| f64::from(i) * 0.785).map(|a| [a.cos(), a.sin(), -0.5]).collect();
    let mut rng = Rng::new(7);
    for _ in 0..200 {
        let pose = any_pose(&mut rng, 10.0);
        let mut points = around.clone();
        points.push([0.0; 3]);
        let mut triangles: Vec<[u32; 3]> =
            (0..16).map(|i| [[8, i % 8, (i + 1) % 8], [(i + 1) % 8, 8, i % 8]][i as usize / 8]).collect();
        for i in (1..16).rev() {
            triangles.swap(i, rng.below(i as u64 + 1) as usize);
        }
        let fan = model(Mesh::new(points, triangles.clone()).unwrap());
        let body = Body::new(&fan, pose);
        // Above the corner, and on it.
        for height in [1e-3, 0.0, 2.0] {
            let point = pose.place([0.0, 0.0, height]);
            let found = Query::new().closest_point(&body, point).unwrap();
            if found.point == pose.place([0.0; 3]) {
                assert_eq!(found.triangle, 0, "{pose:?}");
            }
        }
        // Outside of an edge: the first triangle with that edge.
        let [a, b] = [around[2], around[3]];
        let point = pose.place([0, 1, 2].map(|k| (a[k] + b[k]) * 0.75 + if k == 2 { 0.1 } else { 0.0 }));
        let found = Query::new().closest_point(&body, point).unwrap();
        let has_edge = |t: &[u32; 3]| t.contains(&2) && t.contains(&3);
        if has_edge(&triangles[found.triangle as usize]) {
            assert_eq!(Some(found.triangle as usize), triangles.iter().position(has_edge), "{pose:?}");
        }
    }
}

#[test]
fn awkward_points() {
    let t = one(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    let body = Body::new(&t, Pose::IDENTITY);
    let mut query = Query::new();
    let mut exact = |body: &Body<'_>, point| {
        let found = query.with_accuracy(Accuracy::new().exact()).closest_point(body, point).unwrap();
        (found.lo, found.hi)
    };
    assert_eq!(exact(&body, [1.0, 1.0, 3.0]), (3.0, 3.0));
    assert_eq!(exact(&body, [7.0, 0.0, 4.0]), (5.0, 5.0));
    assert_eq!(exact(&body, [-3.0, -4.0, 0.0]), (5.0, 5.0));
    assert_eq!(exact(&body, [1.0, -2.0, 0.0]), (2.0, 2.0));
    for on in [[0.0; 3], [4.0, 0.0, 0.0], [2.0, 2.0, 0.0], [1.0, 1.0, 0.0], [0.0, -0.0, 0.0]] {
        assert_eq!(exact(&body, on), (0.0, 0.0));
    }
    let least = f64::from_bits(1);
    assert_eq!(exact(&body, [1.0, 1.0, least]), (least, least));
    assert_eq!(exact(&body, [1.0, 1.0, f64::MAX]), (f64::MAX, f64::MAX));
    assert_eq!(exact(&body, [f64::MAX; 3]), (f64::MAX, f64::INFINITY));
    for size in [1e-300, 2.0_f64.powi(-1060), 1e300] {
        let t = one(&[[0.0; 3], [4.0 * size, 0.0, 0.0], [0.0, 4.0 * size, 0.0]]);
        assert_eq!(exact(&Body::new(&t, Pose::IDENTITY), [size, size, 2.0 * size]), (2.0 * size, 2.0 * size));
    }
    for none in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0]] {
        assert_eq!(Query::new().closest_point(&body, none), None);
        assert_eq!(brute_force::closest_point(&body, none, Accuracy::new()), None);
    }
    let empty = model(Mesh::default());
    assert_eq!(Query::new().closest_point(&Body::new(&empty, Pose::IDENTITY), [0.0; 3]), None);
    // The centre of a sphere, and a point far beyond the range of f32.
    let ball = model(meshes::icosphere(4));
    let body = Body::new(&ball, Pose::IDENTITY);
    for point in [[0.0; 3], [1e60, -3e59, 0.0], [1e-200, 0.0, 0.0]] {
        let want = brute_force::closest_point(&body, point, Accuracy::new());
        assert_eq!(Query::new().closest_point(&body, point), want);
    }
}

#[test]
fn batches_answer_as_single_queries_do_and_do_not_allocate() {
    let mut rng = Rng::new(9);
    let torus = model(meshes::torus(24, 12, 0.3));
    let body = Body::new(&torus, Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap());
    let mut points: Vec<[f64; 3]> = (0..500).map(|_| body.pose.place(rng.point(2.0))).collect();
    points.extend(torus.mesh().points().iter().map(|v| body.pose.place(*v)));
    let stop = Accuracy::new().above(Margin::new(1.0).unwrap());
    let mut query = Query::new();
    let single: Vec<_> =
        points.iter().map(|point| query.with_accuracy(stop).closest_point(&body, *point)).collect();
    assert!(single.contains(&None) && single.iter().filter(|found| found.is_some()).count() > 100);
    for pool in pools() {
        let mut query = Query::new().threads(Threads::Pool);
        assert_eq!(
            pool.install(|| query.with_accuracy(stop).closest_points(&body, &points).to_vec()),
            single
        );
    }
    assert_eq!(query.with_accuracy(stop).closest_points(&body, &points), single);
    let before = allocator::count();
    query.with_accuracy(stop).closest_points(&body, &points);
    for point in &points {
        query.with_accuracy(stop).closest_point(&body, *point);
    }
    assert_eq!(allocator::count() - before, 0);
}
