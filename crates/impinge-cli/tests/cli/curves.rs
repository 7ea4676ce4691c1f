//! `impinge pair --query curves`: as JSON, as a table, as CSV, and drawn.
use crate::common::{Folder, error, json, run, stdout};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

/// The box between two corners, as OBJ.
fn cuboid(lo: [f64; 3], hi: [f64; 3]) -> String {
    let corner = |i: usize| (0..3).map(move |k| if i >> k & 1 == 1 { hi[k] } else { lo[k] });
    let line = |i| format!("v {}\n", corner(i).map(|x| x.to_string()).collect::<Vec<_>>().join(" "));
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    (0..8).map(line).collect::<String>() + faces
}

/// Boxes that cross, and one that abuts the first.
fn boxes(folder: &Folder) -> [PathBuf; 3] {
    [
        folder.file("a.obj", cuboid([0.0; 3], [4.0; 3])),
        folder.file("b.obj", cuboid([1.0; 3], [6.0; 3])),
        folder.file("c.obj", cuboid([4.0, 1.0, 1.0], [6.0, 3.0, 7.0])),
    ]
}

#[test]
fn lines_as_json() {
    let folder = Folder::new();
    let [a, b, _] = boxes(&folder);
    let report = json(0, &[&"pair", &a, &b, &"--query", &"curves", &"--format", &"json"]);
    let curves = &report["frames"][0]["curves"];
    assert_eq!((&curves["length"], &curves["area"]), (&json!([18.0, 18.0]), &json!([0.0, 0.0])));
    let [line] = curves["lines"].as_array().unwrap().as_slice() else { panic!("{curves}") };
    assert_eq!((&line["closed"], &line["kind"]), (&json!(true), &json!("crossing")));
    assert_eq!(line["box"], json!([[1.0, 1.0, 1.0], [4.0, 4.0, 4.0]]));
    let nodes = curves["nodes"].as_array().unwrap();
    assert_eq!(line["nodes"].as_array().unwrap().len(), nodes.len());
    assert_eq!(curves["features"].as_array().unwrap().len(), nodes.len());
    assert_eq!(curves["features"][0][1].as_object().unwrap().len(), 1, "{curves}");
    assert_eq!((&curves["points"], &curves["self_crossing"]), (&json!([]), &json!(false)));
}

#[test]
fn patches_as_json() {
    let folder = Folder::new();
    let [a, _, c] = boxes(&folder);
    let report = json(0, &[&"pair", &a, &c, &"--query", &"curves", &"--format", &"json"]);
    let curves = &report["frames"][0]["curves"];
    let [patch] = curves["patches"].as_array().unwrap().as_slice() else { panic!("{curves}") };
    assert_eq!((&patch["area"], &patch["normal"]), (&json!([6.0, 6.0]), &json!([1.0, 0.0, 0.0])));
    assert_eq!(patch["border"][0]["length"], json!([10.0, 10.0]));
    assert!(!patch["pairs"].as_array().unwrap().is_empty());
}

#[test]
fn tables_words_and_csv() {
    let folder = Folder::new();
    let [a, b, c] = boxes(&folder);
    let text = stdout(0, &[&"pair", &a, &b, &"--query", &"curves"]);
    assert!(text.ends_with("The surfaces meet in 1 line (1 closed) of length 18.\n"), "{text}");
    let text = stdout(0, &[&"pair", &a, &c, &"--query", &"curves", &"--stats"]);
    assert!(text.contains("The surfaces meet in 1 plane patch of area 6.\n"), "{text}");
    let text = stdout(0, &[&"pair", &a, &a, &"--query", &"curves"]);
    assert!(text.ends_with("The surfaces meet in 6 plane patches of area 96.\n"), "{text}");
    let far = "1 0 0 90 0 1 0 0 0 0 1 0";
    let text = stdout(0, &[&"pair", &a, &c, &"--query", &"curves", &"--pose-b", &far]);
    assert!(text.ends_with("The surfaces do not meet.\n"), "{text}");
    let text = stdout(0, &[&"pair", &a, &c, &"--query", &"curves", &"--format", &"csv"]);
    let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    assert!(
        text.starts_with("frame,lines,closed,length_lo,length_hi,patches,area_lo,area_hi,points,"),
        "{text}"
    );
    assert_eq!(row[..9], ["0", "0", "0", "0.0", "0.0", "1", "6.0", "6.0", "0"]);
}

#[test]
fn drawn_as_ply() {
    let folder = Folder::new();
    let [a, b, _] = boxes(&folder);
    let path = folder.path("out.ply");
    let text = stdout(0, &[&"pair", &a, &b, &"--query", &"curves", &"-o", &path]);
    assert!(text.starts_with("The surfaces meet in 1 line (1 closed) of length 18. Written to"), "{text}");
    let text = fs::read_to_string(&path).unwrap();
    let (head, body) = text.split_once("end_header\n").unwrap();
    let number = |word: &str| -> usize {
        head.lines().find_map(|line| line.strip_prefix(word)).unwrap().parse().unwrap()
    };
    let (vertices, edges) = (number("element vertex "), number("element edge "));
    assert_eq!((vertices, body.lines().count()), (edges, vertices + edges));
    let last: Vec<usize> = body.lines().last().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    assert!(last[0] < vertices && last[1] < vertices && last.len() == 5, "{text}");
}

#[test]
fn drawn_as_glb() {
    let folder = Folder::new();
    let [a, b, c] = boxes(&folder);
    for (other, name, mode) in [(b, "crossing lines", 3), (c, "borders of patches", 3)] {
        let path = folder.path("out.glb");
        run(0, &[&"pair", &a, &other, &"--query", &"curves", &"-o", &path]);
        let bytes = fs::read(&path).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(8)), (&b"glTF"[..], bytes.len()));
        let root: Value = serde_json::from_slice(&bytes[20..20 + word(12)]).unwrap();
        assert_eq!(root["meshes"][0]["name"], json!(name));
        let primitive = &root["meshes"][0]["primitives"][0];
        assert_eq!(primitive["mode"], json!(mode));
        let indices = &root["accessors"][primitive["indices"].as_u64().unwrap() as usize];
        let points = &root["accessors"][0];
        // The first is named again at the end.
        assert!(indices["count"].as_u64().unwrap() > 4);
        assert_eq!(points["type"], json!("VEC3"));
        assert_eq!(root["buffers"][0]["byteLength"].as_u64().unwrap() as usize, word(20 + word(12)));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = Folder::new();
    let [a, b, _] = boxes(&folder);
    let out = folder.path("out.ply");
    let text = error(&[&"pair", &a, &b, &"-o", &out]);
    assert!(text.contains("no result is written as .ply"), "{text}");
    let poses = folder.file("poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n".repeat(2));
    let text = error(&[&"pair", &a, &b, &"--query", &"curves", &"--poses", &poses, &"-o", &out]);
    assert!(text.contains("a drawing shows one frame, and there are 2"), "{text}");
    assert!(!out.exists());
    let text = stdout(0, &[&"pair", &a, &b, &"--query", &"curves", &"--poses", &poses]);
    assert!(text.ends_with("The surfaces meet in 2 of 2 frames.\n"), "{text}");
}
