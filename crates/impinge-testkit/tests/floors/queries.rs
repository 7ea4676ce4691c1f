//! Compares the table of queries, `crates/impinge/queries.md`, with the methods of `Query` and the functions
//! of the Python package and of its distributed module. The command's own tests compare `--query`.
use super::workspace;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use syn::{FnArg, ImplItem, Item, ReceiverKind, Type, Visibility};

type Names = BTreeSet<String>;

/// Methods of `Query` that are no queries.
const SETTINGS: [&str; 4] = ["reset_counters", "with_accuracy", "with_cache", "with_stop"];
/// Public functions of the Python module that are no queries: of contacts, threads and poses.
const HELPERS: [&str; 5] =
    ["contact_normals", "contact_points", "get_threads", "nearest_rigid", "set_threads"];
/// Functions of the distributed module for assemblies and scenes.
const OTHERS: [&str; 3] = ["check", "resume", "scene_contacts_at"];

fn read(path: &str) -> String {
    let path = workspace::root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of the table: the names in each cell.
fn rows() -> Vec<[Vec<String>; 7]> {
    let text = read("crates/impinge/queries.md");
    let lines = text.lines().skip(2).take_while(|line| line.starts_with('|'));
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    lines
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(names).collect();
            cells.try_into().unwrap_or_else(|_| panic!("seven cells: {line}"))
        })
        .collect()
}

