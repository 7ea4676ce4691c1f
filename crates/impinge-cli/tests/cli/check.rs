//! `impinge check`: results, formats, exit statuses.
use crate::common::{self, FIVE, Folder, TRIANGLE, error, json, run, sheets, stdout, words};
use impinge_testkit::cases::share;
use serde_json::json;
use std::fs;

#[test]
fn the_json_is_as_documented() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let file = five.to_str().unwrap();
    // A part of triangles that share no corner.
    let part = |index, name, holes, at: [f64; 3], width: f64| {
        let (triangles, edges) = (holes, 3 * holes);
        let solid = json!({
            "status": "open", "rule": null, "edges": edges, "holes": holes, "at": at, "width": width,
        });
        json!({"index": index, "name": name, "file": file, "triangles": triangles, "solid": solid})
    };
    let meet = |a, b, point: [f64; 3]| {
        json!({
            "a": a, "b": b, "counts": true, "relation": "meet", "touching": true, "rule": [null, null], "triangle_pairs": 1,
            "point": point,
        })
    };
    let group = |finding: u32| {
        json!({
            "test": 0, "kind": "meet", "findings": [finding], "placements": 1, "volume_at_least": null, "volume": null,
            "depth": null, "separating_distance": null, "distance": null,
        })
    };
    let expected = json!({
        "impinge": env!("CARGO_PKG_VERSION"),
        "format_version": 2,
        "parts": [
            part(0, "frame", 2, [0.5, 0.0, 0.0], 1.0), part(1, "blade", 1, [0.0; 3], 2.0),
            part(2, "between", 1, [5.0, 0.5, 0.0], 2.0), part(3, "away", 1, [100.5, 0.0, 0.0], 1.0),
            part(4, "tip", 1, [-0.5, 0.0, -1.5], 1.0),
        ],
        "size": [102.0, 2.0, 3.0],
        "clashes": [
            meet(0, 1, [0.0; 3]), meet(1, 4, [0.0, 0.0, -1.0]),
        ],
        "tests": [{
            "name": "check", "severity": "medium",
            "report": ["overlap", "inside", "contains", "duplicate", "pierce", "surface_inside", "meet"],
            "asked": 10, "boxes_apart": 7, "ignored": 0, "not_examined": 0, "tested": 3, "shallow": 0,
            "ignored_findings": 0, "findings": 2,
        }],
        "findings": [
            {"test": 0, "kind": "meet", "parts": [0, 1]}, {"test": 0, "kind": "meet", "parts": [1, 4]},
        ],
        "groups": {
            "groups": [group(0), group(1)],
            "connected": [{"parts": [0, 1, 4], "pairs": [[0, 1], [1, 4]]}],
            "explained": [{"part": 1, "findings": 2}],
        },
        "coverage": {
            "parts": 5, "part_pairs": 10, "boxes_overlap": 3, "tested": 3, "clashing": 2, "triangle_pairs": 2,
            "inside_without_contact": 0, "findings": 2, "not_closed": 5,
            "relations": {
                "overlap": 0, "inside": 0, "contains": 0, "duplicate": 0, "pierce": 0, "surface_inside": 0, "meet": 2,
                "touch": 0, "apart": 1,
            },
        },
        "warnings": [],
    });
    assert_eq!(json(1, &[&"check", &five, &"--format", &"json"]), expected);
}

const HEADINGS: &str = "a,b,name_a,name_b,triangle_pairs,x,y,z,relation,touching,overlap_volume_lo,\
    overlap_volume_hi,interference_depth_lo,interference_depth_hi,depth_at_least,separating_translation_x,separating_translation_y,separating_translation_z,shallow,\
    separating_distance,counts,test,severity,finding,group,status";

#[test]
fn the_csv_is_as_documented() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let csv = stdout(1, &[&"check", &five, &"--format", &"csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines,
        [
            HEADINGS,
            "0,1,frame,blade,1,0.0,0.0,0.0,meet,true,,,,,,,,,,,true,check,medium,,0,",
            "1,4,blade,tip,1,0.0,0.0,-1.0,meet,true,,,,,,,,,,,true,check,medium,,1,"
        ]
    );
    let alone = folder.file("alone.obj", TRIANGLE);
    let far = folder.file("far.obj", "o far\nv 9 0 0\nv 10 0 0\nv 9 1 0\nf 1 2 3\n");
    assert_eq!(stdout(0, &[&"check", &alone, &far, &"--format", &"csv"]), format!("{HEADINGS}\n"));
}

