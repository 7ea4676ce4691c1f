//! The HTML report. Its script runs in the tests of `crates/impinge-report/browser`.
use crate::{
    common::{Folder, error, json, run},
    formats::cubes,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path};

/// The contents of the element of this id, which is a script.
fn script<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">")).unwrap_or_else(|| panic!("no {id}"));
    rest.split("</script>").next().unwrap()
}

fn data(page: &str) -> Value {
    serde_json::from_str(script(page, "data")).unwrap()
}

/// The numbers of the meshes that the page has.
fn meshes(page: &str) -> BTreeSet<u64> {
    let lines = script(page, "meshes").lines().filter(|line| !line.is_empty());
    lines.map(|line| line.split_once(' ').unwrap().0.parse().unwrap()).collect()
}

fn page(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The page has what JSON has, of the same run.
#[test]
fn the_page_is_a_view_of_the_findings() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b", "c"], |i| (i < 2).then_some(0.1 + 0.1 * i as f64));
    let (html, other) = (folder.path("c.html"), folder.path("c.json"));
    run(1, &[&"check", &file, &"--unit", &"m", &"-o", &html, &"-o", &other]);
    let (page, json) = (page(&html), json(1, &[&"check", &file, &"--unit", &"m", &"--format", &"json"]));
    let data = data(&page);
    assert_eq!(
        (&data["unit"], &data["has_meshes"], &data["baseline"]),
        (&json!("m"), &json!(true), &json!(null))
    );
    assert_eq!(data["coverage"], json["coverage"]);
    assert_eq!(data["tests"], json["tests"]);
    for list in ["parts", "findings"] {
        assert_eq!(data[list].as_array().unwrap().len(), json[list].as_array().unwrap().len(), "{list}");
    }
    for (group, known) in
        data["groups"].as_array().unwrap().iter().zip(json["groups"]["groups"].as_array().unwrap())
    {
        assert_eq!(group["findings"], known["findings"]);
    }
    for (finding, clash) in
        data["findings"].as_array().unwrap().iter().zip(json["clashes"].as_array().unwrap())
    {
        assert_eq!((&finding["kind"], &finding["point"]), (&clash["relation"], &clash["point"]));
        assert_eq!(finding["sizes"][0], clash["overlap_volume"][0]);
    }
    // Keys of links differ, and do not depend on the order of runs.
    let keys = |data: &Value| -> Vec<String> {
        let all = data["findings"].as_array().unwrap();
        all.iter().map(|finding| finding["key"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(keys(&data).iter().collect::<BTreeSet<_>>().len(), 2);
    let again = folder.path("again.html");
    run(1, &[&"check", &file, &"--unit", &"m", &"-o", &again]);
    assert_eq!(self::page(&again), page);
    // Nothing is requested, and the policy permits the page's own script alone.
    assert!(page.contains("default-src 'none'; script-src 'sha256-"), "no policy");
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("src="));
}

/// A small cube enters a large one through a face: the curve is a square with sides of 0.5.
#[test]
fn curves_are_where_surfaces_meet() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a"], |_| Some(0.1));
    let html = folder.path("c.html");
    run(1, &[&"check", &file, &"-o", &html]);
    let data = data(&page(&html));
    let finding = &data["findings"][0];
    let (mut length, mut corners) = (0.0, 0);
    for line in finding["contact"]["curves"].as_array().unwrap() {
        let numbers: Vec<f64> = line.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let points: Vec<&[f64]> = numbers.chunks(3).collect();
        for pair in points.windows(2) {
            length += (0..3).map(|k| (pair[1][k] - pair[0][k]).powi(2)).sum::<f64>().sqrt();
        }
        // All of it lies in the face x = 1.
        let x = finding["point"][0].as_f64().unwrap();
        assert!(points.iter().all(|point| (point[0] + x - 1.0).abs() < 1e-6), "{points:?}");
        corners += points.len();
    }
    assert!((length - 2.0).abs() < 1e-6 && corners > 4, "{length}, {corners}");
}

#[test]
fn names_are_text() {
    let folder = Folder::new();
    let names = [
        "</script><script>alert(1)</script>",
        "<!--",
        "\"'&amp;",
        "\u{2028}",
        "\u{202e}x",
        "{script}{meshes}",
    ];
    let file = cubes(&folder, &names, |i| Some(0.1 + 0.01 * i as f64));
    let html = folder.path("c.html");
    run(1, &[&"check", &file, &"-o", &html]);
    let page = page(&html);
    let data = data(&page);
    let found: Vec<&str> =
        data["parts"].as_array().unwrap().iter().filter_map(|part| part["name"].as_str()).collect();
    for name in ["</script><script>alert(1)</script>", "<!--", "\"'&amp;", "{script}{meshes}"] {
        assert!(found.contains(&name), "{name}: {found:?}");
    }
    // An element that is not of the page would have its own end.
    assert_eq!(page.matches("</script>").count(), 3);
    assert_eq!(page.matches("<script").count(), 3);
    assert!(!page.contains("<!--") && !page.contains('\u{2028}'));
}

#[test]
fn a_bound_of_the_size_leaves_out_meshes_of_lesser_findings_first() {
    let folder = Folder::new();
    // Cubes are copies with corners of their own, so that each is a mesh; the last has the deepest clash.
    let file = cubes(&folder, &["a", "b", "c", "d"], |i| (i > 0).then_some(0.1 * i as f64));
    let html = folder.path("c.html");
    run(1, &[&"check", &file, &"-o", &html]);
    let whole = page(&html);
    let all = meshes(&whole);
    assert_eq!(all.len(), 7);
    let without = whole.len() - script(&whole, "meshes").len();
    let bound = without + script(&whole, "meshes").len() / 2;
    run(1, &[&"check", &file, &"-o", &html, &"--max-size", &bound.to_string()]);
    let less = page(&html);
    assert!(less.len() <= bound, "{} > {bound}", less.len());
    assert_eq!(script(&less, "data"), script(&whole, "data"));
    let kept = meshes(&less);
    assert!(!kept.is_empty() && kept.len() < all.len() && kept.is_subset(&all), "{kept:?}");
    let data = data(&less);
    let gravest = &data["findings"][data["groups"][0]["findings"][0].as_u64().unwrap() as usize];
    for part in gravest["parts"].as_array().unwrap() {
        let mesh = data["parts"][part.as_u64().unwrap() as usize]["mesh"].as_u64().unwrap();
        assert!(kept.contains(&mesh), "the gravest finding lacks a mesh");
    }
    run(1, &[&"check", &file, &"-o", &html, &"--max-size", &"1"]);
    assert!(meshes(&page(&html)).is_empty());
    assert!(
        error(&[&"check", &file, &"-o", &folder.path("c.json"), &"--max-size", &"1M"]).contains("about HTML")
    );
}

/// A report of tasks has no meshes.
#[test]
fn merged_reports_have_the_list_alone() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b", "c"], |i| (i < 2).then_some(0.1 + 0.1 * i as f64));
    let (plan, html) = (folder.path("plan"), folder.path("c.html"));
    run(0, &[&"plan", &file, &"-o", &plan]);
    run(0, &[&"work", &plan, &"--all"]);
    run(1, &[&"merge", &plan, &"-o", &html]);
    let page = page(&html);
    let data = data(&page);
    assert_eq!((&data["has_meshes"], data["findings"].as_array().unwrap().len()), (&json!(false), 2));
    assert!(meshes(&page).is_empty());
}

/// A page made with a baseline has the baseline's text after the run, and ids as keys.
#[test]
fn a_page_with_a_baseline_holds_its_text() {
    let folder = Folder::new();
    let file = cubes(&folder, &["a", "b"], |_| Some(0.1));
    let (baseline, html) = (folder.path("b.jsonl"), folder.path("c.html"));
    run(1, &[&"check", &file, &"--baseline", &baseline, &"--update-baseline", &"-o", &html]);
    let data = data(&page(&html));
    let text = fs::read_to_string(&baseline).unwrap();
    assert_eq!(data["baseline"].as_str(), Some(&*text));
    for finding in data["findings"].as_array().unwrap() {
        assert!(text.contains(&format!("{{\"id\":{}", finding["key"])), "{}", finding["key"]);
        assert_eq!(finding["status"], "new");
    }
}
