//! [`Severity`] of a test's findings.

/// How grave the findings of a test are, as its author states; greater is graver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Can wait.
    Low,
    /// The severity of tests that state none.
    #[default]
    Medium,
    /// To be resolved before others.
    High,
    /// To be resolved first.
    Critical,
}

impl Severity {
    /// All, from the least grave on.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}
