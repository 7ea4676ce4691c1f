//! Rays against integers and brute force, equal on all instruction sets, and watertight.
use crate::allocator;
use impinge::{
    Body, BuildOptions, Error, ErrorKind, Mesh, Model, Pose, Quality, Query, SimdLevel, Threads, brute_force,
    rays::{Ray, RayHit},
};
use impinge_testkit::{
    cases::pools,
    meshes,
    near_degenerate::{FAMILIES, near_degenerate},
    oracle,
    polycubes::{N, Polycube, Style},
    rng::Rng,
};

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

fn one(t: &[[f64; 3]; 3]) -> Model {
    model(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap())
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Checks the decision for one triangle against integers.
pub(crate) fn check(t: &[[f64; 3]; 3], pose: &Pose, ray: &Ray, hit: Option<&RayHit>) {
    let (o, d) = (ray.origin(), ray.direction());
    let meets = |from: f64, to: f64| from <= to && oracle::segment_meets(&o, &d, [from, to], t, pose);
    let end = ray.end().min(f64::MAX);
    let Some(hit) = hit else {
        assert!(!meets(0.0, end), "{t:?} {pose:?} {ray:?}: missed");
        return;
    };
    let context = || format!("{t:?} {pose:?} {ray:?} {hit:?}");
    let ([a, b], [c, e]) = (hit.enter, hit.leave);
    assert!(0.0 <= a && a <= b && c <= e && e <= ray.end() && a <= c && b <= e, "{}", context());
    if b == f64::INFINITY {
        return;
    }
    assert!(meets(a, end) && meets(0.0, b.min(end)), "{}", context());
    assert!(a == 0.0 || !meets(0.0, a.next_down()), "{}: before", context());
    assert!(e >= end || !meets(e.next_up(), end), "{}: behind", context());
    assert!(meets(c, end), "{}: leaves earlier", context());
    for [lo, hi] in [hit.enter, hit.leave] {
        assert!(hi - lo <= hi * 2.0_f64.powi(-40) || hi - lo <= 3.0 * f64::from_bits(1), "{}", context());
    }
}

#[test]
fn single_triangles_are_met_as_integers_say() {
    let (mut met, mut within, mut touched) = (0, 0, 0);
    for i in 0..FAMILIES.len() as u64 * 150 {
        let case = near_degenerate(81, i);
        // An edge of the first triangle, placed and rounded, as a ray against the second.
        let [a, b] = [0, 1].map(|k| case.pose_p.place(case.p[(i as usize + k) % 3]));
        let direction = minus(b, a);
        let Ok(ray) = Ray::new(a, direction) else { continue };
        let model = one(&case.q);
        let body = Body::new(&model, case.pose_q);
        for ray in [ray, ray.until(1.0).unwrap(), ray.until(0.0).unwrap(), ray.until(0.75).unwrap()] {
            let hits = brute_force::ray_all(&body, &ray);
            check(&case.q, &case.pose_q, &ray, hits.first());
            assert_eq!(Query::new().ray_all(&body, &ray), hits, "{case:?}");
            assert_eq!(Query::new().ray_first(&body, &ray), hits.first().copied(), "{case:?}");
            assert_eq!(Query::new().ray_meets(&body, &ray), !hits.is_empty(), "{case:?}");
            met += hits.len();
            within += usize::from(hits.first().is_some_and(|hit| hit.enter != hit.leave));
            touched += usize::from(hits.first().is_some_and(|hit| hit.crossing == 0));
        }
    }
    assert!(met > 1300 && within > 100 && touched > 300, "{met} {within} {touched}");
}

#[test]
fn grid_triangles_are_met_as_integers_say() {
    let (mut rng, mut met, mut within, mut started) = (Rng::new(82), 0, 0, 0);
    for round in 0..20_000 {
        let mut point = |n: i64| [0; 3].map(|_| rng.int(-n, n) as f64);
        let t = [point(2), point(2), point(2)];
        let (o, d) = (point(3), point(2));
        // Half of them in one plane.
        let flat = |p: [f64; 3]| if round % 2 == 0 { [p[0], p[1], 0.0] } else { p };
        let (t, o, d) = (t.map(flat), flat(o), flat(d));
        let Ok(ray) = Ray::new(o, d) else { continue };
        let ray = match round % 3 {
            0 => ray,
            1 => ray.until(1.0).unwrap(),
            _ => ray.until(0.5).unwrap(),
        };
        let pose = match round % 5 {
            0 => Pose::affine([[-1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 2.0]], [0.5, 0.0, 1.0]).unwrap(),
            _ => Pose::IDENTITY,
        };
        let model = one(&t);
        let hits = brute_force::ray_all(&Body::new(&model, pose), &ray);
        check(&t, &pose, &ray, hits.first());
        met += hits.len();
        within += usize::from(hits.first().is_some_and(|hit| hit.enter != hit.leave));
        started += usize::from(hits.first().is_some_and(|hit| hit.enter == [0.0; 2]));
    }
    assert!(met > 1500 && within > 600 && started > 600, "{met} {within} {started}");
}

#[test]
fn directions_of_any_size_are_taken_as_they_are() {
    let least = f64::from_bits(1);
    let t = [[-1.0, -1.0, 2.0], [3.0, -1.0, 2.0], [-1.0, 3.0, 2.0]];
    for (d, t_max) in [
        ([0.0, 0.0, 1e-300], f64::INFINITY),
        ([1e-301, 0.0, 1e-300], 1e301),
        ([0.0, 0.0, 1e300], 1.0),
        ([1e300, 1e-300, 1e300], f64::INFINITY),
        ([0.0, 0.0, least], f64::INFINITY),
        ([0.0, 0.0, f64::MAX], f64::INFINITY),
        ([least, least, 3.0 * least], f64::INFINITY),
        ([1.0, 1e-320, 3.0], f64::INFINITY),
        ([0.3, 0.1, 0.7], 2.0 / 0.7),
        ([0.0, 0.0, 0.5], 4.0),
        ([0.0, 0.0, 0.5], 4_f64.next_down()),
    ] {
        for size in [1.0, 1e-300, 1e300, 2.0_f64.powi(-1060)] {
            let (t, model) = (t.map(|v| v.map(|x| x * size)), one(&t.map(|v| v.map(|x| x * size))));
            let body = Body::new(&model, Pose::IDENTITY);
            let ray = Ray::new([0.0; 3], d).unwrap().until(t_max).unwrap();
            let hits = brute_force::ray_all(&body, &ray);
            check(&t, &body.pose, &ray, hits.first());
            for &level in SimdLevel::ALL {
                assert_eq!(Query::new().simd(level).ray_all(&body, &ray), hits, "{d:?} {size:e}");
            }
        }
    }
    let body = one(&t);
    let body = Body::new(&body, Pose::IDENTITY);
    let hit = |t_max: f64| {
        let ray = Ray::new([0.0; 3], [0.0, 0.0, 0.5]).unwrap().until(t_max).unwrap();
        Query::new().ray_first(&body, &ray)
    };
    // The ray ends exactly at the triangle, or just before it.
    assert!(hit(4.0).is_some_and(|hit| hit.enter[1] == 4.0) && hit(4_f64.next_down()).is_none());
    let is_refused = |ray: Result<Ray, Error>| {
        ray.is_err_and(|error| matches!(error.kind(), ErrorKind::InvalidRay { .. }))
    };
    for bad in [f64::NAN, -1.0, -least, f64::NEG_INFINITY] {
        assert!(is_refused(Ray::new([0.0; 3], [1.0; 3]).unwrap().until(bad)));
    }
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(is_refused(Ray::new([bad, 0.0, 0.0], [1.0; 3])));
        assert!(is_refused(Ray::new([0.0; 3], [1.0, bad, 0.0])));
    }
    let empty = model(Mesh::default());
    let ray = Ray::new([0.0; 3], [1.0; 3]).unwrap();
    assert_eq!(Query::new().ray_first(&Body::new(&empty, Pose::IDENTITY), &ray), None);
}

