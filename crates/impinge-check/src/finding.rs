//! [`Finding`]: one thing that is wrong, according to a test.
use crate::{clash::Clash, motion_gaps::MotionGap, near::Near, relations};
use impinge::relation::RelationKind;

/// One thing that is wrong between two parts, or with one part, according to a test. It is a few numbers: the
/// report has what was measured ([`Report::clash_of`](crate::Report::clash_of),
/// [`Report::near_of`](crate::Report::near_of)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The index of the test in [`Report::tests`](crate::Report::tests).
    pub test: u32,
    /// Its kind.
    pub kind: FindingKind,
    /// The smaller index first; twice the same of one part.
    parts: [u32; 2],
    /// The place in the list of its kind.
    record: u32,
}

/// What a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Two parts have this relation; `None` if the check was about surfaces alone, and they meet.
    Clash(Option<RelationKind>),
    /// Two parts are near each other without meeting.
    Near,
    /// The mesh of one part intersects itself.
    SelfIntersection,
    /// A part, or a group of parts, touches nothing else. The finding is about its first part in the test's
    /// set.
    Floating,
    /// Two parts had a point in common in an earlier delivery, and are apart.
    LostContact,
    /// Two parts come too near at one of the poses of a motion.
    MinGap,
}

impl FindingKind {
    /// Its name in files: of a clash that of the relation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clash(Some(kind)) => relations::name(kind),
            Self::Clash(None) => "meet",
            Self::Near => "near",
            Self::SelfIntersection => "self",
            Self::Floating => "floating",
            Self::LostContact => "lost_contact",
            Self::MinGap => "min_gap",
        }
    }
    /// Whether this is its name; whichever part is the inner one.
    pub(crate) fn is_named(self, name: &str) -> bool {
        let inner = [RelationKind::AInB, RelationKind::BInA].map(relations::name);
        self.name() == name || inner.contains(&self.name()) && inner.contains(&name)
    }
    /// A number that is smaller for what is graver; whichever part is the inner one.
    pub(crate) fn place(self) -> usize {
        match self {
            Self::Clash(Some(RelationKind::BInA)) => relations::place(RelationKind::AInB),
            Self::Clash(Some(kind)) => relations::place(kind),
            Self::Clash(None) => 0,
            Self::Floating => relations::ALL.len() + 1,
            Self::LostContact => relations::ALL.len() + 2,
            Self::SelfIntersection => relations::ALL.len() + 3,
            Self::MinGap => relations::ALL.len() + 4,
            Self::Near => relations::ALL.len() + 5,
        }
    }
}

impl Finding {
    pub(crate) fn of_clash(test: u32, clash: &Clash, record: usize) -> Self {
        Self { test, kind: FindingKind::Clash(clash.relation), parts: clash.parts, record: record as u32 }
    }
    pub(crate) fn of_near(test: u32, near: &Near, record: usize) -> Self {
        Self { test, kind: FindingKind::Near, parts: near.parts, record: record as u32 }
    }
    pub(crate) fn of_part(test: u32, part: u32) -> Self {
        Self { test, kind: FindingKind::SelfIntersection, parts: [part; 2], record: part }
    }
    pub(crate) fn of_floating(test: u32, part: u32, record: usize) -> Self {
        Self { test, kind: FindingKind::Floating, parts: [part; 2], record: record as u32 }
    }
    pub(crate) fn of_lost_contact(test: u32, parts: [u32; 2]) -> Self {
        Self { test, kind: FindingKind::LostContact, parts, record: 0 }
    }
    pub(crate) fn of_motion_gap(gap: &MotionGap, record: usize) -> Self {
        Self { test: gap.test, kind: FindingKind::MinGap, parts: gap.parts, record: record as u32 }
    }
    /// The parts that it is about: two, the smaller index first, or one.
    pub fn parts(&self) -> &[u32] {
        if self.parts[0] == self.parts[1] { &self.parts[..1] } else { &self.parts }
    }
    /// The place in the list of its kind: of a clash in [`Report::clashes`](crate::Report::clashes), of a
    /// near pair in [`Report::near`](crate::Report::near), of a group that floats in
    /// [`Report::floating`](crate::Report::floating), of a gap along
    /// poses in [`Report::motion_gaps`](crate::Report::motion_gaps). 0 of a kind without a list.
    pub fn record(&self) -> u32 {
        self.record
    }
    /// Its parts; twice the same of one part.
    pub(crate) fn pair(&self) -> [u32; 2] {
        self.parts
    }
}
