//! Files in different units.
use crate::common::{Folder, command, error, json, run, stdout};
use impinge::{Mesh, Pose};
use impinge_check::Part;
use serde_json::{Value, json};
use std::{ffi::OsStr, path::PathBuf};

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

/// A tetrahedron with a corner at the origin and three sides of that length along the axes, moved along x.
fn corner(x: f64, side: f64) -> ([[f64; 3]; 4], [[u32; 3]; 4]) {
    let points = [[x, 0.0, 0.0], [x + side, 0.0, 0.0], [x, side, 0.0], [x, 0.0, side]];
    (points, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// Two tetrahedra of a side each, a gap apart along x, as OBJ: in no unit.
fn obj(folder: &Folder, name: &str, side: f64, gap: f64) -> PathBuf {
    let mut text = String::new();
    for (i, x) in [0.0, side + gap].into_iter().enumerate() {
        let (points, triangles) = corner(x, side);
        text += &format!("o part{i}\n");
        points.iter().for_each(|[x, y, z]| text += &format!("v {x} {y} {z}\n"));
        let first = 4 * i as u32 + 1;
        triangles.iter().for_each(|t| {
            let [a, b, c] = t.map(|k| k + first);
            text += &format!("f {a} {b} {c}\n");
        });
    }
    folder.file(name, text)
}

/// The same as a GLB, in metres.
fn glb(folder: &Folder, name: &str, side: f64, gap: f64) -> PathBuf {
    let path = folder.path(name);
    let part = |(name, x)| {
        let (points, triangles) = corner(0.0, side);
        let mesh = Mesh::new(points.to_vec(), triangles.to_vec()).unwrap();
        Part::new(name, path.clone(), mesh, Pose::from_translation([x, 0.0, 0.0]).unwrap())
    };
    let parts: Vec<Part> = [("part0", 0.0), ("part1", side + gap)].map(part).into();
    impinge_io::write_glb(&parts, &mut std::fs::File::create(&path).unwrap()).unwrap();
    path
}

/// The first of them as 3MF.
fn threemf(folder: &Folder, name: &str, unit: &str, side: f64) -> PathBuf {
    let (points, triangles) = corner(0.0, side);
    let vertices: String =
        points.iter().map(|[x, y, z]| format!("<vertex x=\"{x}\" y=\"{y}\" z=\"{z}\"/>")).collect();
    let triangles: String =
        triangles.iter().map(|[a, b, c]| format!("<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>")).collect();
    let model = format!(
        "<?xml version=\"1.0\"?><model unit=\"{unit}\" xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\">\
         <resources><object id=\"1\" type=\"model\"><mesh><vertices>{vertices}</vertices><triangles>{triangles}\
         </triangles></mesh></object></resources><build><item objectid=\"1\"/></build></model>"
    );
    let relations = "<?xml version=\"1.0\"?><Relationships \
         xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Target=\"/3D/m.model\" \
         Id=\"r\" Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>";
    folder.file(name, zip(&[("_rels/.rels", relations), ("3D/m.model", &model)]))
}

/// A ZIP file whose entries are stored as they are.
fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in entries {
        let crc = !data.bytes().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
        });
        let offset = out.len() as u32;
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        [crc, data.len() as u32, data.len() as u32].iter().for_each(|n| common.extend(n.to_le_bytes()));
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.bytes().chain(data.bytes()));
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.bytes());
    }
    let (start, length, count) = (out.len() as u32, directory.len() as u32, entries.len() as u16);
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    [count, count].iter().for_each(|n| out.extend(n.to_le_bytes()));
    [length, start].iter().for_each(|n| out.extend(n.to_le_bytes()));
    out.extend([0, 0]);
    out
}

