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
    /// Lower and upper bound of the distance. If one of the check's lengths lies between the bounds, these
    /// are equal, or neighbouring f64.
    pub distance: [f64; 2],
    /// The nearest point of the one and of the other, rounded.
    pub points: [[f64; 3]; 2],
    /// Certainty that the true parts are so near, if the check has chord tolerances.
    pub certainty: Option<Sure>,
    /// The least of the check's lengths that the parts are within, chord tolerances not included.
    pub(crate) reached: f64,
}

/// All near pairs of an assembly.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Nears {
    /// Sorted by part indices.
    pub(crate) list: Vec<Near>,
    /// Pairs within the check's lengths that no test reports.
    pub(crate) left_out: Vec<Near>,
    /// The pairs within a length of [`Clearance::what_if`], each with the index of the least such length.
    /// Sorted by part indices. Pairs that other processes examined are not in it.
    pub(crate) reached: Vec<([u32; 2], u32)>,
    /// Number of pairs within each length of [`Clearance::what_if`].
    pub(crate) counts: Vec<u64>,
    /// Number of pairs whose boxes are within the check's longest length. All of them were tested, except
    /// those for which there was no time.
    pub(crate) boxes_within: u64,
    /// Pairs for whose distance there was no time, sorted. Pairs for whose triangles there was no time are
    /// not among them.
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
    /// Sorts pairs, each given once.
    pub(crate) fn sorted(mut self) -> Self {
        self.list.sort_unstable_by_key(|near| near.parts);
        self.reached.sort_unstable_by_key(|&(parts, _)| parts);
        self.not_examined.sort_unstable();
        self
    }
}
