//! [`Decision`] of a person about a finding.
use super::{measures::Measures, status::Status};
use crate::values::date::Date;
use std::sync::Arc;

/// What a person can decide about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// It was looked at.
    Reviewed,
    /// It is accepted.
    Approved,
}

impl DecisionKind {
    /// The status that it gives a finding.
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
    /// What was decided.
    pub kind: DecisionKind,
    /// Why.
    pub reason: Arc<str>,
    /// By whom.
    pub by: Arc<str>,
    /// When.
    pub date: Date,
    /// The last day on which it holds; `None` if it holds until something changes.
    pub until: Option<Date>,
    /// The finding as it was then: worse is not covered.
    pub measures: Measures,
    /// The day on which the finding was reopened: the decision holds no more.
    pub lapsed: Option<Date>,
}

impl Decision {
    /// Whether it holds on this day, for a finding that did not change.
    pub fn holds(&self, today: Date) -> bool {
        self.lapsed.is_none() && !self.is_expired(today)
    }
    /// Whether its last day has passed.
    pub fn is_expired(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }
}
