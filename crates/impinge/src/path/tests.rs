//! Poses on paths, against rotations in fixed-point numbers of 700 bits.
use super::{
    Curve, Leg, Path, PathJoint, PathMotion,
    big::{self, LongFloat, LongVector},
};
use crate::{
    Pose,
    pose::ApproximatePose,
    samples::rng::Rng,
    vector::{Vector, largest, shrinking},
};

/// Where a leg's own numbers take a point.
fn exact(leg: &Leg, s: &LongFloat, y: &Vector) -> LongVector {
    let (start, center, turn, way) = leg.numbers();
    let placed = big::sum(&big::image(start.rows(), &big::vector(y)), &big::vector(start.translation()));
    let (center, way) = (big::vector(&center), big::vector(&way));
    let arm = big::difference(&placed, &center);
    let turned = big::turned(&big::times(&big::vector(&turn), s), &arm);
    big::sum(&big::sum(&center, &big::times(&way, s)), &turned)
}

/// The way along a joint's axis at t: a translation, or a rotation vector.
fn along(joint: &PathJoint, t: &LongFloat) -> LongVector {
    // Scaled exactly, for the fixed-point numbers.
    let axis = big::vector(&joint.axis.map(|x| x * shrinking(largest(joint.axis.map(f64::abs)))));
    let length = big::dot(&axis, &axis).root();
    let q = &LongFloat::of(joint.from) + &(t * &LongFloat::of(joint.by));
    [0, 1, 2].map(|k| &axis[k].divided_by(&length) * &q)
}

fn placed(pose: &Pose, y: &LongVector) -> LongVector {
    big::sum(&big::image(pose.rows(), y), &big::vector(pose.translation()))
}

/// Where a chain takes a point.
fn exact_of_chain((joints, last): (&[PathJoint], &ApproximatePose), t: &LongFloat, y: &Vector) -> LongVector {
    joints.iter().rev().fold(placed(last.pose(), &big::vector(y)), |y, joint| {
        let moved = match joint.motion {
            PathMotion::Rotation => big::turned(&along(joint, t), &y),
            PathMotion::Translation => big::sum(&along(joint, t), &y),
        };
        placed(joint.before.pose(), &moved)
    })
}

/// The point that a chain takes to x.
fn back_of_chain(
    (joints, last): (&[PathJoint], &ApproximatePose),
    t: &LongFloat,
    x: &LongVector,
) -> LongVector {
    let back = |pose: &Pose, x: &LongVector| {
        big::solve(pose.rows(), &big::difference(x, &big::vector(pose.translation())))
    };
    let x = joints.iter().fold(x.clone(), |x, joint| {
        let x = back(joint.before.pose(), &x);
        match joint.motion {
            PathMotion::Rotation => {
                let turn = along(joint, t);
                big::turned(&[0, 1, 2].map(|k| -&turn[k]), &x)
            }
            PathMotion::Translation => big::difference(&x, &along(joint, t)),
        }
    });
    back(last.pose(), &x)
}

/// A chain of joints with exact poses.
pub(crate) fn chain(rng: &mut Rng, count: u64, far: f64, most: f64) -> Path {
    let fixed = |rng: &mut Rng| {
        let rows = if rng.one_in(2) { *Pose::IDENTITY.rows() } else { rng.rotation() };
        ApproximatePose::exact(Pose::rigid(rows, rng.point(far)).unwrap())
    };
    let joints: Vec<PathJoint> = (0..count)
        .map(|_| PathJoint {
            before: fixed(rng),
            motion: if rng.one_in(4) { PathMotion::Translation } else { PathMotion::Rotation },
            axis: if rng.one_in(2) { [0.0, 0.0, -1.0] } else { rng.direction() },
            from: rng.between(-3.0, 3.0),
            by: if rng.one_in(8) { 0.0 } else { rng.between(-most, most) },
            error: 0.0,
        })
        .collect();
    Path::joints(&joints, fixed(rng)).unwrap()
}

