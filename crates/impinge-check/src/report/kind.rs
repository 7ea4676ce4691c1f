//! [`Kind`]: the functions of a report for one kind of finding.
use super::{Report, finding::Finding, judged::Judged};
use crate::{question::test_plan::TestPlan, records::Records};

/// The functions of a report for one kind of finding. Each gets findings of this kind.
pub(super) trait Kind: Sync {
    /// Adds the findings that the tests make of the records.
    fn judge(&self, plan: &TestPlan, records: &mut Records, judged: &mut Judged);
    /// A point of the finding, rounded.
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]>;
    /// Lower and upper bound of the distance that the finding is about, if it is about one.
    fn gap(&self, _report: &Report, _finding: &Finding) -> Option<[f64; 2]> {
        None
    }
    /// The order among findings of one severity, size and kind: smaller is graver.
    fn tie(&self, report: &Report, finding: &Finding) -> u64;
    /// True if the placement errors of parts are large enough to undo the finding; `None` without an error,
    /// or if it is unknown.
    fn is_fragile(&self, report: &Report, finding: &Finding) -> Option<bool>;
    /// True if a test examined parts, and would report such a finding. `relation` is its name in a baseline.
    fn has_examined(&self, report: &Report, test: usize, parts: &[u32], relation: &str) -> bool;
}
