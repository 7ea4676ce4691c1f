//! Two parts that had a point in common in an earlier delivery, and are apart.
use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged, kind::Kind},
};

pub(super) struct LostContacts;

impl Kind for LostContacts {
    /// Adds nothing: lost contacts come from a baseline ([`Judged::add_lost_contacts`]).
    fn judge(&self, _: &TestPlan, _: &mut Records, _: &mut Judged) {}
    fn point(&self, _: &Report, _: &Finding) -> Option<[f64; 3]> {
        None
    }
    fn tie(&self, _: &Report, _: &Finding) -> u64 {
        0
    }
    fn is_fragile(&self, _: &Report, _: &Finding) -> Option<bool> {
        None
    }
    fn has_examined(&self, report: &Report, test: usize, parts: &[u32], relation: &str) -> bool {
        report.has_examined_pair(test, parts, relation)
    }
}
