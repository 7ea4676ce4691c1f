//! [`Topic`]: what other programs keep about a finding, and bring back.
use super::id::FindingId;
use crate::values::guid::Guid;
use std::sync::Arc;

/// What other programs keep about a finding: a word for its status, and comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Topic {
    /// The word of the other program for the status, as it is there.
    pub status: Option<Arc<str>>,
    /// Comments, sorted by date.
    pub comments: Vec<TopicComment>,
}

/// A comment on a topic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TopicComment {
    /// When: a date with a time, as XML has it (`2027-03-01T12:00:00Z`).
    pub date: Arc<str>,
    /// By whom.
    pub by: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
    /// Its name, which stays if the text is edited.
    pub guid: Guid,
}

impl FindingId {
    /// The GUID of the topic about this finding in other programs. The same finding has the same one.
    pub fn topic_guid(self) -> Guid {
        Guid::of("impinge topic", &self.to_string())
    }
    /// The GUID of the comment that an export adds to the topic.
    pub fn own_comment_guid(self) -> Guid {
        Guid::of("impinge comment", &self.to_string())
    }
}