#[test]
fn trees_and_brute_force_agree_to_the_bit() {
    let mut rng = Rng::new(83);
    let shapes = [
        meshes::uv_sphere(9, 14),
        meshes::torus(20, 16, 0.3),
        meshes::soup(3, 150, 0.5),
        meshes::needles(4, 80),
        meshes::cuboid([0.4, 0.7, 0.2]),
        meshes::sheet(5, 9, 0.2),
        meshes::mapped(&meshes::soup(6, 20, 0.5), |p| [p[0], 0.0, 0.0]),
        meshes::mapped(&meshes::soup(6, 9, 0.5), |_| [0.25; 3]),
    ];
    let models: Vec<Model> = shapes.into_iter().map(model).collect();
    let options = [BuildOptions::default().compact(true), BuildOptions::default().quality(Quality::OnDemand)];
    let others: Vec<[Model; 2]> = models
        .iter()
        .map(|model| options.map(|options| Model::with_options(model.shared_mesh().clone(), &options)))
        .collect();
    let (mut met, mut missed, mut many) = (0, 0, 0);
    for round in 0..3000 {
        let i = rng.below(models.len() as u64) as usize;
        let (rows, t) = (rng.rotation(), rng.point([1.0, 1e3, 1e7][round % 3]));
        let pose = match rng.below(5) {
            0 => Pose::IDENTITY,
            1 => Pose::from_translation(t).unwrap(),
            2 => Pose::affine(rows.map(|[x, y, z]| [x * 1.5, y + 0.3 * x, -0.01 * z]), t).unwrap(),
            _ => Pose::rigid(rows, t).unwrap(),
        };
        let body = Body::new(&models[i], pose);
        let mesh = models[i].mesh();
        let corner = mesh.corners(rng.below(mesh.len() as u64) as u32);
        let from = pose.place(rng.point([1.0, 5.0, 1e4, 1e12][round % 4]));
        let to = pose.place(match rng.below(4) {
            0 => corner[0],
            1 => [0, 1, 2].map(|k| (corner[0][k] + corner[1][k]) / 2.0),
            _ => rng.point(1.0),
        });
        let Ok(mut ray) = Ray::new(from, minus(to, from)) else { continue };
        match rng.below(4) {
            0 => ray = ray.until(1.0).unwrap(),
            1 => ray = Ray::new(to, minus(to, from)).unwrap(),
            _ => {}
        }
        let want = brute_force::ray_all(&body, &ray);
        for &level in SimdLevel::ALL {
            let mut query = Query::new().simd(level);
            assert_eq!(query.ray_all(&body, &ray), want, "{round}: {i} {level:?} {ray:?} {pose:?}");
            assert_eq!(query.ray_first(&body, &ray), want.first().copied(), "{round}: {i} {level:?}");
            assert_eq!(query.ray_meets(&body, &ray), !want.is_empty(), "{round}: {i} {level:?}");
            assert_eq!(query.ray_meets_each(&body, &[ray]), [!want.is_empty()], "{round}: {i} {level:?}");
        }
        for other in &others[i] {
            assert_eq!(Query::new().ray_all(&Body::new(other, pose), &ray), want, "{round}: {i}");
        }
        *(if want.is_empty() { &mut missed } else { &mut met }) += 1;
        many += usize::from(want.len() > 2);
    }
    assert!(met > 1000 && missed > 300 && many > 120, "{met} {missed} {many}");
}

