use super::*;
use crate::{
    report::{Block, By, Outcome, Section, Verdict},
    table::Table,
};
use std::{cell::Cell, collections::BTreeSet, fs, path::Path};

#[test]
fn the_models_are_those_that_the_scenes_miss_without_a_folder() {
    let settings = Settings::new(None, true);
    let names = larsson08::scenes().chain(zachmann02::scenes()).chain(["buddhas"]);
    names.for_each(|name| drop(settings.scene(name).unwrap()));
    settings.gallop().unwrap();
    let used = settings.take_used();
    let files: BTreeSet<&str> = used.iter().flat_map(|used| &used.missing).map(String::as_str).collect();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), MODELS);
    assert!(settings.would_use(&used));
}

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the boxes of a scene, and its own calls.
fn counts(name: &'static str, settings: &Settings<'_>) -> Result<Section, Error> {
    RUNS.set(RUNS.get() + 1);
    let scene = settings.scene(name)?;
    let mut table = Table::new(name, "Counts.", ["frames", "a third"]);
    table.row([scene.frames.len().into(), (scene.frames.len() as f64 / 3.0).into()]);
    let verdict = Verdict {
        claim: format!("{name} has frames."),
        by: By::Counts,
        rule: "there are any",
        measured: format!("{}.", scene.frames.len()),
        outcome: Outcome::of([!scene.frames.is_empty()]),
        why: "",
    };
    Ok(Section::new(vec![Block::Table(table)], [verdict]))
}

const fn part(name: &'static str, run: part::Measure) -> Part {
    Part { experiment: Experiment::Larsson08, name, about: "counts", by: By::Counts, minutes: 1, run }
}

static PARTS: [Part; 3] = [
    part("larsson08/knots", |settings, _| counts("knots-l1", settings)),
    part("larsson08/horses", |settings, _| counts("horses", settings)),
    part("larsson08/teapots", |settings, _| counts("random-teapot", settings)),
];

/// Measures parts with these numbers, writes the report, and returns the number of parts that were measured.
fn run(path: &Path, which: &[usize], quick: bool, resume: bool) -> Result<usize, Error> {
    RUNS.set(0);
    let folder = Folder::new(path)?;
    let all: Vec<&'static Part> = PARTS.iter().collect();
    let parts: Vec<&'static Part> = which.iter().map(|&index| &PARTS[index]).collect();
    let report = measure_parts(&all, &parts, &Settings::new(None, quick), &folder, resume, &mut ())?;
    folder.write(&report)?;
    Ok(RUNS.get())
}

/// The files of a report but for dates, durations and loads.
fn timeless(path: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_file() {
            let text = fs::read_to_string(&entry).unwrap();
            let is_of_one_run = |line: &&str| line.contains(" UTC");
            let lines: Vec<&str> = text.lines().filter(|line| !is_of_one_run(line)).collect();
            files.push((entry.file_name().unwrap().to_string_lossy().into_owned(), lines.join("\n")));
        }
    }
    files.sort();
    files
}

#[test]
fn a_resumed_run_gives_the_report_of_one_in_one_piece() {
    let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    assert_eq!(run(one.path(), &[0, 1, 2], true, false).unwrap(), 3);
    // In two pieces, the later part first.
    assert_eq!(run(other.path(), &[2], true, false).unwrap(), 1);
    let part = timeless(other.path());
    assert!(part.iter().any(|(name, text)| name == "REPORT.md" && text.contains("**missing**")));
    assert_eq!(run(other.path(), &[0, 1, 2], true, true).unwrap(), 2);
    let [one, other] = [&one, &other].map(|folder| timeless(folder.path()));
    assert_ne!(part, other);
    assert!(one.len() == 5 && one.iter().any(|(name, _)| name == "knots-l1.csv"), "{one:?}");
    assert_eq!(one, other);
}

#[test]
fn only_parts_with_the_same_settings_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(run(path, &[0, 1], true, false).unwrap(), 2);
    assert_eq!(run(path, &[0, 1], true, true).unwrap(), 0);
    assert_eq!(run(path, &[0], true, false).unwrap(), 1, "without `resume` it is measured again");
    let refused = run(path, &[1, 0], false, true).unwrap_err().to_string();
    assert!(
        refused.starts_with("larsson08/horses cannot be resumed: it was finished with other"),
        "{refused}"
    );
    assert_eq!(RUNS.get(), 0, "before the work");
    assert_eq!(run(path, &[2], false, true).unwrap(), 1, "a full part beside quick ones");
    let report = fs::read_to_string(path.join("REPORT.md")).unwrap();
    assert!(report.contains("Parts differ in run (quick or full)."), "{report}");
    // A model that has come.
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("m_horse.ply"), "").unwrap();
    let settings = Settings::new(None, true);
    settings.scene("horses").unwrap();
    let used = settings.take_used();
    assert!(settings.would_use(&used) && !Settings::new(Some(data.path()), true).would_use(&used));
}

#[test]
fn a_damaged_part_is_an_error_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &[0], true, false).unwrap();
    let file = path.join("parts/larsson08-knots.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("0.333", "0.334").replace("frames", "Frames")).unwrap();
    let error = run(path, &[0, 1, 2], true, true).unwrap_err().to_string();
    assert!(error.contains("larsson08-knots.json: this finished part cannot be used"), "{error}");
    assert_eq!(RUNS.get(), 0);
}

#[test]
fn parts_before_an_error_stay() {
    static FAILS: Part = part("larsson08/horses", |_, _| Err(Error::Disagreement("a, b".into())));
    let temporary = tempfile::tempdir().unwrap();
    let folder = Folder::new(temporary.path()).unwrap();
    let parts: [&'static Part; 2] = [&PARTS[0], &FAILS];
    let settings = Settings::new(None, true);
    let error = measure_parts(&parts, &parts, &settings, &folder, false, &mut ()).unwrap_err();
    assert!(matches!(error, Error::Disagreement(_)));
    assert_eq!(folder.finished(&parts).unwrap().len(), 1);
}
