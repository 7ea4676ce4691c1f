//! Relations of two parts, by the names that people and programs read, and the set of those that count.
use crate::named::StoredByName;
use clap::ValueEnum;
use impinge::{
    relation::RelationKind,
    solid::{Boundary, Closedness, FillRule, Solid},
};
use serde::{Deserialize, Serialize};

/// A value of `--report` and `--show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Finding {
    /// Insides have points in common, and each part has points outside of the other.
    Overlap,
    /// One part is wholly inside the other; it may touch its surface from within.
    Contained,
    /// Both are the same set of points.
    Same,
    /// One is an open surface, and has points inside and outside of the other.
    Pierce,
    /// One is an open surface that is wholly inside the other.
    InsideOpen,
    /// Both are open surfaces, and meet.
    Meet,
    /// Surfaces meet, insides do not.
    Touch,
    /// All of these.
    All,
}

/// The kinds that a choice of findings stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u16);

impl Kinds {
    pub(crate) fn of(findings: &[Finding]) -> Self {
        let kinds = findings.iter().flat_map(|finding| match finding {
            Finding::Overlap => [RelationKind::Overlap].as_slice(),
            Finding::Contained => &[RelationKind::AInB, RelationKind::BInA],
            Finding::Same => &[RelationKind::Same],
            Finding::Pierce => &[RelationKind::Pierce],
            Finding::InsideOpen => &[RelationKind::InsideOpen],
            Finding::Meet => &[RelationKind::Meet],
            Finding::Touch => &[RelationKind::Touch],
            Finding::All => &ALL,
        });
        Self(kinds.fold(0, |bits, &kind| bits | 1 << place(kind)))
    }
    pub(crate) fn holds(self, kind: RelationKind) -> bool {
        self.0 >> place(kind) & 1 != 0
    }
}

/// All relations that a check finds, the gravest first.
pub(crate) const ALL: [RelationKind; 8] = [
    RelationKind::Overlap,
    RelationKind::AInB,
    RelationKind::BInA,
    RelationKind::Same,
    RelationKind::Pierce,
    RelationKind::InsideOpen,
    RelationKind::Meet,
    RelationKind::Touch,
];

/// The place of a kind in [`ALL`]; that of parts that are apart comes last.
pub(crate) fn place(kind: RelationKind) -> usize {
    match kind {
        RelationKind::Overlap => 0,
        RelationKind::AInB => 1,
        RelationKind::BInA => 2,
        RelationKind::Same => 3,
        RelationKind::Pierce => 4,
        RelationKind::InsideOpen => 5,
        RelationKind::Meet => 6,
        RelationKind::Touch => 7,
        RelationKind::Apart => ALL.len(),
    }
}

/// For programs.
pub(crate) fn name(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "overlap",
        RelationKind::AInB => "a_in_b",
        RelationKind::BInA => "b_in_a",
        RelationKind::Same => "same",
        RelationKind::Pierce => "pierce",
        RelationKind::InsideOpen => "inside_open",
        RelationKind::Meet => "meet",
        RelationKind::Touch => "touch",
        RelationKind::Apart => "apart",
    }
}

/// For people, after the names of both parts: the one that is inside, or the surface, first.
pub(crate) fn word(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "overlap",
        RelationKind::AInB | RelationKind::BInA | RelationKind::InsideOpen => "inside",
        RelationKind::Same => "the same",
        RelationKind::Pierce => "pierces",
        RelationKind::Meet => "meet",
        RelationKind::Touch => "touch",
        RelationKind::Apart => "apart",
    }
}

/// For people: what `n` pairs of parts are.
pub(crate) fn noun(kind: RelationKind, n: u64) -> &'static str {
    let [one, many] = match kind {
        RelationKind::Overlap => ["overlap", "overlaps"],
        RelationKind::AInB | RelationKind::BInA => ["containment", "containments"],
        RelationKind::Same => ["duplicate", "duplicates"],
        RelationKind::Pierce => ["piercing", "piercings"],
        RelationKind::InsideOpen => ["surface inside a part", "surfaces inside parts"],
        RelationKind::Meet => ["pair of surfaces that meet", "pairs of surfaces that meet"],
        RelationKind::Touch => ["touches", "touch"],
        RelationKind::Apart => ["is apart", "are apart"],
    };
    if n == 1 { one } else { many }
}

/// Which points are inside of a part, as `--fill-rule` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Rule {
    /// The mesh winds round them: shells that overlap stay full, inverted ones are full, too.
    #[default]
    Nonzero,
    /// It winds round them with its triangles facing outwards.
    Positive,
    /// It winds round them an odd number of times: shells that overlap leave a hole where they do.
    Parity,
}

impl Rule {
    pub(crate) fn fill_rule(self) -> FillRule {
        match self {
            Self::Nonzero => FillRule::NonZero,
            Self::Positive => FillRule::Positive,
            Self::Parity => FillRule::EvenOdd,
        }
    }
    /// The one that is used for a part, if it has an inside.
    pub(crate) fn of(self, status: Closedness) -> Option<Self> {
        match status {
            Closedness::Closed => Some(self),
            Closedness::ClosedByParity => Some(Self::Parity),
            Closedness::Open | Closedness::NoInterior => None,
        }
    }
}

/// The middle of an edge of the widest hole, in the mesh's own frame, rounded.
pub(crate) fn open_at(solid: &Solid) -> Option<[f64; 3]> {
    let [p, q] = solid.boundaries().first()?.edge;
    Some([0, 1, 2].map(|k| p[k] / 2.0 + q[k] / 2.0))
}

/// How wide that hole is: the longest side of the box around it.
pub(crate) fn open_width(solid: &Solid) -> Option<f64> {
    solid.boundaries().first().map(Boundary::width)
}

/// Whether a part bounds a solid, for programs.
pub(crate) fn status_name(status: Closedness) -> &'static str {
    match status {
        Closedness::Closed => "closed",
        Closedness::ClosedByParity => "closed_by_parity",
        Closedness::Open => "open",
        Closedness::NoInterior => "no_interior",
    }
}

/// Parts that are apart are no clash.
impl StoredByName for RelationKind {
    const VALUES: &'static [Self] = &ALL;
    fn name(self) -> &'static str {
        name(self)
    }
}

impl StoredByName for Closedness {
    const VALUES: &'static [Self] = &[Self::Closed, Self::ClosedByParity, Self::Open, Self::NoInterior];
    fn name(self) -> &'static str {
        status_name(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Finding, Kinds, name, place};
    use impinge::relation::RelationKind;

    #[test]
    fn every_kind_can_be_asked_for() {
        assert!(ALL.iter().all(|&kind| Kinds::of(&[Finding::All]).holds(kind)));
        assert!(
            !Kinds::of(&[Finding::All]).holds(RelationKind::Apart) && place(RelationKind::Apart) == ALL.len()
        );
        assert!(ALL.iter().enumerate().all(|(i, &kind)| place(kind) == i));
        let contained = Kinds::of(&[Finding::Contained, Finding::Meet]);
        let held: Vec<&str> =
            ALL.iter().filter(|&&kind| contained.holds(kind)).map(|&kind| name(kind)).collect();
        assert_eq!(held, ["a_in_b", "b_in_a", "meet"]);
    }
}
