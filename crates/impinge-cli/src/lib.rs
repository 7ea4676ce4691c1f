//! The command `impinge`: every clash of an assembly, exactly. As a library it is for other programs that are
//! to be this command, such as the Python package; the work is done by `impinge-check`.
#![forbid(unsafe_code)]

mod against;
mod args;
mod baseline;
mod built_in;
mod check;
mod command;
mod convert;
mod demo;
mod diff;
mod exit_status;
mod explain;
mod grouping;
mod images;
mod import_bcf;
mod info;
mod input;
mod inputs;
mod judge;
mod merge;
mod named_part;
mod npy;
mod omitted;
mod output;
mod pair;
mod part_name;
mod plan;
mod poses;
mod progress;
mod proxy;
mod question;
mod report;
mod robot;
mod rules;
mod rules_file;
mod ruling;
mod run_files;
mod shell;
mod signals;
mod standard_input;
mod sweep;
mod threads;
mod time_limit;
mod today;
mod topology;
mod two_meshes;
mod verbosity;
mod work;
mod writing;

#[doc(hidden)]
pub use signals::{clean_up, prepare_for_signals};

use self::{
    command::{Cli, Command},
    exit_status::{CLEAR, ERROR, FINDINGS},
};
use clap::FromArgMatches;
use impinge::Pose;
use std::{
    ffi::OsString,
    io::{self, Write},
    path::Path,
};

/// The text of a rules file, read as the command reads it: for the Python package.
///
/// # Errors
/// One line that names the file.
#[doc(hidden)]
pub fn rules_text(path: &Path) -> Result<String, String> {
    rules_file::text(path).map_err(|error| format!("{error:#}"))
}

/// A list of poses that a rules file names, read as the command reads it: for the Python package.
///
/// # Errors
/// One line that names the file.
#[doc(hidden)]
pub fn pose_list(rules: &Path, name: &str) -> Result<Vec<Pose>, String> {
    rules_file::pose_list(rules, name).map(|(_, poses)| poses).map_err(|error| format!("{error:#}"))
}

/// Runs the command: `arguments` are those of a process, its name first. Prints to stdout and stderr, and
/// returns the exit status: 0 if nothing was found that counts, 1 if something was, 2 if the work could not
/// be done.
///
/// ```
/// assert_eq!(impinge_cli::main(["impinge", "rules", "example"]), 0);
/// assert_eq!(impinge_cli::main(["impinge", "no-such-command"]), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let color = verbosity::of_help(words.iter().map(OsString::as_os_str));
    let is_short = words.iter().any(|word| word == "-h");
    let parsed = Cli::parser(is_short).color(color).try_get_matches_from(words);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(answer) => {
            // --help and --version come here, too. Nobody is left to tell if printing fails.
            let _ = answer.print();
            return if answer.use_stderr() { ERROR } else { CLEAR };
        }
    };
    cli.verbosity.set();
    let done = match cli.command {
        Command::Check(check) => check.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::Convert(convert) => convert.run().map(|()| CLEAR),
        Command::Plan(plan) => plan.run().map(|()| CLEAR),
        Command::Work(work) => work.run().map(|()| CLEAR),
        Command::Merge(merge) => merge.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::Baseline(baseline) => baseline.run().map(|()| CLEAR),
        Command::Diff(diff) => diff.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::ImportBcf(import) => import.run().map(|()| CLEAR),
        Command::Judge(judge) => judge.run().map(|agrees| if agrees { CLEAR } else { FINDINGS }),
        Command::Pair(pair) => pair.run().map(|()| CLEAR),
        Command::Sweep(sweep) => sweep.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::Proxy(proxy) => proxy.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::Robot(robot) => robot.run().map(|clear| if clear { CLEAR } else { FINDINGS }),
        Command::Info(info) => info.run().map(|()| CLEAR),
        Command::Demo(demo) => demo.run().map(|()| CLEAR),
        Command::Rules(rules) => rules.run().map(|()| CLEAR),
        Command::Completions(completions) => completions.run(Cli::parser(false)).map(|()| CLEAR),
        Command::Man(man) => man.run(Cli::parser(false)).map(|()| CLEAR),
    };
    done.unwrap_or_else(|error| {
        // `:#` joins the chain of causes by ': '. A name from a file may hold a line break; one line is
        // promised.
        let chain = impinge_check::values::text::printable(&format!("{error:#}"));
        let _ = writeln!(io::stderr(), "impinge: {} {chain}", verbosity::marked("error:"));
        ERROR
    })
}
