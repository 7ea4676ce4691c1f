use super::*;
use crate::plot::{Axis, Mark, Series};

fn report() -> Report {
    let mut table = Table::new("larsson08-table3", "Table 3.", ["scene", "time (ms)"]);
    table.row(["spheres".into(), 1.25.into()]);
    let figure = Figure {
        caption: "A curve.".into(),
        panels: vec![Panel::Curves {
            title: "t".into(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            series: vec![Series { name: "s".into(), points: vec![(0.0, 1.0), (1.0, 2.0)], mark: Mark::Line }],
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
    let chapter = Chapter::new(
        Experiment::Larsson08,
        "Slab cut balls",
        vec![Block::Heading("Table".into()), Block::Table(table), Block::Figure(figure)],
        vec![
            verdict("Fast.", By::Times, Outcome::Holds),
            verdict("Small.", By::Counts, Outcome::DoesNotHold),
        ],
    );
    Report::new(Machine::here(true), vec![chapter])
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
    let mut report = report();
    let again = report.chapters[0].clone();
    report.chapters.push(again);
    assert!(matches!(report.files(), Err(Error::SameFile(name)) if name == "larsson08-table3.csv"));
}

#[test]
fn a_busy_machine_judges_counts_and_no_times() {
    let at = |mean| {
        let mut report = report();
        let chapter = report.chapters.remove(0);
        report.chapters.push(chapter.under(Load { mean, bound: 1.5 }));
        (report.summary(), report.markdown())
    };
    let (summary, markdown) = at(Some(3.44));
    assert!(
        summary.starts_with("2 claims: does not hold here 1, not judged 1. The machine was too busy"),
        "{summary}"
    );
    assert!(summary.contains("larsson08 at load 3.4"), "{summary}");
    let [fast, small] = ["| Fast.", "| Small."].map(|claim| {
        markdown.lines().find(|line| line.starts_with(claim)).unwrap_or_else(|| panic!("{markdown}"))
    });
    assert!(fast.contains("**not judged: machine busy, load 3.4**"), "{fast}");
    assert!(!fast.contains("holds**"), "{fast}");
    assert!(small.contains("**does not hold here**"), "{small}");
    assert!(markdown.contains("**Machine busy: load 3.4, above 1.5.**"), "{markdown}");
    for (mean, words) in [(Some(1.5), "Load while this was measured: 1.5."), (None, "measured: unknown.")] {
        let (summary, markdown) = at(mean);
        assert_eq!(summary, "2 claims: holds 1, does not hold here 1.");
        assert!(markdown.contains(words) && !markdown.contains("not judged:"), "{markdown}");
    }
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
