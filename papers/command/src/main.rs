//! Command `impinge-papers`: compares bounding volumes and runs the papers' experiments.
#![forbid(unsafe_code)]

mod choices;
mod compare;
mod costs;
mod format;
mod frames;
mod question;
mod reproduce;
mod stages;
mod volumes;

use self::{compare::Compare, reproduce::Reproduce, volumes::Volumes};
use clap::{Parser, Subcommand};
use impinge_check::values::text::printable;
use std::{
    io::{self, Write},
    panic,
    process::{self, ExitCode},
};

const EXAMPLES: &str = "\
Examples:
  impinge-papers volumes                     the bounding volumes, and what they cost
  impinge-papers compare a.stl b.stl         counts, bytes and times of all volumes
  impinge-papers reproduce all --quick       the papers' experiments, measured here

Exit status: 0 done; 2 it could not be done.";

/// List the bounding volumes of four papers, compare them on your meshes, run the papers' experiments again.
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

/// Ends the program with status 2 at a panic: release builds do not unwind. The library panics if a list does
/// not fit in memory.
fn end_at_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        match info.payload_as_str().filter(|text| text.starts_with("out of memory")) {
            Some(message) => {
                let _ = writeln!(io::stderr(), "impinge-papers: error: {message}");
            }
            None => report(info),
        }
        process::exit(2);
    }));
}

fn main() -> ExitCode {
    end_at_panics();
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
                // The reader of stdout has closed it.
                return ExitCode::SUCCESS;
            }
            let _ = writeln!(io::stderr(), "impinge-papers: error: {}", printable(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}
