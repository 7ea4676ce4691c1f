//! Rules, groups and baselines, as a coordinator uses them.
use crate::common::{self, Folder, command, data, error, json, run, stdout, words};
use std::{fmt::Write, path::PathBuf};

/// A delivery: boxes with names `FILE|TYPE|GUID|NAME`.
struct Box {
    file: &'static str,
    class: &'static str,
    guid: String,
    name: &'static str,
    low: [f64; 3],
    size: [f64; 3],
}

fn text(boxes: &[Box]) -> String {
    let mut text = String::new();
    for (i, Box { file, class, guid, name, low, size }) in boxes.iter().enumerate() {
        let _ = writeln!(text, "o {file}|{class}|{guid}|{name}");
        for k in 0..8 {
            let [x, y, z] =
                [0, 1, 2].map(|axis| low[axis] + if k >> axis & 1 == 1 { size[axis] } else { 0.0 });
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let [a, b, c, d] = face.map(|corner| 8 * i + corner + 1);
            let _ = writeln!(text, "f {a} {b} {c} {d}");
        }
    }
    text
}

/// Twelve ducts through one wall, each with a sleeve; and a beam that a pipe touches.
fn delivery(guids: &str, moved: f64) -> Vec<Box> {
    let mut boxes = vec![
        Box {
            file: "arch",
            class: "Wall",
            guid: format!("{guids}w"),
            name: "wall",
            low: [0.0; 3],
            size: [40.0, 0.3, 3.0],
        },
        Box {
            file: "steel",
            class: "Beam",
            guid: format!("{guids}b"),
            name: "beam",
            low: [0.0, 5.0, 0.0],
            size: [40.0, 0.5, 0.5],
        },
        Box {
            file: "mep",
            class: "Pipe",
            guid: format!("{guids}p"),
            name: "pipe",
            low: [1.0, 5.5, 0.0],
            size: [0.1, 2.0, 0.1],
        },
    ];
    for i in 0..12 {
        let x = 1.0 + 3.0 * f64::from(i) + if i == 4 { moved } else { 0.0 };
        let guid = format!("{guids}d{i}");
        boxes.push(Box {
            file: "mep",
            class: "Duct",
            guid,
            name: "duct",
            low: [x, -1.0, 1.0],
            size: [0.5, 2.0, 0.5],
        });
    }
    boxes
}

