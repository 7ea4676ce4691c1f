//! Bounds of a distance from an element.
use crate::solid::Location;

/// Bounds of a distance that is negative inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedBounds {
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// The triangle of a body that is nearest.
    pub(super) facet: Option<u32>,
}

impl SignedBounds {
    pub(super) fn new(lo: f64, hi: f64) -> Self {
        Self { lo, hi, facet: None }
    }
    /// The bounds, given on which side of the surface the point is. A point is outside of a mesh that bounds
    /// no solid, but for the points on it.
    pub(super) fn on_side(self, side: Location) -> Self {
        match side {
            Location::Inside => Self { hi: self.hi.min(0.0), ..self },
            Location::OnSurface => Self { lo: 0.0, hi: 0.0, ..self },
            Location::Outside | Location::Undefined => Self { lo: self.lo.max(f64::from_bits(1)), ..self },
        }
    }
}
