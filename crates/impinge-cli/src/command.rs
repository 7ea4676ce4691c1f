//! Subcommands of the program and their parser.
use crate::{
    baseline::Baseline,
    check::Check,
    convert::Convert,
    demo::Demo,
    diff::Diff,
    import_bcf::ImportBcf,
    info::Info,
    judge::Judge,
    merge::Merge,
    pair::Pair,
    plan::Plan,
    rules::RulesCommand,
    shell::{Completions, Man},
    verbosity::Verbosity,
    work::Work,
};
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  impinge check                          the built-in assembly, explained
  impinge check robot.glb                every clashing pair of parts
  impinge check house.obj pipes.obj --output clashes.json
  impinge convert a.stl b.glb -o ab.impinge   files as one bundle
  impinge plan hall.glb -o plan          the same in tasks for many machines: see also work and merge
  impinge baseline list impinge.baseline.jsonl
  impinge diff last-week.jsonl impinge.baseline.jsonl
  impinge import-bcf reviewed.bcf --baseline impinge.baseline.jsonl
  impinge judge clashes.bcf house.obj    another program's clash list, entry by entry
  impinge pair a.stl b.stl --poses motion.npy --query pairs --format json
  impinge info part.ply                  triangles, flaws, cost of the tree
  impinge demo gearbox -o gearbox.glb    the built-in assembly as a file
  impinge rules check impinge.toml       rules about parts and clashes: see rules example

Each command has its own examples: impinge check --help";

/// Which parts of an assembly, and which triangles of two meshes, meet: exactly.
///
/// A triangle is the closed set that its three points span, and a pose is taken as the exact map that
/// its twelve numbers say: two triangles that only touch do meet, and no tolerance decides anything.
#[derive(Parser)]
#[command(name = "impinge", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Check(Box<Check>),
    Convert(Convert),
    Plan(Box<Plan>),
    Work(Work),
    Merge(Merge),
    Baseline(Baseline),
    Diff(Diff),
    ImportBcf(ImportBcf),
    Judge(Box<Judge>),
    Pair(Box<Pair>),
    Info(Info),
    Demo(Demo),
    Rules(RulesCommand),
    Completions(Completions),
    Man(Man),
}
