//! Ways of a moving body's points during an interval of time, in the frame of another body.
//!
//! Bodies A and B move along paths whose legs turn them at constant rates a and b (vectors) about centers
//! c_A and c_B that move straight, by v_A and v_B. At the middle of the interval, whose half length is h, a
//! point y of B is at z in the world and at u in the frame of A. u changes at the rate
//!
//! u' = N ((b - a) x (z - c_B) + v_B - v_A - a x (c_B - c_A)),
//!
//! N being the inverse of A's linear part, which is an affine function of u. By Taylor's theorem, u moves in
//! the interval to u + s h u' + r with s from -1 to 1 and |r| <= h^2 / 2 times the greatest |u''|, the
//! *bend*. In the rotating frame
//!
//! |u''| <= |N| |z'' - 2 a x (z' - v_A) + a x (a x (z - c_A))|.
//!
//! |z''| = |b| C and |z' - v_B| = C, where C = |b x (z - c_B)| does not change in a leg. Only points that
//! meet A count. When they do, |z - c_A| is at most A's greatest distance R from c_A, which does not change
//! either, and a margin; at other times of the interval at most 2 h (C + |v_B - v_A|) more. So
//!
//! |u''| <= |N| ((|b| + 2 |a| + 2 h |a|^2) C + |a|^2 R + (2 |a| + 2 h |a|^2) |v_B - v_A|).
//!
//! # Chains of joints, and functions
//! Where a body moves with a chain of joints (`path/chain.rs`) or by a function (`path/own.rs`), spins and the velocities of centers change.
//! Each body has bounds for its points in the interval: of spins (a), speeds (S) and accelerations (G). In
//! general
//!
//! |u''| <= |N| (|z''| + |A's acceleration at z| + 2 a |z' - A's velocity at z|).
//!
//! z is a point of B that comes within the margin m of A, so it is at all times within d = m + 2 h (S_A +
//! S_B) of a point of A. A's speed there is at most S_A + a d, its acceleration G_A + e d, where e bounds the
//! second derivative of its rotation. That of a chain is no longer than the square of the sum of its rates,
//! e = a^2; in general it is a^2 and the change of the spin. So
//!
//! |u''| <= |N| (G_B + G_A + e d + 2 a (S_A + a d + S_B)).
//!
//! The errors of velocities, of points of B and of A there, move a point by h times their size.
use crate::{
    Pose,
    motion::{Motion, Rotation},
    normalized_frame::NormalizedFrame,
    path::Twist,
    vector::{Matrix, UNIT, Vector, cross, dot, length, sub},
};

/// An affine vector field u -> M u + c.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) linear: Matrix,
    pub(crate) offset: Vector,
}

impl Field {
    #[inline(always)]
    pub(crate) fn at(&self, u: Vector) -> Vector {
        let row = |i: usize| self.linear[i][0] * u[0] + self.linear[i][1] * u[1] + self.linear[i][2] * u[2];
        [row(0) + self.offset[0], row(1) + self.offset[1], row(2) + self.offset[2]]
    }
    /// Bound of the length of the field, and of all sums on the way to it, for |u| <= `reach` axis by axis.
    pub(crate) fn reach(&self, reach: f64) -> f64 {
        let mut rows = [0.0; 3];
        for (i, sum) in rows.iter_mut().enumerate() {
            let [x, y, z] = self.linear[i];
            *sum = (x.abs() + y.abs() + z.abs()) * reach + self.offset[i].abs();
        }
        length(rows)
    }
    /// Bound, but for rounding, of |M u - M v| / |u - v|.
    pub(crate) fn rate(&self) -> f64 {
        length([length(self.linear[0]), length(self.linear[1]), length(self.linear[2])])
    }
    /// The field in a frame turned by `t`, up to rounding.
    fn turned(&self, t: &Matrix) -> Self {
        Self { linear: product(t, &by_transpose(&self.linear, t)), offset: image(t, self.offset) }
    }
    /// The field as a function of y, where u is the image of y under a motion.
    pub(crate) fn after(&self, motion: &Motion) -> Self {
        Self { linear: product(&self.linear, &motion.linear), offset: self.at(motion.offset) }
    }
    /// The field's image under the linear part of a motion.
    pub(crate) fn under(&self, motion: &Motion) -> Self {
        Self { linear: product(&motion.linear, &self.linear), offset: image(&motion.linear, self.offset) }
    }
}

// No closures, which stay calls.
#[inline(always)]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut c = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
    c
}

/// A B^T.
#[inline(always)]
fn by_transpose(a: &Matrix, b: &Matrix) -> Matrix {
    [image(b, a[0]), image(b, a[1]), image(b, a[2])]
}

/// The matrix of v -> w x v, times A.
#[inline(always)]
fn crossed(w: Vector, a: &Matrix) -> Matrix {
    let [x, y, z] = w;
    product(&[[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]], a)
}

#[inline(always)]
fn image(m: &Matrix, v: Vector) -> Vector {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

#[inline(always)]
fn times(v: Vector, x: f64) -> Vector {
    [v[0] * x, v[1] * x, v[2] * x]
}

#[inline(always)]
fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The resting body A at the middle of the interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resting<'a> {
    pub(crate) pose: &'a Pose,
    pub(crate) frame: &'a NormalizedFrame,
    /// The map from the world to the body's own coordinates.
    pub(crate) from_world: &'a Motion,
    /// A bound of the factor by which the pose lengthens a vector.
    pub(crate) norm: f64,
    /// A bound of the distance of the body's points from its origin, as it is placed.
    pub(crate) radius: f64,
}

