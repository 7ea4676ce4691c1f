use super::*;
use crate::{
    load::Load,
    machine::{Machine, Origin},
    plot::{Axis, Mark, Panel, Series},
    settings::Used,
    table::Table,
};
use std::time::Duration;

/// The real catalogue: the first is `larsson08/table3`.
fn larsson08() -> &'static [Part] {
    Experiment::Larsson08.parts()
}

fn catalogue() -> Vec<&'static Part> {
    Part::all().collect()
}

pub(crate) fn finished() -> Finished {
    let mut table = Table::new("larsson08-table3", "Table 3.", ["scene", "time (ms)"]);
    table.row(["spheres".into(), 1.25.into()]);
    table.row(["knots | tori".into(), f64::NAN.into()]);
    let figure = Figure {
        caption: "A curve.".into(),
        panels: vec![Panel::Curves {
            title: "t".into(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            series: vec![Series { name: "s".into(), points: vec![(0.0, 0.1), (1.0, 2.0)], mark: Mark::Line }],
        }],
        columns: 1,
        data: Table::new("larsson08-figure", "", ["x", "y"]),
    };
    let verdict = |claim: &str, by, outcome| Verdict {
        claim: claim.into(),
        by,
        rule: "it is faster",
        measured: "2 | 3".into(),
        outcome,
        why: "caches grew",
    };
    let section = Section::new(
        vec![Block::Heading("Table".into()), Block::Table(table), Block::Figure(figure)],
        [verdict("Fast.", By::Times, Outcome::Holds), verdict("Small.", By::Counts, Outcome::DoesNotHold)],
    );
    let load = Load { mean: Some(1.0), bound: 1.5 };
    let origin = Origin {
        date: "2026-11-26 03:00 UTC".into(),
        ..Origin::new(("abc1234".into(), false), Vec::new(), load, Duration::from_secs(75))
    };
    Finished { part: &larsson08()[0], origin, section }
}

fn report() -> Report {
    Report::new(&catalogue(), vec![finished()], &[])
}

#[test]
fn cases_make_an_outcome() {
    assert_eq!(Outcome::of([true, true]), Outcome::Holds);
    assert_eq!(Outcome::of([true, false]), Outcome::InPart);
    assert_eq!(Outcome::of([false]), Outcome::DoesNotHold);
    assert_eq!(Outcome::of([]), Outcome::NotMeasured);
}

#[test]
fn every_block_has_its_files_and_the_report_links_to_them() {
    let files = report().files().unwrap();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "REPORT.md",
            "larsson08-figure.csv",
            "larsson08-figure.png",
            "larsson08-figure.svg",
            "larsson08-table3.csv",
            "report.html"
        ]
    );
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let (markdown, html) = (text("REPORT.md"), text("report.html"));
    assert!(markdown.contains("2 claims: holds 1, does not hold here 1."), "{markdown}");
    // The reason is shown only if the claim fails.
    assert_eq!(markdown.matches("**Probably:** caches grew").count(), 1);
    assert!(markdown.contains("2 \\| 3") && markdown.contains("| spheres | 1.25 |"), "{markdown}");
    for part in [
        "<img src=\"larsson08-figure.svg\"",
        "href=\"larsson08-table3.csv\"",
        "<td>spheres</td>",
        "class=\"not\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[test]
fn two_tables_of_one_name_are_an_error() {
    let again = Finished { part: &larsson08()[1], ..finished() };
    let report = Report::new(&catalogue(), vec![finished(), again], &[]);
    assert!(matches!(report.files(), Err(Error::SameFile(name)) if name == "larsson08-table3.csv"));
}

#[test]
fn a_busy_machine_judges_counts_and_no_times() {
    let at = |mean| {
        let mut one = finished();
        one.origin.load.mean = mean;
        one.section = one.section.under(one.origin.load);
        let report = Report::new(&catalogue(), vec![one], &[]);
        (report.summary(), report.markdown())
    };
    let (summary, markdown) = at(Some(3.44));
    assert!(
        summary.starts_with("2 claims: does not hold here 1, not judged 1. The machine was too busy"),
        "{summary}"
    );
    assert!(summary.contains("larsson08/table3 at load 3.4 (bound 1.5)"), "{summary}");
    let [fast, small] = ["| Fast.", "| Small."].map(|claim| {
        markdown.lines().find(|line| line.starts_with(claim)).unwrap_or_else(|| panic!("{markdown}"))
    });
    assert!(fast.contains("**not judged: machine busy, load 3.4**"), "{fast}");
    assert!(!fast.contains("holds**"), "{fast}");
    assert!(small.contains("**does not hold here**"), "{small}");
    assert!(markdown.contains("**Machine busy: load 3.4, above 1.5.**"), "{markdown}");
    for (mean, words) in [(Some(1.5), "load 1.5 (times"), (None, "load unknown (times")] {
        let (summary, markdown) = at(mean);
        assert!(summary.starts_with("2 claims: holds 1, does not hold here 1."), "{summary}");
        assert!(markdown.contains(words) && !markdown.contains("not judged:"), "{markdown}");
    }
}

#[test]
fn a_part_of_counts_is_never_busy() {
    let mut one = Finished { part: &larsson08()[1], ..finished() };
    one.origin.load.mean = Some(9.0);
    let report = Report::new(&catalogue(), vec![one], &[]);
    assert!(!report.summary().contains("busy"), "{}", report.summary());
    assert!(!report.markdown().contains("**Machine busy"), "{}", report.markdown());
}

#[test]
fn each_part_has_its_run_commit_machine_and_models() {
    let mut other = finished();
    other.part = &larsson08()[1];
    other.section.blocks.clear();
    let origin = &mut other.origin;
    (origin.quick, origin.revision) = (true, "def5678".into());
    origin.machine = Machine { facts: vec![("processor".into(), "another | one".into())] };
    let used = |scene: &str, real: &[&str], stand_in: Option<&str>| Used {
        scene: scene.into(),
        real: real.iter().map(|&name| name.to_owned()).collect(),
        missing: Vec::new(),
        stand_in: stand_in.map(Into::into),
    };
    origin.models =
        vec![used("hands", &["dragon.ply"], None), used("horses", &[], Some("horse.ply is missing: a ball"))];
    // Given in another order than that of the report.
    let report = Report::new(&catalogue(), vec![other, finished()], &[]);
    let (summary, markdown) = (report.summary(), report.markdown());
    assert!(summary.ends_with("Parts differ in commit, machine, run (quick or full)."), "{summary}");
    for line in [
        "| `larsson08/table3` | full | generated | 2026-11-26 03:00 UTC | abc1234 | A | 1.0 | 1 min 15 s |",
        "| `larsson08/bytes` | quick | real: hands; **stand-ins**: horses | 2026-11-26 03:00 UTC | def5678 \
         | B | 1.0 | 1 min 15 s |",
        "**`horses` is a stand-in, not the paper's model**: horse.ply is missing: a ball. Its counts and \
         times cannot be compared with the paper's.",
        "`hands` is the real model: dragon.ply.",
    ] {
        assert!(markdown.lines().any(|other| other == line), "{line}: {markdown}");
    }
    assert!(markdown.contains("| another \\| one |"), "{markdown}");
    let places = ["### `larsson08/table3`", "### `larsson08/bytes`"].map(|head| markdown.find(head).unwrap());
    assert!(places[0] < places[1]);
}

#[test]
fn parts_of_experiments_in_the_report_can_be_missing() {
    let report = report();
    assert!(report.summary().ends_with("Missing parts: larsson08/bytes."), "{}", report.summary());
    assert!(report.markdown().contains("| `larsson08/bytes` | **missing** |"), "{}", report.markdown());
    assert!(
        report.markdown().contains("**Missing parts:** `larsson08/bytes` (memory"),
        "{}",
        report.markdown()
    );
    let asked = Report::new(&catalogue(), vec![finished()], &[&Experiment::Hu16.parts()[0]]);
    assert!(
        asked.summary().ends_with("Missing parts: hu16/figure2, larsson08/bytes."),
        "{}",
        asked.summary()
    );
}

/// Compares one measurement before and after its times were changed: verdicts by counts must stay, and those
/// by times must change.
pub(crate) fn check_what_verdicts_go_by(before: &[Verdict], after: &[Verdict]) {
    assert!(before.len() == after.len() && !before.is_empty());
    for (a, b) in before.iter().zip(after) {
        let same = (&a.measured, a.outcome) == (&b.measured, b.outcome);
        assert_eq!(a.by == By::Counts, same, "{}: {} - {}", a.claim, a.measured, b.measured);
    }
}
