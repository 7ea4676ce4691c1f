//! Margins of bodies, and the pairs within them.
use super::bodies::Slot;
use crate::{body_id::BodyId, broad_phase::Aabb, distance::DistanceBounds, margin::Margin};
use std::collections::BTreeMap;

/// Two bodies that do not meet, and are no further apart than their margin, as found by one update of a
/// scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Proximity {
    /// The two bodies, the smaller id first.
    pub bodies: [BodyId; 2],
    /// Their distance, as [`Query::distance`](crate::Query::distance) returns it.
    pub gap: DistanceBounds,
    /// True if they were not near at the update before: further apart, or meeting.
    pub began: bool,
}

/// How near two bodies of a scene count: the triangles of bodies that meet are within the sum of the radii,
/// and those of bodies that are near within the margin and that sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairReach {
    pub(super) margin: f64,
    pub(super) radii: [f64; 2],
}

impl PairReach {
    /// True if one of the bodies has a radius.
    pub(super) fn is_rounded(&self) -> bool {
        self.radii != [0.0; 2]
    }
    /// The greatest distance of the triangles of bodies that meet.
    pub(super) fn of_contact(&self) -> Margin {
        Margin::ZERO.with_radii(self.radii)
    }
    /// The greatest distance of the triangles of bodies that are near or meet, rounded up.
    pub(super) fn most(&self) -> f64 {
        Margin::of(self.margin).with_radii(self.radii).get()
    }
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
    pub(super) fn of(&self, ids: [BodyId; 2], slots: [&Slot; 2]) -> PairReach {
        let radii = slots.map(|slot| slot.radius);
        if !self.is_used {
            return PairReach { margin: 0.0, radii };
        }
        let [a, b] = slots.map(|slot| slot.margin.unwrap_or(self.all));
        PairReach { margin: self.pairs.get(&ids).copied().unwrap_or(a.max(b)), radii }
    }
    /// A body's box, grown so that two such boxes meet if the bodies may be within their margin.
    ///
    /// Let M be the margin of all, and m and m' those of the two bodies, or that of the pair if it is more.
    /// Then max(m, M) - M / 2 and max(m', M) - M / 2 sum to max(m, m') at least. The radii are added.
    pub(super) fn grown(&self, aabb: Aabb, slot: &Slot) -> Aabb {
        if !self.is_used && slot.radius == 0.0 {
            return aabb;
        }
        wider(aabb, self.growth(slot))
    }
    /// The length by which a body's box grows on each side.
    pub(super) fn growth(&self, slot: &Slot) -> f64 {
        let most = slot.margin.unwrap_or(self.all).max(slot.most_of_pairs).max(self.all);
        // The factor covers three roundings.
        ((most - self.all / 2.0) + slot.radius) * (1.0 + 4.0 * f64::EPSILON)
    }
}

/// A box that is wider by a length on each side, rounded outwards. An empty box stays empty.
pub(super) fn wider(aabb: Aabb, by: f64) -> Aabb {
    if aabb.lo[0] > aabb.hi[0] {
        return aabb;
    }
    let by = by.next_up();
    Aabb { lo: aabb.lo.map(|x| (x - by).next_down()), hi: aabb.hi.map(|x| (x + by).next_up()) }
}
