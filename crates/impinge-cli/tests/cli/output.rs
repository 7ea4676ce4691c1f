//! Where results go, and in which format.
use crate::common::{FIVE, Folder, TRIANGLE, error, json, run, stdout};
use std::{ffi::OsStr, fs};

#[test]
fn the_format_follows_the_name_of_the_file() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    for (name, format) in [("c.csv", "csv"), ("c.json", "json"), ("c.txt", "table"), ("c", "table")] {
        let out = folder.path(name);
        let summary = stdout(1, &[&"check", &five, &"-o", &out]);
        assert!(summary.contains("2 meet\n"), "{summary}");
        assert!(summary.ends_with(&format!("\n\nWritten to {}.\n", out.display())), "{summary}");
        let printed = stdout(1, &[&"check", &five, &"--format", &format]);
        assert_eq!(fs::read_to_string(&out).unwrap(), printed, "{name}");
    }
    // A named format goes before the ending of the file's name.
    let out = folder.path("c.txt");
    run(1, &[&"check", &five, &"-o", &out, &"--format", &"csv"]);
    assert!(fs::read_to_string(&out).unwrap().starts_with("a,b,name_a"));
    let (csv, json) = (folder.path("p.csv"), folder.path("i.json"));
    assert!(stdout(0, &[&"pair", &five, &five, &"-o", &csv]).starts_with("A and B meet. Written to "));
    assert!(fs::read_to_string(&csv).unwrap().starts_with("frame,"));
    assert!(stdout(0, &[&"info", &five, &"-o", &json]).starts_with("Parts           5\nTriangles       6\n"));
    assert!(fs::read_to_string(&json).unwrap().starts_with("{\"impinge\""));
}

#[test]
fn a_name_that_stands_for_something_else_is_refused_before_the_work() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    for (command, name, known) in [
        (
            "check",
            "c.ods",
            ".txt, .json, .html, .csv, .md, .xml, .dot, .bcf, .navisworks.xml, .glb, .xlsx; --format",
        ),
        ("check", "c.stl", ".txt, .json, .html"),
        ("info", "c.csv", "only as .txt, .json;"),
    ] {
        let out = folder.path(name);
        let said = error(&[&command, &five, &"-o", &out]);
        assert!(said.contains(name) && said.contains(known), "{said}");
        assert!(!out.exists());
    }
}

#[test]
fn no_command_replaces_what_it_reads() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", FIVE), folder.file("b.obj", TRIANGLE));
    let poses = folder.file("poses.json", "1 0 0 0 0 1 0 0 0 0 1 0\n");
    let roundabout = folder.path("./b.obj");
    let commands: [&[&dyn AsRef<OsStr>]; 6] = [
        &[&"check", &a, &b, &"-o", &b],
        &[&"check", &a, &b, &"-o", &roundabout, &"--format", &"json"],
        &[&"check", &"--between", &a, &b, &"-o", &a, &"--format", &"csv"],
        &[&"pair", &a, &b, &"-o", &b, &"--format", &"json"],
        &[&"pair", &a, &b, &"--poses", &poses, &"-o", &poses],
        &[&"info", &b, &"-o", &b, &"--format", &"json"],
    ];
    for command in commands {
        let said = error(command);
        assert!(said.contains("would replace the input"), "{said}");
    }
    assert_eq!(fs::read_to_string(&a).unwrap(), FIVE);
    assert_eq!(fs::read_to_string(&b).unwrap(), TRIANGLE);
}

/// Opening a list of clashes must not run a text of a file's author.
#[test]
fn names_in_csv_are_no_formulas() {
    let folder = Folder::new();
    let names =
        ["=1+1", "+x", "-2", "@SUM(A1)", "=cmd|' /C calc'!A0, \"x\"", "a;=1", " =1", "＝1", "a=b-c", "1e5"];
    let safe = [
        "'=1+1",
        "'+x",
        "'-2",
        "'@SUM(A1)",
        "'=cmd|' /C calc'!A0, \"x\"",
        "a;'=1",
        "=1",
        "'＝1",
        "a=b-c",
        "1e5",
    ];
    let faces: String = names.iter().map(|name| format!("o {name}\nf 1 2 3\n")).collect();
    let file = folder.file("names.obj", format!("v -1 -1 -1\nv -2 -1 -1\nv -1 -2 -1\n{faces}"));
    let plan = folder.path("plan");
    run(0, &[&"plan", &file, &"-o", &plan, &"--tasks", &"1"]);
    run(0, &[&"work", &plan, &"--all"]);
    let check = stdout(1, &[&"check", &file, &"--format", &"csv"]);
    assert_eq!(stdout(1, &[&"merge", &plan, &"--format", &"csv"]), check);
    let mut rows = csv::Reader::from_reader(check.as_bytes());
    let mut seen = 0;
    for row in rows.records() {
        let row = row.unwrap();
        for (part, name) in [(&row[0], &row[2]), (&row[1], &row[3])] {
            let part: usize = part.parse().unwrap();
            assert_eq!(name, if part == 6 { "'=1" } else { safe[part] });
            seen += 1;
        }
        // Numbers are as they were.
        assert!(row.iter().skip(4).take(4).all(|cell| cell.parse::<f64>().is_ok()), "{row:?}");
        assert!(row[5].starts_with('-'), "{row:?}");
    }
    assert_eq!(seen, names.len() * (names.len() - 1));
    let json = json(1, &[&"check", &file, &"--format", &"json"]);
    assert_eq!(json["parts"][0]["name"], "=1+1");
}
