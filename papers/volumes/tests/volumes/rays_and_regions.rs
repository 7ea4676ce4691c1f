//! Rays and regions by trees: the same as by brute force, and by testing few of the triangles.
use crate::{agreement::every_option, allocator};
use impinge::{
    Body, HalfSpace, Mesh, Model, Pose, Query, brute_force, query::Count, rays::Ray, regions::InRegion,
};
use impinge_testkit::{
    cases::{Setup, poses, scenes, share},
    meshes,
    rng::Rng,
    ways::{papers, setups},
};
use impinge_volumes::Options;

type Vector = [f64; 3];

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The bodies of each scene at one pair of poses; few triangles of the scene in which integers are long.
fn bodies() -> Vec<(&'static str, [Mesh; 2], [Pose; 2])> {
    let poses = poses();
    let mut all = Vec::new();
    for (turn, (name, a, b)) in scenes().into_iter().enumerate() {
        let part = |mesh: Mesh| match name {
            "subnormal" => Mesh::new(mesh.points().to_vec(), mesh.triangles()[..24].to_vec()).unwrap(),
            _ => mesh,
        };
        let (p, q) = poses[(3 * turn + 2) % poses.len()];
        all.push((name, [part(a), part(b)], [p, q]));
    }
    all
}

fn extent(mesh: &Mesh) -> f64 {
    let [lo, hi] = impinge::hierarchy::extent_of(mesh);
    (0..3).fold(0.0, |most: f64, k| most.max(hi[k] - lo[k]))
}

/// Rays through corners, from corner to corner, along axes, from far away, and past the mesh.
fn rays(mesh: &Mesh, pose: &Pose, rng: &mut Rng) -> Vec<Ray> {
    let (size, mut all) = (extent(mesh), Vec::new());
    for i in 0..24 {
        let [a, b] = [(); 2].map(|()| pose.place(*rng.pick(mesh.points())));
        let by = rng.point([0.3, 3.0, 1e6][i % 3] * size);
        let away = [0, 1, 2].map(|k| a[k] + by[k]);
        let ray = match i % 8 {
            0 => Ray::new(a, minus(b, a)),
            1 => Ray::new(away, minus(a, away)),
            2 => Ray::new(away, minus(b, away)),
            3 => Ray::new([a[0], a[1], away[2]], [0.0, 0.0, -by[2]]),
            4 => Ray::new(away, by),
            5 => Ray::new(a, rng.point(1.0)),
            6 => Ray::new(away, rng.point(1e-3 * size)),
            _ => Ray::new(minus(a, by), by.map(|x| 2.0 * x)),
        };
        let Ok(ray) = ray else { continue };
        all.push(if i % 5 == 4 { ray.until([0.0, 0.5, 1.0][i % 3]).unwrap() } else { ray });
    }
    all
}

#[test]
fn every_option_meets_what_rays_meet() {
    let (mut rng, mut compared, mut met, mut missed) = (Rng::new(141), 0, 0, 0);
    for (turn, (name, meshes, poses)) in bodies().into_iter().enumerate() {
        let wanted = [0, 1].map(|i| {
            let plain = Model::new(meshes[i].clone());
            let body = Body::new(&plain, poses[i]);
            let rays = rays(&meshes[i], &poses[i], &mut rng);
            rays.into_iter().map(|ray| (ray, brute_force::ray_all(&body, &ray))).collect::<Vec<_>>()
        });
        for setup in setups(share(every_option(), turn)) {
            let mut query = setup.query();
            for i in [0, 1] {
                let model = setup.model(&meshes[i]);
                let body = Body::new(&model, poses[i]);
                for (ray, want) in &wanted[i] {
                    assert_eq!(query.ray_all(&body, ray), want, "{name}, {setup:?}, {ray:?}");
                    let first = query.ray_first(&body, ray);
                    assert_eq!(first, want.first().copied(), "{name}, {setup:?}, {ray:?}");
                    assert_eq!(query.ray_meets(&body, ray), !want.is_empty(), "{name}, {setup:?}, {ray:?}");
                    compared += 1;
                    met += want.len();
                    missed += usize::from(want.is_empty());
                }
            }
        }
    }
    println!("{compared} rays, {met} hits, {missed} without");
    assert!(compared > 10_000 && met > 10_000 && missed > 2_000, "{compared} {met} {missed}");
}

