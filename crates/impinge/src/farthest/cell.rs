//! Parts of faces that may have the farthest point.
use std::cmp::Ordering;

/// A triangle within a face of the first body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// No point of it that counts is farther than this.
    pub(super) bound: f64,
    /// The order in which cells are made, so that equal bounds do not depend on anything else.
    pub(super) number: u32,
    /// The face of the first body.
    pub(super) face: u32,
    /// Its samples; of a whole face that was not looked at, none yet.
    pub(super) corners: [u32; 3],
    /// Faces of the second body that were good for its parents.
    pub(super) hints: [u32; 2],
    /// The number of divisions from the face to it.
    pub(super) depth: u8,
    /// The number of the last divisions that were not at the middle of the longest edge.
    pub(super) uneven: u8,
    pub(super) state: CellState,
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellState {
    /// A face; nothing is measured.
    Face,
    /// Parts of it may be on either side.
    Open,
    /// All of it counts, but for what does not matter.
    Counts,
}

/// A point of an edge, at which a cell is divided: p + s (q - p).
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// The corners p and q.
    pub(super) ends: [usize; 2],
    pub(super) s: f64,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Cell {}
impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}
