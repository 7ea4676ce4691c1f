//! Notes the compiler and the revision, for the report.
use std::{env, process::Command};

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    println!("cargo:rustc-env=IMPINGE_RUSTC={}", output(Command::new(rustc).arg("--version")));
    let revision =
        output(Command::new("git").args(["describe", "--always", "--dirty=, with changes", "--exclude=*"]));
    println!("cargo:rustc-env=IMPINGE_REVISION={revision}");
    // A commit changes the log of HEAD, a change the sources.
    let log = output(Command::new("git").args(["rev-parse", "--git-path", "logs/HEAD"]));
    if std::path::Path::new(&log).exists() {
        println!("cargo:rerun-if-changed={log}");
    }
    println!("cargo:rerun-if-changed=..");
}

/// One line, or that it is unknown: a source archive has no git.
fn output(command: &mut Command) -> String {
    let done = command.output().ok().filter(|done| done.status.success());
    let text = done.map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned()).unwrap_or_default();
    if text.is_empty() { "unknown".into() } else { text.replace(['\n', '\r'], " ") }
}