#[test]
fn the_table_says_what_was_looked_at() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let table = stdout(1, &[&"check", &five, &"--ungrouped"]);
    let row = table.lines().find(|line| line.starts_with("frame")).unwrap();
    assert_eq!(row.split_whitespace().take(4).collect::<Vec<_>>(), ["frame", "blade", "meet", "1"]);
    let end = "\n\nFindings     2   2 meet\n\
               Pairs       10   3 with overlapping boxes, all tested\n\
               Tested       3   2 meet, 1 apart; 2 triangle pairs meet\n\
               Not closed   5   frame, blade, between, ...: no solids; `impinge info` shows where\n";
    assert!(table.ends_with(end), "{table}");

    let alone = folder.file("alone.obj", TRIANGLE);
    assert!(stdout(0, &[&"check", &alone, &"--self"]).contains("nothing to test"));
    let far = folder.file("far.obj", "o far\nv 9 0 0\nv 10 0 0\nv 9 1 0\nf 1 2 3\n");
    let clear = stdout(0, &[&"check", &alone, &far]);
    assert!(words(&clear).contains("Findings 0 no clash Pairs 1 none with overlapping boxes"), "{clear}");
    // In the corner of the box that the triangle leaves free, a little above its plane.
    let above = folder.file("above.obj", "o above\nv 2 2 0\nv 3 2 1\nv 2 3 1\nf 1 2 3\n");
    let big = folder.file(
        "big.obj",
        "o big\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 5 5 -1\nv 6 5 -1\nv 5 6 -1\nf 1 2 3\nf 4 5 6\n",
    );
    let clear = stdout(0, &[&"check", &above, &big]);
    let said = "Findings 0 no clash Pairs 1 1 with overlapping boxes, all tested Tested 1 1 apart";
    assert!(words(&clear).contains(said), "{clear}");
}

#[test]
fn between_looks_only_across() {
    let folder = Folder::new();
    let (five, triangle) = (folder.file("z.obj", FIVE), folder.file("triangle.obj", TRIANGLE));
    let across = json(1, &[&"check", &"--between", &triangle, &five, &"--format", &"json", &"--surfaces"]);
    // The triangle is the first one of `frame`: it meets that and `blade`.
    let pairs: Vec<_> = across["clashes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clash| (clash["a"].clone(), clash["b"].clone()))
        .collect();
    assert_eq!(pairs, [(json!(0), json!(1)), (json!(0), json!(2))]);
    assert_eq!(
        across["coverage"],
        json!({
            "parts": 6, "part_pairs": 5, "boxes_overlap": 2, "tested": 2, "clashing": 2, "triangle_pairs": 2
        })
    );
    // The other way round the same pairs, seen from the other side.
    let back = json(1, &[&"check", &"--between", &five, &triangle, &"--format", &"json", &"--surfaces"]);
    assert_eq!(back["coverage"], across["coverage"]);
    // All pairs are those across, and those within.
    let all = json(1, &[&"check", &triangle, &five, &"--format", &"json"]);
    assert_eq!(all["coverage"]["part_pairs"], 15);
    assert_eq!(all["coverage"]["clashing"], 4);
    run(2, &[&"check", &"--between", &five]);
    // With a file they are globs of names.
    let said = error(&[&"check", &"--between", &five, &triangle, &five]);
    assert!(said.contains("only, between: no pair of parts has such names"), "{said}");
}

#[test]
fn one_large_pair_of_parts_for_many_threads() {
    let folder = Folder::new();
    let [x, y] = sheets(&folder);
    let ask = |threads: &str| stdout(1, &[&"check", &x, &y, &"--format", &"json", &"--threads", &threads]);
    let one = ask("1");
    assert!(one.contains("\"clashing\":1,\"triangle_pairs\":5352"), "{one}");
    assert!(ask("2") == one && ask("3") == one);
}

#[test]
fn the_result_does_not_depend_on_the_threads() {
    let folder = Folder::new();
    // A row of overlapping copies: every one meets its neighbours.
    let mut row = String::new();
    for i in 0..60 {
        let (x, first) = (f64::from(i) * 0.25, 3 * i + 1);
        row += &format!(
            "o p{i}\nv {x} 0 0\nv {} 0 0\nv {x} 1 0\nf {first} {} {}\n",
            x + 1.0,
            first + 1,
            first + 2
        );
    }
    let row = folder.file("row.obj", row);
    for format in ["json", "csv", "table"] {
        let one = stdout(1, &[&"check", &row, &"--format", &format, &"--threads", &"1"]);
        for threads in ["2", "4", "0"] {
            assert_eq!(stdout(1, &[&"check", &row, &"--format", &format, &"--threads", &threads]), one);
        }
    }
    let report = json(1, &[&"check", &row, &"--format", &"json"]);
    let coverage = &report["coverage"];
    assert_eq!((&coverage["part_pairs"], &coverage["clashing"]), (&json!(1770), &json!(59 + 58 + 57 + 56)));
    let pairs: Vec<_> =
        report["clashes"].as_array().unwrap().iter().map(|c| (c["a"].as_u64(), c["b"].as_u64())).collect();
    assert!(pairs.is_sorted() && pairs.iter().all(|(a, b)| a < b));
}

#[test]
fn an_output_file_is_whole_or_untouched() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let broken = folder.file("broken.obj", "v 0 0 0\nf 1 2 3\n");
    let out = folder.file("out.json", "old");
    let entries = folder.count();
    error(&[&"check", &broken, &"--format", &"json", &"--output", &out]);
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert_eq!(folder.count(), entries);

    let printed = stdout(1, &[&"check", &five, &"--format", &"json"]);
    let summary = stdout(1, &[&"check", &five, &"--format", &"json", &"--output", &out]);
    assert!(summary.contains("2 meet, 1 apart; 2 triangle pairs meet\nNot closed   5 "), "{summary}");
    assert_eq!(summary.lines().count(), 6, "{summary}");
    assert_eq!(fs::read_to_string(&out).unwrap(), printed);
    assert_eq!(folder.count(), entries);

    let nowhere = folder.path("absent/out.json");
    assert!(error(&[&"check", &five, &"--output", &nowhere]).contains("there is no folder"));
}

