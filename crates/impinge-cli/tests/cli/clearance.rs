//! Distances: `impinge check --clearance` and `--what-if`, `impinge pair --query distance` and `within`.
use crate::{
    common::{Folder, error, json, run, stdout, words},
    relations::Parts,
};
use impinge::{Body, BuildOptions, Model, Query, distance::Margin, relation::RelationKind};
use serde_json::{Value, json};
use std::{ffi::OsStr, path::Path};

/// Two triangles whose nearest corners are (4, 0, 0) and (7, 0, 4): exactly 5 apart. A third one is the
/// square root of 2 away from the second, and from nothing else as near.
const THREE: &str = "\
o first
v 0 0 0\nv 4 0 0\nv 0 4 0
f 1 2 3
o second
v 7 0 4\nv 11 0 4\nv 7 4 4
f 4 5 6
o third
v 12 0 5\nv 16 0 5\nv 12 4 5
f 7 8 9
";

/// A part inside a housing without touching it, one that touches the housing from outside, one 0.5 away from
/// that and one far away.
fn housing() -> String {
    Parts::default()
        .cuboid("housing", [0.0; 3], [10.0, 10.0, 10.0])
        .cuboid("core", [1.0, 1.0, 1.0], [8.0, 9.0, 9.0])
        .cuboid("foot", [10.0, 0.0, 0.0], [12.0, 2.0, 2.0])
        .cuboid("wall", [12.5, 0.0, 0.0], [13.0, 10.0, 10.0])
        .cuboid("tree", [100.0, 0.0, 0.0], [101.0, 10.0, 10.0])
        .text
}

fn check(status: i32, file: &Path, more: &[&str]) -> Value {
    let words = more.iter().map(|word| word as &dyn AsRef<OsStr>);
    let args: Vec<&dyn AsRef<OsStr>> = [&"check" as &dyn AsRef<OsStr>, &file, &"--format", &"json"].into();
    json(status, &args.into_iter().chain(words).collect::<Vec<_>>())
}

fn near(report: &Value) -> Vec<[u64; 2]> {
    let near = report["near"].as_array().unwrap();
    near.iter().map(|near| [&near["a"], &near["b"]].map(|part| part.as_u64().unwrap())).collect()
}

/// Whether the reported interval of a distance holds this number, and little else.
fn holds(told: &Value, distance: f64) -> bool {
    let [lo, hi] = [0, 1].map(|k| told["distance"][k].as_f64().unwrap());
    lo <= distance && distance <= hi && hi - lo < 1e-11
}

#[test]
fn the_clearance_itself_is_near_and_the_next_number_below_is_not() {
    let folder = Folder::new();
    let three = folder.file("three.obj", THREE);
    let at = |d: f64| near(&check(1, &three, &["--clearance", &d.to_string()]));
    assert_eq!(at(5.0), [[0, 1], [1, 2]]);
    assert_eq!(at(5_f64.next_down()), [[1, 2]]);
    // This number is a little more than the root of 2, which is no f64; the reported interval holds both.
    let root = 2_f64.sqrt();
    assert_eq!(at(root), [[1, 2]]);
    let report = check(0, &three, &["--clearance", &root.next_down().to_string()]);
    assert_eq!(report["near"], json!([]));
    let report = check(1, &three, &["--clearance", "2"]);
    let interval = |k: usize| report["near"][0]["distance"][k].as_f64().unwrap();
    assert!(interval(0) < root.next_down() && root <= interval(1), "{report}");
    // Counts are exact, too.
    let counts = |lengths: [f64; 2]| {
        let text = lengths.map(|d| d.to_string()).join(",");
        let report = check(0, &three, &["--what-if", &text]);
        [0, 1].map(|k| report["what_if"][k]["near"].as_u64().unwrap())
    };
    assert_eq!(counts([root.next_down(), root]), [0, 1]);
    assert_eq!(counts([5_f64.next_down(), 5.0]), [1, 2]);
}

