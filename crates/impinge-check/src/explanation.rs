//! [`Explanation`]: what a test decided of a pair of parts, and which line of the rules did.
use crate::{
    demands::Demands, finding::FindingKind, motion_gaps::MotionGap, report::Report, rules::Find,
    verdict::TestVerdict,
};

/// What a test decided of a pair of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The index of the test in [`Report::tests`].
    pub test: u32,
    /// The kind of the finding, or of what the test left out; `None` if there is nothing between the parts.
    pub kind: Option<FindingKind>,
    /// The reason.
    pub decision: PairDecision,
}

/// Why a pair of parts is a finding of a test, or is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PairDecision {
    /// The parts are not in the sets of the test, or the check was not about this pair.
    NotAsked,
    /// The ignore rule with this index in [`Report::ignores`] removed the pair before its triangles were
    /// tested.
    Removed(u32),
    /// There was no time for the pair.
    NotExamined,
    /// The parts do not meet, none is inside the other, and they are not within the clearance.
    Apart,
    /// The test does not report this relation.
    NotReported,
    /// A shift by the tolerance of the test undoes it.
    Shallow,
    /// The ignore rule with this index left the finding out by what was measured.
    Ignored(u32),
    /// It is a finding.
    Finding,
}

impl Report {
    /// What a test of gaps along poses decided of two parts.
    fn explain_motion(
        &self,
        demands: &Demands,
        test: u32,
        pair: [u32; 2],
    ) -> (Option<FindingKind>, PairDecision) {
        if !demands.is_of_motion(test as usize, pair) || !self.pairs().asks(pair) {
            return (None, PairDecision::NotAsked);
        }
        if let Some(rule) = demands.removed_from_motion(test as usize, pair) {
            return (None, PairDecision::Removed(rule));
        }
        let is_it = |gap: &MotionGap| gap.test == test && gap.parts == pair;
        if self.motion_gaps().is_some_and(|gaps| gaps.iter().any(is_it)) {
            return (Some(FindingKind::MinGap), PairDecision::Finding);
        }
        match self.not_examined().binary_search(&pair) {
            Ok(_) => (None, PairDecision::NotExamined),
            Err(_) => (None, PairDecision::Apart),
        }
    }
    /// What each test decided of two parts, in the order of the tests. Empty without rules.
    pub fn explain(&self, [a, b]: [u32; 2]) -> Vec<Explanation> {
        let Some(demands) = self.demands() else { return Vec::new() };
        let pair = [a.min(b), a.max(b)];
        let plan = demands.plan(pair);
        let is_asked = self.pairs().asks(pair);
        let clash = self.clashes().binary_search_by_key(&pair, |clash| clash.parts);
        let clash = clash.ok().map(|place| &self.clashes()[place]);
        let near = self.near().binary_search_by_key(&pair, |near| near.parts);
        let near = near.ok().map(|place| &self.near()[place]);
        let explain = |test: u32| {
            if demands.tests[test as usize].test.find == Find::MinGap {
                return self.explain_motion(demands, test, pair);
            }
            let Some(planned) = plan.tests.iter().find(|planned| planned.test == test && is_asked) else {
                return (None, PairDecision::NotAsked);
            };
            if let Some(rule) = demands.removed_by(planned, pair) {
                return (None, PairDecision::Removed(rule));
            }
            if self.not_examined().binary_search(&pair).is_ok() {
                return (None, PairDecision::NotExamined);
            }
            let (kind, verdict) = match (clash, near) {
                (Some(clash), _) => {
                    let of = (pair, clash.relation.unwrap_or(impinge::relation::RelationKind::Meet));
                    let kind = FindingKind::Clash(clash.relation);
                    (kind, demands.of_clash(planned, of, self.depth(clash)))
                }
                (None, Some(near)) => (FindingKind::Near, demands.of_near(planned, near)),
                (None, None) => return (None, PairDecision::Apart),
            };
            let decision = match verdict {
                // A near pair that is not reported is further apart than the clearance.
                TestVerdict::Unreported if kind == FindingKind::Near => PairDecision::Apart,
                TestVerdict::Unreported => PairDecision::NotReported,
                TestVerdict::Shallow => PairDecision::Shallow,
                TestVerdict::Ignored(rule) => PairDecision::Ignored(rule),
                TestVerdict::Finding => PairDecision::Finding,
            };
            (Some(kind), decision)
        };
        (0..demands.tests.len() as u32)
            .map(|test| {
                let (kind, decision) = explain(test);
                Explanation { test, kind, decision }
            })
            .collect()
    }
}
