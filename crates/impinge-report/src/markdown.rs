//! [`MarkdownReport`]: a report for merge requests.
use crate::{
    cases::{Case, Cases},
    groups::{explanation, finding_word, parts, status},
    heading::Heading,
    names::Names,
    omissions,
    pictures::picture_names,
    size_columns::SizeColumns,
    size_units::SizeUnits,
    summary,
    summary_line::SummaryLine,
    writer::{Format, ReportWriter},
};
use impinge_check::{
    Finding, FindingKind, Groups, Report,
    parts::Sure,
    report::{Explained, GroupBy, WhatIf, WhatIfTolerance},
    rules::Severity,
    values::{
        numbers::{Coordinates, count, grouped},
        text::printable,
    },
};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Report as Markdown for merge requests, as GitHub, GitLab and Gitea show it, with the tables that people
/// need to decide ([`TableReport`](crate::TableReport) has more).
///
/// Texts from files are in code spans: there, nothing is markup, and no name is a link, a mention or an
/// emoji. Characters that would end the span or a cell are escaped.
#[derive(Clone)]
pub struct MarkdownReport {
    rows: usize,
    groups: Option<GroupBy>,
    pictures: Option<String>,
    statistics: bool,
}

/// The default of [`MarkdownReport::rows`]. GitHub refuses comments of more than 65,536 characters.
const ROWS: usize = 20;

/// Maximum number of warnings of readers and of rules that are listed.
const WARNINGS: usize = 20;

pub(crate) const FORMAT: Format = Format {
    name: "markdown",
    extension: "md",
    about: "for merge requests",
    contacts: false,
    writer: || Box::new(MarkdownReport::new()),
};

impl Default for MarkdownReport {
    fn default() -> Self {
        Self { rows: ROWS, groups: Some(GroupBy::Shapes), pictures: None, statistics: false }
    }
}

impl MarkdownReport {
    /// Report with groups of findings of the same two shapes, 20 of them.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the maximum number of rows of each table, the gravest first; the others are counted.
    #[must_use]
    pub fn rows(self, most: usize) -> Self {
        Self { rows: most, ..self }
    }
    /// Sets the rule that groups findings into rows; `None` makes a row of each finding.
    #[must_use]
    pub fn groups(self, by: Option<GroupBy>) -> Self {
        Self { groups: by, ..self }
    }
    /// Shows the pictures that [`Pictures::save`](crate::Pictures::save) writes of the same groups. `folder`
    /// is the address of their folder relative to this page, such as `pictures`.
    #[must_use]
    pub fn pictures(self, folder: impl Into<String>) -> Self {
        Self { pictures: Some(folder.into()), ..self }
    }
    /// Shows an example of each group in place of a point, if groups have labels.
    #[must_use]
    pub fn statistics(self, is: bool) -> Self {
        Self { statistics: is, ..self }
    }
}

impl ReportWriter for MarkdownReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let cases = Cases::new(report, self.groups.as_ref());
        let names = Names::of(report);
        let units = SizeUnits::of(report);
        let pictures = self.pictures.as_ref().map(|folder| {
            let groups = Groups::by(report, self.groups.as_ref().unwrap_or(&GroupBy::default())).groups;
            (address(folder), picture_names(report, &groups))
        });
        let page =
            Page { report, names, cases, pictures, units, most: self.rows, statistics: self.statistics };
        page.headline(out)?;
        let lines = summary::lines(report, code).into_iter();
        let row = |line: SummaryLine| {
            vec![line.name.to_owned(), line.number.map_or(String::new(), grouped), line.text]
        };
        table(&["", ">", ""], lines.map(row), out)?;
        page.cases(out)?;
        page.explained(out)?;
        page.what_if(out)?;
        page.rules(out)?;
        page.not_examined(out)?;
        page.not_converted(out)?;
        page.warnings(out)
    }
}

/// A text from a file, in a code span, where nothing is markup.
fn code(text: impl AsRef<str>) -> String {
    let text = printable(text.as_ref());
    if text.trim().is_empty() {
        return "` `".to_owned();
    }
    // A span ends with as many backticks as it begins with.
    let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0) + 1;
    let fence = "`".repeat(ticks);
    // If both sides have a blank, Markdown removes one from each.
    let is_padded = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let blank = if is_padded { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// A path as an address in an attribute: with slashes, and without characters that end it.
fn address(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte))
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Data for all sections.
struct Page<'a> {
    report: &'a Report,
    names: Names<'a>,
    cases: Cases,
    /// The address of the folder of pictures, and the name of each finding's picture.
    pictures: Option<(String, HashMap<u32, String>)>,
    units: SizeUnits,
    most: usize,
    statistics: bool,
}

