//! Rows in a table, as JSON and as CSV.
use super::curves::JsonCurves;
use crate::pair::{
    pair_query::{Column, ColumnKind, Places, Shape},
    results::{FrameResult, Results},
    rows::Cell,
};
use impinge_check::values::numbers::{Coordinates, amount, count, grouped};
use impinge_report::Table;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::{
    io::{self, Write},
    time::Duration,
};

/// Rows of a frame as JSON: members of the frame's object.
pub(super) struct JsonRows<'a> {
    pub(super) results: &'a Results,
    pub(super) frame: &'a FrameResult,
}

impl Serialize for JsonRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        match self.results.ask.shape {
            Shape::One(_) => {
                let cells = self.results.rows_of(self.frame).flatten();
                for (column, cell) in self.results.ask.columns.iter().zip(cells) {
                    if column.places.has_json() {
                        members.serialize_entry(column.name, &CellValue(cell))?;
                    }
                }
            }
            Shape::Objects(name, _) | Shape::Numbers(name, _) => {
                members.serialize_entry(name, &JsonList { results: self.results, frame: self.frame })?;
            }
        }
        members.end()
    }
}

struct JsonList<'a> {
    results: &'a Results,
    frame: &'a FrameResult,
}

impl Serialize for JsonList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for row in self.results.rows_of(self.frame) {
            match (self.results.ask.shape, row) {
                (Shape::Numbers(..), [one]) => list.serialize_element(&CellValue(one))?,
                (Shape::Numbers(..), several) => {
                    list.serialize_element(&several.iter().map(CellValue).collect::<Vec<_>>())?;
                }
                _ => list.serialize_element(&JsonObject { columns: self.results.ask.columns, row })?,
            }
        }
        list.end()
    }
}

struct JsonObject<'a> {
    columns: &'static [Column],
    row: &'a [Cell],
}

impl Serialize for JsonObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.columns.iter().map(|column| column.name);
        serializer.collect_map(names.zip(self.row.iter().map(CellValue)))
    }
}

/// A cell in JSON and CSV.
struct CellValue<'a>(&'a Cell);

impl Serialize for CellValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Empty => serializer.serialize_none(),
            Cell::Flag(is_so) => is_so.serialize(serializer),
            Cell::Word(word) => word.serialize(serializer),
            Cell::Index(n) => n.serialize(serializer),
            Cell::Count(n) => n.serialize(serializer),
            Cell::Number(x) => x.serialize(serializer),
            Cell::Interval(ends) => ends.serialize(serializer),
            Cell::Point(point) => point.serialize(serializer),
            Cell::Points(points) => points.serialize(serializer),
            Cell::Pair(pair) => pair.serialize(serializer),
            Cell::Pairs(pairs) => pairs.serialize(serializer),
            Cell::Curves(curves) => JsonCurves::new(curves).serialize(serializer),
        }
    }
}

/// Every number in full. A frame with one row has its costs, too.
pub(super) fn csv(results: &Results, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let is_one = matches!(results.ask.shape, Shape::One(_));
    let columns = || results.ask.columns.iter().filter(|column| column.places.has_csv());
    let headings = columns().flat_map(|c| c.kind.parts().iter().map(|part| format!("{}{part}", c.name)));
    let work = ["volume_tests", "triangle_tests", "microseconds"].map(str::to_owned);
    let work = if is_one { work.as_slice() } else { &[] };
    csv.write_record(["frame".to_owned()].into_iter().chain(headings).chain(work.iter().cloned()))?;
    for (i, frame) in results.frames.iter().enumerate() {
        for row in results.rows_of(frame) {
            let mut cells = Vec::new();
            for (column, cell) in results.ask.columns.iter().zip(row) {
                match cell {
                    _ if !column.places.has_csv() => {}
                    // A missing number is an empty cell.
                    Cell::Empty => cells.extend(column.kind.parts().iter().map(|_| CellValue(cell))),
                    _ => cells.push(CellValue(cell)),
                }
            }
            let work = frame.work.count;
            let costs = (work.volume_tests, work.triangle_tests, microseconds(frame.time));
            if is_one {
                csv.serialize((i, cells, costs))?;
            } else {
                csv.serialize((i, cells))?;
            }
        }
    }
    Ok(csv.flush()?)
}

