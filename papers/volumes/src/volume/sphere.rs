//! Balls { x : |x - c| <= r }: the BallTree of Larsson and Akenine-Moller 2008, 16 bytes.
//!
//! The fit is that of their section 2: the extremal points along the 13 directions with components in {0,
//! +-1}, and the smallest ball that contains those, grown to contain all points. [`Fit::Ritter`] uses
//! Ritter's ball instead.
//!
//! # Bounds
//! The fit's are those of [`ball::stored`]. The image of a moving ball of radius r lies in a ball of radius
//! sigma r, sigma = [`Motion::norm`]. [`Motion::slack`] covers the error of its centre together with all
//! roundings of the test: 12 of quantities up to |M| + |c| + 1. An overflow makes the slack infinite, and
//! then no distance exceeds it. A distance of two balls is the same with a root for the square: 2 roundings
//! of the 20 that the slack has to spare.
use super::{
    bounding_volume::BoundingVolume,
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap, Split,
    fit::ball,
    fit::extremal::extremal_points,
    line::{Interval, Line},
    primitives::Primitives,
    refit::RefitVolume,
};
use impinge::hierarchy::{Motion, Placement, Vector};

/// A ball, in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sphere {
    centre: [f32; 3],
    radius: f32,
}

const _: () = assert!(size_of::<Sphere>() == 16);

/// A ball in the resting normalized frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransformedSphere {
    centre: Vector,
    radius: f64,
}

/// The transform of moving balls.
pub(crate) struct SpherePrecomputed {
    motion: Motion,
    norm: f64,
    slack: f64,
}

fn square_distance(a: &Vector, b: &Vector) -> f64 {
    let d: Vector = std::array::from_fn(|k| a[k] - b[k]);
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

impl BoundingVolume for Sphere {
    type Precomputed = SpherePrecomputed;
    type Resting = TransformedSphere;
    type Moving = TransformedSphere;
    const PAPER: &'static str = "Larsson and Akenine-Moller 2008 (BallTree)";
    // A squared distance, a sum, a square, a comparison; a matrix and an offset, a scaled and padded radius.
    const OPERATIONS: [u32; 2] = [11, 20];
    const FITS: &'static [Fit] = &[Fit::Auto, Fit::Ritter];
    const SPLIT: Split = Split::Centroid;
    const OVERLAPS: &'static [Overlap] = &[Overlap::Auto];
    const TESTS: &'static [&'static str] = &["balls"];

    fn fit(primitives: &Primitives<'_>, fit: Fit) -> Self {
        let points: Vec<_> = primitives.points().collect();
        let ends = extremal_points(points.iter().copied());
        let ball = match fit {
            Fit::Ritter => ball::ritter(&ends, points.iter().copied()),
            _ => ball::of_extremal(&points, &ends),
        };
        let (centre, radius) = ball::stored(&ball, &points, &primitives.bounds);
        Self { centre, radius }
    }
    fn holds(&self, lo: &Vector, hi: &Vector) -> bool {
        let centre = self.centre.map(f64::from);
        // The corner furthest from the centre.
        let far: Vector = std::array::from_fn(|k| (hi[k] - centre[k]).abs().max((lo[k] - centre[k]).abs()));
        square_distance(&far, &[0.0; 3]).sqrt() <= f64::from(self.radius)
    }
    fn precompute(placement: &Placement, _: Overlap) -> SpherePrecomputed {
        let motion = placement.to_resting;
        SpherePrecomputed { motion, norm: motion.norm, slack: motion.slack() }
    }
    #[inline(always)]
    fn prepare_resting(&self, _: &SpherePrecomputed) -> TransformedSphere {
        TransformedSphere { centre: self.centre.map(f64::from), radius: f64::from(self.radius) }
    }
    #[inline(always)]
    fn prepare_moving(&self, precomputed: &SpherePrecomputed) -> TransformedSphere {
        let centre = precomputed.motion.apply(self.centre.map(f64::from));
        TransformedSphere { centre, radius: f64::from(self.radius) * precomputed.norm + precomputed.slack }
    }
    #[inline(always)]
    fn separation(_: &SpherePrecomputed, a: &TransformedSphere, b: &TransformedSphere) -> Option<u8> {
        let reach = a.radius + b.radius;
        (square_distance(&a.centre, &b.centre) > reach * reach).then_some(0)
    }
    #[inline(always)]
    fn gap(_: &SpherePrecomputed, a: &TransformedSphere, b: &TransformedSphere) -> f64 {
        square_distance(&a.centre, &b.centre).sqrt() - (a.radius + b.radius)
    }
    #[inline(always)]
    fn resting_is_larger(_: &SpherePrecomputed, a: &TransformedSphere, b: &TransformedSphere) -> bool {
        a.radius >= b.radius
    }
}

impl Shape for Sphere {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    #[inline(always)]
    fn passage(&self, line: &Line) -> Interval {
        line.ball(&self.centre.map(f64::from), f64::from(self.radius))
    }
    fn direction(a: &Vector) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    #[inline(always)]
    fn range(&self, direction: &PlaneNormal) -> Interval {
        direction.ball(&self.centre.map(f64::from), f64::from(self.radius))
    }
}

impl RefitVolume for Sphere {}
