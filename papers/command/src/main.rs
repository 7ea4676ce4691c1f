//! The command `impinge-papers`: bounding volumes compared, and the papers' experiments.
#![forbid(unsafe_code)]

mod choices;
mod compare;
mod costs;
mod frames;
mod question;
mod reproduce;
mod stages;
mod volumes;

use self::{compare::Compare, reproduce::Reproduce, volumes::Volumes};
use clap::{Parser, Subcommand, ValueEnum};
use std::{
    io::{self, Write},
    process::ExitCode,
};

const EXAMPLES: &str = "\
Examples:
  impinge-papers volumes                     the bounding volumes, and what they cost
  impinge-papers compare a.stl b.stl         counts, bytes and times of all volumes
  impinge-papers reproduce all --quick       the papers' experiments, measured here";

/// The bounding volumes of four papers: listed, compared on your meshes, and the papers' experiments run again.
///
/// The result of a query does not depend on the volume, only its cost does.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Volumes(Volumes),
    Compare(Box<Compare>),
    Reproduce(Reproduce),
}

/// How to write a result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Volumes(volumes) => volumes.run(),
        Command::Compare(compare) => compare.run(),
        Command::Reproduce(reproduce) => reproduce.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
            if error.downcast_ref().is_some_and(is_closed) {
                // Nobody reads the rest.
                return ExitCode::SUCCESS;
            }
            let _ = writeln!(io::stderr(), "impinge-papers: error: {error:#}");
            ExitCode::from(2)
        }
    }
}