#[test]
fn errors_name_the_file_and_have_status_2() {
    let folder = Folder::new();
    let absent = folder.path("absent.obj");
    assert!(error(&[&"check", &absent]).contains("absent.obj"));
    let gone = folder.path("gone.obj");
    // The first file by name is the one that is named, however many are read at once.
    let broken = folder.file("broken.obj", "v 0 0 0\nf 1 2 3\n");
    let text = error(&[&"check", &gone, &broken]);
    assert!(text.contains("broken.obj") && !text.contains("gone.obj"), "{text}");
    run(2, &[&"check", &"--format", &"xml"]);
    run(2, &[&"check", &"--demo", &"gearbox", &broken]);
}

#[test]
fn parts_of_one_name_can_be_told_apart() {
    let folder = Folder::new();
    let twins = "o nut\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no nut\nv 0 0 -1\nv 0 0 1\nv 0 -1 0\nf 4 5 6\n";
    let twins = folder.file("twins.obj", twins);
    let table = stdout(1, &[&"check", &twins]);
    assert!(table.lines().any(|line| line.starts_with("nut (1 of 2)  nut (2 of 2)")), "{table}");
    let (a, b) = (folder.file("a.obj", TRIANGLE), folder.file("b.obj", TRIANGLE));
    let table = stdout(1, &[&"check", &a, &b]);
    assert!(table.contains("\ntriangle (a.obj)  triangle (b.obj)"), "{table}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let mut child = common::command(["check".as_ref(), five.as_os_str()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn readers_warnings_are_in_the_json_and_counted_in_the_table() {
    let folder = Folder::new();
    // A line is no triangle.
    let file = folder.file("a.obj", format!("{TRIANGLE}l 1 2\no far\nv 9 9 9\nv 8 9 9\nv 9 8 9\nf 4 5 6\n"));
    let report = json(0, &[&"check", &file, &"--format", &"json"]);
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{report}");
    assert_eq!(warnings[0]["file"], json!(file.to_str()));
    assert!(warnings[0].as_object().unwrap().contains_key("place"), "{report}");
    assert!(!warnings[0]["text"].as_str().unwrap().is_empty(), "{report}");
    let output = run(0, &[&"check", &file]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(words(&table).ends_with(" Warnings 1 on stderr"), "{table}");
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("impinge: warning: "));
    let commands = [
        (&["info"][..], " Warnings 1 on stderr"),
        (&["pair", file.to_str().unwrap()], " 1 warning on stderr."),
    ];
    for (command, end) in commands {
        let command: Vec<&dyn AsRef<std::ffi::OsStr>> =
            command.iter().map(|word| word as &dyn AsRef<_>).collect();
        let table = stdout(0, &[&command[..], &[&file]].concat());
        assert!(words(&table).ends_with(end), "{table}");
        let report = json(0, &[&command[..], &[&file, &"--format", &"json"]].concat());
        assert_eq!(report["warnings"].as_array().unwrap(), warnings);
    }
}

#[test]
fn the_table_shows_the_largest_clashes_and_says_how_many_more_there_are() {
    let folder = Folder::new();
    // 105 pairs; the pair of the two squares has the most triangle pairs.
    let mut text = std::fs::read_to_string(common::coincident(&folder, 13)).unwrap();
    text += "v 1 1 0\no square\nf 1 2 4 3\no other\nf 1 2 4 3\n";
    let file = folder.file("many.obj", text);
    let rows = |table: &str| {
        let from = table.lines().position(|line| line.starts_with('─')).unwrap();
        table
            .lines()
            .skip(from + 1)
            .take_while(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let table = stdout(1, &[&"check", &file, &"--ungrouped"]);
    assert_eq!(rows(&table).len(), 100, "{table}");
    assert!(rows(&table)[0].starts_with("square"), "{table}");
    assert!(table.contains("\nShowing the first 100 of 105 clashes: --limit 0 shows"), "{table}");
    let all = stdout(1, &[&"check", &file, &"--limit", &"0", &"--ungrouped"]);
    assert_eq!(rows(&all).len(), 105, "{all}");
    assert!(rows(&all)[0].starts_with("square ") && !all.contains("Showing the first"), "{all}");
    assert_eq!(rows(&stdout(1, &[&"check", &file, &"--limit", &"1", &"--ungrouped"])).len(), 1);
    // Triangles with triangles, squares with triangles, and the two squares.
    let groups = stdout(1, &[&"check", &file]);
    let cells = |row: &String| row.split_whitespace().take(6).map(str::to_owned).collect::<Vec<_>>();
    let times: Vec<_> = rows(&groups).iter().map(|row| cells(row)[3..].join(" ")).collect();
    assert!(rows(&groups)[0].starts_with("square") && rows(&groups).len() == 3, "{groups}");
    assert!(times[1].contains("26 ") && times[2].contains("78 "), "{groups}");
    assert!(groups.contains("\n105 findings in 3 groups of the same two shapes"), "{groups}");
    let first = stdout(1, &[&"check", &file, &"--limit", &"1"]);
    assert!(
        rows(&first).len() == 1 && first.contains("Showing the first 1 of 3 groups: --limit 0"),
        "{first}"
    );
    // A format that holds every clash has no limit.
    for format in ["json", "csv"] {
        let said = error(&[&"check", &file, &"--limit", &"5", &"--format", &format]);
        assert!(said.contains(&format!("{format} holds every finding: leave --limit out")), "{said}");
    }
    run(2, &[&"check", &file, &"--limit", &"-1"]);
}

/// Two thousand triangles in one place took 3.9 GB as a table and 0.6 GB as JSON. The lists may take 120
/// bytes a clash, and with groups 250; a program with its threads takes some more. A process does not survive
/// a refused allocation.
#[cfg(target_os = "linux")]
#[test]
fn half_a_million_clashes_take_few_bytes_each() {
    let folder = Folder::new();
    let parts: u64 = 1000;
    let clashes = parts * (parts - 1) / 2;
    let file = common::coincident(&folder, parts as usize);
    let outputs = [
        ("--format json", 250),
        ("--format csv", 120),
        ("", 250),
        ("--ungrouped", 120),
        ("--ungrouped --limit 0", 120),
        ("--surfaces --ungrouped --limit 0", 120),
    ];
    for (more, bytes) in share(outputs, 0) {
        let kilobytes = (bytes * clashes + (100 << 20)) / 1024;
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" check \"$1\" --threads 1 {more} | wc -l");
        let output = std::process::Command::new("bash")
            .args(["-o", "pipefail", "-c", &script, env!("CARGO_BIN_EXE_impinge")])
            .arg(&file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{more}: {said}");
        let lines: u64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
        let expected = match more {
            "--format json" => 1..2,
            "" => 1..30,
            "--ungrouped" => 100..114,
            _ => clashes..clashes + 14,
        };
        assert!(expected.contains(&lines), "{more}: {lines} lines");
    }
}

#[test]
fn far_from_the_origin_coordinates_keep_their_digits() {
    let folder = Folder::new();
    // A metre of wall at map coordinates, and one that crosses it at a height of 0.123.
    let mut text = String::new();
    for (name, corners) in [
        ("wall", [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        ("pipe", [[0.25, -0.5, 0.123], [0.25, 0.5, 0.123], [0.75, -0.5, 0.123]]),
    ] {
        text += &format!("o {name}\n");
        for [x, y, z] in corners {
            text += &format!("v {} {} {z}\n", 182_000.0 + x, 5_932_000.0 + y);
        }
        text += "f -3 -2 -1\n";
    }
    let table = stdout(1, &[&"check", &folder.file("map.obj", text), &"--ungrouped"]);
    let row = table.lines().find(|line| line.starts_with("wall")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..4], ["wall", "pipe", "meet", "1"]);
    let point: Vec<f64> = cells[4..].iter().map(|cell| cell.parse().unwrap()).collect();
    assert!((182_000.25..=182_000.5).contains(&point[0]) && point[1] == 5_932_000.0, "{row}");
    assert_eq!(point[2], 0.123, "{row}");
    assert!(cells[4].split_once('.').unwrap().1.len() >= 5, "{row}");
}
