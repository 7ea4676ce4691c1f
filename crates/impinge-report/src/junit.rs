//! [`JunitReport`]: a report for CI servers.
use crate::{
    case_text::CaseText,
    cases::{Case, Cases},
    omissions, summary,
    summary_line::aligned,
    writer::{Format, ReportWriter},
    xml_writer::XmlWriter,
};
use impinge_check::{
    Report,
    report::{GroupBy, TestSummary},
    values::{
        numbers::{count, count_of, grouped},
        text::printable,
    },
};
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// Report as JUnit XML, for CI servers, with a suite for each test and a failed case for each group of
/// findings.
///
/// * With a baseline only findings that are new or reopened are failures, and are listed.
/// * A test without findings has one case, which passes.
/// * Pairs for which there was no time, and parts that no mesh could be made of, are an `<error>`, not
///   `<skipped>`. Servers show a skipped case as one that nobody needs to look at, and a run with nothing
///   else as a success.
/// * The failure of a group names its ten gravest findings and counts the rest. A suite has at most as many
///   cases of groups as [`JunitReport::cases`] allows; one more counts the others. So the file stays within
///   the limits of servers (GitLab: 500,000 cases).
/// * Times are 0: a report has no clock, and is the same bytes whenever it is written.
#[derive(Clone)]
pub struct JunitReport {
    groups: Option<GroupBy>,
    cases: usize,
}

/// Maximum number of findings that the text of a failure names.
const NAMED: usize = 10;

/// The default of [`JunitReport::cases`].
const CASES: usize = 1000;

/// Maximum number of warnings of readers and of rules that are named.
const WARNINGS: usize = 100;

pub(crate) const FORMAT: Format = Format {
    name: "junit",
    extension: "xml",
    about: "for CI servers: JUnit XML",
    contacts: false,
    writer: || Box::new(JunitReport::new()),
};

impl Default for JunitReport {
    fn default() -> Self {
        Self { groups: Some(GroupBy::Shapes), cases: CASES }
    }
}

impl JunitReport {
    /// Report with a case for each group of findings of the same two shapes, at most 1,000 in a suite.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the rule that groups findings into cases; `None` makes a case of each finding.
    #[must_use]
    pub fn groups(self, by: Option<GroupBy>) -> Self {
        Self { groups: by, ..self }
    }
    /// Sets the maximum number of cases of groups in a suite, the gravest first; one more case counts the
    /// others.
    #[must_use]
    pub fn cases(self, most: usize) -> Self {
        Self { cases: most, ..self }
    }
}

impl ReportWriter for JunitReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let cases = Cases::new(report, self.groups.as_ref());
        let mut of_tests: Vec<Vec<usize>> = vec![Vec::new(); report.tests().len()];
        (0..cases.len()).for_each(|i| of_tests[cases.test(report, i) as usize].push(i));
        let suites = Suites { texts: CaseText::new(report), report, cases, most: self.cases };
        let tests: Vec<(u32, &TestSummary, Vec<usize>)> =
            (0..).zip(report.tests()).zip(of_tests).map(|((i, test), of)| (i, test, of)).collect();
        let mut all = Counts::default();
        tests.iter().for_each(|(i, test, of)| all.add(&suites.counts(*i, test, of)));
        let [cases, failures, errors] = all.words();
        let numbers =
            [("name", "impinge"), ("tests", &cases), ("failures", &failures), ("errors", &errors), TIME];
        let mut xml = Xml::new(out)?;
        xml.element("testsuites", &numbers, |xml| {
            tests.iter().try_for_each(|(i, test, of)| suites.write(*i, test, of, xml))
        })?;
        xml.finish().map(drop)
    }
}

type Xml<'a> = XmlWriter<&'a mut dyn Write>;

/// A report has no clock.
const TIME: (&str, &str) = ("time", "0");

/// Numbers of cases.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
    }
    /// Cases, failures and errors as values of attributes.
    fn words(&self) -> [String; 3] {
        [self.tests, self.failures, self.errors].map(|number| number.to_string())
    }
}

/// The end of a message about pairs or parts for which there was no time.
const TIME_IS_UP: &str = " not examined: the time was up";

