//! One leg of a path: a rotation about a point that moves straight, both at constant rates.
//!
//! # Rounding
//! u = 2^-53. The rotation vector w has three products and a root in its length, so the length a and the
//! direction e = w / a are off by 2.5 u and 3.5 u of themselves. [`Path::screw`](super::Path::screw) makes w
//! of an axis and an angle in as many steps: 5 u more. The parameter s is off by u. With f = a s the angle is
//! off by 10 u f in all, which moves x by 10 u |w| |x|.
//!
//! A rotated vector is x + sin f (e * x) + 2 sin^2(f / 2) e * (e * x). Errors, as multiples of u |x|:
//!
//! 1. e, whose error the sine takes once and the other term, at most 2, twice: (1 + 4) 3.5 = 17.5.
//! 2. Sine and cosine of f / 2 are off by 4.5 u (`circle.rs`), so 2 sin cos and 2 sin^2 by 4 (4.5) + 3 = 21
//!    each: 42.
//! 3. Products e * x: 5 each; the second has the first's, too, and counts twice: 5 + 20 = 25.
//! 4. Two products, 1 + 2, and sums of terms no longer than 1, 1 and 2: 9.
//!
//! That is 94 u |x|, taken as 110. The columns of P are rotated so, and the arm t - c, which rounds once. The
//! translation c + s v + arm rounds products and sums of c, v and arm, and v has 5 u from the axis:
//! 5 (|c| + |arm|) + 10 |v|. Without rotation nothing is rotated.
use crate::{
    Error, ErrorKind, Pose,
    circle::sin_cos_of_angle,
    vector::{UNIT, Vector, cross, largest, length, sub},
};

/// A leg's rotation and way, and the body's first pose, are no larger than this: no sum or product of them
/// overflows.
const MOST: f64 = f64::from_bits((1023 + 300) << 52);

/// The largest rotation of a leg in radians.
const MOST_ANGLE: f64 = (1_u32 << 20) as f64;

/// A leg: see the [module](super).
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    start: Pose,
    /// The rotation vector w.
    turn: Vector,
    /// The point c.
    center: Vector,
    /// The way v of that point.
    way: Vector,
    /// The pose at which the leg should end.
    target: Option<Pose>,
}

/// The velocity field of a body at a moment: a point x of it moves at `spin` x (x - `center`) + `velocity`.
/// The center itself moves straight, and the spin stays the same until the leg ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twist {
    pub(crate) spin: Vector,
    pub(crate) center: Vector,
    pub(crate) velocity: Vector,
    /// A bound of the error of the body's rotation at that moment, relative to lengths of vectors.
    pub(crate) skew: f64,
    /// Bounds for the body's points in an interval around the moment. If there are some, the spin is that of
    /// the moment alone, and the center's velocity, too.
    pub(crate) rates: Option<Rates>,
}

/// Bounds for the points of a body in an interval of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    /// Of the length of the spin.
    pub(crate) spin: f64,
    /// Bound of the length of R'' v for unit vectors v, where R is the body's rotation.
    pub(crate) bend: f64,
    pub(crate) speed: f64,
    pub(crate) acceleration: f64,
    /// Of the errors of the spin and of velocities that a twist has at the middle.
    pub(crate) spin_slack: f64,
    pub(crate) speed_slack: f64,
}

/// A ball that moves straight by `way`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptBall {
    pub(crate) center: Vector,
    pub(crate) way: Vector,
    pub(crate) radius: f64,
}

impl Rates {
    pub(crate) const STILL: Self =
        Self { spin: 0.0, bend: 0.0, speed: 0.0, acceleration: 0.0, spin_slack: 0.0, speed_slack: 0.0 };
}

impl Twist {
    pub(crate) const STILL: Self =
        Self { spin: [0.0; 3], center: [0.0; 3], velocity: [0.0; 3], skew: 0.0, rates: None };
}

impl Leg {
    pub(super) fn new(start: Pose, center: Vector, turn: Vector, way: Vector) -> Self {
        Self { start, turn, center, way, target: None }
    }
    pub(super) fn ending_at(self, target: Pose) -> Self {
        Self { target: Some(target), ..self }
    }
    /// Its first pose, the point c, the rotation vector and the way.
    #[cfg(test)]
    pub(super) fn numbers(&self) -> (&Pose, Vector, Vector, Vector) {
        (&self.start, self.center, self.turn, self.way)
    }
    /// The leg, if no number of it is too large.
    pub(super) fn checked(self) -> Result<Self, Error> {
        let numbers = [self.turn, self.center, self.way, *self.start.translation()];
        let rows = self.start.rows().as_flattened();
        let size = largest(numbers.as_flattened().iter().chain(rows).map(|x| x.abs()));
        // NaN is not within.
        if size <= MOST && length(self.turn) <= MOST_ANGLE * (1.0 + 1e-9) {
            Ok(self)
        } else {
            Err(ErrorKind::PathTooLong { size, angle: length(self.turn) }.into())
        }
    }

