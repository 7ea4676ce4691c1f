//! Records the compiler, so that a runner can report it.
fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!("cargo::rustc-env=BENCH_RUSTC={}", version.unwrap_or_else(|error| format!("rustc ({error})")));
    println!("cargo::rerun-if-env-changed=BENCH_FLAGS");
    println!("cargo::rerun-if-changed=build.rs");
}
