//! Results of `impinge pair`.
use super::{
    ask::Ask,
    rows::{Cell, FrameRows},
};
use impinge::{distance::Margin, query::Counters};
use impinge_check::values::Warning;
use std::{path::PathBuf, time::Duration};

/// Result for one frame.
pub(crate) struct FrameResult {
    /// Cells of all rows, one row after the other.
    pub(crate) cells: Vec<Cell>,
    /// Work counters of one query.
    pub(crate) work: Counters,
    /// The least time of the query alone.
    pub(crate) time: Duration,
}

/// Results for all frames.
pub(crate) struct Results {
    /// Files of A and B, or of A alone.
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

impl Results {
    /// The rows of a frame.
    pub(crate) fn rows_of<'a>(&'a self, frame: &'a FrameResult) -> impl Iterator<Item = &'a [Cell]> + Clone {
        frame.cells.chunks_exact(self.ask.columns.len())
    }

    /// The rows of all frames.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Cell]> + Clone {
        self.frames.iter().flat_map(|frame| self.rows_of(frame))
    }

    /// The rows of a query that has one row a frame.
    pub(crate) fn frame_rows(&self) -> FrameRows<'_> {
        FrameRows { rows: self.rows().collect(), margin: self.margin, solids: self.solids }
    }
}
