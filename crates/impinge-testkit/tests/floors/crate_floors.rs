//! Floors of a crate: each top module uses modules of its own floor and of lower floors only.
use super::{
    mode, print, table,
    workspace::{self, PACKAGES, Package, short},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

/// Crates and their tables: floors from the lowest up, then the known upward arrows.
const CRATES: [(&str, &str); 2] = [("impinge", "core_floors.txt"), ("impinge-check", "check_floors.txt")];
const KNOWN: &str = "known upward arrow";

/// Uses of one top module by another: file, line and path.
type Uses = BTreeMap<(String, String), Vec<String>>;

/// ARCHITECTURE.md shows the floors of each crate in a block that begins with its name.
#[test]
fn the_page_shows_the_floors() {
    let page = fs::read_to_string(workspace::root().join("ARCHITECTURE.md")).unwrap();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for (name, table) in CRATES {
        let start = format!("```text\n# {name}\n");
        let figure = page.split_once(&start).and_then(|(_, rest)| rest.split("```").next());
        let figure = figure.unwrap_or_else(|| panic!("ARCHITECTURE.md has no floors of {name}"));
        let floors = workspace::read_table(table).into_iter().filter(|(name, _)| name != KNOWN);
        let floors: Vec<String> =
            floors.flat_map(|(name, modules)| [words(&format!("{name}:")), modules].concat()).collect();
        assert_eq!(words(figure), floors, "the figure of ARCHITECTURE.md and {table} differ");
    }
}

#[test]
fn modules_of_crates_use_only_lower_floors() {
    for (name, table) in CRATES {
        let package = PACKAGES.iter().find(|package| package.name == name).unwrap();
        let uses = uses(package);
        match mode().split_once(':') {
            Some(("users", module)) => print(&users(package, module)),
            _ if mode() == "print" => {
                for ((from, to), places) in &uses {
                    print(&format!("{from} -> {to}\n    {}\n", places.join("\n    ")));
                }
            }
            _ => (),
        }
        let modules: BTreeSet<&str> =
            package.arrows.keys().map(|file| top(file)).filter(|top| *top != "lib").collect();
        let problems = problems(&workspace::read_table(table), &modules, &uses);
        assert!(problems.is_empty(), "crates/{name} does not agree with {table}:\n{problems}");
    }
}

fn uses(package: &Package) -> Uses {
    let mut uses = Uses::new();
    for (from, arrows) in package.arrows.iter().filter(|(from, _)| top(from) != "lib") {
        for (to, places) in arrows.iter().filter(|(to, _)| top(to) != top(from)) {
            let place = format!("{}/{from}:{}", package.folder, table::places(places));
            uses.entry((top(from).to_owned(), top(to).to_owned())).or_default().push(place);
        }
    }
    uses
}

/// Differences between the code and the table of floors.
pub(crate) fn problems(rows: &[(String, Vec<String>)], modules: &BTreeSet<&str>, uses: &Uses) -> String {
    let mut floors = BTreeMap::new();
    let mut known = BTreeSet::new();
    let mut problems = String::new();
    for (index, (name, words)) in rows.iter().enumerate() {
        if name == KNOWN {
            known.insert(words.join(" "));
            continue;
        }
        for module in words {
            if floors.insert(module.as_str(), (index, name)).is_some() {
                writeln!(problems, "{module} is on two floors").unwrap();
            }
            if !modules.contains(module.as_str()) {
                writeln!(problems, "{module}, of floor '{name}', is no module: remove it").unwrap();
            }
        }
    }
    for module in modules.iter().filter(|module| !floors.contains_key(*module)) {
        writeln!(problems, "{module} is on no floor").unwrap();
    }
    for ((from, to), places) in uses {
        let arrow = format!("{from} -> {to}");
        if to == "lib" {
            writeln!(problems, "{from} uses an item that lib.rs defines\n    {}", places.join("\n    "))
                .unwrap();
        }
        let (Some(low), Some(high)) = (floors.get(from.as_str()), floors.get(to.as_str())) else { continue };
        if low.0 < high.0 && !known.remove(&arrow) {
            writeln!(problems, "{arrow}: from floor '{}' up to '{}'", low.1, high.1).unwrap();
            writeln!(problems, "    {}", places.join("\n    ")).unwrap();
        }
    }
    for arrow in known {
        writeln!(problems, "{arrow} does not go up any more: remove it from the known arrows").unwrap();
    }
    problems
}

/// Uses of a module or of one of its files, by files outside of it.
fn users(package: &Package, module: &str) -> String {
    let inside = |file: &str| {
        short(file).strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut text = String::new();
    for (from, arrows) in package.arrows.iter().filter(|(from, _)| !inside(from)) {
        for (to, places) in arrows.iter().filter(|(to, _)| inside(to)) {
            let places = table::places(places);
            writeln!(text, "{} -> {}: {}/{from}:{places}", short(from), short(to), package.folder).unwrap();
        }
    }
    text
}

/// Top module of a file: `curves` for `src/curves/find.rs`.
fn top(file: &str) -> &str {
    short(file).split('/').next().unwrap()
}
