//! Finds the version of parry in the lock file, so that the runner can report it.
fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    let lock =
        std::fs::read_to_string("../../Cargo.lock").map_err(|error| format!("bench/Cargo.lock: {error}"))?;
    let after = |text: &str, name: &str| {
        let start = text.find(&format!("name = \"{name}\""))?;
        text[start..].lines().nth(1)?.split('"').nth(1).map(str::to_owned)
    };
    let version = after(&lock, "parry3d").ok_or("bench/Cargo.lock has no parry3d")?;
    if after(&lock, "parry3d-f64").as_ref() != Some(&version) {
        return Err("parry3d and parry3d-f64 have different versions: report both".to_owned());
    }
    println!("cargo::rustc-env=PARRY_VERSION={version}");
    Ok(())
}
