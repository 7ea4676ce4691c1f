//! Farthest points against closed forms and against a subdivision that shares no code, at all kinds of poses.
use crate::allocator;
use impinge::{
    Body, Mesh, Model, Pose, Query, SimdLevel, brute_force,
    distance::{Accuracy, Margin},
    farthest::{Farthest, FarthestPoint, SolidSide},
    solid::{FillRule, Location},
};
use impinge_testkit::{
    cases::{is_full, share_of},
    meshes,
    rng::Rng,
};
use std::f64::consts::{PI, TAU};

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

fn rel(rel: f64) -> Accuracy {
    Accuracy::new().rel(rel).unwrap()
}

fn at(t: [f64; 3]) -> Pose {
    Pose::from_translation(t).unwrap()
}

/// A wall of n sides round the z axis from -h to h, between two radii, or a full prism if the inner is 0.
fn tube(n: u32, radii: [f64; 2], h: f64) -> Mesh {
    let [inner, outer] = radii;
    let ring = |radius: f64, z: f64| {
        (0..n).map(move |k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(n)).sin_cos();
            [radius * cos, radius * sin, z]
        })
    };
    let mut points: Vec<[f64; 3]> = ring(outer, -h).chain(ring(outer, h)).collect();
    if inner > 0.0 {
        points.extend(ring(inner, -h).chain(ring(inner, h)));
    } else {
        points.extend([[0.0, 0.0, -h], [0.0, 0.0, h]]);
    }
    let mut faces = Vec::new();
    for k in 0..n {
        let l = (k + 1) % n;
        let mut square = |a: u32, b: u32, c: u32, d: u32| faces.extend([[a, b, c], [a, c, d]]);
        square(k, l, n + l, n + k);
        if inner > 0.0 {
            square(2 * n + l, 2 * n + k, 3 * n + k, 3 * n + l);
            square(n + k, n + l, 3 * n + l, 3 * n + k);
            square(2 * n + k, 2 * n + l, l, k);
        } else {
            faces.extend([[l, k, 2 * n], [n + k, n + l, 2 * n + 1]]);
        }
    }
    Mesh::new(points, faces).unwrap()
}

