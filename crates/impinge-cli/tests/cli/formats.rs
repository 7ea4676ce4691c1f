//! JUnit XML, Markdown, the columns of CSV, and several results from one run.
use crate::common::{Folder, error, json, run, stdout};
use std::{fmt::Write as _, fs, path::PathBuf};

/// Cubes with sides of 1, each with its own points; `crossed` of them are crossed by a small cube by that
/// much.
pub(crate) fn cubes(folder: &Folder, names: &[&str], crossed: impl Fn(usize) -> Option<f64>) -> PathBuf {
    let (mut text, mut points) = (String::new(), 0);
    let mut cube = |name: &str, low: [f64; 3], side: f64| {
        let _ = writeln!(text, "o {name}");
        for i in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|k| low[k] + side * f64::from(i >> k & 1));
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for [a, b, c, d] in
            [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
        {
            let [a, b, c, d] = [a, b, c, d].map(|i| points + i);
            let _ = writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}");
        }
        points += 8;
    };
    for (i, name) in names.iter().enumerate() {
        let x = 4.0 * i as f64;
        cube(name, [x, 0.0, 0.0], 1.0);
        if let Some(depth) = crossed(i) {
            cube(&format!("small {i}"), [x + 1.0 - depth, 0.25, 0.25], 0.5);
        }
    }
    folder.file(&format!("cubes{}.obj", folder.count()), text)
}

fn attribute(element: &str, name: &str) -> usize {
    let start = element.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name} of {element}"));
    element[start + name.len() + 3..].split('"').next().unwrap().parse().unwrap()
}

/// Compares the numbers of a JUnit file with its elements: cases, failures, errors.
fn counts(xml: &str) -> [usize; 3] {
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "), "{xml}");
    let names = ["tests", "failures", "errors"];
    let inside = |text: &str| ["<testcase ", "<failure ", "<error "].map(|tag| text.matches(tag).count());
    let suites: Vec<&str> = xml.split("<testsuite ").skip(1).collect();
    for suite in &suites {
        let head = format!(" {}", suite.split('>').next().unwrap());
        assert_eq!(names.map(|name| attribute(&head, name)), inside(suite), "{suite}");
        assert_eq!(attribute(&head, "skipped"), 0);
    }
    let head = xml.split("<testsuites").nth(1).unwrap().split('>').next().unwrap();
    let all = names.map(|name| attribute(head, name));
    assert_eq!(all, inside(xml), "{xml}");
    all
}

#[test]
fn one_run_writes_several_files() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b", "c"], |i| (i < 2).then_some(0.1 + 0.1 * i as f64));
    let names = ["c.json", "c.csv", "c.md", "c.xml", "c.txt", "c.dot", "c.html"];
    let paths = names.map(|name| folder.path(name));
    let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"check", &file, &"--contacts"];
    paths.iter().for_each(|path| args.extend([&"-o" as &dyn AsRef<_>, path]));
    let summary = stdout(1, &args);
    assert_eq!(summary.matches("Written to").count(), 1, "{summary}");
    assert!(summary.trim_end().ends_with(&format!("c.dot and {}.", paths[6].display())), "{summary}");
    for (path, format) in paths.iter().zip(["json", "csv", "markdown", "junit", "table", "dot", "html"]) {
        let alone = stdout(1, &[&"check", &file, &"--contacts", &"--format", &format]);
        assert_eq!(fs::read_to_string(path).unwrap(), alone, "{format}");
    }
    // With standard output among the results there is no summary.
    let table = stdout(1, &[&"check", &file]);
    let more = folder.path("more.json");
    assert_eq!(stdout(1, &[&"check", &file, &"-o", &"-", &"-o", &more]), table);
    assert_eq!(fs::read(&more).unwrap(), stdout(1, &[&"check", &file, &"--format", &"json"]).into_bytes());
}

