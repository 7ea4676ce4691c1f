//! Tests of the readers of robots and sphere models: valid, awkward and broken texts, exact rewriting,
//! damage, and large inputs.
mod acm;
#[path = "../../../../fuzz/robot.rs"]
mod check;
mod collisions;
mod corpus;
mod cover;
mod edges;
mod gradient;
mod kinematics;
mod large;
mod obstacles;
mod packages;
mod rewriting;
mod spheres;
mod srdf;
mod urdf;

use impinge_robot::Error;
use std::{fs, path::Path};

/// A seed of a fuzz target.
fn seed(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    fs::read_to_string(root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Asserts that a text is refused at the place of its mark `@`, which is cut out first.
fn assert_refused<T>(marked: &str, parse: impl Fn(&str) -> Result<T, Error>, words: &str) {
    let byte = marked.find('@').unwrap_or_else(|| panic!("no mark in {marked:?}"));
    let text = marked.replacen('@', "", 1);
    let error = match parse(&text) {
        Ok(_) => panic!("accepted {text:?}"),
        Err(error) => error,
    };
    check::check_error(&error, &text);
    assert!(error.text().contains(words), "{error}\nhas no {words:?}, for {text}");
    assert_eq!(error.place().map(|place| place.byte), Some(byte), "{error}\nin {text}");
}
