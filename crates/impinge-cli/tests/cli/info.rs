//! `impinge info`: what is counted, and on real files.
use crate::common::{FIVE, Folder, data, error, json, run, stdout};
use serde_json::{Value, json};

#[test]
fn the_json_is_as_documented() {
    let folder = Folder::new();
    // A tetrahedron that lacks a face, has another one twice, and a segment besides.
    let flawed = folder.file(
        "flawed.obj",
        "o flawed\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.5 0 0\n\
         f 1 3 2\nf 1 2 4\nf 2 3 4\nf 4 2 1\nf 1 5 2\n",
    );
    let report = json(0, &[&"info", &flawed, &"--format", &"json"]);
    assert_eq!(report["impinge"], env!("CARGO_PKG_VERSION"));
    let part = &report["parts"][0];
    let mut keys: Vec<&str> = part.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "baked",
            "box",
            "degenerate_triangles",
            "duplicate_triangles",
            "file",
            "flaws_at",
            "index",
            "mesh",
            "name",
            "non_manifold_edges",
            "open_edges",
            "solid",
            "tree",
            "triangles",
            "vertices",
        ]
    );
    for (key, value) in [
        ("index", json!(0)),
        ("name", json!("flawed")),
        ("file", json!(flawed.to_str())),
        ("triangles", json!(5)),
        ("vertices", json!(5)),
        ("degenerate_triangles", json!(1)),
        ("duplicate_triangles", json!(1)),
        // 1-3 and 3-4 have one triangle each, as have 1-5 and 5-2 of the segment.
        ("open_edges", json!(4)),
        // 1-2 has a face, the two equal ones and the segment; 2-4 has a face and the two equal ones.
        ("non_manifold_edges", json!(2)),
        ("box", json!([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])),
        ("baked", json!(false)),
        ("mesh", json!(0)),
        (
            "flaws_at",
            json!({
                "degenerate_triangles": [0.5, 0.0, 0.0],
                "duplicate_triangles": [1.0 / 3.0, 0.0, 1.0 / 3.0],
                "open_edges": [0.0, 0.5, 0.0],
                "non_manifold_edges": [0.5, 0.0, 0.0],
            }),
        ),
        (
            "solid",
            json!({
                "status": "open", "shells": 1, "edges": 6, "holes": 1, "at": [0.5, 0.0, 0.0], "width": 1.0,
                "volume": null,
            }),
        ),
    ] {
        assert_eq!(part[key], value, "{key}");
    }
    let tree = part["tree"].as_object().unwrap();
    for key in ["nodes", "leaves", "depth", "bytes"] {
        assert!(tree[key].is_u64(), "{key}");
    }
    assert!(tree["milliseconds"].is_f64());
    assert_eq!(tree.len(), 5);
}

#[test]
fn the_table_has_a_row_for_each_part_and_a_sum() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    for (trees, rows) in [(false, 4), (true, 5)] {
        let args: &[&dyn AsRef<std::ffi::OsStr>] = &[&"info", &five, &"--trees"];
        let table = stdout(0, &args[..if trees { 3 } else { 2 }]);
        for name in ["frame", "blade", "between", "away", "tip"] {
            assert_eq!(table.lines().filter(|line| line.starts_with(name)).count(), rows, "{name}:\n{table}");
        }
        assert_eq!(table.contains("\nTrees           5   "), trees, "{table}");
    }
    let table = stdout(0, &[&"info", &five]);
    let summary = "\nParts           5\nTriangles       6\nBad triangles   0\nBad edges      18   18 open\n";
    assert!(table.ends_with(summary), "{table}");
}

