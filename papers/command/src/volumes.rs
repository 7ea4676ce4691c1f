//! `impinge-papers volumes`: lists the bounding volumes and their costs.
use crate::format::columns;
use clap::{Args, ValueEnum};
use impinge_check::values::numbers::grouped;
use impinge_report::Table;
use impinge_volumes::{Fit, Kind, Overlap};
use serde::Serialize;
use std::io::{self, Write};

/// The page about the choice of a volume.
const PAGE: &str = "https://github.com/impinge/impinge/blob/main/papers/docs/which-volume.md";

/// List the bounding volumes, what they cost, and what can be chosen.
///
/// Bytes are those of one volume as it is stored, and with the link to what it encloses. Operations are the
/// multiplications, additions and comparisons of one overlap test that finds no separation, and of placing a
/// volume for its tests. Of choices, the first is what `auto` picks. `boxtree-pair`, the layout of Zachmann's
/// section 3.2.5, is another name of `boxtree`, whose nodes have it.
///
/// Which one to use, with a figure: papers/docs/which-volume.md in the source.
#[derive(Args)]
pub(crate) struct Volumes {
    /// The format of the result.
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    format: ListFormat,
}

/// The format of a list whose cells are lists.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    /// For people.
    Table,
    /// For programs.
    Json,
}

#[derive(Serialize)]
struct VolumesJson {
    volumes: Vec<VolumeRow>,
}

/// Properties of one volume.
#[derive(Serialize)]
struct VolumeRow {
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

impl VolumeRow {
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

impl Volumes {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let volumes: Vec<VolumeRow> = Kind::ALL.iter().map(|&kind| VolumeRow::of(kind)).collect();
        let mut out = io::stdout().lock();
        match self.format {
            ListFormat::Table => table(&volumes, &mut out),
            ListFormat::Json => {
                let text = serde_json::to_string_pretty(&VolumesJson { volumes })?;
                Ok(writeln!(out, "{text}")?)
            }
        }
    }
}

fn table(rows: &[VolumeRow], out: &mut dyn Write) -> anyhow::Result<()> {
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
    let cells = |row: &VolumeRow| {
        let numbers = [row.volume_bytes, row.node_bytes].map(|n| n.to_string());
        let operations = [row.test_operations, row.placing_operations].map(grouped);
        let arities = row.arities.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let choices = [row.split.to_owned(), row.overlaps.join(", "), row.fits.join(", "), arities];
        let cells = [row.name.to_owned()].into_iter().chain(numbers).chain(operations).chain(choices);
        cells.chain([row.paper.to_owned()]).collect()
    };
    let table = Table { headings: &headings, names: 0, together: 0, width: columns() };
    table.write(|| rows.iter().map(cells), out)?;
    Ok(writeln!(
        out,
        "\nAt most 8 triangles a leaf with wide, 4 with the others. Which to use: papers/docs/which-volume.md\n\
         ({PAGE})"
    )?)
}
