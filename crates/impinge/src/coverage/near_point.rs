//! A point whose distance from an element is asked for.
use crate::{Pose, vector::Vector};

/// A point, and an estimate of it in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPoint {
    pub(super) at: Vector,
    /// Bound of the distance from the exact point; 0 if the point is exact.
    pub(super) off: f64,
    /// The exact point in the frame of the part, if it is a corner of it.
    pub(super) own: Option<Vector>,
}

impl NearPoint {
    pub(super) fn exact(at: Vector) -> Self {
        Self { at, off: 0.0, own: None }
    }
}

/// What is asked of an element's distance from points of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The pose of the part.
    pub(super) pose: Pose,
    /// The depth that points have to have.
    pub(super) margin: f64,
}

impl Asked {
    /// Of points of the world.
    pub(super) const WORLD: Self = Self { pose: Pose::IDENTITY, margin: 0.0 };
}
