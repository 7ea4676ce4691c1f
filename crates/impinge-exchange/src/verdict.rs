//! [`Verdict`]: what two elements of an entry are to each other.
use impinge::relation::RelationKind;

/// What the elements of an entry are to each other, the gravest of its pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// An element is in none of the models, or the entry does not say which pair it is about.
    Unknown,
    /// They have no point in common.
    Apart,
    /// Their surfaces meet, their insides do not. Open surfaces meet in points, or where one of them ends.
    Touch,
    /// Their insides meet, or a surface is inside, or two surfaces cross or lie on each other.
    Overlap,
}

impl Verdict {
    /// All, the gravest first.
    pub const ALL: [Self; 4] = [Self::Overlap, Self::Touch, Self::Apart, Self::Unknown];

    /// Its name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Touch => "touch",
            Self::Apart => "apart",
            Self::Unknown => "unknown",
        }
    }
    /// That of a relation; `None` stands for none. Surfaces that meet may also touch: [`Judgement`] looks where.
    ///
    /// [`Judgement`]: crate::Judgement
    pub fn of(relation: Option<RelationKind>) -> Self {
        match relation {
            None | Some(RelationKind::Apart) => Self::Apart,
            Some(RelationKind::Touch) => Self::Touch,
            Some(
                RelationKind::Overlap
                | RelationKind::Inside
                | RelationKind::Contains
                | RelationKind::Duplicate
                | RelationKind::Pierce
                | RelationKind::SurfaceInside
                | RelationKind::Meet,
            ) => Self::Overlap,
        }
    }
}
