//! A chain of joints, whose positions change at constant rates.
//!
//! A point y of the body is at x = F1 M1 F2 M2 ... Mk F y. Fj and F are fixed poses, and Mj is the rotation
//! or translation of joint j by q + s d, s from 0 to 1.
//!
//! # Velocities
//! Let ej be the axis of joint j in space, oj a point on it, and Wj the sum of di ei over the rotations i <=
//! j. By the position of joint j alone x changes at the rate wj = ej x (x - oj), or ej for a translation. A
//! motion of joint i < j turns wj at the rate ei x wj, and so does joint j itself if it rotates. So
//!
//! 1. x' = sum of dj wj = Wk x (x - c) + v, a field of rigid motion;
//! 2. x'' = sum of dj (W(j-1) + Wj) x wj: the terms i < j occur twice.
//!
//! # Bounds in an interval
//! h is half the interval's length, and all bodies' points are within R of the center c at the middle.
//!
//! 1. |wj| is the distance of x from axis j, which only later joints change: rj = |ej x (c - oj)| + R + h
//!    (sum    of |dl| rl, l > j), from the last joint on. For a translation rj = 1.
//! 2. |x'| <= sum of |dj| rj.
//! 3. |Wj'| <= Kj = sum of |dl| |di|, i < l <= j, as each axis turns by those before it.
//! 4. |x''| <= sum of |dj| rj mj, where mj bounds |W(j-1) + Wj|: by twice the sum of |di|, i < j, and |dj| if
//!    it rotates; and by its value at the middle and h (K(j-1) + Kj).
//!
//! # Rounding
//! u = 2^-53. The axis ej is off by the error of the rotations before it, and by 12 u from its unit vector
//! and the product; oj by the error of the translation. Sums of k terms round by (k + 10) u of their sizes.
//! These errors of x' are `speed_slack`, with the greatest distances |c - oj| + R. Bounds have a part of 1e-9
//! more.
use super::leg::{Rates, SweptBall, Twist};
use crate::{
    Error, ErrorKind, Pose,
    pose::ApproximatePose,
    vector::{UNIT, Vector, cross, length, sub},
};

/// The most joints of a chain.
const MOST_JOINTS: usize = 64;

/// The largest position and way of a joint, in radians or as a length: see `leg.rs`.
const MOST_ANGLE: f64 = (1_u32 << 20) as f64;
const MOST: f64 = f64::from_bits((1023 + 300) << 52);

/// A joint of [`Path::joints`](super::Path::joints).
#[derive(Clone, Copy, Debug)]
pub struct PathJoint {
    /// The fixed pose before it, in the frame of the joint before.
    pub before: ApproximatePose,
    /// The kind of its motion.
    pub motion: PathMotion,
    /// Its axis. Only the direction counts.
    pub axis: [f64; 3],
    /// Its position at time 0, in radians or as a length.
    pub from: f64,
    /// The change of its position until time 1.
    pub by: f64,
    /// Bound of the error of its positions, and of the error of their change.
    pub error: f64,
}

/// The kind of motion of a [`PathJoint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMotion {
    /// A rotation about the axis through the joint's origin.
    Rotation,
    /// A translation along the axis.
    Translation,
}

/// A chain of joints: see the head of the file.
#[derive(Clone, Debug)]
pub(super) struct JointChain {
    joints: Vec<PathJoint>,
    last: ApproximatePose,
}

/// A joint at a moment.
#[derive(Clone, Copy, Debug, Default)]
struct JointMoment {
    axis: Vector,
    /// A point of the axis.
    point: Vector,
    /// Bounds of the errors of both.
    axis_error: f64,
    point_error: f64,
    /// W of the joint and of those before it.
    spin: Vector,
}

/// A chain at a moment.
struct ChainMoment {
    joints: [JointMoment; MOST_JOINTS],
    pose: ApproximatePose,
}

impl JointChain {
    pub(super) fn new(joints: &[PathJoint], last: ApproximatePose) -> Result<Self, Error> {
        if joints.len() > MOST_JOINTS {
            let what = "joints of a path";
            return Err(ErrorKind::TooMany { found: joints.len(), most: MOST_JOINTS, what }.into());
        }
        let (mut size, mut angle) = (length(*last.pose().translation()), 0.0_f64);
        for joint in joints {
            let most = joint.from.abs() + joint.by.abs() + joint.error;
            match joint.motion {
                // NaN stays.
                PathMotion::Rotation => angle = if most <= angle { angle } else { most },
                PathMotion::Translation => size += most,
            }
            size += length(*joint.before.pose().translation());
        }
        // NaN is not within.
        if !(size <= MOST && angle <= MOST_ANGLE) {
            return Err(ErrorKind::PathTooLong { size, angle }.into());
        }
        let chain = Self { joints: joints.to_vec(), last };
        // Axes and sums that are refused are refused at the start: later sums are no larger than MOST.
        chain.pose_at(0.0)?;
        Ok(chain)
    }