/// The number of near pairs, and stderr.
fn near(args: &[&dyn AsRef<OsStr>]) -> (usize, String) {
    let output = command(args.iter().map(|arg| arg.as_ref())).args(["--format", "json"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_ne!(output.status.code(), Some(2), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    (report["near"].as_array().unwrap().len(), said)
}

#[test]
fn the_head_of_a_table_and_json_have_size_and_unit() {
    let folder = Folder::new();
    let glb = glb(&folder, "a.glb", 0.125, 0.05);
    let table = stdout(0, &[&"check", &glb]);
    let head =
        format!("{}: 2 parts, 8 triangles\nSize 0.3 x 0.125 x 0.125 m, unit from the file\n", glb.display());
    assert!(table.starts_with(&head), "{table}");
    let report = json(0, &[&"check", &glb, &"--format", &"json"]);
    assert_eq!(report["unit"], "m");
    // Boxes of parts that have a pose are rounded outwards.
    let is_near = |(k, side): (usize, f64)| (report["size"][k].as_f64().unwrap() - side).abs() < 1e-6;
    assert!([0.3, 0.125, 0.125].into_iter().enumerate().all(is_near), "{}", report["size"]);

    let obj = obj(&folder, "a.obj", 12.0, 6.0);
    let table = stdout(0, &[&"check", &obj]);
    assert_eq!(table.lines().nth(1), Some("Size 30 x 12 x 12, unit unknown: --unit sets it"));
    let report = json(0, &[&"check", &obj, &"--format", &"json"]);
    assert_eq!((report.get("unit"), &report["size"]), (None, &json!([30.0, 12.0, 12.0])));
    let table = stdout(0, &[&"check", &obj, &"--unit", &"inches"]);
    assert_eq!(table.lines().nth(1), Some("Size 30 x 12 x 12 in, unit from --unit"));
    assert_eq!(json(0, &[&"check", &obj, &"--unit", &"in", &"--format", &"json"])["unit"], "in");

    // The box is that of the turned parts, not around their boxes: `info` has the exact one of each.
    let file = folder.path("gearbox.glb");
    run(0, &[&"demo", &"gearbox", &"-o", &file]);
    let size = json(1, &[&"check", &file, &"--format", &"json"])["size"].clone();
    let info = json(0, &[&"info", &file, &"--format", &"json"]);
    for k in 0..3 {
        let hulls = || info["parts"].as_array().unwrap().iter().map(|part| &part["box"]);
        let end = |i: usize| hulls().map(move |hull| hull[i][k].as_f64().unwrap());
        let side = end(1).fold(f64::MIN, f64::max) - end(0).fold(f64::MAX, f64::min);
        assert!((size[k].as_f64().unwrap() - side).abs() < 1e-12, "{size} {side}");
    }
    assert_eq!(json(1, &[&"check", &"--format", &"json"])["unit"], "mm");
}

#[test]
fn lengths_may_have_units() {
    let folder = Folder::new();
    // A gap of exactly 1/16 m.
    let glb = glb(&folder, "a.glb", 0.25, 0.0625);
    for (length, is_near) in [
        ("62.5mm", 1),
        ("62.49999999999999mm", 0),
        ("6.25 cm", 1),
        ("0.0625m", 1),
        ("0.0625", 1),
        ("62500um", 1),
        ("2.4606299212598426in", 1),
        ("2.460629921259842in", 0),
        ("0.0625 metres", 1),
    ] {
        assert_eq!(near(&[&"check", &glb, &"--clearance", &length]), (is_near, String::new()), "{length}");
    }
    let what_if = json(0, &[&"check", &glb, &"--what-if", &"62mm,6.3cm,0.2", &"--format", &"json"]);
    let counts: Vec<_> =
        what_if["what_if"].as_array().unwrap().iter().map(|w| (&w["clearance"], &w["near"])).collect();
    assert_eq!(counts, [(&json!(0.062), &json!(0)), (&json!(0.063), &json!(1)), (&json!(0.2), &json!(1))]);
    let chord =
        json(1, &[&"check", &glb, &"--chord", &"part*=40mm", &"--chord", &"1mm", &"--format", &"json"]);
    assert_eq!((&chord["parts"][1]["chord"], chord["near"].as_array().unwrap().len()), (&json!(0.04), 1));

    // --unit is of files that state none, and changes no coordinate.
    let obj = obj(&folder, "a.obj", 25.4, 5.08);
    for (length, is_near) in [("0.2in", 1), ("0.1999in", 0), ("5.08", 1), ("5.08mm", 1)] {
        assert_eq!(near(&[&"check", &obj, &"--unit", &"mm", &"--clearance", &length]).0, is_near, "{length}");
    }
    let within = |margin: &str| {
        let args: [&dyn AsRef<OsStr>; 8] =
            [&"pair", &obj, &obj, &"--query", &"within", &"--margin", &margin, &"--unit=mm"];
        stdout(0, &[&args[..], &[&"--format", &"json", &"--pose-b", &"1 0 0 100 0 1 0 0 0 0 1 0"]].concat())
    };
    // The first ends at 55.88, the second begins at 100.
    assert!(within("44.13mm").contains("\"within\":true") && within("1.737in").contains("\"within\":false"));
}

#[test]
fn a_length_with_a_unit_needs_a_known_unit() {
    let folder = Folder::new();
    let (glb, obj) = (glb(&folder, "a.glb", 0.25, 0.1), obj(&folder, "a.obj", 30.0, 10.0));
    let millimetres = threemf(&folder, "b.3mf", "millimeter", 30.0);
    let unknown = error(&[&"check", &obj, &"--clearance", &"5mm"]);
    assert!(
        unknown.contains("--clearance 5mm: the unit of ") && unknown.contains("a.obj is unknown"),
        "{unknown}"
    );
    assert!(
        error_of(&[&"check", &glb, &obj, &"--tolerance", &"5mm"]).contains("a.obj is unknown; set the unit")
    );
    let two = error_of(&[&"check", &glb, &millimetres, &"--chord", &"5mm"]);
    assert!(two.contains("a.glb is in m, and ") && two.contains("b.3mf in mm"), "{two}");
    for args in [
        &[&"check" as &dyn AsRef<OsStr>, &glb][..],
        &[&"pair", &glb, &obj],
        &[&"plan", &glb, &"-o", &folder.path("no")],
    ] {
        // A GLB that was written in millimetres.
        let args = [args, &[&"--unit", &"mm"]].concat();
        let output = crate::common::command(args.iter().map(|arg| arg.as_ref())).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let text = "a.glb: states the unit m, but its coordinates are taken to be in mm, as set";
        assert!(output.status.code() < Some(2) && said.matches(text).count() == 1, "{said}");
    }
    let stated = json(0, &[&"check", &glb, &"--surfaces", &"--unit", &"mm", &"--format", &"json"]);
    assert_eq!(stated["unit"], "mm");
    assert!(stated["warnings"][0]["text"].as_str().unwrap().starts_with("states the unit m, but"));
    assert_eq!(near(&[&"check", &glb, &obj, &"--unit", &"m", &"--clearance", &"5mm"]).0, 0);
    // Errors that do not depend on a unit are found before the files are opened.
    let none = folder.path("none.glb");
    for (option, length, why) in [
        ("--clearance", "5parsec", "not a unit of length"),
        ("--clearance", "-5mm", "not negative"),
        ("--what-if", "1mm,five", "not a number"),
        ("--chord", "pipe*=1 m m", "not a unit of length"),
        ("--unit", "Mm", "not a unit of length"),
    ] {
        let said = String::from_utf8(run(2, &[&"check", &none, &option, &length]).stderr).unwrap();
        assert!(said.contains(option) && said.contains(why), "{said}");
    }
    assert!(
        error(&[&"check", &none, &"--tolerance", &"5mm", &"--depth", &"none"])
            .contains("tolerance: it needs depths")
    );
}

/// The last line on stderr of a run that must fail; warnings may be before it.
fn error_of(args: &[&dyn AsRef<OsStr>]) -> String {
    let said = String::from_utf8(run(2, args).stderr).unwrap();
    said.lines().last().unwrap().to_owned()
}

#[test]
fn plans_and_caches_have_the_numbers() {
    let folder = Folder::new();
    let (glb, obj) = (glb(&folder, "a.glb", 0.25, 0.0625), obj(&folder, "a.obj", 30.0, 10.0));
    let (plan, cache) = (folder.path("plan"), folder.path("cache"));
    let question: [&dyn AsRef<OsStr>; 2] = [&"--clearance", &"62.5mm"];
    run(0, &[&[&"plan" as &dyn AsRef<OsStr>, &glb, &"-o", &plan], &question[..]].concat());
    run(0, &[&"work", &plan, &"--all"]);
    for format in ["table", "json"] {
        let check = stdout(
            1,
            &[&[&"check" as &dyn AsRef<OsStr>, &glb, &"--format", &format], &question[..]].concat(),
        );
        assert_eq!(stdout(1, &[&"merge", &plan, &"--format", &format]), check);
    }
    // A later file without a unit, or with another one, is refused, and leaves no plan.
    let millimetres = threemf(&folder, "a.3mf", "millimeter", 30.0);
    for second in [&obj, &millimetres] {
        let path = folder.path("no");
        let said =
            error_of(&[&[&"plan" as &dyn AsRef<OsStr>, &glb, second, &"-o", &path], &question[..]].concat());
        assert!(
            said.contains("--clearance 62.5mm: ") && said.contains("a.glb") | said.contains("a.obj"),
            "{said}"
        );
        assert!(!path.exists());
        run(0, &[&"plan", &glb, second, &"-o", &path, &"--clearance", &"0.0625", &"--unit", &"m"]);
        std::fs::remove_dir_all(path).unwrap();
    }
    // One question, in whatever unit.
    let check = |length: &str| near(&[&"check", &glb, &"--cache", &cache, &"--clearance", &length]).1;
    check("62.5mm");
    assert!(check("0.0625").contains("1 part pair from the cache, 0 to test"));
    assert!(check("6.25cm").contains("1 part pair from the cache, 0 to test"));
    assert!(check("6.26cm").contains("about another question"));
}

#[test]
fn files_in_different_units_or_with_different_axes_are_warned_of() {
    let folder = Folder::new();
    let glb = glb(&folder, "a.glb", 0.25, 0.0625);
    let warnings = |files: &[&dyn AsRef<OsStr>]| {
        let args = [&[&"check" as &dyn AsRef<OsStr>], files, &[&"--format", &"json"]].concat();
        let output = command(args.iter().map(|arg| arg.as_ref())).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let texts =
            report["warnings"].as_array().unwrap().iter().map(|w| w["text"].as_str().unwrap().to_owned());
        (texts.collect::<Vec<_>>(), report.get("unit").cloned(), String::from_utf8(output.stderr).unwrap())
    };
    // 1,000 times larger it would lie where the other one does, but both state their units: no guess is made.
    let millimetres = threemf(&folder, "b.3mf", "millimeter", 250.0);
    let refused = error_of(&[&"check", &glb, &millimetres]);
    assert!(
        refused.contains("a.glb is in m, and ")
            && refused.contains("b.3mf in mm, but coordinates are compared"),
        "{refused}"
    );
    let (texts, unit, said) = warnings(&[&glb, &millimetres, &"--unit", &"mm"]);
    let text = format!(
        "is in mm, not in m and has Z upwards, not Y as {}; coordinates are compared as they are",
        glb.display()
    );
    let stated = "states the unit m, but its coordinates are taken to be in mm, as set".to_owned();
    assert_eq!((texts, unit), (vec![text.clone(), stated], Some(json!("mm"))));
    assert!(said.contains(&text), "{said}");
    let table = String::from_utf8(run(1, &[&"check", &glb, &millimetres, &"--unit", &"mm"]).stdout).unwrap();
    assert!(table.contains("Size 250 x 250 x 250 mm, unit from --unit\n"), "{table}");
    let metres = threemf(&folder, "c.3mf", "meter", 0.25);
    let (texts, unit, _) = warnings(&[&glb, &metres]);
    // The reader has a warning of its own.
    assert!(texts.len() == 2 && texts[1].starts_with("has Z upwards, not Y as "), "{texts:?}");
    assert_eq!(unit, Some(json!("m")));
    // A file that states nothing differs from none.
    let obj = obj(&folder, "a.obj", 0.2, 0.01);
    assert_eq!(warnings(&[&glb, &obj]).0, [""; 0]);
}

#[test]
fn a_length_larger_than_the_model_is_warned_of() {
    let folder = Folder::new();
    let (glb, obj) = (glb(&folder, "a.glb", 0.125, 0.05), obj(&folder, "a.obj", 12.0, 6.0));
    let (found, said) = near(&[&"check", &glb, &"--clearance", &"5"]);
    let text = "--clearance 5 is larger than the whole model (0.3 m): write --clearance 5mm if millimetres are meant";
    assert_eq!((found, said.trim_end()), (1, &*format!("impinge: warning: {text}")));
    assert_eq!(near(&[&"check", &glb, &"--clearance", &"5mm"]), (0, String::new()));
    let (_, said) = near(&[&"check", &obj, &"--clearance", &"1", &"--what-if", &"1,31,32"]);
    assert_eq!(said.trim_end(), "impinge: warning: --what-if 31 is larger than the whole model (30)");
    // Before the work is refused, too.
    let said =
        String::from_utf8(run(2, &[&"check", &glb, &"--clearance", &"5", &"--max-pairs", &"0"]).stderr)
            .unwrap();
    assert!(said.contains(text) && said.contains("(max_pairs)"), "{said}");
    let plan = run(0, &[&"plan", &glb, &"-o", &folder.path("plan"), &"--clearance", &"5"]);
    assert!(String::from_utf8(plan.stderr).unwrap().contains(text));
    // The size is that of the head, though the boxes of turned parts are larger.
    let file = folder.path("gearbox.glb");
    run(0, &[&"demo", &"gearbox", &"-o", &file]);
    let output = run(1, &[&"check", &file, &"--what-if", &"2"]);
    let [table, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let size = table.lines().nth(1).unwrap().split(' ').nth(1).unwrap();
    assert!(said.contains(&format!("larger than the whole model ({size} m)")), "{said} {table}");
}
