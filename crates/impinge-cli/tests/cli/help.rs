//! Help texts of the program.
use crate::common::{run, stdout};

#[test]
fn every_command_has_examples() {
    // Without the feature of that name `reproduce` has examples of how to get it.
    let commands =
        ["check", "plan", "work", "merge", "pair", "info", "demo", "volumes", "reproduce"].map(Some);
    for command in [None].into_iter().chain(commands) {
        let words: Vec<&dyn AsRef<std::ffi::OsStr>> = match &command {
            Some(command) => vec![command, &"--help"],
            None => vec![&"--help"],
        };
        let help = stdout(0, &words);
        let examples = help.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("no examples: {help}"));
        let prefix = format!("impinge {}", command.unwrap_or("check"));
        assert!(examples.contains(&prefix), "{help}");
        assert!(help.contains("Usage: impinge"), "{help}");
    }
}

#[test]
fn the_help_says_what_scripts_need_to_know() {
    let check = stdout(0, &[&"check", &"--help"]);
    assert!(check.contains("Exit status: 0 nothing found that counts, 1 something was, 2"), "{check}");
    for option in [
        "--between <A> <B>",
        "--demo <NAME>",
        "--format <FORMAT>",
        "--output <FILE>",
        "--limit <N>",
        "--report <KINDS>",
        "--show <KINDS>",
        "--fill-rule <RULE>",
        "--surfaces",
        "--depth <WHICH>",
        "--tolerance <LENGTH>",
        "--clearance <LENGTH>",
        "--chord <[PARTS=]LENGTH>",
        "--what-if <LENGTHS>",
        "--threads <N>",
    ] {
        assert!(check.contains(option), "{option}: {check}");
    }
    let pair = stdout(0, &[&"pair", &"--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["rounded once", "numbered from 0", "(N, 2, 3, 4)", "--affine", "times are less honest"] {
        assert!(pair.contains(words), "{words}: {pair}");
    }
}

#[test]
fn the_version_is_the_crate_s() {
    assert_eq!(stdout(0, &[&"--version"]), format!("impinge {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_has_status_2_and_goes_to_stderr() {
    for args in [
        &[][..],
        &["clash"],
        &["check", "--threads", "many"],
        &["check", "--threads", "1000000"],
        &["demo", "teapot"],
    ] {
        let args: Vec<&dyn AsRef<std::ffi::OsStr>> = args.iter().map(|arg| arg as &dyn AsRef<_>).collect();
        let output = run(2, &args);
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}
