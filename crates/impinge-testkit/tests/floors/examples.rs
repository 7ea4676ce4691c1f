//! The checker on small sources.
use super::{arrows, crate_floors, names, source, table, workspace::short};
use std::collections::{BTreeMap, BTreeSet};

/// Arrows `from -> to` of some files. The first file is the root of the crate.
fn arrows(files: &[(&str, &str)]) -> arrows::Arrows {
    let sources: BTreeMap<_, _> =
        files.iter().map(|(file, text)| ((*file).to_owned(), source::read(text).unwrap())).collect();
    arrows::find("some-package", &sources, [files[0].0])
}

fn pairs(files: &[(&str, &str)]) -> Vec<String> {
    let arrows = arrows(files);
    let pairs = arrows.iter().flat_map(|(from, to)| to.keys().map(move |to| (from, to)));
    pairs.map(|(from, to)| format!("{} -> {}", short(from), short(to))).collect()
}

fn cycles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let cycles = arrows::cycles(&arrows(files));
    cycles.iter().map(|cycle| cycle.iter().map(|file| short(file).to_owned()).collect()).collect()
}

#[test]
fn an_arrow_goes_through_reexports_to_the_file_of_the_item() {
    let files = [
        ("src/lib.rs", "mod query; mod curves; pub use self::query::Ask as Question;"),
        ("src/query.rs", "mod batch; pub use self::batch::*; pub fn ask() {}"),
        ("src/query/batch.rs", "pub struct Ask; use crate::curves::Curves;"),
        ("src/curves.rs", "use crate::Question; pub struct Curves;"),
    ];
    let found = ["curves -> query/batch", "query -> query/batch", "query/batch -> curves"];
    assert_eq!(pairs(&files), found);
    assert_eq!(cycles(&files), [["curves", "query/batch"]]);
}

#[test]
fn a_private_import_passes_on_what_a_child_uses() {
    let files = [
        ("src/lib.rs", "mod query; mod mesh;"),
        ("src/query.rs", "mod batch; use crate::mesh::Mesh; fn run(_: Mesh) { batch::all() }"),
        ("src/query/batch.rs", "use super::Mesh; pub fn all() {}"),
        ("src/mesh.rs", "pub struct Mesh;"),
    ];
    assert_eq!(pairs(&files), ["query -> mesh", "query -> query/batch", "query/batch -> mesh"]);
}

#[test]
fn paths_in_code_are_arrows() {
    let files = [
        ("src/lib.rs", "mod a; mod b; mod c; mod d;"),
        ("src/a.rs", "pub fn one() -> Vec<crate::b::Two> { vec![] }"),
        ("src/b.rs", "use super::c; pub struct Two; impl Two { fn three() { c::three() } }"),
        ("src/c.rs", "pub fn three() { assert!(super::d::FOUR == 4, \"{}\", 1.max(2)) }"),
        ("src/d.rs", "pub const FOUR: i32 = 4; macro_rules! five { () => { $crate::a::one() } }"),
    ];
    assert_eq!(pairs(&files), ["a -> b", "b -> c", "c -> d", "d -> a"]);
    assert_eq!(cycles(&files), [["a", "b", "c", "d"]]);
}

#[test]
fn a_parent_and_its_child_can_make_a_cycle() {
    let files = [
        ("src/lib.rs", "mod a;"),
        ("src/a/mod.rs", "mod inner { pub mod deep; } pub struct Whole; pub use self::inner::deep::Part;"),
        ("src/a/inner/deep.rs", "pub struct Part(super::super::Whole);"),
    ];
    assert_eq!(cycles(&files), Vec::<Vec<String>>::new(), "handing on is no use");
    let uses = "mod inner { pub mod deep; } pub struct Whole(Part); pub use self::inner::deep::Part;";
    let files = [files[0], ("src/a/mod.rs", uses), files[2]];
    assert_eq!(cycles(&files), [["a/inner/deep", "a"]]);
}

#[test]
fn a_declaration_or_import_of_a_module_is_no_arrow() {
    let files = [
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "mod child; use crate::b; fn f() {}"),
        ("src/a/child.rs", "use super::*;"),
        ("src/b.rs", "use crate::a::{self}; pub(in crate::a) struct B;"),
    ];
    assert!(pairs(&files).is_empty());
}

#[test]
fn a_module_and_its_item_may_have_one_name() {
    let files = [
        ("src/lib.rs", "mod find; mod plan; mod user; pub use self::find::{find, plan};"),
        ("src/find.rs", "pub fn find() {} pub fn plan() {}"),
        ("src/plan.rs", "pub fn long() {}"),
        ("src/user.rs", "use crate::plan::{self, long}; fn f() { crate::find() }"),
    ];
    assert_eq!(pairs(&files), ["user -> find", "user -> plan"]);
}

