//! Records the compiler, for the report. The revision is read at run time: here it would cost a build at
//! every commit.
use std::{env, process::Command};

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().filter(|done| done.status.success());
    let version = version.map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned());
    let version = version.filter(|text| !text.is_empty() && !text.contains(['\n', '\r']));
    println!("cargo:rustc-env=IMPINGE_RUSTC={}", version.unwrap_or_else(|| "unknown".into()));
    // Cargo runs this again for another compiler. Sources and commits do not matter.
    println!("cargo:rerun-if-changed=build.rs");
}
