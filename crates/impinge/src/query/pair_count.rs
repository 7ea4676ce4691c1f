//! Counts of pairs.
use crate::sink::{Rest, sort};

/// The number of pairs of triangles that meet, or are near:
/// [`Query::pairs_at_most`](crate::Query::pairs_at_most),
/// [`Query::self_pairs_at_most`](crate::Query::self_pairs_at_most),
/// [`Query::pairs_within_at_most`](crate::Query::pairs_within_at_most).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PairCount {
    /// The number of pairs.
    pub count: u64,
    /// The least pair, by the first triangle, then the second.
    pub first: Option<[u32; 2]>,
}

impl PairCount {
    /// Counts the listed pairs of a walk and its rest. Sorts the list if there is no rest, else clears it.
    pub(crate) fn of(pairs: &mut Vec<[u32; 2]>, mut rest: Rest) -> Self {
        if rest.count == 0 {
            sort(pairs);
            return Self { count: pairs.len() as u64, first: pairs.first().copied() };
        }
        rest.add(&Rest { count: pairs.len() as u64, first: pairs.iter().min().copied() });
        pairs.clear();
        Self { count: rest.count, first: rest.first }
    }
}
