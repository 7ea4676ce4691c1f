//! [`Comparison`] of a delivery with a baseline.
use super::{id::FindingId, status::Status};
use crate::identity::Matching;
use std::sync::Arc;

/// A delivery compared with a baseline.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub(super) seen: Vec<Seen>,
    /// The findings of the baseline that the delivery does not have, sorted by id.
    pub(super) gone: Vec<Gone>,
    pub(super) matching: Matching,
    /// Keys of the delivery's parts that are in findings.
    pub(super) keys: Vec<Option<Arc<str>>>,
}

/// A finding of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// Its id, which does not change.
    pub id: FindingId,
    /// Its status.
    pub status: Status,
    /// The reason why it was reopened.
    pub why: Option<Why>,
    /// Its index in the baseline.
    pub(super) known: Option<u32>,
}

/// The reason why a finding was reopened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Why {
    /// The resolved finding came back.
    CameBack,
    /// The decision about the finding expired.
    Expired,
    /// The relation of the parts became graver.
    Graver,
    /// Its depth or volume grew, or its distance shrank.
    Grew,
}

impl Why {
    /// Its name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::CameBack => "came back",
            Self::Expired => "expired",
            Self::Graver => "graver",
            Self::Grew => "grew",
        }
    }
}

/// A finding of the baseline that a delivery does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gone {
    /// Its id.
    pub id: FindingId,
    /// The reason why the delivery does not have it.
    pub fate: Fate,
    /// Its index in the baseline.
    pub(super) known: u32,
}

/// The reason why a delivery does not have a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// The finding is gone, and its parts were examined.
    Resolved,
    /// The finding was resolved before.
    StillResolved,
    /// The delivery does not have one of its parts.
    PartMissing,
    /// The delivery has its parts, but the test did not examine them.
    NotExamined,
}

/// Outcome of a finding of the delivery or of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The delivery has the finding.
    Seen(Status),
    /// The delivery does not have it.
    Gone(Fate),
}

/// Numbers of findings by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutcomeCounts {
    /// Findings that the baseline does not have.
    pub new: u64,
    /// Findings that are back, worse, or no longer approved.
    pub reopened: u64,
    /// Known findings that are open.
    pub active: u64,
    /// Findings that a person looked at.
    pub reviewed: u64,
    /// Findings that a person accepted.
    pub approved: u64,
    /// Findings that this delivery resolved.
    pub resolved: u64,
    /// Findings that were resolved before.
    pub still_resolved: u64,
    /// Findings of the baseline with a part that the delivery does not have.
    pub part_missing: u64,
    /// Findings of the baseline with parts that no test examined.
    pub not_examined: u64,
}

impl Comparison {
    /// The findings of the delivery, in its order.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }
    /// The findings of the baseline that the delivery does not have, sorted by id.
    pub fn gone(&self) -> &[Gone] {
        &self.gone
    }
    /// The parts of the baseline (old) and of the delivery (new).
    pub fn matching(&self) -> &Matching {
        &self.matching
    }
    /// True if the delivery's finding with this index is new or reopened.
    pub fn counts(&self, finding: usize) -> bool {
        self.seen.get(finding).is_some_and(|seen| seen.status.counts())
    }
    /// The findings of both, in no particular order.
    pub fn outcomes(&self) -> impl Iterator<Item = (FindingId, Outcome)> {
        let seen = self.seen.iter().map(|seen| (seen.id, Outcome::Seen(seen.status)));
        seen.chain(self.gone.iter().map(|gone| (gone.id, Outcome::Gone(gone.fate))))
    }
    /// Numbers of findings by outcome.
    pub fn counts_of(&self) -> OutcomeCounts {
        let mut counts = OutcomeCounts::default();
        for (_, outcome) in self.outcomes() {
            *match outcome {
                Outcome::Seen(Status::New) => &mut counts.new,
                Outcome::Seen(Status::Reopened) => &mut counts.reopened,
                Outcome::Seen(Status::Active) => &mut counts.active,
                Outcome::Seen(Status::Reviewed) => &mut counts.reviewed,
                Outcome::Seen(Status::Approved) => &mut counts.approved,
                Outcome::Seen(Status::Resolved) | Outcome::Gone(Fate::Resolved) => &mut counts.resolved,
                Outcome::Gone(Fate::StillResolved) => &mut counts.still_resolved,
                Outcome::Gone(Fate::PartMissing) => &mut counts.part_missing,
                Outcome::Gone(Fate::NotExamined) => &mut counts.not_examined,
            } += 1;
        }
        counts
    }
}
