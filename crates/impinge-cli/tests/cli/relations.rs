//! `impinge check`: what parts are to each other.
use crate::common::{Folder, json, run, stdout, words};
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) type Point = [f64; 3];

/// An OBJ file under construction.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) text: String,
    points: usize,
}

impl Parts {
    pub(crate) fn part(mut self, name: &str, points: &[Point], faces: &[[usize; 4]]) -> Self {
        writeln!(self.text, "o {name}").unwrap();
        for [x, y, z] in points {
            writeln!(self.text, "v {x} {y} {z}").unwrap();
        }
        for face in faces {
            let [a, b, c, d] = face.map(|k| k + 1 + self.points);
            writeln!(self.text, "f {a} {b} {c} {d}").unwrap();
        }
        self.points += points.len();
        self
    }
    /// A box, or the first so many of its faces.
    fn faces(self, name: &str, lo: Point, hi: Point, count: usize) -> Self {
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] });
        let all = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        self.part(name, &(0..8).map(corner).collect::<Vec<_>>(), &all[..count])
    }
    pub(crate) fn cuboid(self, name: &str, lo: Point, hi: Point) -> Self {
        self.faces(name, lo, hi, 6)
    }
    /// A square in a plane z = const.
    pub(crate) fn sheet(self, name: &str, [x, y, z]: Point, size: f64) -> Self {
        let corners = [[x, y, z], [x + size, y, z], [x + size, y + size, z], [x, y + size, z]];
        self.part(name, &corners, &[[0, 1, 2, 3]])
    }
}

/// A block with one part in each relation to it, each pair far from the others.
fn all_relations() -> Parts {
    Parts::default()
        .cuboid("block", [0.0; 3], [10.0, 10.0, 10.0])
        .cuboid("beside", [10.0, 0.0, 0.0], [11.0, 1.0, 1.0])
        .cuboid("core", [1.0, 1.0, 1.0], [2.0, 2.0, 2.0])
        .cuboid("foot", [5.0, 5.0, 0.0], [6.0, 6.0, 1.0])
        .cuboid("bar", [8.0, 8.0, 8.0], [12.0, 9.0, 9.0])
        .cuboid("copy", [0.0; 3], [10.0, 10.0, 10.0])
        .sheet("flap", [-1.0, 3.0, 3.0], 2.0)
        .sheet("leaf", [3.0, 7.0, 3.0], 1.0)
        .sheet("one", [20.0, 0.0, 0.0], 2.0)
        .part(
            "two",
            &[[21.0, 1.0, -1.0], [21.0, 1.0, 1.0], [23.0, 1.0, 1.0], [23.0, 1.0, -1.0]],
            &[[0, 1, 2, 3]],
        )
}

fn named<'a>(report: &'a Value, [a, b]: [&str; 2]) -> Option<&'a Value> {
    let name = |i: &Value| report["parts"][i.as_u64().unwrap() as usize]["name"].as_str().unwrap();
    report["clashes"].as_array().unwrap().iter().find(|c| name(&c["a"]) == a && name(&c["b"]) == b)
}