#[test]
fn the_json_is_as_documented() {
    let folder = Folder::new();
    let three = folder.file("three.obj", THREE);
    let report = check(1, &three, &["--clearance", "5", "--what-if", "100,1,2,2"]);
    let first = &report["near"][0];
    assert_eq!((&first["a"], &first["b"]), (&json!(0), &json!(1)));
    assert_eq!(first["points"], json!([[4.0, 0.0, 0.0], [7.0, 0.0, 4.0]]));
    // The interval is as narrow as it can be, since one of the query's lengths lies in it.
    assert_eq!(first["distance"], json!([5.0, 5.0]));
    assert_eq!(first.as_object().unwrap().len(), 4);
    let clearance = json!({"limit": 5.0, "searched": 100.0, "boxes_within": 3, "tested": 3, "near": 2});
    assert_eq!(report["coverage"]["clearance"], clearance);
    assert_eq!(report["coverage"]["findings"], 2);
    let at = |clearance: f64, near: u64| json!({"clearance": clearance, "near": near, "findings": near});
    assert_eq!(report["what_if"], json!([at(1.0, 0), at(2.0, 1), at(100.0, 3)]));
    // Other queries do not change the list.
    let alone = check(1, &three, &["--clearance", "5"]);
    assert_eq!(alone["near"], report["near"]);
    let clearance = json!({"limit": 5.0, "searched": 5.0, "boxes_within": 2, "tested": 2, "near": 2});
    assert_eq!(alone["coverage"]["clearance"], clearance);
    assert!(alone.get("what_if").is_none());
    let nothing = check(0, &three, &[]);
    assert!(nothing.get("near").is_none() && nothing["coverage"].get("clearance").is_none());
}

#[test]
fn what_clashes_or_is_inside_is_not_near() {
    let folder = Folder::new();
    let file = folder.file("housing.obj", housing());
    let report = check(1, &file, &["--clearance", "1"]);
    // Not the core in the housing, and not the foot, which touches it.
    assert_eq!(near(&report), [[2, 3]]);
    assert!(holds(&report["near"][0], 0.5), "{report}");
    assert_eq!(report["clashes"].as_array().unwrap().len(), 2);
    assert_eq!(report["coverage"]["findings"], 2);
    // With --surfaces nothing is inside: 1 from surface to surface.
    let surfaces = check(1, &file, &["--clearance", "1", "--surfaces"]);
    assert_eq!(near(&surfaces), [[0, 1], [2, 3]]);
    assert!(holds(&surfaces["near"][0], 1.0), "{surfaces}");
    // No distance but 0 is that of parts that meet.
    assert_eq!(check(1, &file, &["--clearance", "0"])["near"], json!([]));
}

#[test]
fn what_is_near_counts_and_what_would_be_does_not() {
    let folder = Folder::new();
    let file = folder.file("housing.obj", housing());
    // Without contained parts only near pairs count.
    let only = |more: &[&str], status| check(status, &file, &[&["--report", "overlap"], more].concat());
    assert_eq!(only(&[], 0)["coverage"]["findings"], 0);
    assert_eq!(only(&["--clearance", "0.4"], 0)["coverage"]["findings"], 0);
    assert_eq!(only(&["--clearance", "0.5"], 1)["coverage"]["findings"], 1);
    let report = only(&["--what-if", "0.5,3,0.4"], 0);
    assert!(report.get("near").is_none(), "{report}");
    let at = |clearance: f64, near: u64| json!({"clearance": clearance, "near": near, "findings": near});
    assert_eq!(report["what_if"], json!([at(0.4, 0), at(0.5, 1), at(3.0, 3)]));
    let distances = json!({"searched": 3.0, "boxes_within": 5, "tested": 5});
    assert_eq!(report["coverage"]["clearance"], distances);
    // Clashes that count are findings at every clearance.
    let report = check(1, &file, &["--what-if", "0.4,0.5"]);
    let findings = [0, 1].map(|k| report["what_if"][k]["findings"].as_u64().unwrap());
    assert_eq!(findings, [1, 2]);
}

