//! Zachmann 2002: Table 1 and sections 3 and 5.

/// A row of Table 1: a node's bytes, one pointer included, and the most floating-point operations for a pair
/// of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VolumeCost {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) operations: u64,
}

const fn row(name: &'static str, bytes: u64, operations: u64) -> VolumeCost {
    VolumeCost { name, bytes, operations }
}

pub(crate) const TABLE_1: [VolumeCost; 7] = [
    row("boxtree, axis alignment", 9, 12),
    row("boxtree, SAT lite", 9, 24),
    row("boxtree, SAT", 9, 82),
    row("sphere tree", 16, 29),
    row("AABB tree", 28, 90),
    row("OBB tree", 64, 243),
    row("24-DOP tree", 100, 168),
];

/// Section 5: maximum gain of look-up tables, in percent.
pub(crate) const LOOKUP_PERCENT: f64 = 8.0;

/// Section 6: triangles a second of a build, on a Pentium III of 1 GHz.
pub(crate) const BUILD_RATE: f64 = 20_000.0;
