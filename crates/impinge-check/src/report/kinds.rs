//! [`Kind`]: what a report knows of one kind of finding.
//!
//! A new kind is a file here, a line in [`ALL`] and in [`of`], and a variant of [`FindingKind`]; what it measures
//! is a list of [`Records`].
mod clash;
mod floating;
mod lost_contact;
mod min_gap;
mod near;
mod self_intersection;

use crate::{
    question::test_plan::TestPlan,
    records::Records,
    report::{Report, finding::Finding, judged::Judged},
    values::finding_kind::FindingKind,
};

/// What a report knows of one kind of finding. Findings that the functions get are of this kind.
pub(super) trait Kind: Sync {
    /// Adds the findings that the tests make of the records.
    fn judge(&self, plan: &TestPlan, records: &mut Records, judged: &mut Judged);
    /// A point of the finding, rounded.
    fn point(&self, report: &Report, finding: &Finding) -> Option<[f64; 3]>;
    /// Two numbers between which the distance lies that the finding is about, if it is about one.
    fn gap(&self, _report: &Report, _finding: &Finding) -> Option<[f64; 2]> {
        None
    }
    /// Smaller for what is graver, among findings of one severity, size and kind.
    fn tie(&self, report: &Report, finding: &Finding) -> u64;
    /// Whether the placement errors of parts are large enough to undo the finding; `None` without an error, and
    /// where it is not known.
    fn is_fragile(&self, report: &Report, finding: &Finding) -> Option<bool>;
    /// Whether a test has looked at parts, and would report such a finding, which a baseline calls `relation`.
    fn has_examined(&self, report: &Report, test: usize, parts: &[u32], relation: &str) -> bool;
}

/// In the order in which findings are judged.
pub(super) const ALL: [&dyn Kind; 6] = [
    &clash::Clashes,
    &near::NearPairs,
    &min_gap::MinGaps,
    &floating::FloatingGroups,
    &self_intersection::SelfIntersectingParts,
    &lost_contact::LostContacts,
];

/// What a report knows of a kind.
pub(super) fn of(kind: FindingKind) -> &'static dyn Kind {
    match kind {
        FindingKind::Clash(_) => &clash::Clashes,
        FindingKind::Near => &near::NearPairs,
        FindingKind::SelfIntersection => &self_intersection::SelfIntersectingParts,
        FindingKind::Floating => &floating::FloatingGroups,
        FindingKind::LostContact => &lost_contact::LostContacts,
        FindingKind::MinGap => &min_gap::MinGaps,
    }
}

/// The kind that a baseline calls so.
pub(super) fn named(relation: &str) -> &'static dyn Kind {
    let kinds = [
        FindingKind::Near,
        FindingKind::SelfIntersection,
        FindingKind::Floating,
        FindingKind::LostContact,
        FindingKind::MinGap,
    ];
    let kind = kinds.into_iter().find(|kind| kind.name() == relation);
    of(kind.unwrap_or(FindingKind::Clash(None)))
}

impl Report {
    /// Whether the placement errors that the rules state ([`Rules::placements`](crate::Rules::placements))
    /// are large enough to undo a finding: a shift of one part by at most the sum of both parts' errors is
    /// found that takes them out of each other, or moves near parts further apart than the clearance, or
    /// parts that float onto the nearest one. `None` without an error, and where it is not known: of two
    /// surfaces that cross, of a lost contact, of a clash without a depth.
    pub fn is_fragile(&self, finding: &Finding) -> Option<bool> {
        of(finding.kind).is_fragile(self, finding)
    }
    /// How many findings are fragile; `None` if the rules state no placement error.
    pub fn fragile(&self) -> Option<u64> {
        let is_fragile = |finding: &&Finding| self.is_fragile(finding) == Some(true);
        let is_any = self.plan().has_placement_errors();
        is_any.then(|| self.findings().iter().filter(is_fragile).count() as u64)
    }
    /// The sum of the placement errors of two parts, if it is more than 0.
    fn placement_error(&self, pair: [u32; 2]) -> Option<f64> {
        Some(self.plan().placement_error(pair)).filter(|error| *error > 0.0)
    }
    /// Whether a shift by the placement errors of two parts moves them further apart than the clearance of a
    /// test. Rounded up: a finding in doubt is fragile.
    fn may_be_clear(&self, finding: &Finding) -> Option<bool> {
        let error = self.placement_error(finding.pair())?;
        let clearance = self.tests().get(finding.test as usize).and_then(|test| test.clearance);
        Some((self.distance_of(finding)? + error).next_up() > clearance.unwrap_or(0.0))
    }
    /// A point of a finding, rounded; `None` where nothing was measured.
    pub fn point_of(&self, finding: &Finding) -> Option<[f64; 3]> {
        of(finding.kind).point(self, finding)
    }
    /// The upper bound of the distance that a finding is about: of a near pair, of a group that floats and
    /// the nearest part, or of the least gap along poses.
    pub fn distance_of(&self, finding: &Finding) -> Option<f64> {
        self.gap_of(finding).map(|[_, hi]| hi)
    }
    /// Two numbers between which that distance lies.
    pub(crate) fn gap_of(&self, finding: &Finding) -> Option<[f64; 2]> {
        of(finding.kind).gap(self, finding)
    }
}
