//! Clash lists of other programs, judged.
use crate::common::{Folder, error, json, stdout};

/// Cubes along x: `a` and `b` overlap, `b` and `c` touch, `d` is apart.
fn models(folder: &Folder) -> std::path::PathBuf {
    let mut text = String::new();
    for (i, (name, x)) in [("a", 0.0), ("b", 0.5), ("c", 1.5), ("d", 4.0)].into_iter().enumerate() {
        text += &format!("o {name}\n");
        for k in 0..8 {
            let [dx, y, z] = [0, 1, 2].map(|axis| f64::from(k >> axis & 1));
            text += &format!("v {} {y} {z}\n", x + dx);
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let [a, b, c, d] = face.map(|corner| 8 * i + corner + 1);
            text += &format!("f {a} {b} {c} {d}\n");
        }
    }
    folder.file("row.obj", text)
}

fn clashes(pairs: &[[&str; 2]]) -> String {
    let clash = |(i, [a, b]): (usize, &[&str; 2])| {
        format!(r#""{i}": {{"a_global_id": "{a}", "b_global_id": "{b}", "type": "pierce"}}"#)
    };
    let clashes: Vec<String> = pairs.iter().enumerate().map(clash).collect();
    format!(r#"[{{"name": "all", "clashes": {{{}}}}}]"#, clashes.join(", "))
}

/// A topic of BCF is a group of findings, and shows one of them.
#[test]
fn bcf_of_a_check_names_all_of_its_findings() {
    let folder = Folder::new();
    let row = models(&folder);
    // Parts of the same names in a second file, each equal to one of the first and in its neighbour.
    let both = folder.file("both.obj", std::fs::read(&row).unwrap());
    let own = folder.path("own.bcf");
    stdout(1, &[&"check", &row, &both, &"-o", &own]);
    let judged = json(0, &[&"judge", &own, &row, &both, &"--format", &"json"]);
    let entries = judged["entries"].as_array().unwrap();
    assert!(!entries.is_empty() && entries.iter().all(|entry| entry["verdict"] == "overlap"), "{judged}");
    // A topic that was removed is missing again.
    let judged =
        json(1, &[&"judge", &folder.file("none.json", clashes(&[])), &row, &both, &"--format", &"json"]);
    assert!(judged["missing"].as_array().unwrap().len() > entries.len(), "{judged}");
}

#[test]
fn a_list_is_judged_entry_by_entry() {
    let folder = Folder::new();
    let row = models(&folder);
    let list = folder.file("list.json", clashes(&[["b", "c"], ["a", "d"], ["a", "x"]]));
    let table = stdout(1, &[&"judge", &list, &row]);
    assert!(table.contains("\nEntries  3   of ifcclash: 1 touch, 1 apart, 1 unknown\n"), "{table}");
    assert!(
        table.ends_with("\nMissing  1   findings that no entry of the list names\n")
            && table.lines().filter(|line| !line.contains(".json")).all(|line| line.chars().count() <= 80),
        "{table}"
    );
    assert!(
        table.contains("\nEntries that are no overlap:\n") && table.contains("\nMissing in the list:\n"),
        "{table}"
    );
    let judged = json(1, &[&"judge", &list, &row, &"--format", &"json"]);
    let verdicts: Vec<_> =
        judged["entries"].as_array().unwrap().iter().map(|one| one["verdict"].clone()).collect();
    assert_eq!(verdicts, ["touch", "apart", "unknown"]);
    let gap = judged["entries"][1]["pairs"][0]["distance"][1].as_f64().unwrap();
    assert!((gap - 3.0).abs() < 1e-9, "{gap}");
    assert_eq!(judged["entries"][2]["absent"][0], "x");
    assert_eq!(judged["missing"][0]["parts"][1]["name"], "b");
    // A list that agrees.
    let list = folder.file("same.json", clashes(&[["b", "a"]]));
    let table = stdout(0, &[&"judge", &list, &row]);
    assert!(table.ends_with("\nEntries  1   of ifcclash: 1 overlap\nMissing  0\n"), "{table}");
    // A pair that a rule ignores is not missing.
    let list = folder.file("none.json", clashes(&[]));
    stdout(1, &[&"judge", &list, &row]);
    stdout(0, &[&"judge", &list, &row, &"--ignore", &"a,b"]);
    // Parts without a GlobalId: BCF of `check` names them by path.
    let own = folder.path("own.bcf");
    stdout(1, &[&"check", &row, &"-o", &own]);
    let judged = json(0, &[&"judge", &own, &row, &"--format", &"json"]);
    let parts: Vec<_> =
        (0..2).map(|i| judged["entries"][0]["pairs"][0]["parts"][i]["name"].clone()).collect();
    assert_eq!((judged["entries"].as_array().unwrap().len(), parts), (1, vec!["a".into(), "b".into()]));
    let said = error(&[&"judge", &folder.path("none.bcf"), &row]);
    assert!(said.contains("none.bcf: No such file"), "{said}");
    let said = error(&[&"judge", &row, &row]);
    assert!(said.contains("row.obj: is no clash list"), "{said}");
}
