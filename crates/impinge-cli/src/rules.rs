//! `impinge rules`: files of rules, without any model.
use crate::{explain::Explain, output::Sink, rules_file};
use clap::{Args, Subcommand};
use impinge_check::{
    Rules,
    values::{numbers::count, text::printable},
};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  impinge rules example > impinge.toml   a file with everything, explained
  impinge rules check impinge.toml       misspelt words, with line and column
  impinge rules explain PART PART FILE   which line decided of two parts";

/// Check a file of rules, explain what it decides of two parts, or print an example.
///
/// Rules are a TOML file: sets of parts, tests of pairs of sets, and findings that are designed.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RulesCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Check(CheckRules),
    Explain(Box<Explain>),
    Example(Example),
}

impl RulesCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Check(check) => check.run(),
            Action::Explain(explain) => explain.run(),
            Action::Example(example) => example.run(),
        }
    }
}

const CHECK: &str = "\
Examples:
  impinge rules check impinge.toml

Exit status: 0 the file is valid, 2 it is not.";

/// Check a file of rules for unknown words, values of the wrong type, and sets that refer to each other.
///
/// Reads no model. Sets without parts are found by `impinge check`, as warnings.
#[derive(Args)]
#[command(after_help = CHECK)]
struct CheckRules {
    /// File of rules; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl CheckRules {
    fn run(self) -> anyhow::Result<()> {
        let rules = rules_file::read(&self.file)?;
        let named = rules.sets().iter().filter(|set| set.name().is_some()).count();
        let count = |number: usize, what: &str| count(number as u64, what);
        let text = format!(
            "{}: {}, {}, {}",
            rules.file(),
            count(rules.tests().len(), "test"),
            count(named, "set"),
            count(rules.ignores().len(), "ignore rule")
        );
        Sink::Stdout.write(|out| Ok(writeln!(out, "{}", printable(&text))?))
    }
}

const EXAMPLE: &str = "\
Examples:
  impinge rules example > impinge.toml";

/// Print a file of rules with everything, and comments that explain it.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
struct Example {}

impl Example {
    fn run(self) -> anyhow::Result<()> {
        Sink::Stdout.write(|out| Ok(out.write_all(Rules::EXAMPLE.as_bytes())?))
    }
}