/// A table needs the depths of its rows; whatever is written beside it needs all.
#[test]
fn a_table_with_few_rows_leaves_the_other_results_whole() {
    let folder = Folder::new();
    let depth = |i: usize| Some(0.05 * (i + 1) as f64);
    let file = cubes(&folder, &["a", "b", "c", "d", "e"], depth);
    let (txt, csv, md) = (folder.path("c.txt"), folder.path("c.csv"), folder.path("c.md"));
    run(1, &[&"check", &file, &"--ungrouped", &"--limit", &"1", &"-o", &txt, &"-o", &csv, &"-o", &md]);
    assert_eq!(
        fs::read_to_string(&csv).unwrap(),
        stdout(1, &[&"check", &file, &"--ungrouped", &"--format", &"csv"])
    );
    let limited =
        |format: &str| stdout(1, &[&"check", &file, &"--ungrouped", &"--limit", &"1", &"--format", &format]);
    assert_eq!(fs::read_to_string(&txt).unwrap(), limited("table"));
    assert_eq!(fs::read_to_string(&md).unwrap(), limited("markdown"));
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows(&limited("markdown")), 1);
    assert!(limited("markdown").contains("and 4 findings more: `--limit 0` lists all"));
    assert_eq!(rows(&stdout(1, &[&"check", &file, &"--ungrouped", &"--format", &"markdown"])), 5);
    // Of JUnit it limits the cases: one more counts the rest.
    let xml = limited("junit");
    assert_eq!(counts(&xml), [2, 2, 0]);
    assert!(xml.contains("message=\"4 more findings with 4 findings are not listed"), "{xml}");
}

#[test]
fn results_in_one_place_are_refused_before_the_work() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a"], |_| Some(0.1));
    let (json, again) = (folder.path("c.json"), folder.path("./c.json"));
    let csv = folder.path("c.csv");
    for (args, said) in [
        (vec![&"-o" as &dyn AsRef<_>, &json, &"-o", &json], "are one place"),
        (vec![&"-o", &json, &"-o", &csv, &"-o", &again], "are one place"),
        (vec![&"-o", &"-", &"-o", &"-"], "- and - are one place"),
        (vec![&"-o", &json, &"-o", &csv, &"--format", &"json"], "--format: is about one result"),
        (vec![&"-o", &json, &"-o", &csv, &"--limit", &"3"], "--limit: sets the rows of tables"),
        (vec![&"-o", &json, &"-o", &folder.path("c.ods")], "no result is written as .ods"),
        (vec![&"-o", &json, &"-o", &file], "it would replace the input"),
        (vec![&"-o", &json, &"--csv-bom"], "--csv-bom: is about CSV"),
        (vec![&"-o", &json, &"-o", &csv, &"--cache", &csv], "--cache and --output name one file"),
    ] {
        let args = [&[&"check" as &dyn AsRef<_>, &file], &*args].concat();
        let text = error(&args);
        assert!(text.contains(said), "{text}");
        assert!(!json.exists() && !csv.exists());
    }
    fs::write(&json, "old").unwrap();
    let link = folder.path("link.json");
    fs::hard_link(&json, &link).unwrap();
    assert!(error(&[&"check", &file, &"-o", &json, &"-o", &link]).contains("are one place"));
    assert_eq!(fs::read_to_string(&json).unwrap(), "old");
    // A meaning in one of the formats is enough.
    let args: [&dyn AsRef<_>; 9] =
        [&"check", &file, &"-o", &csv, &"-o", &json, &"--csv-bom", &"--what-if", &"1,2"];
    run(1, &args);
    assert!(fs::read(&csv).unwrap().starts_with(b"\xef\xbb\xbfa,b,name_a"));
}