    fn motion(joint: &PathJoint, s: f64) -> Result<ApproximatePose, Error> {
        let q = s.mul_add(joint.by, joint.from);
        // Rounded once. At 0 and without a change it is exact.
        let is_exact = s == 0.0 || joint.by == 0.0;
        let error = joint.error + if is_exact { 0.0 } else { UNIT * q.abs() + f64::MIN_POSITIVE };
        match joint.motion {
            PathMotion::Rotation => ApproximatePose::rotation(joint.axis, q, error),
            PathMotion::Translation => ApproximatePose::translation(joint.axis, q, error),
        }
    }
    fn pose_at(&self, s: f64) -> Result<ApproximatePose, Error> {
        let mut pose = ApproximatePose::IDENTITY;
        for joint in &self.joints {
            pose = pose.times(&joint.before)?.times(&Self::motion(joint, s)?)?;
        }
        pose.times(&self.last)
    }
    /// The pose at s from 0 to 1, with its error.
    pub(super) fn at(&self, s: f64) -> ApproximatePose {
        self.pose_at(s).unwrap_or_else(|error| unreachable!("the numbers were checked: {error}"))
    }

    fn moment(&self, s: f64) -> ChainMoment {
        let checked = |pose: Result<ApproximatePose, Error>| {
            pose.unwrap_or_else(|error| unreachable!("the numbers were checked: {error}"))
        };
        let mut moment =
            ChainMoment { joints: [JointMoment::default(); MOST_JOINTS], pose: ApproximatePose::IDENTITY };
        let mut spin = [0.0; 3];
        for (joint, out) in self.joints.iter().zip(&mut moment.joints) {
            let base = checked(moment.pose.times(&joint.before));
            let (unit, rows) = (unit(joint.axis), base.pose().rows());
            let axis = [0, 1, 2].map(|i| crate::vector::dot(rows[i], unit));
            if joint.motion == PathMotion::Rotation {
                spin = [0, 1, 2].map(|k| spin[k] + joint.by * axis[k]);
            }
            *out = JointMoment {
                axis,
                point: *base.pose().translation(),
                axis_error: base.turn_error() + 12.0 * UNIT,
                point_error: base.shift_error(),
                spin,
            };
            moment.pose = checked(base.times(&checked(Self::motion(joint, s))));
        }
        moment.pose = checked(moment.pose.times(&self.last));
        moment
    }

    /// The motion at s, and its bounds for no time further away than `half`, for points within `reach`.
    pub(super) fn twist(&self, s: f64, half: f64, reach: &Vector) -> Twist {
        self.pose_and_twist(s, half, reach).1
    }
    /// The pose at s, with its error, and the motion.
    pub(super) fn pose_and_twist(&self, s: f64, half: f64, reach: &Vector) -> (ApproximatePose, Twist) {
        let moment = self.moment(s);
        let count = self.joints.len();
        let joints = &moment.joints[..count];
        let center = *moment.pose.pose().translation();
        let radius = self.radius(reach, &moment.pose);
        let mut velocity = [0.0; 3];
        let mut rates = Rates::STILL;
        // The way of the body's points by later joints, per unit of time; and K.
        let sums = (count as f64 + 10.0) * UNIT;
        let mut turned = 0.0;
        let mut k_of = [0.0; MOST_JOINTS + 1];
        let mut turns_before = [0.0; MOST_JOINTS + 1];
        for (j, joint) in self.joints.iter().enumerate() {
            let rate = joint.by.abs() + joint.error;
            turns_before[j] = turned;
            k_of[j + 1] = k_of[j] + rate * turned;
            if joint.motion == PathMotion::Rotation {
                turned += rate;
            }
        }
        for (j, (joint, at)) in self.joints.iter().zip(joints).enumerate().rev() {
            let rate = joint.by.abs() + joint.error;
            let arm = sub(center, at.point);
            let far = length(arm) + radius;
            let is_turn = joint.motion == PathMotion::Rotation;
            let across = if is_turn { cross(at.axis, arm) } else { at.axis };
            velocity = [0, 1, 2].map(|k| velocity[k] + joint.by * across[k]);
            let off = at.axis_error + sums;
            let of_points = at.point_error + moment.pose.shift_error();
            let r = if is_turn {
                length(across) + radius + off * far + of_points + half * rates.speed
            } else {
                1.0
            };
            rates.speed += rate * r;
            let own = if is_turn { rate } else { 0.0 };
            let spin_before = if j == 0 { [0.0; 3] } else { joints[j - 1].spin };
            let sum = [0, 1, 2].map(|k| spin_before[k] + at.spin[k]);
            let at_middle = length(sum) + half * (k_of[j] + k_of[j + 1]) + 2.0 * (turned + own) * off;
            rates.acceleration += rate * r * at_middle.min(own + 2.0 * turns_before[j]);
            let size = if is_turn { far } else { 1.0 };
            rates.speed_slack += rate * (off * size + of_points) + joint.error * size;
            rates.spin_slack += own * off + joint.error;
        }
        rates.spin = turned;
        let more = |x: f64| x * (1.0 + 1e-9);
        let rates = Rates {
            spin: more(rates.spin),
            bend: more(rates.spin) * more(rates.spin),
            speed: more(rates.speed),
            acceleration: more(rates.acceleration),
            spin_slack: more(rates.spin_slack),
            speed_slack: more(rates.speed_slack),
        };
        let spin = joints.last().map_or([0.0; 3], |at| at.spin);
        let twist =
            Twist { spin, center, velocity, skew: moment.pose.turn_error() + UNIT, rates: Some(rates) };
        (moment.pose, twist)
    }

