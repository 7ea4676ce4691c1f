//! [`Decision`] of a person about a finding.
use super::{measures::Measures, status::Status};
use crate::values::date::Date;
use std::sync::Arc;

/// The kind of a person's decision about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// The finding was reviewed.
    Reviewed,
    /// The finding is accepted.
    Approved,
}

impl DecisionKind {
    /// The resulting status of the finding.
    pub fn status(self) -> Status {
        match self {
            Self::Reviewed => Status::Reviewed,
            Self::Approved => Status::Approved,
        }
    }
}

/// A decision about a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Its kind.
    pub kind: DecisionKind,
    /// The reason.
    pub reason: Arc<str>,
    /// Its author.
    pub by: Arc<str>,
    /// The day of the decision.
    pub date: Date,
    /// The last day on which it holds; `None` if it holds until something changes.
    pub until: Option<Date>,
    /// The measures of the finding at that time. The decision does not cover worse ones.
    pub measures: Measures,
    /// The day on which the finding was reopened, which ended the decision.
    pub lapsed: Option<Date>,
}

impl Decision {
    /// True if it holds on this day, for a finding that did not change.
    pub fn holds(&self, today: Date) -> bool {
        self.lapsed.is_none() && !self.is_expired(today)
    }
    /// True if its last day has passed.
    pub fn is_expired(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }
}