/// For people: a row for each row of each frame. Of an interval the upper end is shown.
pub(super) fn people(results: &Results, columns: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
    let points = results.rows().flatten();
    let points = points.filter_map(|cell| if let Cell::Point(point) = cell { Some(*point) } else { None });
    let coordinates = Coordinates::like(points.flatten(), results.size);
    let is_one = matches!(results.ask.shape, Shape::One(_));
    // Points and the work would be too wide for a terminal.
    let is_wide = |column: &Column| column.places == Places::Table || column.kind == ColumnKind::Point;
    let is_shown =
        |column: &Column| column.places.has_table() && !(is_one && results.stats && is_wide(column));
    let mut headings = vec![">frame".to_owned()];
    for column in results.ask.columns.iter().filter(|column| is_shown(column)) {
        let name = column.name.replace('_', "\n");
        match column.kind {
            ColumnKind::Flag | ColumnKind::Word => headings.push(name),
            ColumnKind::Point => headings.extend([format!(">{name} x"), ">y".to_owned(), ">z".to_owned()]),
            _ => headings.push(format!(">{name}")),
        }
    }
    if is_one {
        headings.extend(cost_headings(results.stats).iter().map(|&heading| heading.to_owned()));
    }
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cell = |(column, cell): (&Column, &Cell)| -> Vec<String> {
        let missing = || "–".to_owned();
        match *cell {
            Cell::Flag(is_so) => vec![if is_so { "yes" } else { "no" }.to_owned()],
            Cell::Word(word) => vec![word.replace('_', " ")],
            // An index is a name, not an amount: no commas in it.
            Cell::Index(n) => vec![n.to_string()],
            Cell::Count(n) => vec![grouped(n)],
            Cell::Number(x) | Cell::Interval([_, x]) => vec![amount(x)],
            Cell::Point(point) => point.iter().map(|&x| coordinates.show(x)).collect(),
            _ if column.kind == ColumnKind::Point => vec![missing(), String::new(), String::new()],
            _ => vec![missing()],
        }
    };
    let row = |frame: usize, answer: &FrameResult, row: &[Cell]| {
        let shown = results.ask.columns.iter().zip(row).filter(|(column, _)| is_shown(column));
        let mut cells: Vec<String> = [frame.to_string()].into_iter().chain(shown.flat_map(cell)).collect();
        if is_one {
            cells.extend(costs(answer, results.stats));
        }
        cells
    };
    let table = Table { headings: &headings, names: 0, together: 0, width: columns };
    let frames = || results.frames.iter().enumerate();
    table.write(
        || frames().flat_map(|(i, frame)| results.rows_of(frame).map(move |cells| row(i, frame, cells))),
        out,
    )
}

/// Headings of a frame's work, if it is counted, and time.
fn cost_headings(stats: bool) -> &'static [&'static str] {
    if stats { &[">volume\ntests", ">triangle\ntests", ">exact\ntests", ">µs"] } else { &[">µs"] }
}

fn costs(answer: &FrameResult, stats: bool) -> impl Iterator<Item = String> {
    let count = answer.work.count;
    let work = [count.volume_tests, count.triangle_tests, count.exact_tests].map(grouped);
    let work = if stats { work.to_vec() } else { Vec::new() };
    work.into_iter().chain([format!("{:.1}", microseconds(answer.time))])
}

pub(super) fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

/// The sentence of the query, or the number of rows.
pub(super) fn verdict(results: &Results) -> String {
    match results.ask.shape {
        Shape::One(sentence) => sentence(&results.frame_rows()),
        Shape::Objects(_, one) | Shape::Numbers(_, one) => {
            let frames = results.frames.len() as u64;
            let all = if frames == 1 { String::new() } else { format!(" in {} frames", grouped(frames)) };
            match results.rows().count() as u64 {
                0 => format!("No {one}{all}."),
                found => format!("{}{all}.", count(found, one)),
            }
        }
    }
}
