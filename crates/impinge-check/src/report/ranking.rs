//! The findings of a report by rank, and the records that they are about.
use crate::{
    records::{clash::Clash, floating::Floating, motion_gaps::MotionGap, near::Near},
    report::{Report, finding::Finding, kinds},
    values::finding_kind::FindingKind,
};
use impinge::Pose;
use std::cmp::Reverse;

impl Report {
    /// The findings, the gravest first: by severity, then by size as in [`Report::rank`].
    pub fn ranked_findings(&self) -> Vec<Finding> {
        let mut all = self.findings().to_vec();
        all.sort_by_cached_key(|finding| self.rank_of(finding));
        all
    }
    /// The key by which [`Report::ranked_findings`] sorts. Findings with equal keys are in the order of
    /// [`Report::findings`].
    pub fn rank_of(&self, finding: &Finding) -> impl Ord + use<> {
        let clash = self.clash_of(finding);
        let size = clash.map_or(0, |clash| self.rank_size(clash));
        let tie = kinds::of(finding.kind).tie(self, finding);
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
    /// The floating group that a finding is about.
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
    /// The pose of a part in a finding: its own, but for a part that has moved.
    pub fn pose_in(&self, finding: &Finding, part: u32) -> Pose {
        let own = *self.part(part).pose();
        let moved = self.motion_gap_of(finding).filter(|gap| gap.moving == part);
        let poses = |gap: &MotionGap| self.plan().motions().find(|(test, _)| *test == gap.test as usize);
        moved.and_then(|gap| gap.moved(&own, poses(gap)?.1)).unwrap_or(own)
    }
}
