//! A half-space and a body in motion: how long each triangle stays above the plane.
//!
//! The height of a corner z over the plane, times |n|, is n.z - d. In an interval it changes by s h n.z' and
//! by
//! |n| times the bend at most, s from -1 to 1, with z' = w x (z - c) + v and the bend h^2 / 2 |w| |w x (z -
//! c)| (see the head of `drift.rs`).
//!
//! # Rounding
//! A placed corner is off by 4 u of the sums of its products and by the path's error, n.z - d by 5 u of its
//! terms, n.z' by 16 u of its own and by what the rotation errs (`skew`). All this is in the room. A chain of
//! joints has bounds of its own of accelerations and of the errors of velocities (`path/chain.rs`).
use super::Moving;
use crate::{
    Body, HalfSpace,
    distance::Margin,
    path::Twist,
    triangle::moving::{FreeTime, shrinking_gap},
    vector::{UNIT, Vector, cross, dot, length, sub},
};

/// A half-space at rest, a body that moves, and the distance that counts as contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct OverPlane<'a> {
    pub(super) half_space: &'a HalfSpace,
    pub(super) b: Moving<'a>,
    pub(super) margin: Margin,
}

/// The body at the middle of an interval.
pub(super) struct HeightMoment<'a> {
    pub(super) b: Body<'a>,
    half_space: &'a HalfSpace,
    twist: Twist,
    half: f64,
    margin: f64,
    /// The path's error.
    error: f64,
    /// Bound of the distance of any point of the body from the twist's center.
    arm: f64,
}

impl<'a> OverPlane<'a> {
    pub(super) fn at(&self, t: f64, half: f64) -> HeightMoment<'a> {
        let (b, twist) = (self.b.at(t), self.b.twist(t, half));
        let rows = b.pose.rows();
        let reach = b.model.reach();
        let far = (0..3).map(|j| reach[j] * length([rows[0][j], rows[1][j], rows[2][j]])).sum::<f64>();
        let arm = (far + length(sub(*b.pose.translation(), twist.center))) * (1.0 + 1e-9);
        let (margin, error) = (self.margin.get(), self.b.error(t, 0.0));
        HeightMoment { b, half_space: self.half_space, twist, half, margin, error, arm }
    }
}

impl HeightMoment<'_> {
    /// How long a triangle stays higher than the margin, in units of half the interval.
    pub(super) fn free_time(&self, triangle: u32) -> FreeTime {
        let Self { half_space: HalfSpace { normal, offset }, twist, half, .. } = self;
        let (rows, t) = (self.b.pose.rows(), self.b.pose.translation());
        let (mut gap, mut rate, mut slack) = ([0.0; 3], [0.0; 3], 0.0_f64);
        let rate_of_turn = length(twist.spin);
        let size_of_normal = length(*normal) * (1.0 + 8.0 * UNIT);
        for (k, y) in self.b.model.mesh().corners(triangle).into_iter().enumerate() {
            let place = |i: usize| dot(rows[i], y) + t[i];
            let z: Vector = [place(0), place(1), place(2)];
            let sizes = |i: usize| dot(rows[i].map(f64::abs), y.map(f64::abs)) + t[i].abs();
            let size = [sizes(0), sizes(1), sizes(2)];
            let turn = cross(twist.spin, sub(z, twist.center));
            gap[k] = dot(*normal, z) - offset;
            rate[k] = half * (dot(*normal, turn) + dot(*normal, twist.velocity));
            let bend = match &twist.rates {
                Some(rates) => half * (0.5 * half * rates.acceleration + rates.speed_slack),
                None => 0.5 * half * half * rate_of_turn * length(turn),
            };
            let far = length(size) + length(twist.center);
            let way = half * (rate_of_turn * far + length(twist.velocity));
            let rounding = 10.0 * UNIT * (far + way) + (16.0 * UNIT + 2.0 * twist.skew) * way;
            let all = size_of_normal * (self.error + bend + 2.0 * rounding) + 6.0 * UNIT * offset.abs();
            slack = slack.max(all * (1.0 + 1e-9));
            if !all.is_finite() {
                return FreeTime::NEVER;
            }
        }
        let room = size_of_normal * self.margin * (1.0 + 8.0 * UNIT) + slack + f64::MIN_POSITIVE;
        shrinking_gap(gap.map(|x| x - room), rate, slack)
    }

    /// Bound of the way of any point of the body in the interval.
    pub(super) fn longest_way(&self) -> f64 {
        if let Some(rates) = &self.twist.rates {
            return 2.0 * self.half * rates.speed;
        }
        let turn = length(self.twist.spin) * self.arm;
        2.0 * self.half
            * (turn * (1.0 + 0.5 * self.half * length(self.twist.spin)) + length(self.twist.velocity))
    }
}
