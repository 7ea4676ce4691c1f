//! The sheet of the coverage report.
use super::{
    cell::Cell,
    sheet::{Column, Sheet},
};
use crate::summary;
use impinge_check::{Report, Unit};
use serde_json::Value;
use std::{collections::HashMap, path::Path};

type CoverageRows<'a> = Vec<[Cell<'a>; 3]>;

/// Numbers of the coverage report under their names in JSON, then files, ignore rules and warnings.
pub(super) fn sheet(report: &Report) -> Sheet<'_> {
    let mut rows = CoverageRows::new();
    let mut add = |section: &'static str, name: Cell<'static>, value: Cell<'static>| {
        rows.push([Cell::text(section), name, value]);
    };
    add("report", Cell::text("impinge"), Cell::text(env!("CARGO_PKG_VERSION")));
    add("report", Cell::text("unit"), Cell::text(report.unit().map_or("not known", Unit::symbol)));
    for line in summary::lines(report, |name| name) {
        add("summary", Cell::text(line.name), Cell::text(line.value()));
    }
    if let Ok(value) = serde_json::to_value(report.coverage()) {
        flatten(String::new(), value, &mut |name, value| add("coverage", Cell::text(name), value));
    }
    let mut places = HashMap::new();
    let mut files: Vec<(&Path, u64)> = Vec::new();
    for part in report.parts() {
        let place = *places.entry(part.file()).or_insert_with(|| {
            files.push((part.file(), 0));
            files.len() - 1
        });
        files[place].1 += 1;
    }
    for (file, parts) in files {
        add("parts of file", Cell::text(file.to_string_lossy().into_owned()), Cell::Count(parts));
    }
    for rule in report.ignores() {
        add("pairs ignored", Cell::text(rule.reason.clone()), Cell::Count(rule.pairs));
        add("findings ignored", Cell::text(rule.reason.clone()), Cell::Count(rule.findings));
    }
    for warning in report.warnings() {
        add("warning", Cell::text(warning.file.clone()), Cell::text(warning.line()));
    }
    let columns = vec![Column::new("section", 18), Column::new("name", 48), Column::new("value", 60)];
    let count = rows.len();
    let cells = std::cell::RefCell::new(rows);
    // Each row is written once.
    let row = move |i: usize| {
        let empty = || Cell::Empty;
        std::mem::replace(&mut cells.borrow_mut()[i], [empty(), empty(), empty()]).into()
    };
    Sheet { title: "Coverage", columns, count, row: Box::new(row), pictures: 0 }
}

/// Calls `add` with the name and value of everything in a JSON object; names are like `solids.not_closed`.
fn flatten(name: String, value: Value, add: &mut impl FnMut(String, Cell<'static>)) {
    let within = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                flatten(within(&key), value, add);
            }
        }
        Value::Array(items) => {
            for (i, value) in items.into_iter().enumerate() {
                flatten(within(&i.to_string()), value, add);
            }
        }
        Value::Null => {}
        Value::Bool(is) => add(name, Cell::Is(is)),
        Value::Number(number) => match number.as_u64() {
            Some(count) => add(name, Cell::Count(count)),
            None => add(name, Cell::number(number.as_f64())),
        },
        Value::String(text) => add(name, Cell::text(text)),
    }
}