/// Ways of the points of B, in A's normalized frame: the displacement is s `way` (u) and the bend, s from -1
/// to 1. See the head of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift {
    pub(crate) way: Field,
    /// h b x (z - c_B), as a vector of this frame.
    pub(crate) turn: Field,
    /// The bend is at most `bend_turn` |turn(u)| + `bend_rest`.
    pub(crate) bend_turn: f64,
    /// The rest of the bend, and the rounding of the fields' offsets.
    pub(crate) bend_rest: f64,
    /// A bound of |turn(u) - turn(v)| / |u - v|.
    pub(crate) turn_rate: f64,
    /// The relative error of the fields' linear parts, and of their images of points: a factor of their
    /// sizes.
    pub(crate) relative_error: f64,
}

impl Drift {
    /// The ways within `half` of a moment, by the motions of A and B then. Points of B that come within
    /// `margin` of A, in the world, count.
    pub(crate) fn new(a: &Resting<'_>, [of_a, of_b]: &[Twist; 2], half: f64, margin: f64) -> Self {
        let (n, scale) = (&a.from_world.linear, a.frame.scale);
        let norm = a.from_world.norm;
        let spin = sub(of_b.spin, of_a.spin);
        let slide = sub(of_b.velocity, of_a.velocity);
        let across = cross(of_a.spin, sub(of_b.center, of_a.center));
        // A point of the normalized frame is at A (u / scale + o) + t in the world.
        let o = image(a.pose.rows(), a.frame.origin);
        let from = sub(add(o, *a.pose.translation()), of_b.center);
        let field = |spin: Vector, velocity: Vector| Field {
            linear: product(n, &crossed(times(spin, half), a.pose.rows())),
            offset: times(image(n, velocity), half * scale),
        };
        let way = field(spin, add(cross(spin, from), sub(slide, across)));
        let turn = field(of_b.spin, cross(of_b.spin, from));
        let (rate_a, rate_b) = (length(of_a.spin), length(of_b.spin));
        let slide = length(slide);
        let more = 2.0 * rate_a + 2.0 * half * rate_a * rate_a;
        let arm = length(sub(*a.pose.translation(), of_a.center)) + a.radius + margin;
        let rest = if rate_a == 0.0 { 0.0 } else { rate_a * rate_a * arm + more * slide };
        // Sums of at most six terms of three products each: 40 u of their sizes. N's own error is relative to
        // its size, and the poses err by their skew. The linear parts' errors move points of the frame, too.
        // Those that come within the margin are no further than `near` from the origin, but for their ways,
        // and users add the same error of these.
        let inverse = if norm > 0.0 { a.from_world.linear_error / norm } else { f64::INFINITY };
        let relative_error = 40.0 * UNIT + 6.0 * inverse + 4.0 * (of_a.skew + of_b.skew);
        let far = length(*a.pose.translation())
            + a.norm * length(a.frame.origin)
            + length(of_b.center)
            + length(of_a.center);
        let (rates, near) = (rate_a + rate_b, 8.0 + scale * norm * margin);
        let rounding = relative_error
            * half
            * (scale * norm * (rates * far + length(of_a.velocity) + length(of_b.velocity))
                + near * norm * a.norm * rates);
        let bend_turn = 0.5 * half * (rate_b + more) * norm * a.norm * (1.0 + 1e-9);
        if let [Some(of_a), Some(of_b)] = [&of_a.rates, &of_b.rates] {
            let far = (margin + 2.0 * half * (of_a.speed + of_b.speed)) * (1.0 + 1e-9);
            let speeds = of_a.speed + of_a.spin * far + of_b.speed;
            let bend = of_b.acceleration + of_a.acceleration + of_a.bend * far + 2.0 * of_a.spin * speeds;
            let slack = of_b.speed_slack + of_a.speed_slack + of_a.spin_slack * far;
            let rest = half * scale * norm * (0.5 * half * bend + slack);
            let bend_rest = (rest + rounding) * (1.0 + 1e-9);
            return Self { way, turn, bend_turn: 0.0, bend_rest, turn_rate: 0.0, relative_error };
        }
        // The turn rounds, too, and counts `bend_turn` times.
        let rounding = rounding * (1.0 + bend_turn);
        Self {
            way,
            turn,
            bend_turn,
            bend_rest: (0.5 * half * half * scale * norm * rest + rounding) * (1.0 + 1e-9),
            turn_rate: half * rate_b * norm * a.norm * (1.0 + 1e-9),
            relative_error,
        }
    }

    /// The ways in a frame that is turned by `turn`, up to the rounding that each user adds.
    pub(crate) fn turned(&self, turn: &Rotation) -> Self {
        Self { way: self.way.turned(&turn.rows), turn: self.turn.turned(&turn.rows), ..*self }
    }

    /// Bound of the way of any point with |u| <= `reach` in the interval, bend included.
    pub(crate) fn longest(&self, reach: f64) -> f64 {
        self.way.reach(reach) + self.bend_turn * self.turn.reach(reach) + self.bend_rest
    }
}

#[cfg(test)]
mod tests;
