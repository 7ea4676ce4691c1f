//! Rows in a table, as JSON and as CSV.
use super::cells::{cost_headings, costs, microseconds, yes};
use crate::pair::{
    grid::{Cell, ColumnKind, GridQuery, Rows, Shape},
    results::{FrameResult, QueryResult, Results},
};
use impinge_check::values::numbers::{Coordinates, amount, count, grouped};
use impinge_report::Table;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::io::{self, Write};

/// The rows of a frame.
fn rows(frame: &FrameResult) -> Option<&Rows> {
    if let QueryResult::Rows(rows) = &frame.found { Some(rows) } else { None }
}

/// Rows of a frame as JSON: members of the frame's object.
pub(super) struct JsonRows<'a> {
    pub(super) query: &'static GridQuery,
    pub(super) rows: &'a Rows,
}

impl Serialize for JsonRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        match self.query.shape {
            Shape::One(_) => {
                for (column, cell) in self.query.columns.iter().zip(self.rows.iter(self.query).flatten()) {
                    members.serialize_entry(column.name, cell)?;
                }
            }
            Shape::Objects(name, _) | Shape::Numbers(name, _) => {
                members.serialize_entry(name, &JsonList { query: self.query, rows: self.rows })?;
            }
        }
        members.end()
    }
}

struct JsonList<'a> {
    query: &'static GridQuery,
    rows: &'a Rows,
}

impl Serialize for JsonList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for row in self.rows.iter(self.query) {
            match (self.query.shape, row) {
                (Shape::Numbers(..), [one]) => list.serialize_element(one)?,
                (Shape::Numbers(..), several) => list.serialize_element(several)?,
                _ => list.serialize_element(&JsonObject { query: self.query, row })?,
            }
        }
        list.end()
    }
}

struct JsonObject<'a> {
    query: &'static GridQuery,
    row: &'a [Cell],
}

impl Serialize for JsonObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.query.columns.iter().map(|column| column.name);
        serializer.collect_map(names.zip(self.row))
    }
}

/// Every number in full. A frame with one row has its costs, too.
pub(super) fn csv(results: &Results, query: &GridQuery, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let is_one = matches!(query.shape, Shape::One(_));
    let columns = query.columns.iter();
    let headings = columns.flat_map(|c| c.kind.parts().iter().map(|part| format!("{}{part}", c.name)));
    let work = ["volume_tests", "triangle_tests", "microseconds"].map(str::to_owned);
    let work = if is_one { work.as_slice() } else { &[] };
    csv.write_record(["frame".to_owned()].into_iter().chain(headings).chain(work.iter().cloned()))?;
    for (i, frame) in results.frames.iter().enumerate() {
        for row in rows(frame).into_iter().flat_map(|rows| rows.iter(query)) {
            let mut record = vec![i.to_string()];
            for (column, cell) in query.columns.iter().zip(row) {
                match *cell {
                    Cell::Empty => record.extend(column.kind.parts().iter().map(|_| String::new())),
                    Cell::Flag(is_so) => record.push(is_so.to_string()),
                    Cell::Word(word) => record.push(word.to_owned()),
                    Cell::Whole(n) => record.push(n.to_string()),
                    Cell::Number(x) => record.push(x.to_string()),
                    Cell::Interval(ends) => record.extend(ends.map(|x| x.to_string())),
                    Cell::Point(point) => record.extend(point.map(|x| x.to_string())),
                }
            }
            if is_one {
                let work = frame.work.count;
                record.extend([work.volume_tests, work.triangle_tests].map(|n| n.to_string()));
                record.push(microseconds(frame.time).to_string());
            }
            csv.write_record(record)?;
        }
    }
    Ok(csv.flush()?)
}

/// For people: a row for each row of each frame. Of an interval the upper end is shown.
pub(super) fn people(
    results: &Results,
    query: &GridQuery,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = || results.frames.iter().enumerate().filter_map(|(i, frame)| Some((i, frame, rows(frame)?)));
    let points = all().flat_map(|(_, _, rows)| rows.iter(query)).flatten();
    let points = points.filter_map(|cell| if let Cell::Point(point) = cell { Some(*point) } else { None });
    let coordinates = Coordinates::like(points.flatten(), results.size);
    let is_one = matches!(query.shape, Shape::One(_));
    let mut headings = vec![">frame".to_owned()];
    for column in query.columns {
        let name = column.name.replace('_', "\n");
        match column.kind {
            ColumnKind::Flag | ColumnKind::Word => headings.push(name),
            ColumnKind::Whole | ColumnKind::Number | ColumnKind::Interval => {
                headings.push(format!(">{name}"))
            }
            ColumnKind::Point => headings.extend([format!(">{name} x"), ">y".to_owned(), ">z".to_owned()]),
        }
    }
    if is_one {
        headings.extend(cost_headings(results.stats).iter().map(|&heading| heading.to_owned()));
    }
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cell = |(column, cell): (&crate::pair::grid::Column, &Cell)| -> Vec<String> {
        let missing = || "–".to_owned();
        match *cell {
            Cell::Empty if column.kind == ColumnKind::Point => vec![missing(), String::new(), String::new()],
            Cell::Empty => vec![missing()],
            Cell::Flag(is_so) => vec![yes(is_so)],
            Cell::Word(word) => vec![word.replace('_', " ")],
            // Numbers of triangles are names, not amounts: no commas in them.
            Cell::Whole(n) => vec![n.to_string()],
            Cell::Number(x) | Cell::Interval([_, x]) => vec![amount(x)],
            Cell::Point(point) => point.iter().map(|&x| coordinates.show(x)).collect(),
        }
    };
    let row = |frame: usize, answer: &FrameResult, row: &[Cell]| {
        let cells = query.columns.iter().zip(row).flat_map(cell);
        let mut cells: Vec<String> = [frame.to_string()].into_iter().chain(cells).collect();
        if is_one {
            cells.extend(costs(answer, results.stats));
        }
        cells
    };
    let table = Table { headings: &headings, names: 0, together: 0, width: columns };
    table.write(
        || all().flat_map(|(i, frame, rows)| rows.iter(query).map(move |cells| row(i, frame, cells))),
        out,
    )
}

/// A sentence about the only row, or the number of rows.
pub(super) fn verdict(results: &Results, query: &GridQuery) -> String {
    let frames = results.frames.len() as u64;
    let found: u64 = results.frames.iter().filter_map(rows).map(|rows| rows.count).sum();
    match query.shape {
        Shape::One(sentence) if frames == 1 => {
            let only = results.frames.first().and_then(rows).and_then(|rows| rows.iter(query).next());
            only.map(sentence).unwrap_or_default()
        }
        Shape::One(_) => format!("{}.", count(frames, "frame")),
        Shape::Objects(_, one) | Shape::Numbers(_, one) => {
            let all = if frames == 1 { String::new() } else { format!(" in {} frames", grouped(frames)) };
            match found {
                0 => format!("No {one}{all}."),
                _ => format!("{}{all}.", count(found, one)),
            }
        }
    }
}
