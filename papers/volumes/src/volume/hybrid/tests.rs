//! Tests: the cube contains its contents under every rotation; the leaf test loses no contact, and proves the
//! other pairs disjoint.
use super::{leaf::Triangle, *};
use crate::volume::obb::tests::with;
use impinge::{Body, Mesh, Model, Pose, brute_force, hierarchy::Motion};
use impinge_testkit::rng::Rng;

fn precompute(to_a: &Pose, to_b: &Pose, overlap: Overlap) -> HybridPrecomputed {
    let (to_resting, to_moving) = (Motion::between(to_b, to_a), Motion::between(to_a, to_b));
    Hybrid::precompute(&Placement { to_resting, to_moving }, overlap)
}

/// A triangle, its leaf's box and its leaf data.
struct Leaf {
    corners: Triangle,
    volume: ObbHull,
    kept: [Corners; 1],
}

fn leaf(corners: Triangle) -> Leaf {
    let volume = with(&[corners], |c| ObbHull::fit(c, Fit::Auto));
    Leaf { corners, volume, kept: Hybrid::leaf(&DecodedHybrid::Oriented(volume), &corners) }
}

/// Results of the boxes' test and of the leaf test.
fn apart(a: &Leaf, pose_a: &Pose, b: &Leaf, pose_b: &Pose) -> [bool; 2] {
    let precomputed = precompute(pose_a, pose_b, Overlap::Auto);
    let (x, y) = (a.volume.prepare_resting(&precomputed.boxes), b.volume.prepare_moving(&precomputed.boxes));
    [
        Hybrid::separation(&precomputed, &x, &y).is_some(),
        Hybrid::leaves_apart(&precomputed, (&x, &[a.kept]), (&y, &[b.kept])),
    ]
}

