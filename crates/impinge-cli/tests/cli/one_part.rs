//! Files with one part: no pair, `--self`, `--split shells`, standard input.
use crate::common::{Folder, TRIANGLE, command, error, json, run, stdout, words};
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

/// A box around the origin, reaching so far along each axis; `-` faces inwards. Vertices count from `first`.
fn cube(half: f64, first: usize, is_inverted: bool) -> String {
    let mut text = String::new();
    for k in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { half } else { -half });
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c, d] in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        let mut face = [a, b, c, d].map(|k| k + first);
        if is_inverted {
            face.reverse();
        }
        text += &format!("f {} {} {} {}\n", face[0], face[1], face[2], face[3]);
    }
    text
}

/// A hollow cube with a cube in its cavity, as one part.
fn hollow(folder: &Folder) -> PathBuf {
    let shells = [cube(3.0, 1, false), cube(2.0, 9, true), cube(1.0, 17, false)];
    folder.file("hollow.obj", format!("o hollow\n{}", shells.concat()))
}

/// A part of two triangles that cross.
const CROSSED: &str = "o crossed\nv 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 3\nv 9 9 1\nf 1 2 3\nf 4 5 6\n";

fn with_input(args: &[&str], bytes: &[u8]) -> Output {
    let mut child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that ends early does not read all of it.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    child.wait_with_output().unwrap()
}

#[test]
fn one_part_alone_is_not_clean() {
    let folder = Folder::new();
    let one = folder.file("one.obj", TRIANGLE);
    let reason = "impinge: error: 1 part: there is no pair to check; --self looks for self-intersections, \
                  --split shells makes parts of its shells";
    assert_eq!(error(&[&"check", &one]), reason);
    assert_eq!(error(&[&"check", &one, &"--cache", &folder.path("cache")]), reason);
    // Nothing is written.
    let out = folder.path("out.json");
    assert_eq!(error(&[&"check", &one, &"-o", &out]), reason);
    assert!(!out.exists());
    let plan = folder.path("plan");
    run(0, &[&"plan", &one, &"-o", &plan]);
    run(0, &[&"work", &plan, &"--all"]);
    assert_eq!(error(&[&"merge", &plan]), reason);
    // These options find something in one part.
    run(0, &[&"check", &one, &"--self"]);
    run(0, &[&"check", &one, &"--split", &"shells"]);
}

#[test]
fn parts_that_intersect_themselves_are_findings() {
    let folder = Folder::new();
    let crossed = folder.file("crossed.obj", CROSSED);
    let table = stdout(1, &[&"check", &crossed, &"--self"]);
    assert!(table.contains("\nSelf-intersections:\n\n"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("crossed         1 ")), "{table}");
    assert!(words(&table).contains(" Self 1 parts intersect themselves "), "{table}");
    let report = json(1, &[&"check", &crossed, &"--self", &"--format", &"json"]);
    let found = &report["parts"][0]["self_intersections"];
    assert_eq!(found["triangle_pairs"], 1);
    // Both triangles have it: one lies in z = 0, the other in x = y.
    let [x, y, z] = [0, 1, 2].map(|k| found["point"][k].as_f64().unwrap());
    assert!((x - y).abs() < 1e-9 && z.abs() < 1e-9 && (1.0..=2.0).contains(&x), "{found}");
    assert_eq!(report["coverage"]["self_intersections"]["parts"], 1);
    assert_eq!(report["tests"][0]["findings"], 1);

    let clean = folder.file("flat.obj", TRIANGLE);
    let report = json(0, &[&"check", &clean, &"--self", &"--format", &"json"]);
    assert_eq!(report["parts"][0]["self_intersections"]["triangle_pairs"], 0);
    assert!(report["parts"][0]["self_intersections"]["point"].is_null());
    assert!(words(&stdout(0, &[&"check", &clean, &"--self"])).contains(" Self 0 parts intersect"));
    // Without the question there is no field.
    let without = json(1, &[&"check", &crossed, &clean, &"--format", &"json"]);
    assert!(without["parts"][0].get("self_intersections").is_none());
    assert!(without["coverage"].get("self_intersections").is_none());

    // A cache changes nothing.
    let cache = folder.path("cache");
    for _ in 0..2 {
        let with =
            json(1, &[&"check", &crossed, &clean, &"--self", &"--cache", &cache, &"--format", &"json"]);
        assert_eq!(with["parts"][0]["self_intersections"], *found);
    }
    // With rules they have a test of their own: those of the rules are about pairs.
    let rules = folder.file("r.toml", "version = 1\n[[test]]\nname = \"pairs\"\na = \"*\"\nb = \"*\"\n");
    let report = json(1, &[&"check", &crossed, &clean, &"--self", &"--rules", &rules, &"--format", &"json"]);
    let tests = report["tests"].as_array().unwrap();
    assert_eq!([&tests[0]["name"], &tests[1]["name"]], ["pairs", "self-intersections"]);
    assert_eq!(tests[1]["findings"], 1);
    let csv = stdout(1, &[&"check", &crossed, &"--self", &"--format", &"csv"]);
    assert!(csv.lines().any(|row| row.starts_with("0,0,") && row.contains(",self,true,")), "{csv}");
}