#[test]
fn the_csv_has_rows_of_clashes_then_of_what_is_near() {
    let folder = Folder::new();
    let file = folder.file("housing.obj", housing());
    let csv = stdout(1, &[&"check", &file, &"--clearance", &"0.5", &"--format", &"csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0]
            .ends_with(",shallow,separating_distance,distance_lo,distance_hi,b_x,b_y,b_z,counts,test,severity,finding,group,status"),
        "{csv}"
    );
    assert_eq!(lines.len(), 4, "{csv}");
    let cells = |line: usize| lines[line].split(',').collect::<Vec<_>>();
    assert!(cells(1)[20..26] == ["", "", "", "", "", "true"] && cells(1)[8] == "contains", "{csv}");
    assert_eq!(cells(3)[..5], ["2", "3", "foot", "wall", "0"]);
    assert_eq!(cells(3)[5], "12.0");
    assert_eq!(cells(3)[8..20], ["near", "false", "", "", "", "", "", "", "", "", "", ""]);
    assert_eq!((cells(3)[21], cells(3)[22]), ("0.5", "12.5"));
    assert!((1..4).all(|line| cells(line).len() == cells(0).len()), "{csv}");
    let surfaces = stdout(1, &[&"check", &file, &"--clearance", &"0.5", &"--format", &"csv", &"--surfaces"]);
    assert!(
        surfaces.starts_with(
            "a,b,name_a,name_b,triangle_pairs,x,y,z,distance_lo,distance_hi,b_x,b_y,b_z,counts,test,severity,finding,group,status\n"
        )
    );
    assert!(surfaces.lines().any(|line| line.starts_with("2,3,foot,wall,0,12.0,")), "{surfaces}");
}

#[test]
fn the_table_has_what_is_near_below_the_clashes_the_nearest_first() {
    let folder = Folder::new();
    let three = folder.file("three.obj", THREE);
    let table = stdout(1, &[&"check", &three, &"--ungrouped", &"--clearance", &"5", &"--what-if", &"1.5,5"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let place =
        |row: &[&str]| rows.iter().position(|r| r == row).unwrap_or_else(|| panic!("{row:?}: {table}"));
    let second = place(&["second", "third", "1.414", "11.0000", "0.0000", "4.0000"]);
    assert_eq!(second + 1, place(&["first", "second", "5.000", "4.0000", "0.0000", "0.0000"]));
    assert!(second < place(&["1.5", "1", "1"]) && second < place(&["5", "2", "2"]));
    let said = "none with overlapping boxes Near 2 of 2 part pairs within 5 by their boxes, all tested";
    assert!(words(&table).contains(said), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    let one = stdout(1, &[&"check", &three, &"--ungrouped", &"--clearance", &"5", &"--limit", &"1"]);
    assert!(!one.contains("5.000") && one.contains("Showing the nearest 1 of 2 pairs"), "{one}");
    // Four digits of 4.99996 would say 5.000, which is more than the clearance.
    let file = folder.file(
        "thin.obj",
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 4.99996\nv 1 0 4.99996\n\
        v 0 1 4.99996\nf 4 5 6\n",
    );
    let thin = stdout(1, &[&"check", &file, &"--clearance", &"4.99997"]);
    assert!(thin.lines().any(|line| line.starts_with("a ") && line.contains(" 4.99996 ")), "{thin}");
}

#[test]
fn wrong_lengths_are_refused_by_the_name_of_the_option() {
    let folder = Folder::new();
    let three = folder.file("three.obj", THREE);
    for option in ["--clearance", "--what-if", "--tolerance"] {
        for wrong in ["-1", "-1e-9", "inf", "-inf", "nan", "five", "", "1e999"] {
            let output = run(2, &[&"check", &three, &option, &wrong]);
            let said = String::from_utf8(output.stderr).unwrap();
            let expected =
                if ["five", ""].contains(&wrong) { "not a number" } else { "finite and not negative" };
            assert!(said.contains(option) && said.contains(expected), "{option} {wrong}: {said}");
        }
    }
    for wrong in ["1,,2", "1,-2", "1;2"] {
        let said = String::from_utf8(run(2, &[&"check", &three, &"--what-if", &wrong]).stderr).unwrap();
        assert!(said.contains("--what-if"), "{wrong}: {said}");
    }
    let said = error(&[&"check", &three, &"--what-if", &"1", &"--format", &"csv"]);
    assert!(said.contains("--what-if: is about tables and JSON"), "{said}");
    let refused = run(2, &[&"check", &three, &"--clearance", &"1e300", &"--max-pairs", &"2"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("3 part pairs have boxes within 1e300 of each other; at most 2"), "{said}");
    let margin = String::from_utf8(run(2, &[&"pair", &three, &three, &"--margin", &"-1"]).stderr).unwrap();
    assert!(margin.contains("--margin") && margin.contains("not negative"), "{margin}");
    assert!(error(&[&"pair", &three, &three, &"--margin", &"1"]).contains("--margin: is about --query"));
    assert!(error(&[&"pair", &three, &three, &"--query", &"within"]).contains("--margin LENGTH"));
}

#[test]
fn between_two_files_only_pairs_across_are_near() {
    let folder = Folder::new();
    let (three, file) = (folder.file("a.obj", THREE), folder.file("housing.obj", housing()));
    let ask = |status, args: &[&dyn AsRef<OsStr>]| {
        json(
            status,
            &[&[&"check" as &dyn AsRef<OsStr>, &"--format", &"json", &"--clearance", &"3"], args].concat(),
        )
    };
    let across = ask(1, &[&"--between", &three, &file, &"--surfaces"]);
    assert!(!near(&across).is_empty());
    assert!(near(&across).iter().all(|&[a, b]| a < 3 && b >= 3), "{across}");
    let all = ask(1, &[&three, &file, &"--surfaces"]);
    let expected: Vec<_> = near(&all).into_iter().filter(|&[a, b]| a < 3 && b >= 3).collect();
    assert_eq!(near(&across), expected);
    assert!(near(&all).len() > expected.len());
}

#[test]
fn threads_change_no_byte() {
    for format in ["json", "table", "csv"] {
        let ask = |more: [&str; 2]| {
            let what_if: &[&str] = if format == "csv" { &[] } else { &["--what-if", "0.05,1"] };
            let args = ["check", "--clearance", "0.2", "--depth", "none", "--format", format];
            let args = args.iter().chain(what_if).chain(&more).map(|arg| arg as &dyn AsRef<OsStr>);
            stdout(1, &args.collect::<Vec<_>>())
        };
        let one = ask(["--threads", "1"]);
        assert_eq!(ask(["--threads", "2"]), one, "{format}");
        assert_eq!(ask(["--threads", "5"]), one, "{format}");
    }
}

/// All pairs of parts of the gearbox, asked one by one without boxes.
#[test]
fn near_in_the_gearbox_is_what_the_library_says_of_every_pair() {
    let d = 0.5;
    let report = json(1, &[&"check", &"--clearance", &"0.5", &"--format", &"json", &"--depth", &"none"]);
    let scene = impinge_demo::gearbox();
    let options = BuildOptions::default();
    let models: Vec<Model> =
        scene.parts.iter().map(|part| Model::with_options(part.mesh.clone(), &options)).collect();
    let bodies: Vec<Body<'_>> =
        models.iter().zip(&scene.parts).map(|(model, part)| Body::new(model, part.pose)).collect();
    let (mut query, margin) = (Query::new(), Margin::new(d).unwrap());
    let mut expected = Vec::new();
    for (b, body_b) in bodies.iter().enumerate() {
        for (a, body_a) in bodies[..b].iter().enumerate() {
            if query.within(body_a, body_b, margin)
                && query.relation(body_a, body_b).kind == RelationKind::Apart
            {
                expected.push([a as u64, b as u64]);
            }
        }
    }
    expected.sort_unstable();
    assert!(expected.len() > 100, "{}", expected.len());
    assert_eq!(near(&report), expected);
    assert_eq!(report["coverage"]["clearance"]["near"], expected.len());
    for near in report["near"].as_array().unwrap() {
        let number = |value: &Value| value.as_f64().unwrap();
        let [lo, hi] = [0, 1].map(|k| number(&near["distance"][k]));
        let [p, q] = [0, 1].map(|side| [0, 1, 2].map(|k| number(&near["points"][side][k])));
        let between = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
        assert!(0.0 < lo && lo <= hi && hi <= d && (between - hi).abs() < 1e-10, "{near}");
    }
}

#[test]
fn frames_have_distances() {
    let folder = Folder::new();
    let mesh = folder.file("a.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    let at = |[x, y, z]: [i32; 3]| format!("1 0 0 {x} 0 1 0 {y} 0 0 1 {z}\n");
    let poses = folder.file("poses.txt", [[7, 0, 4], [0, 0, 0], [0, 0, 9]].map(at).concat());
    let ask = |more: &[&str]| {
        let first: [&dyn AsRef<OsStr>; 6] = [&"pair", &mesh, &mesh, &"--poses", &poses, &"--query"];
        stdout(0, &first.into_iter().chain(more.iter().map(|w| w as &dyn AsRef<OsStr>)).collect::<Vec<_>>())
    };
    let frames = |more: &[&str]| {
        let report: Value = serde_json::from_str(&ask(&[more, &["--format", "json"]].concat())).unwrap();
        report["frames"].as_array().unwrap().clone()
    };
    let all = frames(&["distance"]);
    assert_eq!(all[0]["points"], json!([[4.0, 0.0, 0.0], [7.0, 0.0, 4.0]]));
    assert!(holds(&all[0], 5.0), "{}", all[0]);
    assert_eq!(all[1]["distance"], json!([0.0, 0.0]));
    assert!(all[2]["frame"] == 2 && holds(&all[2], 9.0), "{}", all[2]);
    assert_eq!(all[0].as_object().unwrap().len(), 3);
    // 5 is not more than 5.
    let near = frames(&["distance", "--margin", "5"]);
    assert!(holds(&near[0], 5.0) && near[0]["distance"][1] == 5.0 && near[1] == all[1], "{near:?}");
    assert_eq!(near[2], json!({"frame": 2, "distance": null, "points": null}));
    let below = 5_f64.next_down().to_string();
    assert!(frames(&["distance", "--margin", &below])[0]["distance"].is_null());

    let within = |margin: &str| {
        frames(&["within", "--margin", margin])
            .iter()
            .map(|f| f["within"].as_bool().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(within("5"), [true, true, false]);
    assert_eq!(within(&below), [false, true, false]);
    assert_eq!(frames(&["within", "--margin", "5"])[2], json!({"frame": 2, "within": false}));

    let csv = ask(&["distance", "--margin", "5", "--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "frame,distance_lo,distance_hi,a_x,a_y,a_z,b_x,b_y,b_z,volume_tests,triangle_tests,microseconds"
    );
    assert!(
        lines[1].contains(",5.0,4.0,0.0,0.0,7.0,0.0,4.0,") && lines[3].starts_with("2,,,,,,,,,"),
        "{csv}"
    );
    assert!(lines[1..].iter().all(|line| line.split(',').count() == 12), "{csv}");
    let csv = ask(&["within", "--margin", "5", "--format", "csv"]);
    assert!(csv.starts_with("frame,within,volume_tests,triangle_tests,microseconds\n0,true,"), "{csv}");

    let table = ask(&["distance", "--margin", "5"]);
    assert!(table.ends_with("A and B meet in 1 of 3 frames. In 1 they are more than 5 apart.\n"), "{table}");
    let row = table.lines().find(|line| line.trim_start().starts_with("0 ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[1..8], ["5.000", "4.00000", "0.00000", "0.00000", "7.00000", "0.00000", "4.00000"]);
    let table = ask(&["within", "--margin", "5"]);
    assert!(table.ends_with("A and B are at most 5 apart in 2 of 3 frames.\n"), "{table}");
}

#[test]
fn one_frame_in_words() {
    let folder = Folder::new();
    let mesh = folder.file("a.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    let ask = |more: &[&str]| {
        let first: [&dyn AsRef<OsStr>; 4] = [&"pair", &mesh, &mesh, &"--pose-b"];
        let args = first.into_iter().chain(more.iter().map(|word| word as &dyn AsRef<OsStr>));
        stdout(0, &args.collect::<Vec<_>>()).lines().last().unwrap().to_owned()
    };
    let (up, here) = ("1 0 0 7 0 1 0 0 0 0 1 4", "1 0 0 0 0 1 0 0 0 0 1 0");
    assert_eq!(ask(&[up, "--query", "distance"]), "A and B are 5 apart.");
    assert_eq!(ask(&[here, "--query", "distance"]), "A and B meet: the distance is 0.");
    assert_eq!(ask(&[up, "--query", "distance", "--margin", "2"]), "A and B are more than 2 apart.");
    assert_eq!(ask(&[up, "--query", "within", "--margin", "5"]), "A and B are at most 5 apart.");
    assert_eq!(ask(&[up, "--query", "within", "--margin", "4.5"]), "A and B are more than 4.5 apart.");
    let coarse = ask(&[up, "--query", "distance", "--rel", "0.1"]);
    assert_eq!(coarse, "A and B are between 5 and 5.28 apart.");
}

#[test]
fn solids_and_parts_of_distances() {
    let folder = Folder::new();
    // A tetrahedron, and the same at a tenth of its size, well inside.
    let faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    let large = folder.file("large.obj", format!("v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\n{faces}"));
    let small = folder.file("small.obj", format!("v 1 1 1\nv 1.9 1 1\nv 1 1.9 1\nv 1 1 1.9\n{faces}"));
    let ask = |status: i32, more: &[&str]| {
        let first: [&dyn AsRef<OsStr>; 3] = [&"pair", &large, &small];
        run(status, &first.into_iter().chain(more.iter().map(|w| w as &dyn AsRef<OsStr>)).collect::<Vec<_>>())
    };
    let answer = |more: &[&str]| -> Value {
        let all = [&["--query", "distance", "--format", "json"], more].concat();
        let report: Value = serde_json::from_slice(&ask(0, &all).stdout).unwrap();
        report["frames"][0].clone()
    };
    assert!(holds(&answer(&[]), 1.0), "{}", answer(&[]));
    let solids = answer(&["--solids"]);
    assert_eq!((&solids["distance"], &solids["points"][0]), (&json!([0.0, 0.0]), &json!([1.0, 1.0, 1.0])));
    assert_eq!(answer(&["--rel", "0.5"])["distance"], json!([1.0, 1.5]));
    let words = String::from_utf8(ask(0, &["--query", "distance", "--solids"]).stdout).unwrap();
    assert!(words.ends_with("A and B meet as solids: the distance is 0.\n"), "{words}");
    let error = |more: &[&str]| String::from_utf8(ask(2, more).stderr).unwrap();
    assert!(error(&["--solids"]).contains("--solids: is about --query distance"));
    assert!(error(&["--query", "within", "--margin", "1", "--rel", "0.1"]).contains("--rel: is about"));
    assert!(error(&["--query", "distance", "--rel", "-1"]).contains("not negative"));
}

/// A group of parts that touches no others floats; with a clearance, a near group is attached.
#[test]
fn what_floats_is_listed_with_its_gap() {
    let folder = Folder::new();
    let parts = Parts::default()
        .cuboid("base", [0.0; 3], [4.0, 4.0, 1.0])
        .cuboid("post", [1.0, 1.0, 1.0], [2.0, 2.0, 3.0])
        .cuboid("lamp", [1.0, 1.0, 3.5], [2.0, 2.0, 4.0])
        .cuboid("shade", [1.0, 1.0, 4.0], [2.0, 2.0, 5.0]);
    let file = folder.file("lamp.obj", parts.text);
    let report = json(0, &[&"check", &file, &"--floating", &"--contacts", &"--format", &"json"]);
    let group = &report["floating"][0];
    assert_eq!((&group["parts"], report["floating"].as_array().unwrap().len()), (&json!([2, 3]), 1));
    let nearest = &group["nearest"];
    assert_eq!([&nearest["part"], &nearest["other"]], [&json!(2), &json!(1)]);
    assert_eq!(nearest["distance"], json!([0.5, 0.5]));
    let contact = &report["clashes"][0]["contact"];
    assert_eq!(contact, &json!({"dimension": "area", "length": [0.0, 0.0], "area": [1.0, 1.0]}));
    let table = stdout(0, &[&"check", &file, &"--floating", &"--contacts"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["lamp", "post", "2", "0.5000"]), "{table}");
    assert!(rows.iter().any(|row| row.starts_with(&["base", "post", "touch", "area", "1.000"])), "{table}");

    let near = ["check", file.to_str().unwrap(), "--floating", "--clearance", "0.5", "--format", "json"];
    let near: Vec<&dyn AsRef<std::ffi::OsStr>> = near.iter().map(|word| word as &dyn AsRef<_>).collect();
    assert_eq!(json(1, &near)["floating"], json!([]));

    // As a graph, from one process and from tasks.
    let dot = stdout(0, &[&"check", &file, &"--format", &"dot"]);
    assert!(dot.contains("  0 -- 1 [label=\"touch, area 1.000\", penwidth=2];"), "{dot}");
    let plan = folder.path("plan");
    run(0, &[&"plan", &file, &"-o", &plan, &"--contacts"]);
    run(0, &[&"work", &plan, &"--all"]);
    assert_eq!(stdout(0, &[&"merge", &plan, &"--format", &"dot"]), dot);
    let bare = folder.path("bare");
    run(0, &[&"plan", &file, &"-o", &bare]);
    run(0, &[&"work", &bare, &"--all"]);
    assert!(error(&[&"merge", &bare, &"--format", &"dot"]).contains("impinge plan --contacts"));
}