/// Where the leg that contains `near` takes a point at `t`.
pub(crate) fn exact_on(path: &Path, t: &LongFloat, near: f64, y: &Vector) -> LongVector {
    if let Some(Curve::Chain(chain)) = &path.curve {
        return exact_of_chain(chain.numbers(), t, y);
    }
    let k = path.index_at(near);
    exact(&path.legs[k], &parameter(path, t, k), y)
}

/// The point that is taken to x.
pub(crate) fn back_on(path: &Path, t: &LongFloat, near: f64, x: &LongVector) -> LongVector {
    if let Some(Curve::Chain(chain)) = &path.curve {
        return back_of_chain(chain.numbers(), t, x);
    }
    let k = path.index_at(near);
    let s = parameter(path, t, k);
    let (start, center, turn, way) = path.legs[k].numbers();
    let (center, way) = (big::vector(&center), big::vector(&way));
    let arm = big::difference(&big::difference(x, &center), &big::times(&way, &s));
    let placed = big::sum(&big::turned(&big::times(&big::vector(&turn), &-&s), &arm), &center);
    big::solve(start.rows(), &big::difference(&placed, &big::vector(start.translation())))
}

fn parameter(path: &Path, t: &LongFloat, k: usize) -> LongFloat {
    &(t * &LongFloat::of(path.legs.len() as f64)) - &LongFloat::of(k as f64)
}

/// The numbers of a screw.
struct Screw {
    start: Pose,
    point: Vector,
    axis: Vector,
    angle: f64,
    advance: f64,
}

impl Screw {
    fn path(&self) -> Path {
        Path::screw(self.start, self.point, self.axis, self.angle, self.advance).unwrap()
    }
    /// By the definition: the axis' direction is that of real numbers.
    fn exact(&self, t: f64, y: &Vector) -> LongVector {
        let axis = big::vector(&self.axis);
        let axis = [0, 1, 2].map(|k| axis[k].divided_by(&big::dot(&axis, &axis).root()));
        let (point, t) = (big::vector(&self.point), LongFloat::of(t));
        let start = &self.start;
        let placed = big::sum(&big::image(start.rows(), &big::vector(y)), &big::vector(start.translation()));
        let turn = big::times(&axis, &(&t * &LongFloat::of(self.angle)));
        let turned = big::turned(&turn, &big::difference(&placed, &point));
        let way = big::times(&axis, &(&t * &LongFloat::of(self.advance)));
        big::sum(&big::sum(&point, &way), &turned)
    }
}

/// A pose that is rigid, or scales, shears or mirrors.
pub(crate) fn pose(rng: &mut Rng, far: f64) -> Pose {
    let mut rows = rng.rotation();
    match rng.below(6) {
        0 => rows = rows.map(|row| row.map(|x| 3.0 * x)),
        1 => rows[2] = rows[2].map(|x| -0.25 * x),
        2 => rows[0] = [0, 1, 2].map(|k| rows[0][k] + 2.0 * rows[1][k]),
        _ => return Pose::rigid(rows, rng.point(far)).unwrap(),
    }
    Pose::affine(rows, rng.point(far)).unwrap()
}

