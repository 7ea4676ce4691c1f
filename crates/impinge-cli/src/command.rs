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
    pair::{self, Pair},
    plan::Plan,
    proxy::ProxyCommand,
    robot::RobotCommand,
    rules::RulesCommand,
    shell::{Completions, Man},
    sweep::Sweep,
    verbosity::Verbosity,
    work::Work,
};
use clap::{Arg, ArgAction, CommandFactory, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  impinge check                                   the built-in gearbox, explained
  impinge check robot.glb                         every pair of parts that collide
  impinge pair a.stl b.stl --query distance       two meshes
More of each command: impinge check --help";

/// Find parts that collide in an assembly, exactly
///
/// A triangle is the closed set that its three points span. A pose is the exact map of its twelve numbers.
/// Two triangles that only touch do meet. No tolerance decides anything.
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
    Sweep(Box<Sweep>),
    Proxy(ProxyCommand),
    Robot(RobotCommand),
    Info(Info),
    Demo(Demo),
    Rules(RulesCommand),
    Completions(Completions),
    Man(Man),
}

impl Cli {
    /// The parser. Of `short` help, commands that take options of `check` list their own alone, and values
    /// that have a text of their own are left to the long help.
    pub(crate) fn parser(short: bool) -> clap::Command {
        const OF_CHECK: [&str; 4] = ["Findings", "Pairs", "Input", "Groups"];
        let help = Arg::new("help")
            .short('h')
            .long("help")
            .help("Print help (--help prints more)")
            .help_heading("Run")
            .display_order(901)
            .global(true)
            .action(ArgAction::Help);
        let program = Self::command().disable_help_flag(true).arg(help);
        if !short {
            return program;
        }
        let brief = |command: clap::Command| {
            command.mut_args(|argument| {
                let is_of_check =
                    argument.get_help_heading().is_some_and(|heading| OF_CHECK.contains(&heading));
                if is_of_check { argument.hide_short_help(true) } else { argument }
            })
        };
        let nested = |name: &'static str, change: fn(clap::Command) -> clap::Command| {
            move |command: clap::Command| command.mut_subcommand(name, change)
        };
        let without_values = |command: clap::Command| {
            command.mut_args(|argument| match argument.get_id().as_str() {
                "query" | "relation" => argument.hide_possible_values(true),
                _ => argument,
            })
        };
        let mut program = program.mut_subcommand("plan", brief).mut_subcommand("judge", brief);
        program = program.mut_subcommand("rules", nested("explain", brief));
        for name in ["approve", "review", "list"] {
            program = program.mut_subcommand("baseline", nested(name, without_values));
        }
        program.mut_subcommand("pair", |command| without_values(command).after_help(pair::short_help()))
    }
}
