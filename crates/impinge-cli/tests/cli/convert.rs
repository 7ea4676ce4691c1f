//! `impinge convert`, and reports of what bundles say of their files.
use crate::common::{FIVE, Folder, TRIANGLE, error, json, run, stdout, words};
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Part, Unit, sources::Source};
use impinge_io::{Omission, Warning, save_bundle};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{ffi::OsStr, fs, path::Path, path::PathBuf};

fn cube(x: f64) -> Part {
    let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
    Part::new(format!("cube {x}"), Path::new("house.ifc"), Mesh::cuboid([1.0; 3]).unwrap(), pose)
}

/// Cubes of a file that lacks three parts that failed and fifteen that were left out.
fn partial(folder: &Folder, places: &[f64]) -> PathBuf {
    let mut assembly = Assembly::new();
    let source = Source::new(Path::new("house.ifc")).with_unit(Unit::Metre);
    assembly.sources.push(source.with_offset([2683000.25, -0.5, 0.0]));
    places.iter().for_each(|&x| assembly.push(cube(x)));
    let file = || Path::new("house.ifc");
    let slab = Omission::failed(file(), "its boundary meets itself").with_name("Slab |3").with_guid("1hOS");
    assembly.omissions.push(slab.with_class("IfcSlab"));
    assembly.omissions.push(Omission::failed(file(), "no geometry").with_class("IfcDoor").with_count(2));
    assembly.omissions.push(Omission::left_out(file(), "no parts").with_class("IfcSpace").with_count(12));
    assembly
        .omissions
        .push(Omission::left_out(file(), "holes").with_class("IfcOpeningElement").with_count(2));
    assembly.omissions.push(Omission::left_out(file(), "annotation"));
    assembly.warnings.push(Warning::new(file(), Some("#7".to_owned()), "odd"));
    let path = folder.path("house.impinge");
    save_bundle(&assembly, &path).unwrap();
    path
}

/// An error about one part alone names the others that are missing.
#[test]
fn one_part_without_the_others_is_no_pair() {
    let folder = Folder::new();
    let output = run(2, &[&"check", &partial(&folder, &[0.0])]);
    let said = String::from_utf8(output.stderr).unwrap();
    let others = "error: 1 part, 3 other parts were not examined (house.ifc: Slab |3: its boundary meets \
                  itself), 15 other parts were left out: there is no pair to check; --self looks";
    assert!(said.contains(others), "{said}");
}

#[test]
fn a_bundle_is_checked_as_its_files_are() {
    let folder = Folder::new();
    let (five, triangle) = (folder.file("five.obj", FIVE), folder.file("triangle.obj", TRIANGLE));
    let bundle = folder.path("both.impinge");
    let said = stdout(0, &[&"convert", &five, &triangle, &"-o", &bundle]);
    let size = fs::metadata(&bundle).unwrap().len();
    let shown = if size < 1000 { size.to_string() } else { format!("{},{:03}", size / 1000, size % 1000) };
    assert!(said.lines().any(|line| line == format!("Bytes   {shown}")), "{said}");
    for format in ["json", "csv", "table", "markdown", "junit"] {
        let check = |files: &[&dyn AsRef<OsStr>]| {
            let args = [&[&"check" as &dyn AsRef<OsStr>], files, &[&"--format", &format]].concat();
            stdout(1, &args)
        };
        assert_eq!(check(&[&bundle]), check(&[&five, &triangle]), "{format}");
    }
    assert_eq!(json(0, &[&"info", &bundle, &"--format", &"json"])["parts"].as_array().unwrap().len(), 6);
    // Each source has the digest of its file.
    let again = impinge_io::read(&bundle).unwrap();
    for (source, (path, content)) in again.sources.iter().zip([(&five, FIVE), (&triangle, TRIANGLE)]) {
        assert_eq!((&*source.file, source.bytes), (&**path, Some(content.len() as u64)));
        assert_eq!(source.digest, Some(Sha256::digest(content).into()));
    }
    // A bundle of a bundle is the same bytes.
    let second = folder.path("second.impinge");
    run(0, &[&"convert", &bundle, &"-o", &second]);
    assert!(fs::read(&second).unwrap() == fs::read(&bundle).unwrap());
    // With a bundle and a file, --between counts all parts of the bundle as the first file.
    let report = json(
        0,
        &[&"check", &"--between", &bundle, &triangle, &"--report", &"duplicate", &"--format", &"json"],
    );
    assert_eq!((&report["coverage"]["parts"], &report["coverage"]["part_pairs"]), (&json!(7), &json!(6)));
}

