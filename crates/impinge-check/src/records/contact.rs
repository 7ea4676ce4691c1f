//! [`Contact`]: what two parts that touch have in common.
use impinge::{curves::Curves, relation::RelationKind};
use serde::{Deserialize, Serialize};

/// The dimension of the set of points that two parts have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Single points.
    Point,
    /// Lines, and maybe points.
    Line,
    /// Parts of surfaces, and maybe lines and points.
    Area,
    /// Parts of space.
    Volume,
}

impl Dimension {
    /// The name, for programs and people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Area => "area",
            Self::Volume => "volume",
        }
    }
    /// The dimension that follows from a relation alone: solids whose insides meet have parts of space in
    /// common, and a surface has its own points in common with a solid that it is inside of. `None` where
    /// surfaces meet and insides do not: there [`Contact`] has it.
    pub fn of(relation: RelationKind) -> Option<Self> {
        match relation {
            RelationKind::Overlap | RelationKind::Inside | RelationKind::Contains => Some(Self::Volume),
            RelationKind::Pierce | RelationKind::SurfaceInside => Some(Self::Area),
            // Equal solids share space, equal surfaces do not.
            RelationKind::Duplicate | RelationKind::Meet | RelationKind::Touch | RelationKind::Apart => None,
        }
    }
}

/// The contact of two parts that touch or are equal: exactly its dimension, and bounds of the size of what their
/// surfaces have in common.
///
/// The surfaces share the union of lines, patches and points that [`Query::curves`](impinge::Query::curves)
/// finds. Where patches are, their borders do not count as lines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Contact {
    /// Its dimension; [`Dimension::Volume`] of equal solids.
    pub dimension: Dimension,
    /// Lower and upper bound of the length of all lines.
    pub length: [f64; 2],
    /// Lower and upper bound of the area of all patches.
    pub area: [f64; 2],
}

impl Contact {
    /// Measures the contact of parts whose surfaces meet.
    pub(crate) fn new(curves: &Curves, are_equal_solids: bool) -> Self {
        let dimension = match (curves.patches().len(), curves.lines().len()) {
            _ if are_equal_solids => Dimension::Volume,
            (0, 0) => Dimension::Point,
            (0, _) => Dimension::Line,
            _ => Dimension::Area,
        };
        Self { dimension, length: curves.length(), area: curves.area() }
    }
}
