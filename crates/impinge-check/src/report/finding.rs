//! [`Finding`]: one thing that is wrong, according to a test.
use crate::{
    records::{clash::Clash, motion_gaps::MotionGap, near::Near},
    values::finding_kind::FindingKind,
};

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
    pub(crate) fn of_clash(test: u32, clash: &Clash, record: usize) -> Self {
        Self { test, kind: FindingKind::Clash(clash.relation), parts: clash.parts, record: record as u32 }
    }
    pub(crate) fn of_near(test: u32, near: &Near, record: usize) -> Self {
        Self { test, kind: FindingKind::Near, parts: near.parts, record: record as u32 }
    }
    pub(crate) fn of_part(test: u32, part: u32) -> Self {
        Self { test, kind: FindingKind::SelfIntersection, parts: [part; 2], record: part }
    }
    pub(crate) fn of_floating(test: u32, part: u32, record: usize) -> Self {
        Self { test, kind: FindingKind::Floating, parts: [part; 2], record: record as u32 }
    }
    pub(crate) fn of_lost_contact(test: u32, parts: [u32; 2]) -> Self {
        Self { test, kind: FindingKind::LostContact, parts, record: 0 }
    }
    pub(crate) fn of_motion_gap(gap: &MotionGap, record: usize) -> Self {
        Self { test: gap.test, kind: FindingKind::MinGap, parts: gap.parts, record: record as u32 }
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