#[test]
fn what_cannot_be_written_leaves_everything_as_it_was() {
    let folder = Folder::new();
    let (five, broken) = (folder.file("five.obj", FIVE), folder.file("broken.obj", "v 1 2 x\n"));
    let bundle = folder.path("a.impinge");
    run(0, &[&"convert", &five, &"-o", &bundle]);
    let old = fs::read(&bundle).unwrap();
    assert!(error(&[&"convert", &bundle, &five, &"-o", &bundle]).contains("it would replace the input"));
    assert!(error(&[&"convert", &five, &broken, &"-o", &bundle]).contains("broken.obj: line 1: "));
    assert!(
        error(&[&"convert", &five, &"-o", &folder.path("a.glb")]).contains("the name must end in .impinge")
    );
    assert!(error(&[&"convert", &five, &"-o", &folder.path("no/a.impinge")]).contains("there is no folder"));
    assert!(fs::read(&bundle).unwrap() == old && folder.count() == 3);
    // Other formats say what reads them.
    for (name, extra) in [
        ("a.ifc", "ifc"),
        ("a.ifczip", "ifc"),
        ("a.STP", "step"),
        ("a.iges", "step"),
        ("a.brep", "step"),
        ("a.brp", "step"),
        ("a.h5m", "h5m"),
    ] {
        let file = folder.file(name, "x");
        let said = error(&[&"check", &file]);
        assert!(
            said.contains(&format!("pip install \".[{extra}]\" in a checkout of impinge; the command")),
            "{said}"
        );
    }
}

