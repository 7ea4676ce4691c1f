//! `impinge pair` with several volumes: one table of results, counts and times.
use crate::common::{FIVE, Folder, TRIANGLE, command, error, json, sheets, stdout};
use impinge_volumes::Kind;
use serde_json::Value;
use std::ffi::OsStr;

fn numbers(rows: &[Value], field: &str) -> Vec<f64> {
    rows.iter().map(|row| row[field].as_f64().unwrap_or_else(|| panic!("{field}: {row}"))).collect()
}

/// Counts of the table are those of single runs, and the fastest is 1.
#[test]
fn counts_and_bytes_are_those_of_single_volumes() {
    let folder = Folder::new();
    let [a, b] = sheets(&folder);
    let pair: [&dyn AsRef<OsStr>; 5] = [&"pair", &a, &b, &"--query", &"pairs"];
    let compare = [&pair[..], &[&"--volume", &"scb,obb,aabb", &"--format", &"json"]].concat();
    let whole = json(0, &compare);
    let rows = whole["volumes"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| &row["volume"]).collect::<Vec<_>>(), ["scb", "obb", "aabb"]);
    for row in rows {
        let name = row["volume"].as_str().unwrap();
        let single = stdout(0, &[&pair[..], &[&"--volume", &name, &"--format", &"csv"]].concat());
        let cells: Vec<&str> = single.lines().nth(1).unwrap().split(',').collect();
        // frame, intersecting, pair_count, volume_tests, ...
        assert_eq!(cells[2], whole["result"]["pairs"].to_string(), "{name}");
        assert_eq!(cells[3], row["volume_tests"].to_string(), "{name}");
        let info = json(0, &[&"info", &a, &"--volume", &name, &"--format", &"json"]);
        // Both meshes have as many triangles, and trees of them nearly as many bytes.
        let bytes = info["parts"][0]["tree"]["bytes"].as_f64().unwrap() / 20_000.0;
        assert!((bytes / row["bytes_per_triangle"].as_f64().unwrap() - 1.0).abs() < 0.1, "{row} {bytes}");
        assert!(row["triangle_pairs"].as_u64() > whole["result"]["pairs"].as_u64(), "{row}");
    }
    for (time, ratio) in [("build_microseconds", "build_ratio"), ("query_microseconds", "query_ratio")] {
        let (times, ratios) = (numbers(rows, time), numbers(rows, ratio));
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least > 0.0, "{whole}");
        for (time, ratio) in times.iter().zip(&ratios) {
            assert!((time / least / ratio - 1.0).abs() < 1e-9, "{whole}");
        }
    }
}

/// Every query that compares volumes, over all volumes and several frames.
#[test]
fn all_volumes_agree_in_every_query() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", FIVE), folder.file("b.obj", TRIANGLE));
    let poses = folder.file("poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 7\n");
    for (query, margin, result) in [
        ("boolean", None, "frames_meet"),
        ("pairs", None, "pairs"),
        ("relation", None, "frames_meet"),
        ("distance", None, "distance"),
        ("within", Some("5"), "frames_within"),
        ("interiors-meet", None, "frames_hold"),
        ("pairs-within", Some("5"), "pairs"),
        ("certainty", Some("5"), "frames_hold"),
    ] {
        let options: [&dyn AsRef<OsStr>; 9] =
            [&"pair", &a, &b, &"--poses", &poses, &"--query", &query, &"--volume", &"all"];
        let margin: Vec<&dyn AsRef<OsStr>> = match &margin {
            Some(margin) => vec![&"--margin", margin],
            None => vec![],
        };
        let options = [&options[..], &margin].concat();
        let whole = json(0, &[&options[..], &[&"--format", &"json"]].concat());
        let names: Vec<&str> =
            whole["volumes"].as_array().unwrap().iter().map(|row| row["volume"].as_str().unwrap()).collect();
        assert_eq!(names, Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>(), "{query}");
        assert_eq!(whole["frames"], 2);
        let expected = match query {
            "boolean" | "relation" | "within" | "certainty" => 1.0,
            "pairs" => 2.0,
            "interiors-meet" | "distance" => 0.0,
            _ => whole["result"][result].as_f64().unwrap(),
        };
        assert_eq!(whole["result"][result].as_f64(), Some(expected), "{query}: {whole}");

        let csv = stdout(0, &[&options[..], &[&"--format", &"csv"]].concat());
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 1 + Kind::ALL.len());
        assert!(lines[0].starts_with(&format!("volume,{result},volume_tests,triangle_pairs,")), "{csv}");

        let table = stdout(0, &options);
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        for kind in Kind::ALL {
            let rows = table.lines().filter(|line| line.split_whitespace().next() == Some(kind.name()));
            assert_eq!(rows.count(), 1, "{table}");
        }
        let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("All {} volumes give this result.", Kind::ALL.len())), "{table}");
    }
}

/// A name that is given twice has one row; one volume gives the output of today.
#[test]
fn one_volume_is_no_comparison() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    let report = |volume: &str| json(0, &[&"pair", &file, &file, &"--format", &"json", &"--volume", &volume]);
    assert!(report("aabb")["frames"].is_array());
    assert_eq!(report("aabb"), report("aabb,aabb"));
    assert_eq!(report("auto"), report("wide,auto"));
    assert_eq!(report("aabb,all")["volumes"][0]["volume"], "aabb");
    assert_eq!(report("aabb,all")["volumes"].as_array().unwrap().len(), Kind::ALL.len());
}

#[test]
fn what_does_not_go_with_several_volumes_is_refused() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    for (arguments, expected) in [
        (&["--query", "curves"][..], "--volume: --query curves takes one volume; several take: boolean, "),
        (&["--stats"], "--stats: is about one volume"),
        (&["--threads", "2"], "--threads: several volumes are compared on one thread"),
        (&["--overlap", "axis"], "--overlap axis: the volume 'aabb' has only: sat-lite, sat"),
        (&["--arity", "4"], "arity 4: nodes of boxtree have 2 children"),
    ] {
        let options: [&dyn AsRef<OsStr>; 5] = [&"pair", &file, &file, &"--volume", &"aabb,boxtree"];
        let extra: Vec<&dyn AsRef<OsStr>> = arguments.iter().map(|one| one as &dyn AsRef<OsStr>).collect();
        let text = error(&[&options[..], &extra].concat());
        assert!(text.contains(expected), "{text}");
    }
    // No other command compares.
    for command_name in ["info", "check"] {
        let words = [OsStr::new(command_name), file.as_os_str(), OsStr::new("--volume"), OsStr::new("all")];
        let output = command(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_wrong_name_gives_the_nearest() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    for (volumes, nearest) in [("scb,abb", "'aabb'"), ("boxtre", "'boxtree'"), ("obb,dop17", "dop1")] {
        let [pair, option, volumes] = ["pair", "--volume", volumes].map(OsStr::new);
        let output = command([pair, file.as_os_str(), file.as_os_str(), option, volumes]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("similar value") && text.contains(nearest), "{text}");
    }
}
