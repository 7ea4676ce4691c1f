//! Checks the order of the sources: no cycle between files, no arrow to a higher floor in the crates with a
//! table, and no duplicate type name. Checks the table of queries, too. An arrow goes from the file that uses
//! an item to the file that defines it, through every re-export.
//!
//! ```text
//! cargo test -p impinge-testkit --test floors --locked
//! IMPINGE_FLOORS=print cargo test -p impinge-testkit --test floors --locked modules  # arrows of the crates
//! IMPINGE_FLOORS=users:wide/nearest ...                         # who uses a module or a file of them
//! IMPINGE_FLOORS=update ...                                    # removes from the list of names what is gone
//! IMPINGE_FLOORS_ROOT=/path/to/another/worktree ...             # reads that one
//! ```
mod arrows;
mod crate_floors;
mod examples;
mod modules;
mod names;
mod queries;
mod source;
mod table;
mod workspace;

use self::workspace::{PACKAGES, Package, short};
use std::{collections::BTreeSet, fmt::Write as _, io::Write as _};

#[test]
fn no_cycles_of_files() {
    let mut found = String::new();
    for package in &*PACKAGES {
        for cycle in arrows::cycles(&package.arrows) {
            found += &describe(package, &cycle);
        }
    }
    assert!(found.is_empty(), "files use each other in a cycle:\n{found}");
}

/// The package and the files of a cycle, then the arrows and lines that make it.
fn describe(package: &Package, cycle: &BTreeSet<String>) -> String {
    let mut text = table::row(&package.name, cycle.iter().map(|file| short(file)));
    for from in cycle {
        for (to, uses) in package.arrows[from].iter().filter(|(to, _)| cycle.contains(*to)) {
            let folder = &package.folder;
            writeln!(text, "    {} -> {}: {folder}/{from}:{}", short(from), short(to), table::places(uses))
                .unwrap();
        }
    }
    text
}

/// Extra output, or the update, that `IMPINGE_FLOORS` selects.
fn mode() -> String {
    std::env::var("IMPINGE_FLOORS").unwrap_or_default()
}

/// Prints past the capture of the test harness.
fn print(text: &str) {
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}
