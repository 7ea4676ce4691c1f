//! The baseline: the findings of earlier deliveries with people's decisions about them, in a file under
//! version control; and the comparison of a new delivery with it.
//!
//! # File
//! One JSON object a line. The first key of a line is its type:
//!
//! 1. `impinge_baseline`: the first line, with the version of the format, 3; versions 1 and 2 are read, too.
//! 2. `id`: a finding, as in the last delivery that had it. Findings are sorted by id. Those of one `group`
//!    have the same two shapes and the same relation.
//! 3. `decision`: a person's decision about the finding in the line before. Only new deliveries change the
//!    lines between decisions, so git can merge decisions about different findings.
//! 4. `topic`: another program's word for the status of the finding before; `comment`: a comment from that
//!    program. A topic's comments follow it, sorted by date.
//! 5. `contact`: two parts that had a point in common, for tests of lost contacts. Contacts follow the
//!    findings, sorted by test and parts.
//! 6. `shape`: the parts of one name, file, type and shape, for the matching with the next delivery. Shapes
//!    come last, sorted by name.
mod compare;
mod comparison;
mod contact;
mod decide;
mod decision;
mod delivery;
mod diff;
#[cfg(feature = "files")]
mod file;
mod finding;
mod groups;
mod id;
mod import;
mod keys;
mod lines;
mod lost;
mod measures;
mod read;
mod select;
mod status;
mod store;
mod topic;
mod topic_status;
mod update;
mod write;

#[cfg(feature = "files")]
pub use self::file::BaselineFile;
pub use self::{
    comparison::{Comparison, Fate, Gone, Outcome, OutcomeCounts, Seen, Why},
    contact::{KnownContact, ObservedContact},
    decide::Note,
    decision::{Decision, DecisionKind},
    delivery::{Delivery, Observed, ObservedParts},
    finding::KnownFinding,
    id::FindingId,
    import::{ImportedTopic, TopicOutcome},
    measures::{Measures, Worse},
    select::{SelectedRelation, Selection},
    status::Status,
    store::Baseline,
    topic::{Topic, TopicComment},
    topic_status::TopicStatus,
};

#[cfg(test)]
mod import_tests;
#[cfg(test)]
mod tests;