/// Rays from cell to cell of solids on a grid, through corners and edges and along faces.
#[test]
fn crossings_add_up_to_the_difference_of_winding_numbers() {
    let (mut rng, mut touched, mut different) = (Rng::new(84), 0, 0);
    for round in 0..400 {
        let cells = (N * N * N) as usize;
        let labels = (0..cells).map(|_| [0, 0, 1, 1, 2, -1][rng.below(6) as usize]).collect();
        let cube = Polycube { labels, cell: 1 + rng.int(0, 1), corner: [0; 3].map(|_| rng.int(-2, 1)) };
        let style = Style {
            cells: round % 3 == 0,
            split: [0, 2][round % 2],
            posed: round % 5 == 1,
            ..Style::default()
        };
        let (mesh, pose) = cube.mesh(&mut rng, style);
        let model = model(mesh);
        // Mirrored in the world: the mesh keeps its fronts.
        let flip = if round % 7 == 0 { -1.0 } else { 1.0 };
        let rows = *pose.rows();
        let mirrored = [rows[0].map(|x| flip * x), rows[1], rows[2]];
        // A mesh that undoes a mirroring pose has its fronts inside.
        let r = &rows;
        let minor = |i: usize, j: usize| r[1][i] * r[2][j] - r[1][j] * r[2][i];
        let det = r[0][0] * minor(1, 2) + r[0][1] * minor(2, 0) + r[0][2] * minor(0, 1);
        let own = if det < 0.0 { -1 } else { 1 };
        let [x, y, z] = *pose.translation();
        let body = Body::new(&model, Pose::affine(mirrored, [flip * x, y, z]).unwrap());
        for _ in 0..20 {
            let mut halves = || [0; 3].map(|_| 2 * rng.int(-4, 8) + 1);
            let (from, to) = (halves(), halves());
            if from == to {
                continue;
            }
            let at = |p: [i64; 3]| [flip * p[0] as f64 / 2.0, p[1] as f64 / 2.0, p[2] as f64 / 2.0];
            let (o, d) = (at(from), minus(at(to), at(from)));
            let ray = Ray::new(o, d).unwrap();
            let mut query = Query::new();
            let sum = |hits: &[RayHit]| hits.iter().map(|hit| i32::from(hit.crossing)).sum::<i32>();
            let hits = query.ray_all(&body, &ray.until(1.0).unwrap());
            let want = own * (cube.at(from) - cube.at(to));
            assert_eq!(sum(hits), want, "{round}: {from:?} {to:?} {style:?} {hits:?}");
            touched += hits.iter().filter(|hit| hit.crossing == 0).count();
            different += usize::from(want != 0);
            assert_eq!(
                sum(query.ray_all(&body, &ray)),
                own * cube.at(from),
                "{round}: {from:?} {to:?} {style:?}"
            );
        }
    }
    assert!(touched > 3000 && different > 400, "{touched} {different}");
}