fn meet(a: &Leaf, pose_a: &Pose, b: &Leaf, pose_b: &Pose) -> bool {
    let [a, b] = [a, b].map(|leaf| {
        let mesh = Mesh::new(leaf.corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        Model::new(mesh)
    });
    brute_force::intersects(&Body::new(&a, *pose_a), &Body::new(&b, *pose_b))
}

fn mixed(p: &Vector, q: &Vector, s: f64) -> Vector {
    std::array::from_fn(|k| p[k] + s * (q[k] - p[k]))
}

/// Rotated, stretched, sheared, nearly singular poses, and a pair far from the origin.
fn poses(rng: &mut Rng, case: u32) -> [Pose; 2] {
    let rows = match case % 4 {
        0 | 1 => rng.rotation(),
        2 => [[3.0, 1.0, 0.0], [0.0, 0.25, 0.5], [0.5, 0.0, -1.0]],
        _ => [[1.0, 1.0, 0.0], [1.0, 1.0 + 1e-4, 0.0], [0.0, 0.0, 1e-2]],
    };
    let far = if case & 4 == 0 { rng.point(0.2) } else { rng.point(1e6) };
    let near = std::array::from_fn(|k| far[k] + if case & 8 == 0 { 0.0 } else { rng.between(-1e-3, 1e-3) });
    [Pose::affine(rng.rotation(), far).unwrap(), Pose::affine(rows, near).unwrap()]
}

/// The coordinates, in b's frame, of a point of a: rounded, so that about half of the intended contacts are
/// real.
fn carried(v: &Vector, pose_a: &Pose, pose_b: &Pose) -> Vector {
    Motion::between(pose_a, pose_b).apply(*v)
}

/// Exact pairs that touch or nearly touch: a corner on a face, edges across each other, in one plane,
/// needles, segments, points.
#[test]
fn no_contact_is_lost() {
    let mut rng = Rng::new(16);
    let (mut met, mut close, mut decided) = (0, 0, 0);
    for case in 0..60_000_u32 {
        let [pose_a, pose_b] = poses(&mut rng, case / 7);
        let at = rng.point(0.5);
        let size = *rng.pick(&[0.4, 1e-2, 1e-5, 1e-9]);
        let any = |rng: &mut Rng| -> Vector { std::array::from_fn(|k| at[k] + rng.between(-size, size)) };
        let mut p = [any(&mut rng), any(&mut rng), any(&mut rng)];
        match case % 6 {
            4 => p[2] = mixed(&p[0], &p[1], 1.0 + 1e-9),
            5 => p[2] = p[rng.below(2) as usize],
            _ => {}
        }
        let on = |rng: &mut Rng| {
            let (s, t) = (rng.unit(), rng.unit());
            mixed(&p[0], &mixed(&p[1], &p[2], t), s)
        };
        // A point on p, inside or on the boundary.
        let touch = match case % 3 {
            0 => mixed(&p[0], &p[1], rng.unit()),
            _ => on(&mut rng),
        };
        let q = match case % 7 {
            0 => [touch, any(&mut rng), any(&mut rng)],
            1 => {
                let end = any(&mut rng);
                [end, mixed(&end, &touch, 2.0), any(&mut rng)]
            }
            2 => [on(&mut rng), on(&mut rng), touch],
            3 => [touch, mixed(&p[1], &touch, 1.5), mixed(&p[2], &touch, 1.75)],
            4 => [touch; 3],
            5 => {
                let end = any(&mut rng);
                [end, mixed(&end, &touch, 3.0), mixed(&end, &touch, 3.0 + 1e-7)]
            }
            _ => p,
        };
        // Also away from p, by less and less.
        let lift = size * *rng.pick(&[0.0, 0.0, 1e-12, -1e-9, 1e-7, -1e-6, 1e-3]);
        let q = q.map(|v| [v[0], v[1] + lift, v[2] - lift]);
        let (a, b) = (leaf(p), leaf(q.map(|v| carried(&v, &pose_a, &pose_b))));
        if b.corners.as_flattened().iter().any(|x| x.abs() > 4.0) {
            continue; // This is not a normalized frame.
        }
        for (a, pose_a, b, pose_b) in [(&a, &pose_a, &b, &pose_b), (&b, &pose_b, &a, &pose_a)] {
            let [boxes, leaves] = apart(a, pose_a, b, pose_b);
            if meet(a, pose_a, b, pose_b) {
                met += 1;
                assert!(!boxes && !leaves, "{case}: {:?} {pose_a:?} {:?} {pose_b:?}", a.corners, b.corners);
            } else {
                close += 1;
                decided += u32::from(leaves);
            }
        }
    }
    assert!(met > 10_000 && close > 10_000 && decided > 1000, "{met} {close} {decided}");
}

/// The test separates two disjoint triangles in general position, whatever their windings and their lone
/// corners: by the two pairs of edges that it tries, not by chance.
#[test]
fn all_but_the_closest_are_apart() {
    let mut rng = Rng::new(17);
    let (mut asked, mut left) = (0, 0);
    for case in 0..40_000 {
        let mut triangle = || [rng.point(0.5), rng.point(0.5), rng.point(0.5)];
        let (a, b) = (leaf(triangle()), leaf(triangle()));
        let rows =
            if case % 2 == 0 { rng.rotation() } else { [[0.9, 0.5, 0.0], [0.0, 1.1, 0.3], [0.2, 0.0, -0.8]] };
        let pose = Pose::affine(rows, rng.point(0.2)).unwrap();
        let [boxes, leaves] = apart(&a, &Pose::IDENTITY, &b, &pose);
        if !boxes && !meet(&a, &Pose::IDENTITY, &b, &pose) {
            asked += 1;
            left += u32::from(!leaves);
        }
    }
    assert!(asked > 4000 && left == 0, "{left} of {asked}");
}

/// Leaf data of a cube proves nothing, so a tree of one triangle must have a leaf below its cube.
#[test]
fn what_is_kept_in_a_cube_proves_nothing() {
    let p = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let far = leaf(p.map(|v| [v[0], v[1], 0.5]));
    let near = leaf(p);
    assert_eq!(apart(&near, &Pose::IDENTITY, &far, &Pose::IDENTITY), [true, true]);
    let cube = with(&[p], |c| Hybrid::enclose(c, Fit::Auto));
    let kept = Hybrid::leaf(&cube, &p);
    let precomputed = precompute(&Pose::IDENTITY, &Pose::IDENTITY, Overlap::Auto);
    let (x, y) =
        (near.volume.prepare_resting(&precomputed.boxes), far.volume.prepare_moving(&precomputed.boxes));
    assert!(!Hybrid::leaves_apart(&precomputed, (&x, &[kept]), (&y, &[far.kept])));
    assert!(!Hybrid::leaves_apart(&precomputed, (&x, &[near.kept]), (&y, &[kept])));
    // Algorithm I stores nothing, and leaves of several triangles are not tested.
    assert_eq!(size_of::<<HybridPlain as NodeLayout>::Leaf>(), 0);
    assert!(!HybridPlain::leaves_apart(&precomputed, (&x, &[[]]), (&y, &[[]])));
    assert!(!Hybrid::leaves_apart(&precomputed, (&x, &[near.kept; 2]), (&y, &[far.kept])));
}

#[test]
fn numbers_out_of_range_prove_nothing() {
    let p = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.0, 0.5, 0.0]];
    let around = [[0.0, 0.0, -0.5], [0.1, 0.1, 0.5], [-0.1, -0.1, 0.5]];
    for s in [1e-300, 1e-100, 1e-20, 1e20, 1e29, 1e100, 1e300] {
        let pose = Pose::affine(diagonal(s), [0.0; 3]).unwrap();
        let (a, b) = (leaf(p), leaf(around));
        assert!(meet(&a, &Pose::IDENTITY, &b, &pose));
        assert_eq!(apart(&a, &Pose::IDENTITY, &b, &pose), [false, false], "{s:e}");
        assert_eq!(apart(&b, &pose, &a, &Pose::IDENTITY), [false, false], "{s:e}");
    }
}

