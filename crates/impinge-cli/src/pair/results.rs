//! Results of `impinge pair`.
use clap::ValueEnum;
use impinge::{
    curves::Curves,
    distance::{Gap, Margin},
    query::Counters,
    relation::Relation,
};
use impinge_check::Warning;
use impinge_volumes::Kind;
use std::{path::PathBuf, time::Duration};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ask {
    /// Whether any two triangles meet: stops at the first that do.
    Boolean,
    /// Every pair of triangles that meet.
    Pairs,
    /// What A and B are to each other as solids: apart, touch, overlap, a_in_b, b_in_a, same; of a mesh with
    /// open edges pierce, inside_open, meet.
    Relation,
    /// How far apart the surfaces are, as an interval that holds the distance, and where they are nearest.
    /// With another volume than wide all pairs of triangles are compared, which takes long.
    Distance,
    /// Whether the surfaces are at most `--margin` apart, decided exactly.
    Within,
    /// Where the surfaces meet: lines, plane patches, single points. The whole of it is in JSON; a FILE that
    /// ends in .ply or .glb has one frame's lines to look at.
    Curves,
}

/// Result of a query, without pairs of triangles.
#[derive(Clone)]
pub(crate) enum QueryResult {
    /// Nothing.
    Pairs,
    /// With [`Ask::Relation`].
    Relation(Relation),
    /// With [`Ask::Distance`]: nothing if it is more than the margin.
    Distance(Option<Gap>),
    /// With [`Ask::Within`].
    Within(bool),
    /// With [`Ask::Curves`].
    Curves(Box<Curves>),
}

impl QueryResult {
    /// If it was measured, and is not too large.
    pub(crate) fn gap(&self) -> Option<&Gap> {
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
    pub(crate) files: [PathBuf; 2],
    pub(crate) triangles: [usize; 2],
    pub(crate) ask: Ask,
    pub(crate) margin: Option<Margin>,
    /// Distances are of solids.
    pub(crate) solids: bool,
    pub(crate) stats: bool,
    /// The volume of the trees.
    pub(crate) kind: Kind,
    /// The longest side of the larger one's box.
    pub(crate) size: f64,
    /// One for each frame.
    pub(crate) frames: Vec<FrameResult>,
    pub(crate) warnings: Vec<Warning>,
}
