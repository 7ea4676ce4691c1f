//! Tests: oriented boxes contain their triangles, and the overlap test separates only disjoint boxes.
use super::*;
use crate::{primitives::Item, primitives::NormalizedMesh, volume::sphere::Sphere};
use impinge::{Pose, hierarchy::Bounds};
use impinge_testkit::rng::Rng;

/// Result of `f` for a cluster of these triangles, in a normalized frame of its own.
pub(in crate::volume) fn with<T>(corners: &[[Vector; 3]], f: impl Fn(&Primitives<'_>) -> T) -> T {
    let points: Vec<Vector> = corners.iter().flatten().copied().collect();
    let triangles: Vec<_> = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let bounds = points.iter().fold(Bounds::EMPTY, |b, p| b.and(&Bounds::outward(p, p)));
    let items: Vec<_> = (0..corners.len() as u32).map(|triangle| Item { bounds, triangle }).collect();
    f(&Primitives { mesh: NormalizedMesh { points: &points, triangles: &triangles }, items: &items, bounds })
}

fn precompute(pose: &Pose, overlap: Overlap) -> ObbPrecomputed {
    let to_resting = Motion::between(pose, &Pose::IDENTITY);
    Obb::precompute(&Placement { to_resting, to_moving: to_resting }, overlap)
}

/// A box given by its centre, half-widths and a rotation about z.
fn turned(centre: [f32; 3], half: [f32; 3], degrees: f32) -> Obb {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Obb { centre, axes: [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]], half }
}

fn axis(a: &Obb, b: &Obb, pose: &Pose, overlap: Overlap) -> Option<u8> {
    let precomputed = precompute(pose, overlap);
    separating_axis(&precomputed, &a.prepare_resting(&precomputed), &b.prepare_moving(&precomputed))
}

#[test]
fn the_fit_holds_all_points_and_is_tight() {
    let mut rng = Rng::new(1);
    for i in 0..200 {
        // Flat, long or round, anywhere in the normalized frame, down to specks.
        let (rows, at, size) = (rng.rotation(), rng.point(0.5), 0.25_f64.powi(i % 12));
        let flat = [0.2, 0.2 * f64::from(i % 3), 0.2 * f64::from(i % 2)];
        let mut corner = || -> Vector {
            let p: Vector = std::array::from_fn(|k| rng.between(-flat[k], flat[k]));
            std::array::from_fn(|k| at[k] + size * dot(&rows[k], &p))
        };
        let corners: Vec<[Vector; 3]> = (0..1 + i % 20).map(|_| std::array::from_fn(|_| corner())).collect();
        let check = |centre: [f32; 3], half: [f32; 3], holds: &dyn Fn(&Vector) -> bool| {
            assert!(corners.as_flattened().iter().all(holds), "{i}");
            for k in 0..3 {
                // No wider than the set itself, except for the rounding of the centre and of the axes to f32.
                let (c, h) = (f64::from(centre[k]), f64::from(half[k]));
                assert!(c.abs() < 1.0 && h < 0.5 * size + 1e-6, "{i}: {h}");
            }
        };
        let obb = with(&corners, |c| Obb::fit(c, Fit::Auto));
        check(obb.centre, obb.half, &|p| Obb::holds(&obb, p, p));
        let hull = with(&corners, |c| ObbHull::fit(c, Fit::Auto));
        check(hull.centre, hull.half, &|p| ObbHull::holds(&hull, p, p));
        if i % 6 < 2 && i % 3 == 0 {
            // Flat: the thinnest side is rounding alone.
            let thin = obb.half.iter().copied().fold(f32::INFINITY, f32::min);
            assert!(f64::from(thin) < 1e-7 * (1.0 + size), "{i}: {obb:?}");
        }
    }
}

#[test]
fn holds_is_false_outside() {
    let b = turned([0.5, 0.0, 0.0], [0.25, 0.125, 0.0625], 30.0);
    assert!(Obb::holds(&b, &[0.5, 0.0, 0.0], &[0.5, 0.0, 0.0]));
    assert!(Obb::holds(&b, &[0.7, 0.12, 0.0], &[0.7, 0.12, 0.0]));
    assert!(!Obb::holds(&b, &[0.7, -0.12, 0.0], &[0.7, -0.12, 0.0]));
    assert!(!Obb::holds(&b, &[0.5, 0.0, 0.0], &[0.5, 0.0, 0.07]));
    assert!(!Obb::holds(&b, &[0.5, 0.0, f64::NAN], &[0.5, 0.0, f64::NAN]));
}

