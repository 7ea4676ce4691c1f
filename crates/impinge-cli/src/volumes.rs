//! `impinge volumes`: the bounding volumes there are, and what they cost.
use crate::{args::Form, output::Sink, report};
use clap::Args;

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

impl Volumes {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(None, [])?;
        sink.write(|out| report::volumes::write(self.format, sink.columns(), out))
    }
}
