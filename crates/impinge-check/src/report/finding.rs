//! [`Finding`]: one thing that is wrong, according to a test.
use crate::values::finding_kind::FindingKind;

/// One thing that is wrong between two parts, or with one part, according to a test. It is a few numbers: the
/// report has what was measured ([`Report::clash_of`](crate::Report::clash_of),
/// [`Report::near_of`](crate::Report::near_of)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The index of the test in [`Report::tests`](crate::Report::tests).
    pub test: u32,
    /// Its kind.
    pub kind: FindingKind,
    /// The smaller index first; twice the same of one part.
    parts: [u32; 2],
    /// The place in the list of its kind.
    record: u32,
}

impl Finding {
    /// Of the first test, about two parts, or twice the same; `record` is the place in the list of its kind.
    pub(crate) fn of_pair(kind: FindingKind, parts: [u32; 2], record: usize) -> Self {
        Self { test: 0, kind, parts, record: record as u32 }
    }
    /// The same of another test.
    pub(crate) fn of_test(self, test: u32) -> Self {
        Self { test, ..self }
    }
    /// The parts that it is about: two, the smaller index first, or one.
    pub fn parts(&self) -> &[u32] {
        if self.parts[0] == self.parts[1] { &self.parts[..1] } else { &self.parts }
    }
    /// The place in the list of its kind: of a clash in [`Report::clashes`](crate::Report::clashes), of a
    /// near pair in [`Report::near`](crate::Report::near), of a group that floats in
    /// [`Report::floating`](crate::Report::floating), of a gap along
    /// poses in [`Report::motion_gaps`](crate::Report::motion_gaps). 0 of a kind without a list.
    pub fn record(&self) -> u32 {
        self.record
    }
    /// Its parts; twice the same of one part.
    pub(crate) fn pair(&self) -> [u32; 2] {
        self.parts
    }
}
