//! Packages of the repository and their source files.
use super::{
    arrows::{self, Arrows},
    source::{self, Scope},
    table,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex},
};

pub(crate) struct Package {
    pub(crate) name: String,
    /// Folder in the repository.
    pub(crate) folder: String,
    /// Files by their path in the folder.
    pub(crate) sources: BTreeMap<String, Scope>,
    pub(crate) arrows: Arrows,
}

/// All packages: the library's, the fuzz targets and the benchmarks.
pub(crate) static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(|| {
    let root = root();
    let mut folders = vec!["fuzz".to_owned()];
    for parent in ["crates", "papers", "bench", "bench/runners"] {
        let entries = fs::read_dir(root.join(parent)).unwrap_or_else(|e| panic!("{parent}: {e}"));
        folders.extend(entries.map(|entry| format!("{parent}/{}", entry.unwrap().file_name().display())));
    }
    folders.sort();
    folders.iter().filter_map(|folder| read_package(&root, folder)).collect()
});

/// The repository that is read: this one, or `IMPINGE_FLOORS_ROOT`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::var_os("IMPINGE_FLOORS_ROOT").map_or(here, PathBuf::from)
}

/// Rows of a table beside this test, in the repository that is read.
pub(crate) fn read_table(name: &str) -> Vec<(String, Vec<String>)> {
    let path = table_path(name);
    table::rows(&fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// Replaces the rows of a table; the comment at its head stays.
pub(crate) fn write_table(name: &str, rows: impl Iterator<Item = String>) {
    let path = table_path(name);
    let before = fs::read_to_string(&path).unwrap();
    let head = before.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n"));
    fs::write(&path, head.chain(rows).collect::<String>()).unwrap();
}

fn table_path(name: &str) -> PathBuf {
    root().join("crates/impinge-testkit/tests/floors").join(name)
}

/// Short name of a file: `curves/find` for `src/curves/find.rs`, `gltf` for `src/gltf/mod.rs`.
pub(crate) fn short(file: &str) -> &str {
    let file = file.strip_suffix(".rs").unwrap_or(file);
    let file = file.strip_prefix("src/").unwrap_or(file);
    file.strip_suffix("/mod").unwrap_or(file)
}

fn read_package(root: &Path, folder: &str) -> Option<Package> {
    let base = root.join(folder);
    let manifest = fs::read_to_string(base.join("Cargo.toml")).ok()?;
    let mut lines = manifest.lines().skip_while(|line| *line != "[package]");
    let name = lines.find_map(|line| line.strip_prefix("name = \""))?.trim_end_matches('"').to_owned();

    let mut files = Vec::new();
    list(&base, "", &mut files);
    let sources = read_sources(&base, &files);
    let listed: Vec<_> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \""))
        .map(|path| path.trim_end_matches('"'))
        .collect();
    let is_root = |file: &&str| {
        matches!(*file, "src/lib.rs" | "src/main.rs")
            || file.strip_prefix("src/bin/").is_some_and(|program| !program.contains('/'))
            || listed.contains(file)
    };
    let roots: BTreeSet<&str> = sources.keys().map(String::as_str).filter(is_root).collect();
    assert!(!roots.is_empty(), "{folder}: no crate root");
    let arrows = arrows::find(&name, &sources, roots);
    Some(Package { name, folder: folder.to_owned(), sources, arrows })
}

/// All Rust files in and below a folder, without tests, examples, other packages and build outputs.
fn list(base: &Path, inside: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(base.join(inside)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if inside.is_empty() { name.clone() } else { format!("{inside}/{name}") };
        if entry.file_type().unwrap().is_dir() {
            let top = ["tests", "examples", "benches", "target", "corpus", "artifacts", "runners"];
            let is_package = base.join(&path).join("Cargo.toml").exists();
            if !(is_package || inside.is_empty() && top.contains(&&*name)) {
                list(base, &path, files);
            }
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
}

fn read_sources(base: &Path, files: &[String]) -> BTreeMap<String, Scope> {
    let sources = Mutex::new(BTreeMap::new());
    let left = Mutex::new(files.iter());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()).min(8) {
            scope.spawn(|| {
                loop {
                    let Some(file) = left.lock().unwrap().next() else { break };
                    let text = fs::read_to_string(base.join(file)).unwrap();
                    let scope = source::read(&text).unwrap_or_else(|e| {
                        panic!("{}/{file}:{}: {e}", base.display(), e.span().start().line)
                    });
                    sources.lock().unwrap().insert(file.clone(), scope);
                }
            });
        }
    });
    sources.into_inner().unwrap()
}
