//! Cubes along the axes { x : |x_i - c_i| <= r }, 16 bytes: the example of a new volume in
//! `papers/docs/new-volume.md`. `.ci/new-volume` adds it to a copy of this crate.
//!
//! # Bounds
//! r exceeds every |p_i - c_i| by [`ball::MARGIN`]. The image of a moving cube lies in the cube of half-width
//! r s around the image of c, s = the largest row sum of |M|. [`Motion::slack`] covers the rest, as for
//! balls. Corners for rays and directions round by less than the margin.
use super::{
    bounding_volume::BoundingVolume,
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap,
    fit::ball,
    gap,
    line::{Interval, Line},
    primitives::Primitives,
    refit::RefitVolume,
};
use impinge::hierarchy::{Motion, Placement, round_up};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cube {
    centre: [f32; 3],
    half: f32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedCube {
    centre: [f64; 3],
    half: f64,
}

fn largest_difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max)
}

impl BoundingVolume for Cube {
    /// The motion, and the factor of half-widths.
    type Precomputed = (Motion, f64);
    type Resting = PlacedCube;
    type Moving = PlacedCube;
    const PAPER: &'static str = "an example";
    // Three differences, two maxima, a sum, a comparison; a matrix and an offset, a scaled and padded width.
    const OPERATIONS: [u32; 2] = [7, 20];
    const OVERLAPS: &'static [Overlap] = &[Overlap::Auto];
    const TESTS: &'static [&'static str] = &["cubes"];

    fn fit(primitives: &Primitives<'_>, _: Fit) -> Self {
        let [lo, hi] = [primitives.bounds.lo, primitives.bounds.hi];
        let centre: [f32; 3] = std::array::from_fn(|k| lo[k] / 2.0 + hi[k] / 2.0);
        let reach = |corner: [f32; 3]| largest_difference(corner.map(f64::from), centre.map(f64::from));
        Self { centre, half: round_up(reach(lo).max(reach(hi)) + ball::MARGIN) }
    }
    fn holds(&self, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        [*lo, *hi].iter().all(|&p| largest_difference(p, self.centre.map(f64::from)) <= f64::from(self.half))
    }
    fn precompute(placement: &Placement, _: Overlap) -> Self::Precomputed {
        let rows = placement.to_resting.linear.map(|row| row.iter().map(|x| x.abs()).sum::<f64>());
        (placement.to_resting, rows.into_iter().fold(0.0, f64::max))
    }
    fn prepare_resting(&self, _: &Self::Precomputed) -> PlacedCube {
        PlacedCube { centre: self.centre.map(f64::from), half: f64::from(self.half) }
    }
    fn prepare_moving(&self, (motion, scale): &Self::Precomputed) -> PlacedCube {
        let centre = motion.apply(self.centre.map(f64::from));
        PlacedCube { centre, half: f64::from(self.half) * scale + motion.slack() }
    }
    fn separation(_: &Self::Precomputed, a: &PlacedCube, b: &PlacedCube) -> Option<u8> {
        (largest_difference(a.centre, b.centre) > a.half + b.half).then_some(0)
    }
    fn gap(_: &Self::Precomputed, a: &PlacedCube, b: &PlacedCube) -> f64 {
        gap::length([0, 1, 2].map(|k| (a.centre[k] - b.centre[k]).abs() - (a.half + b.half)))
    }
    fn resting_is_larger(_: &Self::Precomputed, a: &PlacedCube, b: &PlacedCube) -> bool {
        a.half >= b.half
    }
}

impl Cube {
    fn corners(&self) -> [[f64; 3]; 2] {
        let half = f64::from(self.half);
        [-half, half].map(|off| self.centre.map(|x| f64::from(x) + off))
    }
}

impl Shape for Cube {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    fn passage(&self, line: &Line) -> Interval {
        let [lo, hi] = self.corners();
        line.cuboid(&lo, &hi)
    }
    fn direction(a: &[f64; 3]) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    fn range(&self, direction: &PlaneNormal) -> Interval {
        let [lo, hi] = self.corners();
        direction.cuboid(&lo, &hi)
    }
}

impl RefitVolume for Cube {}
