//! People's decisions about the findings of a baseline.
use super::{
    decision::{Decision, DecisionKind},
    id::FindingId,
    status::Status,
    store::Baseline,
};
use crate::values::{date::Date, error::Error};
use std::sync::Arc;

/// The reason, author and dates of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The reason.
    pub reason: Arc<str>,
    /// Its author.
    pub by: Arc<str>,
    /// The day of the decision.
    pub date: Date,
    /// The last day on which it holds; `None` if it holds until something changes.
    pub until: Option<Date>,
}

impl Baseline {
    /// Accepts findings. They no longer count, unless they become worse, come back after they were resolved,
    /// or the last day of the note has passed.
    ///
    /// # Errors
    /// An id is not in the baseline, or its finding is resolved.
    pub fn approve(&self, ids: &[FindingId], note: &Note) -> Result<Self, Error> {
        self.decide(ids, DecisionKind::Approved, note)
    }
    /// Marks findings as reviewed. They no longer count, either.
    ///
    /// # Errors
    /// An id is not in the baseline, or its finding is resolved.
    pub fn review(&self, ids: &[FindingId], note: &Note) -> Result<Self, Error> {
        self.decide(ids, DecisionKind::Reviewed, note)
    }
    /// Records a decision about findings. It replaces an earlier one, and changes no other line of the file.
    ///
    /// # Errors
    /// An id is not in the baseline, or its finding is resolved.
    pub fn decide(&self, ids: &[FindingId], kind: DecisionKind, note: &Note) -> Result<Self, Error> {
        let mut next = self.clone();
        for id in ids {
            let place =
                self.place_of(*id).ok_or_else(|| Error::new(format!("no finding has the id {id}")))?;
            let finding = &mut next.findings[place];
            if finding.standing == Status::Resolved {
                return Err(Error::new(format!("finding {id} is resolved; there is nothing to decide")));
            }
            let Note { reason, by, date, until } = note.clone();
            let measures = finding.measures.clone();
            finding.decision = Some(Decision { kind, reason, by, date, until, measures, lapsed: None });
        }
        Ok(next)
    }
}
