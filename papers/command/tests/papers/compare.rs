//! `impinge-papers compare`: one table of results, counts and times.
use crate::common::{Folder, TRIANGLE, TWO, error, json, stdout};
use impinge_volumes::Kind;
use serde_json::Value;
use std::ffi::OsStr;

/// Two waving sheets that cross.
fn sheets(folder: &Folder) -> [std::path::PathBuf; 2] {
    let n = 40;
    ["x", "y"].map(|axis| {
        let mut text = String::new();
        for k in 0..(n + 1) * (n + 1) {
            let [x, y] = [k % (n + 1), k / (n + 1)].map(|i| f64::from(i) / f64::from(n));
            text += &format!("v {x} {y} {}\n", 0.1 * (9.0 * if axis == "x" { x } else { y }).sin());
        }
        for k in 0..n * n {
            let corner = k / n * (n + 1) + k % n + 1;
            text += &format!("f {corner} {} {} {}\n", corner + 1, corner + n + 2, corner + n + 1);
        }
        folder.file(&format!("{axis}.obj"), text)
    })
}

/// The fastest volume has the ratio 1; counts do not depend on other volumes in the table.
#[test]
fn a_row_has_counts_bytes_and_ratios() {
    let folder = Folder::new();
    let [a, b] = sheets(&folder);
    let of = |volumes: &str| {
        json(&[&"compare", &a, &b, &"--query", &"pairs", &"--volume", &volumes, &"--format", &"json"])
    };
    let all = of("scb,obb,aabb");
    let rows = all["volumes"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| &row["volume"]).collect::<Vec<_>>(), ["scb", "obb", "aabb"]);
    let number = |row: &Value, field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field}: {row}"));
    let fastest = rows.iter().map(|row| number(row, "query_microseconds")).fold(f64::INFINITY, f64::min);
    for row in rows {
        let alone = of(row["volume"].as_str().unwrap());
        for field in
            ["volume_tests", "triangle_pairs", "triangle_tests", "nodes", "depth", "bytes_per_triangle"]
        {
            assert_eq!(row[field], alone["volumes"][0][field], "{field}");
        }
        assert_eq!(all["result"], alone["result"]);
        assert!(number(row, "triangle_pairs") > all["result"]["pairs"].as_f64().unwrap(), "{all}");
        assert!(
            (number(row, "query_microseconds") / fastest / number(row, "query_ratio") - 1.0).abs() < 1e-9
        );
        assert!(number(row, "build_microseconds") > 0.0 && number(row, "nodes") > 100.0, "{row}");
    }
}

/// Checks that all volumes give the expected result of every query, over two frames.
#[test]
fn all_volumes_agree_in_every_query() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", TWO), folder.file("b.obj", TRIANGLE));
    let poses = folder.file("poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0 # here\n\n1 0 0 0 0 1 0 0 0 0 1 7\n");
    for (query, margin, result, expected) in [
        ("boolean", None, "frames_meet", 1.0),
        ("pairs", None, "pairs", 1.0),
        ("relation", None, "frames_not_apart", 1.0),
        ("distance", None, "distance", 0.0),
        ("within", Some("5"), "frames_within", 1.0),
    ] {
        let mut options: Vec<&dyn AsRef<OsStr>> =
            vec![&"compare", &a, &b, &"--poses", &poses, &"--query", &query];
        if let Some(margin) = &margin {
            options.extend([&"--margin" as &dyn AsRef<OsStr>, margin]);
        }
        let with = |format: &'static str| {
            let mut options = options.clone();
            let format: [&dyn AsRef<OsStr>; 2] = [&"--format", Box::leak(Box::new(format))];
            options.extend(format);
            options
        };
        let whole = json(&with("json"));
        let names = whole["volumes"].as_array().unwrap().iter().map(|row| row["volume"].as_str().unwrap());
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.collect::<Vec<_>>(), kinds, "{query}");
        assert_eq!(whole["frames"], 2);
        assert_eq!(whole["result"][result].as_f64(), Some(expected), "{query}: {whole}");
        let csv = stdout(&with("csv"));
        assert!(csv.starts_with("volume,volume_tests,triangle_pairs,triangle_tests,"), "{csv}");
        assert_eq!(csv.lines().count(), 1 + kinds.len());
        let table = stdout(&options);
        assert!(table.contains("By every volume: ") && table.lines().all(|line| line.chars().count() <= 110));
        for kind in kinds {
            let rows = table.lines().filter(|line| line.split_whitespace().next() == Some(kind));
            assert_eq!(rows.count(), 1, "{table}");
        }
    }
}

#[test]
fn a_name_given_twice_has_one_row() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    let rows = |volumes: &str| {
        let all = json(&[&"compare", &file, &file, &"--format", &"json", &"--volume", &volumes]);
        all["volumes"].as_array().unwrap().iter().map(|row| row["volume"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(rows("aabb,aabb"), ["aabb"]);
    assert_eq!(rows("boxtree-pair"), ["boxtree"]);
    assert_eq!(rows("aabb,all").len(), Kind::ALL.len());
    assert_eq!(rows("aabb,all")[0], "aabb");
}

#[test]
fn what_a_volume_cannot_do_is_refused() {
    let folder = Folder::new();
    let file = folder.file("a.obj", TRIANGLE);
    for (arguments, expected) in [
        (
            &["--overlap", "axis", "--volume", "aabb"][..],
            "--overlap axis: the volume 'aabb' has only: sat-lite",
        ),
        (&["--overlap", "sat", "--volume", "sphere"], "--overlap sat: the volume 'sphere' has only: auto"),
        (&["--fit", "ritter", "--volume", "aabb"], "--fit ritter: the volume 'aabb' has only: auto"),
        (&["--arity", "4", "--volume", "boxtree"], "arity 4: nodes of boxtree have 2 children"),
        (&["--margin", "1"], "--margin: is about --query within"),
        (&["--query", "within", "--margin", "-1"], "--margin"),
        (&["--query", "within"], "--margin <LENGTH>"),
        (&["--volume", "scb,abb"], "'aabb'"),
        (&["--pose-b", "1 2 3"], "a pose is 12 numbers"),
        (&["--poses", "no/such/file"], "no/such/file"),
    ] {
        let mut options: Vec<&dyn AsRef<OsStr>> = vec![&"compare", &file, &file];
        options.extend(arguments.iter().map(|one| one as &dyn AsRef<OsStr>));
        let text = error(&options);
        assert!(text.contains(expected), "{text}");
    }
    assert!(error(&[&"compare", &file, &folder.path("absent.stl")]).contains("absent.stl"));
}
