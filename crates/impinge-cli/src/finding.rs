//! What two parts are to each other, by the names that people and programs read, and what of it counts.
use clap::ValueEnum;
use impinge::{Boundary, Inside, Kind, Solid, Status};
use serde::{Deserialize, Serialize};

/// What can be asked for with `--report` and `--show`.
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
            Finding::Overlap => [Kind::Overlap].as_slice(),
            Finding::Contained => &[Kind::AInB, Kind::BInA],
            Finding::Same => &[Kind::Same],
            Finding::Pierce => &[Kind::Pierce],
            Finding::InsideOpen => &[Kind::InsideOpen],
            Finding::Meet => &[Kind::Meet],
            Finding::Touch => &[Kind::Touch],
            Finding::All => &ALL,
        });
        Self(kinds.fold(0, |bits, &kind| bits | 1 << place(kind)))
    }
    pub(crate) fn holds(self, kind: Kind) -> bool {
        self.0 >> place(kind) & 1 != 0
    }
}

/// What is found between two parts, the gravest first.
pub(crate) const ALL: [Kind; 8] = [
    Kind::Overlap,
    Kind::AInB,
    Kind::BInA,
    Kind::Same,
    Kind::Pierce,
    Kind::InsideOpen,
    Kind::Meet,
    Kind::Touch,
];

/// The place of a kind in [`ALL`]; that of parts that are apart comes last.
pub(crate) fn place(kind: Kind) -> usize {
    match kind {
        Kind::Overlap => 0,
        Kind::AInB => 1,
        Kind::BInA => 2,
        Kind::Same => 3,
        Kind::Pierce => 4,
        Kind::InsideOpen => 5,
        Kind::Meet => 6,
        Kind::Touch => 7,
        Kind::Apart => ALL.len(),
    }
}

/// For programs.
pub(crate) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Overlap => "overlap",
        Kind::AInB => "a_in_b",
        Kind::BInA => "b_in_a",
        Kind::Same => "same",
        Kind::Pierce => "pierce",
        Kind::InsideOpen => "inside_open",
        Kind::Meet => "meet",
        Kind::Touch => "touch",
        Kind::Apart => "apart",
    }
}

/// For people, after the names of both parts: the one that is inside, or the surface, first.
pub(crate) fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Overlap => "overlap",
        Kind::AInB | Kind::BInA | Kind::InsideOpen => "inside",
        Kind::Same => "the same",
        Kind::Pierce => "pierces",
        Kind::Meet => "meet",
        Kind::Touch => "touch",
        Kind::Apart => "apart",
    }
}

/// For people: what `n` pairs of parts are.
pub(crate) fn noun(kind: Kind, n: u64) -> &'static str {
    let [one, many] = match kind {
        Kind::Overlap => ["overlap", "overlaps"],
        Kind::AInB | Kind::BInA => ["containment", "containments"],
        Kind::Same => ["duplicate", "duplicates"],
        Kind::Pierce => ["piercing", "piercings"],
        Kind::InsideOpen => ["surface inside a part", "surfaces inside parts"],
        Kind::Meet => ["pair of surfaces that meet", "pairs of surfaces that meet"],
        Kind::Touch => ["touches", "touch"],
        Kind::Apart => ["is apart", "are apart"],
    };
    if n == 1 { one } else { many }
}

/// Which points are inside of a part, as `--inside` names it.
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
    pub(crate) fn inside(self) -> Inside {
        match self {
            Self::Nonzero => Inside::NonZero,
            Self::Positive => Inside::Positive,
            Self::Parity => Inside::EvenOdd,
        }
    }
    /// The one that is used for a part, if it has an inside.
    pub(crate) fn of(self, status: Status) -> Option<Self> {
        match status {
            Status::Closed => Some(self),
            Status::ClosedByParity => Some(Self::Parity),
            Status::Open | Status::NoInterior => None,
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
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Closed => "closed",
        Status::ClosedByParity => "closed_by_parity",
        Status::Open => "open",
        Status::NoInterior => "no_interior",
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Finding, Kinds, name, place};
    use impinge::Kind;

    #[test]
    fn every_kind_can_be_asked_for() {
        assert!(ALL.iter().all(|&kind| Kinds::of(&[Finding::All]).holds(kind)));
        assert!(!Kinds::of(&[Finding::All]).holds(Kind::Apart) && place(Kind::Apart) == ALL.len());
        assert!(ALL.iter().enumerate().all(|(i, &kind)| place(kind) == i));
        let contained = Kinds::of(&[Finding::Contained, Finding::Meet]);
        let held: Vec<&str> =
            ALL.iter().filter(|&&kind| contained.holds(kind)).map(|&kind| name(kind)).collect();
        assert_eq!(held, ["a_in_b", "b_in_a", "meet"]);
    }
}
