//! `impinge check --chord`: what is certain of parts whose triangles approximate curved surfaces.
use crate::{
    common::{Folder, error, json, run, stdout, words},
    relations::Parts,
};
use serde_json::{Value, json};
use std::{ffi::OsStr, path::Path};

const SIDES: usize = 24;

/// A prism of this many sides along z around (x, 0), its corners on a cylinder.
fn cylinder(parts: Parts, name: &str, [x, radius]: [f64; 2], half: f64) -> Parts {
    let at = |k: usize, z: f64| {
        let (s, c) = (std::f64::consts::TAU * k as f64 / SIDES as f64).sin_cos();
        [x + radius * c, radius * s, z]
    };
    let mut points: Vec<[f64; 3]> = (0..SIDES).flat_map(|k| [at(k, -half), at(k, half)]).collect();
    points.extend([[x, 0.0, -half], [x, 0.0, half]]);
    let (below, above) = (2 * SIDES, 2 * SIDES + 1);
    let faces = (0..SIDES).flat_map(|k| {
        let [a, b] = [2 * k, 2 * ((k + 1) % SIDES)];
        // Each cap face is one triangle, written as a quadrilateral with a side of no length.
        [[a, b, b + 1, a + 1], [below, b, a, below], [above, a + 1, b + 1, above]]
    });
    parts.part(name, &points, &faces.collect::<Vec<_>>())
}

/// The largest error of such prisms of radius 1: 1 - cos(pi / 24) is 0.00856.
const CHORD: &str = "0.0086";

/// Two cylinders with a gap between their true surfaces; they overlap if it is negative. The first is the
/// shorter.
fn two(folder: &Folder, gap: f64) -> std::path::PathBuf {
    let parts = cylinder(Parts::default(), "pin", [0.0, 1.0], 1.0);
    folder.file("two.obj", cylinder(parts, "shaft", [2.0 + gap, 1.0], 3.0).text)
}

fn check(status: i32, file: &Path, more: &[&str]) -> Value {
    let words = more.iter().map(|word| word as &dyn AsRef<OsStr>);
    let args: Vec<&dyn AsRef<OsStr>> = [&"check" as &dyn AsRef<OsStr>, &file, &"--format", &"json"].into();
    json(status, &args.into_iter().chain(words).collect::<Vec<_>>())
}

#[test]
fn what_may_meet_is_found_and_what_is_certain_is_told() {
    let folder = Folder::new();
    // Apart, even with the tolerances.
    let report = check(0, &two(&folder, 0.02), &["--chord", CHORD]);
    assert_eq!(report["near"], json!([]));
    assert_eq!(report["coverage"]["chord"], json!({"tolerance": 0.0086, "definite": 0, "possible": 0}));
    // Apart, but their true surfaces may meet.
    let file = two(&folder, 0.005);
    let report = check(1, &file, &["--chord", CHORD]);
    assert_eq!((&report["near"][0]["a"], &report["near"][0]["certainty"]), (&json!(0), &json!("possible")));
    assert_eq!(report["clashes"], json!([]));
    let coverage = &report["coverage"];
    assert_eq!((&coverage["findings"], &coverage["chord"]["possible"]), (&json!(1), &json!(1)));
    let distances = &coverage["clearance"];
    assert_eq!((&distances["limit"], &distances["searched"]), (&json!(0.0), &json!(0.0172)));
    let nothing = check(0, &file, &[]);
    assert!(nothing.get("near").is_none() && nothing["coverage"].get("chord").is_none());
    // A shallow overlap, and a deeper one.
    for (gap, certainty) in [(-0.01, "possible"), (-0.1, "definite")] {
        let file = two(&folder, gap);
        let report = check(1, &file, &["--chord", CHORD]);
        assert_eq!(report["clashes"][0]["certainty"], certainty, "{report}");
        assert_eq!((&report["clashes"][0]["relation"], &report["near"]), (&json!("overlap"), &json!([])));
        assert_eq!(report["coverage"]["chord"][certainty], 1);
        assert!(check(1, &file, &[])["clashes"][0].get("certainty").is_none());
    }
    // By the triangles alone every clash is certain.
    let report = check(1, &two(&folder, -0.01), &["--chord", "0"]);
    assert_eq!(report["clashes"][0]["certainty"], "definite");
}

#[test]
fn a_clearance_is_kept_possibly_or_certainly_not() {
    let folder = Folder::new();
    let file = two(&folder, 0.1);
    let found = |status, clearance: &str| {
        let report = check(status, &file, &["--chord", CHORD, "--clearance", clearance]);
        report["near"][0]["certainty"].as_str().map(str::to_owned)
    };
    assert_eq!(found(0, "0.08"), None);
    assert_eq!(found(1, "0.09").as_deref(), Some("possible"));
    assert_eq!(found(1, "0.11").as_deref(), Some("possible"));
    assert_eq!(found(1, "0.13").as_deref(), Some("definite"));
    // Counts at other clearances are of what is definite and what is possible.
    let report = check(0, &file, &["--chord", CHORD, "--what-if", "0.08,0.09,0.13"]);
    let counts = [0, 1, 2].map(|k| report["what_if"][k]["near"].as_u64().unwrap());
    assert_eq!(counts, [0, 1, 1]);
}

