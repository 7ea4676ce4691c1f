//! Paths: a pose for each time from 0 to 1.
//!
//! A path is a function over the real numbers, and the f64 numbers that it is made of are its exact
//! parameters. It consists of legs of equal duration. Within a leg, at s from 0 to 1, a point y of the body
//! is at
//!
//! x(s) = c + s v + Rot(s w) (P y - c),
//!
//! where P is the leg's first pose, c a point, v the way of that point and w a rotation vector: its direction
//! is the axis, its length the angle in radians. [`Path::screw`] has c on the axis and v along it,
//! [`Path::between`] has the body's own reference point as c.
//!
//! ```
//! use impinge::{Pose, path::Path};
//! // A quarter turn about the vertical through (1, 0, 0), rising by 2.
//! let path = Path::screw(Pose::IDENTITY, [1., 0., 0.], [0., 0., 1.], 90_f64.to_radians(), 2.)?;
//! let [x, y, z] = path.at(1.).place([2., 0., 0.]);
//! assert!((x - 1.).abs() < 1e-15 && (y - 1.).abs() < 1e-15 && z == 2.);
//!
//! // A robot's way through three poses.
//! let poses = [0., 1., 3.].map(|x| Pose::from_translation([x, 0., 0.]).unwrap());
//! let path = Path::piecewise(&poses)?;
//! assert_eq!(path.at(0.75).place([0.; 3]), [2., 0., 0.]);
//! # Ok::<(), impinge::Error>(())
//! ```
mod between;
#[cfg(test)]
pub(crate) mod big;
mod chain;
mod leg;
mod own;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use self::leg::{Rates, SweptBall, Twist};
pub use self::{
    chain::{PathJoint, PathMotion},
    own::{PathFunction, PathMoment},
};

use self::{chain::JointChain, leg::Leg};
use crate::{
    Error, ErrorKind, Pose,
    pose::ApproximatePose,
    vector::{UNIT, Vector, largest, length, shrinking},
};
use std::sync::Arc;

/// A pose for each time from 0 to 1. See the [module](self).
#[derive(Clone, Debug)]
pub struct Path {
    /// At least one. Leg k lasts from [`Path::knot`] k to the next.
    legs: Vec<Leg>,
    /// If there is a curve, it is the path, and the only leg has no meaning.
    curve: Option<Curve>,
}

/// A path whose rates change.
#[derive(Clone, Debug)]
enum Curve {
    Chain(JointChain),
    Own(Arc<dyn PathFunction>),
}

impl Curve {
    fn at(&self, t: f64) -> ApproximatePose {
        match self {
            Self::Chain(chain) => chain.at(t),
            Self::Own(path) => path.at(t),
        }
    }
    fn error(&self, reach: f64) -> f64 {
        match self {
            Self::Chain(chain) => chain.error(reach),
            // NaN becomes infinite.
            Self::Own(path) => Some(path.error(reach)).filter(|x| *x >= 0.0).unwrap_or(f64::INFINITY),
        }
    }
    fn pose_and_twist(&self, t: f64, half: f64, reach: &Vector) -> (ApproximatePose, Twist) {
        match self {
            Self::Chain(chain) => chain.pose_and_twist(t, half, reach),
            Self::Own(path) => {
                let moment = path.moment(t, half, *reach);
                (moment.pose, moment.twist())
            }
        }
    }
    fn turning(&self) -> f64 {
        match self {
            Self::Chain(chain) => chain.turning(),
            Self::Own(path) => own::turning(&**path),
        }
    }
    fn swept_ball(&self, reach: &Vector) -> SweptBall {
        match self {
            Self::Chain(chain) => chain.swept_ball(reach),
            Self::Own(path) => own::swept_ball(&**path, reach),
        }
    }
}

/// The most legs: times then have bits to spare.
const MOST_LEGS: usize = 1 << 24;

