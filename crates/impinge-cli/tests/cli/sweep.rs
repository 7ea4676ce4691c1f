//! `impinge sweep`: motions, results, frames, parts, errors.
use crate::common::{Folder, error, json, run, stdout};
use serde_json::Value;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

type Words<'a> = Vec<&'a dyn AsRef<OsStr>>;

/// A box as a part of an OBJ file of its own.
fn block(name: &str, low: [f64; 3], high: [f64; 3]) -> String {
    let mut text = format!("o {name}\n");
    for i in 0..8 {
        let corner = [0, 1, 2].map(|k| if i >> k & 1 == 0 { low[k] } else { high[k] });
        text += &format!("v {} {} {}\n", corner[0], corner[1], corner[2]);
    }
    for [a, b, c, d] in [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]] {
        text += &format!("f {} {} {} {}\n", a - 9, b - 9, c - 9, d - 9);
    }
    text
}

/// A plate with a thickness of 0.001 in the plane z = 0, and a cube with sides of 0.1 around the origin.
fn plate_and_cube(folder: &Folder) -> [PathBuf; 2] {
    let plate = block("plate", [-10., -10., -0.0005], [10., 10., 0.0005]);
    [folder.file("plate.obj", plate), folder.file("cube.obj", block("cube", [-0.05; 3], [0.05; 3]))]
}

fn at(x: f64, y: f64, z: f64) -> String {
    format!("1 0 0 {x} 0 1 0 {y} 0 0 1 {z}")
}

/// A command line, and words after it.
fn with<'a>(first: &[&'a dyn AsRef<OsStr>], more: &'a [&'a str]) -> Words<'a> {
    first.iter().copied().chain(more.iter().map(|word| word as &dyn AsRef<_>)).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Bounds of the time of contact, which must be a contact at the resolution.
fn contact(report: &Value) -> [f64; 2] {
    assert_eq!(report["result"], "contact", "{report}");
    let bounds = [&report["free_until"], &report["meets_at"]].map(number);
    assert!(bounds[0] <= bounds[1] && bounds[1] - bounds[0] < 2e-9, "{report}");
    bounds
}

/// The pose of a mesh in the result, as an argument.
fn pose(report: &Value, name: &str) -> String {
    let numbers = report["moment"][name].as_array().unwrap();
    numbers.iter().map(|x| number(x).to_string()).collect::<Vec<_>>().join(" ")
}

fn meet(a: &Path, b: &Path, poses: [&str; 2]) -> bool {
    let report =
        json(0, &[&"pair", &a, &b, &"--pose-a", &poses[0], &"--pose-b", &poses[1], &"--format", &"json"]);
    report["frames"][0]["intersecting"].as_bool().unwrap()
}

#[test]
fn a_screw_through_a_thin_plate_as_documented() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let start = at(0.3, 0.2, -20.);
    let command: Words<'_> = with(
        &[&"sweep", &plate, &cube, &"--from", &start],
        &["--axis", "0,0,1", "--point", "0.3,0.2,0", "--angle", "1800", "--advance", "40"],
    );
    let report = json(1, &with(&command, &["--format", "json"]));
    let [before, after] = contact(&report);
    // The front face reaches the plate after 20 - 0.05 - 0.0005 of 40.
    assert!(before <= 0.4987375 && 0.4987375 <= after, "{report}");
    assert!(meet(&plate, &cube, [&at(0., 0., 0.), &pose(&report, "pose_b")]));
    let members: Vec<&String> = report.as_object().unwrap().keys().collect();
    let expected = [
        "after",
        "enclosed",
        "frames",
        "free_until",
        "meets_at",
        "moment",
        "result",
        "undecided",
        "warnings",
    ];
    assert_eq!(members, expected);
    assert!(report["frames"].is_null() && report["undecided"].is_null() && report["enclosed"].is_null());
    assert_eq!([&report["moment"]["part_a"], &report["moment"]["part_b"]], ["plate", "cube"]);
}

/// The output is the same on every machine.
#[test]
fn the_table_of_a_contact() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let poses = folder.file("poses.txt", [20., 5., 1., -20.].map(|z| at(0.25, 0., z) + "\n").concat());
    let table = stdout(1, &[&"sweep", &plate, &cube, &"--poses", &poses]);
    let table = table.replace(&format!("{}", plate.parent().unwrap().display()), "DIR");
    assert_eq!(table, GOLDEN, "{table}");
}

