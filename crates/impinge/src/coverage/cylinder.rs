//! A solid cylinder between two points: its distance from a point.
use super::signed_bounds::SignedBounds;
use crate::vector::{UNIT, Vector, cross, dot, length, sub};

/// The points between the planes through both ends, across the axis, that are no farther from the axis than
/// the radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cylinder {
    pub(super) ends: [Vector; 2],
    pub(super) radius: f64,
}

impl Cylinder {
    /// The distance of a point, negative inside: a convex function.
    ///
    /// With w the point less the first end, and d the axis of length L, w.d / L is the place along the axis,
    /// and |w x d| / L the distance from it. Differences of coordinates round once: products of two take 2 u
    /// of |w| L, sums of three 3 u more, the division, the length and its root 5 u. Each number is off by less
    /// than 16 u (|w| + L). What the last root adds is less than as much again.
    pub(super) fn distance(&self, at: &Vector) -> SignedBounds {
        let (w, axis) = (sub(*at, self.ends[0]), sub(self.ends[1], self.ends[0]));
        let (far, long) = (length(w), length(axis));
        // Neither overflow nor underflow, which the bound does not cover.
        if !(1e-50 < long && long < 1e70 && far < 1e70 && self.radius < 1e70) {
            return SignedBounds::new(f64::NEG_INFINITY, f64::INFINITY);
        }
        let along = dot(w, axis) / long;
        let beyond = (-along).max(along - long);
        let beside = length(cross(w, axis)) / long - self.radius;
        let distance = if beyond > 0.0 && beside > 0.0 {
            (beyond * beyond + beside * beside).sqrt()
        } else {
            beyond.max(beside)
        };
        let off = 64.0 * UNIT * (far + long + self.radius) + 1e-100;
        SignedBounds::new(distance - off, distance + off)
    }
    /// The nearest point of it, but for roundings.
    pub(super) fn near_point(&self, at: &Vector) -> Vector {
        let (w, axis) = (sub(*at, self.ends[0]), sub(self.ends[1], self.ends[0]));
        let along = dot(w, axis) / dot(axis, axis);
        let aside = [0, 1, 2].map(|k| w[k] - along * axis[k]);
        let (along, part) = (along.clamp(0.0, 1.0), (self.radius * (1.0 - 1e-12) / length(aside)).min(1.0));
        [0, 1, 2].map(|k| self.ends[0][k] + along * axis[k] + part * aside[k])
    }
    /// A ball around it: its centre and radius, rounded up.
    pub(super) fn ball(&self) -> (Vector, f64) {
        let [a, b] = self.ends;
        let half = length(sub(b, a)) / 2.0;
        let size = a.iter().chain(&b).map(|x| x.abs()).fold(0.0, f64::max);
        let radius = (half * half + self.radius * self.radius).sqrt() * (1.0 + 1e-12);
        ([0, 1, 2].map(|k| a[k] / 2.0 + b[k] / 2.0), radius + 8.0 * UNIT * size + 1e-100)
    }
}