/// Rays of one eye, in many directions: first hits one by one and together.
#[test]
fn many_rays_are_as_single_ones() {
    let (mesh, pose) = (meshes::torus(24, 12, 0.3), poses()[5].0);
    let rays = (0..300).map(|i| eye_ray(&mesh, &pose, i)).collect::<Vec<_>>();
    let mut first = None;
    for setup in setups(papers().map(Options::new)) {
        let model = setup.model(&mesh);
        let (body, mut query) = (Body::new(&model, pose), setup.query());
        let one_by_one = rays.iter().map(|ray| query.ray_first(&body, ray)).collect::<Vec<_>>();
        assert_eq!(query.ray_first_each(&body, &rays), one_by_one, "{setup:?}");
        assert_eq!(*first.get_or_insert(one_by_one.clone()), one_by_one, "{setup:?}");
    }
    let hits = first.into_iter().flatten().flatten().count();
    assert!((50..300).contains(&hits), "{hits}");
}

const EYE: Vector = [2.5, -1.5, 2.0];

/// A ray from a fixed point through the neighbourhood of a corner of a mesh.
fn eye_ray(mesh: &Mesh, pose: &Pose, i: usize) -> Ray {
    let mut rng = Rng::new(i as u64);
    let (corner, by) = (*rng.pick(mesh.points()), rng.point(0.3));
    let to = pose.place([0, 1, 2].map(|k| corner[k] + by[k]));
    Ray::new(EYE, minus(to, EYE)).expect("the eye is elsewhere")
}

/// Half-space with three points on its boundary and another one inside.
fn through(points: [Vector; 3], inner: Vector) -> Option<HalfSpace> {
    let n = cross(minus(points[1], points[0]), minus(points[2], points[0]));
    let d = dot(n, points[0]);
    let sign = if dot(n, inner) <= d { 1.0 } else { -1.0 };
    HalfSpace::new(n.map(|x| sign * x), sign * d).ok()
}

/// A view frustum: a pyramid between two planes, from an eye towards a target.
fn frustum(eye: Vector, to: Vector, width: f64) -> Option<Vec<HalfSpace>> {
    let along = minus(to, eye);
    let side = cross(along, [0.3, 0.2, 1.0]);
    let length = |v: Vector| dot(v, v).sqrt();
    let side = side.map(|x| x * width * length(along) / length(side));
    let up = cross(along, side).map(|x| x / length(along));
    let corner = |x: f64, y: f64| [0, 1, 2].map(|k| to[k] + x * side[k] + y * up[k]);
    let ends = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
    let mut planes =
        (0..4).map(|i| through([eye, ends[i], ends[(i + 1) % 4]], to)).collect::<Option<Vec<_>>>()?;
    let (near, far) = (dot(along, eye) + 0.05 * dot(along, along), dot(along, to) + 0.2 * dot(along, along));
    planes.push(HalfSpace::new(along.map(|x| -x), -near).ok()?);
    planes.push(HalfSpace::new(along, far).ok()?);
    Some(planes)
}

