//! `impinge robot`: trajectories, edges between configurations, lists of disabled pairs, errors.
use crate::common::{Folder, error, json, stdout, words};
use serde_json::Value;
use std::{fs, path::PathBuf};

/// An arm that turns about z in the plane z = 0: two rods of length 1, each with a ball at its end, and a
/// post at (0, -1, 0). The third link has no shape.
const ARM: &str = r#"<robot name="arm">
<link name="base"><collision><origin xyz="0 -1 0"/>
<geometry><sphere radius="0.25"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="1 0 0"/>
<geometry><sphere radius="0.125"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="1 0 0"/>
<geometry><sphere radius="0.125"/></geometry></collision></link>
<link name="tip"/>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
<origin xyz="1 0 0"/><axis xyz="0 0 1"/>
<limit lower="-3.2" upper="3.2" effort="1" velocity="1"/></joint>
<joint name="wrist" type="fixed"><parent link="lower"/><child link="tip"/></joint>
</robot>
"#;

fn files(folder: &Folder) -> PathBuf {
    folder.file("arm.urdf", ARM)
}

#[test]
fn configurations_of_a_trajectory() {
    let folder = Folder::new();
    let urdf = files(&folder);
    // The lower ball is at (1, 1), (1, -1), (0, -2) and (-1, -1).
    let quarter = std::f64::consts::FRAC_PI_2;
    let text = format!(
        "# shoulder elbow\n0 {quarter}\n0, -{quarter}\n-{quarter} 0.0\n{} {quarter}\n",
        -2.0 * quarter
    );
    let rows = folder.file("q.txt", &text);
    let common: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"robot", &"check", &urdf, &"--trajectory", &rows, &"--format", &"json"];
    // The upper ball belongs to the link beside the base, and is not tested against the post.
    let report = json(0, &common);
    assert_eq!([&report["configurations"], &report["pairs"], &report["colliding"]], [4, 1, 0], "{report}");
    // At (1, -1) the ball is 1 - 0.375 from the post.
    let near = json(1, &[&common[..], &[&"--margin", &"626mm"]].concat());
    assert!(near["collisions"][0]["configuration"] == 1, "{near}");
    // Columns by name, in JSON and CSV.
    let named = folder.file(
        "q.json",
        format!(
            r#"{{"joint_names": ["elbow", "shoulder"], "points": [{{"positions": [{quarter}, {quarter}]}}]}}"#
        ),
    );
    let csv = folder.file("q.csv", format!("elbow,shoulder\n{quarter},{quarter}\n"));
    for file in [&named, &csv] {
        let report = json(0, &[&"robot", &"check", &urdf, &"--trajectory", file, &"--format", &"json"]);
        assert_eq!(report["configurations"], 1, "{report}");
    }
}

/// The lower ball passes the post between two configurations that are both clear.
#[test]
fn edges_find_what_configurations_miss() {
    let folder = Folder::new();
    let urdf = files(&folder);
    // Folded to 60 degrees, both rods and the axis are a triangle of sides 1: the ball is 1 from the axis.
    let elbow = 2.0 * std::f64::consts::PI / 3.0;
    let rows = folder.file("q.txt", format!("-3.5 {elbow}\n-1.5 {elbow}\n-1.4 {elbow}\n"));
    let common: [&dyn AsRef<std::ffi::OsStr>; 5] = [&"robot", &"check", &urdf, &"--trajectory", &rows];
    let report = json(0, &[&common[..], &[&"--format", &"json"]].concat());
    assert!(report["colliding"] == 0 && report.get("edges").is_none(), "{report}");
    let report = json(1, &[&common[..], &[&"--continuous", &"--format", &"json"]].concat());
    let edges = report["edges"].as_array().unwrap();
    assert!(edges.len() == 1 && edges[0]["edge"] == 0 && edges[0]["result"] == "contact", "{report}");
    assert_eq!(edges[0]["links"], Value::from(vec!["base", "lower"]));
    // The ball meets the post where their centres are 0.375 apart: at an angle of 2 asin(0.1875) before the
    // post's. The ball is 60 degrees ahead of the upper rod.
    let angle = -std::f64::consts::FRAC_PI_2 - 2.0 * 0.1875_f64.asin() - elbow / 2.0;
    let exact = (angle + 3.5) / 2.0;
    let [free, meets] = ["free_until", "meets_at"].map(|name| edges[0][name].as_f64().unwrap());
    assert!(free <= exact && exact <= meets + 1e-12 && meets - free < 1e-8, "{free} {exact} {meets}");
    let said = words(&stdout(1, &[&common[..], &[&"--continuous"]].concat()));
    assert!(said.contains("1 of 2 edges with contact."), "{said}");
    // A plate that both configurations miss.
    let plate = folder.file("plate.obj", "v 0.5 -9 -9\nv 0.5 9 -9\nv 0.5 0 9\nf 1 2 3\n");
    let short = folder.file("short.txt", "2 0\n-1 0\n");
    let report = json(
        1,
        &[
            &"robot",
            &"check",
            &urdf,
            &"--trajectory",
            &short,
            &"--obstacle",
            &plate,
            &"--continuous",
            &"--format",
            &"json",
        ],
    );
    assert_eq!(report["edges"][0]["links"][1], "plate.obj", "{report}");
}

