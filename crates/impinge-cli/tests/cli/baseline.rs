//! `impinge baseline` and `impinge diff`.
use crate::common::{FIVE, Folder, coincident, command, error, json, run, stdout};
use impinge::{Mesh, Pose};
use impinge_check::{
    Date, Part,
    baseline::{Baseline, Delivery, Measures, Observed, ObservedParts, Worse},
    identity::{PartIdentity, PartNames},
};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

fn day() -> Date {
    Date::from_days(20_000)
}

/// Five cubes in a row, without the last `missing` ones. Each overlaps the next. The first cube is moved by
/// `moved` along y.
fn delivery(missing: usize, moved: f64) -> Delivery {
    row(5, missing, moved)
}

/// Such a delivery of `count` cubes.
fn row(count: u32, missing: usize, moved: f64) -> Delivery {
    let part = |i: u32| {
        let y = if i == 0 { moved } else { 0.0 };
        let pose = Pose::from_translation([0.9 * f64::from(i), y, 0.0]).unwrap();
        Part::new(format!("cube {i}"), Path::new("row.obj"), Mesh::cuboid([1.0; 3]).unwrap(), pose)
    };
    let parts: Vec<Part> = (0..count - missing as u32).map(part).collect();
    let finding = |i: u32| {
        let measures = Measures {
            relation: "overlap".into(),
            volume: Some([0.1; 2]),
            depth: Some([0.1; 2]),
            distance: None,
        };
        Observed { test: "check".into(), parts: ObservedParts::two(i, i + 1), measures }
    };
    let first = u32::from(moved > 1.0);
    Delivery {
        parts: PartIdentity::of(&parts, |_, _| PartNames::default()),
        findings: (first..count - 1 - missing as u32).map(finding).collect(),
        contacts: Vec::new(),
        unit: None,
    }
}

fn updated(baseline: &Baseline, delivery: &Delivery) -> Baseline {
    let comparison = baseline.compare(delivery, |_, _, _| true, day(), Worse::default());
    baseline.update(&comparison, delivery, day())
}

#[test]
fn findings_are_listed_decided_and_pruned() {
    let folder = Folder::new();
    let first = updated(&Baseline::new(), &delivery(0, 0.0));
    let file = folder.file("b.jsonl", first.to_text());
    let listed = json(0, &[&"baseline", &"list", &file, &"--format", &"json"]);
    let findings = listed["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 4);
    assert!(findings.iter().all(|finding| finding["status"] == "new" && finding["volume"] == 0.1));

    let id = findings[2]["id"].as_str().unwrap();
    let approve: [&dyn AsRef<std::ffi::OsStr>; 6] =
        [&"baseline", &"approve", &file, &&id[..8], &"--reason", &"sleeve, \"planned\""];
    assert_eq!(
        stdout(0, &[&approve[..], &[&"--by", &"ann", &"--until", &"2999-01-01"]].concat()),
        "Approved 1 finding.\n3 findings are left to decide.\n"
    );
    let review =
        [&"baseline" as &dyn AsRef<std::ffi::OsStr>, &"review", &file, &"--all-new", &"--reason", &"Monday"];
    let mut reviewing = command(review.map(|word| word.as_ref().to_owned()));
    let output = reviewing.env_remove("USER").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "Reviewed 3 findings.\nNo finding is left to decide.\n");
    let listed = json(0, &[&"baseline", &"list", &file, &"--status", &"approved", &"--format", &"json"]);
    assert_eq!(listed["findings"].as_array().unwrap().len(), 1);
    let one = &listed["findings"][0];
    assert_eq!((&one["by"], &one["until"]), (&"ann".into(), &"2999-01-01".into()));
    assert_eq!((one["id"].as_str(), one["reason"].as_str()), (Some(id), Some("sleeve, \"planned\"")));
    let table = stdout(0, &[&"baseline", &"list", &file, &"--part", &"cube 0"]);
    assert!(table.contains("cube 0 x cube 1") && !table.contains("cube 3"), "{table}");
    assert!(
        stdout(0, &[&"baseline", &"list", &file, &"--status", &"reviewed"]).contains("Monday (unknown 20")
    );
    assert_eq!(stdout(0, &[&"baseline", &"list", &file, &"--test", &"none"]), "No findings.\n");

    // Earlier decisions of the same kind keep their reasons.
    let all: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"baseline", &"approve", &file, &"--part", &"cube*", &"--reason", &"all"];
    assert!(stdout(0, &all).starts_with("Approved 3 findings.\n"));
    assert!(stdout(0, &all).starts_with("Approved 0 findings.\n"));
    assert!(stdout(0, &[&"baseline", &"list", &file]).contains("sleeve"));

    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(stdout(0, &[&"baseline", &"prune", &file]), "Removed 0 resolved findings.\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let moved = updated(&Baseline::parse("b", &text).unwrap(), &delivery(0, 5.0));
    fs::write(&file, moved.to_text()).unwrap();
    assert_eq!(stdout(0, &[&"baseline", &"prune", &file]), "Removed 1 resolved finding.\n");
    assert_eq!(Baseline::parse("b", &fs::read_to_string(&file).unwrap()).unwrap(), moved.prune());
}