impl Path {
    /// A screw: the body turns about the axis through `point` by `angle` in radians, at a constant rate, and
    /// moves along the axis by `advance`. With an advance of 0 this is a hinge's motion, with an angle of 0 a
    /// slider's. Only the direction of `axis` counts; seen against it, the turn is counterclockwise.
    ///
    /// # Errors
    /// A number that is not finite or more than 2^300, an angle of more than 2^20, an axis that is 0.
    pub fn screw(
        start: Pose,
        point: [f64; 3],
        axis: [f64; 3],
        angle: f64,
        advance: f64,
    ) -> Result<Self, Error> {
        if !(angle.is_finite() && axis.iter().all(|x| x.is_finite())) {
            return Err(ErrorKind::AxisAngleNotFinite { axis, angle }.into());
        }
        let size = largest(axis.map(f64::abs));
        if size == 0.0 {
            return Err(ErrorKind::ZeroAxis.into());
        }
        let axis = axis.map(|x| x * shrinking(size));
        let long = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let along = |x: f64| axis.map(|a| a * (x / long));
        Self::of(Leg::new(start, point, along(angle), along(advance)))
    }

    /// A straight motion without rotation: x(t) = P y + t `by`.
    ///
    /// ```
    /// use impinge::{Pose, path::Path};
    /// let path = Path::translation(Pose::IDENTITY, [4., 0., 0.])?;
    /// assert_eq!(path.at(0.25).place([1., 1., 1.]), [2., 1., 1.]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A number that is not finite or more than 2^300.
    pub fn translation(start: Pose, by: [f64; 3]) -> Result<Self, Error> {
        Self::of(Leg::new(start, *start.translation(), [0.0; 3], by))
    }