#[test]
fn rays_through_corners_of_a_round_mesh_cross_it_once() {
    let ball = model(meshes::icosphere(3));
    let mut rng = Rng::new(85);
    for pose in [Pose::IDENTITY, Pose::rigid(rng.rotation(), [3.0, 1e3, -7.0]).unwrap()] {
        let body = Body::new(&ball, pose);
        let centre = *pose.translation();
        let targets = ball.mesh().points().iter().map(|v| pose.place(*v));
        for to in targets {
            let ray = Ray::new(centre, minus(to, centre)).unwrap();
            let mut query = Query::new();
            let hits = query.ray_all(&body, &ray);
            assert_eq!(hits.iter().map(|hit| hit.crossing).sum::<i8>(), 1, "{hits:?}");
        }
    }
}

#[test]
fn batches_answer_as_single_queries_do_and_do_not_allocate() {
    let mut rng = Rng::new(86);
    let torus = model(meshes::torus(24, 12, 0.3));
    let body = Body::new(&torus, Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap());
    let mut rays: Vec<Ray> =
        (0..500).map(|_| Ray::new(body.pose.place(rng.point(2.0)), rng.point(1.0)).unwrap()).collect();
    // To corners: integers decide.
    for v in torus.mesh().points() {
        let from = body.pose.place(rng.point(2.0));
        rays.push(Ray::new(from, minus(body.pose.place(*v), from)).unwrap());
    }
    let mut query = Query::new();
    let single: Vec<_> = rays.iter().map(|ray| query.ray_first(&body, ray)).collect();
    assert!(single.iter().filter(|hit| hit.is_some()).count() > 200 && single.contains(&None));
    for pool in pools() {
        let mut query = Query::new().threads(Threads::Pool);
        assert_eq!(pool.install(|| query.ray_first_each(&body, &rays).to_vec()), single);
    }
    for &level in SimdLevel::ALL {
        // Rays of a batch take the steps that each takes alone.
        let [mut one, mut all] = [0; 2].map(|_| Query::new().simd(level).counting(true));
        rays.iter().zip(&single).for_each(|(ray, hit)| assert_eq!(one.ray_first(&body, ray), *hit));
        assert_eq!(all.ray_first_each(&body, &rays), single);
        assert_eq!(one.counters(), all.counters());
    }
    for few in [0, 1, 3, 9] {
        assert_eq!(query.ray_first_each(&body, &rays[..few]), &single[..few]);
    }
    let mut before = 0;
    for _ in 0..2 {
        before = allocator::count();
        assert_eq!(query.ray_first_each(&body, &rays), single);
        for ray in &rays {
            query.ray_first(&body, ray);
            query.ray_meets(&body, ray);
            query.ray_all(&body, ray);
        }
    }
    assert_eq!(allocator::count() - before, 0);
}
