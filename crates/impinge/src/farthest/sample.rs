//! A point of the first surface, its bound and its side.
use crate::vector::Vector;

/// A point of the first surface, but for the frame's pad.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceSample {
    pub(super) at: Vector,
    /// A lower bound of its distance from the second surface; NaN until it is measured.
    pub(super) lo: f64,
    /// A triangle of the second body that is nearest, or nearly.
    pub(super) near: u32,
    pub(super) side: SampleSide,
}

/// The side of a sample's exact point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleSide {
    NotAsked,
    Counts,
    Other,
    /// Too near to the surface: its rounded point may be on another side.
    Near,
}

impl SurfaceSample {
    pub(super) fn new(at: Vector) -> Self {
        Self { at, lo: f64::NAN, near: u32::MAX, side: SampleSide::NotAsked }
    }
    pub(super) fn is_measured(&self) -> bool {
        !self.lo.is_nan()
    }
}
