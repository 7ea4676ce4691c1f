//! The findings of a report by rank, and the records that they are about.
use crate::{
    records::{clash::Clash, floating::Floating, motion_gaps::MotionGap, near::Near},
    report::{Report, finding::Finding},
    values::finding_kind::FindingKind,
};
use std::cmp::Reverse;

impl Report {
    /// The findings, the gravest first: by severity, then by size as [`Report::rank`] has it.
    pub fn ranked_findings(&self) -> Vec<Finding> {
        let mut all = self.findings().to_vec();
        all.sort_by_cached_key(|finding| self.rank_of(finding));
        all
    }
    /// The key by which [`Report::ranked_findings`] sorts; of equal keys, the first in [`Report::findings`]
    /// comes first.
    pub fn rank_of(&self, finding: &Finding) -> impl Ord + use<> {
        let clash = self.clash_of(finding);
        let size = clash.map_or(0, |clash| self.size_of(clash));
        let tie = match finding.kind {
            FindingKind::Near | FindingKind::MinGap => {
                // Distances are not negative: as their bits go, so do they.
                self.distance_of(finding).map_or(0, f64::to_bits)
            }
            _ => clash.map_or(0, |clash| u64::MAX - clash.triangle_pairs),
        };
        let severity = self.tests()[finding.test as usize].severity;
        (Reverse(severity), Reverse(size), finding.kind.place() as u8, tie)
    }
    /// The clash that a finding is about.
    pub fn clash_of(&self, finding: &Finding) -> Option<&Clash> {
        match finding.kind {
            FindingKind::Clash(_) => self.clashes().get(finding.record() as usize),
            _ => None,
        }
    }
    /// The near pair that a finding is about.
    pub fn near_of(&self, finding: &Finding) -> Option<&Near> {
        match finding.kind {
            FindingKind::Near => self.near().get(finding.record() as usize),
            _ => None,
        }
    }
    /// The group that floats that a finding is about.
    pub fn floating_of(&self, finding: &Finding) -> Option<&Floating> {
        match finding.kind {
            FindingKind::Floating => self.floating()?.get(finding.record() as usize),
            _ => None,
        }
    }
    /// The gap along the poses of a motion that a finding is about.
    pub fn motion_gap_of(&self, finding: &Finding) -> Option<&MotionGap> {
        match finding.kind {
            FindingKind::MinGap => self.motion_gaps()?.get(finding.record() as usize),
            _ => None,
        }
    }
    /// The upper bound of the distance that a finding is about: of a near pair, of a group that floats and
    /// the nearest part, or of the least gap along poses.
    pub fn distance_of(&self, finding: &Finding) -> Option<f64> {
        self.gap_of(finding).map(|[_, hi]| hi)
    }
    /// Two numbers between which that distance lies.
    pub(crate) fn gap_of(&self, finding: &Finding) -> Option<[f64; 2]> {
        match finding.kind {
            FindingKind::Near => Some(self.near_of(finding)?.distance),
            FindingKind::Floating => Some(self.floating_of(finding)?.nearest?.distance),
            FindingKind::MinGap => Some(self.motion_gap_of(finding)?.distance),
            FindingKind::Clash(_) | FindingKind::SelfIntersection | FindingKind::LostContact => None,
        }
    }
}