/// The part of the bound that an image is off by.
#[track_caller]
fn check(path: &Path, t: f64, y: &Vector, exact: &LongVector) -> f64 {
    let (at, reach) = (path.at(t), y.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
    let placed = big::sum(&big::image(at.rows(), &big::vector(y)), &big::vector(at.translation()));
    let (off, bound) = (big::difference(&placed, exact), path.error(reach));
    assert!(big::is_within(&off, bound), "{t} {y:?} {bound:e}: {path:?}");
    if bound > 0.0 { big::length(&off) / bound } else { 0.0 }
}

fn sizes(rng: &mut Rng) -> f64 {
    *rng.pick(&[1.0, 1.0, 1e3, 1e-3, 1e9, 2_f64.powi(-100), 2_f64.powi(100)])
}

#[test]
fn screws_are_within_their_error() {
    let (mut rng, mut most) = (Rng::new(71), [0.0_f64; 3]);
    for round in 0..6_000 {
        let (scale, far, wide) = (sizes(&mut rng), sizes(&mut rng), sizes(&mut rng));
        let kind = round % 3;
        let angle = match kind {
            0 => rng.between(-7.0, 7.0),
            1 => rng.between(-1.0, 1.0) * 2_f64.powi(rng.int(-200, -20) as i32),
            _ => rng.between(-1.0, 1.0) * 2_f64.powi(rng.int(3, 20) as i32),
        };
        let axis_size = 2_f64.powi(rng.int(-60, 60) as i32);
        let screw = Screw {
            start: pose(&mut rng, far),
            point: rng.point(far),
            axis: rng.point(axis_size),
            angle: if rng.one_in(10) { 0.0 } else { angle },
            advance: rng.between(-1.0, 1.0) * wide,
        };
        let (path, t, y) = (screw.path(), rng.unit(), rng.point(scale));
        most[kind] = most[kind].max(check(&path, t, &y, &screw.exact(t, &y)));
    }
    assert!(most.iter().all(|part| *part >= 0.016), "{most:?}");
}

/// Each part of the bound is no larger than it need be by more than some factor: of arms, of centers, of
/// ways, and of large angles.
#[test]
fn errors_are_not_much_larger_than_they_need_be() {
    let (mut rng, mut most) = (Rng::new(72), [0.0_f64; 4]);
    for round in 0..8_000 {
        let kind = round % 4;
        let [arm, center, way, angle] =
            [[1.0, 0.0, 0.0, 3.0], [1e-9, 1.0, 1e-3, 3.0], [1e-9, 0.0, 1.0, 3.0], [1.0, 0.0, 0.0, 1e6]][kind];
        let point = rng.point(center);
        let screw = Screw {
            start: Pose::rigid(rng.rotation(), point).unwrap(),
            point,
            axis: rng.direction(),
            angle: rng.between(-angle, angle),
            advance: rng.between(-1.0, 1.0) * way,
        };
        let (path, t, y) = (screw.path(), rng.unit(), rng.point(arm));
        most[kind] = most[kind].max(check(&path, t, &y, &screw.exact(t, &y)));
    }
    assert!(most.iter().all(|part| *part >= 0.016), "{most:?}");
}

#[test]
fn paths_between_poses_are_within_their_errors() {
    let mut rng = Rng::new(73);
    for round in 0..3_000 {
        let (scale, far) = (sizes(&mut rng), sizes(&mut rng));
        let p0 = Pose::rigid(rng.rotation(), rng.point(far)).unwrap();
        let p1 = match round % 3 {
            // No turn, a tiny one, half a turn, and any.
            0 => p0,
            1 => {
                let angle = rng.between(0.0, 1.0) * 2_f64.powi(-(rng.below(60) as i32));
                let angle = if rng.one_in(3) { std::f64::consts::PI } else { angle };
                let turn = Pose::from_axis_angle(rng.direction(), angle, rng.point(far)).unwrap();
                p0.then(&turn).unwrap()
            }
            _ => Pose::rigid(rng.rotation(), rng.point(far)).unwrap(),
        };
        let path = Path::between(&p0, &p1, rng.point(scale)).unwrap();
        let (t, y) = (rng.unit(), rng.point(scale));
        check(&path, t, &y, &exact_on(&path, &LongFloat::of(t), t, &y));
        assert_eq!(path.at(0.0), p0);
        // The exact path ends beside p1.
        let reach = y.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let target = big::sum(&big::image(p1.rows(), &big::vector(&y)), &big::vector(p1.translation()));
        let off = big::difference(&exact_on(&path, &LongFloat::of(1.0), 1.0, &y), &target);
        let bound = path.end_error(reach);
        assert!(big::is_within(&off, bound), "{bound:e} {p0:?} {p1:?}");
        assert!(bound < 1e-12 * (far + scale), "{bound:e} {p0:?} {p1:?}");
    }
}

#[test]
fn paths_through_poses_are_within_their_errors() {
    let mut rng = Rng::new(74);
    for _ in 0..300 {
        let poses: Vec<Pose> =
            (0..rng.int(2, 40)).map(|_| Pose::rigid(rng.rotation(), rng.point(5.0)).unwrap()).collect();
        let path = Path::piecewise(&poses).unwrap();
        assert_eq!(path.legs(), poses.len() - 1);
        for (k, pose) in poses.iter().enumerate().take(path.legs()) {
            let (from, to) = (path.knot(k), path.knot(k + 1));
            assert_eq!(path.at(from), *pose);
            for t in [from, rng.between(from, to), to.next_down()] {
                assert!(path.index_at(t) == k && path.next_knot(t) == to, "{t} {k}");
                let y = rng.point(1.0);
                // Within a rounding of a knot the path rests.
                let s = t * path.legs() as f64 - k as f64;
                if (1e-12..1.0 - 1e-12).contains(&s) {
                    check(&path, t, &y, &exact_on(&path, &LongFloat::of(t), t, &y));
                }
            }
        }
        let end = path.at(1.0);
        assert!(
            (0..3).all(|k| (end.translation()[k] - poses[poses.len() - 1].translation()[k]).abs() < 1e-13)
        );
    }
    for times in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        let path = Path::translation(Pose::IDENTITY, [1.0, 0.0, 0.0]).unwrap();
        assert_eq!((path.at(times), path.at(2.0)), (Pose::IDENTITY, path.at(1.0)));
    }
}

