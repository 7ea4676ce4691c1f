//! Files in different units.
use crate::common::{Folder, json, run};
use serde_json::json;
use std::path::PathBuf;

/// A house and its pipes, of some metres, as a box and a smaller one in it. `scale` units are a metre.
fn boxes(folder: &Folder, name: &str, scale: f64, side: f64) -> PathBuf {
    let mut text = format!("o {name}\n");
    for i in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|k| scale * (4.0 + side * f64::from(i >> k & 1)));
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c, d] in [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]] {
        text += &format!("f {a} {b} {c} {d}\n");
    }
    folder.file(&format!("{name}.obj"), text)
}

#[test]
fn parts_in_metres_against_parts_in_millimetres_are_warned_of() {
    let folder = Folder::new();
    let house = boxes(&folder, "house", 1.0, 10.0);
    for (factor, name) in [(1000.0, "1000"), (100.0, "100"), (25.4, "25.4"), (304.8, "304.8")] {
        let pipes = boxes(&folder, "pipes", factor, 8.5);
        let output = run(0, &[&"check", &house, &pipes, &"--format", &"json"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("another unit") && said.contains(&format!("{name} times larger")), "{said}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let warnings = report["warnings"].as_array().unwrap();
        assert_eq!(warnings.len(), 1, "{report}");
        assert_eq!((&warnings[0]["file"], &warnings[0]["place"]), (&json!(house.to_str()), &json!(null)));
    }
}

#[test]
fn small_parts_in_large_ones_are_not() {
    let folder = Folder::new();
    let house = boxes(&folder, "house", 1.0, 10.0);
    for side in [8.5, 0.39, 0.1, 0.033, 0.01] {
        let part = boxes(&folder, "part", 1.0, side);
        let report = json(1, &[&"check", &house, &part, &"--format", &"json"]);
        assert_eq!(report["warnings"], json!([]), "{side}");
    }
}
