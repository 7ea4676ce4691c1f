//! [`Judged`]: the findings of the tests, and the numbers of each test.
use super::{finding::Finding, verdict::TestVerdict};
use crate::{
    parts::Parts,
    question::{
        pairs::Pairs,
        test_plan::{IgnoreNumbers, PairTest, TestCounts, TestNumbers, TestPlan},
        test_summary::{IgnoreSummary, TestSummary},
    },
    records::{Records, motion_gaps::MotionCounts},
    rules::Ignore,
    values::finding_kind::FindingKind,
};
use impinge::distance::Margin;

/// The findings of the tests, and the numbers of each test and ignore rule.
pub(super) struct Judged {
    /// Sorted by test and parts.
    pub(super) findings: Vec<Finding>,
    pub(super) tests: Vec<TestSummary>,
    pub(super) ignores: Vec<IgnoreSummary>,
    pub(super) of_clashes: Vec<PairVerdict>,
    /// Near pairs that would be findings if possible ones counted.
    pub(super) possible_near: u64,
    /// [`Parts::rounding`](crate::parts::Parts::rounding) of each part.
    pub(super) rounding: Vec<f64>,
}

/// The verdict of all tests on a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PairVerdict {
    /// The pair is a finding of a test.
    pub(super) is_finding: bool,
    /// It would be one but for the rounding of the parts' coordinates.
    pub(super) is_within_rounding: bool,
    /// It would be one but for the test's tolerance.
    pub(super) is_shallow: bool,
    /// It would be one if possible ones counted.
    pub(super) is_possible: bool,
}

impl Judged {
    /// The numbers of pairs, before any finding is added.
    pub(super) fn before(plan: &TestPlan, pairs: &Pairs, records: &Records, rounding: Vec<f64>) -> Self {
        let ledger = &records.ledger;
        let motions = || records.motions.iter().flat_map(|motions| &motions.tests);
        let test = |(i, test): (usize, &TestNumbers)| {
            let of_motion = motions().find(|counts| counts.test as usize == i);
            let (asked, counts) = match of_motion {
                Some(MotionCounts { asked, pairs, .. }) => (*asked, *pairs),
                None => (plan.pairs_of(i, pairs), ledger.tests.get(i).copied().unwrap_or_default()),
            };
            let TestCounts { ignored: removed, not_examined, tested } = counts;
            TestSummary {
                name: test.test.name.clone(),
                severity: test.test.severity,
                report: test.test.report,
                tolerance: test.tolerance,
                clearance: test.clearance.map(Margin::get),
                asked,
                boxes_apart: asked.saturating_sub(removed + not_examined + tested),
                ignored: removed,
                not_examined,
                tested,
                within_rounding: 0,
                shallow: 0,
                count: test.count,
                possible: 0,
                ignored_findings: 0,
                findings: 0,
            }
        };
        let mut tests: Vec<TestSummary> = plan.tests.iter().enumerate().map(test).collect();
        if plan.of_self_intersections == Some(tests.len()) {
            tests.push(TestSummary::of_self_intersections());
        }
        let ignore = |(i, (rule, numbers)): (usize, (&Ignore, &IgnoreNumbers))| {
            let of_motions = motions().map(|counts| counts.removed_by[i]).fold(0, u64::saturating_add);
            IgnoreSummary {
                reason: rule.reason.clone(),
                line: rule.line,
                until: rule.until.map(|until| until.to_string()),
                is_expired: numbers.is_expired,
                pairs: ledger.removed_by.get(i).map_or(0, |pairs| pairs.saturating_add(of_motions)),
                findings: 0,
            }
        };
        let ignores = plan.rules().ignores().iter().zip(&plan.ignores).enumerate().map(ignore).collect();
        Self { findings: Vec::new(), tests, ignores, of_clashes: Vec::new(), possible_near: 0, rounding }
    }
    /// Depth to which the rounding of coordinates may have moved two parts into each other.
    pub(super) fn rounding_of(&self, pair: [u32; 2]) -> f64 {
        Parts::sum_of_roundings(pair.map(|part| self.rounding[part as usize]))
    }
    /// Adds a finding to each test of its pair that reports it.
    pub(super) fn add_pair(
        &mut self,
        plan: &TestPlan,
        finding: Finding,
        decide: impl Fn(&PairTest) -> TestVerdict,
    ) -> PairVerdict {
        let mut verdict = PairVerdict::default();
        let pair = finding.pair();
        for own in &plan.of_pair(pair).tests {
            if plan.removed_by(own, pair).is_some() {
                continue;
            }
            let test = &mut self.tests[own.test as usize];
            match decide(own) {
                TestVerdict::Unreported => {}
                TestVerdict::WithinRounding => {
                    test.within_rounding += 1;
                    verdict.is_within_rounding = true;
                }
                TestVerdict::Shallow => {
                    test.shallow += 1;
                    verdict.is_shallow = true;
                }
                TestVerdict::Possible => {
                    test.possible += 1;
                    verdict.is_possible = true;
                }
                TestVerdict::Ignored(rule) => {
                    test.ignored_findings += 1;
                    self.ignores[rule as usize].findings += 1;
                }
                TestVerdict::Finding => {
                    self.findings.push(finding.of_test(own.test));
                    verdict.is_finding = true;
                }
            }
        }
        verdict
    }
    /// Adds findings about contacts that earlier deliveries had, each with the name of its test.
    pub(super) fn add_lost_contacts<'a>(&mut self, lost: impl Iterator<Item = (&'a str, [u32; 2])>) {
        for (name, parts) in lost {
            if let Some(test) = self.tests.iter().position(|test| *test.name == *name) {
                let finding = Finding::of_pair(FindingKind::LostContact, parts, 0);
                self.findings.push(finding.of_test(test as u32));
            }
        }
        self.count();
    }
    /// Sorts the findings, and counts those of each test.
    pub(super) fn count(&mut self) {
        self.findings.sort_unstable_by_key(|finding| (finding.test, finding.pair()));
        self.tests.iter_mut().for_each(|test| test.findings = 0);
        for finding in &self.findings {
            self.tests[finding.test as usize].findings += 1;
        }
    }
    /// Number of clashes that are findings.
    pub(super) fn counting(&self) -> u64 {
        self.of_clashes.iter().filter(|of| of.is_finding).count() as u64
    }
    /// Number of clashes that are no findings because rounding may have made them.
    pub(super) fn within_rounding(&self) -> u64 {
        self.of_clashes.iter().filter(|of| of.is_within_rounding && !of.is_finding).count() as u64
    }
    /// Number of clashes that would be findings but for a tolerance.
    pub(super) fn shallow(&self) -> u64 {
        self.of_clashes.iter().filter(|of| of.is_shallow && !of.is_finding).count() as u64
    }
}