/// A page has a picture of the first contact of each pair of links, and all findings as text.
#[test]
fn pages_and_pictures() {
    let folder = Folder::new();
    let urdf = folder.file("arm.urdf", ARM.replace("\"lower\"", "\"&lt;lower\""));
    let elbow = 2.0 * std::f64::consts::PI / 3.0;
    // The ball passes the post on both edges; the third configuration is in it.
    let rows = folder.file("q.txt", format!("-3.5 {elbow}\n-1.5 {elbow}\n-2.6 {elbow}\n"));
    let [page, picture] = ["c.html", "c.png"].map(|name| folder.path(name));
    for file in [&page, &picture] {
        let said =
            stdout(1, &[&"robot", &"check", &urdf, &"--trajectory", &rows, &"--continuous", &"-o", file]);
        assert!(words(&said).contains("2 of 2 edges with contact."), "{said}");
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("default-src 'none'"), "{page:.2000}");
    assert!(page.matches("<img ").count() == 1 && page.contains("base, &lt;lower: edge 0"), "{page:.2000}");
    assert!(page.matches("<td>base</td><td>&lt;lower</td>").count() == 3 && !page.contains("<lower"));
    assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    // A trajectory that is clear has no picture, and an old one is not left behind as if it were its.
    let clear = folder.file("clear.txt", "0 0\n");
    let page = folder.path("clear.html");
    stdout(0, &[&"robot", &"check", &urdf, &"--trajectory", &clear, &"-o", &page]);
    assert!(!fs::read_to_string(page).unwrap().contains("<img "));
    let message = error(&[&"robot", &"check", &urdf, &"--trajectory", &clear, &"-o", &folder.path("d.png")]);
    assert!(message.contains("d.png: nothing collides, so there is no picture"), "{message}");
    assert!(!folder.path("d.png").exists());
}