const RULES: &str = "\
version = 1
unit = \"m\"
[names]
pattern = \"{file}|{type}|{guid}|{name}\"
[sets]
mep = { file = \"mep\" }
[[test]]
name = \"mep x building\"
a = \"mep\"
b = { not = { file = \"mep\" } }
severity = \"high\"
";

#[test]
fn the_funnel_of_a_building() {
    let Some(path) = data("ifc_schependomlaan_contractors.obj") else { return };
    let rules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules/schependomlaan.toml");
    let report = json(1, &[&"check", &path, &"--rules", &rules, &"--report", &"all", &"--format", &"json"]);
    let (test, rule) = (&report["tests"][0], &report["ignores"]);
    // Every pair that meets, of any relation: those that the first two rules leave, and those of the third.
    assert_eq!(test["findings"].as_u64().unwrap() + test["ignored_findings"].as_u64().unwrap(), 978);
    assert_eq!(rule[2]["findings"], test["ignored_findings"]);
    let report = json(1, &[&"check", &path, &"--rules", &rules, &"--format", &"json"]);
    let groups = &report["groups"];
    assert_eq!(report["tests"][0]["findings"], 157);
    let counts = ["explained", "connected"].map(|list| groups[list].as_array().unwrap().len());
    assert_eq!(counts, [41, 20]);
    let table = stdout(1, &[&"check", &path, &"--rules", &rules, &"--group-by", &"file", &"--statistics"]);
    assert!(table.contains("157 findings in 3 groups with the same labels"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("XELLA     YTONG  overlap     146")), "{table}");
}

#[test]
fn rules_in_the_current_folder_are_used() {
    let folder = Folder::new();
    let house = folder.file("house.obj", text(&delivery("a", 0.0)));
    folder.file("impinge.toml", RULES);
    let run = |words: &[&str]| {
        let output = command(["check", house.to_str().unwrap()].iter().chain(words))
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, table) = run(&[]);
    assert!(status == 1 && table.contains("\nRules of impinge.toml: 1 test, 0 ignore rules."), "{table}");
    assert!(table.contains("12 findings in 1 group of"), "{table}");
    let (_, without) = run(&["--no-rules"]);
    assert!(!without.contains("Rules of"), "{without}");
    // Wholly inside the ducts of the wall there is nothing else to find; ignoring them leaves nothing.
    let (status, table) = run(&["--ignore", "*duct*"]);
    assert!(status == 0 && table.contains("ignore *duct*"), "{table}");
    let (status, _) = run(&["--only", "*pipe*,*beam*"]);
    assert_eq!(status, 0);
    let (_, table) = run(&["--no-rules", "--between", "*duct*", "*wall*"]);
    assert!(table.contains("12 findings in 1 group"), "{table}");
    // Options that the tests state, and a word that no rule has.
    let said = error(&[&"check", &house, &"--rules", &folder.path("impinge.toml"), &"--tolerance", &"1"]);
    assert!(said.contains("--tolerance: the tests of "), "{said}");
    let wrong = folder.file("wrong.toml", RULES.replace("severity", "severety"));
    let said = error(&[&"check", &house, &"--rules", &wrong]);
    assert!(said.contains("wrong.toml:11:1: unknown key 'severety'; did you mean 'severity'?"), "{said}");
}

#[test]
fn explain_names_the_line() {
    let folder = Folder::new();
    let house = folder.file("house.obj", text(&delivery("a", 0.0)));
    let rules = folder.file(
        "r.toml",
        RULES.to_owned() + "[[ignore]]\nreason = \"sleeves\"\na = { type = \"Duct\" }\nmax_volume = 1\n",
    );
    let explain = |a: &str, b: &str| stdout(0, &[&"rules", &"explain", &a, &b, &house, &"--rules", &rules]);
    let text = explain("mep|Duct|ad3|duct", "arch|Wall|aw|wall");
    assert!(text.starts_with("mep|Duct|ad3|duct, arch|Wall|aw|wall: overlap, volume 0.07500"), "{text}");
    assert!(
        text.contains("r.toml:7): found, and ignored by ") && text.contains("r.toml:12: sleeves"),
        "{text}"
    );
    let text = explain("steel|Beam|ab|beam", "arch|Wall|aw|wall");
    assert!(text.contains(": not asked: the parts are not in its sets"), "{text}");
    let text = explain("steel|Beam|ab|beam", "mep|Pipe|ap|pipe");
    assert!(text.contains("not among the relations that it reports"), "{text}");
    let said = error(&[&"rules", &"explain", &"mep|Duct|ad3", &"x", &house, &"--rules", &rules]);
    assert!(said.contains("has no part 'mep|Duct|ad3'; the nearest names are"), "{said}");
}

/// The first delivery, decisions, and a second one in which all GUIDs are new and one duct has moved.
#[test]
fn the_second_delivery_lists_what_is_new() {
    let folder = Folder::new();
    let first = folder.file("first.obj", text(&delivery("a", 0.0)));
    let second = folder.file("second.obj", text(&delivery("b", 0.25)));
    let (rules, baseline) = (folder.file("r.toml", RULES), folder.path("b.jsonl"));
    let said = error(&[&"check", &first, &"--rules", &rules, &"--baseline", &baseline]);
    assert!(said.contains("there is no such baseline; --update-baseline creates it"), "{said}");
    let check = |status: i32, file: &PathBuf, more: &[&str]| {
        let words = ["check", file.to_str().unwrap(), "--rules", rules.to_str().unwrap(), "--baseline"];
        let words = words.iter().copied().chain([baseline.to_str().unwrap()]).chain(more.iter().copied());
        let words: Vec<&str> = words.collect();
        let words: Vec<&dyn AsRef<std::ffi::OsStr>> = words.iter().map(|word| word as _).collect();
        stdout(status, &words)
    };
    let table = check(1, &first, &["--update-baseline"]);
    assert!(table.contains("12 new, 0 reopened, 0 active"), "{table}");
    let table = check(0, &first, &[]);
    assert!(table.contains("0 new, 0 reopened, 12 active") && !table.contains("mep|Duct"), "{table}");
    // Nothing changed but GUIDs, and a duct that moved along the wall: the same clash.
    let table = check(0, &second, &[]);
    assert!(table.contains("0 new, 0 reopened, 12 active"), "{table}");
    // A part that is missing is no resolved finding; a duct that left the wall is.
    let mut third = delivery("c", 0.0);
    third.remove(3);
    third[3].low[1] = 10.0;
    // One goes deeper into the wall by a tenth and more: a thicker duct.
    third.push(Box {
        file: "mep",
        class: "Duct",
        guid: "new".into(),
        name: "duct",
        low: [39.0, -1.0, 2.0],
        size: [0.6, 2.0, 0.5],
    });
    let third = folder.file("third.obj", text(&third));
    let table = check(1, &third, &["--update-baseline"]);
    assert!(table.contains("1 new, 0 reopened, 10 active"), "{table}");
    assert!(table.contains("0 approved, 1 resolved\n"), "{table}");
    assert!(words(&table).contains("Not examined 1 findings of the baseline"), "{table}");
    let report =
        json(0, &[&"check", &third, &"--rules", &rules, &"--baseline", &baseline, &"--format", &"json"]);
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 11);
    assert!(findings.iter().all(|finding| finding["status"] == "active" && finding["id"].is_string()));
    // The resolved one comes back.
    let table = check(1, &first, &[]);
    assert!(table.contains("reopened (came back)"), "{table}");
    run(2, &[&"check", &first, &"--rules", &rules, &"--baseline", &first]);
}

/// A finding that this run would not report is not examined: it may still be there.
#[test]
fn other_questions_resolve_nothing() {
    let folder = Folder::new();
    let parts = |gap: f64| {
        let part = |name: &'static str, x: f64, height: f64| Box {
            file: "a",
            class: "Duct",
            guid: name.into(),
            name,
            low: [x, 0.0, 0.0],
            size: [1.0, 1.0, height],
        };
        // The first two overlap, and the third one is near the second one.
        text(&[part("one", 0.0, 1.0), part("two", 0.5, 2.0), part("three", 1.5 + gap, 3.0)])
    };
    let (near, far) = (folder.file("near.obj", parts(0.01)), folder.file("far.obj", parts(1.0)));
    let file = |name: &str, rules: &str| folder.file(name, format!("version = 1\nunit = \"m\"\n{rules}"));
    let all = "[sets]\nall = { name = \"*\" }\n[[test]]\nname = \"check\"\na = \"all\"\nb = \"all\"\n";
    let with = file("with.toml", &format!("{all}clearance = 0.1\n"));
    let without = file("without.toml", all);
    let ignored = "[[ignore]]\nreason = \"tight\"\nrelation = [\"near\"]\n";
    let ignored = file("ignored.toml", &format!("{all}clearance = 0.1\n{ignored}"));
    let pierce = file("pierce.toml", &format!("{all}clearance = 0.1\nreport = [\"pierce\"]\n"));
    let (with, without) = (with.to_str().unwrap(), without.to_str().unwrap());
    let (ignored, pierce) = (ignored.to_str().unwrap(), pierce.to_str().unwrap());
    let numbers = |status: i32, model: &PathBuf, more: &[&str]| {
        let baseline = folder.path("b.jsonl");
        let words: [&dyn AsRef<std::ffi::OsStr>; 4] = [&"check", model, &"--baseline", &baseline];
        let more = more.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>);
        let words: Vec<&dyn AsRef<std::ffi::OsStr>> = words.into_iter().chain(more).collect();
        let said = common::words(&stdout(status, &words));
        let number = |end: &str| {
            let before = said.split(end).next().filter(|before| before.len() < said.len());
            before.map_or(0, |before| before.rsplit(' ').next().unwrap().parse::<u32>().unwrap())
        };
        [number(" resolved"), number(" findings of the baseline: parts are missing")]
    };
    for [usual, none, other] in [
        [&["--clearance", "0.1"][..], &[], &["--clearance", "0.1", "--report", "pierce"]],
        [&["--rules", with], &["--rules", without], &["--rules", pierce]],
    ] {
        let _ = std::fs::remove_file(folder.path("b.jsonl"));
        let first = [usual, &["--update-baseline"]].concat();
        assert_eq!(numbers(1, &near, &first), [0, 0]);
        assert_eq!(numbers(0, &near, none), [0, 1], "without a clearance");
        assert_eq!(numbers(0, &near, other), [0, 1], "without overlaps");
        assert_eq!(numbers(0, &far, usual), [1, 0], "further apart");
    }
    assert_eq!(numbers(0, &near, &["--rules", ignored]), [0, 1], "ignored");
}

