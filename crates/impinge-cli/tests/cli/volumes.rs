//! `impinge volumes`, and choosing among what it lists.
use crate::common::{Folder, TRIANGLE, error, json, stdout};
use impinge_volumes::Kind;
use std::ffi::OsStr;

#[test]
fn every_volume_is_listed_with_its_costs() {
    let listed = json(0, &[&"volumes", &"--format", &"json"]);
    let rows = listed["volumes"].as_array().unwrap();
    assert_eq!(rows.len(), Kind::ALL.len());
    let table = stdout(0, &[&"volumes"]);
    for (row, kind) in rows.iter().zip(Kind::ALL) {
        assert_eq!(row["name"], kind.name());
        assert!(row["volume_bytes"].as_f64() < row["node_bytes"].as_f64(), "{row}");
        assert!(row["test_operations"].as_u64() > Some(0) && !row["overlaps"].as_array().unwrap().is_empty());
        assert!(table.contains(kind.name()), "{table}");
    }
}

#[test]
fn every_volume_gives_the_same_answer() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    for kind in Kind::ALL {
        for overlap in kind.overlaps() {
            let answer = json(
                0,
                &[
                    &"pair",
                    &file,
                    &file,
                    &"--query",
                    &"pairs",
                    &"--format",
                    &"json",
                    &"--volume",
                    &kind.name(),
                    &"--overlap",
                    &overlap.name(),
                ],
            );
            assert_eq!(answer["frames"][0]["pairs"], serde_json::json!([[0, 0]]), "{kind:?} {overlap:?}");
        }
    }
}

#[test]
fn the_layout_of_pairs_is_the_boxtree() {
    let folder = Folder::new();
    let file = folder.file("a.obj", crate::common::FIVE);
    let tree = |volume: &str| {
        let options: [&dyn AsRef<OsStr>; 8] =
            [&"info", &file, &"--leaf-size", &"1", &"--format", &"json", &"--volume", &volume];
        json(0, &options)["parts"][0]["tree"]["bytes"].clone()
    };
    assert_eq!(tree("boxtree-pair"), tree("boxtree"));
    assert_ne!(tree("boxtree-pair"), tree("aabb"));
}

#[test]
fn a_test_or_fit_that_a_volume_does_not_have_is_refused() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    let text = error(&[&"pair", &file, &file, &"--volume", &"sphere", &"--overlap", &"sat"]);
    assert!(text.contains("--overlap sat: the volume 'sphere' has only: auto"), "{text}");
    let text = error(&[&"info", &file, &"--volume", &"aabb", &"--fit", &"ritter"]);
    assert!(text.contains("--fit ritter: the volume 'aabb' has only: auto"), "{text}");
    let text = error(&[&"pair", &file, &file, &"--volume", &"boxtree", &"--arity", &"4"]);
    assert!(text.contains("arity 4: nodes of boxtree have 2 children"), "{text}");
}

/// The volume that is listed as `auto` is the one that `auto` builds; the page about the choice is named.
#[test]
fn auto_is_what_is_listed() {
    let listed = json(0, &[&"volumes", &"--format", &"json"]);
    let auto = listed["auto"].as_str().unwrap().to_owned();
    let text = stdout(0, &[&"volumes"]);
    assert!(text.contains(&format!("--volume {auto}")) && text.contains("docs/which-volume.md"), "{text}");
    let folder = Folder::new();
    let file = folder.file("a.obj", crate::common::FIVE);
    let tree = |volume: &str| {
        json(0, &[&"info", &file, &"--format", &"json", &"--volume", &volume])["parts"][0]["tree"]["bytes"]
            .clone()
    };
    assert_eq!(tree("auto"), tree(&auto));
    assert_ne!(tree("auto"), tree("aabb"));
}
