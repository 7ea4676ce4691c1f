//! Volumes of parts with shells that run into each other: narrow where that is elsewhere, else intervals in
//! all formats.
use crate::common::{Folder, json, stdout};
use std::{ffi::OsStr, fmt::Write as _};

type Box3 = [[f64; 3]; 2];

/// An OBJ file of parts that are made of boxes.
fn obj(parts: &[(&str, &[Box3])]) -> String {
    const FACES: [[usize; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let (mut text, mut count) = (String::new(), 1);
    for (name, boxes) in parts {
        writeln!(text, "o {name}").unwrap();
        for ends in *boxes {
            for i in 0..8 {
                let [x, y, z] = [0, 1, 2].map(|k| ends[i >> k & 1][k]);
                writeln!(text, "v {x} {y} {z}").unwrap();
            }
            for [a, b, c, d] in FACES.map(|face| face.map(|i| i + count)) {
                writeln!(text, "f {a} {b} {c} {d}").unwrap();
            }
            count += 8;
        }
    }
    text
}

const PLATE: Box3 = [[0.0; 3], [100.0, 100.0, 10.0]];
const RIB: Box3 = [[0.0, 45.0, 0.0], [100.0, 55.0, 60.0]];

/// `shared/faults/volume_bound_shown`: 1200 was shown for 200.
#[test]
fn shells_that_meet_elsewhere_do_not_show() {
    let boss = [[60.0, 60.0, 8.0], [70.0, 70.0, 20.0]];
    let bracket = [[99.99, 0.0, 2.0], [110.0, 20.0, 8.0]];
    let folder = Folder::new();
    let parts: [(&str, &[Box3]); 3] =
        [("plate_with_rib", &[PLATE, RIB]), ("bracket", &[bracket]), ("boss", &[boss])];
    let file = folder.file("parts.obj", obj(&parts));
    let table = stdout(1, &[&"check", &file]);
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.contains("overlap  "))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0][..4], ["plate_with_rib", "boss", "overlap", "200.0"], "{table}");
    assert_eq!(rows[1][..4], ["plate_with_rib", "bracket", "overlap", "1.200"], "{table}");
}

/// A block has 4000 in common with the plate. A beam has 5000 in common with the part, and 2500 of these are
/// in two shells: as a third shell meets both elsewhere, only 2500 to 5000 are proved.
#[test]
fn an_uncertain_volume_is_an_interval_everywhere() {
    let third = [[90.0, 40.0, 0.0], [100.0, 60.0, 20.0]];
    let beam = [[-10.0, 40.0, -5.0], [50.0, 60.0, 5.0]];
    let block = [[60.0, 62.0, 0.0], [80.0, 82.0, 12.0]];
    let parts: [(&str, &[Box3]); 3] =
        [("part", &[PLATE, RIB, third]), ("beam", &[beam]), ("block", &[block])];
    let folder = Folder::new();
    let file = folder.file("parts.obj", obj(&parts));
    // The proved volume ranks.
    for last in ["--format=table", "--format=markdown", "--ungrouped"] {
        let text = stdout(1, &[&"check", &file, &last]);
        let [block, beam] = [" 4000 ", " 2500–5000 "].map(|volume| text.find(volume));
        assert!(block.is_some() && block < beam, "{text}");
    }
    let html = stdout(1, &[&"check", &file, &"--format", &"html"]);
    assert!(html.contains("\"2500–5000\"") && html.contains("\"4000\""));
    let junit = stdout(1, &[&"check", &file, &"--format", &"junit"]);
    assert!(junit.contains("volume 2500–5000,"), "{junit}");
    let near = |value: &serde_json::Value, wanted: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - wanted).abs() < 1e-6, "{value} {wanted}");
    };
    let report = json(1, &[&"check", &file, &"--format", &"json"]);
    let groups = report["groups"]["groups"].as_array().unwrap();
    for (group, [least, most]) in groups.iter().zip([[4000.0, 4000.0], [2500.0, 5000.0]]) {
        near(&group["volume_at_least"], least);
        near(&group["volume"], most);
    }
    let baseline = folder.path("b.jsonl");
    stdout(1, &[&"check", &file, &"--baseline", &baseline, &"--update-baseline"]);
    let table = stdout(0, &[&"baseline", &"list", &baseline]);
    assert!(table.contains(" 2500–5000 vol") && table.contains(" 4000 vol"), "{table}");
    let listed = json(0, &[&"baseline", &"list", &baseline, &"--format", &"json"]);
    let mut listed: Vec<&serde_json::Value> = listed["findings"].as_array().unwrap().iter().collect();
    listed.sort_by(|a, b| a["volume"].as_f64().unwrap().total_cmp(&b["volume"].as_f64().unwrap()));
    for (finding, [least, most]) in listed.iter().zip([[4000.0, 4000.0], [2500.0, 5000.0]]) {
        near(&finding["volume_at_least"], least);
        near(&finding["volume"], most);
    }
    // A rule ignores by volume only clashes that are no larger for certain.
    for (volume, left) in [("4.5", 1), ("8", 0)] {
        let rule = "version = 1\n[[ignore]]\nreason = \"small\"\nmax_volume = ";
        let rules = folder.file("rules.toml", format!("{rule}\"{volume}cm3\"\n"));
        let arguments: [&dyn AsRef<OsStr>; 6] =
            [&"check", &file, &"--unit=mm", &"--rules", &rules, &"--format=json"];
        assert_eq!(json(left, &arguments)["findings"].as_array().unwrap().len(), left as usize);
    }
}