    /// The motion between two rigid poses that planners use (OMPL, MoveIt, Drake): the body's point
    /// `reference`, in its own coordinates, moves straight, and the body turns about an axis of constant
    /// direction by an angle of at most pi. The usual reference is the origin, `[0.; 3]`.
    ///
    /// Axis and angle are computed in f64, and define the path. So the path ends beside `p1` by a few
    /// roundings: [`Path::end_error`].
    ///
    /// # Errors
    /// A pose that is not rigid, or a number of more than 2^300.
    ///
    /// ```
    /// use impinge::{Pose, path::Path};
    /// let p1 = Pose::from_axis_angle([0., 0., 1.], 3., [5., 0., 0.])?;
    /// let path = Path::between(&Pose::IDENTITY, &p1, [0.; 3])?;
    /// assert!(path.end_error(10.) < 1e-12);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn between(p0: &Pose, p1: &Pose, reference: [f64; 3]) -> Result<Self, Error> {
        Self::of(between::leg(p0, p1, reference)?)
    }

    /// The motion through two or more rigid poses, in equal times, each as [`Path::between`] with the
    /// body's origin as reference. At each inner pose the path is at that pose, and jumps to it by no more
    /// than [`Path::end_error`].
    ///
    /// # Errors
    /// As [`Path::between`]; fewer than two poses, or more than 2^24.
    pub fn piecewise(poses: &[Pose]) -> Result<Self, Error> {
        Self::through(poses, |pair| between::leg(&pair[0], &pair[1], [0.0; 3]))
    }

    /// The motion of a body at a pose B of its own that [`Path::piecewise`] through rigid motions moves: M(t)
    /// B, from the f64 product of the first one and B. Bodies that the same motions move stay where they are
    /// to each other. B need not be rigid.
    ///
    /// # Errors
    /// As [`Path::piecewise`].
    ///
    /// ```
    /// use impinge::{Pose, path::Path};
    /// // A body at a place of its own, and half a turn about the origin.
    /// let body = Pose::from_translation([2., 0., 0.])?;
    /// let turned = Pose::from_axis_angle([0., 0., 1.], std::f64::consts::PI, [0.; 3])?;
    /// let path = Path::carried(&[Pose::IDENTITY, turned], &body)?;
    /// assert!((path.at(0.5).translation()[1] - 2.).abs() < 1e-12);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn carried(motions: &[Pose], body: &Pose) -> Result<Self, Error> {
        Self::through(motions, |pair| between::carried_leg([&pair[0], &pair[1]], body))
    }

    /// The legs between neighbours of two or more poses.
    fn through(poses: &[Pose], leg: impl Fn(&[Pose]) -> Result<Leg, Error>) -> Result<Self, Error> {
        let (least, found, what) = (2, poses.len(), "poses of a path");
        if found < least {
            return Err(ErrorKind::TooFew { found, least, what }.into());
        }
        if found > MOST_LEGS {
            return Err(ErrorKind::TooMany { found, most: MOST_LEGS, what }.into());
        }
        let legs = poses.windows(2).map(|pair| leg(pair)?.checked());
        Ok(Self { legs: legs.collect::<Result<_, _>>()?, curve: None })
    }

    /// The motion of the last body of a chain of joints whose positions all change at constant rates: an edge
    /// of a planner. x(t) = F1 M1(t) F2 M2(t) ... `last` y, where F is the pose before a joint and M its
    /// rotation or translation by `from` + t `by`. For two links of a robot, only the joints between them
    /// count: put the one at rest, and the chain in its frame.
    ///
    /// The exact path is that of the exact poses and positions: [`Path::error`] includes their errors.
    ///
    /// ```
    /// use impinge::{Pose, path::{Path, PathJoint, PathMotion}, pose::ApproximatePose};
    /// // Two links of length 1, which unfold.
    /// let link = ApproximatePose::exact(Pose::from_translation([1., 0., 0.])?);
    /// let joint = |before, from: f64, by: f64| PathJoint {
    ///     before, motion: PathMotion::Rotation, axis: [0., 0., 1.], from, by, error: 0.,
    /// };
    /// let quarter = 90_f64.to_radians();
    /// let joints = [joint(ApproximatePose::IDENTITY, 0., quarter), joint(link, quarter, -quarter)];
    /// let path = Path::joints(&joints, link)?;
    /// let [x, y, _] = path.at(1.).place([0.; 3]);
    /// assert!(x.abs() < 1e-15 && (y - 2.).abs() < 1e-15 && path.error(1.) < 1e-13);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// More than 64 joints; a number that is not finite or more than 2^300, a position of more than 2^20
    /// radians, an axis that is 0.
    pub fn joints(joints: &[PathJoint], last: ApproximatePose) -> Result<Self, Error> {
        let curve = Some(Curve::Chain(JointChain::new(joints, last)?));
        Ok(Self { curve, ..Self::still(Pose::IDENTITY)? })
    }

    /// A path of one's own. See [`PathFunction`].
    pub fn of_function(function: Arc<dyn PathFunction>) -> Self {
        let still = Self::still(Pose::IDENTITY);
        let still = still.unwrap_or_else(|error| unreachable!("no number is large: {error}"));
        Self { curve: Some(Curve::Own(function)), ..still }
    }

    /// No motion: every time has the same pose.
    ///
    /// # Errors
    /// A number of more than 2^300.
    pub fn still(pose: Pose) -> Result<Self, Error> {
        Self::translation(pose, [0.0; 3])
    }

    fn of(leg: Leg) -> Result<Self, Error> {
        Ok(Self { legs: vec![leg.checked()?], curve: None })
    }

    /// The pose at a time, which is clamped to 0 to 1. It is within [`Path::error`] of the exact one, and the
    /// same on every machine. At time 0 it is the first pose itself.
    pub fn at(&self, t: f64) -> Pose {
        let (leg, s) = self.leg_at(t);
        if let Some(curve) = &self.curve {
            return *curve.at(s).pose();
        }
        leg.at(s)
    }

    /// Bound of the distance of an image under [`Path::at`] from the path's exact image, for points whose
    /// coordinates are no larger than `reach`.
    pub fn error(&self, reach: f64) -> f64 {
        if let Some(curve) = &self.curve {
            return curve.error(length([reach; 3]) * (1.0 + 4.0 * UNIT));
        }
        largest(self.legs.iter().map(|leg| leg.error(&[reach; 3])))
    }

    /// Bound of the distance from where legs end to where they were to end, for points whose coordinates are
    /// no larger than `reach`: for [`Path::between`] and [`Path::piecewise`]. 0 for other paths.
    pub fn end_error(&self, reach: f64) -> f64 {
        if self.curve.is_some() {
            return 0.0;
        }
        // The times of inner poses are rounded: a leg ends by so many roundings of its duration too early.
        let early = (self.legs.len() - 1) as f64 * UNIT;
        largest(self.legs.iter().map(|leg| leg.end_error(reach) + early * leg.longest(&[reach; 3])))
    }

    /// Number of legs: for [`Path::piecewise`] one less than poses, else 1.
    pub fn legs(&self) -> usize {
        self.legs.len()
    }

    /// The time at which leg k begins; 1 for the number of legs.
    pub fn knot(&self, k: usize) -> f64 {
        k as f64 / self.legs.len() as f64
    }

    /// The end of the leg that contains the time just after `t`, t < 1.
    pub(crate) fn next_knot(&self, t: f64) -> f64 {
        self.knot(self.index_at(t) + 1)
    }

    /// The number of the leg for a time from 0 to 1.
    fn index_at(&self, t: f64) -> usize {
        let k = (t * self.legs.len() as f64) as usize;
        // The product may round to the next number, and so may the knots.
        let k = k.min(self.legs.len() - 1);
        if self.knot(k) > t {
            k - 1
        } else if k + 1 < self.legs.len() && self.knot(k + 1) <= t {
            k + 1
        } else {
            k
        }
    }
    fn leg_at(&self, t: f64) -> (&Leg, f64) {
        // NaN becomes 0.
        let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
        let k = self.index_at(t);
        // Rounded once; and where a leg begins, though that time is rounded, it is at its first pose.
        let s = if t == self.knot(k) { 0.0 } else { t.mul_add(self.legs.len() as f64, -(k as f64)) };
        (&self.legs[k], s.clamp(0.0, 1.0))
    }

    /// For each leg a ball that moves straight, in which the body is.
    pub(crate) fn swept_balls(&self, reach: &Vector) -> impl Iterator<Item = SweptBall> {
        let legs = if self.curve.is_some() { &[] } else { &*self.legs };
        let of_curve = self.curve.iter().map(|curve| curve.swept_ball(reach));
        of_curve.chain(legs.iter().map(|leg| leg.swept_ball(reach)))
    }

    /// The motion around a time within one leg. Rates are per unit of the path's time, and hold for points
    /// within `reach` at times no further away than `half`.
    pub(crate) fn twist(&self, t: f64, half: f64, reach: &Vector) -> Twist {
        let (leg, s) = self.leg_at(t);
        match &self.curve {
            Some(curve) => curve.pose_and_twist(s, half, reach).1,
            None => leg.twist(s, self.legs.len() as f64),
        }
    }
    /// [`Path::at`], with its error, and [`Path::twist`] of a path without legs, computed together.
    pub(crate) fn curve_moment(&self, t: f64, half: f64, reach: &Vector) -> Option<(ApproximatePose, Twist)> {
        self.curve.as_ref().map(|curve| curve.pose_and_twist(self.leg_at(t).1, half, reach))
    }
    /// Bounds for points within `reach` around a time, of a path that has legs.
    pub(crate) fn rates(&self, t: f64, reach: &Vector) -> Rates {
        self.leg_at(t).0.rates(reach, self.legs.len() as f64)
    }
    /// Bound of the rate of rotation around a time, in radians.
    pub(crate) fn turning(&self, t: f64) -> f64 {
        match &self.curve {
            Some(curve) => curve.turning(),
            None => length(self.leg_at(t).0.twist(0.0, self.legs.len() as f64).spin),
        }
    }
    /// [`Path::error`] at a time within one leg, for points within `reach`, axis by axis.
    pub(crate) fn error_at(&self, t: f64, reach: &Vector) -> f64 {
        let (leg, s) = self.leg_at(t);
        match &self.curve {
            Some(curve) => curve.at(s).error(length(*reach) * (1.0 + 4.0 * UNIT)),
            None => leg.error(reach),
        }
    }
}
