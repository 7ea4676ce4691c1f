//! Planes that divide cells.
use crate::vector::{Vector, dot, sub};

/// A plane that divides a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct DividingPlane {
    pub(super) on: Vector,
    pub(super) normal: Vector,
}

impl DividingPlane {
    pub(super) fn height(&self, p: &Vector) -> f64 {
        dot(self.normal, sub(*p, self.on))
    }
}
