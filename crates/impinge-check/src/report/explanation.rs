//! [`Explanation`]: the decision of a test on a pair of parts, and its reason.
use crate::{
    records::motion_gaps::MotionGap,
    report::{Report, verdict::TestVerdict},
    rules::Find,
    values::finding_kind::FindingKind,
};

/// The decision of a test on a pair of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The index of the test in [`Report::tests`].
    pub test: u32,
    /// The kind of the finding, or of the record that the test left out; `None` if there is none.
    pub kind: Option<FindingKind>,
    /// The reason.
    pub decision: PairDecision,
}

/// Reason why a pair of parts is a finding of a test, or is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PairDecision {
    /// The parts are not in the sets of the test, or the check was not about this pair.
    NotAsked,
    /// The ignore rule with this index in [`Report::ignores`] removed the pair before its triangles were
    /// tested.
    Removed(u32),
    /// The check had no time for the pair.
    NotExamined,
    /// The parts do not meet, none is inside the other, and they are not within the clearance.
    Apart,
    /// The test does not report this relation.
    NotReported,
    /// The parts touch within the rounding of their coordinates.
    WithinRounding,
    /// The clash is within the tolerance of the test.
    Shallow,
    /// The finding is not certain for the true parts, and the test counts only certain ones.
    Possible,
    /// The ignore rule with this index left the finding out, after measuring.
    Ignored(u32),
    /// The pair is a finding.
    Finding,
}

impl Report {
    /// The decision of a test of gaps along poses on two parts.
    fn explain_motion(&self, test: u32, pair: [u32; 2]) -> (Option<FindingKind>, PairDecision) {
        let plan = self.plan();
        if !plan.is_of_motion(test as usize, pair) || !self.pairs().asks(pair) {
            return (None, PairDecision::NotAsked);
        }
        if let Some(rule) = plan.removed_from_motion(test as usize, pair) {
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
    /// The decision of each test of pairs on two parts, in the order of the tests.
    pub fn explain(&self, [a, b]: [u32; 2]) -> Vec<Explanation> {
        let pair = [a.min(b), a.max(b)];
        let explain = |test: u32| {
            let (kind, decision) = self.explain_test(test, pair);
            Explanation { test, kind, decision }
        };
        (0..self.plan().tests.len() as u32).map(explain).collect()
    }
    pub(crate) fn explain_test(&self, test: u32, pair: [u32; 2]) -> (Option<FindingKind>, PairDecision) {
        let plan = self.plan();
        if plan.tests[test as usize].test.find == Find::MinGap {
            return self.explain_motion(test, pair);
        }
        let tests = plan.of_pair(pair);
        let is_asked = self.pairs().asks(pair);
        let Some(own) = tests.tests.iter().find(|own| own.test == test && is_asked) else {
            return (None, PairDecision::NotAsked);
        };
        if let Some(rule) = plan.removed_by(own, pair) {
            return (None, PairDecision::Removed(rule));
        }
        if self.not_examined().binary_search(&pair).is_ok() {
            return (None, PairDecision::NotExamined);
        }
        // Both lists are sorted.
        let lists = self.records.nears.as_ref().map(|nears| [&nears.list, &nears.left_out]);
        let near = lists
            .into_iter()
            .flatten()
            .find_map(|list| Some(&list[list.binary_search_by_key(&pair, |near| near.parts).ok()?]));
        let (kind, verdict) = match (self.clash_at(pair), near) {
            (Some(clash), _) => {
                let rounding = self.judged.rounding_of(pair);
                let verdict = plan.of_clash(own, clash, self.depth(clash), rounding);
                (FindingKind::Clash(clash.relation), verdict)
            }
            (None, Some(near)) => (FindingKind::Near, plan.of_near(own, near)),
            (None, None) => return (None, PairDecision::Apart),
        };
        let decision = match verdict {
            // A near pair that is not reported is further apart than the clearance.
            TestVerdict::Unreported if kind == FindingKind::Near => PairDecision::Apart,
            TestVerdict::Unreported => PairDecision::NotReported,
            TestVerdict::WithinRounding => PairDecision::WithinRounding,
            TestVerdict::Shallow => PairDecision::Shallow,
            TestVerdict::Possible => PairDecision::Possible,
            TestVerdict::Ignored(rule) => PairDecision::Ignored(rule),
            TestVerdict::Finding => PairDecision::Finding,
        };
        (Some(kind), decision)
    }
}
