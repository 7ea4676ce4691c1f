//! [`DepthOf`]: the clashes whose depth is computed.
use crate::values::relations::Relations;
use impinge::relation::RelationKind;
use serde::{Deserialize, Serialize};

/// The clashes whose depth is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DepthOf {
    /// Of those that count.
    #[default]
    Counted,
    /// Of all that are in each other.
    All,
    /// Of none.
    None,
}

impl DepthOf {
    /// Whether depths of parts of this relation are wanted, and defined. `counted` are the relations that
    /// count.
    pub(crate) fn includes(self, kind: RelationKind, counted: Relations) -> bool {
        let is_asked = match self {
            Self::Counted => counted.holds(kind),
            Self::All => true,
            Self::None => false,
        };
        is_defined(kind) && is_asked
    }
}

/// The clashes that are shown, where depths of others are not needed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FirstDepths {
    /// So many clashes that rank first.
    Clashes(usize),
    /// All that is needed to tell which groups of the same two shapes rank first, so many of them, and the
    /// gravest of each.
    Groups(usize),
}

/// Whether parts of this relation have a depth: they are in each other.
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
