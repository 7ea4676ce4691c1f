//! Relations in words.
use impinge::relation::RelationKind;

/// After the names of both parts: the one that is inside, or the surface, first.
pub fn word(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "overlap",
        RelationKind::AInB | RelationKind::BInA | RelationKind::InsideOpen => "inside",
        RelationKind::Same => "the same",
        RelationKind::Pierce => "pierces",
        RelationKind::Meet => "meet",
        RelationKind::Touch => "touch",
        RelationKind::Apart => "apart",
    }
}

/// What `n` pairs of parts are.
pub fn noun(kind: RelationKind, n: u64) -> &'static str {
    let [one, many] = match kind {
        RelationKind::Overlap => ["overlap", "overlaps"],
        RelationKind::AInB | RelationKind::BInA => ["containment", "containments"],
        RelationKind::Same => ["duplicate", "duplicates"],
        RelationKind::Pierce => ["piercing", "piercings"],
        RelationKind::InsideOpen => ["surface inside a part", "surfaces inside parts"],
        RelationKind::Meet => ["pair of surfaces that meet", "pairs of surfaces that meet"],
        RelationKind::Touch => ["touches", "touch"],
        RelationKind::Apart => ["is apart", "are apart"],
    };
    if n == 1 { one } else { many }
}
