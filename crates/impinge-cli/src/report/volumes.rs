//! What `impinge volumes` says: table or JSON.
use super::{Table, grouped};
use crate::{args::Form, volumes::Row};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Json<'a> {
    impinge: &'static str,
    volumes: &'a [Row],
}

pub(crate) fn write(
    rows: &[Row],
    form: Form,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match form {
        Form::Table => people(rows, columns, out),
        Form::Json => {
            serde_json::to_writer_pretty(
                &mut *out,
                &Json { impinge: env!("CARGO_PKG_VERSION"), volumes: rows },
            )?;
            Ok(writeln!(out)?)
        }
    }
}

fn people(rows: &[Row], columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let headings = [
        "volume",
        ">bytes",
        ">with\nlink",
        ">test\nops",
        ">placing\nops",
        "built by",
        "overlap tests",
        "fits",
        "paper",
    ];
    let cells = |row: &Row| {
        let numbers = [row.volume_bytes, row.node_bytes].map(|n| n.to_string());
        let operations = [row.test_operations, row.placing_operations].map(grouped);
        let choices = [row.split.to_owned(), row.overlaps.join(", "), row.fits.join(", ")];
        let cells = [row.name.to_owned()].into_iter().chain(numbers).chain(operations).chain(choices);
        cells.chain([row.paper.to_owned()]).collect()
    };
    let table = Table { headings: &headings, names: 0, width: columns };
    Ok(table.write(|| rows.iter().map(cells), out)?)
}
