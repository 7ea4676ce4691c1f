//! `impinge pair`: every query of the library, and those of one mesh.
use crate::common::{Folder, TRIANGLE, error, json, run, stdout};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::PathBuf};

/// The box between two corners, as OBJ, with faces outwards.
fn cuboid(lo: [f64; 3], hi: [f64; 3]) -> String {
    let corner = |i: usize| (0..3).map(move |k| if i >> k & 1 == 1 { hi[k] } else { lo[k] });
    let line = |i| format!("v {}\n", corner(i).map(|x| x.to_string()).collect::<Vec<_>>().join(" "));
    let faces = "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\n\
                 f 2 4 8\nf 2 8 6\n";
    (0..8).map(line).collect::<String>() + faces
}

/// A box of side 4 at the origin, one that overlaps it in a unit cube, and one 2 further along x.
fn boxes(folder: &Folder) -> [PathBuf; 3] {
    [
        folder.file("a.obj", cuboid([0.0; 3], [4.0; 3])),
        folder.file("b.obj", cuboid([3.0; 3], [7.0; 3])),
        folder.file("c.obj", cuboid([6.0, 1.0, 1.0], [8.0, 3.0, 3.0])),
    ]
}

/// The only frame of a query.
fn frame(args: &[&dyn AsRef<std::ffi::OsStr>]) -> Value {
    let words: Vec<&dyn AsRef<std::ffi::OsStr>> = [&"pair" as &dyn AsRef<_>]
        .into_iter()
        .chain(args.iter().copied())
        .chain([&"--format" as _, &"json" as _])
        .collect();
    json(0, &words)["frames"][0].clone()
}