/// Boxes, frusta, planes through corners, prisms of more than 64 planes, nothing and everything.
fn regions(mesh: &Mesh, pose: &Pose, rng: &mut Rng) -> Vec<Vec<HalfSpace>> {
    let (size, mut all) = (extent(mesh), vec![Vec::new()]);
    for i in 0..24 {
        let [a, b, c] = [(); 3].map(|()| pose.place(*rng.pick(mesh.points())));
        let by = rng.point([0.2, 1.0, 3.0][i % 3] * size);
        let away = [0, 1, 2].map(|k| a[k] + by[k]);
        let axis = |k: usize, sign: f64| [0, 1, 2].map(|j| if j == k { sign } else { 0.0 });
        let cuboid = |lo: Vector, hi: Vector| -> Option<Vec<HalfSpace>> {
            let sides =
                |k| [HalfSpace::new(axis(k, 1.0), hi[k]).ok(), HalfSpace::new(axis(k, -1.0), -lo[k]).ok()];
            (0..3).flat_map(sides).collect()
        };
        let planes: Option<Vec<HalfSpace>> = match i % 6 {
            0 => cuboid([0, 1, 2].map(|k| a[k].min(away[k])), [0, 1, 2].map(|k| a[k].max(away[k]))),
            1 => frustum(away, a, [0.1, 0.7][i % 2]),
            2 => through([a, b, c], away).map(|plane| vec![plane]),
            3 => through([a, b, c], away).and_then(|plane| {
                let back = HalfSpace::new(plane.normal().map(|x| -x), -plane.offset()).ok()?;
                Some(vec![plane, back])
            }),
            4 => (0..70)
                .map(|j| {
                    let (sin, cos) = (f64::from(j) * 0.09).sin_cos();
                    let n = [cos, sin, 0.1 * cos];
                    HalfSpace::new(n, dot(n, a) + 0.4 * size).ok()
                })
                .collect(),
            _ => cuboid(a.map(|x| x - 4.0 * size), a.map(|x| x + 4.0 * size)),
        };
        all.extend(planes);
    }
    all
}

#[test]
fn every_option_finds_what_is_in_a_region() {
    let (mut rng, mut compared, mut kept, mut dropped) = (Rng::new(142), 0, 0, 0);
    for (turn, (name, meshes, poses)) in bodies().into_iter().enumerate() {
        let wanted = [0, 1].map(|i| {
            let plain = Model::new(meshes[i].clone());
            let (body, mut wanted) = (Body::new(&plain, poses[i]), Vec::new());
            for planes in regions(&meshes[i], &poses[i], &mut rng) {
                for which in [InRegion::Partly, InRegion::Wholly] {
                    let want = brute_force::triangles_in(&body, &planes, which);
                    wanted.push((planes.clone(), which, want));
                }
            }
            wanted
        });
        for setup in setups(share(every_option(), turn + 1)) {
            let mut query = setup.query();
            for i in [0, 1] {
                let model = setup.model(&meshes[i]);
                let body = Body::new(&model, poses[i]);
                for (planes, which, want) in &wanted[i] {
                    let found = query.triangles_in(&body, planes, *which);
                    assert_eq!(found, want, "{name}, {setup:?}, {which:?}, {planes:?}");
                    compared += 1;
                    kept += want.len();
                    dropped += model.mesh().len() - want.len();
                }
            }
        }
    }
    println!("{compared} regions, {kept} triangles in them, {dropped} not");
    assert!(compared > 10_000 && kept > 100_000 && dropped > 100_000, "{compared} {kept} {dropped}");
}

/// Rays per eye of the scene that is counted.
const RAYS: usize = 1000;

/// The work of rays for first hits, any hit and all hits, and of a frustum that holds a part of the mesh; the
/// numbers of hits and of triangles in it.
fn work(setup: &Setup, mesh: &Mesh) -> ([Count; 4], [usize; 4]) {
    let model = setup.model(mesh);
    let (body, mut query) = (Body::new(&model, Pose::IDENTITY), setup.query().counting(true));
    let rays = (0..RAYS).map(|i| eye_ray(mesh, &Pose::IDENTITY, i)).collect::<Vec<_>>();
    let first = query.ray_first_each(&body, &rays).iter().flatten().count();
    let mut counts = [query.counters().expect("it counts").count; 4];
    query.reset_counters();
    let any = rays.iter().filter(|ray| query.ray_meets(&body, ray)).count();
    counts[1] = query.counters().expect("it counts").count;
    query.reset_counters();
    let all = rays.iter().map(|ray| query.ray_all(&body, ray).len()).sum();
    counts[2] = query.counters().expect("it counts").count;
    query.reset_counters();
    let planes = frustum(EYE, [0.8, 0.3, 0.1], 0.12).expect("six planes");
    let inside = query.triangles_in(&body, &planes, InRegion::Partly).len();
    counts[3] = query.counters().expect("it counts").count;
    (counts, [first, any, all, inside])
}

