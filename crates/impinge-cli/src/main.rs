//! The command `impinge`: every clash of an assembly, exactly.
#![forbid(unsafe_code)]

mod args;
mod built_in;
mod candidates;
mod check;
mod chord;
mod clashes;
mod clearance;
mod demo;
mod depth;
mod finding;
mod hull;
mod info;
mod input;
mod npy;
mod output;
mod pair;
mod parallel;
mod poses;
mod progress;
mod report;
#[cfg_attr(not(feature = "reproduce"), path = "no_reproduce.rs")]
mod reproduce;
mod topology;
mod units;
mod volumes;

use clap::{Parser, Subcommand};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Everything went well, and nothing was found that counts.
const CLEAR: u8 = 0;
/// Everything went well, and `check` found what counts.
const FINDINGS: u8 = 1;
/// The work could not be done; one line on stderr says why.
const ERROR: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  impinge check                          the built-in assembly, explained
  impinge check robot.glb                every clashing pair of parts
  impinge check house.obj pipes.obj --output clashes.json
  impinge pair a.stl b.stl --poses motion.npy --query pairs --format json
  impinge info part.ply                  triangles, flaws, cost of the tree
  impinge demo gearbox -o gearbox.glb    the built-in assembly as a file
  impinge volumes                        the bounding volumes to choose from
  impinge reproduce all --quick          the papers' experiments, measured here

Each command has its own examples: impinge check --help";

/// Which parts of an assembly, and which triangles of two meshes, meet: exactly.
///
/// A triangle is the closed set that its three points span, and a pose is taken as the exact map that
/// its twelve numbers say: two triangles that only touch do meet, and no tolerance decides anything.
#[derive(Parser)]
#[command(name = "impinge", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Check),
    Pair(pair::Pair),
    Info(info::Info),
    Demo(demo::Demo),
    Volumes(volumes::Volumes),
    Reproduce(reproduce::Reproduce),
}

/// Makes the C library keep memory that is freed for what comes next. glibc gives blocks of more than 128 KB
/// back to the system, and each page that is then asked for again takes 2 us; but once a larger block has
/// been freed, of less than 32 MiB, it keeps blocks of that size (mallopt(3), `M_MMAP_THRESHOLD`). This one
/// is never touched. Elsewhere nothing happens.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}

fn main() -> ExitCode {
    keep_freed_memory();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => {
            // --help and --version come here, too. Nobody is left to tell if printing fails.
            let _ = answer.print();
            return ExitCode::from(if answer.use_stderr() { ERROR } else { CLEAR });
        }
    };
    let done = match cli.command {
        Command::Check(check) => check.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::Pair(pair) => pair.run().map(|()| CLEAR),
        Command::Info(info) => info.run().map(|()| CLEAR),
        Command::Demo(demo) => demo.run().map(|()| CLEAR),
        Command::Volumes(volumes) => volumes.run().map(|()| CLEAR),
        Command::Reproduce(reproduce) => reproduce.run().map(|()| CLEAR),
    };
    ExitCode::from(done.unwrap_or_else(|error| {
        // `:#` joins the chain of causes by ': '. A name from a file may hold a line break; one line is
        // promised.
        let chain = report::printable(&format!("{error:#}"));
        let _ = writeln!(io::stderr(), "impinge: error: {chain}");
        ERROR
    }))
}
