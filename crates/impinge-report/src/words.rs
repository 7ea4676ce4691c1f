//! Relations in words.
use impinge::relation::RelationKind;

/// Word for a relation, which follows the names of both parts. The part inside, or the surface, comes first.
pub fn word(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "overlap",
        RelationKind::Inside | RelationKind::Contains => "inside",
        RelationKind::Duplicate => "duplicate",
        RelationKind::Pierce => "pierce",
        RelationKind::SurfaceInside => "surface inside",
        RelationKind::Meet => "meet",
        RelationKind::Touch => "touch",
        RelationKind::Apart => "apart",
    }
}
