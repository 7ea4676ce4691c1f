//! Output of `impinge volumes`: table or JSON.
use crate::args::Form;
use impinge_check::numbers::grouped;
use impinge_report::Table;
use impinge_volumes::{Fit, Kind, Overlap};
use serde::Serialize;
use std::io::Write;

/// The page about the choice of a volume.
const PAGE: &str = "https://github.com/impinge/impinge/blob/main/docs/which-volume.md";

#[derive(Serialize)]
struct Json<'a> {
    impinge: &'static str,
    /// The volume of `--volume auto`.
    auto: &'static str,
    volumes: &'a [Row],
}

/// Properties of one volume.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    paper: &'static str,
    volume_bytes: f64,
    node_bytes: f64,
    test_operations: u32,
    placing_operations: u32,
    split: &'static str,
    overlaps: Vec<&'static str>,
    fits: Vec<&'static str>,
    /// Children that a node may have.
    arities: &'static [usize],
}

impl Row {
    fn of(kind: Kind) -> Self {
        let about = kind.about();
        Self {
            name: kind.name(),
            paper: about.paper,
            volume_bytes: about.volume_bytes,
            node_bytes: about.node_bytes,
            test_operations: about.test_operations,
            placing_operations: about.placing_operations,
            split: about.split.name(),
            overlaps: kind.overlaps().iter().map(|&overlap| Overlap::name(overlap)).collect(),
            fits: kind.fits().iter().map(|&fit| Fit::name(fit)).collect(),
            arities: kind.arities(),
        }
    }
}

/// Writes all volumes.
pub(crate) fn write(form: Form, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let rows: Vec<Row> = Kind::ALL.iter().map(|&kind| Row::of(kind)).collect();
    match form {
        Form::Table => people(&rows, columns, out),
        Form::Json => {
            serde_json::to_writer_pretty(
                &mut *out,
                &Json { impinge: env!("CARGO_PKG_VERSION"), auto: Kind::default().name(), volumes: &rows },
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
        "children\na node",
        "paper",
    ];
    let cells = |row: &Row| {
        let numbers = [row.volume_bytes, row.node_bytes].map(|n| n.to_string());
        let operations = [row.test_operations, row.placing_operations].map(grouped);
        let arities = row.arities.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let choices = [row.split.to_owned(), row.overlaps.join(", "), row.fits.join(", "), arities];
        let cells = [row.name.to_owned()].into_iter().chain(numbers).chain(operations).chain(choices);
        cells.chain([row.paper.to_owned()]).collect()
    };
    let table = Table { headings: &headings, names: 0, together: 0, width: columns };
    table.write(|| rows.iter().map(cells), out)?;
    let auto = Kind::default().name();
    Ok(writeln!(
        out,
        "\nauto, the default of every option: --volume {auto}, and what stands first in a volume's row.\n\
         At most 8 triangles a leaf with wide, 4 with the others. Which to use: docs/which-volume.md\n\
         ({PAGE})"
    )?)
}
