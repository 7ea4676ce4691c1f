//! Arrows between files: the first file uses an item that the second defines.
use super::{
    modules::{Modules, Target},
    source::Scope,
};
use std::collections::{BTreeMap, BTreeSet};

/// Arrows from each file to others, with the line and the path of every use.
pub(crate) type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<(usize, String)>>>;

/// All arrows between the files of a package.
pub(crate) fn find<'a>(
    package: &str,
    sources: &'a BTreeMap<String, Scope>,
    roots: impl IntoIterator<Item = &'a str>,
) -> Arrows {
    let modules = Modules::new(package, sources, roots);
    let mut arrows = Arrows::new();
    for (index, module) in modules.list.iter().enumerate() {
        let from = arrows.entry(module.file.to_owned()).or_default();
        let mut add = |to: &str, line: usize, path: &[String]| {
            if to != module.file {
                from.entry(to.to_owned()).or_default().insert((line, path.join("::")));
            }
        };
        for import in &module.scope.imports {
            let is_named =
                |name: &String| module.scope.mentions.iter().any(|mention| mention.path[0] == *name);
            // A module that only hands on what its own files define uses nothing of them.
            let hands_on = import.reexport && !import.name.as_ref().is_some_and(is_named);
            for target in modules.imported(index, import) {
                match target {
                    Target::Item(file, _) if hands_on && is_below(module.file, file) => (),
                    Target::Item(file, _) => add(file, import.line, &import.path),
                    // No path in this file names the items that others use through this glob.
                    Target::Module(inner) if import.name.is_none() && import.reexport => {
                        for file in modules.public_items(inner) {
                            add(file, import.line, &import.path);
                        }
                    }
                    // Paths that continue from an imported module are mentions.
                    Target::Module(_) => (),
                }
            }
        }
        for mention in &module.scope.mentions {
            let first = mention.path[0].as_str();
            let by_itself = matches!(first, "crate" | "self" | "super");
            if !by_itself && modules.names_itself(index, first) {
                // The import of an item is an arrow already.
                let start = modules.resolve(index, &mention.path[..1]);
                if mention.path.len() == 1 || !start.iter().any(|t| matches!(t, Target::Module(_))) {
                    continue;
                }
            }
            let targets = modules.resolve(index, &mention.path);
            if targets.is_empty()
                && mention.is_macro
                && mention.path.len() == 1
                && let Some(file) = modules.textual_macro(index, first)
            {
                add(file, mention.line, &mention.path);
            }
            for target in targets {
                if let Target::Item(file, _) = target {
                    add(file, mention.line, &mention.path);
                }
            }
        }
    }
    arrows
}

/// True if the module of the first file contains that of the other.
fn is_below(module: &str, other: &str) -> bool {
    let folder = module.strip_suffix("mod.rs").or(module.strip_suffix("lib.rs"));
    match folder {
        Some(folder) => other.starts_with(folder),
        None => module
            .strip_suffix(".rs")
            .is_some_and(|path| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))),
    }
}

/// Files that depend on each other, directly or not: strongly connected components of more than one file.
pub(crate) fn cycles(arrows: &Arrows) -> Vec<BTreeSet<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reachable(arrows, file))).collect();
    let mut cycles = BTreeSet::new();
    for (file, targets) in &reach {
        let back = |other: &&str| reach.get(*other).is_some_and(|targets| targets.contains(file));
        let cycle: BTreeSet<String> = targets.iter().copied().filter(back).map(str::to_owned).collect();
        if cycle.len() > 1 {
            cycles.insert(cycle);
        }
    }
    cycles.into_iter().collect()
}

fn reachable<'a>(arrows: &'a Arrows, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut left = vec![from];
    while let Some(file) = left.pop() {
        for next in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next.as_str()) {
                left.push(next);
            }
        }
    }
    reached
}