#[test]
fn disabled_pairs_that_collide() {
    let folder = Folder::new();
    let urdf = files(&folder);
    let pairs = [
        ("base", "lower", "Never"),
        ("base", "upper", "Adjacent"),
        ("tip", "base", "Never"),
        ("no", "base", "Never"),
    ];
    let listed: String = pairs
        .iter()
        .map(|(a, b, reason)| {
            format!("<disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>\n")
        })
        .collect();
    let srdf = folder.file("arm.srdf", format!("<robot name=\"arm\">\n{listed}</robot>"));
    let report = json(1, &[&"robot", &"lint", &urdf, &srdf, &"--samples", &"2000", &"--format", &"json"]);
    assert_eq!((&report["wrong"], &report["samples"]), (&1.into(), &2000.into()));
    let uses: Vec<_> =
        report["pairs"].as_array().unwrap().iter().map(|pair| pair["use"].as_str().unwrap()).collect();
    assert_eq!(uses, ["moving", "joined", "no shape", "unknown"]);
    // The configuration shows it: a check of this configuration alone finds the pair.
    let found = &report["pairs"][0]["configuration"];
    let [shoulder, elbow] = ["shoulder", "elbow"].map(|name| found[name].as_f64().unwrap());
    let rows = folder.file("q.txt", format!("{shoulder} {elbow}\n"));
    let check = json(1, &[&"robot", &"check", &urdf, &"--trajectory", &rows, &"--format", &"json"]);
    assert_eq!(check["collisions"][0]["links"][0], Value::from(vec!["base", "lower"]));
    // The pair is not tested where the SRDF disables it.
    let check =
        json(0, &[&"robot", &"check", &urdf, &"--srdf", &srdf, &"--trajectory", &rows, &"--format", &"json"]);
    assert_eq!(check["pairs"], 0);
    let said = stdout(1, &[&"robot", &"lint", &urdf, &srdf]);
    assert!(
        said.contains("base, lower (Never)\n  collide in sample ") && said.contains("shoulder="),
        "{said}"
    );
    assert!(words(&said).contains("1 of 1 pair disabled that move against each other is wrong"), "{said}");
    // The tip has a ball that is seen, and no shape that covers it.
    let seen = "<link name=\"tip\"><visual><geometry><sphere radius=\"0.5\"/></geometry></visual></link>";
    let seen = folder.file("seen.urdf", ARM.replace("<link name=\"tip\"/>", seen));
    let report = json(1, &[&"robot", &"lint", &seen, &srdf, &"--cover", &"--format", &"json"]);
    assert_eq!((&report["wrong"], &report["cover"]["links"][0]["link"]), (&1.into(), &"tip".into()));
    assert_eq!(report["cover"]["links"][0]["covered"], false, "{report}");
    let said = words(&stdout(1, &[&"robot", &"lint", &seen, &srdf, &"--cover"]));
    assert!(said.contains("1 of 1 link not covered. 1 link has no shape."), "{said}");
    // Another reason is a purpose; the same samples on any number of threads.
    for reason in ["Default", "Default: 3 of 2000 samples", "Always"] {
        let text = fs::read_to_string(&srdf).unwrap().replace("Never", reason);
        let meant = folder.file("meant.srdf", text);
        let said = words(&stdout(0, &[&"robot", &"lint", &urdf, &meant]));
        assert!(said.contains("1 other pair collides, as the stated reason allows."), "{said}");
    }
    let one = stdout(1, &[&"robot", &"lint", &urdf, &srdf, &"--threads", &"1", &"--format", &"json"]);
    let two = stdout(1, &[&"robot", &"lint", &urdf, &srdf, &"--threads", &"2", &"--format", &"json"]);
    assert_eq!(one, two);
}

/// The written file disables what needs no check, and lint finds nothing wrong with it.
#[test]
fn a_matrix_that_is_written() {
    let folder = Folder::new();
    // A fourth link with a ball that no configuration brings to the post.
    let far = "<link name='far'><collision><origin xyz='0 5 0'/><geometry><sphere radius='0.1'/></geometry>\
               </collision></link><joint name='turn' type='revolute'><parent link='tip'/><child link='far'/>\
               <axis xyz='0 0 1'/><limit lower='-0.1' upper='0.1' effort='1' velocity='1'/></joint>";
    let urdf = folder.file("far.urdf", ARM.replace("</robot>", &format!("{far}</robot>")));
    let srdf = folder.path("far.srdf");
    let said = words(&stdout(0, &[&"robot", &"acm", &urdf, &"--prove", &"-o", &srdf, &"--samples", &"2000"]));
    assert!(said.contains("adjacent 3") && said.contains("never 2") && said.contains("tested 1"), "{said}");
    let text = fs::read_to_string(&srdf).unwrap();
    assert!(
        text.contains("Never: proved with") && !text.contains("link1=\"base\" link2=\"lower\""),
        "{text}"
    );
    stdout(0, &[&"robot", &"lint", &urdf, &srdf]);
}

#[test]
fn errors_of_robots() {
    let folder = Folder::new();
    let urdf = files(&folder);
    let wrong = folder.file("wrong.txt", "0 0\n0 0 0\n");
    let text = folder.file("text.txt", "0 0\n1 x\n");
    let named = folder.file("named.csv", "shoulder,other\n0,0\n");
    let empty = folder.file("empty.txt", "# nothing\n");
    for (file, expected) in [
        (&wrong, "wrong.txt: row 2: 3 numbers, where the robot has 2 joints that move"),
        (&text, "text.txt: line 2: not numbers"),
        (&named, "named.csv: it has no column for the joint elbow"),
        (&empty, "empty.txt: there is no configuration in it"),
    ] {
        let message = error(&[&"robot", &"check", &urdf, &"--trajectory", file]);
        assert!(message.contains(expected), "{message}");
    }
    let floating = folder.file("f.urdf", ARM.replace("continuous", "floating"));
    let message = error(&[&"robot", &"check", &floating, &"--trajectory", &wrong]);
    assert!(message.contains("f.urdf:") && message.contains("floating"), "{message}");
}
