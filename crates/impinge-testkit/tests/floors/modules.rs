//! Module tree of a package, and the file that defines what a path names.
use super::source::{Import, Scope, Sort};
use std::collections::{BTreeMap, HashMap};

/// All modules of a package: of its library, and of each program.
pub(crate) struct Modules<'a> {
    pub(crate) list: Vec<Module<'a>>,
    /// Name of the package in paths, and root of its library.
    library: (String, Option<usize>),
}

pub(crate) struct Module<'a> {
    pub(crate) file: &'a str,
    pub(crate) scope: &'a Scope,
    parent: Option<usize>,
    root: usize,
    names: HashMap<&'a str, Vec<Meaning<'a>>>,
}

#[derive(Clone, Copy)]
enum Meaning<'a> {
    Item { file: &'a str, sort: Sort },
    Module(usize),
    Import(&'a Import),
}

/// Target of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target<'a> {
    /// An item, or a part of one, and the file that defines it.
    Item(&'a str, Sort),
    Module(usize),
}

impl<'a> Modules<'a> {
    /// Module tree of the files `sources` (path in the package, contents), from the roots of its crates.
    pub(crate) fn new(
        package: &str,
        sources: &'a BTreeMap<String, Scope>,
        roots: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut modules = Self { list: Vec::new(), library: (package.replace('-', "_"), None) };
        for file in roots {
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let (file, scope) = sources.get_key_value(file).unwrap_or_else(|| panic!("no file {file}"));
            let root = modules.add(file, scope, None, folder, sources);
            if file.ends_with("lib.rs") {
                modules.library.1 = Some(root);
            }
        }
        modules
    }

    /// Adds a module whose children are in `folder`.
    fn add(
        &mut self,
        file: &'a str,
        scope: &'a Scope,
        parent: Option<usize>,
        folder: &str,
        sources: &'a BTreeMap<String, Scope>,
    ) -> usize {
        let index = self.list.len();
        let root = parent.map_or(index, |parent| self.list[parent].root);
        self.list.push(Module { file, scope, parent, root, names: HashMap::new() });
        for definition in &scope.definitions {
            let meaning = Meaning::Item { file, sort: definition.sort };
            self.list[index].names.entry(&definition.name).or_default().push(meaning);
            if definition.sort == Sort::ExportedMacro && index != root {
                self.list[root].names.entry(&definition.name).or_default().push(meaning);
            }
        }
        for import in &scope.imports {
            if let Some(name) = &import.name {
                self.list[index].names.entry(name).or_default().push(Meaning::Import(import));
            }
        }
        for child in &scope.children {
            let below = join(folder, &child.name);
            let module = match (&child.scope, &child.path) {
                (Some(scope), _) => self.add(file, scope, Some(index), &below, sources),
                (None, Some(path)) => {
                    let path = join(file.rsplit_once('/').map_or("", |(folder, _)| folder), path);
                    let inside = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
                    let found = sources.get_key_value(&path);
                    let (file, scope) = found.unwrap_or_else(|| panic!("{file}: no file {path}"));
                    self.add(file, scope, Some(index), &inside, sources)
                }
                (None, None) => {
                    let paths = [format!("{below}.rs"), format!("{below}/mod.rs")];
                    let found = paths.iter().find_map(|path| sources.get_key_value(path));
                    let (file, scope) = found.unwrap_or_else(|| panic!("{file}: no file {below}.rs"));
                    self.add(file, scope, Some(index), &below, sources)
                }
            };
            self.list[index].names.entry(&child.name).or_default().push(Meaning::Module(module));
        }
        index
    }

    /// True if the module defines or imports the name itself, not by a glob.
    pub(crate) fn names_itself(&self, module: usize, name: &str) -> bool {
        self.list[module].names.contains_key(name)
    }

    /// Everything that a path may name: a name may be a type, a value and a macro at once.
    pub(crate) fn resolve(&self, module: usize, path: &[String]) -> Vec<Target<'a>> {
        self.follow(module, path, &mut Vec::new())
    }

    /// File of a macro that is in scope because a module further out defines it.
    pub(crate) fn textual_macro(&self, module: usize, name: &str) -> Option<&'a str> {
        let mut next = self.list[module].parent;
        while let Some(module) = next {
            for meaning in self.list[module].names.get(name).into_iter().flatten() {
                if let Meaning::Item { file, sort: Sort::Macro | Sort::ExportedMacro } = *meaning {
                    return Some(file);
                }
            }
            next = self.list[module].parent;
        }
        None
    }

    /// Files of all public items of a module, with those that it re-exports.
    pub(crate) fn public_items(&self, module: usize) -> Vec<&'a str> {
        let scope = self.list[module].scope;
        let own = scope.definitions.iter().filter(|d| d.public).map(|d| d.name.as_str());
        let imported = scope.imports.iter().filter(|i| i.reexport).filter_map(|i| i.name.as_deref());
        let mut files: Vec<_> = own
            .chain(imported)
            .flat_map(|name| self.look_up(module, name, &mut Vec::new()))
            .filter_map(|target| match target {
                Target::Item(file, _) => Some(file),
                Target::Module(_) => None,
            })
            .collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Everything that an import names.
    pub(crate) fn imported(&self, module: usize, import: &Import) -> Vec<Target<'a>> {
        self.follow_import(module, import, &mut Vec::new())
    }

    fn follow_import(
        &self,
        module: usize,
        import: &Import,
        trail: &mut Vec<(usize, String)>,
    ) -> Vec<Target<'a>> {
        let mut targets = self.follow(module, &import.path, trail);
        if import.is_self {
            targets.retain(|target| matches!(target, Target::Module(_) | Target::Item(_, Sort::Type)));
        }
        targets
    }

    fn follow(&self, module: usize, path: &[String], trail: &mut Vec<(usize, String)>) -> Vec<Target<'a>> {
        let Some((first, mut rest)) = path.split_first() else { return vec![Target::Module(module)] };
        let mut targets = match first.as_str() {
            "crate" => vec![Target::Module(self.list[module].root)],
            "self" => vec![Target::Module(module)],
            "super" => self.list[module].parent.map(Target::Module).into_iter().collect(),
            name => {
                let mut targets = self.look_up(module, name, trail);
                if targets.is_empty() && *name == self.library.0 {
                    targets.extend(self.library.1.map(Target::Module));
                }
                targets
            }
        };
        while let Some((name, after)) = rest.split_first() {
            // Only modules and types have a next segment.
            if targets.iter().any(|target| matches!(target, Target::Module(_))) {
                targets.retain(|target| matches!(target, Target::Module(_) | Target::Item(_, Sort::Type)));
            }
            targets = targets
                .into_iter()
                .flat_map(|target| match target {
                    Target::Item(..) => vec![target],
                    Target::Module(inner) if name == "super" => {
                        self.list[inner].parent.map(Target::Module).into_iter().collect()
                    }
                    Target::Module(inner) => {
                        let found = self.look_up(inner, name, trail);
                        // A macro may define the item: its name is not listed, and the module's file counts.
                        if found.is_empty() {
                            vec![Target::Item(self.list[inner].file, Sort::Type)]
                        } else {
                            found
                        }
                    }
                })
                .collect();
            rest = after;
        }
        targets
    }

    fn is_inside(&self, mut module: usize, outer: usize) -> bool {
        while let Some(parent) = self.list[module].parent
            && module != outer
        {
            module = parent;
        }
        module == outer
    }

    /// True if other modules can import the name by a glob.
    fn is_public(&self, module: usize, name: &str) -> bool {
        let Module { scope, names, .. } = &self.list[module];
        let is_private = |import: &Import| import.name.as_deref() == Some(name) && !import.reexport;
        match names.contains_key(name) {
            true => {
                !scope.imports.iter().any(is_private)
                    && !scope.definitions.iter().any(|d| d.name == name && !d.public)
            }
            // A glob, or an item that a macro defines.
            false => true,
        }
    }

    fn look_up(&self, module: usize, name: &str, trail: &mut Vec<(usize, String)>) -> Vec<Target<'a>> {
        // On its way, the import `pub use self::find::find` must find the module, and not itself again.
        let is_again = trail.iter().any(|(seen, known)| *seen == module && known == name);
        trail.push((module, name.to_owned()));
        let mut targets = Vec::new();
        for meaning in self.list[module].names.get(name).into_iter().flatten() {
            match *meaning {
                Meaning::Item { file, sort } => targets.push(Target::Item(file, sort)),
                Meaning::Module(inner) => targets.push(Target::Module(inner)),
                Meaning::Import(_) if is_again => (),
                Meaning::Import(import) => targets.extend(self.follow_import(module, import, trail)),
            }
        }
        if targets.is_empty() && !is_again {
            for import in self.list[module].scope.imports.iter().filter(|import| import.name.is_none()) {
                for target in self.follow(module, &import.path, trail) {
                    if let Target::Module(inner) = target
                        && (self.is_inside(module, inner) || self.is_public(inner, name))
                    {
                        targets.extend(self.look_up(inner, name, trail));
                    }
                }
            }
        }
        trail.pop();
        targets
    }
}

/// `path` from `folder`, without `..`.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<_> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => (),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
