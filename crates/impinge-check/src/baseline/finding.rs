//! [`KnownFinding`] of a baseline.
use super::{decision::Decision, id::FindingId, measures::Measures, status::Status, topic::Topic};
use crate::values::date::Date;
use std::sync::Arc;

/// A finding of a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownFinding {
    /// Its id, which does not change.
    pub id: FindingId,
    /// Name of the test.
    pub test: Arc<str>,
    /// Indices of its parts in [`Baseline::parts`](super::Baseline::parts), in the order of their keys; twice
    /// the same for one part.
    pub(super) pair: [u32; 2],
    /// Its measures in the last delivery that had it.
    pub measures: Measures,
    /// The measures that a later delivery is compared with, unless a decision has its own: the least since
    /// the finding was new or reopened. So small growth adds up until it is reported.
    pub reference: Measures,
    /// Status in the last delivery that examined it: new, reopened, active or resolved.
    pub(super) standing: Status,
    /// The day on which it was first seen.
    pub first: Date,
    /// The first day of its status, apart from decisions.
    pub since: Date,
    /// True if the last delivery did not examine it.
    pub not_examined: bool,
    /// The name of its group, which is the id of one of the group's findings. `None` if it is alone, or if
    /// the baseline has no groups. See [`Baseline::group_of`](super::Baseline::group_of).
    pub(super) group: Option<FindingId>,
    /// The last decision of a person.
    pub decision: Option<Decision>,
    /// The status and comments of other programs, if they were imported.
    pub topic: Option<Topic>,
}

impl KnownFinding {
    /// Indices of its parts in [`Baseline::parts`](super::Baseline::parts): one or two.
    pub fn parts(&self) -> &[u32] {
        if self.pair[0] == self.pair[1] { &self.pair[..1] } else { &self.pair }
    }
    /// Its status after the last delivery and decision. It does not depend on today's date: an approval that
    /// expired counts from the next delivery on.
    pub fn status(&self) -> Status {
        match &self.decision {
            Some(decision) if self.standing != Status::Resolved && decision.lapsed.is_none() => {
                decision.kind.status()
            }
            _ => self.standing,
        }
    }
    /// The measures that a new delivery is compared with.
    pub(super) fn accepted(&self) -> &Measures {
        let decision = self.decision.as_ref().filter(|decision| decision.lapsed.is_none());
        decision.map_or(&self.reference, |decision| &decision.measures)
    }
}