    /// The joints, and the pose after them.
    #[cfg(test)]
    pub(super) fn numbers(&self) -> (&[PathJoint], &ApproximatePose) {
        (&self.joints, &self.last)
    }
    /// Bound of the distance of the body's points from its origin.
    fn radius(&self, reach: &Vector, pose: &ApproximatePose) -> f64 {
        let r = pose.pose().rows();
        let size: f64 = (0..3).map(|j| reach[j] * length([r[0][j], r[1][j], r[2][j]])).sum();
        (size + pose.error(length(*reach))) * (1.0 + 1e-9)
    }
    /// The sum of all rotations in radians, of positions and axes alike.
    pub(super) fn turning(&self) -> f64 {
        let turns = self.joints.iter().filter(|joint| joint.motion == PathMotion::Rotation);
        turns.map(|joint| joint.by.abs() + joint.error).sum::<f64>() * (1.0 + 1e-9)
    }
    /// A ball around the body's points at all times.
    pub(super) fn swept_ball(&self, reach: &Vector) -> SweptBall {
        let twist = self.twist(0.5, 0.5, reach);
        let speed = twist.rates.map_or(f64::INFINITY, |rates| rates.speed);
        let radius = self.radius(reach, &self.at(0.5)) + 0.5 * speed;
        SweptBall { center: twist.center, way: [0.0; 3], radius: radius * (1.0 + 1e-9) }
    }
    /// Bound of [`ApproximatePose::error`] at all times.
    pub(super) fn error(&self, reach: f64) -> f64 {
        // As in `pose/approximate.rs`, with the greatest sizes that translations take.
        let (mut turn, mut shift, mut far, mut norm) = (0.0_f64, 0.0, 0.0, 1.0);
        let mut factor = |e: f64, f: f64, t: f64, pose: &ApproximatePose| {
            far += t;
            shift += norm * f + turn * t + 9.0 * UNIT * norm * (t + far) + f64::MIN_POSITIVE;
            // A rotation's norm is 1 to within 1e-6 by `Pose::rigid`.
            norm *= 1.0 + 2e-6 * f64::from(u8::from(pose.pose() != &Pose::IDENTITY));
            turn = (turn + e + 10.0 * UNIT) * norm + f64::MIN_POSITIVE;
        };
        for joint in &self.joints {
            let before = &joint.before;
            factor(before.turn_error(), before.shift_error(), length(*before.pose().translation()), before);
            let most = joint.from.abs() + joint.by.abs() + joint.error;
            let error = joint.error + UNIT * most + f64::MIN_POSITIVE;
            match joint.motion {
                PathMotion::Rotation => factor(36.0 * UNIT + error, 0.0, 0.0, &ApproximatePose::IDENTITY),
                PathMotion::Translation => {
                    factor(0.0, 5.0 * UNIT * most + error, most, &ApproximatePose::IDENTITY);
                }
            }
        }
        let last = &self.last;
        factor(last.turn_error(), last.shift_error(), length(*last.pose().translation()), last);
        // The rotation and the translation of each step count for those before, too.
        (turn * reach + shift) * (1.0 + 1e-6)
    }
}

/// The unit vector along an axis that is not zero.
fn unit(axis: Vector) -> Vector {
    let size = crate::vector::largest(axis.map(f64::abs));
    let axis = axis.map(|x| x * crate::vector::shrinking(size));
    let long = length(axis);
    axis.map(|x| x / long)
}
