//! [`Topic`]: status and comments of a finding in other programs.
use super::id::FindingId;
use crate::values::guid::Guid;
use std::sync::Arc;

/// Status and comments of a finding in other programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Topic {
    /// The other program's word for the status.
    pub status: Option<Arc<str>>,
    /// Comments, sorted by date.
    pub comments: Vec<TopicComment>,
}

/// A comment on a topic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TopicComment {
    /// Its date and time, in the format of XML (`2027-03-01T12:00:00Z`).
    pub date: Arc<str>,
    /// Its author.
    pub by: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
    /// Its GUID, which stays if the text is edited.
    pub guid: Guid,
}

impl FindingId {
    /// The GUID of the topic about this finding in other programs. It is always the same for one finding.
    pub fn topic_guid(self) -> Guid {
        Guid::of("impinge topic", &self.to_string())
    }
    /// The GUID of the comment that an export adds to the topic.
    pub fn own_comment_guid(self) -> Guid {
        Guid::of("impinge comment", &self.to_string())
    }
}
