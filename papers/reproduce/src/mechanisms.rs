//! The page of the papers' mechanisms names a part for each, and quotes the committed record.
use crate::{Experiment, Part};
use std::fs;

fn page(name: &str) -> String {
    let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The numbers of a text, as written: digits with commas between thousands and a decimal point.
fn numbers(text: &str) -> Vec<&str> {
    let is_inside = |c: char| c.is_ascii_digit() || ".,".contains(c);
    let words = text.split(|c: char| !is_inside(c)).map(|word| word.trim_matches(['.', ',']));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// True if a number must be in the record: short ones also count axes or bytes in a sentence.
fn is_measured(number: &str) -> bool {
    number.len() >= 3
}

/// The claims of the part's experiment and the part's own measurements, from the committed report.
fn record(part: &Part) -> String {
    let report = page(match part.experiment {
        Experiment::WhichVolume => "records/which-volume/REPORT.md",
        Experiment::OpenQuestions => "records/reproduction/open-questions/REPORT.md",
        _ => "records/reproduction/REPORT.md",
    });
    let heading = format!("### `{}`", part.name);
    let mut chapters = report.split("\n## ").filter(|chapter| chapter.contains(&heading));
    let chapter = chapters.next().unwrap_or_else(|| panic!("no report has {}", part.name));
    assert!(chapters.next().is_none(), "{}", part.name);
    // Other parts' measurements are not this one's.
    let own = |section: &&str| !section.starts_with('`') || section.starts_with(&heading[4..]);
    chapter.split("\n### ").filter(own).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_row_names_a_part_and_quotes_its_record() {
    let text = page("docs/mechanisms.md");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| mechanism"));
    let mut of_experiments = Experiment::ALL.map(|_| 0);
    for row in rows {
        let [mechanism, part, quoted] = row.trim_matches('|').split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}: not three cells")
        };
        let part = part.trim_matches('`');
        let part = Part::all().find(|known| known.name == part).unwrap_or_else(|| panic!("{part}: no part"));
        let record = record(part);
        let recorded = numbers(&record);
        let quoted: Vec<_> = numbers(quoted).into_iter().filter(|number| is_measured(number)).collect();
        assert!(!quoted.is_empty(), "{mechanism} has no number");
        let missing: Vec<_> = quoted.iter().filter(|number| !recorded.contains(number)).collect();
        assert!(missing.is_empty(), "{mechanism}: {missing:?} not in the record of {}", part.name);
        of_experiments[Experiment::ALL.iter().position(|one| *one == part.experiment).unwrap()] += 1;
    }
    assert!(of_experiments.iter().sum::<usize>() >= 35 && of_experiments.iter().all(|&n| n > 0));
}