#[test]
fn a_glob_leads_to_the_items_that_are_named() {
    let files = [
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "mod child; pub struct Here; pub use crate::b::There;"),
        ("src/a/child.rs", "use super::*; fn f(_: There) { let here = 1; }"),
        ("src/b.rs", "pub struct There;"),
    ];
    assert_eq!(pairs(&files), ["a -> b", "a/child -> b"]);
}

#[test]
fn a_glob_brings_no_private_import() {
    let files = [
        ("src/lib.rs", "mod query;"),
        ("src/query.rs", "mod batch; mod distance; pub use self::{batch::*, distance::*};"),
        ("src/query/batch.rs", "pub struct Batch;"),
        ("src/query/distance.rs", "use super::Batch; fn f(_: Batch) {}"),
    ];
    assert_eq!(pairs(&files), ["query -> query/batch", "query/distance -> query/batch"]);
}

#[test]
fn macros_and_what_they_define_are_found() {
    let files = [
        ("src/lib.rs", "mod outer; mod user;"),
        ("src/outer.rs", "macro_rules! three { () => { pub struct Made; } } three!(); mod inner;"),
        ("src/outer/inner.rs", "fn f() { three!() }"),
        ("src/user.rs", "use crate::outer::Made;"),
    ];
    assert_eq!(pairs(&files), ["outer/inner -> outer", "user -> outer"]);
}

#[test]
fn code_of_tests_is_ignored() {
    let files = [
        ("src/lib.rs", "mod a; mod b; #[cfg(test)] mod no_such_file;"),
        (
            "src/a.rs",
            "#[cfg(test)] use crate::b::B; pub struct A;
             #[cfg(all(test, unix))] mod tests { use crate::b::B; }
             #[test] fn t() { crate::b::f() }
             impl A { #[cfg(test)] fn b(_: crate::b::B) {} }",
        ),
        ("src/b.rs", "#[cfg(not(test))] use crate::a::A; pub struct B; pub fn f() {}"),
    ];
    assert_eq!(pairs(&files), ["b -> a"]);
}

#[test]
fn a_program_can_use_the_library_and_a_file_elsewhere() {
    let sources: BTreeMap<_, _> = [
        ("src/lib.rs", "pub mod a;"),
        ("src/a.rs", "pub fn f() {}"),
        (
            "src/bin/run.rs",
            "use some_package::a; #[path = \"../shared.rs\"] mod shared; fn main() { a::f() }",
        ),
        ("src/shared.rs", "pub use some_package::a::f;"),
    ]
    .into_iter()
    .map(|(file, text)| (file.to_owned(), source::read(text).unwrap()))
    .collect();
    let arrows = arrows::find("some-package", &sources, ["src/bin/run.rs", "src/lib.rs"]);
    assert!(arrows["src/bin/run.rs"].contains_key("src/a.rs"), "{arrows:?}");
    assert!(arrows["src/shared.rs"].contains_key("src/a.rs"), "{arrows:?}");
}

#[test]
fn floors_and_code_must_agree() {
    let modules = BTreeSet::from(["mesh", "query", "walk", "attic"]);
    let arrow = |from: &str, to: &str| ((from.to_owned(), to.to_owned()), vec!["src/x.rs:1".to_owned()]);
    let uses = BTreeMap::from([arrow("query", "mesh"), arrow("mesh", "walk"), arrow("walk", "query")]);
    let table = "low: mesh cellar\nhigh: walk # comment\ntop: query\nknown upward arrow: mesh -> walk\n\
                 known upward arrow: query -> mesh";
    let problems = crate_floors::problems(&table::rows(table), &modules, &uses);
    let found: Vec<_> = problems.lines().collect();
    let wanted = [
        "cellar, of floor 'low', is no module: remove it",
        "attic is on no floor",
        "walk -> query: from floor 'high' up to 'top'",
        "    src/x.rs:1",
        "query -> mesh does not go up any more: remove it from the known arrows",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_type_name_that_occurs_twice_is_found() {
    let sources: BTreeMap<_, _> = [
        ("src/a.rs", "struct Side; enum Own {} mod inner { trait Own {} }"),
        ("src/b.rs", "pub(crate) type Side = u8; fn other() { struct Local; } #[cfg(test)] struct Tested;"),
        ("src/c.rs", "fn side() {} struct Local; struct Tested;"),
    ]
    .into_iter()
    .map(|(file, text)| (file.to_owned(), source::read(text).unwrap()))
    .collect();
    let found = names::duplicates(&sources);
    let found: Vec<_> = found.iter().map(|(name, places)| format!("{name} {}", places.join(" "))).collect();
    assert_eq!(found, ["Own src/a.rs:1 src/a.rs:1", "Side src/a.rs:1 src/b.rs:1"]);
}
