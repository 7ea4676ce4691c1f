//! [`Set`]: parts that fulfil a condition.
use super::condition::Condition;
use std::sync::Arc;

/// Parts that fulfil a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// `None` for a condition that is written where a set is used.
    pub(crate) name: Option<Arc<str>>,
    pub(crate) condition: Condition,
    pub(crate) line: usize,
}

impl Set {
    /// The name; `None` for a condition that is written where a set is used.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
    /// The line of the rules file on which it begins; 0 if it comes from no file.
    pub fn line(&self) -> usize {
        self.line
    }
}

/// All parts, or those of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetRef {
    /// All parts: `*`.
    All,
    /// The set with this index in [`Rules::sets`](crate::Rules::sets).
    Set(usize),
}

impl SetRef {
    /// The reference after `by` sets were inserted before the set.
    pub(crate) fn shifted(self, by: usize) -> Self {
        match self {
            Self::All => Self::All,
            Self::Set(set) => Self::Set(set + by),
        }
    }
}
