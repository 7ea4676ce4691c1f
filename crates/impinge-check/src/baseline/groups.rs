//! Groups of a baseline's findings, which people decide about together.
use super::{finding::KnownFinding, id::FindingId, status::Status, store::Baseline};
use std::collections::HashMap;

impl Baseline {
    /// True if findings have the groups of a report ([`Report::updated`](crate::Report::updated)). A file of
    /// format version 1 has none.
    pub fn has_groups(&self) -> bool {
        self.has_groups
    }
    /// The name of a finding's group: an id that all its findings share. It is the finding's own id if the
    /// finding is alone.
    ///
    /// Groups are those of [`GroupBy::Shapes`](crate::report::GroupBy): a row of the HTML page and a topic of
    /// BCF. A finding that the last report does not have keeps its group.
    pub fn group_of(&self, finding: &KnownFinding) -> FindingId {
        finding.group.unwrap_or(finding.id)
    }
    /// The baseline with the groups of its last delivery. The name of a group is the least id of its
    /// findings.
    pub(crate) fn with_groups(mut self, groups: impl IntoIterator<Item = Vec<FindingId>>) -> Self {
        let mut name_of: HashMap<FindingId, Option<FindingId>> = HashMap::new();
        for mut ids in groups {
            ids.sort_unstable();
            ids.dedup();
            let name = ids.first().copied().filter(|_| ids.len() > 1);
            name_of.extend(ids.into_iter().map(|id| (id, name)));
        }
        for finding in &mut self.findings {
            match name_of.get(&finding.id) {
                Some(name) => finding.group = *name,
                None if finding.standing == Status::Resolved => finding.group = None,
                None => {}
            }
        }
        self.has_groups = true;
        self
    }
}