const GOLDEN: &str = "\
A: DIR/plate.obj, 12 triangles
B: DIR/cube.obj, 12 triangles

Clear until     t = 0.681738095238092
Contact at      t = 0.6817380953030185
Frames          2 to 3
Triangles       10 of A, 0 of B
Point           0.200000, -0.050000, 0.000500
Pose of B       1 0 0 0.25
                0 1 0 0
                0 0 1 0.050499995909831785

A and B first meet at t = 0.6817380953, between frames 2 and 3.
";

#[test]
fn frames_of_a_file_are_named() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let poses = folder.file("poses.txt", [20., 5., 1., -1., 2.].map(|z| at(0., 0., z) + "\n").concat());
    let report = json(1, &[&"sweep", &plate, &cube, &"--poses", &poses, &"--format", &"json"]);
    let [before, after] = contact(&report);
    // The third of four equal times: after 1 - 0.0505 of 2.
    let exact = (2. + (1. - 0.0505) / 2.) / 4.;
    assert!(before <= exact && exact <= after, "{report}");
    assert_eq!(report["frames"], serde_json::json!([2, 3]));
    // Both move: A flees, and is caught in the second leg.
    let both = [[0., 20.], [-5., 10.], [-10., -11.]];
    let both =
        folder.file("both.txt", both.map(|[a, b]| format!("{} {}\n", at(0., 0., a), at(0., 0., b))).concat());
    let report = json(1, &[&"sweep", &plate, &cube, &"--poses", &both, &"--format", &"json"]);
    let [before, after] = contact(&report);
    // The gap goes from 15 to -1 in that leg.
    let exact = 0.5 + 0.5 * (15. - 0.0505) / 16.;
    assert!(before <= exact && exact <= after, "{report}");
    assert_eq!(report["frames"], serde_json::json!([1, 2]));
    assert!(meet(&plate, &cube, [&pose(&report, "pose_a"), &pose(&report, "pose_b")]));
    let text = error(&[&"sweep", &plate, &cube, &"--poses", &both, &"--pose-a", &at(0., 0., 0.)]);
    assert!(text.ends_with("both.txt: its 24 numbers a frame place A, and so does --pose-a"), "{text}");
}

#[test]
fn clear_motions_end_with_0() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let (start, end) = (at(-20., -20., 0.051), at(20., 20., 0.051));
    let motion: Words<'_> = vec![&"sweep", &plate, &cube, &"--from", &start, &"--to", &end];
    let report = json(0, &with(&motion, &["--format", "json"]));
    assert_eq!(report["result"], "clear");
    assert!(number(&report["free_until"]) == 1.0 && report["moment"].is_null(), "{report}");
    let table = stdout(0, &motion);
    assert!(table.ends_with("\n\nA and B do not meet during the whole motion.\n"), "{table}");
    // Their distance is 0.0005.
    let table = stdout(0, &with(&motion, &["--margin", "0.0004"]));
    assert!(table.ends_with("A and B are more than 0.0004 apart during the whole motion.\n"), "{table}");
    let near = with(&motion, &["--margin", "0.6um", "--unit", "mm"]);
    let table = stdout(1, &near);
    assert!(table.contains("\nA and B are first at most 0.0006 apart at t = 0.24"), "{table}");
    assert!(table.contains("\nDistance"), "{table}");
    // A file gets the result, and stdout the summary.
    let out = folder.path("out.json");
    let summary = stdout(0, &with(&motion, &["-o", out.to_str().unwrap()]));
    assert!(summary.starts_with("A and B do not meet during the whole motion. Written to "), "{summary}");
    assert!(std::fs::read_to_string(&out).unwrap().starts_with("{\"result\":\"clear\","));
}

#[test]
fn one_inside_the_other_is_no_clear_motion() {
    let folder = Folder::new();
    let [_, cube] = plate_and_cube(&folder);
    let big = folder.file("big.obj", block("big", [-0.5, -0.4, -0.45], [0.4, 0.5, 0.45]));
    let inside: Words<'_> = vec![&"sweep", &big, &cube, &"--by", &"0.2,0,0"];
    let report = json(1, &with(&inside, &["--format", "json"]));
    assert_eq!([&report["result"], &report["enclosed"]], ["clear", "contains"]);
    let table = stdout(1, &inside);
    assert!(
        table.ends_with("\nB is inside A during the whole motion, without contact of surfaces.\n"),
        "{table}"
    );
    assert!(json(0, &with(&inside, &["--surfaces", "--format", "json"]))["enclosed"].is_null());
    let table = stdout(1, &[&"sweep", &big, &cube, &"--by", &"-1.8,0,0"]);
    assert!(table.ends_with("A and B first meet at t = 0.25. B is inside A at the start.\n"), "{table}");
}

