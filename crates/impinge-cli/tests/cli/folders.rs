//! Folders as arguments, files that are not read, and `convert --unit`.
use crate::common::{Folder, TRIANGLE, error, json, run, stdout};
use std::fs;

#[test]
fn a_folder_is_one_argument_and_one_line() {
    let folder = Folder::new();
    let parts = folder.path("parts");
    fs::create_dir_all(parts.join("sub")).unwrap();
    for i in 0..20 {
        let name = if i % 2 == 0 { format!("p{i:02}.obj") } else { format!("sub/p{i:02}.obj") };
        fs::write(parts.join(name), TRIANGLE).unwrap();
    }
    fs::write(parts.join("notes.txt"), "").unwrap();
    let output = run(1, &[&"check", &parts, &"--ungrouped", &"--limit", &"20"]);
    let (table, said) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let first = table.lines().next().unwrap();
    assert!(first.starts_with("20 files in ") && first.ends_with("parts: 20 parts, 20 triangles"), "{table}");
    assert!(table.contains("triangle (p00.obj)") && table.contains("triangle (p01.obj)"), "{table}");
    assert!(said.contains("parts: not read: 1 file of another kind: notes.txt"), "{said}");
    // The same as its files, in the order of their paths.
    let all = |name: &str| json(1, &[&"check", &parts, &name, &"--format", &"json"])["parts"].clone();
    let names = all("--surfaces");
    let file = |i: usize| names[i]["file"].as_str().unwrap().replace('\\', "/");
    assert!(file(0).ends_with("parts/p00.obj") && file(10).ends_with("parts/sub/p01.obj"), "{names}");
    let info = stdout(0, &[&"info", &parts]);
    assert!(info.starts_with("20 files in "), "{info}");
    let said = error(&[&"check", &folder.path("absent")]);
    assert!(said.contains("absent"), "{said}");
    fs::create_dir(folder.path("empty")).unwrap();
    let said = error(&[&"check", &folder.path("empty")]);
    assert!(said.contains("empty: the folder has no file that is read (.stl, "), "{said}");
    let said = error(&[&"check", &parts, &"--max-parts", &"4"]);
    assert!(said.contains("more than 4 entries of a folder") && said.contains("--max-parts"), "{said}");
}

#[test]
fn a_folder_is_one_side_of_between() {
    let folder = Folder::new();
    for (name, count) in [("a", 2), ("b", 3)] {
        fs::create_dir(folder.path(name)).unwrap();
        (0..count).for_each(|i| drop(folder.file(&format!("{name}/{i}.obj"), TRIANGLE)));
    }
    let [a, b] = ["a", "b"].map(|name| folder.path(name));
    let report = json(1, &[&"check", &"--between", &a, &b, &"--format", &"json"]);
    assert_eq!(report["coverage"]["part_pairs"], 6, "{}", report["coverage"]);
    let bundle = folder.path("all.impinge");
    stdout(0, &[&"convert", &a, &b, &"-o", &bundle]);
    let again = json(1, &[&"check", &bundle, &"--format", &"json"]);
    assert_eq!(again["parts"].as_array().unwrap().len(), 5);
}

#[test]
fn a_robot_says_what_to_do() {
    let folder = Folder::new();
    let urdf = folder.file("arm.urdf", "<robot name=\"arm\"/>");
    let said = error(&[&"check", &urdf]);
    assert!(
        said.contains("arm.urdf: unsupported format (a robot description): `impinge proxy check` tests its"),
        "{said}"
    );
}

#[test]
fn convert_states_a_unit() {
    let folder = Folder::new();
    let obj = folder.file("a.obj", TRIANGLE);
    let (bundle, again) = (folder.path("a.impinge"), folder.path("b.impinge"));
    stdout(0, &[&"convert", &obj, &"--unit", &"mm", &"-o", &bundle]);
    let unit =
        |file: &std::path::Path| json(0, &[&"check", &file, &"--self", &"--format", &"json"])["unit"].clone();
    assert_eq!(unit(&bundle), "mm");
    let output = run(0, &[&"convert", &bundle, &"--unit", &"in", &"-o", &again]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a.obj: states the unit mm; --unit in replaces it"), "{said}");
    assert_eq!(unit(&again), "in");
    let said = run(2, &[&"convert", &obj, &"--unit", &"parsec", &"-o", &again]).stderr;
    assert!(String::from_utf8(said).unwrap().contains("parsec"));
}