/// Touching is no finding of itself, and never certain.
#[test]
fn what_touches_is_at_best_possible() {
    let folder = Folder::new();
    let boxes =
        Parts::default().cuboid("a", [0.0; 3], [1.0; 3]).cuboid("b", [1.0, 0.0, 0.0], [2.0, 1.0, 1.0]);
    let file = folder.file("boxes.obj", boxes.text);
    let report = check(0, &file, &["--chord", "0.001"]);
    assert_eq!(report["clashes"][0]["relation"], "touch");
    assert_eq!(report["clashes"][0]["certainty"], "possible");
    let chord = |possible: u64| json!({"tolerance": 0.001, "definite": 0, "possible": possible});
    assert_eq!(report["coverage"]["chord"], chord(0));
    let report = check(1, &file, &["--chord", "0.001", "--report", "touch"]);
    assert_eq!(report["coverage"]["chord"], chord(1));
}

#[test]
fn tables_have_a_column_and_fit() {
    let folder = Folder::new();
    let wide = |file: &Path, more: &[&str]| {
        let words = more.iter().map(|word| word as &dyn AsRef<OsStr>);
        stdout(
            1,
            &[&"check" as &dyn AsRef<OsStr>, &file, &"--ungrouped"]
                .into_iter()
                .chain(words)
                .collect::<Vec<_>>(),
        )
    };
    // The sentences are folded where there is a terminal.
    let is_narrow = |table: &str, most: usize| {
        let rows =
            table.lines().skip_while(|line| !line.starts_with("part ")).take_while(|line| !line.is_empty());
        rows.clone().count() > 2 && rows.into_iter().all(|line| line.chars().count() <= most)
    };
    let row = |table: &str| -> Vec<String> {
        let row = table.lines().find(|line| line.starts_with("pin ")).unwrap_or_else(|| panic!("{table}"));
        row.split_whitespace().map(str::to_owned).collect()
    };
    let (near, clash) = (two(&folder, 0.005), Folder::new());
    let table = wide(&near, &["--chord", CHORD]);
    assert_eq!(row(&table)[..3], ["pin", "shaft", "possible"], "{table}");
    assert!(table.contains("at most 0, or twice the chord tolerance of 0.0086 more, apart"), "{table}");
    let said = "Definite 0 1 possible; a chord tolerance of 0.0086";
    assert!(words(&table).contains(said), "{table}");
    assert!(is_narrow(&table, 80), "{table}");
    let deep = two(&clash, -0.1);
    let table = wide(&deep, &["--chord", CHORD]);
    assert_eq!(row(&table)[..4], ["pin", "shaft", "overlap", "definite"], "{table}");
    // In fewer columns a terminal has both names in one.
    assert!(is_narrow(&table, 98), "{table}");
    let without = wide(&deep, &[]);
    assert!(!without.contains("certain") && !without.contains("chord"), "{without}");
}

#[test]
fn the_csv_has_a_column_of_certainty() {
    let folder = Folder::new();
    for (gap, certainty) in [(-0.1, "definite"), (0.005, "possible")] {
        let file = two(&folder, gap);
        let csv = stdout(1, &[&"check", &file, &"--chord", &CHORD, &"--format", &"csv"]);
        let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        let six_before_the_last = |line: usize| lines[line].iter().rev().nth(6).copied();
        assert_eq!([0, 1].map(six_before_the_last), [Some("certainty"), Some(certainty)], "{csv}");
        assert_eq!((lines.len(), lines[0].len()), (2, lines[1].len()), "{csv}");
    }
}

#[test]
fn wrong_tolerances_are_refused() {
    let folder = Folder::new();
    let file = two(&folder, 0.0);
    let said = String::from_utf8(run(2, &[&"check", &file, &"--chord", &"-1"]).stderr).unwrap();
    assert!(said.contains("--chord") && said.contains("finite and not negative"), "{said}");
    assert!(
        error(&[&"check", &file, &"--chord", &"1e308", &"--clearance", &"1e308"]).contains("error: chord")
    );
    let said = String::from_utf8(run(2, &[&"check", &file, &"--chord", &"1", &"--surfaces"]).stderr).unwrap();
    assert!(said.contains("--surfaces"), "{said}");
}

/// Two pipes with a wall between them, 0.25 from the first and 0.5 from the second.
const PIPES: [(&str, f64); 3] = [("pipe_1", 0.0), ("wall", 1.25), ("pipe_2", 2.75)];

