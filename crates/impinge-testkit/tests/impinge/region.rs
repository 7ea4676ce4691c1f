//! Triangles in convex regions against integers and brute force, equal on all instruction sets.
use crate::allocator;
use impinge::{
    Body, BuildOptions, ErrorKind, HalfSpace, Mesh, Model, Pose, Quality, Query, SimdLevel, brute_force,
    regions::InRegion,
};
use impinge_testkit::{meshes, oracle, rng::Rng};

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

fn planes(of: &[([f64; 3], f64)]) -> Vec<HalfSpace> {
    of.iter().map(|&(n, d)| HalfSpace::new(n, d).unwrap()).collect()
}

/// Triangles in the region, by integers.
fn by_oracle(mesh: &Mesh, pose: &Pose, of: &[([f64; 3], f64)], which: InRegion) -> Vec<u32> {
    let all = which == InRegion::Wholly;
    let is_in = |i: &u32| oracle::is_in_region(&mesh.corners(*i), pose, of, all);
    (0..mesh.len() as u32).filter(is_in).collect()
}

const BOTH: [InRegion; 2] = [InRegion::Partly, InRegion::Wholly];

#[test]
fn grid_triangles_are_in_regions_as_integers_say() {
    let (mut rng, mut counts) = (Rng::new(90), [[0; 2]; 2]);
    for round in 0..3000 {
        let points = (0..10).map(|_| [0; 3].map(|_| rng.int(-2, 2) as f64)).collect::<Vec<_>>();
        // Some of them segments and points.
        let triangles = (0..10).map(|_| [0; 3].map(|_| rng.below(10) as u32)).collect();
        let mesh = Mesh::new(points, triangles).unwrap();
        let pose = match round % 3 {
            0 => Pose::affine([[-1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 2.0]], [0.5, 0.0, 1.0]).unwrap(),
            _ => Pose::IDENTITY,
        };
        let mut of = Vec::new();
        for _ in 0..rng.below(6) {
            let n = [0; 3].map(|_| rng.int(-2, 2) as f64);
            if n != [0.0; 3] {
                of.push((n, rng.int(-3, 4) as f64 / 2.0));
            }
        }
        if round % 4 == 0 && !of.is_empty() {
            // A plane as a region, and the same twice.
            let (n, d) = of[0];
            of.push((n.map(|x| -x), -d));
            of.push((n.map(|x| 0.1 * x), 0.1 * d));
        }
        let model = model(mesh.clone());
        let body = Body::new(&model, pose);
        for which in BOTH {
            let want = by_oracle(&mesh, &pose, &of, which);
            assert_eq!(brute_force::triangles_in(&body, &planes(&of), which), want, "{round}: {of:?}");
            assert_eq!(Query::new().triangles_in(&body, &planes(&of), which), want, "{round}: {of:?}");
            counts[which as usize][0] += want.len();
            counts[which as usize][1] += mesh.len() - want.len();
        }
    }
    assert!(counts.iter().flatten().all(|&count| count > 3000), "{counts:?}");
}

/// Boxes, wedges and frusta through corners of meshes, at any pose and size.
#[test]
fn trees_and_brute_force_agree_with_integers() {
    let mut rng = Rng::new(91);
    let shapes = [
        meshes::uv_sphere(7, 10),
        meshes::torus(10, 8, 0.3),
        meshes::soup(3, 80, 0.8),
        meshes::needles(4, 40),
        meshes::mapped(&meshes::soup(6, 20, 0.5), |p| [p[0], 0.0, 0.0]),
    ];
    let models: Vec<Model> = shapes.into_iter().map(model).collect();
    let options = [BuildOptions::default().compact(true), BuildOptions::default().quality(Quality::OnDemand)];
    let others: Vec<[Model; 2]> = models
        .iter()
        .map(|model| options.map(|options| Model::with_options(model.shared_mesh().clone(), &options)))
        .collect();
    let (mut some, mut none, mut all) = (0, 0, 0);
    for round in 0..400 {
        let i = rng.below(models.len() as u64) as usize;
        let (rows, t) = (rng.rotation(), rng.point([1.0, 1e3, 1e7][round % 3]));
        let pose = match rng.below(5) {
            0 => Pose::IDENTITY,
            1 => Pose::from_translation(t).unwrap(),
            2 => Pose::affine(rows.map(|[x, y, z]| [x * 1.5, y + 0.3 * x, -0.01 * z]), t).unwrap(),
            _ => Pose::rigid(rows, t).unwrap(),
        };
        let (mesh, body) = (models[i].mesh(), Body::new(&models[i], pose));
        let mut of = Vec::new();
        for _ in 0..rng.below(7) {
            let corner = mesh.corners(rng.below(mesh.len() as u64) as u32)[0];
            let through = pose.place(if rng.below(2) == 0 { corner } else { rng.point(1.2) });
            let size = [1.0, 1e-300, 1e200][rng.below(3) as usize];
            let n = rng.point(size);
            of.push((n, n[0] * through[0] + n[1] * through[1] + n[2] * through[2]));
        }
        for which in BOTH {
            let want = by_oracle(mesh, &pose, &of, which);
            assert_eq!(brute_force::triangles_in(&body, &planes(&of), which), want, "{round}: {of:?}");
            for &level in SimdLevel::ALL {
                let mut query = Query::new().simd(level);
                assert_eq!(query.triangles_in(&body, &planes(&of), which), want, "{round}: {level:?}");
            }
            for other in &others[i] {
                let other = Body::new(other, pose);
                assert_eq!(Query::new().triangles_in(&other, &planes(&of), which), want, "{round}");
            }
            let count = if want.is_empty() {
                &mut none
            } else if want.len() == mesh.len() {
                &mut all
            } else {
                &mut some
            };
            *count += 1;
        }
    }
    assert!(some > 200 && none > 100 && all > 100, "{some} {none} {all}");
}

