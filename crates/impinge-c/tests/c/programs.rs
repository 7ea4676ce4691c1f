//! Programs in C and C++ that call each function.
use crate::toolchain::{Language, Link, Workshop, root};
use std::{collections::BTreeSet, fs};

/// The C programs that test functions.
const C_PROGRAMS: [&str; 6] = ["objects.c", "queries.c", "many.c", "proxies.c", "assemblies.c", "threads.c"];

fn program(name: &str) -> std::path::PathBuf {
    root().join("tests/programs").join(name)
}

#[test]
fn programs_in_c_pass() {
    let workshop = Workshop::new();
    for name in C_PROGRAMS {
        let compiled = workshop.compile(&program(name), Language::C99, Link::Shared);
        workshop.passes(&compiled);
    }
    let linked = workshop.compile(&program("queries.c"), Language::C17, Link::Static);
    workshop.passes(&linked);
}

#[test]
fn programs_in_cpp_pass() {
    let workshop = Workshop::new();
    for language in [Language::Cpp17, Language::Cpp20] {
        let compiled = workshop.compile(&program("wrapper.cpp"), language, Link::Shared);
        workshop.passes(&compiled);
    }
}

#[test]
fn examples_print_what_they_should() {
    let workshop = Workshop::new();
    for (name, language) in [("two_boxes.c", Language::C99), ("two_boxes.cpp", Language::Cpp17)] {
        let compiled = workshop.compile(&root().join("examples").join(name), language, Link::Shared);
        assert_eq!(workshop.passes(&compiled), "they overlap\n");
    }
}

/// The tests run with debug assertions, which check handles.
#[test]
fn a_second_free_ends_the_program() {
    let workshop = Workshop::new();
    let output = workshop.run(&workshop.compile(&program("freed.c"), Language::C99, Link::Shared));
    assert!(!output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "freeing it again\n");
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(messages, "impinge_mesh_free: this impinge_mesh was freed\n");
}

/// The C programs call each function of the header.
#[test]
fn every_function_is_called() {
    let header = fs::read_to_string(root().join("include/impinge.h")).unwrap();
    let functions: BTreeSet<&str> = header
        .lines()
        .filter(|line| !line.starts_with("//"))
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("impinge_"))
        .collect();
    assert!(functions.len() > 70, "{}", functions.len());
    let calls: String = C_PROGRAMS.map(|name| fs::read_to_string(program(name)).unwrap()).concat();
    let missing: Vec<_> = functions.iter().filter(|name| !calls.contains(&format!("{name}("))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
