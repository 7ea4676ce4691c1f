//! `impinge baseline`: decisions about findings, in a file that lives in git.
mod decide;
mod list;
mod prune;

pub(crate) use self::list::{joined, size};
use self::{decide::Decide, list::List, prune::Prune};
use anyhow::Context;
use clap::{Args, Subcommand};
use impinge_check::{
    Date,
    baseline::{Baseline as Known, Verdict},
};
use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

const EXAMPLES: &str = "\
Examples:
  impinge baseline list impinge.baseline.jsonl --status new
  impinge baseline approve impinge.baseline.jsonl 3f2a 91bc --reason 'sleeve is planned'
  impinge baseline approve impinge.baseline.jsonl --part 'IPE*' --reason welded --until 2027-03-01
  impinge baseline review impinge.baseline.jsonl --all-new --reason 'to be discussed on Monday'
  impinge baseline prune impinge.baseline.jsonl

Exit status: 0 done, 2 a file cannot be used or an id is not there: nothing is changed then.";

/// List and decide the findings of a baseline.
///
/// A baseline is a file with one line for each finding, and one for each decision. Decisions about different
/// findings merge in git without a conflict.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Baseline {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Accept findings: they count no more, unless they become worse or come back.
    Approve(Decide),
    /// Mark findings as looked at: they count no more either.
    Review(Decide),
    /// Remove resolved findings, and parts that no finding needs.
    Prune(Prune),
    /// List findings with their status.
    List(List),
}

impl Baseline {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Approve(decide) => decide.run(Verdict::Approved),
            Command::Review(decide) => decide.run(Verdict::Reviewed),
            Command::Prune(prune) => prune.run(),
            Command::List(list) => list.run(),
        }
    }
}

/// Reads a baseline.
pub(crate) fn read(path: &Path) -> anyhow::Result<Known> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| name.clone())?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|c| **c == b'\n').count();
        anyhow::anyhow!("{name}:{}: not UTF-8", line + 1)
    })?;
    Ok(Known::parse(&name, &text)?)
}

/// Today, by the system's clock, in UTC.
pub(crate) fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_days((since.as_secs() / 86_400) as i64)
}
