//! [`Measures`] of a finding, and the limits beyond which they are [`Worse`].
use std::sync::Arc;

/// Relation of a finding and its sizes, each between a lower and an upper bound. Sizes that were not measured
/// are `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Relation of the parts, such as `overlap`.
    pub relation: Arc<str>,
    /// Volume in common.
    pub volume: Option<[f64; 2]>,
    /// Interference depth; if it is unknown, the length of a translation that separates the parts.
    pub depth: Option<[f64; 2]>,
    /// Distance of parts that are near each other.
    pub distance: Option<[f64; 2]>,
}

/// The growth beyond which a finding is worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worse {
    /// Growth of the depth or volume, or decrease of the distance, as a fraction of the earlier number. Only
    /// growth that the bounds of both prove counts.
    pub relative: f64,
    /// Least growth of the depth, or decrease of the distance, in the unit of the coordinates.
    pub length: f64,
    /// Least growth of the volume, in the unit of the coordinates cubed.
    pub volume: f64,
}

/// A tenth, without a least growth.
impl Default for Worse {
    fn default() -> Self {
        Self { relative: 0.1, length: 0.0, volume: 0.0 }
    }
}

impl Worse {
    /// True if a size has certainly grown: its lower bound is above the earlier upper bound by more than the
    /// limits. A difference within the bounds may be rounding.
    fn grew(&self, before: Option<[f64; 2]>, now: Option<[f64; 2]>, least: f64) -> bool {
        let (Some([_, before]), Some([now, _])) = (before, now) else { return false };
        now - before > (self.relative * before.abs()).max(least)
    }
}

impl Measures {
    /// True if the relation is graver, or a size certainly grew by more than the limits.
    pub fn is_worse_than(&self, before: &Self, worse: &Worse) -> bool {
        let negative = |bounds: Option<[f64; 2]>| bounds.map(|[lo, hi]| [-hi, -lo]);
        self.is_graver_than(before)
            || worse.grew(before.depth, self.depth, worse.length)
            || worse.grew(before.volume, self.volume, worse.volume)
            || worse.grew(negative(before.distance), negative(self.distance), worse.length)
    }
    /// True if the relation is graver. The order is near, touching, meeting, overlapping or piercing, one
    /// inside the other, duplicate.
    pub fn is_graver_than(&self, before: &Self) -> bool {
        match (grade(&before.relation), grade(&self.relation)) {
            (Some(before), Some(now)) => now > before,
            _ => false,
        }
    }
    /// The least measures of both, which the next delivery is compared with: the bounds of the size with the
    /// smaller upper bound, and of the distance with the larger lower bound.
    pub(super) fn least(&self, other: &Self) -> Self {
        type Bounds = [f64; 2];
        let of = |a: Option<Bounds>, b: Option<Bounds>, is_first: fn(Bounds, Bounds) -> bool| match (a, b) {
            (Some(a), Some(b)) => Some(if is_first(a, b) { a } else { b }),
            (a, b) => a.or(b),
        };
        let is_smaller = |a: Bounds, b: Bounds| a[1] <= b[1];
        let relation = if self.is_graver_than(other) { &other.relation } else { &self.relation };
        Self {
            relation: Arc::clone(relation),
            volume: of(self.volume, other.volume, is_smaller),
            depth: of(self.depth, other.depth, is_smaller),
            distance: of(self.distance, other.distance, |a, b| a[0] >= b[0]),
        }
    }
    pub(super) fn swapped(&self) -> Self {
        let relation = match &*self.relation {
            "inside" => "contains".into(),
            "contains" => "inside".into(),
            _ => Arc::clone(&self.relation),
        };
        Self { relation, ..self.clone() }
    }
}

/// Today's name of a relation, from its name in a file of format version 1 or 2, or today's.
pub(super) fn name_now(name: &str) -> &str {
    match name {
        "a_in_b" => "inside",
        "b_in_a" => "contains",
        "same" => "duplicate",
        "inside_open" => "surface_inside",
        _ => name,
    }
}

/// The rank of a relation, larger for graver ones; `None` for one that is not between two parts.
fn grade(relation: &str) -> Option<u8> {
    match relation {
        "near" => Some(0),
        "touch" => Some(1),
        "meet" => Some(2),
        "overlap" | "pierce" => Some(3),
        "inside" | "contains" | "surface_inside" => Some(4),
        "duplicate" => Some(5),
        _ => None,
    }
}