/// Checks a result by other queries.
fn prove(name: &str, [a, b]: [&Body<'_>; 2], side: SolidSide, found: &FarthestPoint, room: f64) {
    assert!(0.0 <= found.lo && found.lo <= found.hi, "{name}: {found:?}");
    let mut query = Query::new();
    let [x, y] = found.points;
    let own = query.closest_point(a, x).unwrap();
    let other = query.closest_point(b, x).unwrap();
    assert!(own.lo <= room, "{name}: the point is not on its surface: {own:?}, {found:?}");
    let on_b = query.closest_point(b, y).unwrap();
    assert!(on_b.lo <= room, "{name}: the nearest point is not on its surface: {on_b:?}");
    assert!(other.hi + room >= found.lo, "{name}: the point is nearer: {other:?}, {found:?}");
    if found.lo > room && side != SolidSide::Any {
        let wanted = if side == SolidSide::Inside { Location::Inside } else { Location::Outside };
        assert_eq!(query.locate(b, &[x]), [wanted], "{name}: {found:?}");
    }
}

/// Checks that the distance is `want` up to `room`, for each accuracy.
fn check(name: &str, a: &Body<'_>, b: &Body<'_>, side: SolidSide, (want, room): (f64, f64)) {
    for part in [0.1, 0.01, 0.001, 1e-5] {
        let Farthest::At(found) = Query::new().with_accuracy(rel(part)).farthest_distance(a, b, side) else {
            panic!("{name}: no point")
        };
        assert!(found.lo <= want + room && want - room <= found.hi, "{name}: {want} and {found:?}");
        assert!(found.hi - found.lo <= part * found.hi + room, "{name}: {part} {found:?}");
        prove(name, [a, b], side, &found, room);
    }
}

/// A pin of n sides that is too thick for its hole, as in the figures of the docs, and one that is too thin.
#[test]
fn fits_have_the_depth_that_engineers_state() {
    for n in [6, 16, 64] {
        for pose in
            [Pose::IDENTITY, Pose::from_quaternion([0.3, 0.1, -0.2, 0.9], [7.0, 100.0, -3.0]).unwrap()]
        {
            let pin = model(tube(n, [0.0, 5.02], 9.0));
            let plate = model(tube(n, [5.0, 20.0], 4.0));
            let (a, b) = (Body::new(&pin, pose), Body::new(&plate, pose));
            let (of_corners, of_faces) = (5.02 - 5.0, 0.02 * (PI / f64::from(n)).cos());
            check("pin in a hole", &a, &b, SolidSide::Inside, (of_corners, 1e-9));
            check("hole round a pin", &b, &a, SolidSide::Inside, (of_faces, 1e-9));
            // A pin that is too thin: nothing of it is inside.
            let thin = model(tube(n, [0.0, 4.98], 9.0));
            let a = Body::new(&thin, pose);
            let inside = Query::new().with_accuracy(rel(0.01)).farthest_distance(&a, &b, SolidSide::Inside);
            assert_eq!(inside, Farthest::NoPoint, "{n}");
        }
    }
}

#[test]
fn boxes_have_closed_forms() {
    let cube = |sides: [f64; 3]| model(Mesh::cuboid(sides).unwrap());
    let (block, small) = (cube([10.0; 3]), cube([2.0, 4.0, 6.0]));
    let b = Body::new(&block, Pose::IDENTITY);
    let inner = Body::new(&small, Pose::IDENTITY);
    // The inner box's sides are 4, 3 and 2 from the block's. The middle of the first one is farthest.
    check("a box in a block", &inner, &b, SolidSide::Inside, (4.0, 1e-9));
    check("a box in a block", &inner, &b, SolidSide::Any, (4.0, 1e-9));
    let outside = Query::new().with_accuracy(rel(0.01)).farthest_distance(&inner, &b, SolidSide::Outside);
    assert_eq!(outside, Farthest::NoPoint);
    let (far, none) = ((16.0_f64 + 9.0 + 4.0).sqrt(), SolidSide::Inside);
    check("a block round a box", &b, &inner, SolidSide::Any, (far, 1e-9));
    check("a block round a box", &b, &inner, SolidSide::Outside, (far, 1e-9));
    assert_eq!(Query::new().with_accuracy(rel(0.01)).farthest_distance(&b, &inner, none), Farthest::NoPoint);
    // A sheet through a block is deepest at the block's middle. The other way, the depth is half its
    // thickness.
    let sheet = cube([20.0, 20.0, 0.1]);
    let a = Body::new(&sheet, Pose::IDENTITY);
    check("a sheet", &a, &b, SolidSide::Inside, (4.95, 1e-9));
    check("a block about a sheet", &b, &a, SolidSide::Inside, (0.05, 1e-9));
    check("a sheet's rim", &a, &b, SolidSide::Outside, (5.0 * 2.0_f64.sqrt(), 1e-9));
    // A corner into a side.
    let third = (1.0_f64 / 3.0).sqrt();
    let turn = [
        [third; 3],
        [0.5_f64.sqrt(), -(0.5_f64.sqrt()), 0.0],
        [-(1.0_f64 / 6.0).sqrt(), -(1.0_f64 / 6.0).sqrt(), (2.0_f64 / 3.0).sqrt()],
    ];
    let rows = [turn[1], turn[2], turn[0]];
    let tip = cube([2.0; 3]);
    let a = Body::new(&tip, Pose::affine(rows, [0.1, 0.2, 5.0 + 3.0_f64.sqrt() - 0.25]).unwrap());
    check("a corner in a side", &a, &b, SolidSide::Inside, (0.25, 1e-9));
    // A bolt through a plate without a hole: deepest in the middle of the plate.
    let (bolt, plate) = (model(tube(32, [0.0, 3.0], 20.0)), cube([100.0, 80.0, 8.0]));
    let (a, b) = (Body::new(&bolt, Pose::IDENTITY), Body::new(&plate, Pose::IDENTITY));
    check("a bolt through a plate", &a, &b, SolidSide::Inside, (4.0, 1e-9));
    check("a plate about a bolt", &b, &a, SolidSide::Inside, (3.0 * (PI / 32.0).cos(), 1e-9));
}

/// A ball in a face: the lowest point of the ball, and the centre of the disc.
#[test]
fn balls_in_faces() {
    let (ball, block) =
        (model(Mesh::uv_sphere(1.0, 24, 40).unwrap()), model(Mesh::cuboid([8.0; 3]).unwrap()));
    let b = Body::new(&block, Pose::IDENTITY);
    let a = Body::new(&ball, at([0.25, 0.125, 4.25]));
    check("a ball in a face", &a, &b, SolidSide::Inside, (0.75, 1e-9));
    // The plane cuts the ball 0.25 below its centre: the centre of the disc is 0.75 from the ball's surface.
    let found =
        Query::new().with_accuracy(rel(0.001)).farthest_distance(&b, &a, SolidSide::Inside).point().unwrap();
    assert!(found.lo > 0.73 && found.hi < 0.7501 && found.hi - found.lo < 0.001, "{found:?}");
}

/// Bodies that touch are 0 deep; disjoint bodies have no point inside.
#[test]
fn bodies_that_touch_or_do_not() {
    let (cube, mut query) = (model(Mesh::cuboid([2.0; 3]).unwrap()), Query::new());
    let b = Body::new(&cube, Pose::IDENTITY);
    for t in [[2.0, 0.0, 0.0], [2.0, 1.0, 0.5], [2.0, 2.0, 0.0], [2.0; 3]] {
        let a = Body::new(&cube, at(t));
        let found =
            query.with_accuracy(rel(0.01)).farthest_distance(&a, &b, SolidSide::Inside).point().unwrap();
        assert_eq!((found.lo, found.hi), (0.0, 0.0), "{t:?}");
        prove("touching", [&a, &b], SolidSide::Inside, &found, 1e-12);
        let out =
            query.with_accuracy(rel(0.01)).farthest_distance(&a, &b, SolidSide::Outside).point().unwrap();
        assert!(out.lo > 1.9, "{out:?}");
    }
    let a = Body::new(&cube, at([2.0_f64.next_up(), 0.0, 0.0]));
    assert_eq!(
        query.with_accuracy(rel(0.01)).farthest_distance(&a, &b, SolidSide::Inside),
        Farthest::NoPoint
    );
    // Duplicates, and the same surface by other triangles.
    for side in [SolidSide::Any, SolidSide::Inside, SolidSide::Outside] {
        let same = query.farthest_distance(&b, &b, side).point().unwrap();
        assert_eq!((same.lo, same.hi), (0.0, 0.0), "{side:?}");
        let mesh = cube.mesh();
        let turned = mesh.triangles().iter().map(|&[p, q, r]| [q, r, p]).collect();
        let other = model(Mesh::new(mesh.points().to_vec(), turned).unwrap());
        let found =
            query.with_accuracy(rel(0.01)).farthest_distance(&Body::new(&other, Pose::IDENTITY), &b, side);
        let found = found.point().unwrap();
        assert!(found.lo == 0.0 && found.hi < 1e-9, "{side:?} {found:?}");
    }
    // A block in a block that touches its side from within, deep in the middle.
    let block = model(Mesh::cuboid([6.0; 3]).unwrap());
    let (a, outer) = (Body::new(&cube, at([2.0, 0.0, 0.0])), Body::new(&block, Pose::IDENTITY));
    check("in a block, at its side", &a, &outer, SolidSide::Inside, (2.0, 1e-9));
    let out =
        query.with_accuracy(rel(0.01)).farthest_distance(&a, &outer, SolidSide::Outside).point().unwrap();
    assert!(out.lo == 0.0 && out.hi < 1e-9, "{out:?}");
}

/// Meshes without triangles, meshes without area, and meshes that bound no solid.
#[test]
fn bodies_without_an_inside_or_a_surface() {
    let mut query = Query::new();
    let cube = model(Mesh::cuboid([2.0; 3]).unwrap());
    let b = Body::new(&cube, Pose::IDENTITY);
    let empty = model(Mesh::default());
    let none = Body::new(&empty, Pose::IDENTITY);
    for side in [SolidSide::Any, SolidSide::Inside, SolidSide::Outside] {
        assert_eq!(query.with_accuracy(rel(0.01)).farthest_distance(&none, &b, side), Farthest::NoPoint);
        let of_none = query.with_accuracy(rel(0.01)).farthest_distance(&b, &none, side);
        assert_eq!(of_none, if side == SolidSide::Any { Farthest::NoPoint } else { Farthest::NoSolid });
    }
    // A box without one triangle.
    let open =
        model(Mesh::new(cube.mesh().points().to_vec(), cube.mesh().triangles()[1..].to_vec()).unwrap());
    let o = Body::new(&open, at([1.0, 0.0, 0.0]));
    assert_eq!(
        query.with_accuracy(rel(0.01)).farthest_distance(&b, &o, SolidSide::Inside),
        Farthest::NoSolid
    );
    assert_eq!(
        query.with_accuracy(rel(0.01)).farthest_distance(&b, &o, SolidSide::Outside),
        Farthest::NoSolid
    );
    check("to an open mesh", &b, &o, SolidSide::Any, (1.0, 1e-9));
    check("of an open mesh", &o, &b, SolidSide::Inside, (1.0, 1e-9));
    // Points and segments.
    for (corners, want) in
        [([[0.5, 0.0, 0.0]; 3], 0.5), ([[0.5, 0.0, 0.0], [5.0, 0.0, 0.0], [0.5, 0.0, 0.0]], 0.5)]
    {
        let thin = model(Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap());
        check("without area", &Body::new(&thin, Pose::IDENTITY), &b, SolidSide::Inside, (want, 1e-9));
        let far = ((1.5_f64 * 1.5 + 2.0).sqrt(), 1e-9);
        check("to a point", &b, &Body::new(&thin, Pose::IDENTITY), SolidSide::Any, far);
    }
    // A touching box with a triangle that is a point: it has no area, and is inside all the same.
    let mut points = cube.mesh().points().iter().map(|p| [p[0] + 2.0, p[1], p[2]]).collect::<Vec<_>>();
    let mut faces = cube.mesh().triangles().to_vec();
    points.push([0.25, 0.0, 0.0]);
    faces.push([points.len() as u32 - 1; 3]);
    let with_point = model(Mesh::new(points, faces).unwrap());
    check("a point beside", &Body::new(&with_point, Pose::IDENTITY), &b, SolidSide::Inside, (0.75, 1e-9));
}

/// Two boxes of one mesh, one in the other: a hole by the even-odd rule.
#[test]
fn rules_decide_what_is_inside() {
    let (outer, inner) = (Mesh::cuboid([8.0; 3]).unwrap(), Mesh::cuboid([4.0; 3]).unwrap());
    let both = model(meshes::merged(&[&outer, &inner]));
    let small = model(Mesh::cuboid([1.0; 3]).unwrap());
    let (a, b) = (Body::new(&small, Pose::IDENTITY), Body::new(&both, Pose::IDENTITY));
    let ask =
        |rule, side| Query::new().fill_rule(rule).with_accuracy(rel(0.001)).farthest_distance(&a, &b, side);
    let found = ask(FillRule::NonZero, SolidSide::Inside).point().unwrap();
    assert!(found.lo <= 1.5 && found.hi >= 1.5 && found.hi < 1.51, "{found:?}");
    assert_eq!(ask(FillRule::EvenOdd, SolidSide::Inside), Farthest::NoPoint);
    let found = ask(FillRule::EvenOdd, SolidSide::Outside).point().unwrap();
    assert!(found.lo <= 1.5 && found.hi >= 1.5 && found.hi < 1.51, "{found:?}");
}

fn any_pose(rng: &mut Rng, far: f64) -> Pose {
    let (rows, t) = (rng.rotation(), rng.point(far));
    match rng.below(6) {
        0 => Pose::IDENTITY,
        1 => Pose::from_translation(t).unwrap(),
        2 => Pose::affine(rows.map(|[x, y, z]| [x * 1.5, y + 0.3 * x, -0.4 * z]), t).unwrap(),
        3 => Pose::affine(rows.map(|[x, y, z]| [-x, y, z]), t).unwrap(),
        _ => Pose::rigid(rows, t).unwrap(),
    }
}

/// The interval and that of a subdivision both contain the distance, so they have a number in common.
#[test]
fn intervals_agree_with_a_subdivision() {
    let mut rng = Rng::new(5353);
    let shapes = [
        Mesh::cuboid([1.0, 1.4, 0.6]).unwrap(),
        Mesh::uv_sphere(0.8, 6, 9).unwrap(),
        meshes::torus(9, 6, 0.3),
        tube(7, [0.4, 0.9], 0.5),
        meshes::merged(&[
            &Mesh::cuboid([1.0; 3]).unwrap(),
            &meshes::translated(&Mesh::cuboid([1.0; 3]).unwrap(), [0.3, 0.2, 0.1]),
        ]),
        meshes::soup(3, 12, 0.6),
        meshes::sheet(5, 3, 0.4),
        meshes::to_grid(&Mesh::cuboid([1.0; 3]).unwrap(), 2),
    ];
    let models: Vec<Model> = shapes.into_iter().map(model).collect();
    let (mut query, mut counts) = (Query::new(), [0; 4]);
    for round in 0..if is_full() { 360 } else { 60 } {
        let (i, j) = (rng.below(8) as usize, rng.below(8) as usize);
        let far = [0.3, 1.0, 3.0, 1e4][round % 4];
        let common = any_pose(&mut rng, far);
        let (mut p, q) = (any_pose(&mut rng, 0.6), Pose::IDENTITY);
        if round % 7 == 0 {
            p = at([0.5, -0.5, 0.25].map(|x| x * rng.int(-2, 2) as f64));
        }
        let (Ok(p), Ok(q)) = (p.then(&common), q.then(&common)) else { continue };
        let (a, b) = (Body::new(&models[i], p), Body::new(&models[j], q));
        let side = [SolidSide::Any, SolidSide::Inside, SolidSide::Outside][rng.below(3) as usize];
        let rule = *rng.pick(&[FillRule::NonZero, FillRule::EvenOdd, FillRule::Positive]);
        query = query.fill_rule(rule);
        let accuracy = rel(*rng.pick(&[0.1, 0.01, 1e-3]));
        let found = query.with_accuracy(accuracy).farthest_distance(&a, &b, side);
        let want = brute_force::farthest_distance(&a, &b, (side, rule), rel(0.06));
        let name = format!("{round}: {i} {j} {side:?} {rule:?}");
        match (found, want) {
            (Farthest::At(found), Farthest::At(want)) => {
                let room = 1e-9 * (1.0 + far);
                assert!(
                    found.lo <= want.hi + room && want.lo <= found.hi + room,
                    "{name}: {found:?} {want:?}"
                );
                prove(&name, [&a, &b], side, &found, room);
                counts[usize::from(found.lo > 0.0)] += 1;
            }
            (found, want) => {
                assert_eq!(found, want, "{name}");
                counts[2 + usize::from(found == Farthest::NoSolid)] += 1;
            }
        }
        for &level in SimdLevel::ALL {
            let again = Query::new()
                .simd(level)
                .fill_rule(rule)
                .with_accuracy(accuracy)
                .farthest_distance(&a, &b, side);
            assert_eq!(again, found, "{name}: {level:?}");
        }
    }
    assert!(counts[1] > 20 && counts[2] > 0 && counts[3] > 1, "{counts:?}");
}

/// Samples of the first surface are not farther than the upper bound.
#[test]
fn no_sample_is_farther() {
    let mut rng = Rng::new(99);
    let models: Vec<Model> =
        [tube(12, [0.5, 1.0], 0.7), meshes::torus(14, 9, 0.35), Mesh::uv_sphere(0.9, 9, 14).unwrap()]
            .into_iter()
            .map(model)
            .collect();
    let mut query = Query::new();
    for round in 0..share_of(90) {
        let (a, b) = (&models[round % 3], &models[rng.below(3) as usize]);
        let (a, b) = (Body::new(a, any_pose(&mut rng, 0.5)), Body::new(b, any_pose(&mut rng, 0.5)));
        for side in [SolidSide::Any, SolidSide::Inside, SolidSide::Outside] {
            let found = query.with_accuracy(rel(0.01)).farthest_distance(&a, &b, side);
            let most = found.point().map_or(0.0, |found| found.hi) + 1e-12;
            for _ in 0..200 {
                let [p, q, r] = a.model.mesh().corners(rng.below(a.model.mesh().len() as u64) as u32);
                let (mut s, mut t) = (rng.unit(), rng.unit());
                if s + t > 1.0 {
                    (s, t) = (1.0 - s, 1.0 - t);
                }
                let x = a.pose.place([0, 1, 2].map(|k| p[k] + s * (q[k] - p[k]) + t * (r[k] - p[k])));
                let [location] = *query.locate(&b, &[x]) else { panic!() };
                let counts = match side {
                    SolidSide::Any => true,
                    SolidSide::Inside => location == Location::Inside,
                    SolidSide::Outside => location == Location::Outside,
                };
                let near = query.closest_point(&b, x).unwrap();
                assert!(!counts || near.lo <= most, "{round} {side:?}: {x:?} {near:?} {found:?}");
            }
        }
    }
}

/// Bodies far from the origin, tiny and huge.
#[test]
fn sizes_and_places_do_not_matter() {
    let (pin, plate) = (tube(8, [0.0, 5.25], 9.0), tube(8, [5.0, 20.0], 4.0));
    for e in [-900, -500, -60, 60, 500, 900] {
        let scale = 2.0_f64.powi(e);
        // The mesh is scaled, or the pose.
        let scaled = |mesh: &Mesh| meshes::mapped(mesh, |p| p.map(|x| x * scale));
        let (a, b) = (model(scaled(&pin)), model(scaled(&plate)));
        let (c, d) = (model(pin.clone()), model(plate.clone()));
        let rows = [[scale, 0.0, 0.0], [0.0, scale, 0.0], [0.0, 0.0, scale]];
        let pose = Pose::affine(rows, [scale, -2.0 * scale, 0.0]).unwrap();
        for (a, b) in [
            (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY)),
            (Body::new(&c, pose), Body::new(&d, pose)),
        ] {
            let found = Query::new()
                .with_accuracy(rel(0.001))
                .farthest_distance(&a, &b, SolidSide::Inside)
                .point()
                .unwrap();
            let [lo, hi] = [found.lo, found.hi].map(|x| x / scale);
            assert!(lo <= 0.25 + 1e-9 && 0.25 - 1e-9 <= hi && hi - lo < 0.001, "{e}: {lo} {hi}");
        }
    }
    // Sums of coordinates of 2^40 and 0.25 are exact.
    let far = 2.0_f64.powi(40);
    let (cube, t) = (model(Mesh::cuboid([1.0; 3]).unwrap()), [far, -far, far]);
    let moved = model(meshes::translated(cube.mesh(), t));
    for (a, b) in [
        (Body::new(&cube, at([t[0] + 0.75, t[1], t[2]])), Body::new(&cube, at(t))),
        (Body::new(&cube, at([t[0] + 0.75, t[1], t[2]])), Body::new(&moved, Pose::IDENTITY)),
    ] {
        let found = Query::new()
            .with_accuracy(rel(0.001))
            .farthest_distance(&a, &b, SolidSide::Inside)
            .point()
            .unwrap();
        assert!(found.lo <= 0.25 && 0.25 <= found.hi && found.hi - found.lo < 0.001, "{found:?}");
    }
    // At the end of f64 there is a result, too.
    let huge = model(meshes::mapped(cube.mesh(), |p| p.map(|x| x * 2.0 * f64::MAX)));
    let half = model(meshes::mapped(cube.mesh(), |p| p.map(|x| x * f64::MAX)));
    let (a, b) = (Body::new(&half, Pose::IDENTITY), Body::new(&huge, Pose::IDENTITY));
    let found =
        Query::new().with_accuracy(rel(0.001)).farthest_distance(&a, &b, SolidSide::Inside).point().unwrap();
    assert!(found.lo <= f64::MAX / 2.0 && found.hi >= f64::MAX / 2.0, "{found:?}");
    let away = Body::new(&cube, at([f64::MAX, 0.0, 0.0]));
    let found = Query::new().with_accuracy(rel(0.1)).farthest_distance(
        &away,
        &Body::new(&cube, Pose::IDENTITY),
        SolidSide::Any,
    );
    assert!(found.point().unwrap().hi >= f64::MAX);
}