#[test]
fn a_contact_at_the_start_and_any_contact() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let start: Words<'_> = vec![&"sweep", &plate, &cube, &"--by", &"1,0,0"];
    assert_eq!(contact(&json(1, &with(&start, &["--format", "json"]))), [0., 0.]);
    assert!(stdout(1, &start).ends_with("\nA and B meet at the start.\n"));
    let through: Words<'_> = vec![&"sweep", &plate, &cube, &"--pose-a", &"1 0 0 0 0 1 0 0 0 0 1 -2"];
    let table = stdout(1, &with(&through, &["--by", "0,0,-4", "--any"]));
    assert!(table.contains("\nPose of A") && table.contains(", and not before t = "), "{table}");
}

#[test]
fn what_is_not_proved_is_undecided() {
    let folder = Folder::new();
    // An edge of one passes an edge of the other, in no more than rounding.
    let diamond = "o diamond\nv -1 0 0\nv 0 0 -1\nv 0 0 1\nv 1 0 0\nf 1 2 3\nf 4 3 2\n";
    let third = 1. / 3.;
    let diamond = folder.file("diamond.obj", diamond);
    let motion: Words<'_> = vec![&"sweep", &diamond, &diamond, &"--axis", &"0,1,0", &"--angle", &"360"];
    let beside = at(2. + third * 1e-12, 0., 0.);
    let report = json(1, &with(&motion, &["--from", &beside, "--point", "2,0,0", "--format", "json"]));
    assert_eq!(report["result"], "undecided", "{report}");
    let [plate, cube] = plate_and_cube(&folder);
    let short: Words<'_> = vec![&"sweep", &plate, &cube, &"--from", &"1 0 0 0 0 1 0 0 0 0 1 -9"];
    let short = with(&short, &["--by", "0,0,20", "--max-intervals", "2"]);
    let report = json(1, &with(&short, &["--format", "json"]));
    assert_eq!([&report["result"], &report["undecided"]["why"]], ["undecided", "max_intervals"]);
    assert!(number(&report["free_until"]) < 0.4475 && report["moment"].is_null(), "{report}");
    let table = stdout(1, &short);
    assert!(
        table.contains("\nUndecided: the work exceeds 2 intervals (--max-intervals). A and B do not meet")
    );
}

#[test]
fn parts_are_named() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let rack = block("left", [-3., -1., -1.], [-2., 1., 1.]) + &block("right", [2., -1., -1.], [3., 1., 1.]);
    let rack = folder.file("rack.obj", rack);
    let table = stdout(1, &[&"sweep", &rack, &cube, &"--by", &"4,0,0"]);
    let triangles = table.lines().find(|line| line.starts_with("Triangles")).unwrap();
    assert!(triangles.contains(" of A (right), ") && triangles.ends_with(" of B"), "{table}");
    let left = format!("{}:left", rack.display());
    run(0, &[&"sweep", &left, &cube, &"--by", &"4,0,0"]);
    let text = error(&[&"sweep", &format!("{}:lft", rack.display()), &plate, &"--by", &"4,0,0"]);
    assert!(text.contains("rack.obj: has no part 'lft'; the nearest names are 'left'"), "{text}");
}