/// A case that is an error.
struct Unexamined {
    name: &'static str,
    message: String,
    details: String,
}

/// Data for all suites.
struct Suites<'a> {
    report: &'a Report,
    texts: CaseText<'a>,
    cases: Cases,
    /// Maximum number of cases of groups in a suite.
    most: usize,
}

impl Suites<'_> {
    /// Cases for pairs and parts that the test did not examine.
    fn errors(&self, index: u32, test: &TestSummary) -> Vec<Unexamined> {
        // Self-intersections are findings of the first test.
        let within = self.report.coverage().self_intersections.as_ref().filter(|_| index == 0);
        let parts = within.map_or(0, |within| within.not_examined);
        let pairs = (test.not_examined > 0).then(|| Unexamined {
            name: "pairs not examined",
            message: count_of(test.not_examined, "pair of parts was", "pairs of parts were") + TIME_IS_UP,
            details: self.not_examined(),
        });
        let parts = (parts > 0).then(|| Unexamined {
            name: "self-intersections not examined",
            message: count_of(parts, "part was", "parts were") + TIME_IS_UP,
            details: String::new(),
        });
        // Parts without a mesh belong to no test; the first suite names them.
        let failed = self.report.coverage().parts_not_examined;
        let failed = (failed > 0 && index == 0).then(|| Unexamined {
            name: "parts not examined",
            message: count_of(failed, "part was", "parts were")
                + " not examined, in whole or in part: no mesh could be made of what the files have",
            details: self.not_converted(),
        });
        pairs.into_iter().chain(parts).chain(failed).collect()
    }
    fn counts(&self, index: u32, test: &TestSummary, of: &[usize]) -> Counts {
        let (shown, left) = of.split_at(of.len().min(self.most));
        let errors = self.errors(index, test).len();
        let others = usize::from(!left.is_empty());
        let passed = usize::from(of.is_empty() && errors == 0);
        Counts { tests: shown.len() + others + errors + passed, failures: shown.len() + others, errors }
    }
    fn write(&self, index: u32, test: &TestSummary, of: &[usize], xml: &mut Xml<'_>) -> io::Result<()> {
        let class = printable(&test.name);
        let [tests, failures, errors] = self.counts(index, test, of).words();
        let numbers = [
            ("name", &*class),
            ("tests", &tests),
            ("failures", &failures),
            ("errors", &errors),
            ("skipped", "0"),
            TIME,
        ];
        xml.element("testsuite", &numbers, |xml| self.cases(index, test, of, xml))
    }
    /// Writes the contents of a suite's element.
    fn cases(&self, index: u32, test: &TestSummary, of: &[usize], xml: &mut Xml<'_>) -> io::Result<()> {
        let class = &*printable(&test.name);
        properties(test, xml)?;
        let (shown, left) = of.split_at(of.len().min(self.most));
        for &i in shown {
            self.case(class, &self.cases.get(self.report, i), xml)?;
        }
        if !left.is_empty() {
            let findings: usize = left.iter().map(|&i| self.cases.count(i)).sum();
            let text = format!(
                "{} with {} not listed: a text table or JSON has all",
                count(left.len() as u64, &format!("more {}", self.cases.noun())),
                count_of(findings as u64, "finding is", "findings are"),
            );
            xml.element("testcase", &head(class, "more findings"), |xml| {
                xml.empty("failure", &[("message", &text), ("type", "more")])
            })?;
        }
        let errors = self.errors(index, test);
        for Unexamined { name, message, details } in &errors {
            xml.element("testcase", &head(class, name), |xml| {
                xml.text_with("error", &[("message", message), ("type", "not_examined")], details)
            })?;
        }
        if of.is_empty() && errors.is_empty() {
            xml.empty("testcase", &head(class, "no findings"))?;
        }
        if index == 0 {
            let summary = aligned(&summary::lines(self.report, |name| name), None);
            xml.text("system-out", &printable(&summary))?;
            self.warnings(xml)?;
        }
        Ok(())
    }
    /// Writes the case of a group.
    fn case(&self, class: &str, case: &Case, xml: &mut Xml<'_>) -> io::Result<()> {
        let gravest = case.gravest(self.report);
        let number = case.findings.len() as u64;
        let size = self.texts.size(&case.size, &gravest, number > 1);
        let between = if size.is_empty() { "" } else { ": " };
        let message = format!("{}{between}{size}", count(number, "finding"));
        let kind = gravest.kind.name();
        xml.element("testcase", &head(class, &self.texts.name(case)), |xml| {
            xml.text_with("failure", &[("message", &message), ("type", kind)], &self.text(case))
        })
    }
    /// The gravest findings of a group.
    fn text(&self, case: &Case) -> String {
        let mut text = String::from("\n");
        let shown = &case.findings[..case.findings.len().min(NAMED)];
        for &i in shown {
            text += &self.texts.line(i);
            text.push('\n');
        }
        if case.findings.len() > NAMED {
            let _ = writeln!(text, "and {} more", grouped((case.findings.len() - NAMED) as u64));
        }
        if let Some(unit) = self.report.unit() {
            let _ = writeln!(text, "Coordinates are in {}.", unit.symbol());
        }
        let files = self.texts.files(shown);
        if !files.is_empty() {
            let _ = writeln!(text, "Files: {}", files.join(", "));
        }
        text
    }
    /// The first pairs for which there was no time.
    fn not_examined(&self) -> String {
        let all = self.report.not_examined();
        let mut text = String::from("\n");
        if self.report.tests().len() > 1 {
            let _ = writeln!(text, "Of all tests together, {}:", count(all.len() as u64, "pair"));
        }
        for pair in all.iter().take(NAMED) {
            let _ = writeln!(text, "{}", pair.map(|part| self.texts.names.label(part as usize)).join(", "));
        }
        if all.len() > NAMED {
            let _ = writeln!(text, "and {} more", grouped((all.len() - NAMED) as u64));
        }
        text
    }
    /// The first parts that no mesh could be made of.
    fn not_converted(&self) -> String {
        let all = omissions::failed(self.report);
        let mut text = String::from("\n");
        for omission in all.iter().take(NAMED) {
            let _ = writeln!(text, "{}", omissions::row(omission).join(", "));
        }
        if all.len() > NAMED {
            let _ = writeln!(text, "and {} more", grouped((all.len() - NAMED) as u64));
        }
        text
    }
    fn warnings(&self, xml: &mut Xml<'_>) -> io::Result<()> {
        let all = self.report.warnings();
        if all.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        for warning in all.iter().take(WARNINGS) {
            text += &warning.line();
            text.push('\n');
        }
        if all.len() > WARNINGS {
            let _ = writeln!(text, "and {} more", grouped((all.len() - WARNINGS) as u64));
        }
        xml.text("system-err", &text)
    }
}

