//! Tests of fits, encodings, and each stage of the overlap test.
use super::*;
use crate::{primitives::Item, primitives::NormalizedMesh};
use impinge::{
    Pose,
    hierarchy::{Bounds, NormalizedFrame},
};
use impinge_testkit::rng::Rng;

const UNIT: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Triangles scattered around a plane, at most `height` off it.
fn patch(seed: u64, height: f64) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let mut rng = Rng::new(seed);
    let [s, t, _] = rng.point(1.0);
    let points: Vec<Vector> = (0..60)
        .map(|_| {
            let [x, y, z] = rng.point(1.0);
            [x, y, s * x + t * y + height * z]
        })
        .collect();
    (points, (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}
fn fitted<S: Stored>(points: &[Vector], triangles: &[[u32; 3]]) -> DecodedScb {
    let bounds = points.iter().fold(Bounds::EMPTY, |b, p| b.and(&Bounds::outward(p, p)));
    let items: Vec<_> = (0..triangles.len() as u32).map(|triangle| Item { bounds, triangle }).collect();
    let primitives = Primitives { mesh: NormalizedMesh { points, triangles }, items: &items, bounds };
    SlabCutBall::<S>::fit(&primitives, Fit::Auto).0.cut()
}

fn fit_holds_all_and_is_tight<S: Stored>(loss: f64) {
    for seed in 0..50 {
        for height in [0.0, 1e-6, 0.1, 1.0] {
            let (points, triangles) = patch(seed, height);
            let cut = fitted::<S>(&points, &triangles);
            assert!(points.iter().all(|p| cut.holds(p, p)), "{seed} {height}: {cut:?}");
            assert!(dot(&cut.normal, &cut.normal) <= 1.0);
            // Extremal points determine the plane well, but not best.
            assert!(cut.high - cut.low <= 6.0 * height + loss * cut.radius, "{seed} {height}: {cut:?}");
        }
    }
}

#[test]
fn fits_hold_all_points_in_36_bytes() {
    fit_holds_all_and_is_tight::<Wide>(1e-6);
}
#[test]
fn fits_hold_all_points_in_26_bytes() {
    fit_holds_all_and_is_tight::<Packed>(2e-4);
}

/// The stored volume contains the measured one, by exact comparison, and is at most two steps wider.
#[test]
fn planes_are_rounded_outwards() {
    let mut rng = Rng::new(1);
    for _ in 0..10_000 {
        let radius = rng.between(1e-3, 2.0) as f32;
        let normal = Packed::normal(rng.direction());
        let [x, y, _] = rng.point(0.9998);
        let [low, high] = [x.min(y), x.max(y)].map(|x| x * f64::from(radius));
        let ball = ([0.5, -0.25, 0.125], radius);
        let slab = Slab { normal, low, high };
        let step = f64::from(radius) / 32768.0;
        for (cut, loss) in [
            (<Wide as Stored>::new(ball, &slab).cut(), f64::from(f32::EPSILON)),
            (<Packed as Stored>::new(ball, &slab).cut(), 2.0 * step),
        ] {
            assert!(cut.low <= low && high <= cut.high, "{cut:?}");
            assert!(cut.low >= low - loss && cut.high <= high + loss, "{cut:?}");
            assert_eq!((cut.centre, cut.radius), ([0.5, -0.25, 0.125], f64::from(radius)));
            assert_eq!(cut.normal, normal);
        }
    }
}

fn precompute(pose: &Pose) -> ScbPrecomputed {
    let normalized = NormalizedFrame { origin: [0.0; 3], scale: 1.0 };
    let to_resting = Motion::between(pose, &Pose::IDENTITY).in_normalized_frames(&normalized, &normalized);
    let to_moving = Motion::between(&Pose::IDENTITY, pose).in_normalized_frames(&normalized, &normalized);
    Scb::precompute(&Placement { to_resting, to_moving }, Overlap::Auto)
}
fn apart(a: DecodedScb, b: DecodedScb, pose: &Pose) -> bool {
    let precomputed = precompute(pose);
    let (x, y) = (
        TransformedScb::new(a, &precomputed.to_moving, &precomputed.to_resting),
        TransformedScb::new(b, &precomputed.to_resting, &precomputed.to_moving),
    );
    let apart = Scb::separation(&precomputed, &x, &y).is_some();
    // With the other side's child transformed last. The set of aligned slabs may differ unless the map is
    // rigid.
    let opened = TransformedScb::against(a, &y, &precomputed.to_moving, &precomputed.to_resting).is_err();
    assert!(apart == opened || !pose.is_rigid(), "{a:?} {b:?} {pose:?}");
    apart || opened
}
fn disc(normal: Vector, low: f64, high: f64) -> DecodedScb {
    DecodedScb { centre: [0.0; 3], radius: 1.0, normal, low, high }
}
fn shift(t: Vector) -> Pose {
    Pose::from_translation(t).unwrap()
}

#[test]
fn each_stage_separates_what_it_should() {
    let flat = disc([0.0, 0.0, 1.0], -0.1, 0.1);
    let ball = disc([0.0, 0.0, 1.0], -1.0, 1.0);
    let wall = disc([1.0, 0.0, 0.0], -0.1, 0.1);
    // The balls.
    assert!(apart(flat, flat, &shift([2.001, 0.0, 0.0])) && !apart(flat, flat, &shift([1.999, 0.0, 0.0])));
    // A ball and a slab, both ways and on both sides; balls and boxes overlap.
    for side in [1.0, -1.0] {
        for (a, b) in [(flat, ball), (ball, flat), (flat, wall), (wall.turned(), flat)] {
            assert!(apart(a, b, &shift([0.0, 0.0, 1.101 * side])), "{a:?} {b:?}");
            assert!(!apart(a, b, &shift([0.0, 0.0, 1.099 * side])), "{a:?} {b:?}");
        }
    }
    // Two slabs: only a volume with its own plane separates these.
    let n = [0.48, 0.64, 0.6];
    let tilted = disc(n, -0.1, 0.1);
    for side in [0.201, -0.201] {
        assert!(apart(tilted, tilted, &shift(n.map(|x| x * side))));
        assert!(!apart(tilted, tilted, &shift(n.map(|x| x * side * 0.99))));
    }
}

impl DecodedScb {
    /// An equal set with the opposite normal.
    fn turned(self) -> Self {
        Self { normal: self.normal.map(|x| -x), low: -self.high, high: -self.low, ..self }
    }
}

/// Slabs at an angle, beside each other: disjoint at the height at which the disc's rim clears the plane,
/// whichever of the four sides face each other, and also if a slab does not contain its ball's centre.
#[test]
fn the_cylinder_step_takes_all_four_sides() {
    let (sin, cos) = (0.28, 0.96);
    let (low, high) = (-0.05, 0.1);
    for (low, high) in [(low, high), (0.3, 0.4), (-0.4, -0.3)] {
        let a = disc([0.0, 0.0, 1.0], low, high);
        let b = disc([sin, 0.0, cos], low, high);
        for (a, b) in [(a, b), (a.turned(), b), (a, b.turned()), (a.turned(), b.turned())] {
            // Above: b's low plane and rim over a's high plane, or a's high plane and rim behind b's low
            // plane.
            let above = (high - (cos * low - sin)).min(high + (sin - low) / cos);
            // Below: b's high plane and rim under a's low plane, or a's low plane and rim in front of b's
            // high plane.
            let below = (low - (cos * high + sin)).max(low - (sin + high) / cos);
            for (edge, out) in [(above, 1e-6), (below, -1e-6)] {
                assert!(apart(a, b, &shift([0.0, 0.0, edge + out])), "{a:?} {b:?} {edge}");
                assert!(!apart(a, b, &shift([0.0, 0.0, edge - out])), "{a:?} {b:?} {edge}");
            }
        }
    }
}

/// Points of one volume, mapped into the other, prove that the two meet, also under maps that are far from
/// rigid.
#[test]
fn volumes_that_share_a_point_are_never_apart() {
    let (mut shared, mut separated, mut rng) = (0, 0, Rng::new(2));
    for round in 0..6000 {
        let mut volume = || {
            let (radius, [x, y, _]) = (rng.between(0.2, 1.0), rng.point(0.3));
            let normal = rng.direction().map(|x| x * 0.9999);
            DecodedScb { centre: rng.point(0.5), radius, normal, low: x.min(y), high: x.max(y) }
        };
        let (a, b) = (volume(), volume());
        let (mut rows, t) = ([rng.point(1.0), rng.point(1.0), rng.point(1.0)], rng.point(1.0));
        if round % 3 == 0 {
            rows = std::array::from_fn(|i| std::array::from_fn(|k| UNIT[i][k] + 0.1 * rows[i][k]));
        }
        let Ok(pose) = Pose::affine(rows, t) else { continue };
        let inside = |cut: &DecodedScb, p: &Vector| {
            let z = sub(p, &cut.centre);
            let x = dot(&cut.normal, &z);
            dot(&z, &z) <= cut.radius * cut.radius && cut.low <= x && x <= cut.high
        };
        let meet = (0..200).any(|_| {
            let p: Vector = rng.point(1.0).map(|x| x * b.radius);
            let p = std::array::from_fn(|k| b.centre[k] + p[k]);
            inside(&b, &p) && inside(&a, &pose.place(p))
        });
        let apart = apart(a, b, &pose);
        assert!(!(meet && apart), "{a:?} {b:?} {pose:?}");
        shared += u32::from(meet);
        separated += u32::from(apart);
    }
    assert!(shared > 300 && separated > 300, "{shared} {separated}");
}

#[test]
fn nothing_is_proved_by_what_overflows() {
    let flat = disc([0.0, 0.0, 1.0], -0.1, 0.1);
    for s in [1e160, 1e300, 1e-160, 1e-300] {
        let rows = UNIT.map(|row| row.map(|x| x * s));
        let at = |t| Pose::affine(rows, [0.0, 0.0, t]).unwrap();
        assert!(!apart(flat, flat, &at(0.0)), "{s}");
        assert!(s > 1.0 || apart(flat, flat, &at(0.2)), "a speck beside a disc, {s}");
    }
}
