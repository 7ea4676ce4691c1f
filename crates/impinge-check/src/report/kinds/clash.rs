//! Two parts that meet, or one inside the other.
use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged, kind::Kind},
    values::finding_kind::FindingKind,
};
use impinge::relation::RelationKind;

pub(super) struct ClashFindings;

impl Kind for ClashFindings {
    fn judge(&self, plan: &TestPlan, records: &mut Records, judged: &mut Judged) {
        let all = &records.clashes;
        judged.of_clashes.reserve_exact(all.list.len());
        for (record, clash) in all.list.iter().enumerate() {
            let depth = all.depth(clash);
            let kind = FindingKind::Clash(clash.relation);
            let rounding = judged.rounding_of(clash.parts);
            let of = judged.add_pair(plan, Finding::of_pair(kind, clash.parts, record), |test| {
                plan.of_clash(test, clash, depth, rounding)
            });
            judged.of_clashes.push(of);
        }
    }
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]> {
        report.clash_of(finding).map(|clash| clash.point)
    }
    fn tie(&self, report: &Report, finding: &Finding) -> u64 {
        report.clash_of(finding).map_or(0, |clash| u64::MAX - clash.triangle_pairs)
    }
    fn is_fragile(&self, report: &Report, finding: &Finding) -> Option<bool> {
        let error = report.placement_error(finding.pair())?;
        if finding.kind == FindingKind::Clash(Some(RelationKind::Touch)) {
            return Some(true);
        }
        let depth = report.depth(report.clash_of(finding)?)?;
        Some(depth.separating_length()? <= error)
    }
    fn has_examined(&self, report: &Report, test: usize, parts: &[u32], relation: &str) -> bool {
        report.has_examined_pair(test, parts, relation)
    }
}
