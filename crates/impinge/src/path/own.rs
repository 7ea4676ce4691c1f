//! Paths of one's own: a function that gives poses, and bounds of their changes.
//!
//! Bounds that are not numbers count as infinite: what depends on them is undecided.
use super::leg::{Rates, SweptBall, Twist};
use crate::{
    pose::ApproximatePose,
    vector::{UNIT, Vector, length},
};
use std::fmt::Debug;

/// A path of one's own: a rigid motion whose pose is a twice differentiable function of the time.
///
/// A sweep is as true as this function keeps its promises. `x(t)` is the place of a point of the body, for
/// coordinates in the body of at most `reach`, axis by axis.
///
/// ```
/// use impinge::{path::{Path, PathFunction, PathMoment}, pose::ApproximatePose};
/// use impinge::{Body, Mesh, Model, Pose, Query, sweep::{Moving, Sweep, SweepOptions}};
/// use std::sync::Arc;
///
/// /// A slide that speeds up: x = 4 t^2.
/// #[derive(Debug)]
/// struct Fall;
/// impl PathFunction for Fall {
///     fn at(&self, t: f64) -> ApproximatePose {
///         let pose = Pose::from_translation([4. * t * t, 0., 0.]).unwrap();
///         ApproximatePose::within(pose, 0., 1e-15)
///     }
///     fn moment(&self, t: f64, half: f64, _reach: [f64; 3]) -> PathMoment {
///         PathMoment {
///             velocity: [8. * t, 0., 0.],
///             velocity_error: 1e-15,
///             most_speed: 8. * (t + half) * (1. + 1e-15),
///             most_acceleration: 8.,
///             ..PathMoment::still(self.at(t))
///         }
///     }
///     fn error(&self, _reach: f64) -> f64 {
///         1e-15
///     }
/// }
/// let cube = Model::new(Mesh::cuboid([1.; 3])?);
/// let (path, wall) = (Path::of_function(Arc::new(Fall)), Pose::from_translation([2., 0., 0.])?);
/// // The cubes of side 1 meet when 4 t^2 = 1.
/// let sweep = Query::new().sweep(Moving::new(&cube, &path), Body::new(&cube, wall), &SweepOptions::new());
/// let Sweep::Contact { free_until, meets_at, .. } = sweep else { panic!("{sweep:?}") };
/// assert!(free_until <= 0.5 && 0.5 <= meets_at + 1e-12 && meets_at - free_until < 1e-8);
/// # Ok::<(), impinge::Error>(())
/// ```
pub trait PathFunction: Debug + Send + Sync {
    /// The pose at a time from 0 to 1, with its error. The same on every call.
    fn at(&self, t: f64) -> ApproximatePose;
    /// The motion at a time from 0 to 1, and bounds of it at all times of the path that are no further away
    /// than `half`.
    fn moment(&self, t: f64, half: f64, reach: [f64; 3]) -> PathMoment;
    /// Bound of [`ApproximatePose::error`] at all times, for points no further from the body's origin than
    /// `reach`.
    fn error(&self, reach: f64) -> f64;
}

/// The motion of a body at a moment, and bounds around it: the result of [`PathFunction::moment`].
///
/// Times are those of the path, from 0 to 1. Angles are in radians.
#[derive(Clone, Copy, Debug)]
pub struct PathMoment {
    /// The pose, as [`PathFunction::at`] gives it.
    pub pose: ApproximatePose,
    /// The angular velocity w, in space.
    pub spin: [f64; 3],
    /// The velocity v of the body's origin.
    pub velocity: [f64; 3],
    /// Bound of the error of `spin`.
    pub spin_error: f64,
    /// Bound, for all points, of the distance of x' from w x (x - the body's origin) + v.
    pub velocity_error: f64,
    /// Bound of the length of the angular velocity in the interval.
    pub most_spin: f64,
    /// Bound of the length of the angular velocity's derivative in the interval.
    pub most_spin_change: f64,
    /// Bound of |x'| in the interval, for all points.
    pub most_speed: f64,
    /// Bound of |x''| in the interval, for all points.
    pub most_acceleration: f64,
}

impl PathMoment {
    /// No motion.
    pub fn still(pose: ApproximatePose) -> Self {
        Self {
            pose,
            spin: [0.0; 3],
            velocity: [0.0; 3],
            spin_error: 0.0,
            velocity_error: 0.0,
            most_spin: 0.0,
            most_spin_change: 0.0,
            most_speed: 0.0,
            most_acceleration: 0.0,
        }
    }

    /// The same as a field of velocities.
    pub(super) fn twist(&self) -> Twist {
        let bound = |x: f64| if x >= 0.0 { x * (1.0 + 1e-9) } else { f64::INFINITY };
        let spin = bound(self.most_spin);
        let rates = Rates {
            spin,
            bend: (spin * spin + bound(self.most_spin_change)) * (1.0 + 1e-9),
            speed: bound(self.most_speed),
            acceleration: bound(self.most_acceleration),
            spin_slack: bound(self.spin_error),
            speed_slack: bound(self.velocity_error),
        };
        Twist {
            spin: self.spin,
            center: *self.pose.pose().translation(),
            velocity: self.velocity,
            skew: self.pose.turn_error() + UNIT,
            rates: Some(rates),
        }
    }
}

/// Bound of the rotation in radians of a whole path.
pub(super) fn turning(path: &dyn PathFunction) -> f64 {
    rates(path, &[0.0; 3]).spin
}

/// A ball around the body's points at all times.
pub(super) fn swept_ball(path: &dyn PathFunction, reach: &Vector) -> SweptBall {
    let pose = path.at(0.5);
    let r = pose.pose().rows();
    let size: f64 = (0..3).map(|j| reach[j] * length([r[0][j], r[1][j], r[2][j]])).sum();
    let radius = size + pose.error(length(*reach)) + 0.5 * rates(path, reach).speed;
    SweptBall { center: *pose.pose().translation(), way: [0.0; 3], radius: radius * (1.0 + 1e-9) }
}

/// Bounds for the whole path.
fn rates(path: &dyn PathFunction, reach: &Vector) -> Rates {
    path.moment(0.5, 0.5, *reach).twist().rates.unwrap_or(Rates::STILL)
}
