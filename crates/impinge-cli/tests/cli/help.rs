//! Help texts of the program.
use crate::common::{run, stdout};

#[test]
fn every_command_has_examples() {
    let commands = [
        "check",
        "baseline",
        "diff",
        "import-bcf",
        "plan",
        "work",
        "merge",
        "pair",
        "sweep",
        "info",
        "demo",
        "rules",
        "completions",
        "man",
    ];
    let commands = commands.map(Some);
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
    assert!(check.contains("Exit status: 0 no finding, 1 some finding, 2"), "{check}");
    for option in [
        "--between <A> <B>",
        "--demo <NAME>",
        "--format <FORMAT>",
        "--output <FILE>",
        "--limit <N>",
        "--report <RELATIONS>",
        "--show <RELATIONS>",
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
    for words in ["rounded once", "numbered from 0", "(N, 2, 3, 4)", "--affine", "times are less exact"] {
        assert!(pair.contains(words), "{words}: {pair}");
    }
}

/// The short help has a line for each option, and fits a screen or two.
#[test]
fn the_short_help_is_short() {
    let commands: [(&[&str], usize); 24] = [
        (&[], 40),
        (&["check"], 70),
        (&["pair"], 50),
        (&["sweep"], 45),
        (&["info"], 25),
        (&["convert"], 25),
        (&["plan"], 25),
        (&["work"], 25),
        (&["merge"], 25),
        (&["judge"], 25),
        (&["diff"], 25),
        (&["import-bcf"], 25),
        (&["baseline"], 25),
        (&["baseline", "approve"], 25),
        (&["baseline", "list"], 25),
        (&["rules", "check"], 25),
        (&["rules", "explain"], 25),
        (&["demo"], 25),
        (&["proxy", "check"], 40),
        (&["proxy", "fix"], 40),
        (&["robot", "check"], 35),
        (&["robot", "lint"], 35),
        (&["robot", "acm"], 35),
        (&["man"], 25),
    ];
    for (command, most) in commands {
        let words: Vec<&dyn AsRef<std::ffi::OsStr>> =
            command.iter().chain(&["-h"]).map(|word| word as &dyn AsRef<std::ffi::OsStr>).collect();
        let help = stdout(0, &words);
        let lines: Vec<&str> = help.lines().collect();
        assert!(lines.len() <= most, "{command:?}: {} lines, at most {most}\n{help}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 100), "{help}");
        // Every option stands under a heading of its own kind.
        assert!(command.is_empty() || !lines.contains(&"Options:"), "{help}");
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

#[test]
fn shells_and_man_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(0, &[&"completions", &shell]);
        assert!(script.contains("clearance") && script.contains("merge"), "{shell}");
    }
    let page = stdout(0, &[&"man"]);
    assert!(page.contains(".TH impinge 1") && page.contains("impinge\\-check(1)"), "{page}");
    let check = stdout(0, &[&"man", &"check"]);
    assert!(check.contains("\\-\\-clearance") && check.contains("\\-\\-quiet"), "{check}");
    run(2, &[&"man", &"clash"]);
}

#[test]
fn stderr_is_as_quiet_and_as_coloured_as_asked() {
    let folder = crate::common::Folder::new();
    let part = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let file = folder.file("a.obj", format!("o a\n{part}curv 0 1 1 2\no b\nf 1 2 3\n"));
    let stderr = |status, words: &[&str]| {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"check", &file];
        all.extend(words.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
        String::from_utf8(run(status, &all).stderr).unwrap()
    };
    assert!(stderr(1, &[]).starts_with("impinge: warning: "));
    assert_eq!(stderr(1, &["-q"]), "");
    assert!(stderr(1, &["-v"]).contains("testing part pairs: 1 ("));
    assert!(stderr(1, &["--color", "always"]).starts_with("impinge: \x1b[1;33mwarning:\x1b[0m "));
    assert!(stderr(2, &["--tolerance", "1", "--depth", "none", "-q"]).starts_with("impinge: error: "));
    assert!(String::from_utf8(run(0, &[&"--color=always", &"--help"]).stdout).unwrap().contains("\x1b["));
    assert!(!String::from_utf8(run(0, &[&"--help"]).stdout).unwrap().contains("\x1b["));
}
