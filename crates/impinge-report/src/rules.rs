//! Tables of the tests and of the ignore rules of a check with rules.
use crate::grid::Table;
use impinge_check::{
    Report,
    report::{IgnoreSummary, TestSummary},
    values::{
        numbers::{count, grouped},
        text::{folded, printable},
    },
};
use std::io::{self, Write};

/// Writes a row for each test and for each ignore rule, at most `most` rows of each; nothing without rules.
pub(crate) fn people(
    report: &Report,
    most: usize,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(rules) = report.rules() else { return Ok(()) };
    let (tests, ignores) = (report.tests(), report.ignores());
    let source = if rules.file().is_empty() { "the command line" } else { rules.file() };
    let text = format!(
        "Rules of {}: {}, {}.",
        printable(source),
        // Rules without tests have one test, of all pairs.
        count(rules.tests().len().max(1) as u64, "test"),
        count(ignores.len() as u64, "ignore rule"),
    );
    writeln!(out, "\n{}\n", folded(&text, columns))?;
    let has = |is: fn(&TestSummary) -> u64| tests.iter().any(|test| is(test) > 0);
    let has_not_examined = has(|test| test.not_examined);
    let has_rounding = has(|test| test.within_rounding);
    let has_shallow = has(|test| test.shallow);
    let has_left_out = has(|test| test.ignored_findings);
    let mut headings = vec!["test", "severity", ">pairs", ">boxes\napart", ">ignored"];
    headings.extend(has_not_examined.then_some(">not\nexamined"));
    headings.push(">tested");
    headings.extend(has_rounding.then_some(">within\nrounding"));
    headings.extend(has_shallow.then_some(">shallow"));
    headings.extend(has_left_out.then_some(">ignored\nby size"));
    headings.push(">findings");
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    let row = |test: &TestSummary| {
        let mut row = vec![printable(&test.name), test.severity.name().to_owned()];
        row.extend([test.asked, test.boxes_apart, test.ignored].map(grouped));
        row.extend(has_not_examined.then(|| grouped(test.not_examined)));
        row.push(grouped(test.tested));
        row.extend(has_rounding.then(|| grouped(test.within_rounding)));
        row.extend(has_shallow.then(|| grouped(test.shallow)));
        row.extend(has_left_out.then(|| grouped(test.ignored_findings)));
        row.push(grouped(test.findings));
        row
    };
    table.write(|| tests.iter().take(most).map(row), out)?;
    left(tests.len(), most, "test", out)?;
    if ignores.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let headings = ["ignored because", ">line", ">pairs", ">findings"];
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    let row = |rule: &IgnoreSummary| {
        let line = if rule.line > 0 { rule.line.to_string() } else { "–".to_owned() };
        let ended = match &rule.until {
            Some(until) if rule.is_expired => format!(" (until {until}: ended)"),
            Some(until) => format!(" (until {until})"),
            None => String::new(),
        };
        vec![printable(&rule.reason) + &ended, line, grouped(rule.pairs), grouped(rule.findings)]
    };
    table.write(|| ignores.iter().take(most).map(row), out)?;
    left(ignores.len(), most, "rule", out)
}

fn left(all: usize, most: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    if all <= most {
        return Ok(());
    }
    writeln!(out, "\nand {} more: --limit 0 lists all", count((all - most) as u64, what))
}
