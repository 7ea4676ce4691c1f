//! [`Contact`]: dimension and size of the contact of two parts that touch.
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
    /// Name in texts and in files of results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Area => "area",
            Self::Volume => "volume",
        }
    }
    /// The dimension that follows from a relation alone. Solids whose insides meet have parts of space in
    /// common. A surface inside a solid has its own points in common with it. `None` if surfaces meet and
    /// insides do not: [`Contact::dimension`] is then the result.
    pub fn of(relation: RelationKind) -> Option<Self> {
        match relation {
            RelationKind::Overlap | RelationKind::Inside | RelationKind::Contains => Some(Self::Volume),
            RelationKind::Pierce | RelationKind::SurfaceInside => Some(Self::Area),
            // Equal solids share space, equal surfaces do not.
            RelationKind::Duplicate | RelationKind::Meet | RelationKind::Touch | RelationKind::Apart => None,
        }
    }
}

/// The contact of two parts that touch or are equal: its exact dimension, and bounds of its length and area.
///
/// The surfaces share the union of lines, patches and points that [`Query::curves`](impinge::Query::curves)
/// finds. The borders of patches do not count as lines.
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