#[test]
fn every_relation_is_named() {
    let folder = Folder::new();
    let file = folder.file("all.obj", all_relations().text);
    let report = json(1, &[&"check", &file, &"--format", &"json"]);
    for (pair, relation, touching, rule) in [
        (["block", "beside"], "touch", true, json!(["nonzero", "nonzero"])),
        (["block", "core"], "contains", false, json!(["nonzero", "nonzero"])),
        (["block", "foot"], "contains", true, json!(["nonzero", "nonzero"])),
        (["block", "bar"], "overlap", true, json!(["nonzero", "nonzero"])),
        (["block", "copy"], "duplicate", true, json!(["nonzero", "nonzero"])),
        (["block", "flap"], "pierce", true, json!(["nonzero", null])),
        (["block", "leaf"], "surface_inside", false, json!(["nonzero", null])),
        (["core", "copy"], "inside", false, json!(["nonzero", "nonzero"])),
        (["one", "two"], "meet", true, json!([null, null])),
    ] {
        let clash = named(&report, pair).unwrap_or_else(|| panic!("{pair:?}: {report}"));
        assert_eq!(clash["relation"], relation, "{pair:?}");
        assert_eq!((&clash["touching"], &clash["rule"]), (&json!(touching), &rule), "{pair:?}");
        assert_eq!(clash["triangle_pairs"] != 0, touching, "{clash}");
    }
    // Inside the one that is inside.
    assert_eq!(named(&report, ["block", "core"]).unwrap()["point"], json!([1.0, 1.0, 1.0]));
    assert_eq!(
        report["parts"][0]["solid"],
        json!({"status": "closed", "rule": "nonzero", "edges": 0, "holes": 0, "at": null, "width": null})
    );
    let one = &report["parts"][8]["solid"];
    assert_eq!((&one["status"], &one["rule"], &one["edges"]), (&json!("open"), &json!(null), &json!(4)));
    assert_eq!(one["at"].as_array().unwrap().len(), 3);

    // Counts add up.
    let coverage = &report["coverage"];
    let of = |name: &str| coverage[name].as_u64().unwrap();
    let relations = coverage["relations"].as_object().unwrap();
    assert_eq!(relations.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), of("tested"));
    assert_eq!(
        of("clashing") + of("inside_without_contact") + relations["apart"].as_u64().unwrap(),
        of("tested")
    );
    assert_eq!(
        of("clashing") + of("inside_without_contact"),
        report["clashes"].as_array().unwrap().len() as u64
    );
    assert_eq!(
        of("findings"),
        of("clashing") + of("inside_without_contact") - relations["touch"].as_u64().unwrap()
    );
    assert_eq!(of("not_closed"), 4);
}

#[test]
fn the_table_lists_what_counts_and_the_exit_status_says_whether_anything_does() {
    let folder = Folder::new();
    let touching =
        Parts::default().cuboid("a", [0.0; 3], [1.0; 3]).cuboid("b", [1.0, 0.0, 0.0], [2.0, 1.0, 1.0]);
    let touching = folder.file("touching.obj", touching.text);
    let table = stdout(0, &[&"check", &touching]);
    let said =
        "Findings 0 nothing that counts Pairs 1 1 with overlapping boxes, all tested Tested 1 1 touch;";
    assert!(words(&table).contains(said), "{table}");
    assert!(!table.contains("─"), "{table}");
    let shown = stdout(0, &[&"check", &touching, &"--show", &"touch"]);
    assert!(shown.lines().any(|line| line.starts_with("a     b           touch")), "{shown}");
    let counted = stdout(1, &[&"check", &touching, &"--report", &"touch"]);
    assert!(counted.lines().any(|line| line.starts_with("a     b           touch")), "{counted}");
    assert!(!counted.contains("nothing that counts"));
    run(1, &[&"check", &touching, &"--report", &"overlap,all"]);
    run(0, &[&"check", &touching, &"--report", &"overlap,inside,duplicate,pierce,surface-inside,meet"]);
    run(1, &[&"check", &touching, &"--surfaces"]);
    run(2, &[&"check", &touching, &"--surfaces", &"--report", &"touch"]);
    run(2, &[&"check", &touching, &"--report", &"near"]);
    // CSV holds them anyway.
    run(0, &[&"check", &touching, &"--show", &"touch", &"-o", &folder.path("c.csv")]);

    let file = folder.file("all.obj", all_relations().text);
    let table = stdout(1, &[&"check", &file, &"--ungrouped"]);
    let place = |text: &str| {
        table.lines().position(|line| line.starts_with(text)).unwrap_or_else(|| panic!("{text}: {table}"))
    };
    // The inner part first, the surface first. The largest first: by volume, of surfaces by the cube of the
    // shift that takes them out.
    let order = ["block  copy", "leaf   block", "block  bar", "flap   block", "core   block", "one    two"]
        .map(place);
    assert!(order.is_sorted(), "{table}");
    assert!(!table.lines().any(|line| line.contains("touch ")), "{table}");
    assert!(words(&table).contains("Not closed 4 flap, leaf, one, ...: no solids; "), "{table}");
    let only = stdout(1, &[&"check", &file, &"--report", &"duplicate"]);
    assert_eq!(only.lines().filter(|line| line.starts_with("block")).count(), 1, "{only}");
}

