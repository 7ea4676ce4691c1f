//! Arrows between source files: no cycle between files, and in the core no arrow to a higher floor. An arrow
//! goes from the file that uses an item to the file that defines it, through every re-export.
//!
//! ```text
//! cargo test -p impinge-testkit --test floors --locked
//! IMPINGE_FLOORS=print cargo test -p impinge-testkit --test floors --locked core  # arrows of the core
//! IMPINGE_FLOORS=users:wide/nearest ...                         # who uses a module or a file of the core
//! IMPINGE_FLOORS=cycles ... cycles                              # arrows of the known cycles, too
//! IMPINGE_FLOORS=update ...                                    # removes from the lists what is gone
//! IMPINGE_FLOORS_ROOT=/path/to/another/worktree ...             # reads that one
//! ```
mod arrows;
mod core_floors;
mod examples;
mod modules;
mod names;
mod source;
mod table;
mod workspace;

use self::workspace::{PACKAGES, Package, short};
use std::{collections::BTreeSet, fmt::Write as _, io::Write as _};

/// Cycles that are left to untie: the package and its files. The list may only get shorter.
const KNOWN_CYCLES: &str = "known_cycles.txt";

#[test]
fn only_known_cycles_of_files() {
    let known: BTreeSet<(String, BTreeSet<String>)> = workspace::read_table(KNOWN_CYCLES)
        .into_iter()
        .map(|(package, files)| (package, files.into_iter().collect()))
        .collect();
    let mut found = BTreeSet::new();
    let (mut new, mut all) = (String::new(), String::new());
    for package in &*PACKAGES {
        for cycle in arrows::cycles(&package.arrows) {
            let text = describe(package, &cycle);
            let files: BTreeSet<_> = cycle.iter().map(|file| short(file).to_owned()).collect();
            if !known.iter().any(|(name, more)| *name == package.name && files.is_subset(more)) {
                new += &text;
            }
            all += &text;
            found.insert((package.name.clone(), files));
        }
    }
    if mode() == "cycles" {
        print(&all);
    }
    assert!(new.is_empty(), "files use each other in a cycle that is not in {KNOWN_CYCLES}:\n{new}");
    if known != found && mode() == "update" {
        workspace::write_table(KNOWN_CYCLES, found.iter().map(|(package, files)| row(package, files)));
    } else if known != found {
        let list = |cycles: &mut dyn Iterator<Item = &(String, BTreeSet<String>)>| {
            cycles.map(|(package, files)| row(package, files)).collect::<String>()
        };
        let (gone, left) = (list(&mut known.difference(&found)), list(&mut found.difference(&known)));
        panic!("replace in {KNOWN_CYCLES} (IMPINGE_FLOORS=update does it)\n{gone}by\n{left}");
    }
}

/// A line of `known_cycles.txt`, then the arrows and lines that make the cycle.
fn describe(package: &Package, cycle: &BTreeSet<String>) -> String {
    let mut text = row(&package.name, &cycle.iter().map(|file| short(file).to_owned()).collect());
    for from in cycle {
        for (to, uses) in package.arrows[from].iter().filter(|(to, _)| cycle.contains(*to)) {
            let folder = &package.folder;
            writeln!(text, "    {} -> {}: {folder}/{from}:{}", short(from), short(to), table::places(uses))
                .unwrap();
        }
    }
    text
}

fn row(package: &str, files: &BTreeSet<String>) -> String {
    table::row(package, files.iter().map(String::as_str))
}

/// What to print besides the result.
fn mode() -> String {
    std::env::var("IMPINGE_FLOORS").unwrap_or_default()
}

/// Prints past the capture of the test harness.
fn print(text: &str) {
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}
