//! `impinge baseline`: decisions about findings, in a file that lives in git.
mod conditions;
mod decide;
mod existing;
mod list;
mod prune;
mod remaining;

use self::{decide::Decide, list::List, prune::Prune};
pub(crate) use self::{
    existing::existing,
    list::{BETWEEN, upper},
};
use clap::{Args, Subcommand};
use impinge_check::baseline::DecisionKind;

const BRIEF: &str = "\
Examples:
  impinge baseline list impinge.baseline.jsonl --status new
  impinge baseline approve impinge.baseline.jsonl --group 3f2a --reason planned";

const EXAMPLES: &str = "\
Examples:
  impinge baseline list impinge.baseline.jsonl --status new
  impinge baseline approve impinge.baseline.jsonl 3f2a 91bc --reason 'sleeve is planned'
  impinge baseline approve impinge.baseline.jsonl --group 3f2a --reason 'all 24 are planned'
  impinge baseline approve impinge.baseline.jsonl --relation overlap --max-volume 5cm3 --unit m \\
      --between 'IPE*' 'wall*' --reason welded --until 2027-03-01
  impinge baseline review impinge.baseline.jsonl --all-new --reason 'to be discussed on Monday'
  impinge baseline prune impinge.baseline.jsonl

Exit status: 0 done, 2 a file cannot be used or an id is not there: nothing is changed then.";

/// List and decide the findings of a baseline.
///
/// A baseline is a file with one line for each finding, and one for each decision. Decisions about different
/// findings merge in git without a conflict.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = EXAMPLES)]
pub(crate) struct Baseline {
    #[command(subcommand)]
    command: BaselineCommand,
}

#[derive(Subcommand)]
enum BaselineCommand {
    /// Accept findings: they do not count until they get worse or reappear
    Approve(Decide),
    /// Mark findings as seen and still open: they count only if they get worse
    Review(Decide),
    /// Remove resolved findings, and parts that no finding needs
    Prune(Prune),
    /// List findings with their status
    List(List),
}

impl Baseline {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            BaselineCommand::Approve(decide) => decide.run(DecisionKind::Approved),
            BaselineCommand::Review(decide) => decide.run(DecisionKind::Reviewed),
            BaselineCommand::Prune(prune) => prune.run(),
            BaselineCommand::List(list) => list.run(),
        }
    }
}
