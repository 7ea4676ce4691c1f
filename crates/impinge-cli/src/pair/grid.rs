//! Queries of `impinge pair` whose result is rows of cells. A new query is one [`GridQuery`] in
//! [`two_meshes`](super::two_meshes) or [`one_mesh`](super::one_mesh): table, JSON, CSV and help follow.
use super::given::Given;
use impinge::{Body, Query};

/// A query that `--query NAME` requests.
pub(crate) struct GridQuery {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    /// Whether it is about A alone.
    pub(crate) is_of_one_mesh: bool,
    /// Options that it takes, beside those of all queries.
    pub(crate) options: &'static [&'static str],
    /// Options, one of which is required, and their description.
    pub(crate) needs: Option<(&'static [&'static str], &'static str)>,
    pub(crate) columns: &'static [Column],
    pub(crate) shape: Shape,
    pub(crate) run: fn(&Given, [&Body<'_>; 2], &mut Query, &mut Rows),
}

impl PartialEq for GridQuery {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
impl Eq for GridQuery {}

/// Rows of a frame.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// One. The sentence about it.
    One(fn(&[Cell]) -> String),
    /// A list of objects: its name in JSON, and one of its items.
    Objects(&'static str, &'static str),
    /// A list of numbers, or of lists of numbers.
    Numbers(&'static str, &'static str),
}

/// A column of rows.
pub(crate) struct Column {
    /// In JSON and CSV, with blanks for `_` in a table.
    pub(crate) name: &'static str,
    pub(crate) kind: ColumnKind,
}

/// What the cells of a column hold, unless they are empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Flag,
    Word,
    Whole,
    Number,
    Interval,
    Point,
}

impl ColumnKind {
    /// What is appended to the column's name in each column of a table or of CSV.
    pub(crate) fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Flag | Self::Word | Self::Whole | Self::Number => &[""],
            Self::Interval => &["_lo", "_hi"],
            Self::Point => &["_x", "_y", "_z"],
        }
    }
}

/// A value in a row.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Cell {
    /// Null in JSON.
    Empty,
    Flag(bool),
    Word(&'static str),
    Whole(i64),
    Number(f64),
    Interval([f64; 2]),
    Point([f64; 3]),
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
    Whole: u32,
    Whole: i8,
    Number: f64,
    Interval: [f64; 2],
    Point: [f64; 3],
}

/// Rows of one frame, up to a limit: those beyond it are counted.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Rows {
    /// Those of a row together.
    cells: Vec<Cell>,
    pub(crate) count: u64,
    most: u64,
}

impl Rows {
    pub(super) fn up_to(most: usize) -> Self {
        Self { most: most as u64, ..Self::default() }
    }
    /// The most rows that may be listed.
    pub(super) fn most(&self) -> usize {
        self.most as usize
    }
    pub(super) fn push<const N: usize>(&mut self, row: [Cell; N]) {
        self.count += 1;
        if self.count <= self.most {
            self.cells.extend(row);
        }
    }
    /// Counts rows that are not listed.
    pub(super) fn skip(&mut self, rows: u64) {
        self.count += rows;
    }
    pub(crate) fn iter(&self, query: &GridQuery) -> impl Iterator<Item = &[Cell]> + Clone {
        self.cells.chunks_exact(query.columns.len())
    }
}
