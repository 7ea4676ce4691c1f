//! [`Status`] of a finding.
use std::fmt;

/// Status of a finding with respect to a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Status {
    /// A finding that is seen for the first time.
    New,
    /// A finding that was resolved and came back, that became worse, or whose approval expired.
    Reopened,
    /// A known finding that is open.
    Active,
    /// A known finding that a person has reviewed.
    Reviewed,
    /// A finding that a person accepted.
    Approved,
    /// A finding that was examined and is gone.
    Resolved,
}

impl Status {
    /// All statuses, in the order of lists.
    pub const ALL: [Self; 6] =
        [Self::New, Self::Reopened, Self::Active, Self::Reviewed, Self::Approved, Self::Resolved];
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Reopened => "reopened",
            Self::Active => "active",
            Self::Reviewed => "reviewed",
            Self::Approved => "approved",
            Self::Resolved => "resolved",
        }
    }
    /// The status with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
    /// True for new and reopened findings, which make a check fail.
    pub fn counts(self) -> bool {
        matches!(self, Self::New | Self::Reopened)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
