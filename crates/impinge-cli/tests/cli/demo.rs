//! The built-in gearbox: checked as it is, and as a file.
use crate::common::{Folder, error, json, stdout};
use impinge_demo::gearbox;
use std::collections::BTreeSet;

/// Names of the parts of each clash, in alphabetical order.
fn clashes(report: &serde_json::Value) -> BTreeSet<[String; 2]> {
    let name = |index: &serde_json::Value| {
        report["parts"][index.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned()
    };
    let pair = |clash: &serde_json::Value| {
        let mut names = [name(&clash["a"]), name(&clash["b"])];
        names.sort();
        names
    };
    report["clashes"].as_array().unwrap().iter().map(pair).collect()
}

#[test]
fn the_faults_of_the_gearbox_are_found_and_nothing_else() {
    let scene = gearbox();
    let report = json(1, &[&"check", &"--format", &"json"]);
    let expected: BTreeSet<[String; 2]> = scene
        .expected
        .iter()
        .map(|fault| {
            let mut names = [fault.a.to_owned(), fault.b.to_owned()];
            names.sort();
            names
        })
        .collect();
    assert_eq!(clashes(&report), expected);
    let kinds: BTreeSet<&str> =
        report["clashes"].as_array().unwrap().iter().map(|c| c["relation"].as_str().unwrap()).collect();
    let all = ["contains", "surface_inside", "meet", "overlap", "pierce", "duplicate", "touch"];
    assert_eq!(kinds, BTreeSet::from(all));
    assert_eq!(report["coverage"]["findings"], 9);
    assert_eq!(report["coverage"]["parts"], scene.parts.len());
    for (part, known) in report["parts"].as_array().unwrap().iter().zip(&scene.parts) {
        assert_eq!(part["file"], "demo:gearbox");
        assert_eq!(part["name"], known.name.as_str());
        assert_eq!(part["triangles"], known.mesh.len());
    }
    assert_eq!(json(1, &[&"check", &"--demo", &"gearbox", &"--format", &"json"]), report);
}

#[test]
fn the_table_explains_every_fault_and_shows_the_way() {
    let table = stdout(1, &[&"check"]);
    assert!(
        table.starts_with("This is the built-in example. To check files of your own: impinge check FILE")
    );
    for fault in gearbox().expected {
        assert!(table.contains(fault.why), "{}", fault.why);
    }
    assert!(!table.contains("please report it"), "{table}");
}

/// glTF is in metres: the file's numbers are the built-in ones by a thousand, rounded, and the same parts
/// clash.
#[test]
fn the_file_is_in_metres_and_has_the_same_clashes() {
    let folder = Folder::new();
    let glb = folder.path("gearbox.glb");
    let said = stdout(0, &[&"demo", &"gearbox", &"-o", &glb]);
    assert!(said.starts_with("130 parts in metres") || said.contains(" parts in metres"), "{said}");
    let (built_in, file) =
        (json(1, &[&"check", &"--format", &"json"]), json(1, &[&"check", &glb, &"--format", &"json"]));
    assert_eq!(clashes(&file), clashes(&built_in));
    for count in ["parts", "part_pairs", "boxes_overlap", "clashing"] {
        assert_eq!(file["coverage"][count], built_in["coverage"][count], "{count}");
    }
    let points = |report: &serde_json::Value| {
        let clashes = report["clashes"].as_array().unwrap().iter();
        let point = |clash: &serde_json::Value| [0, 1, 2].map(|k| clash["point"][k].as_f64().unwrap());
        clashes.map(point).collect::<Vec<_>>()
    };
    for (metres, millimetres) in points(&file).as_flattened().iter().zip(points(&built_in).as_flattened()) {
        assert!(metres.abs() < 0.2, "{metres}");
        assert!(millimetres.abs() < 200.0, "{millimetres}");
    }
    // Nothing is scaled by the file's nodes: meshes are shared and at rigid poses.
    let info = json(0, &[&"info", &glb, &"--format", &"json"]);
    assert!(info["parts"].as_array().unwrap().iter().all(|part| part["baked"] == false));
    let housing = &info["parts"][0];
    assert_eq!(housing["name"], "housing_lower");
    let length = housing["box"][1][0].as_f64().unwrap() - housing["box"][0][0].as_f64().unwrap();
    assert!((0.25..0.252).contains(&length), "{length}");
}

#[test]
fn the_file_must_be_named_and_be_a_glb() {
    let folder = Folder::new();
    assert!(error(&[&"demo", &"gearbox"]).contains("-o gearbox.glb"));
    let obj = folder.path("gearbox.obj");
    assert!(error(&[&"demo", &"gearbox", &"-o", &obj]).contains("must end in .glb"));
    assert!(!obj.exists());
}
