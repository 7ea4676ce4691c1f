//! [`Measures`] of a finding, and when it got [`Worse`].
use std::sync::Arc;

/// Relation of a finding and its sizes; `None` for those that were not measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Relation of the parts, such as `overlap`.
    pub relation: Arc<str>,
    /// Upper bound of the volume in common.
    pub volume: Option<f64>,
    /// Length of a translation that separates the parts.
    pub depth: Option<f64>,
    /// Distance of parts that are near each other.
    pub distance: Option<f64>,
}

/// How much a finding must grow to be worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worse {
    /// Growth of the depth or volume, or decrease of the distance, as a fraction of the earlier number.
    pub relative: f64,
    /// Least growth of the depth, or decrease of the distance, in the unit of the coordinates.
    pub length: f64,
    /// Least growth of the volume, in the unit of the coordinates cubed.
    pub volume: f64,
}

/// A tenth, and no least growth.
impl Default for Worse {
    fn default() -> Self {
        Self { relative: 0.1, length: 0.0, volume: 0.0 }
    }
}

impl Worse {
    fn grew(&self, before: Option<f64>, now: Option<f64>, least: f64) -> bool {
        // What was not measured cannot be compared.
        let (Some(before), Some(now)) = (before, now) else { return false };
        now - before > (self.relative * before.abs()).max(least)
    }
}

impl Measures {
    /// Whether the relation is graver, or a size grew by more than the limits.
    pub fn is_worse_than(&self, before: &Self, worse: &Worse) -> bool {
        let negative = |x: Option<f64>| x.map(|x| -x);
        self.is_graver_than(before)
            || worse.grew(before.depth, self.depth, worse.length)
            || worse.grew(before.volume, self.volume, worse.volume)
            || worse.grew(negative(before.distance), negative(self.distance), worse.length)
    }
    /// Whether the relation is graver: near, touching, meeting, overlapping or piercing, one inside the
    /// other, the same.
    pub fn is_graver_than(&self, before: &Self) -> bool {
        match (grade(&before.relation), grade(&self.relation)) {
            (Some(before), Some(now)) => now > before,
            _ => false,
        }
    }
    /// The least of both: what the next delivery is compared with.
    pub(super) fn least(&self, other: &Self) -> Self {
        let of = |a: Option<f64>, b: Option<f64>, pick: fn(f64, f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (a, b) => a.or(b),
        };
        let relation = if self.is_graver_than(other) { &other.relation } else { &self.relation };
        Self {
            relation: Arc::clone(relation),
            volume: of(self.volume, other.volume, f64::min),
            depth: of(self.depth, other.depth, f64::min),
            distance: of(self.distance, other.distance, f64::max),
        }
    }
    /// The same with the parts exchanged.
    pub(super) fn swapped(&self) -> Self {
        let relation = match &*self.relation {
            "a_in_b" => "b_in_a".into(),
            "b_in_a" => "a_in_b".into(),
            _ => Arc::clone(&self.relation),
        };
        Self { relation, ..self.clone() }
    }
}

/// A number that is larger for what is graver; `None` if a relation is not one between two parts.
fn grade(relation: &str) -> Option<u8> {
    match relation {
        "near" => Some(0),
        "touch" => Some(1),
        "meet" => Some(2),
        "overlap" | "pierce" => Some(3),
        "a_in_b" | "b_in_a" | "inside_open" => Some(4),
        "same" => Some(5),
        _ => None,
    }
}