/// Volumes that prove nothing would test all 14,400 triangles for each ray and for the frustum. The bounds
/// are twice to four times the numbers of balls, which are the loosest here: a new volume may be looser.
#[test]
fn few_triangles_are_tested() {
    let mesh = meshes::torus(120, 60, 0.3);
    let mut results = None;
    println!("Nv and triangles of a first hit, any hit, all hits; of a frustum");
    for kind in papers() {
        let setup = &setups([Options::new(kind)])[0];
        let (counts, found) = work(setup, &mesh);
        let per_ray = |n: u64| n as f64 / RAYS as f64;
        let [first, any, all, frustum] = counts;
        println!(
            "{:12} {:6.1} {:6.2} | {:6.1} {:6.2} | {:6.1} {:6.2} | {:5} {:5}",
            kind.name(),
            per_ray(first.volume_tests),
            per_ray(first.triangle_tests),
            per_ray(any.volume_tests),
            per_ray(any.triangle_tests),
            per_ray(all.volume_tests),
            per_ray(all.triangle_tests),
            frustum.volume_tests,
            frustum.triangle_tests,
        );
        assert_eq!(*results.get_or_insert(found), found, "{}", kind.name());
        assert!(
            per_ray(first.triangle_tests) < 24.0 && per_ray(all.triangle_tests) < 60.0,
            "{first:?} {all:?}"
        );
        assert!(any.volume_tests <= first.volume_tests && first.volume_tests <= all.volume_tests);
        assert!(any.triangle_tests <= first.triangle_tests && first.triangle_tests < all.triangle_tests);
        assert!(
            per_ray(first.volume_tests) < 120.0 && per_ray(all.volume_tests) < 260.0,
            "{}: {all:?}",
            kind.name()
        );
        // Triangles in the frustum's middle are taken without a test.
        assert!(frustum.triangle_tests < 2600 && frustum.volume_tests < 4400, "{}: {frustum:?}", kind.name());
    }
    let [first, any, all, inside] = results.expect("there are kinds");
    assert_eq!(any, first);
    println!("{RAYS} rays: {first} meet the mesh, {all} hits; {inside} triangles in the frustum");
    assert!((500..RAYS).contains(&first) && all > first && (200..5000).contains(&inside));
}

/// Location by rays needs no boxes of its own: few triangles are tested for a point.
#[test]
fn few_triangles_are_tested_to_locate_a_point() {
    let mesh = meshes::torus(120, 60, 0.3);
    for kind in papers() {
        let model = Options::new(kind).build(mesh.clone()).unwrap();
        let (body, mut query, mut rng) =
            (Body::new(&model, Pose::IDENTITY), Query::new().counting(true), Rng::new(7));
        let points = (0..500).map(|_| rng.point(1.0)).collect::<Vec<_>>();
        query.locate(&body, &points);
        let count = query.counters().expect("it counts").count;
        assert!(count.volume_tests > 0 && count.triangle_tests < 30 * 500, "{}: {count:?}", kind.name());
    }
}

#[test]
fn a_warm_query_does_not_allocate() {
    let mesh = meshes::torus(24, 12, 0.3);
    let rays = (0..50).map(|i| eye_ray(&mesh, &Pose::IDENTITY, i)).collect::<Vec<_>>();
    let planes = frustum(EYE, [0.8, 0.3, 0.1], 0.12).expect("six planes");
    let points = (0..50).map(|i| Rng::new(i).point(1.0)).collect::<Vec<_>>();
    for kind in papers() {
        let model = Options::new(kind).build(mesh.clone()).unwrap();
        // The data of a solid is computed once.
        model.solid();
        let (body, mut query) = (Body::new(&model, Pose::IDENTITY), Query::new());
        for round in 0..2 {
            let before = allocator::count();
            for ray in &rays {
                query.ray_first(&body, ray);
                query.ray_all(&body, ray);
                query.ray_meets(&body, ray);
            }
            query.ray_first_each(&body, &rays);
            query.triangles_in(&body, &planes, InRegion::Partly);
            query.locate(&body, &points);
            let made = allocator::count() - before;
            assert!(if round == 0 { made > 0 } else { made == 0 }, "{}, {round}: {made}", kind.name());
        }
    }
}
