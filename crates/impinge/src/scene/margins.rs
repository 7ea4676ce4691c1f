//! Margins of bodies, and the pairs within them.
use super::bodies::Slot;
use crate::{body_id::BodyId, broad_phase::Aabb, distance::DistanceBounds};
use std::collections::BTreeMap;

/// Two bodies that do not meet, and are no further apart than their margin, as found by one update of a
/// scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Proximity {
    /// The two bodies, the smaller id first.
    pub bodies: [BodyId; 2],
    /// The distance of their surfaces, as [`Query::distance`](crate::Query::distance) returns it.
    pub gap: DistanceBounds,
    /// True if they were not near at the update before: further apart, or meeting.
    pub began: bool,
}

#[derive(Debug, Default)]
pub(super) struct Margins {
    /// The margin of bodies that have none of their own.
    pub(super) all: f64,
    /// The margins of pairs, the smaller id first.
    pub(super) pairs: BTreeMap<[BodyId; 2], f64>,
    /// True if a margin was ever set.
    pub(super) is_used: bool,
}

impl Margins {
    pub(super) fn of(&self, ids: [BodyId; 2], slots: [&Slot; 2]) -> f64 {
        if !self.is_used {
            return 0.0;
        }
        let [a, b] = slots.map(|slot| slot.margin.unwrap_or(self.all));
        self.pairs.get(&ids).copied().unwrap_or(a.max(b))
    }
    /// A body's box, grown so that two such boxes meet if the bodies may be within their margin.
    ///
    /// Let M be the margin of all, and m and m' those of the two bodies, or that of the pair if it is more.
    /// Then max(m, M) - M / 2 and max(m', M) - M / 2 sum to max(m, m') at least.
    pub(super) fn grown(&self, aabb: Aabb, slot: &Slot) -> Aabb {
        // An empty box stays empty.
        if !self.is_used || aabb.lo[0] > aabb.hi[0] {
            return aabb;
        }
        let most = slot.margin.unwrap_or(self.all).max(slot.most_of_pairs).max(self.all);
        // The factor covers two roundings; each side has one of its own.
        let by = ((most - self.all / 2.0) * (1.0 + 4.0 * f64::EPSILON)).next_up();
        Aabb { lo: aabb.lo.map(|x| (x - by).next_down()), hi: aabb.hi.map(|x| (x + by).next_up()) }
    }
}