#[test]
fn csv_has_the_relation() {
    let folder = Folder::new();
    let file = folder.file("all.obj", all_relations().text);
    let csv = stdout(1, &[&"check", &file, &"--format", &"csv"]);
    assert!(
        csv.starts_with("a,b,name_a,name_b,triangle_pairs,x,y,z,relation,touching,overlap_volume_lo,"),
        "{csv}"
    );
    // A touching pair has no depth: empty cells.
    let touch = csv.lines().find(|line| line.starts_with("0,1,block,beside,")).unwrap();
    assert!(touch.ends_with("touch,true,,,,,,,,,,,false,,,,,"), "{touch}");
    assert!(
        csv.lines().any(|line| line.starts_with("0,2,block,core,0,1.0,1.0,1.0,contains,false,0.99")),
        "{csv}"
    );
}

#[test]
fn surfaces_alone_are_as_they_were() {
    let folder = Folder::new();
    let file = folder.file("all.obj", all_relations().text);
    let report = json(1, &[&"check", &file, &"--surfaces", &"--format", &"json"]);
    assert!(named(&report, ["block", "core"]).is_none(), "inside without touching");
    let touch = named(&report, ["block", "beside"]).unwrap();
    let keys: Vec<&String> = touch.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["a", "b", "counts", "point", "triangle_pairs"]);
    let keys: Vec<&String> = report["coverage"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["boxes_overlap", "clashing", "part_pairs", "parts", "tested", "triangle_pairs"]);
    assert!(report["parts"][0].get("solid").is_none());
    let csv = stdout(1, &[&"check", &file, &"--surfaces", &"--format", &"csv"]);
    assert!(
        csv.starts_with("a,b,name_a,name_b,triangle_pairs,x,y,z,counts,test,severity,finding,group,status\n"),
        "{csv}"
    );
}

#[test]
fn which_points_are_inside_can_be_chosen() {
    let folder = Folder::new();
    // A part of two shells that overlap, and one where they do.
    let mut parts = Parts::default().cuboid("twice", [0.0; 3], [4.0; 3]);
    let corners = |lo: f64, hi: f64| {
        (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo } else { hi })).collect::<Vec<Point>>()
    };
    // The part goes on: no new `o`.
    for [x, y, z] in corners(1.0, 5.0) {
        writeln!(parts.text, "v {x} {y} {z}").unwrap();
    }
    for face in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
        let [a, b, c, d] = face.map(|k| k + 9);
        writeln!(parts.text, "f {a} {b} {c} {d}").unwrap();
    }
    parts.points += 8;
    let parts = parts.cuboid("core", [2.0; 3], [3.0; 3]);
    let file = folder.file("twice.obj", parts.text);
    let relation = |rule: &str, status: i32| {
        let report = json(status, &[&"check", &file, &"--fill-rule", &rule, &"--format", &"json"]);
        report["clashes"].as_array().unwrap().first().map(|clash| clash["relation"].clone())
    };
    assert_eq!(relation("nonzero", 1), Some(json!("contains")));
    assert_eq!(relation("positive", 1), Some(json!("contains")));
    assert_eq!(relation("even-odd", 0), None);
}

