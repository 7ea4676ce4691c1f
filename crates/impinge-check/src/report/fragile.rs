//! Findings that an error in the placement of parts would undo.
use crate::{
    report::{Report, finding::Finding},
    values::finding_kind::FindingKind,
};
use impinge::{distance::Margin, relation::RelationKind};

impl Report {
    /// Whether the placement errors that the rules state ([`Rules::placements`](crate::Rules::placements))
    /// are large enough to undo a finding: a shift of one part by at most the sum of both parts' errors is
    /// found that takes them out of each other, or moves near parts further apart than the clearance, or
    /// parts that float onto the nearest one. `None` without an error, and where it is not known: of two surfaces that cross, of a lost
    /// contact, of a clash without a depth.
    pub fn is_fragile(&self, finding: &Finding) -> Option<bool> {
        let plan = self.plan();
        let error = |pair: [u32; 2]| Some(plan.placement_error(pair)).filter(|error| *error > 0.0);
        let clearance = plan.tests.get(finding.test as usize).and_then(|test| test.clearance);
        // Rounded up: a finding in doubt is fragile.
        let reaches =
            |distance: f64, error: f64| (distance + error).next_up() > clearance.map_or(0.0, Margin::get);
        match finding.kind {
            FindingKind::Clash(Some(RelationKind::Touch)) => error(finding.pair()).map(|_| true),
            FindingKind::Clash(_) => {
                let error = error(finding.pair())?;
                let depth = self.depth(self.clash_of(finding)?)?;
                Some(depth.separating_length()? <= error)
            }
            FindingKind::Near | FindingKind::MinGap => {
                Some(reaches(self.distance_of(finding)?, error(finding.pair())?))
            }
            FindingKind::Floating => {
                let nearest = self.floating_of(finding)?.nearest?;
                Some(nearest.distance[0] <= error([nearest.part, nearest.other])?)
            }
            // Of one part, both sides move alike.
            FindingKind::SelfIntersection => plan.has_placement_errors().then_some(false),
            FindingKind::LostContact => None,
        }
    }
    /// How many findings are fragile; `None` if the rules state no placement error.
    pub fn fragile(&self) -> Option<u64> {
        let is_fragile = |finding: &&Finding| self.is_fragile(finding) == Some(true);
        let is_any = self.plan().has_placement_errors();
        is_any.then(|| self.findings().iter().filter(is_fragile).count() as u64)
    }
}