/// Knots of many legs, which f64 rounds.
#[test]
fn each_time_has_one_leg() {
    let still = Pose::IDENTITY;
    for legs in [1, 2, 3, 7, 10, 49, 1000, 4097, 100_003] {
        let path = Path::piecewise(&vec![still; legs + 1]).unwrap();
        for k in (0..legs).step_by(1 + legs / 500) {
            let knot = path.knot(k);
            assert_eq!(path.index_at(knot), k);
            assert_eq!(path.index_at(knot.next_up()), k);
            assert!(k == 0 || path.index_at(knot.next_down()) == k - 1);
            assert_eq!(path.next_knot(knot), path.knot(k + 1));
        }
        assert_eq!((path.knot(legs), path.index_at(1.0)), (1.0, legs - 1));
    }
}

#[test]
fn chains_of_joints_are_within_their_errors() {
    let (mut rng, mut most) = (Rng::new(75), 0.0_f64);
    for round in 0..1_500 {
        let far = *rng.pick(&[1.0, 1.0, 100.0, 1e-3]);
        let path = chain(&mut rng, round % 9, far, 3.0);
        let (t, y) = (rng.unit(), rng.point(1.0));
        let exact = exact_on(&path, &LongFloat::of(t), t, &y);
        most = most.max(check(&path, t, &y, &exact));
        // At the time itself, with the length of the point.
        let image = placed(&path.at(t), &big::vector(&y));
        let bound = path.error_at(t, &y.map(f64::abs));
        assert!(big::is_within(&big::difference(&image, &exact), bound), "{bound:e} {path:?}");
        assert!(bound <= path.error(crate::vector::length(y)) + 1e-300, "{path:?}");
    }
    assert!(most > 0.01, "{most}");
    let joint = PathJoint {
        before: ApproximatePose::IDENTITY,
        motion: PathMotion::Rotation,
        axis: [0.0, 0.0, 1.0],
        from: 0.0,
        by: 1.0,
        error: 0.0,
    };
    let last = ApproximatePose::IDENTITY;
    for wrong in [
        PathJoint { axis: [0.0; 3], ..joint },
        PathJoint { from: f64::NAN, ..joint },
        PathJoint { by: 1e7, ..joint },
        PathJoint { motion: PathMotion::Translation, by: f64::INFINITY, ..joint },
    ] {
        assert!(Path::joints(&[wrong], last).is_err(), "{wrong:?}");
    }
    assert!(Path::joints(&[joint; 64], last).is_ok() && Path::joints(&[joint; 65], last).is_err());
}
