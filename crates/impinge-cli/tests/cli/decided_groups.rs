//! Decisions about groups: a row of the page, a topic of BCF, and `impinge baseline approve --group`.
use crate::{
    common::{Folder, error, json, run, stdout},
    formats::cubes,
};
use impinge_check::Date;
use impinge_exchange::BcfTopics;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

type Units = BTreeSet<BTreeSet<String>>;
type Words<'a> = &'a [&'a dyn AsRef<OsStr>];

/// Two overlaps of 0.025 and 0.05, and two cubes of 0.125 inside others.
fn model(folder: &Folder) -> PathBuf {
    cubes(folder, &["a", "b", "c", "d"], |i| Some([0.1, 0.2, 0.6, 0.7][i]))
}

/// The findings of each row of a page.
fn rows(page: &Path) -> Units {
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap();
    let key = |i: &serde_json::Value| {
        data["findings"][i.as_u64().unwrap() as usize]["key"].as_str().unwrap().to_owned()
    };
    let groups = data["groups"].as_array().unwrap().iter();
    groups.map(|group| group["findings"].as_array().unwrap().iter().map(key).collect()).collect()
}

/// The findings of each topic of a BCF file.
fn topics(bcf: &Path) -> Units {
    let read = BcfTopics::parse(&fs::read(bcf).unwrap(), "issues.bcf").unwrap();
    let topics = read.topics.iter().map(|topic| topic.imported(Date::from_days(0)).unwrap().members);
    topics.map(|members| members.iter().map(ToString::to_string).collect()).collect()
}

/// The groups of a baseline.
fn groups(file: &Path) -> Units {
    let listed = json(0, &[&"baseline", &"list", &file, &"--format", &"json"]);
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in listed["findings"].as_array().unwrap() {
        let text = |key: &str| finding[key].as_str().unwrap().to_owned();
        groups.entry(text("group")).or_default().insert(text("id"));
    }
    groups.into_values().collect()
}

#[test]
fn pages_topics_and_baselines_have_the_same_groups() {
    let folder = Folder::new();
    let (model, file) = (model(&folder), folder.path("b.jsonl"));
    let (page, bcf) = (folder.path("page.html"), folder.path("issues.bcf"));
    let check = |status: i32, more: Words<'_>| {
        let words: Words<'_> = &[&"check", &model, &"--baseline", &file, &"-o", &page, &"-o", &bcf];
        run(status, &[words, more].concat());
    };
    check(1, &[&"--update-baseline"]);
    let all = groups(&file);
    assert_eq!(all.iter().map(BTreeSet::len).collect::<Vec<_>>(), [2, 2]);
    assert_eq!((rows(&page), topics(&bcf)), (all.clone(), all.clone()));
    // Decided findings keep their group.
    let some = &all.first().unwrap().first().unwrap()[..8];
    let text = stdout(0, &[&"baseline", &"approve", &file, &"--group", &some, &"--reason", &"planned"]);
    assert!(text.starts_with("Approved 2 findings.\n2 findings are left to decide, in 1 group:\n"), "{text}");
    assert!(text.contains(all.last().unwrap().first().unwrap()), "{text}");
    check(0, &[&"--update-baseline"]);
    assert_eq!((rows(&page), topics(&bcf), groups(&file)), (all.clone(), all.clone(), all));
    // A row for each finding, and a topic.
    check(0, &[&"--ungrouped"]);
    let alone = rows(&page);
    assert_eq!((alone.len(), &alone), (4, &topics(&bcf)));
}

#[test]
fn conditions_select_what_fits_all_of_them() {
    let folder = Folder::new();
    let (model, file) = (model(&folder), folder.path("b.jsonl"));
    run(1, &[&"check", &model, &"--baseline", &file, &"--update-baseline"]);
    let first = fs::read_to_string(&file).unwrap();
    let words: Words<'_> = &[&"baseline", &"approve", &file, &"--reason", &"planned"];
    let approved = |more: Words<'_>| {
        fs::write(&file, &first).unwrap();
        let text = stdout(0, &[words, more].concat());
        let listed = json(0, &[&"baseline", &"list", &file, &"--status", &"approved", &"--format", &"json"]);
        let count = listed["findings"].as_array().unwrap().len();
        assert!(text.starts_with(&format!("Approved {count} finding")), "{text}");
        // The same conditions list the same findings.
        let list: Words<'_> = &[&"baseline", &"list", &file, &"--format", &"json"];
        assert_eq!(json(0, &[list, more].concat())["findings"], listed["findings"]);
        count
    };
    assert_eq!(approved(&[&"--relation", &"overlap"]), 2);
    assert_eq!(approved(&[&"--relation", &"inside"]), 2);
    assert_eq!(approved(&[&"--relation", &"inside,overlap"]), 4);
    assert_eq!(approved(&[&"--max-volume", &"0.03"]), 1);
    assert_eq!(approved(&[&"--max-volume", &"0.06m3", &"--unit", &"m"]), 2);
    assert_eq!(approved(&[&"--max-volume", &"0.06m3", &"--unit", &"m", &"--between", &"small*", &"b"]), 1);
    assert_eq!(approved(&[&"--between", &"*", &"*", &"--relation", &"inside", &"--part", &"c"]), 1);

    fs::write(&file, &first).unwrap();
    let wrong = |more: Words<'_>| error(&[words, more].concat());
    let text = wrong(&[&"--relation", &"inside", &"--max-volume", &"0.06", &"--between", &"b", &"d"]);
    let counts = "no open finding fits: --relation fits 2, --max-volume fits 2, --between fits 0";
    assert!(text.contains(counts), "{text}");
    assert!(wrong(&[&"--max-volume", &"5cm3"]).contains("--max-volume 5cm3: the baseline has no unit"));
    assert!(wrong(&[&"--group", &"zzz"]).contains("--group zzz"));
    assert!(wrong(&[]).contains("give the ids of findings, or conditions"));
    for more in [
        &[&"--relation" as &dyn AsRef<OsStr>, &"overlaps"][..],
        &[&"--between", &"a"],
        &[&"3f", &"--group", &"3f"],
    ] {
        run(2, &[words, more].concat());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), first);
    // A file of an earlier version: its groups are not known.
    let lines = first.lines().map(|line| match line.find(",\"group\":") {
        Some(at) => line.replace(&line[at..at + 27], ""),
        None => line.replace("baseline\":3", "baseline\":1"),
    });
    let old = lines.collect::<Vec<_>>().join("\n") + "\n";
    let old = old.replace("\"inside\"", "\"a_in_b\"").replace("\"contains\"", "\"b_in_a\"");
    assert!(old.contains("\"a_in_b\"") || old.contains("\"b_in_a\""));
    fs::write(&file, &old).unwrap();
    let listed = json(0, &[&"baseline", &"list", &file, &"--format", &"json"]);
    let (id, group) = (listed["findings"][0]["id"].as_str().unwrap(), &listed["findings"][0]["group"]);
    assert!(group.is_null());
    assert!(wrong(&[&"--group", &id]).contains("this file has no groups yet"));
    assert_eq!(stdout(0, &[words, &[&id]].concat()), "Approved 1 finding.\n3 findings are left to decide.\n");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("{\"impinge_baseline\":3,\"groups\":false}\n") && !text.contains("_in_"));
    run(0, &[&"check", &model, &"--baseline", &file, &"--update-baseline"]);
    assert_eq!(fs::read_to_string(&file).unwrap().matches(",\"group\":").count(), 4);
}
