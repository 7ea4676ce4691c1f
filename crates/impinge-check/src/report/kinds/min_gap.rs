//! Two parts that come too near at one of the poses of a motion.
use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged, kind::Kind},
    rules::Find,
    values::finding_kind::FindingKind,
};

pub(super) struct MinGaps;

impl Kind for MinGaps {
    fn judge(&self, _: &TestPlan, records: &mut Records, judged: &mut Judged) {
        for (record, gap) in records.motions.iter().flat_map(|motions| &motions.gaps).enumerate() {
            let finding = Finding::of_pair(FindingKind::MinGap, gap.parts, record);
            judged.findings.push(finding.of_test(gap.test));
        }
    }
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]> {
        report.motion_gap_of(finding).map(|gap| gap.points[0])
    }
    fn gap(&self, report: &Report, finding: &Finding) -> Option<[f64; 2]> {
        report.motion_gap_of(finding).map(|gap| gap.distance)
    }
    fn tie(&self, report: &Report, finding: &Finding) -> u64 {
        report.distance_of(finding).map_or(0, f64::to_bits)
    }
    fn is_fragile(&self, report: &Report, finding: &Finding) -> Option<bool> {
        report.may_be_clear(finding)
    }
    fn has_examined(&self, report: &Report, test: usize, parts: &[u32], _: &str) -> bool {
        let (plan, &[a, b]) = (report.plan(), parts) else { return false };
        let pair = [a.min(b), a.max(b)];
        plan.tests.get(test).is_some_and(|test| test.test.find == Find::MinGap)
            && plan.is_of_motion(test, pair)
            && report.pairs().asks(pair)
            && plan.removed_from_motion(test, pair).is_none()
            && report.not_examined().binary_search(&pair).is_err()
    }
}