#[test]
fn mistakes_change_nothing() {
    let folder = Folder::new();
    let first = updated(&Baseline::new(), &delivery(0, 0.0));
    let file = folder.file("b.jsonl", first.to_text());
    let absent = folder.path("absent.jsonl");
    let reason: [&dyn AsRef<std::ffi::OsStr>; 2] = [&"--reason", &"x"];
    let approve = |words: &[&dyn AsRef<std::ffi::OsStr>]| {
        error(&[&[&"baseline" as &dyn AsRef<std::ffi::OsStr>, &"approve"], words, &reason].concat())
    };
    assert!(approve(&[&file, &"zzz"]).contains("no finding has an id that begins with 'zzz'"));
    assert!(approve(&[&file, &"--part", &"nothing*"]).contains("no open finding fits: --part fits 0;"));
    assert!(approve(&[&file, &""]).contains("4 ids begin with ''"));
    assert!(approve(&[&absent, &"--all-new"]).contains("absent.jsonl"));
    assert!(approve(&[&file, &"--all-new", &"--until", &"2001-01-01"]).contains("has passed"));
    let damaged = folder.file("damaged.jsonl", first.to_text().replace("\"check\"", "check"));
    assert!(approve(&[&damaged, &"--all-new"]).contains("damaged.jsonl:2: column "));
    let binary = folder.file("binary.jsonl", b"{\"impinge_baseline\":1}\n\xff");
    assert!(approve(&[&binary, &"--all-new"]).contains("binary.jsonl:2: not UTF-8"));
    for words in [
        &[&"baseline" as &dyn AsRef<std::ffi::OsStr>, &"approve", &file, &"--all-new"][..],
        &[&"baseline", &"approve", &file, &"--reason", &"x"],
        &[&"baseline", &"approve", &file, &"--all-new", &"--reason", &"x", &"--until", &"2027-02-30"],
        &[&"baseline", &"approve", &file, &"--part", &"[", &"--reason", &"x"],
        &[&"baseline", &"list", &file, &"--status", &"old"],
        &[&"diff", &file],
    ] {
        run(2, words);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), first.to_text());
    assert!(error(&[&"diff", &file, &file, &"--worse=-1"]).contains("at least 0"));
}

