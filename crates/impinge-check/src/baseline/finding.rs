//! [`KnownFinding`] of a baseline.
use super::{decision::Decision, id::FindingId, measures::Measures, status::Status, topic::Topic};
use crate::values::date::Date;
use std::sync::Arc;

/// A finding of a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownFinding {
    /// Its name, which stays.
    pub id: FindingId,
    /// Name of the test.
    pub test: Arc<str>,
    /// Indices of its parts in [`Baseline::parts`](super::Baseline::parts), in the order of their keys; of
    /// one part, twice the same.
    pub(super) pair: [u32; 2],
    /// As it was when it was last seen.
    pub measures: Measures,
    /// What a later delivery is compared with, unless a decision has other numbers: the least since it was
    /// new or reopened. Small growth thus does not add up unseen.
    pub reference: Measures,
    /// Status in the last delivery that examined it: new, reopened, active or resolved.
    pub(super) standing: Status,
    /// The day on which it was first seen.
    pub first: Date,
    /// The day since which it has its status, apart from decisions.
    pub since: Date,
    /// True if the last delivery did not examine it.
    pub not_examined: bool,
    /// The name of its group, which is the id of one of its findings; `None` if it is alone, or if the baseline
    /// has no groups. See [`Baseline::group_of`](super::Baseline::group_of).
    pub(super) group: Option<FindingId>,
    /// What a person decided last.
    pub decision: Option<Decision>,
    /// What other programs keep about it, if it was imported from one.
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
    /// What a new delivery is compared with.
    pub(super) fn accepted(&self) -> &Measures {
        let decision = self.decision.as_ref().filter(|decision| decision.lapsed.is_none());
        decision.map_or(&self.reference, |decision| &decision.measures)
    }
}
