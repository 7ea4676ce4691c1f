//! The header is what cbindgen writes of the source.
use std::{env, fs, path::Path};

/// The modules, in the order of the header.
const ORDER: [&str; 21] = [
    "status",
    "mesh",
    "model",
    "pose",
    "body",
    "stop",
    "query",
    "pairs",
    "near",
    "solids",
    "curves",
    "points",
    "motion",
    "each",
    "coverage",
    "scene",
    "scene_bodies",
    "scene_sweep",
    "assembly",
    "check",
    "report",
];

#[test]
fn the_header_is_what_cbindgen_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut modules: Vec<String> = fs::read_dir(root.join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| !["border", "handle", "lib", "number"].contains(&name.as_str()))
        .collect();
    modules.sort();
    let mut named = ORDER.map(str::to_owned).to_vec();
    named.sort();
    assert_eq!(modules, named, "each module has its place in the header");

    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let sources = ORDER.iter().map(|module| root.join(format!("src/{module}.rs")));
    let builder =
        sources.fold(cbindgen::Builder::new().with_config(config), |builder, path| builder.with_src(path));
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    let text = String::from_utf8(text).unwrap();
    let path = root.join("include/impinge.h");
    if env::var_os("IMPINGE_WRITE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|is| is == text),
        "include/impinge.h is not that of the source: IMPINGE_WRITE=1 cargo test -p impinge-c --test c header"
    );
}
