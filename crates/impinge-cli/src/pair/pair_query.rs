//! A query of `impinge pair`, as a value: its options, its columns, and the function that runs it. Help, table,
//! JSON and CSV follow from it. A new query is one [`PairQuery`], and its line in [`QUERIES`](super::ask::QUERIES).
use super::{
    given::Given,
    rows::{Cell, FrameRows, Rows},
};
use impinge::{Body, Query, contact::contact_point};

/// A query that `--query NAME` requests.
pub(crate) struct PairQuery {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    /// True if it is about A alone.
    pub(crate) is_of_one_mesh: bool,
    /// True if it needs the solids of the meshes, which each mesh computes once.
    pub(crate) is_of_solids: bool,
    /// True if a file can show its result as a drawing.
    pub(crate) is_drawn: bool,
    /// Options that it takes, beside those of all queries.
    pub(crate) options: &'static [&'static str],
    /// Default limit of `--max-pairs`, where the query lists all triangle pairs that meet.
    pub(crate) most_pairs: Option<u64>,
    /// Options and their description. The query requires one of these options.
    pub(crate) needs: Option<(&'static [&'static str], &'static str)>,
    pub(crate) columns: &'static [Column],
    pub(crate) shape: Shape,
    /// Adds the rows of a frame. Its time is the time of the frame.
    pub(crate) run: fn(&Given, [&Body<'_>; 2], &mut Query, &mut Rows),
    /// Completes the rows, outside of the measured time.
    pub(crate) complete: fn([&Body<'_>; 2], &mut Rows),
}

impl PairQuery {
    /// Values that most queries have.
    pub(super) const DEFAULT: Self = Self {
        name: "",
        help: "",
        is_of_one_mesh: false,
        is_of_solids: false,
        is_drawn: false,
        options: &[],
        most_pairs: None,
        needs: None,
        columns: &[],
        shape: Shape::Numbers("", ""),
        run: |_, _, _, _| {},
        complete: |_, _| {},
    };
}

/// Rows of a frame.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// One row, and a sentence about those of all frames.
    One(fn(&FrameRows<'_>) -> String),
    /// A list of objects: its name in JSON, and the noun for one of its items.
    Objects(&'static str, &'static str),
    /// A list of numbers, or of lists of numbers.
    Numbers(&'static str, &'static str),
}

/// A column of rows.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// The name in JSON and CSV; a table shows it with blanks for `_`.
    pub(crate) name: &'static str,
    pub(crate) kind: ColumnKind,
    pub(crate) places: Places,
}

impl Column {
    /// A column of all formats.
    pub(super) const fn new(name: &'static str, kind: ColumnKind) -> Self {
        Self { name, kind, places: Places::All }
    }

    pub(super) const fn only(self, places: Places) -> Self {
        Self { places, ..self }
    }
}

/// The formats that have a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Places {
    All,
    Json,
    JsonAndCsv,
    CsvAndTable,
    /// The table, unless `--stats` needs the room.
    Table,
}

impl Places {
    pub(crate) fn has_json(self) -> bool {
        matches!(self, Self::All | Self::Json | Self::JsonAndCsv)
    }
    pub(crate) fn has_csv(self) -> bool {
        matches!(self, Self::All | Self::JsonAndCsv | Self::CsvAndTable)
    }
    pub(crate) fn has_table(self) -> bool {
        matches!(self, Self::All | Self::CsvAndTable | Self::Table)
    }
}

/// Kinds of cells in a column, unless they are empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Flag,
    Word,
    /// An index, shown without commas.
    Index,
    Count,
    Number,
    Interval,
    Point,
    /// A value that only JSON shows.
    Data,
}

impl ColumnKind {
    /// Endings of the column's name, one for each column of a table or of CSV.
    pub(crate) fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Flag | Self::Word | Self::Index | Self::Count | Self::Number | Self::Data => &[""],
            Self::Interval => &["_lo", "_hi"],
            Self::Point => &["_x", "_y", "_z"],
        }
    }
}

/// Columns of triangle pairs.
pub(super) const PAIR: &[Column] =
    &[Column::new("a", ColumnKind::Index), Column::new("b", ColumnKind::Index)];

/// The first of several triangle pairs, and the point where it meets, to rounding.
pub(super) const EXAMPLE: [Column; 3] = [
    Column::new("triangle_a", ColumnKind::Index).only(Places::Table),
    Column::new("triangle_b", ColumnKind::Index).only(Places::Table),
    Column::new("at", ColumnKind::Point).only(Places::Table),
];

/// Cells of [`EXAMPLE`], before [`place_example`].
pub(super) fn example(pair: Option<[u32; 2]>) -> [Cell; 3] {
    [pair.map(|[a, _]| a).into(), pair.map(|[_, b]| b).into(), Cell::Empty]
}

/// Fills in the point, in the last columns of the only row.
pub(super) fn place_example([a, b]: [&Body<'_>; 2], rows: &mut Rows) {
    if let Some([Cell::Index(s), Cell::Index(t), at]) = rows.last_cells() {
        *at = Cell::Point(contact_point(a, b, [*s as u32, *t as u32]).point);
    }
}
