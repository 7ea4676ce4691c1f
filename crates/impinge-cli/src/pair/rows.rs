//! Rows of cells: what a query of `impinge pair` returns for a frame.
use impinge::{
    curves::Curves,
    distance::{DistanceBounds, Margin},
};
use impinge_check::values::numbers::count;

/// A value in a row.
#[derive(Clone)]
pub(crate) enum Cell {
    /// Null in JSON.
    Empty,
    Flag(bool),
    Word(&'static str),
    Index(i64),
    Count(u64),
    Number(f64),
    Interval([f64; 2]),
    Point([f64; 3]),
    Points(Box<[[f64; 3]; 2]>),
    Pair([u32; 2]),
    Pairs(Vec<[u32; 2]>),
    Curves(Box<Curves>),
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, T::into)
    }
}
macro_rules! cells {
    ($($kind:ident: $type:ty,)*) => {$(
        impl From<$type> for Cell {
            fn from(value: $type) -> Self {
                Self::$kind(value.into())
            }
        }
    )*};
}
cells! {
    Flag: bool,
    Word: &'static str,
    Index: u32,
    Index: i8,
    Count: u64,
    Number: f64,
    Interval: [f64; 2],
    Point: [f64; 3],
    Points: [[f64; 3]; 2],
    Pair: [u32; 2],
    Curves: Curves,
}

impl From<&DistanceBounds> for Cell {
    fn from(bounds: &DistanceBounds) -> Self {
        Self::Interval([bounds.lo, bounds.hi])
    }
}

/// Rows of one frame. Rows of a list count against the limit of `--max-pairs`; those beyond it are only counted.
pub(crate) struct Rows {
    /// The cells of all rows, one row after the other.
    cells: Vec<Cell>,
    /// The number of rows, or of triangle pairs, that count against the limit.
    listed: u64,
    most: usize,
    /// Memory for triangle pairs, which a thread keeps from frame to frame.
    pub(super) pairs: Vec<[u32; 2]>,
}

impl Rows {
    pub(super) fn up_to(most: usize) -> Self {
        Self { cells: Vec::new(), listed: 0, most, pairs: Vec::new() }
    }
    pub(super) fn clear(&mut self) {
        (self.cells, self.listed) = (Vec::new(), 0);
        self.pairs.clear();
    }
    /// The most rows or pairs that may be listed.
    pub(super) fn most(&self) -> usize {
        self.most
    }
    /// Adds the only row of a frame.
    pub(super) fn push_only<const N: usize>(&mut self, row: [Cell; N]) {
        self.cells.extend(row);
    }
    /// Adds a row of a list.
    pub(super) fn push<const N: usize>(&mut self, row: [Cell; N]) {
        self.listed += 1;
        if self.listed <= self.most as u64 {
            self.cells.extend(row);
        }
    }
    /// Adds the pairs as rows, and counts those beyond the limit.
    pub(super) fn push_pairs(&mut self, count: u64) {
        self.cells.extend(self.pairs.iter().flatten().map(|&index| Cell::from(index)));
        self.listed += count;
    }
    /// Counts rows or pairs.
    pub(super) fn count(&mut self, listed: u64) {
        self.listed += listed;
    }
    pub(super) fn listed(&self) -> u64 {
        self.listed
    }
    /// The last three cells.
    pub(super) fn last_cells(&mut self) -> Option<&mut [Cell; 3]> {
        self.cells.last_chunk_mut()
    }
    /// The cells, which are no longer these rows'.
    pub(super) fn take(&mut self) -> Vec<Cell> {
        std::mem::take(&mut self.cells)
    }
}

/// The rows of all frames, one a frame, and arguments of the query that sentences name.
pub(crate) struct FrameRows<'a> {
    pub(super) rows: Vec<&'a [Cell]>,
    pub(super) margin: Option<Margin>,
    /// Distances are of solids.
    pub(super) solids: bool,
}

impl<'a> FrameRows<'a> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &'a [Cell]> + Clone {
        self.rows.iter().copied()
    }

    /// The number of frames.
    pub(super) fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    /// The number of rows that begin with true.
    pub(super) fn count_true(&self) -> u64 {
        self.iter().filter(|row| matches!(row[0], Cell::Flag(true))).count() as u64
    }

    /// The row of the only frame.
    pub(super) fn only(&self) -> Option<&'a [Cell]> {
        if let &[row] = &*self.rows { Some(row) } else { None }
    }

    /// A sentence about the row of the only frame, or the number of frames.
    pub(super) fn sentence(&self, of_row: fn(&[Cell]) -> &'static str) -> String {
        match self.only() {
            Some(row) => of_row(row).to_owned(),
            None => format!("{}.", count(self.count(), "frame")),
        }
    }
}