/// All names of some columns.
fn listed(columns: &[usize]) -> Names {
    rows()
        .into_iter()
        .flat_map(|row| columns.iter().flat_map(|&k| row[k].clone()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn every_query_has_a_row_with_a_name_for_everybody() {
    let rows = rows();
    assert!(rows.len() >= 18, "{}", rows.len());
    for [_, one, many, python, pair, ..] in rows {
        assert!(one.len() + many.len() > 0 && !python.is_empty(), "{one:?} {many:?}");
        // Motions and covers have commands of their own, `impinge sweep` and `impinge proxy`.
        let of_covers = ["coverage", "excess", "proxy_volume", "point_depths"];
        let in_motion = ["sweep", "sweep_half_space", "first_shift_contact", "least_gap"];
        let is_other = |name: &String| in_motion.contains(&&**name) || of_covers.contains(&&**name);
        let is_apart = one.iter().all(is_other);
        assert!(pair.len() == 1 || (is_apart && !one.is_empty() && pair.is_empty()), "{one:?} {pair:?}");
    }
}

#[test]
fn the_table_lists_the_methods_of_query() {
    let mut methods = Names::new();
    for file in rust_files(&workspace::root().join("crates/impinge/src")) {
        let source = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
        source.items.iter().for_each(|item| methods.extend(queries_of(item)));
    }
    SETTINGS.iter().for_each(|name| _ = methods.remove(*name));
    assert_eq!(methods, listed(&[1, 2]), "methods of Query, and those that crates/impinge/queries.md lists");
}

/// The last column: queries with an `AnyBody` or a `Moving` take radii, those with an `Obstacle` or a
/// `HalfSpace` half-spaces, too.
#[test]
fn the_table_says_what_takes_radii_and_half_spaces() {
    let files = rust_files(&workspace::root().join("crates/impinge/src"));
    let sources: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let text = read("crates/impinge/queries.md");
    let mut taken = 0;
    for line in text.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let name = line.split("[`").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
        let cell = line.trim_end_matches('|').rsplit('|').next().unwrap();
        let is_in_signature = |words: [&str; 2]| {
            let each = sources.iter().flat_map(|source| source.split("pub fn ").skip(1));
            each.filter(|rest| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', '<'])))
                .map(|rest| rest.split('{').next().unwrap())
                .any(|signature| words.iter().any(|word| signature.contains(word)))
        };
        assert_eq!(cell.contains("radii"), is_in_signature(["AnyBody", "Into<Moving"]), "{line}");
        assert_eq!(cell.contains("half-spaces"), is_in_signature(["Obstacle", "&HalfSpace"]), "{line}");
        taken += usize::from(cell.contains("half-spaces"));
    }
    assert_eq!(taken, 7);
}

#[test]
fn python_has_what_the_table_lists() {
    let (stubs, package) = (read("python/impinge/_core.pyi"), read("python/impinge/__init__.py"));
    let functions = stubs.lines().filter_map(|line| line.strip_prefix("def ")?.split('(').next());
    let mut functions: Names = functions.filter(|name| !name.starts_with('_')).map(str::to_owned).collect();
    HELPERS.iter().for_each(|name| assert!(functions.remove(*name), "{name}"));
    // Some are in a module of their own.
    let (apart, table): (Names, Names) = listed(&[3]).into_iter().partition(|name| name.contains('.'));
    for name in &apart {
        let (module, name) = name.split_once('.').unwrap();
        let text = read(&format!("python/impinge/{module}.py"));
        assert!(text.contains(&format!("    \"{name}\",\n")), "python/impinge/{module}.py: {name}");
    }
    assert_eq!(functions, table, "functions of _core.pyi, and those that crates/impinge/queries.md lists");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for name in &table {
        // The import, the entry of `__all__`, and the line of the overview.
        let times = package.match_indices(name.as_str()).filter(|(at, _)| {
            let (before, after) = (&package[..*at], &package[at + name.len()..]);
            !before.ends_with(is_word) && !after.starts_with(is_word)
        });
        assert!(times.count() >= 3, "python/impinge/__init__.py: {name}");
    }
}

#[test]
fn the_distributed_module_has_what_the_table_lists() {
    let text = read("python/impinge/distributed/__init__.py");
    let all = text.split("__all__ = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let mut names: Names = all.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    OTHERS.iter().for_each(|name| assert!(names.remove(*name), "{name}"));
    assert_eq!(names, listed(&[5]), "the distributed module, and what crates/impinge/queries.md lists");
}

/// docs/extending.md lists the files of a query by an example, `triangles_in`: all files that name it.
#[test]
fn a_query_touches_at_most_eight_places() {
    let page = read("docs/extending.md");
    let list = page.split("<!-- files of triangles_in -->").nth(1).expect("the list of docs/extending.md");
    let list = list.split("\n\n").find(|part| part.contains("\n1. ") || part.starts_with("1. ")).unwrap();
    let promised: Names = list
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| line.split('`').nth(1).unwrap().to_owned())
        .collect();
    let root = workspace::root();
    let mut files = Vec::new();
    for folder in fs::read_dir(root.join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        // Tests of a query are not in the list.
        if !folder.ends_with("impinge-testkit") {
            files.extend(rust_files(&folder.join("src")));
        }
    }
    for folder in ["python/impinge", "crates/impinge"] {
        let here = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(here.filter(|path| path.is_file()));
    }
    let names = ["triangles_in", "triangles-in"];
    let mut touched = Names::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        if names.iter().any(|name| text.contains(name)) {
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            let folder = "crates/impinge/src/regions";
            touched.insert(if path.starts_with(folder) { format!("{folder}/") } else { path });
        }
    }
    assert_eq!(touched, promised, "files that name triangles_in, and those that docs/extending.md lists");
    assert!(touched.len() <= 8, "{touched:?}");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Public methods of `Query` in an `impl` block that take `&mut self`.
fn queries_of(item: &Item) -> Names {
    let Item::Impl(block) = item else { return Names::new() };
    let Type::Path(of) = &*block.self_ty else { return Names::new() };
    if block.trait_.is_some() || !of.path.is_ident("Query") {
        return Names::new();
    }
    let methods = block.items.iter().filter_map(|item| {
        let ImplItem::Fn(method) = item else { return None };
        let is_public = matches!(method.vis, Visibility::Public(_));
        let Some(FnArg::Receiver(receiver)) = method.sig.inputs.first() else { return None };
        let takes_query = matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_)));
        (is_public && takes_query).then(|| method.sig.ident.to_string())
    });
    methods.collect()
}