#[test]
fn shells_become_parts_and_a_cavity_stays() {
    let folder = Folder::new();
    let hollow = hollow(&folder);
    let report = json(0, &[&"check", &hollow, &"--split", &"shells", &"--format", &"json"]);
    let parts = report["parts"].as_array().unwrap();
    let parts: Vec<_> = parts.iter().map(|part| (&part["name"], part["triangles"].as_u64())).collect();
    assert_eq!(parts, [(&"hollow#1".into(), Some(24)), (&"hollow#2".into(), Some(12))]);
    // By parity a solid in a solid is a cavity: the cube within that is a part.
    let solid = folder.file("solid.obj", format!("o solid\n{}{}", cube(3.0, 1, false), cube(1.0, 9, false)));
    let report = json(1, &[&"check", &solid, &"--split", &"shells", &"--format", &"json"]);
    assert_eq!(report["clashes"][0]["relation"], "contains");
    let args: &[&dyn AsRef<std::ffi::OsStr>] =
        &[&"check", &solid, &"--split", &"shells", &"--fill-rule", &"even-odd", &"--format", &"json"];
    assert_eq!(json(0, args)["parts"].as_array().unwrap().len(), 1);
    // Across two files, pairs of shells of one file are not asked.
    let between =
        json(1, &[&"check", &"--between", &hollow, &solid, &"--split", &"shells", &"--format", &"json"]);
    assert_eq!(between["coverage"]["part_pairs"], 4);
    // A plan splits as a check does.
    let plan = folder.path("plan");
    run(0, &[&"plan", &hollow, &"--split", &"shells", &"-o", &plan]);
    run(0, &[&"work", &plan, &"--all"]);
    let whole = stdout(0, &[&"check", &hollow, &"--split", &"shells", &"--format", &"json"]);
    assert_eq!(stdout(0, &[&"merge", &plan, &"--format", &"json"]), whole);
}

#[test]
fn standard_input_is_a_file_like_others() {
    let folder = Folder::new();
    let crossed = folder.file("crossed.obj", CROSSED);
    let output = with_input(&["check", "-", "--self", "--format", "json", "-o", "-"], CROSSED.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let piped: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let file = json(1, &[&"check", &crossed, &"--self", &"--format", &"json"]);
    assert_eq!(piped["parts"][0]["file"], "stdin");
    assert_eq!(piped["parts"][0]["self_intersections"], file["parts"][0]["self_intersections"]);
    assert!(!Path::new("-").exists());

    // OFF without its keyword is not recognized by its content.
    let off = b"3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    assert_eq!(with_input(&["info", "-"], off).status.code(), Some(2));
    let output = with_input(&["info", "-", "--input-format", "off", "--format", "json"], off);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = with_input(&["pair", "-", crossed.to_str().unwrap()], TRIANGLE.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = with_input(&["pair", "--", "-:triangle", crossed.to_str().unwrap()], TRIANGLE.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");

    // A plan holds what was read.
    let plan = folder.path("plan");
    let two = format!("{TRIANGLE}o again\nf 1 2 3\n");
    let output = with_input(&["plan", "-", "-o", plan.to_str().unwrap()], two.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    run(0, &[&"work", &plan, &"--all"]);
    let check = with_input(&["check", "-"], two.as_bytes());
    assert_eq!(run(1, &[&"merge", &plan]).stdout, check.stdout);

    assert!(error(&[&"check", &"-", &"-"]).contains("-: standard input can be read only once"));
    let wrong = error(&[&"check", &crossed, &"--input-format", &"obj"]);
    assert!(wrong.contains("--input-format: is about standard input"), "{wrong}");
}

#[test]
fn a_name_of_300_characters_does_not_widen_a_piped_table() {
    let folder = Folder::new();
    let name = format!("{}{}", "a".repeat(150), "z".repeat(150));
    let faces = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\no {name}\nf 1 2 3\no short\nf 1 2 3\n");
    let file = folder.file("long.obj", faces);
    let cut = format!("{}…{}", "a".repeat(24), "z".repeat(23));
    let info = stdout(0, &[&"info", &file, &"--trees"]);
    let table = stdout(1, &[&"check", &file]);
    for text in [&table, &info] {
        assert!(text.contains(&cut) && !text.contains(&name), "{text}");
        assert!(
            text.lines().filter(|line| line.contains("  ")).all(|line| line.chars().count() < 120),
            "{text}"
        );
    }
    for format in ["json", "csv"] {
        assert!(stdout(1, &[&"check", &file, &"--format", &format]).contains(&name));
    }
}
