//! [`Finding`]: one result that a test reports.
use crate::values::finding_kind::FindingKind;

/// One result about two parts, or one part, that a test reports. The measurements are in the report
/// ([`Report::clash_of`](crate::Report::clash_of), [`Report::near_of`](crate::Report::near_of)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The index of the test in [`Report::tests`](crate::Report::tests).
    pub test: u32,
    /// Its kind.
    pub kind: FindingKind,
    /// The smaller index first; twice the same for one part.
    parts: [u32; 2],
    /// The index in the list of its kind.
    record: u32,
}

impl Finding {
    /// A finding of the first test. `parts` has two parts, or one part twice; `record` is the index in the
    /// list of its kind.
    pub(crate) fn of_pair(kind: FindingKind, parts: [u32; 2], record: usize) -> Self {
        Self { test: 0, kind, parts, record: record as u32 }
    }
    /// The finding with another test.
    pub(crate) fn of_test(self, test: u32) -> Self {
        Self { test, ..self }
    }
    /// The parts that it is about: two, the smaller index first, or one.
    pub fn parts(&self) -> &[u32] {
        if self.parts[0] == self.parts[1] { &self.parts[..1] } else { &self.parts }
    }
    /// The index in the list of its kind: [`Report::clashes`](crate::Report::clashes),
    /// [`Report::near`](crate::Report::near), [`Report::floating`](crate::Report::floating) or
    /// [`Report::motion_gaps`](crate::Report::motion_gaps). The part for a self-intersection, 0 for a lost
    /// contact.
    pub fn record(&self) -> u32 {
        self.record
    }
    /// Its parts; twice the same for one part.
    pub(crate) fn pair(&self) -> [u32; 2] {
        self.parts
    }
}