/// Writes a table. Headings of numbers begin with `>`. Cells are Markdown. A bar ends a cell even in a code
/// span, unless it follows a backslash, which the table removes.
fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>, out: &mut dyn Write) -> io::Result<()> {
    let heading = |heading: &&str| heading.trim_start_matches('>').to_owned();
    let line = |heading: &&str| if heading.starts_with('>') { "---:" } else { "---" };
    writeln!(out, "\n| {} |", headings.iter().map(heading).collect::<Vec<_>>().join(" | "))?;
    writeln!(out, "|{}|", headings.iter().map(line).collect::<Vec<_>>().join("|"))?;
    { rows }.try_for_each(|row| {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        writeln!(out, "| {} |", cells.join(" | "))
    })
}

impl Page<'_> {
    /// A part's name; long ones are cut in their middle.
    fn name(&self, part: u32) -> String {
        code(self.names.short(part as usize, None))
    }
    /// The first items, and the number of the others.
    fn first<'a, T>(&self, all: &'a [T]) -> (&'a [T], usize) {
        let (first, left) = all.split_at(all.len().min(self.most));
        (first, left.len())
    }
    fn length_heading(&self, what: &'static str) -> String {
        Heading { what, unit: self.units.symbols()[0] }.of_markdown()
    }
    fn left(&self, left: usize, noun: &str, out: &mut dyn Write) -> io::Result<()> {
        if left == 0 {
            return Ok(());
        }
        writeln!(out, "\nand {} more: `--limit 0` lists all", count(left as u64, noun))
    }

    fn headline(&self, out: &mut dyn Write) -> io::Result<()> {
        let report = self.report;
        let findings = || {
            let all = report.findings().iter().enumerate();
            all.filter(|(i, _)| report.is_listed(*i)).map(|(_, finding)| finding)
        };
        let number = report.listed();
        let not_examined = report.coverage().not_examined;
        let what = if report.comparison().is_some() { "new or reopened finding" } else { "finding" };
        let mut text = match number {
            0 if not_examined > 0 => format!("No {what}s so far"),
            0 if report.coverage().parts_not_examined > 0 => format!("No {what}s among the parts examined"),
            0 => format!("No {what}s"),
            n => count(n, what),
        };
        let groups = self.cases.groups().map_or(0, |groups| groups.groups.len());
        if (1..number).contains(&(groups as u64)) {
            text += &format!(" in {}", count(groups as u64, "group"));
        }
        let severity = |finding: &Finding| report.tests()[finding.test as usize].severity;
        let of = |wanted: Severity| findings().filter(|finding| severity(finding) == wanted).count();
        let counts: Vec<(Severity, usize)> =
            Severity::ALL.into_iter().rev().map(|severity| (severity, of(severity))).collect();
        if report.tests().len() > 1 && number > 0 {
            let some = counts.into_iter().filter(|(_, n)| *n > 0);
            let some = some.map(|(severity, n)| format!("{} {}", grouped(n as u64), severity.name()));
            text += &format!(" ({})", some.collect::<Vec<_>>().join(", "));
        }
        if not_examined > 0 {
            text += &format!(", {} not examined", count(not_examined, "pair"));
        }
        text += &omissions::headline(report);
        writeln!(out, "## impinge: {text}")
    }

    /// Writes a row for each of the first groups or findings.
    fn cases(&self, out: &mut dyn Write) -> io::Result<()> {
        let report = self.report;
        let shown = self.cases.len().min(self.most);
        if shown == 0 {
            return Ok(());
        }
        let all: Vec<Case> = (0..shown).map(|i| self.cases.get(report, i)).collect();
        let has = |is: &dyn Fn(&Case) -> bool| all.iter().any(is);
        let has_labels = has(&|case| case.labels.is_some());
        let has_tests = report.tests().len() > 1;
        let has_status = report.comparison().is_some();
        let has_certainty = has(&|case| certainty(report, &case.gravest(report)).is_some());
        let has_times = has(&|case| case.findings.len() > 1);
        let sizes = SizeColumns::new(report, &self.units, all.iter().map(|case| &case.size));
        let mut headings = if has_labels { vec!["of", "and"] } else { vec!["part", "other part"] };
        headings.push("relation");
        headings.extend(has_tests.then_some(["severity", "test"]).into_iter().flatten());
        headings.extend(has_status.then_some("status"));
        headings.extend(has_certainty.then_some("certainty"));
        headings.extend(has_times.then_some(">times"));
        let picture = |case: &Case| {
            let (folder, names) = self.pictures.as_ref()?;
            let name = names.get(&case.findings[0])?;
            Some(format!("<img src=\"{folder}/{name}\" width=\"240\">"))
        };
        let has_pictures = has(&|case| picture(case).is_some());
        headings.extend(has_pictures.then_some("picture"));
        let mut headings: Vec<String> = headings.into_iter().map(str::to_owned).collect();
        headings.extend(sizes.headings().map(|heading| heading.of_markdown()));
        let has_point = !self.statistics;
        let example = report.unit().filter(|_| has_point);
        let example =
            example.map_or_else(|| "e.g.".to_owned(), |unit| format!("e.g. at ({})", unit.symbol()));
        headings.extend((has_point || has_labels).then_some(example));
        let headings: Vec<&str> = headings.iter().map(|heading| &**heading).collect();
        let points = all.iter().filter_map(|case| report.point_of(&case.gravest(report)));
        let coordinates = Coordinates::like(points.flatten(), report.size());
        let row = |case: &Case| {
            let finding = case.gravest(report);
            let test = &report.tests()[finding.test as usize];
            let who = parts(report, &finding);
            let mut row = match &case.labels {
                Some(labels) => labels.each_ref().map(code).to_vec(),
                None => who.map(|part| part.map_or_else(String::new, |part| self.name(part))).to_vec(),
            };
            row.push(finding_word(finding.kind).to_owned());
            row.extend(has_tests.then(|| test.severity.name().to_owned()));
            row.extend(has_tests.then(|| code(&test.name)));
            row.extend(has_status.then(|| status(report, case.findings[0])));
            row.extend(has_certainty.then(|| certainty(report, &finding).map_or("", Sure::name).to_owned()));
            row.extend(has_times.then(|| grouped(case.findings.len() as u64)));
            row.extend(has_pictures.then(|| picture(case).unwrap_or_default()));
            row.extend(sizes.cells(&case.size, &finding));
            let example = || who.into_iter().flatten().map(|part| self.name(part)).collect::<Vec<_>>();
            if has_point {
                let point = report.point_of(&finding);
                row.push(
                    point
                        .map_or_else(|| "–".to_owned(), |point| point.map(|c| coordinates.show(c)).join(" ")),
                );
            } else if has_labels {
                row.push(example().join(", "));
            }
            row
        };
        table(&headings, all.iter().map(row), out)?;
        self.left(self.cases.len() - shown, self.cases.noun(), out)
    }

    /// Writes the parts that explain most findings.
    fn explained(&self, out: &mut dyn Write) -> io::Result<()> {
        let found = self.cases.groups().and_then(|groups| explanation(self.report, groups, self.most));
        let Some((text, first)) = found else { return Ok(()) };
        writeln!(out, "\n### Explained by\n\n{}", text.trim_start_matches("Explained by: "))?;
        let row = |one: &Explained| vec![self.name(one.part), grouped(one.findings)];
        table(&["part", ">findings"], first.iter().map(row), out)
    }

    fn what_if(&self, out: &mut dyn Write) -> io::Result<()> {
        let tolerances: Vec<WhatIfTolerance> = self.report.what_if_tolerance().collect();
        if !tolerances.is_empty() {
            writeln!(out, "\n### What if\n\nFindings at each tolerance, and those that it makes shallow.")?;
            let row = |one: &WhatIfTolerance| {
                vec![self.units.given_length(one.tolerance), grouped(one.shallow), grouped(one.findings)]
            };
            table(
                &[&self.length_heading("tolerance"), ">shallow", ">findings"],
                tolerances.iter().map(row),
                out,
            )?;
        }
        let all: Vec<WhatIf> = self.report.what_if().collect();
        if all.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n### What if\n\nFindings at each clearance, and pairs that are near.")?;
        let row = |one: &WhatIf| {
            vec![self.units.given_length(one.clearance), grouped(one.near), grouped(one.findings)]
        };
        table(&[&self.length_heading("clearance"), ">near", ">findings"], all.iter().map(row), out)
    }

    /// Writes the tests and the ignore rules of a check with rules.
    fn rules(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(rules) = self.report.rules() else { return Ok(()) };
        let source = match rules.file() {
            "" => "of the command line".to_owned(),
            file => format!("of {}", code(file)),
        };
        writeln!(out, "\n### Tests\n\nRules {source}.")?;
        let (tests, left) = self.first(self.report.tests());
        let headings = [
            "test",
            "severity",
            ">pairs",
            ">boxes apart",
            ">ignored",
            ">not examined",
            ">tested",
            ">within rounding",
            ">shallow",
            ">ignored by size",
            ">findings",
        ];
        let rows = tests.iter().map(|test| {
            let numbers = [
                test.asked,
                test.boxes_apart,
                test.ignored,
                test.not_examined,
                test.tested,
                test.within_rounding,
                test.shallow,
                test.ignored_findings,
                test.findings,
            ];
            let words = [code(&test.name), test.severity.name().to_owned()];
            words.into_iter().chain(numbers.map(grouped)).collect()
        });
        table(&headings, rows, out)?;
        self.left(left, "test", out)?;
        let (ignores, left) = self.first(self.report.ignores());
        if ignores.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n### Ignored")?;
        let rows = ignores.iter().map(|rule| {
            let line = if rule.line > 0 { rule.line.to_string() } else { "–".to_owned() };
            let ended = if rule.is_expired { " (ended)" } else { "" };
            let until = rule.until.as_ref().map_or_else(|| "–".to_owned(), |until| format!("{until}{ended}"));
            vec![code(&rule.reason), line, until, grouped(rule.pairs), grouped(rule.findings)]
        });
        table(&["because", ">line", "until", ">pairs", ">findings"], rows, out)?;
        self.left(left, "rule", out)
    }

    fn not_examined(&self, out: &mut dyn Write) -> io::Result<()> {
        let (first, left) = self.first(self.report.not_examined());
        if first.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n### Not examined\n\nThe time was up before these pairs of parts were decided.")?;
        let row = |pair: &[u32; 2]| pair.map(|part| self.name(part)).to_vec();
        table(&["part", "other part"], first.iter().map(row), out)?;
        self.left(left, "pair", out)
    }

    fn not_converted(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = omissions::failed(self.report);
        let (first, left) = self.first(&all);
        if first.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n### Parts not examined\n\nNo mesh could be made of them.")?;
        table(&omissions::HEADINGS, first.iter().map(|it| omissions::row(it).map(code).to_vec()), out)?;
        let noun = if left == 1 { "entry" } else { "entries" };
        if left > 0 {
            writeln!(out, "\nand {} {noun} more: `--limit 0` lists all", grouped(left as u64))?;
        }
        Ok(())
    }

    fn warnings(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = self.report.warnings();
        if all.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n### Warnings\n")?;
        all.iter().take(WARNINGS).try_for_each(|warning| writeln!(out, "- {}", code(warning.line())))?;
        if all.len() > WARNINGS {
            writeln!(out, "- and {} more", grouped((all.len() - WARNINGS) as u64))?;
        }
        Ok(())
    }
}

/// Certainty of a finding, of a check with chord tolerances.
fn certainty(report: &Report, finding: &Finding) -> Option<Sure> {
    match finding.kind {
        FindingKind::Near => report.near_of(finding)?.certainty,
        _ => report.clash_of(finding)?.certainty,
    }
}

#[cfg(test)]
mod tests {
    use super::{code, table};

    #[test]
    fn no_name_is_markup() {
        for (name, text) in [
            ("bolt", "`bolt`"),
            ("a|b", "`a|b`"),
            ("<b>@all</b> #1", "`<b>@all</b> #1`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            (" a", "`  a `"),
            ("", "` `"),
            ("  ", "` `"),
            ("a\nb\u{1b}", "`a\u{fffd}b\u{fffd}`"),
        ] {
            assert_eq!(code(name), text);
        }
    }

    #[test]
    fn a_bar_ends_no_cell() {
        let mut out = Vec::new();
        table(&["part", ">findings"], [vec![code("a|b\\|"), "1".to_owned()]].into_iter(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\n| part | findings |\n|---|---:|\n| `a\\|b\\\\|` | 1 |\n");
    }
}
