//! [`TestVerdict`]: the verdict of a test on a clash or a near pair.
use crate::{
    parts::chord::Sure,
    question::test_plan::{PairTest, TestPlan},
    records::{clash::Clash, depth::Depth, near::Near},
    values::count::Count,
};
use impinge::relation::RelationKind;

/// The verdict of a test on a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestVerdict {
    /// The test does not report such pairs.
    Unreported,
    /// It would, but the pair may be due to the rounding of the parts' coordinates.
    WithinRounding,
    /// It would, but the pair is within the tolerance.
    Shallow,
    /// It would, but the pair is not certain for the true parts, and the test counts only certain ones.
    Possible,
    /// It would, but this ignore rule leaves the pair out.
    Ignored(u32),
    /// The pair is a finding.
    Finding,
}

impl TestPlan {
    /// Verdict of a test on a clash. Surfaces have no relation: all pairs that meet are findings. `rounding`
    /// is the depth to which the rounding of coordinates may have moved the parts into each other.
    pub(crate) fn of_clash(
        &self,
        own: &PairTest,
        clash: &Clash,
        depth: Option<&Depth>,
        rounding: f64,
    ) -> TestVerdict {
        let test = &self.tests[own.test as usize];
        let Some(relation) = clash.relation else { return TestVerdict::Finding };
        if !test.test.report.holds(relation) {
            return TestVerdict::Unreported;
        }
        let is_shallow = |most: f64| depth.is_some_and(|depth| depth.is_within(most));
        let volume = depth.and_then(|depth| depth.overlap_volume).map(|[_, hi]| hi);
        let rules = own.leaving_out.iter().copied().filter(|&rule| {
            let numbers = &self.ignores[rule as usize];
            self.rules().ignores()[rule as usize].is_of_relation(relation)
                && numbers.max_depth.is_none_or(is_shallow)
                && numbers.max_volume.is_none_or(|most| volume.is_some_and(|volume| volume <= most))
        });
        if let Some(rule) = self.first_between(rules, clash.parts) {
            return TestVerdict::Ignored(rule);
        }
        if rounding > 0.0 && relation != RelationKind::Touch && is_shallow(rounding) {
            TestVerdict::WithinRounding
        } else if test.tolerance.is_some_and(is_shallow) {
            TestVerdict::Shallow
        } else {
            self.counted(own, clash.certainty)
        }
    }
    /// A finding, if it is certain enough.
    fn counted(&self, own: &PairTest, certainty: Option<Sure>) -> TestVerdict {
        let only_definite = self.tests[own.test as usize].count == Some(Count::Definite);
        if only_definite && certainty == Some(Sure::Possible) {
            TestVerdict::Possible
        } else {
            TestVerdict::Finding
        }
    }
    /// Verdict of a test on a near pair. Ignore rules with a largest depth or volume do not apply to it.
    pub(crate) fn of_near(&self, own: &PairTest, near: &Near) -> TestVerdict {
        let clearance = self.tests[own.test as usize].clearance;
        if clearance.is_none_or(|clearance| near.reached > clearance.get()) {
            return TestVerdict::Unreported;
        }
        match self.near_ignored_by(own, near.parts) {
            Some(rule) => TestVerdict::Ignored(rule),
            None => self.counted(own, near.certainty),
        }
    }
    /// True if some test reports a near pair.
    pub(crate) fn reports_near(&self, near: &Near) -> bool {
        let tests = self.of_pair(near.parts);
        let mut asked = tests.tests.iter().filter(|own| self.removed_by(own, near.parts).is_none());
        asked.any(|own| self.of_near(own, near) == TestVerdict::Finding)
    }
    /// The ignore rule that leaves a near pair of these parts out of the test.
    pub(crate) fn near_ignored_by(&self, own: &PairTest, pair: [u32; 2]) -> Option<u32> {
        let rules = own.leaving_out.iter().copied().filter(|&rule| {
            let numbers = &self.ignores[rule as usize];
            self.rules().ignores()[rule as usize].is_of_near() && !numbers.is_bounded()
        });
        self.first_between(rules, pair)
    }
}
