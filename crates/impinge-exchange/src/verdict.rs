//! [`Verdict`]: the contact of the elements of an entry.
use impinge::relation::RelationKind;

/// The contact of the elements of an entry: that of its gravest pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// An element is in none of the models, the entry names no pair, or there was no time.
    Unknown,
    /// The elements have no point in common.
    Apart,
    /// The surfaces of the elements meet, their insides do not. Open surfaces meet in points, or where one of
    /// them ends.
    Touch,
    /// The insides of the elements meet, or a surface is inside, or two surfaces cross or lie on each other.
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
    /// The verdict on a relation; `None` is a pair without one. Surfaces that meet count as overlapping here;
    /// [`Judgement`] finds those that only touch.
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