#[test]
fn parts_that_failed_are_not_examined() {
    let folder = Folder::new();
    let clear = partial(&folder, &[0.0, 3.0]);
    let table = stdout(0, &[&"check", &clear]);
    for text in [
        "Findings 0 no clash among the parts that were examined Pairs 1 none with overlapping boxes",
        "Not examined 3 parts, in whole or in part: no mesh could be made of what the files have",
        "Left out 15 on purpose: 12 IfcSpace, 2 IfcOpeningElement, 1 part without a type",
        "Not examined, as no mesh could be made of them:",
        "Map coordinates of house.ifc are these plus (2683000.25, -0.5, 0)",
    ] {
        let table = words(&table);
        assert!(table.contains(text), "{text}\n{table}");
    }
    let row = table.lines().find(|line| line.starts_with("Slab |3")).unwrap();
    let cells: Vec<_> = row.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect();
    assert_eq!(cells, ["Slab |3", "IfcSlab", "1hOS", "its boundary meets itself"]);
    let report = json(0, &[&"check", &clear, &"--format", &"json"]);
    let coverage = &report["coverage"];
    assert_eq!((&coverage["parts_not_examined"], &coverage["parts_left_out"]), (&json!(3), &json!(15)));
    assert_eq!(
        report["omissions"][0],
        json!({ "file": "house.ifc", "kind": "failed", "name": "Slab |3", "guid": "1hOS", "type": "IfcSlab",
            "count": 1, "reason": "its boundary meets itself" })
    );
    assert_eq!(report["omissions"].as_array().unwrap().len(), 5);
    assert_eq!(report["offsets"], json!([{ "file": "house.ifc", "offset": [2683000.25, -0.5, 0.0] }]));
    let page = stdout(0, &[&"check", &clear, &"--format", &"markdown"]);
    assert!(
        page.starts_with("## impinge: No findings among the parts examined, 3 parts not examined\n"),
        "{page}"
    );
    assert!(page.contains("\n### Parts not examined\n"), "{page}");
    assert!(
        page.contains("\n| `Slab \\|3` | `IfcSlab` | `1hOS` | `its boundary meets itself` |\n"),
        "{page}"
    );
    let junit = stdout(0, &[&"check", &clear, &"--format", &"junit"]);
    assert!(junit.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{junit}");
    assert!(
        junit.contains(
            "<error message=\"3 parts were not examined, in whole or in part: no mesh could be made of"
        ),
        "{junit}"
    );
    // A run with findings has status 1, and with --strict 2 in either case.
    let strict = error_of(&[&"check", &clear, &"--strict"]);
    assert!(
        strict.contains("--strict: 3 parts were not examined, as no mesh could be made of them"),
        "{strict}"
    );
    let clash = partial(&folder, &[0.0, 0.5]);
    assert!(words(&stdout(1, &[&"check", &clash])).contains("Not examined 3 parts, in whole or in part"));
    error_of(&[&"check", &clash, &"--strict"]);
    // Whoever merges the results of a plan sees the same.
    let plan = folder.path("plan");
    run(0, &[&"plan", &clash, &"-o", &plan]);
    run(0, &[&"work", &plan, &"--all"]);
    for format in ["table", "json", "markdown"] {
        let merged = stdout(1, &[&"merge", &plan, &"--format", &format]);
        assert_eq!(merged, stdout(1, &[&"check", &clash, &"--format", &format]), "{format}");
    }
    error_of(&[&"merge", &plan, &"--strict"]);
    let info = json(0, &[&"info", &clash, &"--format", &"json"]);
    assert_eq!(info["omissions"], report["omissions"]);
    let missing = "3   parts, in whole or in part: no mesh could be made of what the files have";
    assert!(stdout(0, &[&"info", &clash]).contains(missing));
    // The bundle of a bundle has them, too.
    let said = stdout(0, &[&"convert", &clash, &"-o", &folder.path("b.impinge")]);
    assert!(said.contains(missing), "{said}");
    assert!(
        said.contains("\nLeft out     15   parts, on purpose\nWarnings      1   on stderr\n\nWritten"),
        "{said}"
    );
}

/// The last line on stderr of a run that must fail.
fn error_of(args: &[&dyn AsRef<OsStr>]) -> String {
    let said = String::from_utf8(run(2, args).stderr).unwrap();
    said.lines().last().unwrap().to_owned()
}

#[test]
fn offsets_that_differ_are_warned_of() {
    let folder = Folder::new();
    let mut assembly = Assembly::new();
    for (name, x, offset) in [("a.ifc", 0.0, [1e6, 0.0, 0.0]), ("b.ifc", 3.0, [2e6, 0.0, 0.0])] {
        let source = Source::new(Path::new(name)).with_unit(Unit::Metre).with_offset(offset);
        assembly.sources.push(source);
        let part = cube(x);
        assembly.push(Part::new(name, Path::new(name), part.mesh, part.pose));
    }
    let path = folder.path("two.impinge");
    save_bundle(&assembly, &path).unwrap();
    let output = run(0, &[&"check", &path]);
    let said = String::from_utf8(output.stderr).unwrap();
    let text = "b.ifc: its coordinates have the offset (2000000, 0, 0) from the map's, those of a.ifc (1000000, 0, 0);";
    assert!(said.contains(text), "{said}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("Map coordinates of b.ifc are these plus (2000000, 0, 0)\n"), "{table}");
}

/// A cube in a binary STL, between two numbers along x.
fn stl(folder: &Folder, name: &str, [from, to]: [f32; 2]) -> PathBuf {
    let mesh = Mesh::cuboid([1.0; 3]).unwrap();
    let mut bytes = vec![0; 80];
    bytes.extend((mesh.len() as u32).to_le_bytes());
    for triangle in mesh.triangles() {
        bytes.extend([0; 12]);
        for &i in triangle {
            let [x, y, z] = mesh.points()[i as usize];
            let x = if x > 0.25 { to } else { from };
            [x, y as f32, z as f32].into_iter().for_each(|c| bytes.extend(c.to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    folder.file(name, bytes)
}

/// Cubes that nominally touch at 0.7 overlap by the last bit of an f32: a finding of the numbers, and only a
/// possible one of what was drawn.
#[test]
fn contact_of_f32_files_is_possible_with_their_rounding() {
    let folder = Folder::new();
    let left = stl(&folder, "left.stl", [0.0, 0.7_f32.next_up()]);
    let right = stl(&folder, "right.stl", [0.7, 1.5]);
    let bundle = folder.path("both.impinge");
    run(0, &[&"convert", &left, &right, &"-o", &bundle]);
    let certainty = |args: &[&dyn AsRef<OsStr>]| {
        let all: [&dyn AsRef<OsStr>; 4] = [&"--count", &"possible", &"--format", &"json"];
        let status = i32::from(args.iter().any(|word| word.as_ref() == "--rounding"));
        let report = json(status, &[&[&"check" as &dyn AsRef<OsStr>], args, &all].concat());
        let clash = &report["clashes"][0];
        (clash["relation"].clone(), clash.get("certainty").cloned(), report["parts"][0].get("chord").cloned())
    };
    let exact = certainty(&[&left, &right]);
    assert_eq!((&exact.0, &exact.1, &exact.2), (&json!("overlap"), &None, &None));
    // It touches within rounding, which is no finding.
    let table = stdout(0, &[&"check", &left, &right]);
    assert!(table.contains("\nTouching within rounding: "), "{table}");
    assert!(words(&table).contains(" Touching 1 within the rounding that the files state"), "{table}");
    let report = json(0, &[&"check", &left, &right, &"--format", &"json"]);
    assert_eq!(report["clashes"][0]["within_rounding"], true);
    let rounded = certainty(&[&left, &right, &"--rounding"]);
    assert_eq!((&rounded.0, &rounded.1), (&json!("overlap"), &Some(json!("possible"))));
    let bound = rounded.2.as_ref().and_then(Value::as_f64).unwrap();
    assert!(bound >= 3_f64.sqrt() * 2_f64.powi(-24) * 0.7 && bound < 8e-8, "{bound}");
    assert_eq!(certainty(&[&bundle, &"--rounding"]), rounded);
    // Beside a chord tolerance, and of what overlaps by much.
    let chord = certainty(&[&left, &right, &"--rounding", &"--chord", &"0.001"]).2;
    assert!(chord.and_then(|length| length.as_f64()).unwrap() > 0.001 + 7e-8);
    let deep = stl(&folder, "deep.stl", [0.2, 1.5]);
    assert_eq!(certainty(&[&left, &deep, &"--rounding"]).1, Some(json!("definite")));
    // A file that states its errors makes a contact by chance no finding.
    let last = stdout(0, &[&"check", &left, &right, &"--rounding"]);
    assert!(
        last.contains("1 is possible and does not count, --count possible lists it; coordinates rounded"),
        "{last}"
    );
    assert!(last.contains("coordinates rounded by at most ") && !last.contains("chord"), "{last}");
    run(2, &[&"check", &left, &right, &"--rounding", &"--surfaces"]);
}