/// Attributes of a case.
fn head<'a>(class: &'a str, name: &'a str) -> [(&'a str, &'a str); 3] {
    [("classname", class), ("name", name), TIME]
}

/// Writes the severity and the lengths of a test, and the numbers of its pairs.
fn properties(test: &TestSummary, xml: &mut Xml<'_>) -> io::Result<()> {
    let numbers = [
        ("asked", test.asked),
        ("boxes_apart", test.boxes_apart),
        ("ignored", test.ignored),
        ("not_examined", test.not_examined),
        ("tested", test.tested),
        ("within_rounding", test.within_rounding),
        ("shallow", test.shallow),
        ("ignored_findings", test.ignored_findings),
        ("findings", test.findings),
    ];
    let lengths = [("tolerance", test.tolerance), ("clearance", test.clearance)];
    let severity = [("severity", test.severity.name().to_owned())];
    let lengths = lengths.into_iter().filter_map(|(name, length)| Some((name, length?.to_string())));
    let numbers = numbers.map(|(name, number)| (name, number.to_string()));
    xml.element("properties", &[], |xml| {
        severity
            .into_iter()
            .chain(lengths)
            .chain(numbers)
            .try_for_each(|(name, value)| xml.empty("property", &[("name", name), ("value", &value)]))
    })
}
