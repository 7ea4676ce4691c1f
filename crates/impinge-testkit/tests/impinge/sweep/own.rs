//! Paths of one's own: screws that speed up or slow down, crank drives, and promises without a number.
use super::{
    Case, Side, Track, free_until, scenes,
    soups::{check_contact, nothing_meets_before},
};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    path::{Path, PathFunction, PathMoment},
    pose::ApproximatePose,
    sweep::{Moving, Sweep, SweepOptions},
};
use impinge_testkit::{cases::is_full, rng::Rng};
use std::sync::Arc;

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}
fn times(x: f64, a: [f64; 3]) -> [f64; 3] {
    a.map(|y| x * y)
}
fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}
fn size(a: [f64; 3]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A screw at the time t + `ease` t (1 - t).
#[derive(Debug)]
struct EasedScrew {
    screw: Path,
    point: [f64; 3],
    axis: [f64; 3],
    angle: f64,
    advance: f64,
    ease: f64,
    /// The distance of the body's first origin from the point.
    arm: f64,
}

impl EasedScrew {
    fn new(rng: &mut Rng) -> Self {
        let start = Pose::rigid(rng.rotation(), times(rng.between(0.0, 5.0), rng.direction())).unwrap();
        let (point, axis) = (times(rng.between(0.0, 3.0), rng.direction()), rng.direction());
        let axis = times(1.0 / size(axis), axis);
        let angle = *rng.pick(&[0.0, 0.3, 2.0, 9.0]);
        let along: f64 = (0..3).map(|k| axis[k] * start.translation()[k]).sum();
        let advance = if rng.one_in(3) { 0.0 } else { -2.0 * along };
        let screw = Path::screw(start, point, axis, angle, advance).unwrap();
        let arm = size(sum(*start.translation(), times(-1.0, point)));
        Self { screw, point, axis, angle, advance, ease: rng.between(-1.0, 1.0), arm }
    }
    fn rate(&self, t: f64) -> f64 {
        1.0 + self.ease * (1.0 - 2.0 * t)
    }
}

impl PathFunction for EasedScrew {
    fn at(&self, t: f64) -> ApproximatePose {
        let own = (t + self.ease * t * (1.0 - t)).clamp(0.0, 1.0);
        // The time is rounded by some 2^-51, and the screw has its own error.
        let error = 1e-14 * (1.0 + self.angle);
        let shift = self.screw.error(0.0) + 1e-14 * (self.advance.abs() + self.angle * self.arm);
        ApproximatePose::within(self.screw.at(own), 20.0 * error, shift)
    }
    fn moment(&self, t: f64, half: f64, reach: [f64; 3]) -> PathMoment {
        let pose = self.at(t);
        let arm = sum(*pose.pose().translation(), times(-1.0, self.point));
        let way = sum(times(self.advance, self.axis), times(self.angle, cross(self.axis, arm)));
        let rate = self.rate(t);
        let most_rate = self.rate((t - half).max(0.0)).max(self.rate((t + half).min(1.0)));
        let far = self.arm + size(reach) + 1e-9;
        let speed = self.advance.abs() + self.angle * far;
        PathMoment {
            pose,
            spin: times(rate * self.angle, self.axis),
            velocity: times(rate, way),
            spin_error: 1e-14 * self.angle,
            velocity_error: 1e-13 * (1.0 + self.angle) * (1.0 + speed),
            most_spin: most_rate * self.angle * (1.0 + 1e-12),
            most_spin_change: 2.0 * self.ease.abs() * self.angle * (1.0 + 1e-12),
            most_speed: most_rate * speed * (1.0 + 1e-12),
            most_acceleration: (2.0 * self.ease.abs() * speed + (most_rate * self.angle).powi(2) * far)
                * (1.0 + 1e-12),
        }
    }
    fn error(&self, reach: f64) -> f64 {
        let pose = self.at(0.5);
        pose.turn_error() * reach + pose.shift_error()
    }
}

/// One or both bodies of random scenes move by functions.
#[test]
fn nothing_meets_before_a_sweep_of_functions_ends() {
    let (cases, samples) = if is_full() { (10_000, 150) } else { (400, 40) };
    let mut query = Query::new();
    let mut kinds = [0; 3];
    for index in 0..cases {
        let mut rng = Rng::for_case(77, index);
        let mut case = scenes::case(&mut rng);
        let own = |rng: &mut Rng| Track::Along(Path::of_function(Arc::new(EasedScrew::new(rng))));
        case.b.track = own(&mut rng);
        if rng.one_in(2) {
            case.a.track = own(&mut rng);
        }
        let sweep = case.sweep(&mut query);
        kinds[match sweep {
            Sweep::Clear => 0,
            Sweep::Contact { .. } => 1,
            Sweep::Near { .. } => 2,
        }] += 1;
        nothing_meets_before(&case, &sweep, &mut rng, samples, &mut query);
        check_contact(&case, &sweep);
    }
    let [clear, contact, near] = kinds;
    assert!(clear * 8 > cases && contact * 4 > cases && near * 20 < cases, "{kinds:?}");
}

/// A slider on a crank of radius 1: x = cos(2 pi t) + sqrt(9 - sin^2), which no screw is.
#[derive(Debug)]
struct Slider;

impl PathFunction for Slider {
    fn at(&self, t: f64) -> ApproximatePose {
        let (sin, cos) = (std::f64::consts::TAU * t).sin_cos();
        let pose = Pose::from_translation([cos + (9.0 - sin * sin).sqrt(), 0.0, 0.0]).unwrap();
        ApproximatePose::within(pose, 0.0, 1e-13)
    }
    fn moment(&self, t: f64, _half: f64, _reach: [f64; 3]) -> PathMoment {
        let turn = std::f64::consts::TAU;
        let (sin, cos) = (turn * t).sin_cos();
        let velocity = -turn * (sin + sin * cos / (9.0 - sin * sin).sqrt());
        PathMoment {
            velocity: [velocity, 0.0, 0.0],
            velocity_error: 1e-12,
            // sin + sin cos / sqrt 8 is at most 1.36, and its derivative at most 1 + 1/sqrt 8 + 1/(8 sqrt 8).
            most_speed: 1.36 * turn,
            most_acceleration: 1.4 * turn * turn,
            ..PathMoment::still(self.at(t))
        }
    }
    fn error(&self, _reach: f64) -> f64 {
        1e-13
    }
}

/// The slider is farthest back at t = 0.5, at x = 2, and a wall is there, or not quite.
#[test]
fn a_crank_drive() {
    let cube = Model::new(Mesh::cuboid([1.0; 3]).unwrap());
    let path = Path::of_function(Arc::new(Slider));
    let sweep = |wall: f64| {
        let wall = Pose::from_translation([wall, 0.0, 0.0]).unwrap();
        Query::new().sweep(Body::new(&cube, wall), Moving::new(&cube, &path), &SweepOptions::new())
    };
    assert_eq!(sweep(1.0 - 1e-6), Sweep::Clear);
    // The wall ends at x = 2, and the cube begins there: cos + sqrt(9 - sin^2) = 2.5 at cos = -0.35.
    let exact = (-0.35_f64).acos() / std::f64::consts::TAU;
    let Sweep::Contact { free_until, meets_at, .. } = sweep(1.5) else { panic!("{:?}", sweep(1.5)) };
    assert!(free_until <= exact && exact <= meets_at + 1e-12 && meets_at - free_until < 1e-8);
}

/// A body whose function breaks its word, or gives none.
#[derive(Debug)]
struct Vague(f64);

impl PathFunction for Vague {
    fn at(&self, t: f64) -> ApproximatePose {
        ApproximatePose::exact(Pose::from_translation([3.0 + t, 0.0, 0.0]).unwrap())
    }
    fn moment(&self, t: f64, _half: f64, _reach: [f64; 3]) -> PathMoment {
        PathMoment {
            velocity: [1.0, 0.0, 0.0],
            most_speed: self.0,
            most_acceleration: self.0,
            most_spin: self.0,
            ..PathMoment::still(self.at(t))
        }
    }
    fn error(&self, _reach: f64) -> f64 {
        0.0
    }
}

/// A bound that is no number proves nothing, in finite time.
#[test]
fn bounds_that_are_not_numbers_prove_nothing() {
    let cube = Model::new(Mesh::cuboid([1.0; 3]).unwrap());
    for bound in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        for swap in [false, true] {
            let own = Side::along(cube.clone(), Path::of_function(Arc::new(Vague(bound))));
            let still = Side::still(cube.clone(), Pose::IDENTITY);
            let case = if swap { Case::new(own, still) } else { Case::new(still, own) };
            let sweep = case.sweep(&mut Query::new());
            assert!(matches!(sweep, Sweep::Near { .. }) && free_until(&sweep) <= 1e-9, "{bound}: {sweep:?}");
        }
    }
    // The motion itself is clear.
    let path = Path::of_function(Arc::new(Vague(1.0)));
    let sweep =
        Query::new().sweep(Body::new(&cube, Pose::IDENTITY), Moving::new(&cube, &path), &SweepOptions::new());
    assert_eq!(sweep, Sweep::Clear);
}