#[test]
fn parts_without_a_flaw_are_counted() {
    let folder = Folder::new();
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    // All edges of the last part have two triangles, but one triangle faces the other way.
    let turned = faces.replace("f 1 3 2", "f 1 2 3");
    let text = format!("{corners}o whole\n{faces}o open\nf 1 2 3\no again\n{faces}o turned\n{turned}");
    let file = folder.file("parts.obj", text);
    let table = stdout(0, &[&"info", &file]);
    let has = |table: &str, name: &str| table.lines().any(|line| line.starts_with(name));
    assert_eq!(
        ["whole", "again", "open", "turned"].map(|name| has(&table, name)),
        [false, false, true, true]
    );
    assert!(table.contains("\n2 parts without flaw: --all lists all.\n"), "{table}");
    let all = stdout(0, &[&"info", &file, &"--all"]);
    assert_eq!(["whole", "again", "open", "turned"].map(|name| has(&all, name)), [true; 4]);
    assert!(!all.contains("without flaw"), "{all}");
    let report = json(0, &[&"info", &file, &"--format", &"json"]);
    assert_eq!(report["parts"].as_array().unwrap().len(), 4);
    assert!(report["parts"][0]["tree"]["nodes"].is_u64());
}

#[test]
fn a_box_shows_what_the_file_has() {
    let folder = Folder::new();
    // Half a turn about z, by glTF's matrix: an exact 0 stays one, and 0.5 is not 0.5000000000000001.
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"mesh":0,"rotation":[0,0,1,0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
        "min":[0,0,0],"max":[1,0.5,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,BYTES"}]}"#;
    let bytes = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAD8AAAAA";
    let file = folder.file("turned.gltf", gltf.replace("BYTES", bytes));
    let report = json(0, &[&"info", &file, &"--format", &"json"]);
    assert_eq!(report["parts"][0]["box"], json!([[-1.0, -0.5, 0.0], [0.0, 0.0, 0.0]]));
    let table = stdout(0, &[&"info", &file]);
    assert!(!table.contains("e-308"), "{table}");
}

#[test]
fn errors_have_status_2() {
    let folder = Folder::new();
    assert!(error(&[&"info", &folder.path("absent.ply")]).contains("absent.ply"));
    run(2, &[&"info"]);
    run(2, &[&"info", &"x.obj", &"--format", &"csv"]);
}

/// Degenerate and duplicate triangles, open and non-manifold edges, summed over the parts: counted by another
/// program (the table of ../shared/data/README.md; where that merged the parts, a script with Python's
/// fractions).
#[test]
fn real_files_have_the_flaws_that_other_programs_found() {
    for (name, parts, expected) in [
        ("m_stanford_dragon_res2.ply", 1, [0, 1489, 0, 2534]),
        ("m_horse.ply", 1, [0; 4]),
        ("m_stanford_bunny_35947.ply", 1, [0, 0, 223, 0]),
        ("m_beetle_vw.ply", 1, [0, 0, 1136, 0]),
        ("m_teapot.ply", 1, [0, 0, 160, 0]),
        ("asm_ReciprocatingSaw.obj", 113, [0, 2, 4928, 3]),
        ("asm_voron_SKR_E3_V3_Din_Mount.obj", 8, [8, 2, 17, 10]),
        ("asm_as1_oc_214.obj", 18, [0; 4]),
        ("robot_ur5_robot.obj", 7, [22, 0, 0, 22]),
        ("brep_Axis_of_bearing.obj", 17, [24, 0, 0, 24]),
        ("brep_Motor_c.obj", 17, [4, 0, 4, 4]),
        ("ifc_schependomlaan_root.obj", 765, [0, 1469, 4, 6136]),
    ] {
        let Some(path) = data(name) else { continue };
        let report = json(0, &[&"info", &path, &"--format", &"json"]);
        let found = report["parts"].as_array().unwrap();
        assert_eq!(found.len(), parts, "{name}");
        let sum = |key: &str| found.iter().map(|part: &Value| part[key].as_u64().unwrap()).sum::<u64>();
        let flaws =
            ["degenerate_triangles", "duplicate_triangles", "open_edges", "non_manifold_edges"].map(sum);
        assert_eq!(flaws, expected, "{name}");
    }
}
