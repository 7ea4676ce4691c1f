//! The pages about volumes agree with `impinge-papers volumes` and with the committed measurements.
//!
//! A new volume has no row until somebody writes or measures it: the tests then print its name. With `CI` set
//! it must have one.
use crate::common::json;
use std::{
    env, fs,
    io::{self, Write},
    path::Path,
};

/// The page as it is in the tree.
fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Rows of a page's table whose first line begins with `heading`, without its two lines of headings.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let start = page.find(heading).unwrap_or_else(|| panic!("no table begins with {heading}"));
    let lines = page[start..].lines().take_while(|line| line.starts_with('|')).skip(2);
    let cell = |cell: &str| cell.trim().to_owned();
    lines.map(|line| line.trim_matches('|').split('|').map(cell).collect()).collect()
}

/// Names and papers of `impinge-papers volumes`, without those that a page does not have yet.
fn volumes(page: &str, has: impl Fn(&str) -> bool) -> Vec<[String; 2]> {
    let in_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let all = json(&[&"volumes", &"--format", &"json"]);
    let all = all["volumes"].as_array().unwrap().iter();
    let all = all.map(|row| ["name", "paper"].map(|field| row[field].as_str().unwrap().to_owned()));
    let (listed, new): (Vec<_>, Vec<_>) = all.partition(|[name, _]| in_ci || has(name));
    for [name, _] in new {
        // Written past the test harness, which hides the output of a test that passes.
        writeln!(io::stderr().lock(), "NOT LISTED: papers/{page} has no row of {name}").unwrap();
    }
    listed
}

/// A test of `impinge-reproduce` writes this table.
#[test]
fn which_volume_has_the_names_and_papers_of_the_command() {
    let rows = rows(&page("docs/which-volume.md"), "| volume | split | fit |");
    let listed: Vec<[String; 2]> = rows.iter().map(|row| [row[0].clone(), row[6].clone()]).collect();
    let has = |name: &str| listed.iter().any(|row| row[0] == name);
    assert_eq!(listed, volumes("docs/which-volume.md", has));
}

/// The ranking has all volumes, in the order of first contact, with the numbers of the committed run.
#[test]
fn the_ranking_is_that_of_the_measurements() {
    let rows = rows(&page("docs/which-volume.md"), "| volume | first contact | all pairs |");
    let name = |row: &[String]| row[0].split('`').nth(1).unwrap().to_owned();
    let mut ranked: Vec<String> = rows.iter().map(|row| name(row)).collect();

    let text = page("records/which-volume/which-volume.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let column =
        |of: &str| heads.iter().position(|head| head == of).unwrap_or_else(|| panic!("{of}: {heads:?}"));
    let columns =
        ["first contact, time / wide's", "all pairs, time / wide's", "bytes a triangle"].map(column);
    let measured: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut last = 0.0;
    for row in &rows {
        let name = name(row);
        let of = measured.iter().find(|cells| cells[0] == *name);
        let cells = of.unwrap_or_else(|| panic!("{name} was not measured"));
        let values = columns.map(|column| cells[column].parse::<f64>().unwrap());
        assert!(values[0] >= last, "{name} ranks too low");
        last = values[0];
        for (shown, value) in row[1..4].iter().zip(values) {
            let decimals = shown.split_once('.').map_or(0, |(_, digits)| digits.len());
            assert_eq!(*shown, format!("{value:.decimals$}"), "{name}");
        }
    }
    ranked.sort();
    let mut all: Vec<String> = volumes("docs/which-volume.md", |name| ranked.iter().any(|row| row == name))
        .into_iter()
        .map(|[name, _]| name)
        .collect();
    all.sort();
    assert_eq!(ranked, all);
}

/// The table of distances has the same volumes.
#[test]
fn distances_are_of_all_volumes() {
    let rows = rows(&page("docs/questions.md"), "| volume | Nv | pairs compared |");
    let mut listed: Vec<String> = rows
        .iter()
        .flat_map(|row| row[0].split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    listed.push("wide".to_owned());
    listed.sort();
    let has = |name: &str| listed.iter().any(|row| row == name);
    let mut all: Vec<String> = volumes("docs/questions.md", has).into_iter().map(|[name, _]| name).collect();
    all.sort();
    assert_eq!(listed, all);
}
