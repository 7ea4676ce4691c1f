//! The kinds of findings, each a [`Kind`] in a file of its own.
//!
//! A new kind needs a file here, a line in [`ALL`] and in [`of`], and a variant of [`FindingKind`]. Its
//! measurements are a list in [`Records`](crate::records::Records).
mod clash;
mod floating;
mod lost_contact;
mod min_gap;
mod near;
mod self_intersection;

use super::{Report, finding::Finding, kind::Kind};
use crate::values::finding_kind::FindingKind;

/// All kinds, in the order in which findings are judged. `Clash(None)` represents all clashes.
const ALL: [FindingKind; 6] = [
    FindingKind::Clash(None),
    FindingKind::Near,
    FindingKind::MinGap,
    FindingKind::Floating,
    FindingKind::SelfIntersection,
    FindingKind::LostContact,
];

pub(super) fn all() -> impl Iterator<Item = &'static dyn Kind> {
    ALL.into_iter().map(of)
}

pub(super) fn of(kind: FindingKind) -> &'static dyn Kind {
    match kind {
        FindingKind::Clash(_) => &clash::ClashFindings,
        FindingKind::Near => &near::NearPairs,
        FindingKind::SelfIntersection => &self_intersection::SelfIntersectingParts,
        FindingKind::Floating => &floating::FloatingGroups,
        FindingKind::LostContact => &lost_contact::LostContacts,
        FindingKind::MinGap => &min_gap::MinGaps,
    }
}

/// The functions of the kind with this name in a baseline. Other names are relations of clashes.
pub(super) fn named(relation: &str) -> &'static dyn Kind {
    let kind = ALL.into_iter().find(|kind| kind.name() == relation);
    of(kind.unwrap_or(FindingKind::Clash(None)))
}

impl Report {
    /// True if the placement errors that the rules state ([`Rules::placements`](crate::Rules::placements))
    /// are large enough to undo a finding. A shift of one part by at most the sum of both parts' errors
    /// separates a clash, moves near parts further apart than the clearance, or moves floating parts onto the
    /// nearest one. `None` without an error, and if it is unknown: for two surfaces that cross, a lost
    /// contact, or a clash without a depth.
    pub fn is_fragile(&self, finding: &Finding) -> Option<bool> {
        of(finding.kind).is_fragile(self, finding)
    }
    /// Number of fragile findings; `None` if the rules state no placement error.
    pub fn fragile(&self) -> Option<u64> {
        let is_fragile = |finding: &&Finding| self.is_fragile(finding) == Some(true);
        let is_any = self.plan().has_placement_errors();
        is_any.then(|| self.findings().iter().filter(is_fragile).count() as u64)
    }
    /// The sum of the placement errors of two parts, if it is more than 0.
    fn placement_error(&self, pair: [u32; 2]) -> Option<f64> {
        Some(self.plan().placement_error(pair)).filter(|error| *error > 0.0)
    }
    /// True if a shift by the placement errors of two parts moves them further apart than the clearance of a
    /// test. Rounded up, so that a finding in doubt is fragile.
    fn may_be_clear(&self, finding: &Finding) -> Option<bool> {
        let error = self.placement_error(finding.pair())?;
        let clearance = self.tests().get(finding.test as usize).and_then(|test| test.clearance);
        Some((self.distance_of(finding)? + error).next_up() > clearance.unwrap_or(0.0))
    }
    /// A point of a finding, rounded; `None` where nothing was measured.
    pub fn point_of(&self, finding: &Finding) -> Option<[f64; 3]> {
        of(finding.kind).point(self, finding)
    }
    /// Upper bound of the distance that a finding is about: that of a near pair, of a floating group and the
    /// nearest part, or the least gap along poses.
    pub fn distance_of(&self, finding: &Finding) -> Option<f64> {
        self.gap_of(finding).map(|[_, hi]| hi)
    }
    /// Lower and upper bound of that distance.
    pub(crate) fn gap_of(&self, finding: &Finding) -> Option<[f64; 2]> {
        of(finding.kind).gap(self, finding)
    }
}
