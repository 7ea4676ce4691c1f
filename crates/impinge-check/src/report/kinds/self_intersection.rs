//! A part whose mesh intersects itself.
use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged, kind::Kind},
    values::finding_kind::FindingKind,
};

pub(super) struct SelfIntersectingParts;

impl Kind for SelfIntersectingParts {
    fn judge(&self, plan: &TestPlan, records: &mut Records, judged: &mut Judged) {
        let (Some(all), Some(test)) = (&records.within, plan.of_self_intersections) else { return };
        for (part, found) in (0..).zip(all) {
            if found.as_ref().is_some_and(|found| found.triangle_pairs > 0) {
                let finding = Finding::of_pair(FindingKind::SelfIntersection, [part; 2], part as usize);
                judged.findings.push(finding.of_test(test as u32));
            }
        }
    }
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]> {
        report.part(finding.pair()[0]).self_intersections()?.point
    }
    fn tie(&self, _: &Report, _: &Finding) -> u64 {
        0
    }
    fn is_fragile(&self, report: &Report, _: &Finding) -> Option<bool> {
        // Both triangles move alike.
        report.plan().has_placement_errors().then_some(false)
    }
    fn has_examined(&self, report: &Report, _: usize, parts: &[u32], _: &str) -> bool {
        let is_part = |part: &&u32| (**part as usize) < report.part_count();
        let part = parts.first().filter(is_part);
        part.is_some_and(|&part| report.part(part).self_intersections().is_some())
    }
}