    /// The pose at s from 0 to 1, within [`Leg::error`].
    pub(super) fn at(&self, s: f64) -> Pose {
        if s == 0.0 {
            return self.start;
        }
        let shifted = |from: &Vector| [0, 1, 2].map(|k| from[k] + s * self.way[k]);
        let rate = length(self.turn);
        let start = self.start.translation();
        if rate == 0.0 {
            return self.start.with_translation(shifted(start));
        }
        let axis = self.turn.map(|x| x / rate);
        let (sin_half, cos_half) = sin_cos_of_angle(0.5 * (rate * s));
        let (sin, versine) = (2.0 * sin_half * cos_half, 2.0 * sin_half * sin_half);
        let turned = |x: Vector| {
            let across = cross(axis, x);
            let back = cross(axis, across);
            [0, 1, 2].map(|k| x[k] + (sin * across[k] + versine * back[k]))
        };
        let r = self.start.rows();
        let columns = [0, 1, 2].map(|j| turned([r[0][j], r[1][j], r[2][j]]));
        let rows = [0, 1, 2].map(|i| [columns[0][i], columns[1][i], columns[2][i]]);
        let (center, arm) = (shifted(&self.center), turned(sub(*start, self.center)));
        Pose::of_finite(rows, [0, 1, 2].map(|k| center[k] + arm[k]))
    }

    /// Bound of the distance of images under [`Leg::at`] from the exact ones, for points no further from the
    /// origin than `reach`, axis by axis.
    pub(super) fn error(&self, reach: &Vector) -> f64 {
        let (start, way) = (self.start.translation(), length(self.way));
        let rate = length(self.turn);
        let r = self.start.rows();
        let arm = length(sub(*start, self.center));
        // The longest image of a point under P, but for its translation.
        let size: f64 = (0..3).map(|j| reach[j] * length([r[0][j], r[1][j], r[2][j]])).sum();
        if rate == 0.0 {
            // A rotation vector of less than 2^-530 has a square of 0.
            let lost = if self.turn == [0.0; 3] { 0.0 } else { f64::from_bits((1023 - 500) << 52) };
            return 5.0 * UNIT * (length(*start) + way) + lost * (size + arm) + f64::MIN_POSITIVE;
        }
        let turned = (110.0 + 10.0 * rate) * (size + arm);
        UNIT * (turned + 6.0 * (length(self.center) + arm) + 10.0 * way) * 1.001 + f64::MIN_POSITIVE
    }

    /// Bound of the distance of the leg's exact end from the target, for points no larger than `reach`.
    pub(super) fn end_error(&self, reach: f64) -> f64 {
        let Some(target) = &self.target else { return 0.0 };
        let end = self.at(1.0);
        let row = |i: usize| {
            let entry = |j: usize| (end.rows()[i][j] - target.rows()[i][j]).abs();
            let shift = (end.translation()[i] - target.translation()[i]).abs();
            (entry(0) + entry(1) + entry(2)) * reach + shift
        };
        // Sums of five terms that are not negative round by less.
        length([row(0), row(1), row(2)]) * (1.0 + 16.0 * UNIT) + self.error(&[reach; 3])
    }

    /// Bound of the length of the way of a point that is no further from the origin than `reach`.
    pub(super) fn longest(&self, reach: &Vector) -> f64 {
        let ball = self.swept_ball(reach);
        (length(self.way) + length(self.turn) * ball.radius) * (1.0 + 1e-9)
    }
    /// A ball around the body's points, whose coordinates are no larger than `reach`, that moves with the
    /// center.
    pub(super) fn swept_ball(&self, reach: &Vector) -> SweptBall {
        let r = self.start.rows();
        let size: f64 = (0..3).map(|j| reach[j] * length([r[0][j], r[1][j], r[2][j]])).sum();
        let arm = length(sub(*self.start.translation(), self.center));
        let radius = (size + arm) * (1.0 + 1e-9) + self.error(reach);
        SweptBall { center: self.center, way: self.way, radius }
    }

    /// The motion at s, per unit of a time in which a leg takes 1 / `rate`.
    pub(super) fn twist(&self, s: f64, rate: f64) -> Twist {
        Twist {
            spin: self.turn.map(|x| x * rate),
            center: [0, 1, 2].map(|k| self.center[k] + s * self.way[k]),
            velocity: self.way.map(|x| x * rate),
            skew: UNIT * (110.0 + 10.0 * length(self.turn)),
            rates: None,
        }
    }
    /// Bounds for points within `reach`, in the same unit of time.
    pub(super) fn rates(&self, reach: &Vector, rate: f64) -> Rates {
        let more = rate * (1.0 + 1e-9);
        let (turn, way) = (length(self.turn) * more, length(self.way) * more);
        let radius = self.swept_ball(reach).radius;
        let (speed, acceleration) = (turn * radius + way, turn * turn * radius * (1.0 + 1e-9));
        // The errors of a leg's spin are in its skew.
        Rates { spin: turn, bend: turn * turn, speed, acceleration, spin_slack: 0.0, speed_slack: 0.0 }
    }
}