#[test]
fn awkward_regions() {
    let ball = model(meshes::icosphere(2));
    let body = Body::new(&ball, Pose::IDENTITY);
    let mut query = Query::new();
    let all: Vec<u32> = (0..ball.mesh().len() as u32).collect();
    for which in BOTH {
        assert_eq!(query.triangles_in(&body, &[], which), all);
        // Nothing is in two half-spaces that face away from each other.
        let apart = planes(&[([1.0, 0.0, 0.0], -0.25), ([-1.0, 0.0, 0.0], -0.25)]);
        assert!(query.triangles_in(&body, &apart, which).is_empty());
        assert_eq!(query.triangles_in(&body, &planes(&[([1.0, 0.0, 0.0], 2.0)]), which), all);
        assert!(query.triangles_in(&body, &planes(&[([1.0, 0.0, 0.0], -2.0)]), which).is_empty());
    }
    // More planes than a word has bits: a ball round the ball.
    let many: Vec<_> = ball.mesh().points().iter().map(|p| (*p, 1.5)).collect();
    assert_eq!(query.triangles_in(&body, &planes(&many), InRegion::Wholly), all);
    let tight: Vec<_> = ball.mesh().points().iter().map(|p| (*p, 0.99)).collect();
    for which in BOTH {
        let want = brute_force::triangles_in(&body, &planes(&tight), which);
        assert_eq!(query.triangles_in(&body, &planes(&tight), which), want);
    }
    // The largest and the least numbers.
    let least = f64::from_bits(1);
    let mesh =
        Mesh::new(vec![[f64::MAX, 0.0, 0.0], [-f64::MAX, 0.0, 0.0], [0.0, least, 0.0]], vec![[0, 1, 2]]);
    let (mesh, of) = (mesh.unwrap(), [([0.0, f64::MAX, 0.0], -least), ([least, -1.0, 0.0], f64::MAX)]);
    let far = model(mesh.clone());
    for count in 0..=2 {
        for which in BOTH {
            let want = by_oracle(&mesh, &Pose::IDENTITY, &of[..count], which);
            let body = Body::new(&far, Pose::IDENTITY);
            assert_eq!(query.triangles_in(&body, &planes(&of[..count]), which), want, "{count}");
        }
    }
    // A value overflows to the wrong side: -2 + 1 + 1 times the largest number is 0, less -1 is 1.
    let corner = model(Mesh::new(vec![[-f64::MAX, f64::MAX, f64::MAX]], vec![[0; 3]]).unwrap());
    for which in BOTH {
        let (body, of) = (Body::new(&corner, Pose::IDENTITY), planes(&[([2.0, 1.0, 1.0], -1.0)]));
        assert!(query.triangles_in(&body, &of, which).is_empty());
    }
    let is_refused = |normal, offset| {
        let error = HalfSpace::new(normal, offset).unwrap_err();
        matches!(error.kind(), ErrorKind::InvalidHalfSpace { .. })
    };
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(is_refused([bad, 0.0, 0.0], 0.0) && is_refused([1.0, 0.0, 0.0], bad));
    }
    assert!(is_refused([0.0, -0.0, 0.0], 1.0));
    let empty = model(Mesh::default());
    assert!(query.triangles_in(&Body::new(&empty, Pose::IDENTITY), &[], InRegion::Partly).is_empty());
}

#[test]
fn a_warm_query_does_not_allocate() {
    let (mut rng, torus) = (Rng::new(92), model(meshes::torus(24, 12, 0.3)));
    let body = Body::new(&torus, Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap());
    let regions: Vec<Vec<HalfSpace>> = (0..40)
        .map(|_| {
            let mut plane = || {
                let (n, x) = (rng.point(1.0), body.pose.place(torus.mesh().points()[rng.below(50) as usize]));
                HalfSpace::new(n, n[0] * x[0] + n[1] * x[1] + n[2] * x[2]).unwrap()
            };
            (0..4).map(|_| plane()).collect()
        })
        .collect();
    let (mut query, mut before, mut found) = (Query::new(), 0, 0);
    for _ in 0..2 {
        (before, found) = (allocator::count(), 0);
        for planes in &regions {
            found += query.triangles_in(&body, planes, InRegion::Partly).len();
            query.triangles_in(&body, planes, InRegion::Wholly);
        }
    }
    assert_eq!(allocator::count() - before, 0);
    assert!(found > 100, "{found}");
}
