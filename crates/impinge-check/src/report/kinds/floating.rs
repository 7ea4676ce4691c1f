//! A part, or a group of parts, that touches nothing else.
use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged, kind::Kind},
    rules::Find,
    values::finding_kind::FindingKind,
};

pub(super) struct FloatingGroups;

impl Kind for FloatingGroups {
    /// Adds a finding about the first part of each group that is in the test's set.
    fn judge(&self, plan: &TestPlan, records: &mut Records, judged: &mut Judged) {
        let tests = (0..).zip(&plan.tests).filter(|(_, test)| test.test.find == Find::Floating);
        for (i, test) in tests {
            for (record, group) in records.floating.iter().flatten().enumerate() {
                if let Some(&part) = group.parts.iter().find(|&&part| plan.holds(part, test.test.a)) {
                    let finding = Finding::of_pair(FindingKind::Floating, [part; 2], record);
                    judged.findings.push(finding.of_test(i));
                }
            }
        }
    }
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]> {
        report.floating_of(finding)?.nearest.map(|near| near.points[0])
    }
    fn gap(&self, report: &Report, finding: &Finding) -> Option<[f64; 2]> {
        Some(report.floating_of(finding)?.nearest?.distance)
    }
    fn tie(&self, _: &Report, _: &Finding) -> u64 {
        0
    }
    fn is_fragile(&self, report: &Report, finding: &Finding) -> Option<bool> {
        let nearest = report.floating_of(finding)?.nearest?;
        Some(nearest.distance[0] <= report.placement_error([nearest.part, nearest.other])?)
    }
    fn has_examined(&self, report: &Report, test: usize, _: &[u32], _: &str) -> bool {
        let test = report.plan().tests.get(test);
        report.floating().is_some() && test.is_some_and(|test| test.test.find == Find::Floating)
    }
}