/// The centre of a cube is the mean over corners: a fan's hub counts once for each of its triangles. Under
/// every map a cube's image contains those of its points.
#[test]
fn a_cube_may_turn() {
    let mut rng = Rng::new(18);
    for case in 0..300 {
        let hub = rng.point(0.5);
        let corners: Vec<Triangle> =
            (0..1 + case % 9).map(|_| [hub, rng.point(0.5), rng.point(0.5)]).collect();
        let DecodedHybrid::Cube(cube) = with(&corners, |c| Hybrid::enclose(c, Fit::Auto)) else {
            panic!("the root is a cube")
        };
        let points = corners.as_flattened();
        let (mut far, centre) = (0.0_f64, cube.centre.map(f64::from));
        for (k, c) in centre.iter().enumerate() {
            let mean = points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64;
            assert!((c - mean).abs() < 1e-7);
        }
        for p in points {
            assert!(cube.holds(p, p));
            let d = obb::sub(p, &centre);
            far = far.max(obb::dot(&d, &d).sqrt());
        }
        assert!(f64::from(cube.radius) < far + 1e-6);
        let out = centre.map(|c| c + 0.6 * f64::from(cube.radius));
        assert!(!cube.holds(&out, &out), "in the cube, but not in the ball");
        let [_, pose] = poses(&mut rng, case);
        let precomputed = precompute(&Pose::IDENTITY, &pose, Overlap::Auto);
        let transformed = cube.prepare_moving(&precomputed.boxes);
        for p in points {
            let image = precomputed.boxes.motion.apply(*p);
            let r = transformed.lengths[0];
            assert!(
                (0..3).all(|k| (image[k] - transformed.centre[k]).abs() <= r + precomputed.boxes.slack),
                "{case}"
            );
        }
    }
}

/// Two cubes that touch or are apart on each axis, and a box whose corner enters a cube.
#[test]
fn cubes_and_boxes_that_touch() {
    let cube = DecodedHybrid::Cube(Cube { centre: [0.0; 3], radius: 0.5 });
    for (t, want) in [
        ([1.0, 1.0, 1.0], None),
        ([1.0 + 1e-4, 0.0, 0.0], Some(0)),
        ([0.0, -1.0 - 1e-4, 1.0], Some(1)),
        ([1.0, 1.0, -1.0 - 1e-4], Some(2)),
    ] {
        let precomputed = precompute(&Pose::IDENTITY, &Pose::from_translation(t).unwrap(), Overlap::Auto);
        let (x, y) =
            (Hybrid::prepare_resting(&precomputed, &cube), Hybrid::prepare_moving(&precomputed, &cube));
        assert_eq!(Hybrid::separation(&precomputed, &x, &y), want, "{t:?}");
    }
    let speck = leaf([[0.499, 0.499, 0.499], [0.6, 0.6, 0.6], [0.6, 0.55, 0.6]]).volume;
    let precomputed = precompute(&Pose::IDENTITY, &Pose::IDENTITY, Overlap::Auto);
    let (x, y) = (Hybrid::prepare_resting(&precomputed, &cube), Hybrid::prepare_moving(&precomputed, &cube));
    assert!(
        speck.test_moving(&precomputed.boxes, &x).is_ok()
            && speck.test_resting(&precomputed.boxes, &y).is_ok()
    );
    let beside = leaf([[0.51, 0.499, 0.499], [0.6, 0.6, 0.6], [0.6, 0.55, 0.6]]).volume;
    assert!(
        beside.test_moving(&precomputed.boxes, &x).is_err()
            && beside.test_resting(&precomputed.boxes, &y).is_err()
    );
}