fn row(folder: &Folder, parts: [(&str, f64); 3]) -> std::path::PathBuf {
    let cube = |all: Parts, (name, x): (&str, f64)| all.cuboid(name, [x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    folder.file("row.obj", parts.into_iter().fold(Parts::default(), cube).text)
}

#[test]
fn parts_have_tolerances_of_their_own() {
    let folder = Folder::new();
    let file = row(&folder, PIPES);
    let found = |chords: &[&str]| {
        let words: Vec<&str> = chords.iter().flat_map(|chord| ["--chord", chord]).collect();
        let output = crate::common::command(["check", file.to_str().unwrap(), "--format", "json"])
            .args(&words)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let chords = [0, 1, 2].map(|part| report["parts"][part]["chord"].as_f64().unwrap());
        let near = report["near"].as_array().unwrap();
        let pairs: Vec<_> = near.iter().map(|near| [&near["a"], &near["b"]].map(Value::to_string)).collect();
        assert!(near.iter().all(|near| near["certainty"] == "possible"), "{report}");
        let coverage = &report["coverage"];
        let boxes = coverage["clearance"]["boxes_within"].as_u64().unwrap();
        let searched = coverage["clearance"]["searched"].as_f64().unwrap();
        assert_eq!(coverage["chord"]["tolerance"].as_f64(), Some(searched / 2.0));
        (chords, pairs.iter().map(|pair| pair.concat()).collect::<Vec<_>>().join(" "), boxes)
    };
    let all = |near: &str| near.to_owned();
    assert_eq!(found(&["0.124"]), ([0.124; 3], all(""), 0));
    assert_eq!(found(&["0.125"]), ([0.125; 3], all("01"), 1));
    // A part that is not named is exact, and boxes grow by the tolerances of their parts.
    assert_eq!(found(&["pipe*=0.25"]), ([0.25, 0.0, 0.25], all("01"), 1));
    assert_eq!(found(&["pipe_1=0.25"]), ([0.25, 0.0, 0.0], all("01"), 1));
    assert_eq!(found(&["pipe_1=0.249"]), ([0.249, 0.0, 0.0], all(""), 0));
    assert_eq!(found(&["wall=0.5"]), ([0.0, 0.5, 0.0], all("01 12"), 2));
    // The last name counts.
    assert_eq!(found(&["pipe*=0.25", "pipe_2=0.5"]), ([0.25, 0.0, 0.5], all("01 12"), 2));
    assert_eq!(found(&["pipe_2=0.5", "pipe*=0.25"]), ([0.25, 0.0, 0.25], all("01"), 1));
    // Wherever the length of all others is.
    for chords in [["pipe*=0", "0.5"], ["0.5", "pipe*=0"]] {
        assert_eq!(found(&chords), ([0.0, 0.5, 0.0], all("01 12"), 2));
    }
    let table = stdout(1, &[&"check", &file, &"--chord", &"wall=0.5", &"--clearance", &"0.125"]);
    assert!(table.contains("at most 0.125, or the chord tolerances of both more, apart"), "{table}");
    assert!(words(&table).contains("Definite 0 2 possible; chord tolerances of at most 0.5"), "{table}");
}

/// A tolerance belongs to a name: another name is another question about the same mesh.
#[test]
fn a_cache_knows_whose_tolerance_it_was() {
    let folder = Folder::new();
    let cache = folder.path("row.cache");
    for parts in [PIPES, [("wall", 0.0), ("pipe_1", 1.25), ("pipe_2", 2.75)], PIPES] {
        let file = row(&folder, parts);
        let args: Vec<&dyn AsRef<OsStr>> =
            vec![&"check", &file, &"--format", &"json", &"--chord", &"0.01", &"--chord", &"pipe*=0.3"];
        let with: Vec<&dyn AsRef<OsStr>> = [&args[..], &[&"--cache", &cache]].concat();
        assert_eq!(run(1, &with).stdout, run(1, &args).stdout);
    }
}

#[test]
fn a_name_that_no_part_has_is_an_error() {
    let folder = Folder::new();
    let (file, cache, plan) = (row(&folder, PIPES), folder.path("cache"), folder.path("plan"));
    let chord: [&dyn AsRef<OsStr>; 4] = [&"--chord", &"pipe*=1", &"--chord", &"pipes*=2"];
    let [no_cache, cached]: [&[&dyn AsRef<OsStr>]; 2] = [&[], &[&"--cache", &cache]];
    for more in [no_cache, cached] {
        let said = error(&[&[&"check" as &dyn AsRef<OsStr>, &file], &chord[..], more].concat());
        assert!(said.contains("chord: no part is named 'pipes*'"), "{said}");
    }
    let said = error(&[&[&"plan" as &dyn AsRef<OsStr>, &file, &"-o", &plan], &chord[..]].concat());
    assert!(said.contains("chord: no part is named 'pipes*'"), "{said}");
    let said = error(&[&"check", &file, &"--chord", &"1", &"--chord", &"2"]);
    assert!(said.contains("chord: two lengths"), "{said}");
}
