//! [`FindingKind`]: the kind of a finding.
use crate::values::relations;
use impinge::relation::RelationKind;

/// The kind of a finding.
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
    /// Its name in files; the name of a clash is that of its relation.
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
    /// The kind with this name in files.
    pub fn of_name(name: &str) -> Option<Self> {
        let clashes = relations::ALL.map(|kind| Self::Clash(Some(kind)));
        let others = [Self::Near, Self::SelfIntersection, Self::Floating, Self::LostContact, Self::MinGap];
        clashes.into_iter().chain(others).find(|kind| kind.name() == name)
    }
    /// True if this is its name. `inside` and `contains` count as one name.
    pub(crate) fn is_named(self, name: &str) -> bool {
        let inner = [RelationKind::Inside, RelationKind::Contains].map(relations::name);
        self.name() == name || inner.contains(&self.name()) && inner.contains(&name)
    }
    /// Its rank: the gravest kind has the smallest. `inside` and `contains` have the same.
    pub(crate) fn place(self) -> usize {
        match self {
            Self::Clash(Some(RelationKind::Contains)) => relations::place(RelationKind::Inside),
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
