//! [`Near`]: two parts that are near each other without meeting, and their distance.
//!
//! A near pair takes 88 bytes, and 12 more with several clearances.
use crate::{parts::chord::Sure, question::clearance::Listed};
use serde::{Deserialize, Serialize};

/// Two parts that are near each other: they do not meet, and no query has found one inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Near {
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// Lower and upper bound of the distance. If one of the check's lengths lies between them, they are
    /// neighbours, or equal.
    pub distance: [f64; 2],
    /// The nearest point of the one and of the other, rounded.
    pub points: [[f64; 3]; 2],
    /// Whether the true parts are so near for certain, if the check has chord tolerances.
    pub certainty: Option<Sure>,
    /// The least of the check's lengths that it is within, chord tolerances not included.
    pub(crate) reached: f64,
}

/// All near pairs of an assembly.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Nears {
    /// Sorted by part indices.
    pub(crate) list: Vec<Near>,
    /// Pairs that are as near as the check asks, and that no test reports: ignore rules leave them out.
    pub(crate) left_out: Vec<Near>,
    /// For each pair that is as near as one of [`Clearance::what_if`], the least of these, by its place.
    /// Sorted by part indices. Pairs that other processes examined are not in it.
    pub(crate) reached: Vec<([u32; 2], u32)>,
    /// How many pairs are as near as each of [`Clearance::what_if`].
    pub(crate) counts: Vec<u64>,
    /// Pairs whose boxes are as near as the query's longest length: all of them were tested, but for the
    /// pairs for which there was no time.
    pub(crate) boxes_within: u64,
    /// Pairs for which there was no time, sorted; those of clashes are not among them.
    pub(crate) not_examined: Vec<[u32; 2]>,
}

impl Near {
    pub(crate) fn new(
        parts: [u32; 2],
        Listed { gap, most, reached }: &Listed,
        certainty: Option<Sure>,
    ) -> Self {
        let distance = [gap.lo, gap.hi.min(most.get())];
        Self { parts, distance, points: gap.points, certainty, reached: reached.get() }
    }
}

impl Nears {
    /// From pairs in any order, each once.
    pub(crate) fn sorted(mut self) -> Self {
        self.list.sort_unstable_by_key(|near| near.parts);
        self.reached.sort_unstable_by_key(|&(parts, _)| parts);
        self.not_examined.sort_unstable();
        self
    }
}