/// Two cubes, 2 apart, and the poses of the first.
fn motion_folder(poses: &str) -> Folder {
    let folder = Folder::new();
    let cube =
        |name, low| Box { file: "cell", class: "Part", guid: name_of(name), name, low, size: [1.0; 3] };
    folder.file("cell.obj", text(&[cube("arm", [0.0; 3]), cube("guard", [3.0, 0.0, 0.0])]));
    folder.file("arm.txt", poses);
    folder.file(
        "rules.toml",
        "version = 1\nnames.pattern = '{file}|{type}|{guid}|{name}'\n[[test]]\nname = 'clear'\nfind = 'min-gap'\n\
          a = { name = 'arm' }\nb = '*'\nposes = 'arm.txt'\nclearance = 1.5\n",
    );
    folder
}

fn name_of(name: &str) -> String {
    format!("guid-{name}")
}

#[test]
fn gaps_are_measured_along_poses_of_a_file() {
    let row = |x: f64| format!("1 0 0 {x} 0 1 0 0 0 0 1 0\n");
    let folder = motion_folder(&format!("# there and back\n{}{}{}", row(0.0), row(1.25), row(0.5)));
    let [cell, rules] = ["cell.obj", "rules.toml"].map(|name| folder.path(name));
    let with = |words: [&str; 2]| stdout(1, &[&"check", &cell, &"--rules", &rules, &words[0], &words[1]]);
    let table = with(["--format", "table"]);
    assert!(table.contains("Least gaps along poses"), "{table}");
    let row_of =
        table.lines().rev().find(|line| line.contains("arm") && line.contains("0.7500")).expect(&table);
    assert!(row_of.contains("guard"), "{row_of}");
    let report = json(1, &[&"check", &cell, &"--rules", &rules, &"--format", &"json"]);
    let gap = &report["motion_gaps"][0];
    assert_eq!((gap["pose"].as_u64(), gap["moving"].as_u64()), (Some(1), Some(0)));
    assert_eq!(gap["distance"][0].as_f64(), Some(0.75));
    let csv = with(["--format", "csv"]);
    assert!(
        csv.lines().nth(1).is_some_and(|row| row.contains("min_gap") && row.contains(",0.75,0.75,")),
        "{csv}"
    );
    let [arm, guard] = ["cell|Part|guid-arm|arm", "cell|Part|guid-guard|guard"];
    let explained = stdout(0, &[&"rules", &"explain", &arm, &guard, &cell, &"--rules", &rules]);
    assert!(explained.contains("a finding, severity medium, gap 0.7500 at pose 1"), "{explained}");
    // Between two poses that are far away the arm sweeps through the guard.
    let folder = motion_folder(&format!("{}{}{}", row(-5.0), row(-3.0), row(9.0)));
    let [cell, rules] = ["cell.obj", "rules.toml"].map(|name| folder.path(name));
    let words: [&dyn AsRef<std::ffi::OsStr>; 4] = [&"check", &cell, &"--rules", &rules];
    assert!(stdout(0, &words).contains("Findings"));
    let text = std::fs::read_to_string(&rules).unwrap() + "between_poses = true\n";
    std::fs::write(&rules, text).unwrap();
    let report = json(1, &[&"check", &cell, &"--rules", &rules, &"--format", &"json"]);
    let gap = &report["motion_gaps"][0];
    let after = gap["after"].as_f64().unwrap();
    // They meet after 5 of the 12 from pose 1 to 2.
    assert_eq!((gap["pose"].as_u64(), gap["distance"][1].as_f64()), (Some(1), Some(0.0)));
    assert!((after - 5.0 / 12.0).abs() < 1e-8, "{after}");
    let table = stdout(1, &words);
    assert!(table.contains("1.417"), "{table}");
    // Poses that cannot be read, or are no list of motions, give one error.
    let pair = format!("{} {}", row(0.0).trim_end(), row(1.0));
    for (poses, why) in [
        ("1 2 3\n", "the poses 'arm.txt' of a test: line 1: 3 numbers"),
        ("", "the poses 'arm.txt' of a test: there is no frame"),
        (&*pair, "a frame has 24 numbers; a motion has 12"),
    ] {
        let folder = motion_folder(poses);
        let [cell, rules] = ["cell.obj", "rules.toml"].map(|name| folder.path(name));
        let error = error(&[&"check", &cell, &"--rules", &rules]);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn the_order_of_files_and_sides_changes_no_byte() {
    let folder = Folder::new();
    let cube = |name: &'static str, low| Box {
        file: "f",
        class: "Part",
        guid: name_of(name),
        name,
        low,
        size: [2.0; 3],
    };
    let all = [
        folder.file("b.obj", text(&[cube("b1", [0.0; 3]), cube("b2", [5.0, 0.0, 0.0])])),
        folder.file("a.obj", text(&[cube("a1", [1.0, 0.5, 0.0]), cube("a2", [4.0, 0.25, 0.0])])),
        folder.file("c.obj", text(&[cube("c1", [2.0, 1.0, 1.0]), cube("c2", [9.0, 0.0, 0.0])])),
    ];
    let formats = ["json", "csv", "table", "markdown", "junit", "dot"];
    for format in formats {
        let of = |order: [usize; 3]| {
            let [a, b, c] = order.map(|i| &all[i]);
            stdout(1, &[&"check", a, b, c, &"--clearance", &"0.5", &"--format", &format])
        };
        let first = of([0, 1, 2]);
        for order in [[0, 2, 1], [1, 0, 2], [2, 1, 0]] {
            assert_eq!(of(order), first, "{format} {order:?}");
        }
        let between =
            |a: usize, b: usize| stdout(1, &[&"check", &"--between", &all[a], &all[b], &"--format", &format]);
        assert_eq!(between(0, 1), between(1, 0), "{format}");
    }
}

#[test]
fn findings_within_placement_errors_are_fragile() {
    let folder = Folder::new();
    let cube = |name: &'static str, x| Box {
        file: "f",
        class: "Part",
        guid: name_of(name),
        name,
        low: [x, 0.0, 0.0],
        size: [2.0; 3],
    };
    let row = folder.file("row.obj", text(&[cube("a", 0.0), cube("b", 1.75), cube("c", 2.5)]));
    let rules = folder.file("r.toml", "version = 1\nsets = { all = '*' }\n[placement]\nall = 0.2\n");
    let of =
        |format: &str| stdout(1, &[&"check", &row, &"--rules", &rules, &"--ungrouped", &"--format", &format]);
    let csv = of("csv");
    let fragile: Vec<_> = csv.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(fragile, ["fragile", "true", "false"], "{csv}");
    let table = stdout(1, &[&"check", &row, &"--rules", &rules]);
    assert!(
        table.contains("  times  fragile  ")
            && words(&table).contains("Fragile 1 findings that a shift within"),
        "{table}"
    );
    let report = json(1, &[&"check", &row, &"--rules", &rules, &"--format", &"json"]);
    assert_eq!(
        (&report["findings"][0]["fragile"], &report["findings"][1]["fragile"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn files_are_numbered_by_name_wherever_they_lie() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("z")).unwrap();
    let cube = |name: &'static str, x| Box {
        file: "f",
        class: "Part",
        guid: name_of(name),
        name,
        low: [x, 0.0, 0.0],
        size: [2.0; 3],
    };
    let first = folder.file("z/a.obj", text(&[cube("a", 0.0)]));
    let second = folder.file("b.obj", text(&[cube("b", 1.0)]));
    let report = json(1, &[&"check", &second, &first, &"--format", &"json"]);
    let files = [0, 1].map(|i| report["parts"][i]["file"].as_str().unwrap().to_owned());
    assert!(files[0].ends_with("a.obj") && files[1].ends_with("b.obj"), "{files:?}");
}
