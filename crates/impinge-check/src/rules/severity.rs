//! [`Severity`] of a finding.

/// Severity of the findings of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The least severity.
    Low,
    /// The severity of tests that state none.
    #[default]
    Medium,
    /// A severity above medium.
    High,
    /// The gravest severity.
    Critical,
}

impl Severity {
    /// All of them, the least first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The name in rules and in files of results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}