#[test]
fn two_baselines_are_compared() {
    let folder = Folder::new();
    let first = updated(&Baseline::new(), &delivery(0, 0.0));
    let second = updated(&first, &delivery(1, 5.0));
    let (old, new) = (folder.file("old.jsonl", first.to_text()), folder.file("new.jsonl", second.to_text()));
    let same = stdout(0, &[&"diff", &old, &old]);
    assert_eq!(same, "Changes       0\nUnchanged     4\nPart changes  0\n");
    let table = stdout(0, &[&"diff", &old, &new]);
    for words in [
        "2   1 resolved, 1 not examined\nUnchanged     2\n",
        "cube 3 x cube 4",
        "part missing",
        "same name and file",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let json = json(1, &[&"diff", &new, &old, &"--format", &"json"]);
    assert_eq!((&json["counts"]["reopened"], &json["counts"]["new"]), (&1.into(), &0.into()), "{json}");
    let parts = json["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 1, "{json}");
    assert_eq!((&parts[0]["old"], &parts[0]["moved"]), (&"cube 0".into(), &5.0.into()));
    assert_eq!(parts[0]["reason"], "name_and_file");
    // A baseline of its own, without a history.
    let alone = folder.file("alone.jsonl", updated(&Baseline::new(), &delivery(1, 5.0)).to_text());
    let table = stdout(0, &[&"diff", &old, &alone]);
    let summary =
        "Changes       2   1 resolved, 1 not examined\nUnchanged     2\nPart changes  1   1 missing\n";
    assert!(table.ends_with(summary), "{table}");
}

/// The ids of a baseline's findings with this status.
fn ids(file: &Path, status: &str) -> Vec<String> {
    let listed = json(0, &[&"baseline", &"list", &file, &"--status", &status, &"--format", &"json"]);
    let findings = listed["findings"].as_array().unwrap().iter();
    findings.map(|finding| finding["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn processes_that_decide_at_once_lose_no_decision() {
    let folder = Folder::new();
    let file = folder.file("b.jsonl", updated(&Baseline::new(), &row(21, 0, 0.0)).to_text());
    // A process that was killed left it.
    folder.file(".b.jsonl.lock", "");
    let link = folder.path("link.jsonl");
    let names = if cfg!(unix) { [&file, &link] } else { [&file, &file] };
    #[cfg(unix)]
    std::os::unix::fs::symlink("b.jsonl", &link).unwrap();
    let all = ids(&file, "new");
    assert_eq!(all.len(), 20);
    let running: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(i, id)| {
            let mut decide = command(["baseline", ["approve", "review"][i / 2 % 2]]);
            decide.arg(names[i % 2]).args([id, "--reason", &format!("it is {i}")]);
            decide.stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for one in running {
        let output = one.wait_with_output().unwrap();
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains("ed 1 finding.\n"));
    }
    assert_eq!((ids(&file, "approved").len(), ids(&file, "reviewed").len()), (10, 10));
    let text = fs::read_to_string(&file).unwrap();
    assert!((0..20).all(|i| text.contains(&format!("\"it is {i}\""))), "{text}");
    assert!(!folder.path(".b.jsonl.lock").exists());
}

#[test]
fn checks_at_once_make_one_baseline() {
    let folder = Folder::new();
    let (model, file) = (folder.file("five.obj", FIVE), folder.path("b.jsonl"));
    let update = || {
        let mut check =
            command(["check", "--no-rules", "--report", "all", "--update-baseline", "--baseline"]);
        check.args([&file, &model]).stdout(Stdio::null()).spawn().unwrap()
    };
    let running: Vec<_> = (0..6).map(|_| update()).collect();
    // One that begins after another has ended finds nothing new: its status is 0.
    let statuses = running.into_iter().map(|mut one| one.wait().unwrap().code());
    let of_findings = statuses.inspect(|status| assert!(matches!(status, Some(0 | 1)), "{status:?}"));
    assert_ne!(of_findings.filter(|status| *status == Some(1)).count(), 0);
    // As if they had run one after the other.
    assert_eq!((ids(&file, "new").len(), ids(&file, "active").len()), (0, 2));
    assert_eq!(folder.count(), 2);
}

/// A check takes its time, and people decide meanwhile.
#[cfg(unix)]
#[test]
fn a_check_keeps_the_decisions_that_were_made_while_it_ran() {
    let folder = Folder::new();
    // 780 findings: their JSON is more than a pipe holds.
    let (model, file) = (coincident(&folder, 40), folder.path("b.jsonl"));
    let check = |words: &[&str]| {
        let mut check = command(["check", "--no-rules", "--report", "all", "--baseline"]);
        check.arg(&file).arg("--update-baseline").arg(&model).args(words);
        check
    };
    assert_eq!(check(&[]).output().unwrap().status.code(), Some(1));
    let pipe = folder.path("pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Once its result is open it has read the baseline, and it waits until somebody reads the result.
    let mut running = check(&["-o", pipe.to_str().unwrap()]);
    let mut running = running.stderr(Stdio::null()).spawn().unwrap();
    let result = fs::File::open(&pipe).unwrap();
    let new = ids(&file, "new");
    let approve: [&dyn AsRef<std::ffi::OsStr>; 6] =
        [&"baseline", &"approve", &file, &new[0], &"--reason", &"planned"];
    assert!(stdout(0, &approve).starts_with("Approved 1 finding.\n"));
    let report: serde_json::Value = serde_json::from_reader(result).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 780);
    assert!(running.wait().unwrap().code().is_some());
    assert_eq!((ids(&file, "approved"), ids(&file, "active").len()), (vec![new[0].clone()], 779));
}
