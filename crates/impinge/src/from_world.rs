//! Points, directions and planes of the world in a tree's own frame, with bounds.
//!
//! A placed tree takes y to x = R T y + t, where T is its normalized frame and its turn. The way back goes by
//! x - t, one rounding of each coordinate, and by the [`Motion`] from a frame with its origin in t. So the
//! error does not grow with the distance of both from the world's origin.
//!
//! # Planes
//! In the tree's frame n.x - d is a.y + b, with a = L^T n and b = n.c - d for the map y -> L y + c to the
//! world. Where no |y_k| exceeds H, the map's errors dL and dc change it by at most |n|_1 (3 H dL + dc), and
//! f64 rounds by 8 units of the sum of all sizes. Everything is divided by s = |a|_1 H + |b|, so that it is
//! at most 1.
use crate::{
    Pose,
    half_space::HalfSpace,
    motion::{Motion, Rotation},
    normalized_frame::NormalizedFrame,
    vector::{UNIT, Vector, largest, sub},
};

/// The map to a placed tree's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromWorld {
    /// The map from the frame whose origin is the pose's translation.
    motion: Motion,
    translation: Vector,
    /// The image of a point x is off by at most `off` + `skew` |x - translation|_1.
    off: f64,
    skew: f64,
    /// The largest entry of the motion's matrix.
    entry: f64,
}

/// A vector, each coordinate within an error. NaN or infinity where it has no bound.
#[derive(Clone, Copy, Debug)]
pub struct RoundedVector {
    /// The coordinates.
    pub v: Vector,
    /// Bound of the error of each coordinate.
    pub error: f64,
}

/// A half-space a.y + b <= 0 in a tree's frame, divided by a positive number: |a|_1 times the reach of the
/// tree, plus |b|, is about 1.
#[derive(Clone, Copy, Debug)]
pub struct RoundedPlane {
    /// The normal, out of the half-space.
    pub a: Vector,
    /// The value at the frame's origin.
    pub b: f64,
    /// Bound of the error of a.y + b where y is in reach. Infinite where it has no bound.
    pub error: f64,
    /// The number that all is divided by; 1 where there is no bound.
    pub scale: f64,
}

impl RoundedPlane {
    /// The half-space for points y whose coordinates are no larger than `reach`.
    pub(crate) fn new(to_world: &Motion, plane: &HalfSpace, reach: f64) -> Self {
        let (n, m, c) = (plane.normal(), &to_world.linear, &to_world.offset);
        let a: Vector = [0, 1, 2].map(|k| n[0] * m[0][k] + n[1] * m[1][k] + n[2] * m[2][k]);
        let b = n[0] * c[0] + n[1] * c[1] + n[2] * c[2] - plane.offset();
        let taxicab = n[0].abs() + n[1].abs() + n[2].abs();
        let size = |k: usize| (n[0] * m[0][k]).abs() + (n[1] * m[1][k]).abs() + (n[2] * m[2][k]).abs();
        let summed = (size(0) + size(1) + size(2)) * reach
            + (n[0] * c[0]).abs()
            + (n[1] * c[1]).abs()
            + (n[2] * c[2]).abs()
            + plane.offset().abs();
        let error = taxicab * (3.0 * reach * to_world.linear_error + largest(to_world.offset_error));
        let scale = (a[0].abs() + a[1].abs() + a[2].abs()) * reach + b.abs();
        let error = (error * (1.0 + 1e-6) + 8.0 * UNIT * summed) / scale;
        // Neither overflow nor underflow, which the bound does not cover.
        if !(error < 1e3 && scale > 1e-250 && summed < 1e250) {
            return Self { a: [0.0; 3], b: 0.0, error: f64::INFINITY, scale: 1.0 };
        }
        Self { a: a.map(|a| a / scale), b: b / scale, error, scale }
    }
}

impl FromWorld {
    /// The map to a normalized frame and a turn of it.
    pub(crate) fn new(normalized: &NormalizedFrame, turn: &Rotation, pose: &Pose) -> Self {
        let translation = *pose.translation();
        let motion = Motion::between(&Pose::at(translation), pose)
            .in_normalized_frames(&NormalizedFrame::WORLD, normalized)
            .turned(&Rotation::new(*Pose::IDENTITY.rows()), turn);
        // The bound of `Motion::error`, whose sizes are at most the largest entry times |x|_1. The rounding
        // of x, by u in each coordinate, is lengthened by the motion.
        let entry = largest(motion.linear.as_flattened().iter().map(|x| x.abs()));
        let skew = 5.0 * UNIT * entry + motion.linear_error + 1.75 * motion.norm * UNIT;
        let off = 5.0 * UNIT * largest(motion.offset.map(f64::abs)) + largest(motion.offset_error);
        let (skew, off) = (skew * (1.0 + 32.0 * UNIT), off * (1.0 + 32.0 * UNIT) + f64::MIN_POSITIVE);
        Self { motion, translation, off, skew, entry }
    }
    #[inline]
    pub(crate) fn point(&self, x: &Vector) -> RoundedVector {
        let x = sub(*x, self.translation);
        let error = (x[0].abs() + x[1].abs() + x[2].abs()) * self.skew + self.off;
        RoundedVector { v: self.motion.apply(x), error: error * (1.0 + 8.0 * UNIT) }
    }
    /// The image M d of a direction, not normalized: it rounds by 3 u of |M||d|, and the error of M adds its
    /// part.
    pub(crate) fn direction(&self, d: &Vector) -> RoundedVector {
        let m = &self.motion.linear;
        let v = [0, 1, 2].map(|i| m[i][0] * d[0] + m[i][1] * d[1] + m[i][2] * d[2]);
        let taxicab = d[0].abs() + d[1].abs() + d[2].abs();
        let error = taxicab * (self.motion.linear_error + 4.0 * UNIT * self.entry) * (1.0 + 8.0 * UNIT);
        RoundedVector { v, error: error + f64::MIN_POSITIVE }
    }
}