/// Three tests: two report the same pairs, one reports nothing.
const RULES: &str = "\
version = 1
[sets]
small = \"small*\"
absent = \"none*\"
[[test]]
name = \"all\"
a = \"*\"
severity = \"low\"
[[test]]
name = \"=small <&>\"
a = \"small\"
b = \"*\"
severity = \"critical\"
[[test]]
name = \"same\"
a = \"*\"
report = [\"same\"]
[[ignore]]
reason = \"`planned` | <b>\"
a = { name = \"small 2\" }
";

#[test]
fn junit_has_a_suite_for_each_test_and_a_case_for_each_group() {
    let folder = Folder::new();
    let names: Vec<String> = (0..14).map(|i| format!("<part> \"{i}\" & ]]>")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let file = cubes(&folder, &names, |i| (i != 5).then_some(0.25));
    let rules = folder.file("rules.toml", RULES);
    let xml = stdout(1, &[&"check", &file, &"--rules", &rules, &"--format", &"junit"]);
    // A group in each of two tests, and a test without findings.
    assert_eq!(counts(&xml), [3, 2, 0]);
    assert!(xml.contains("<testsuite name=\"=small &lt;&amp;&gt;\" tests=\"1\" failures=\"1\""), "{xml}");
    assert!(xml.contains("<testcase classname=\"same\" name=\"no findings\" time=\"0\"/>"), "{xml}");
    assert!(
        xml.contains(
            "<failure message=\"12 findings: volume up to 0.06250, separating distance up to 0.2500"
        ),
        "{xml}"
    );
    assert_eq!(xml.matches("and 2 more\n").count(), 2, "{xml}");
    assert!(xml.contains(
        "&lt;part&gt; &quot;0&quot; &amp; ]]&gt;, small 0: overlap, volume 0.06250, separating distance"
    ));
    assert!(!xml.contains("]]>"));
    // A case for each finding.
    let xml = stdout(1, &[&"check", &file, &"--rules", &rules, &"--ungrouped", &"--format", &"junit"]);
    assert_eq!(counts(&xml), [25, 24, 0]);
    // Without findings, and without rules.
    let clean = cubes(&folder, &["a", "b"], |_| None);
    assert_eq!(counts(&stdout(0, &[&"check", &clean, &"--format", &"junit"])), [1, 0, 0]);
}

#[test]
fn what_was_not_examined_is_an_error_of_junit() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b"], |_| Some(0.25));
    let (xml, md) = (folder.path("c.xml"), folder.path("c.md"));
    run(2, &[&"check", &file, &"--self", &"--time-limit", &"0", &"-o", &xml, &"-o", &md]);
    let xml = fs::read_to_string(&xml).unwrap();
    assert_eq!(counts(&xml), [2, 0, 2]);
    assert!(xml.contains("<error message=\"2 pairs of parts were not examined: the time was up\""), "{xml}");
    assert!(xml.contains("\na, small 0\nb, small 1\n</error>"), "{xml}");
    assert!(xml.contains("<error message=\"4 parts were not examined: the time was up\""), "{xml}");
    let md = fs::read_to_string(&md).unwrap();
    assert!(md.starts_with("## impinge: No findings so far, 2 pairs not examined\n"), "{md}");
    assert!(md.contains("### Not examined\n") && md.contains("\n| `a` | `small 0` |\n"), "{md}");
}

#[test]
fn markdown_holds_what_a_merge_request_needs() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a|b", "`<img>`", "@all *x*"], |_| Some(0.25));
    let rules = folder.file("rules.toml", RULES);
    let md = stdout(1, &[&"check", &file, &"--rules", &rules, &"--format", &"markdown"]);
    assert!(md.starts_with("## impinge: 4 findings in 2 groups (2 critical, 2 low)\n\n"), "{md}");
    assert!(
        md.contains("\n| `a\\|b` | `small 0` | overlap | critical | `=small <&>` | 2 | 0.06250 |"),
        "{md}"
    );
    assert!(md.contains("\n### Tests\n\nRules of `") && md.contains("\n### Ignored\n"), "{md}");
    assert!(md.contains("\n| `` `planned` \\| <b> `` | 18 | – | "), "{md}");
    assert!(md.contains("\n### Warnings\n\n- `") && md.contains("no part is in the set"), "{md}");
    let md = stdout(1, &[&"check", &file, &"--ungrouped", &"--format", &"markdown"]);
    assert!(md.contains("\n| `` `<img>` `` | `small 1` | overlap |"), "{md}");
    assert!(md.contains("\n| `@all *x*` | `small 2` | overlap |"), "{md}");
    let clean = cubes(&folder, &["a", "b"], |_| None);
    assert!(
        stdout(0, &[&"check", &clean, &"--format", &"markdown"]).starts_with("## impinge: No findings\n")
    );
}

#[test]
fn csv_has_a_row_for_each_finding_and_for_what_is_none() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b", "c", "d"], |i| Some([0.0, 0.25, 0.1, 0.25][i]));
    let rules = folder.file("rules.toml", RULES);
    let csv = stdout(1, &[&"check", &file, &"--rules", &rules, &"--format", &"csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(headings[headings.len() - 6..], ["counts", "test", "severity", "finding", "group", "status"]);
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let row = |row: &Vec<String>| [&row[..2], &row[8..9], &row[row.len() - 6..]].concat().join(" ");
    let rows: Vec<String> = rows.iter().map(row).collect();
    assert_eq!(
        rows,
        [
            // They touch, which no test reports.
            "0 1 touch false     ",
            "2 3 overlap true all low  1 ",
            "2 3 overlap true '=small <&> critical  0 ",
            // 4 and 5 are ignored.
            "6 7 overlap true all low  1 ",
            "6 7 overlap true '=small <&> critical  0 ",
        ]
    );
    // The groups are those of JSON.
    let json = json(1, &[&"check", &file, &"--rules", &rules, &"--format", &"json"]);
    let groups = json["groups"]["groups"].as_array().unwrap();
    assert_eq!([&groups[0]["test"], &groups[1]["test"]], [1, 0]);
    // A finding of a part with itself.
    let text = fs::read_to_string(&file).unwrap();
    let crossed = folder.file("crossed.obj", format!("{text}o twice\nf 1 2 3\nf 1 2 4\nf 2 1 7\n"));
    let csv = stdout(1, &[&"check", &crossed, &"--self", &"--format", &"csv"]);
    let own: Vec<&str> = csv.lines().filter(|line| line.starts_with("8,8,twice,twice,")).collect();
    assert!(own.len() == 1 && own[0].contains(",self,true,") && own[0].contains(",check,medium,,"), "{csv}");
}

#[test]
fn with_a_baseline_only_what_is_new_is_a_failure() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b"], |i| (i == 0).then_some(0.25));
    let baseline = folder.path("impinge.baseline.jsonl");
    let (xml, csv, md) = (folder.path("c.xml"), folder.path("c.csv"), folder.path("c.md"));
    let written = || [&xml, &csv, &md].map(|path| fs::read_to_string(path).unwrap());
    let check = |status, file: &PathBuf, more: &[&dyn AsRef<std::ffi::OsStr>]| {
        let args: [&dyn AsRef<std::ffi::OsStr>; 10] =
            [&"check", file, &"--baseline", &baseline, &"-o", &xml, &"-o", &csv, &"-o", &md];
        run(status, &[&args, more].concat());
        written()
    };
    let [xml, csv, md] = check(1, &file, &[&"--update-baseline"]);
    assert_eq!(counts(&xml), [1, 1, 0]);
    assert!(xml.contains(", new\n") && csv.trim_end().ends_with(",0,new"), "{xml}{csv}");
    assert!(
        md.starts_with("## impinge: 1 new or reopened finding\n") && md.contains("| overlap | new |"),
        "{md}"
    );
    // The same again: a finding that the baseline has.
    let [xml, again, md] = check(0, &file, &[]);
    assert_eq!(counts(&xml), [1, 0, 0]);
    assert!(xml.contains("name=\"no findings\"") && xml.contains("1 active"), "{xml}");
    assert!(again.trim_end().ends_with(",,active"), "{again}");
    assert!(md.starts_with("## impinge: No new or reopened findings\n"), "{md}");
    let id = |csv: &str| csv.lines().last().unwrap().rsplit(',').nth(2).unwrap().to_owned();
    assert!(!id(&csv).is_empty() && id(&csv) == id(&again));
}

#[test]
fn types_and_identifiers_of_parts_are_written() {
    use impinge::{Mesh, Pose};
    use impinge_io::{Assembly, Part};
    let folder = Folder::new();
    let mut assembly = Assembly::new();
    for (name, x) in [("wall", 0.0), ("=pipe", 0.5), ("floor", 3.0)] {
        let part = Part::new(
            name,
            std::path::Path::new("house.ifc"),
            Mesh::cuboid([1.0; 3]).unwrap(),
            Pose::from_translation([x, 0.0, 0.0]).unwrap(),
        );
        assembly.push(match name {
            "floor" => part,
            _ => part.with_guid(format!("guid of {name}")).with_class(format!("={name}")),
        });
    }
    let bundle = folder.path("house.impinge");
    impinge_io::save_bundle(&assembly, &bundle).unwrap();
    let plan = folder.path("plan");
    run(0, &[&"plan", &bundle, &"-o", &plan]);
    run(0, &[&"work", &plan, &"--all"]);
    let of = |format: &str| {
        let text = stdout(1, &[&"check", &bundle, &"--format", &format]);
        assert_eq!(stdout(1, &[&"merge", &plan, &"--format", &format]), text, "{format}");
        text
    };
    let parts = serde_json::from_str::<serde_json::Value>(&of("json")).unwrap()["parts"].clone();
    assert_eq!((&parts[0]["guid"], &parts[1]["type"]), (&"guid of wall".into(), &"==pipe".into()));
    assert!(parts[2].get("guid").is_none() && parts[2].get("type").is_none());
    let csv = of("csv");
    assert!(csv.lines().next().unwrap().ends_with(",status,type_a,type_b,guid_a,guid_b"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",'=wall,'==pipe,guid of wall,guid of =pipe"), "{csv}");
}