/// A flat cuboid with a large diagonal surface inside, which turns the box of the triangles, but not that of
/// the hull.
#[test]
fn what_lies_inside_does_not_turn_the_box_of_the_hull() {
    let (p, q, r, s) = ([-0.9, -0.3, -0.1], [0.9, -0.3, -0.1], [0.9, 0.3, 0.1], [-0.9, 0.3, 0.1]);
    let mut corners = Vec::new();
    for z in [-0.05, 0.05] {
        let at = |v: Vector| [v[0], v[1], z];
        corners.extend([[at(p), at(q), at(r)], [at(p), at(r), at(s)]]);
    }
    corners.extend([[[-0.2, -0.2, -0.04], [0.2, 0.2, -0.04], [0.0, 0.0, 0.04]]; 60]);
    let volume = |half: [f32; 3]| half[0] * half[1] * half[2];
    let obb = with(&corners, |c| Obb::fit(c, Fit::Auto));
    let hull = with(&corners, |c| ObbHull::fit(c, Fit::Auto));
    let best = 0.9 * 0.3 * 0.05;
    assert!(volume(hull.half) < best * 1.01, "{hull:?}");
    assert!(volume(obb.half) > best * 1.05, "{obb:?}");
}

#[test]
fn boxes_that_touch_and_boxes_that_do_not() {
    let unit = turned([0.0; 3], [0.5, 0.25, 0.125], 0.0);
    let at = |x: f64, y: f64, z: f64| Pose::from_translation([x, y, z]).unwrap();
    for overlap in [Overlap::Sat, Overlap::SatLite] {
        let apart = |pose: &Pose| axis(&unit, &unit, pose, overlap);
        assert_eq!(apart(&at(1.0, 0.5, 0.25)), None);
        assert_eq!(apart(&at(1.0 + 1e-11, 0.5, 0.25)), Some(0));
        assert_eq!(apart(&at(1.0, -0.5 - 1e-11, 0.25)), Some(1));
        assert_eq!(apart(&at(1.0, 0.5, 0.25 + 1e-11)), Some(2));
    }
}

/// A thin plate turned by 45 degrees in front of an edge: its own normal separates, but neither box's
/// axis-aligned hull nor their balls do.
#[test]
fn a_slab_that_only_an_oriented_box_has() {
    let plate = [[-0.5, 0.5, -0.5], [0.5, -0.5, -0.5], [0.5, -0.5, 0.5]];
    let wedge = [[0.05, 0.05, 0.0], [0.5, 0.5, 0.3], [0.5, 0.5, -0.3]];
    let fit = |t| with(&[t], |c| Obb::fit(c, Fit::Auto));
    let (a, b) = (fit(plate), fit(wedge));
    assert!(axis(&a, &b, &Pose::IDENTITY, Overlap::SatLite).is_some());
    assert!(axis(&b, &a, &Pose::IDENTITY, Overlap::SatLite).is_some());
    let to_resting = Motion::between(&Pose::IDENTITY, &Pose::IDENTITY);
    let placement = Placement { to_resting, to_moving: to_resting };
    let precomputed = Sphere::precompute(&placement, Overlap::Auto);
    let ball = |t| with(&[t], |c| Sphere::fit(c, Fit::Auto));
    let (p, q) = (ball(plate).prepare_resting(&precomputed), ball(wedge).prepare_moving(&precomputed));
    assert!(Sphere::separation(&precomputed, &p, &q).is_none());
    let bounds = |t: [Vector; 3]| t.iter().fold(Bounds::EMPTY, |b, p| b.and(&Bounds::outward(p, p)));
    let (p, q) = (bounds(plate), bounds(wedge));
    assert!((0..3).all(|k| p.lo[k] <= q.hi[k] && q.lo[k] <= p.hi[k]));
}

