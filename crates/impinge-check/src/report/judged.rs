//! [`Judged`]: what the tests of a check make of its records.
use crate::{
    question::{
        pairs::Pairs,
        test_plan::{IgnoreNumbers, TestCounts, TestNumbers, TestPlan},
        test_summary::{IgnoreSummary, TestSummary},
    },
    records::{Records, motion_gaps::MotionCounts, near::Near},
    report::{finding::Finding, verdict::Verdicts},
    rules::{Find, Ignore},
};
use impinge::distance::Margin;

/// What the tests of a check make of its records.
pub(super) struct Judged {
    /// Sorted by test and parts.
    pub(super) findings: Vec<Finding>,
    pub(super) tests: Vec<TestSummary>,
    pub(super) ignores: Vec<IgnoreSummary>,
    /// For each clash whether it is a finding, and whether it would be but for a tolerance.
    pub(super) of_clashes: Vec<[bool; 2]>,
}

impl Judged {
    /// Of the near pairs, those that no test reports go to [`Nears::left_out`](crate::records::near::Nears::left_out).
    pub(super) fn new(plan: &TestPlan, pairs: &Pairs, records: &mut Records) -> Self {
        let mut verdicts = Verdicts::new(plan);
        let clashes = &records.clashes;
        let judge = |(record, clash)| verdicts.add_clash(plan, clash, record, clashes.depth(clash));
        let of_clashes: Vec<[bool; 2]> = clashes.list.iter().enumerate().map(judge).collect();
        if let Some(nears) = &mut records.nears {
            let mut all = std::mem::take(&mut nears.list);
            if !nears.left_out.is_empty() {
                all.append(&mut nears.left_out);
                all.sort_unstable_by_key(|near| near.parts);
            }
            // The list keeps pairs that some test reports: a record is the place among these.
            let mut record = 0;
            all.retain(|near: &Near| {
                let is_finding = verdicts.add_near(plan, near, record);
                if is_finding {
                    record += 1;
                } else {
                    nears.left_out.push(*near);
                }
                is_finding
            });
            nears.list = all;
        }
        let Verdicts { findings, shallow, ignored, ignored_by } = verdicts;
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
                shallow: shallow[i],
                ignored_findings: ignored[i],
                findings: 0,
            }
        };
        let tests = plan.tests.iter().enumerate().map(test).collect();
        let ignore = |(i, (rule, numbers)): (usize, (&Ignore, &IgnoreNumbers))| {
            let of_motions: u64 = motions().map(|counts| counts.removed_by[i]).sum();
            IgnoreSummary {
                reason: rule.reason.clone(),
                line: rule.line,
                until: rule.until.map(|until| until.to_string()),
                is_expired: numbers.is_expired,
                pairs: ledger.removed_by.get(i).copied().unwrap_or(0) + of_motions,
                findings: ignored_by[i],
            }
        };
        let ignores = plan.rules().ignores().iter().zip(&plan.ignores).enumerate().map(ignore).collect();
        let mut judged = Self { findings, tests, ignores, of_clashes };
        judged.add_motions(records);
        judged.add_floating(plan, records);
        judged.add_self_intersections(plan, records);
        judged.count();
        judged
    }
    fn add_motions(&mut self, records: &Records) {
        let gaps = records.motions.iter().flat_map(|motions| &motions.gaps).enumerate();
        self.findings.extend(gaps.map(|(record, gap)| Finding::of_motion_gap(gap, record)));
    }
    fn add_floating(&mut self, plan: &TestPlan, records: &Records) {
        let tests = (0..).zip(&plan.tests).filter(|(_, test)| test.test.find == Find::Floating);
        for (i, test) in tests {
            for (record, group) in records.floating.iter().flatten().enumerate() {
                if let Some(&part) = group.parts.iter().find(|&&part| plan.holds(part, test.test.a)) {
                    self.findings.push(Finding::of_floating(i, part, record));
                }
            }
        }
    }
    fn add_self_intersections(&mut self, plan: &TestPlan, records: &Records) {
        let (Some(all), Some(test)) = (&records.within, plan.of_self_intersections) else { return };
        if test == self.tests.len() {
            self.tests.push(TestSummary::of_self_intersections());
        }
        for (part, found) in (0..).zip(all) {
            if found.as_ref().is_some_and(|found| found.triangle_pairs > 0) {
                self.findings.push(Finding::of_part(test as u32, part));
            }
        }
    }
    /// Adds findings about contacts that earlier deliveries had, each with the name of its test.
    pub(super) fn add_lost_contacts<'a>(&mut self, lost: impl Iterator<Item = (&'a str, [u32; 2])>) {
        for (name, parts) in lost {
            if let Some(test) = self.tests.iter().position(|test| *test.name == *name) {
                self.findings.push(Finding::of_lost_contact(test as u32, parts));
            }
        }
        self.count();
    }
    /// Sorts the findings, and counts those of each test.
    fn count(&mut self) {
        self.findings.sort_unstable_by_key(|finding| (finding.test, finding.pair()));
        self.tests.iter_mut().for_each(|test| test.findings = 0);
        for finding in &self.findings {
            self.tests[finding.test as usize].findings += 1;
        }
    }
    /// How many clashes are findings.
    pub(super) fn counting(&self) -> u64 {
        self.of_clashes.iter().filter(|[is_finding, _]| *is_finding).count() as u64
    }
    /// How many clashes would be findings but for a tolerance.
    pub(super) fn shallow(&self) -> u64 {
        self.of_clashes.iter().filter(|[is_finding, is_shallow]| *is_shallow && !is_finding).count() as u64
    }
}
