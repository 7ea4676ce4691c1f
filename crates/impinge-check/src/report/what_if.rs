//! [`WhatIf`] and [`WhatIfTolerance`]: numbers of findings at other lengths.
use serde::Serialize;

/// The number of findings at a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WhatIfTolerance {
    /// The tolerance.
    pub tolerance: f64,
    /// Findings that are no deeper than this, or that a translation of at most this length undoes.
    pub shallow: u64,
    /// The other findings.
    pub findings: u64,
}

/// The number of findings at a clearance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WhatIf {
    /// The clearance.
    pub clearance: f64,
    /// Pairs that do not meet, and are at most this far apart.
    pub near: u64,
    /// Clashes that are findings, and near pairs.
    pub findings: u64,
}