#[test]
fn wrong_arguments_have_one_clear_error() {
    let folder = Folder::new();
    let [plate, cube] = plate_and_cube(&folder);
    let one = folder.file("one.txt", at(0., 0., 1.) + "\n");
    let bad = folder.file("bad.txt", format!("{}\n1 2 3\n", at(0., 0., 1.)));
    let scaled =
        folder.file("scaled.txt", format!("{}\n{}\n", at(0., 0., 1.), at(0., 0., 1.)).replace("1 0", "2 0"));
    let far = folder.file("far.txt", format!("{}\n{}\n", at(0., 0., 1.), at(0., 0., 1e200)));
    let file = |path: &PathBuf| path.to_str().unwrap().to_owned();
    for (words, expected) in [
        (["--to", "1 2 3"], "--to: a pose is 12 numbers, 3 rows of [R | t], but there are 3"),
        (["--to", "2 0 0 0 0 1 0 0 0 0 1 0"], "--to: the pose is not a rigid motion"),
        (["--by", "1,2"], "--by: '1,2' is 2 numbers, not 3"),
        (["--by", "1,2,1e300"], "--by: "),
        (["--poses", &file(&one)], "one.txt: a motion takes two frames or more, and there is one"),
        (["--poses", &file(&bad)], "bad.txt: line 2: 3 numbers, where the first frame has 12"),
        (["--poses", &file(&scaled)], "scaled.txt: line 1: the pose is not a rigid motion"),
        (["--poses", &file(&far)], "far.txt: frames 0 and 1: "),
    ] {
        let text = error(&with(&[&"sweep", &plate, &cube], &words));
        assert!(text.contains(expected) && !text.contains("--affine"), "{words:?}: {text}");
    }
    let sweep: Words<'_> = vec![&"sweep", &plate, &cube];
    for (words, expected) in [
        (&["--by", "1,2,3", "--resolution", "0"][..], "--resolution: "),
        (&["--by", "1,2,3", "--tolerance", "0"], "--tolerance: "),
        (&["--by", "1,2,3", "--margin", "1mm"], "the unit of "),
        (&["--axis", "0,0,1", "--angle", "9", "--advance", "1mm"], "--advance 1mm: the unit of "),
        (&["--axis", "0,0,0", "--angle", "9"], "--axis: "),
        (&["--by", "1,2,3", "--reference", "1,0,0"], "--reference: is about --to"),
        (&["--by", "1,2,3", "--angle", "90"], "--angle: is about --axis"),
        (&["--by", "1,2,3", "-o", "x.csv"], "x.csv: no result is written as .csv"),
    ] {
        let text = error(&with(&sweep, words));
        assert!(text.contains(expected), "{words:?}: {text}");
    }
    // Motions exclude each other, and one of them is needed.
    for words in [
        &[][..],
        &["--by", "1,0,0", "--to", "1 0 0 0 0 1 0 0 0 0 1 0"],
        &["--axis", "0,0,1"],
        &["--angle", "9"],
        &["--poses", "x", "--from", "1 0 0 0 0 1 0 0 0 0 1 0"],
        &["--by", "1,0,0", "--margin", "-1"],
    ] {
        run(2, &with(&sweep, words));
    }
}

/// The point that moves straight decides about the contact.
#[test]
fn the_reference_point_moves_straight() {
    let folder = Folder::new();
    let [plate, _] = plate_and_cube(&folder);
    // A bar whose middle is 2 above its origin; half a turn about y takes its ends around.
    let bar = folder.file("bar.obj", block("bar", [-0.1, -0.1, 1.], [0.1, 0.1, 3.]));
    let (from, to) = (at(0., 0., 0.), "-1 0 0 0 0 1 0 0 0 0 -1 4");
    let motion: Words<'_> = vec![&"sweep", &plate, &bar, &"--from", &from, &"--to", &to];
    run(0, &with(&motion, &["--reference", "0,0,2"]));
    // About the origin, the bar swings.
    let report = json(0, &with(&motion, &["--reference", "0,0,0", "--format", "json"]));
    assert_eq!(report["result"], "clear");
    run(1, &with(&motion, &["--reference", "0,0,9"]));
}

/// A cube that stands on a plate and is lifted: contact at the start, and none after.
#[test]
fn contact_before_a_time_does_not_count() {
    let folder = Folder::new();
    let plate = folder.file("plate.obj", block("plate", [-1., -1., -0.5], [1., 1., 0.]));
    let cube = folder.file("cube.obj", block("cube", [-0.25, -0.25, 0.], [0.25, 0.25, 0.5]));
    let lift: Words<'_> = vec![&"sweep", &plate, &cube, &"--by", &"0,0,1", &"--format", &"json"];
    assert_eq!(contact(&json(1, &lift)), [0.0, 0.0]);
    let report = json(0, &with(&lift, &["--after", "1e-6"]));
    assert_eq!((&report["result"], &report["after"]), (&"clear".into(), &1e-6.into()), "{report}");
    let said = stdout(0, &[&"sweep", &plate, &cube, &"--by", &"0,0,1", &"--after", &"1e-6"]);
    assert!(said.contains("do not meet during the whole motion. Contact before t = 0.000001"), "{said}");
    assert!(error(&with(&lift, &["--after", "1"])).contains("--after"));
}