/// The table of queries and `--query` have the same names.
#[test]
fn every_query_of_the_library_can_be_requested() {
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../impinge/queries.md")).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    // Motions have a command of their own, `impinge sweep`.
    let cells = rows.map(|row| row.split('|').nth(5).unwrap().trim().trim_matches('`'));
    let listed: BTreeSet<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    assert!(listed.len() > 12, "{listed:?}");
    let output = run(2, &[&"pair", &"a.stl", &"--query", &"no-such-query"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let values = said.split("possible values: ").nth(1).unwrap().split(']').next().unwrap().to_owned();
    let values: BTreeSet<&str> = values.split(',').map(str::trim).collect();
    assert_eq!(values, listed, "values of --query, and those of crates/impinge/queries.md");
}

#[test]
fn insides_and_penetration() {
    let folder = Folder::new();
    let [a, b, c] = boxes(&folder);
    assert_eq!(frame(&[&a, &b, &"--query", &"overlaps"]), json!({"frame": 0, "overlaps": true}));
    assert_eq!(frame(&[&a, &c, &"--query", &"overlaps"])["overlaps"], json!(false));

    // A unit cube in common: its corner at (3, 3, 3) is 1 deep in A, A's at (4, 4, 4) as deep in B.
    let found = frame(&[&a, &b, &"--query", &"penetration"]);
    let [lo, hi] = [0, 1].map(|i| found["overlap_volume"][i].as_f64().unwrap());
    assert!(lo <= 1.0 && 1.0 <= hi && hi - lo < 1e-12, "{found}");
    let depth = found["depth_at_least"].as_f64().unwrap();
    assert!(depth > 0.99 && depth <= 1.0, "{found}");
    assert!(found["corner_of"] == json!("A") || found["corner_of"] == json!("B"), "{found}");
    let out: Vec<f64> =
        found["separating_translation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let length = out.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((1.0..1.001).contains(&length), "{found}");
    let [lo, hi] = [0, 1].map(|i| found["separating_distance"][i].as_f64().unwrap());
    assert!(lo <= 1.0 && 1.0 <= hi && hi - lo < 1e-12, "{found}");
    // Apart: no volume, no corner inside, no translation.
    let found = frame(&[&a, &c, &"--query", &"penetration"]);
    let none = json!({"frame": 0, "overlap_volume": [0.0, 0.0], "interference_depth": [0.0, 0.0], "depth_at_least": null, "corner_of": null,
        "vertex": null, "separating_translation": [0.0, 0.0, 0.0], "separating_distance": [0.0, 0.0]});
    assert_eq!(found, none);

    let found = frame(&[&a, &b, &"--query", &"farthest", &"--rel", &"0.01"]);
    let rows = found["distances"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!(row["result"], "found", "{row}");
        let (lo, hi) = (row["distance"][0].as_f64().unwrap(), row["distance"][1].as_f64().unwrap());
        assert!(lo <= hi && hi - lo <= 0.01 * hi && row["point_b"].as_array().unwrap().len() == 3, "{row}");
    }
    let apart = frame(&[&a, &c, &"--query", &"farthest", &"--rel", &"0.01"]);
    assert_eq!(apart["distances"][0]["side"], "inside");
    let table = stdout(0, &[&"pair", &a, &b, &"--query", &"penetration"]);
    assert!(table.contains("A and B overlap.") && table.contains("overlap"), "{table}");
    let csv = stdout(0, &[&"pair", &a, &c, &"--query", &"penetration", &"--format", &"csv"]);
    let mut lines = csv.lines();
    let headings = "frame,overlap_volume_lo,overlap_volume_hi,interference_depth_lo,interference_depth_hi,depth_at_least,corner_of,vertex,\
                    separating_translation_x,separating_translation_y,separating_translation_z,separating_distance_lo,\
                    separating_distance_hi,volume_tests,triangle_tests,microseconds";
    assert_eq!(lines.next(), Some(headings));
    assert!(lines.next().unwrap().starts_with("0,0.0,0.0,0.0,0.0,,,,0.0,0.0,0.0,0.0,0.0,"), "{csv}");
}

#[test]
fn pairs_within_a_margin() {
    let folder = Folder::new();
    let [a, _, c] = boxes(&folder);
    let pairs = |margin: &str| {
        frame(&[&a, &c, &"--query", &"pairs-within", &"--margin", &margin])["pairs"]
            .as_array()
            .unwrap()
            .clone()
    };
    // Faces 2 apart: the two triangles of each.
    let near = pairs("2");
    assert!(!near.is_empty() && near.iter().all(|pair| pair.as_array().unwrap().len() == 2), "{near:?}");
    assert_eq!(pairs("1.999"), Vec::<Value>::new());
    let said = error(&[&"pair", &a, &c, &"--query", &"pairs-within"]);
    assert!(
        said.contains("--query pairs-within: takes a distance to compare with, --margin LENGTH"),
        "{said}"
    );
    let many: &[&dyn AsRef<std::ffi::OsStr>] =
        &[&"pair", &a, &c, &"--query", &"pairs-within", &"--margin", &"9"];
    let said = error(&[many, &[&"--max-pairs", &"3"]].concat());
    assert!(said.contains("more than 3 triangle pairs are found"), "{said}");
}

#[test]
fn certainty_with_chord_tolerances() {
    let folder = Folder::new();
    let [a, b, c] = boxes(&folder);
    let found = |other: &PathBuf, more: &[&dyn AsRef<std::ffi::OsStr>]| {
        frame(&[&[&a as &dyn AsRef<_>, other, &"--query", &"certainty"], more].concat())["certainty"].clone()
    };
    // 2 apart: clear up to tolerances of 2 together.
    assert_eq!(found(&c, &[]), json!("clear"));
    assert_eq!(found(&c, &[&"--chord-a", &"0.9", &"--chord-b", &"1"]), json!("clear"));
    assert_eq!(found(&c, &[&"--chord-a", &"1", &"--chord-b", &"1"]), json!("possible"));
    assert_eq!(found(&c, &[&"--margin", &"2"]), json!("definite"));
    assert_eq!(found(&b, &[]), json!("definite"));
    assert_eq!(found(&b, &[&"--chord-a", &"9"]), json!("possible"));
    let table = stdout(0, &[&"pair", &a, &b, &"--query", &"certainty"]);
    assert!(table.contains("A and B certainly clash."), "{table}");
}

#[test]
fn points_of_the_command_line_and_of_files() {
    let folder = Folder::new();
    let [a, ..] = boxes(&folder);
    let found = frame(&[
        &a, &"--query", &"locate", &"--point", &"1,1,1", &"--point", &"-1 0 0", &"--point", &"0,2,2",
    ]);
    let at = |point: u32, location: &str| json!({"point": point, "location": location});
    assert_eq!(found["points"], json!([at(0, "inside"), at(1, "outside"), at(2, "on_surface")]));
    // A's pose, and frames: 12 numbers are A's.
    let moved = "1 0 0 9  0 1 0 0  0 0 1 0";
    let found = frame(&[&a, &"--query", &"locate", &"--point", &"1,1,1", &"--pose-a", &moved]);
    assert_eq!(found["points"], json!([at(0, "outside")]));
    let poses = folder.file("poses.txt", format!("1 0 0 0 0 1 0 0 0 0 1 0\n{moved}\n"));
    let both = json(
        0,
        &[&"pair", &a, &"--query", &"locate", &"--point", &"1,1,1", &"--poses", &poses, &"--format", &"json"],
    );
    assert_eq!(both["frames"][0]["points"], json!([at(0, "inside")]));
    assert_eq!(both["frames"][1]["points"], json!([at(0, "outside")]));

    let points = folder.file("points.txt", "# x y z\n2 2 6\n\n5,2,2\n");
    let found = frame(&[&a, &"--query", &"closest-points", &"--points", &points]);
    let places: Vec<&Value> =
        found["points"].as_array().unwrap().iter().map(|point| &point["nearest"]).collect();
    assert_eq!(places, [&json!([2.0, 2.0, 4.0]), &json!([4.0, 2.0, 2.0])]);
    let [lo, hi] = [0, 1].map(|i| found["points"][1]["distance"][i].as_f64().unwrap());
    assert!(lo <= 1.0 && 1.0 <= hi && hi - lo < 1e-9, "{found}");
    // Points further away than the margin are not measured.
    let found = frame(&[&a, &"--query", &"closest-points", &"--points", &points, &"--margin", &"1"]);
    let none = json!({"point": 0, "distance": null, "triangle": null, "nearest": null});
    assert_eq!(found["points"][0], none);
    let csv = stdout(
        0,
        &[
            &"pair",
            &a,
            &"--query",
            &"closest-points",
            &"--points",
            &points,
            &"--margin",
            &"1",
            &"--format",
            &"csv",
        ],
    );
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("frame,point,distance_lo,distance_hi,triangle,nearest_x,nearest_y,nearest_z")
    );
    assert_eq!(lines.next(), Some("0,0,,,,,,"));
    let cells: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert!(cells[..2] == ["0", "1"] && cells[5..] == ["4.0", "2.0", "2.0"], "{csv}");
    let table = stdout(0, &[&"pair", &a, &"--query", &"locate", &"--points", &points]);
    assert!(table.contains("outside") && table.contains("2 points."), "{table}");

    for (content, expected) in [
        ("1 2\n", "line 1: 2 numbers; a point has 3: x, y, z"),
        ("1 2 3\n4 5 x\n", "line 2: 'x' is not a number"),
        ("1 2 3\n1 2 inf\n", "line 2: a coordinate of a point is not finite"),
        ("# none\n", "it is empty"),
    ] {
        let points = folder.file("wrong.txt", content);
        let said = error(&[&"pair", &a, &"--query", &"locate", &"--points", &points]);
        assert!(said.contains(&format!("wrong.txt: {expected}")), "{said}");
    }
    let said = error(&[&"pair", &a, &"--query", &"locate", &"--point", &"1,2"]);
    assert!(said.contains("--point: '1,2' is 2 numbers, not 3"), "{said}");
}

#[test]
fn rays_meet_what_is_there() {
    let folder = Folder::new();
    let [a, ..] = boxes(&folder);
    let ray: &[&dyn AsRef<std::ffi::OsStr>] = &[&"--ray", &"1,2,-1", &"0,0,1"];
    let found = frame(&[&[&a as &dyn AsRef<_>, &"--query", &"ray-all"], ray].concat());
    let hits = found["hits"].as_array().unwrap();
    let crossings: Vec<&Value> = hits.iter().map(|hit| &hit["crossing"]).collect();
    assert_eq!(crossings, [&json!(-1), &json!(1)]);
    let enter = hits[1]["enter"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect::<Vec<_>>();
    assert!(enter[0] <= 5.0 && 5.0 <= enter[1] && enter[1] - enter[0] < 1e-11, "{found}");
    let missing = json!({"ray": 1, "triangle": null, "enter": null, "leave": null, "crossing": null});
    let rays = folder.file("rays.txt", "1 2 -1 0 0 1\n9 9 9 1 0 0\n");
    let found = frame(&[&a, &"--query", &"ray-first", &"--rays", &rays]);
    assert_eq!((&found["hits"][0]["crossing"], &found["hits"][1]), (&json!(-1), &missing));
    let found = frame(&[&a, &"--query", &"ray-meets", &"--rays", &rays]);
    assert_eq!(found["rays"], json!([{"ray": 0, "meets": true}, {"ray": 1, "meets": false}]));
    let said = error(&[&"pair", &a, &"--query", &"ray-all", &"--ray", &"1,2,-1", &"0,0,0"]);
    assert!(said.contains("--ray: ") && said.contains("direction is 0"), "{said}");
    run(2, &[&"pair", &a, &"--query", &"ray-all", &"--ray", &"1,2,-1"]);
}

#[test]
fn triangles_in_a_region() {
    let folder = Folder::new();
    let [a, ..] = boxes(&folder);
    let found = |more: &[&dyn AsRef<std::ffi::OsStr>]| {
        frame(&[&[&a as &dyn AsRef<_>, &"--query", &"triangles-in"], more].concat())["triangles"].clone()
    };
    // z <= 0 holds the two triangles of the bottom, and touches others.
    let below: &[&dyn AsRef<std::ffi::OsStr>] = &[&"--plane", &"0,0,1,0"];
    assert_eq!(found(&[below, &[&"--wholly"]].concat()), json!([0, 1]));
    assert!(found(below).as_array().unwrap().len() > 2);
    let thin = found(&[&"--box", &"-1,-1,-1", &"5,5,0.5", &"--wholly"]);
    assert_eq!(thin, json!([0, 1]));
    assert_eq!(found(&[&"--box", &"1,1,1", &"3,3,3"]), json!([]));
    let said = error(&[&"pair", &a, &"--query", &"triangles-in", &"--box", &"1,1,1", &"0,2,2"]);
    assert!(said.contains("--box: its lowest corner is above its highest along an axis"), "{said}");
}

#[test]
fn a_mesh_and_itself() {
    let folder = Folder::new();
    let crossing = format!("{}{}", TRIANGLE, "v 0.2 0.2 -1\nv 0.2 0.2 1\nv 0.4 0.2 1\nf 4 5 6\n");
    let mesh = folder.file("crossing.obj", crossing);
    assert_eq!(frame(&[&mesh, &"--query", &"self-pairs"])["pairs"], json!([[0, 1]]));
    let [a, ..] = boxes(&folder);
    assert_eq!(frame(&[&a, &"--query", &"self-pairs"])["pairs"], json!([]));
    assert!(stdout(0, &[&"pair", &a, &"--query", &"self-pairs"]).contains("No triangle pair."));
}

#[test]
fn meshes_and_options_must_fit_the_query() {
    let folder = Folder::new();
    let [a, b, _] = boxes(&folder);
    for (args, expected) in [
        (
            vec![&a as &dyn AsRef<std::ffi::OsStr>, &b, &"--query", &"locate", &"--point", &"0,0,0"],
            "--query locate: is about one mesh, and there are two",
        ),
        (
            vec![&a, &"--query", &"penetration"],
            "--query penetration: is about two meshes, A and B, and there is one",
        ),
        (vec![&a], "--query boolean: is about two meshes"),
        (vec![&a, &"--query", &"locate"], "--query locate: takes points, --point X,Y,Z or --points FILE"),
        (
            vec![&a, &"--query", &"ray-all", &"--point", &"0,0,0"],
            "--point: is about --query closest-points and --query locate",
        ),
        (vec![&a, &b, &"--chord-a", &"1"], "--chord-a: is about --query certainty"),
        (vec![&a, &"--query", &"self-pairs", &"--pose-b", &"1"], "--pose-b: there is no B"),
        (
            vec![&a, &"--query", &"self-pairs", &"--fill-rule", &"even-odd"],
            "--fill-rule: is about --query relation",
        ),
    ] {
        let said = error(&[&[&"pair" as &dyn AsRef<_>], args.as_slice()].concat());
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
