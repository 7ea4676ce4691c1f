//! Results of `impinge pair`.
use super::{ask::Ask, grid::Rows};
use impinge::{
    curves::Curves,
    distance::{DistanceBounds, Margin},
    query::Counters,
    relation::Relation,
};
use impinge_check::values::Warning;
use std::{path::PathBuf, time::Duration};

/// Result of a query, without pairs of triangles.
pub(crate) enum QueryResult {
    /// Nothing.
    Pairs,
    /// With [`Ask::Relation`].
    Relation(Relation),
    /// With [`Ask::Distance`]: nothing if it is more than the margin.
    Distance(Option<DistanceBounds>),
    /// With [`Ask::Within`].
    Within(bool),
    /// With [`Ask::Curves`].
    Curves(Box<Curves>),
    /// With [`Ask::Grid`].
    Rows(Rows),
}

impl QueryResult {
    /// If it was measured, and is not too large.
    pub(crate) fn gap(&self) -> Option<&DistanceBounds> {
        if let Self::Distance(gap) = self { gap.as_ref() } else { None }
    }
}

/// Result for one frame.
pub(crate) struct FrameResult {
    /// Sorted; with [`Ask::Boolean`] and [`Ask::Relation`] at most one, whichever was found first. Empty
    /// for distances and curves.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) found: QueryResult,
    /// Where the first of `pairs` meets, to rounding.
    pub(crate) point: Option<[f64; 3]>,
    /// Work counters of one query.
    pub(crate) work: Counters,
    /// The least time of the query alone.
    pub(crate) time: Duration,
}

/// Results for all frames.
pub(crate) struct Results {
    /// Of A and B, or of A alone.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) triangles: Vec<usize>,
    pub(crate) ask: Ask,
    pub(crate) margin: Option<Margin>,
    /// Distances are of solids.
    pub(crate) solids: bool,
    pub(crate) stats: bool,
    /// The longest side of the larger one's box.
    pub(crate) size: f64,
    /// One for each frame.
    pub(crate) frames: Vec<FrameResult>,
    pub(crate) warnings: Vec<Warning>,
}
