//! A box of space that is halved in a search.
use super::near_point::NearPoint;
use crate::vector::{Vector, length};

/// A box. Its halves share a plane, so that they fill it exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpaceCell {
    pub(super) lo: Vector,
    pub(super) hi: Vector,
}

impl SpaceCell {
    pub(super) fn middle(&self) -> NearPoint {
        NearPoint::exact([0, 1, 2].map(|k| self.lo[k] / 2.0 + self.hi[k] / 2.0))
    }
    /// No point of the box is farther from the middle.
    pub(super) fn reach(&self) -> f64 {
        let middle = self.middle().at;
        let half = [0, 1, 2].map(|k| (self.hi[k] - middle[k]).max(middle[k] - self.lo[k]));
        length(half) * (1.0 + 1e-12) + 1e-150
    }
    /// The halves, across the longest side. `None` if no number is between its ends.
    pub(super) fn halves(&self) -> Option<[Self; 2]> {
        let sides = [0, 1, 2].map(|k| self.hi[k] - self.lo[k]);
        let k = (0..3).max_by(|&i, &j| sides[i].total_cmp(&sides[j])).unwrap_or(0);
        let cut = self.middle().at[k];
        if !(self.lo[k] < cut && cut < self.hi[k]) {
            return None;
        }
        let mut halves = [*self; 2];
        halves[0].hi[k] = cut;
        halves[1].lo[k] = cut;
        Some(halves)
    }
    /// The volume, with an error of less than 8 u of it, but for underflow.
    pub(super) fn volume(&self) -> f64 {
        (self.hi[0] - self.lo[0]) * (self.hi[1] - self.lo[1]) * (self.hi[2] - self.lo[2])
    }
}
