//! `impinge volumes`: the bounding volumes there are, and what they cost.
use crate::{args::Form, output::Sink, report};
use clap::Args;
use impinge_volumes::{Fit, Kind, Overlap};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  impinge volumes
  impinge pair a.stl b.stl --volume sphere --fit ritter --stats";

/// List the bounding volumes, what they cost, and what can be chosen.
///
/// Bytes are those of one volume as it is stored, and with the link to what it encloses. Operations are the
/// multiplications, additions and comparisons of one overlap test that finds no separation, and of placing a
/// volume for its tests. Of choices, the first is what `auto` picks. `boxtree-pair`, the layout of Zachmann's
/// section 3.2.5, is another name of `boxtree`, whose nodes have it.
///
/// Which one to use, with a figure: docs/which-volume.md in the source.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Volumes {
    /// How to write the result.
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,
}

/// A volume as programs see it.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) paper: &'static str,
    pub(crate) volume_bytes: f64,
    pub(crate) node_bytes: f64,
    pub(crate) test_operations: u32,
    pub(crate) placing_operations: u32,
    pub(crate) split: &'static str,
    pub(crate) overlaps: Vec<&'static str>,
    pub(crate) fits: Vec<&'static str>,
    /// Children that a node may have.
    pub(crate) arities: &'static [usize],
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

impl Volumes {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(None, [])?;
        let rows: Vec<Row> = Kind::ALL.iter().map(|&kind| Row::of(kind)).collect();
        sink.write(|out| report::volumes::write(&rows, self.format, sink.columns(), out))
    }
}