#[test]
fn how_deep_it_is() {
    let folder = Folder::new();
    let file = folder.file("all.obj", all_relations().text);
    let report = json(1, &[&"check", &file, &"--format", &"json"]);
    let bar = named(&report, ["block", "bar"]).unwrap();
    let volume: Vec<f64> =
        bar["overlap_volume"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    assert!(volume[0] <= 2.0 && 2.0 <= volume[1] && volume[1] - volume[0] < 1e-9, "{bar}");
    // A corner at (8, 8, 8) is 2 deep; to the side of three faces it goes out by 2.
    assert!((bar["depth_at_least"].as_f64().unwrap() - 2.0).abs() < 1e-9, "{bar}");
    let by: Vec<f64> =
        bar["separating_translation"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    assert_eq!(by.iter().map(|t| t.abs()).sum::<f64>(), 2.0, "{bar}");
    assert!(bar.get("shallow").is_none());
    let flap = named(&report, ["block", "flap"]).unwrap();
    assert!(flap["overlap_volume"].is_null() && flap["depth_at_least"].is_null(), "{flap}");
    assert!(flap["separating_translation"].is_array(), "{flap}");
    assert!(named(&report, ["block", "beside"]).unwrap().get("overlap_volume").is_none());
    // With `--depth none`, or where a pair does not count, it has no depth; `--depth all` adds it.
    let none = json(1, &[&"check", &file, &"--depth", &"none", &"--format", &"json"]);
    assert!(named(&none, ["block", "bar"]).unwrap().get("overlap_volume").is_none());
    let only = ["check", file.to_str().unwrap(), "--report", "duplicate", "--format", "json"];
    let only: Vec<&dyn AsRef<std::ffi::OsStr>> = only.iter().map(|word| word as &dyn AsRef<_>).collect();
    assert!(named(&json(1, &only), ["block", "bar"]).unwrap().get("overlap_volume").is_none());
    let all = json(1, &[&only[..], &[&"--depth", &"all"]].concat());
    let mut other = named(&all, ["block", "bar"]).unwrap().clone();
    assert_eq!(other["counts"], json!(false));
    other["counts"] = json!(true);
    assert_eq!(&other, bar);
}

#[test]
fn what_is_shallow_is_listed_apart_and_does_not_count() {
    let folder = Folder::new();
    let parts = Parts::default()
        .cuboid("slab", [0.0; 3], [10.0, 10.0, 1.0])
        .cuboid("sunk", [1.0, 1.0, 0.75], [2.0, 2.0, 2.0])
        .cuboid("deep", [5.0, 5.0, 0.25], [6.0, 6.0, 2.0]);
    let file = folder.file("slab.obj", parts.text);
    let counts = |tolerance: &str, status: i32| {
        let report = json(status, &[&"check", &file, &"--tolerance", &tolerance, &"--format", &"json"]);
        assert_eq!(report["clashes"].as_array().unwrap().len(), 2, "never dropped");
        let shallow = |pair| named(&report, pair).unwrap()["shallow"].as_bool().unwrap();
        let each = [shallow(["slab", "sunk"]), shallow(["slab", "deep"])];
        let coverage = &report["coverage"];
        assert_eq!(coverage["relations"]["overlap"], 2);
        (each, coverage["findings"].as_u64().unwrap(), coverage["shallow"].as_u64().unwrap())
    };
    assert_eq!(counts("0", 1), ([false, false], 2, 0));
    assert_eq!(counts("0.2499999999999999", 1), ([false, false], 2, 0));
    // At most: equal is shallow.
    assert_eq!(counts("0.25", 1), ([true, false], 1, 1));
    assert_eq!(counts("0.75", 0), ([true, true], 0, 2));
    let table = stdout(1, &[&"check", &file, &"--tolerance", &"0.3"]);
    let place = |text: &str| table.find(text).unwrap_or_else(|| panic!("{text}: {table}"));
    let [deep, shallow, sunk] = ["slab  deep", "Shallow: at most 0.3 deep", "slab  sunk"].map(place);
    assert!(deep < shallow && shallow < sunk, "{table}");
    assert!(words(&table).contains("Shallow 1 within the tolerance of 0.3: not counted"), "{table}");
    assert!(stdout(0, &[&"check", &file, &"--tolerance", &"1"]).contains("nothing that counts"));
    for wrong in ["-1", "nan", "inf", "thick"] {
        run(2, &[&"check", &file, &format!("--tolerance={wrong}")]);
    }
    run(2, &[&"check", &file, &"--tolerance", &"1", &"--depth", &"none"]);
    run(2, &[&"check", &file, &"--tolerance", &"1", &"--surfaces"]);
}
