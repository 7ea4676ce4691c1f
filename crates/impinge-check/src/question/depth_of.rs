//! [`DepthOf`]: the clashes whose depth is computed.
use crate::values::relations::Relations;
use impinge::relation::RelationKind;
use serde::{Deserialize, Serialize};

/// The clashes whose depth is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DepthOf {
    /// The clashes that count.
    #[default]
    Counted,
    /// All clashes but those that only meet or touch.
    All,
    /// No clash.
    None,
}

impl DepthOf {
    /// True if clashes with this relation have a depth, and it is to be computed. `counted` are the relations
    /// that count.
    pub(crate) fn includes(self, kind: RelationKind, counted: Relations) -> bool {
        let is_asked = match self {
            Self::Counted => counted.holds(kind),
            Self::All => true,
            Self::None => false,
        };
        is_defined(kind) && is_asked
    }
}

/// The clashes that are shown, if no other depths are needed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FirstDepths {
    /// The first clashes by rank, this number of them.
    Clashes(usize),
    /// The first groups of the same two shapes by rank, this number of them, with the gravest clash of each.
    Groups(usize),
}

pub(crate) fn is_defined(kind: RelationKind) -> bool {
    match kind {
        RelationKind::Overlap
        | RelationKind::Inside
        | RelationKind::Contains
        | RelationKind::Duplicate
        | RelationKind::Pierce
        | RelationKind::SurfaceInside => true,
        RelationKind::Apart | RelationKind::Touch | RelationKind::Meet => false,
    }
}
