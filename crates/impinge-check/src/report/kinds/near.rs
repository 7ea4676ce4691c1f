//! Two parts that are near each other without meeting.
use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged, kind::Kind},
    values::finding_kind::FindingKind,
};

pub(super) struct NearPairs;

impl Kind for NearPairs {
    /// Moves pairs that no test reports to [`Nears::left_out`](crate::records::near::Nears::left_out).
    fn judge(&self, plan: &TestPlan, records: &mut Records, judged: &mut Judged) {
        let Some(nears) = &mut records.nears else { return };
        if !nears.left_out.is_empty() {
            nears.list.append(&mut nears.left_out);
            nears.list.sort_unstable_by_key(|near| near.parts);
        }
        // The index among the pairs that stay.
        let mut record = 0;
        nears.list.retain(|near| {
            let finding = Finding::of_pair(FindingKind::Near, near.parts, record);
            let found = judged.add_pair(plan, finding, |test| plan.of_near(test, near));
            if found.is_finding {
                record += 1;
            } else {
                judged.possible_near += u64::from(found.is_possible);
                nears.left_out.push(*near);
            }
            found.is_finding
        });
    }
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]> {
        report.near_of(finding).map(|near| near.points[0])
    }
    fn gap(&self, report: &Report, finding: &Finding) -> Option<[f64; 2]> {
        report.near_of(finding).map(|near| near.distance)
    }
    fn tie(&self, report: &Report, finding: &Finding) -> u64 {
        // The bits of numbers that are not negative have their order.
        report.distance_of(finding).map_or(0, f64::to_bits)
    }
    fn is_fragile(&self, report: &Report, finding: &Finding) -> Option<bool> {
        report.may_be_clear(finding)
    }
    fn has_examined(&self, report: &Report, test: usize, parts: &[u32], relation: &str) -> bool {
        let has_distances = report.tests()[test].clearance.is_some() || report.coverage().chord.is_some();
        has_distances && report.has_examined_pair(test, parts, relation) && !report.ignores_near(test, parts)
    }
}