/// Compares with all 15 axes written out with edges, for boxes under any linear map. The results agree unless
/// the boxes nearly touch, and every axis is the first to separate some.
#[test]
fn fifteen_axes_are_fifteen_axes() {
    let mut rng = Rng::new(7);
    let mut exits = [0; 15];
    let mut lite = 0;
    for case in 0..60_000 {
        let mut turn = || {
            let rows = rng.rotation();
            let half = [rng.between(0.0, 0.5), rng.between(0.0, 0.5), rng.between(0.0, 0.5)];
            (rows, half, rng.point(0.1))
        };
        let make = |(rows, half, centre): ([Vector; 3], Vector, Vector)| Obb {
            centre: centre.map(|x| x as f32),
            axes: rows.map(|row| row.map(|x| x as f32)),
            half: half.map(|x| x as f32),
        };
        let (a, b) = (make(turn()), make(turn()));
        let rows = match case % 3 {
            0 => rng.rotation(),
            1 => [[3.0, 1.0, 0.0], [0.0, 0.25, 0.5], [0.5, 0.0, -1.0]],
            _ => [[1.0, 1.0, 0.0], [1.0, 1.0 + 1e-6, 0.0], [0.0, 0.0, 1e-3]],
        };
        let pose = Pose::affine(rows, rng.point(0.9)).unwrap();
        let place = |v: &Vector| rows.map(|row| dot(&row, v));
        let edges = |b: &Obb| -> [Vector; 3] {
            std::array::from_fn(|i| b.axes[i].map(|x| f64::from(x) * f64::from(b.half[i])))
        };
        let (u, v) = (edges(&a), edges(&b).map(|e| place(&e)));
        let centre = place(&b.centre.map(f64::from));
        let d: Vector = std::array::from_fn(|k| centre[k] + pose.translation()[k] - f64::from(a.centre[k]));
        // The gap along an axis, relative to its length and to the boxes.
        let gap = |axis: Vector| {
            let reach: f64 = u.iter().chain(&v).map(|e| dot(&axis, e).abs()).sum();
            (dot(&axis, &d).abs() - reach) / dot(&axis, &axis).sqrt()
        };
        let faces = |e: &[Vector; 3]| [cross(&e[1], &e[2]), cross(&e[2], &e[0]), cross(&e[0], &e[1])];
        let six = faces(&u).into_iter().chain(faces(&v)).map(gap).fold(f64::NEG_INFINITY, f64::max);
        let nine = u.iter().flat_map(|e| v.iter().map(move |f| cross(e, f)));
        let all = nine.map(gap).fold(six, f64::max);
        // Axes shorter than their factors are less accurate.
        let blunt = if case % 3 == 2 { 1e-8 } else { 1e-11 };
        for (overlap, want) in [(Overlap::SatLite, six), (Overlap::Sat, all)] {
            let got = axis(&a, &b, &pose, overlap);
            if want.abs() > blunt {
                assert_eq!(got.is_some(), want > 0.0, "{case}, {overlap:?}, {want:e}: {a:?} {b:?} {pose:?}");
            }
            match got {
                Some(i) if overlap == Overlap::Sat => exits[usize::from(i)] += 1,
                Some(_) => lite += 1,
                None => {}
            }
        }
    }
    assert!(exits.iter().all(|&n| n > 20), "{exits:?}");
    assert!(lite < exits.iter().sum::<i32>(), "edges separate more");
}

/// Numbers that overflow prove nothing.
#[test]
fn numbers_out_of_range_prove_nothing() {
    let b = turned([0.5, 0.0, 0.0], [0.25, 0.125, 0.0625], 30.0);
    for s in [1e-300, 1e-100, 1e100, 1e300, f64::MAX] {
        let rows = [[s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]];
        let pose = Pose::affine(rows, [0.0; 3]).unwrap();
        // A large image contains the surroundings of the origin, a small one is near it: both meet this one.
        let a = turned([0.0; 3], [1.0; 3], 10.0);
        let around = turned([0.0; 3], [0.5; 3], 77.0);
        for overlap in [Overlap::Sat, Overlap::SatLite] {
            assert_eq!(axis(&a, &around, &pose, overlap), None, "{s:e}");
            if s < 1.0 {
                assert_eq!(axis(&a, &b, &pose, overlap), None, "{s:e}");
            }
        }
    }
}
