//! Records the compiler, and the version of manifold-rust in the lock file.
fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    println!("cargo::rerun-if-env-changed=BENCH_FLAGS");
    let lock =
        std::fs::read_to_string("../../Cargo.lock").map_err(|error| format!("bench/Cargo.lock: {error}"))?;
    let version = lock
        .split_once("name = \"manifold-rust\"")
        .and_then(|(_, rest)| rest.lines().nth(1)?.split('"').nth(1))
        .ok_or("bench/Cargo.lock has no manifold-rust")?;
    println!("cargo::rustc-env=MANIFOLD_VERSION={version}");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiler = std::process::Command::new(rustc).arg("--version").output();
    let compiler = compiler.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!("cargo::rustc-env=BENCH_RUSTC={}", compiler.unwrap_or_else(|error| format!("rustc ({error})")));
    Ok(())
}
