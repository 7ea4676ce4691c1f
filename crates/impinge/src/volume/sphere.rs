//! Balls { x : |x - c| <= r }: the BallTree of Larsson and Akenine-Moller 2008, 16 bytes.
//!
//! The fit is that of their section 2: the extremal points along the 13 directions with components in {0, +-1}, the
//! smallest ball that holds those, grown to hold all points. Or Ritter's ball.
//!
//! # Bounds
//! The fit's are those of [`ball::stored`]. A moving ball of radius r maps into one of
//! radius sigma r, sigma = [`Motion::stretch`], around a centre that [`Motion::slack`] covers together with all roundings of the test: 12 of
//! quantities up to |M| + |c| + 1. An overflow makes the slack infinite, and infinity exceeds nothing.
use super::{Cluster, Collide, Fit, Placement, Volume};
use crate::{
    build::Split,
    fit::{ball, extremal::extremal_points},
    motion::Motion,
    query::Overlap,
    tree::Link,
};

type Vector = [f64; 3];

/// A ball, in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sphere {
    centre: [f32; 3],
    radius: f32,
}

const _: () = assert!(size_of::<Sphere>() == 16);

/// A ball in the resting chart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    centre: Vector,
    radius: f64,
}

/// The map of moving balls.
pub(crate) struct Frame {
    motion: Motion,
    stretch: f64,
    slack: f64,
}

fn square_distance(a: &Vector, b: &Vector) -> f64 {
    let d: Vector = std::array::from_fn(|k| a[k] - b[k]);
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

impl Sphere {
    fn fit(cluster: &Cluster<'_>, fit: Fit) -> Self {
        let points: Vec<_> = cluster.points().collect();
        let ends = extremal_points(points.iter().copied());
        let ball = match fit {
            Fit::Ritter => ball::ritter(&ends, points.iter().copied()),
            _ => ball::of_extremal(&points, &ends),
        };
        let (centre, radius) = ball::stored(&ball, &points, &cluster.bounds);
        Self { centre, radius }
    }
    #[inline(always)]
    fn rest(&self) -> Placed {
        Placed { centre: self.centre.map(f64::from), radius: f64::from(self.radius) }
    }
    #[inline(always)]
    fn place(&self, frame: &Frame) -> Placed {
        let centre = frame.motion.apply(self.centre.map(f64::from));
        Placed { centre, radius: f64::from(self.radius) * frame.stretch + frame.slack }
    }
}

impl Volume for Sphere {
    type Family = [Self; 2];
    type Links = [Link; 2];
    type Live = Self;
    const PAPER: &'static str = "Larsson and Akenine-Moller 2008 (BallTree)";
    // A squared distance, a sum, a square, a comparison; a matrix and an offset, a scaled and padded radius.
    const OPERATIONS: [u32; 2] = [11, 20];
    const FITS: &'static [Fit] = &[Fit::Auto, Fit::Ritter];
    const SPLIT: Split = Split::Centroid;
    const NO_LINKS: Self::Links = [Link::NONE; 2];

    fn enclose(all: &Cluster<'_>, fit: Fit) -> Self {
        Self::fit(all, fit)
    }
    fn seal(_: &Self, children: &[Cluster<'_>], fit: Fit) -> Self::Family {
        [Self::fit(&children[0], fit), Self::fit(&children[1], fit)]
    }
    #[inline(always)]
    fn live(_: &Self, family: &Self::Family, slot: usize) -> Self {
        family[slot]
    }
    fn holds(live: &Self, lo: &Vector, hi: &Vector) -> bool {
        let centre = live.centre.map(f64::from);
        // The corner furthest away.
        let far: Vector = std::array::from_fn(|k| (hi[k] - centre[k]).abs().max((lo[k] - centre[k]).abs()));
        square_distance(&far, &[0.0; 3]).sqrt() <= f64::from(live.radius)
    }
}

impl Collide for Sphere {
    type Frame = Frame;
    type Resting = Placed;
    type Moving = Placed;
    const OVERLAPS: &'static [Overlap] = &[Overlap::Auto];

    fn frame(placement: &Placement, _: Overlap) -> Frame {
        let motion = placement.to_resting;
        Frame { motion, stretch: motion.stretch(), slack: motion.slack() }
    }
    #[inline(always)]
    fn rest(_: &Frame, root: &Self) -> Placed {
        root.rest()
    }
    #[inline(always)]
    fn place(frame: &Frame, root: &Self) -> Placed {
        root.place(frame)
    }
    #[inline(always)]
    fn resting(_: &Frame, _: &Placed, family: &Self::Family, slot: usize) -> Placed {
        family[slot].rest()
    }
    #[inline(always)]
    fn moving(frame: &Frame, _: &Placed, family: &Self::Family, slot: usize) -> Placed {
        family[slot].place(frame)
    }
    #[inline(always)]
    fn apart(_: &Frame, a: &Placed, b: &Placed) -> bool {
        let reach = a.radius + b.radius;
        square_distance(&a.centre, &b.centre) > reach * reach
    }
    #[inline(always)]
    fn resting_is_larger(_: &Frame, a: &Placed, b: &Placed) -> bool {
        a.radius >= b.radius
    }
}