/// An absolute accuracy suffices if it is the wider one.
#[test]
fn absolute_accuracy() {
    let (ball, block) =
        (model(Mesh::uv_sphere(1.0, 24, 40).unwrap()), model(Mesh::cuboid([8.0; 3]).unwrap()));
    let (a, b) = (Body::new(&ball, at([0.1, 0.2, 3.5])), Body::new(&block, Pose::IDENTITY));
    let ask = |accuracy| {
        Query::new().with_accuracy(accuracy).farthest_distance(&b, &a, SolidSide::Inside).point().unwrap()
    };
    let fine = ask(rel(1e-6));
    for abs in [0.3, 0.02, 1e-3] {
        let found = ask(Accuracy::new().abs(Margin::new(abs).unwrap()));
        assert!(found.hi - found.lo <= abs && found.lo <= fine.hi && fine.lo <= found.hi, "{abs}: {found:?}");
    }
}

#[test]
fn a_warm_query_does_not_allocate() {
    let models =
        [tube(16, [0.0, 1.02], 2.0), tube(16, [1.0, 3.0], 1.0), Mesh::uv_sphere(1.0, 9, 14).unwrap()]
            .map(model);
    let mut rng = Rng::new(7);
    let poses: Vec<Pose> = (0..6).map(|_| Pose::rigid(rng.rotation(), rng.point(0.5)).unwrap()).collect();
    let mut query = Query::new();
    for round in 0..3 {
        let before = allocator::count();
        for a in &models {
            for b in &models {
                for pose in &poses {
                    let (a, b) = (Body::new(a, *pose), Body::new(b, Pose::IDENTITY));
                    for side in [SolidSide::Any, SolidSide::Inside, SolidSide::Outside] {
                        assert!(
                            query.with_accuracy(rel(0.03)).farthest_distance(&a, &b, side).point().is_some()
                        );
                    }
                }
            }
        }
        let made = allocator::count() - before;
        assert!(round < 2 || made == 0, "{made}");
        assert!(round > 0 || made > 0, "the counter counts");
    }
}
