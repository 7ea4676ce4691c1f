//! Type names: in a package each has one meaning.
use super::{
    mode,
    source::{Scope, Sort},
    table,
    workspace::{self, PACKAGES},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// Names that occur more than once: the package and the names. The list may only get shorter.
const KNOWN_DUPLICATES: &str = "known_duplicates.txt";

#[test]
fn a_type_name_occurs_once_in_a_package() {
    let known: BTreeSet<(String, String)> = workspace::read_table(KNOWN_DUPLICATES)
        .into_iter()
        .flat_map(|(package, names)| names.into_iter().map(move |name| (package.clone(), name)))
        .collect();
    let mut found = BTreeSet::new();
    let mut new = String::new();
    for package in &*PACKAGES {
        for (name, places) in duplicates(&package.sources) {
            let entry = (package.name.clone(), name.to_owned());
            if !known.contains(&entry) {
                writeln!(new, "{}: {name}", package.name).unwrap();
                places.iter().for_each(|place| writeln!(new, "    {}/{place}", package.folder).unwrap());
            }
            found.insert(entry);
        }
    }
    assert!(new.is_empty(), "type names that occur more than once:\n{new}");
    if known != found && mode() == "update" {
        let mut rows: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        found.iter().for_each(|(package, name)| rows.entry(package).or_default().push(name));
        let rows = rows.into_iter().map(|(package, names)| table::row(package, names));
        workspace::write_table(KNOWN_DUPLICATES, rows);
    } else if known != found {
        let gone: Vec<_> =
            known.difference(&found).map(|(package, name)| format!("{package}: {name}")).collect();
        panic!("these names occur once: remove them from {KNOWN_DUPLICATES}\n{}", gone.join("\n"));
    }
}

/// Types, traits and aliases at module level whose name occurs more than once, with their places.
pub(crate) fn duplicates(sources: &BTreeMap<String, Scope>) -> BTreeMap<&str, Vec<String>> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, scope) in sources {
        let mut scopes = vec![scope];
        while let Some(scope) = scopes.pop() {
            for definition in scope.definitions.iter().filter(|definition| definition.sort == Sort::Type) {
                places.entry(&definition.name).or_default().push(format!("{file}:{}", definition.line));
            }
            scopes.extend(scope.children.iter().filter_map(|child| child.scope.as_ref()));
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}
