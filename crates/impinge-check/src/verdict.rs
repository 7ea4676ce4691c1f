//! [`Verdicts`]: the findings of each test, among clashes and near pairs.
use crate::{
    clash::Clash,
    demands::{Demands, PlannedTest},
    depth::Depth,
    finding::Finding,
    near::Near,
};
use impinge::relation::RelationKind;

/// Findings of tests, and the number of those that were left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts {
    pub(crate) findings: Vec<Finding>,
    /// For each test how many clashes it would report, but for its tolerance.
    pub(crate) shallow: Vec<u64>,
    /// For each test how many findings ignore rules left out.
    pub(crate) ignored: Vec<u64>,
    /// For each ignore rule how many findings it left out.
    pub(crate) ignored_by: Vec<u64>,
}

/// What a test decides of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestVerdict {
    /// The test does not report this.
    Unreported,
    /// It would, but a shift by the tolerance undoes it.
    Shallow,
    /// It would, but this ignore rule leaves it out.
    Ignored(u32),
    /// It is a finding.
    Finding,
}

impl Verdicts {
    pub(crate) fn new(demands: &Demands) -> Self {
        let (tests, rules) = (demands.tests.len(), demands.ignores.len());
        Self {
            findings: Vec::new(),
            shallow: vec![0; tests],
            ignored: vec![0; tests],
            ignored_by: vec![0; rules],
        }
    }
    /// Decides a clash; the number is its place in the list. Whether any test has it as a finding, and
    /// whether one would but for its tolerance.
    pub(crate) fn add_clash(
        &mut self,
        demands: &Demands,
        (clash, record): (&Clash, usize),
        depth: Option<&Depth>,
    ) -> [bool; 2] {
        let Some(relation) = clash.relation else { return [false; 2] };
        let decide = |planned: &PlannedTest| demands.of_clash(planned, (clash.parts, relation), depth);
        self.add(demands, clash.parts, decide, |test| Finding::of_clash(test, clash, record))
    }
    /// Decides a near pair; the number is its place in the list. Whether any test has it as a finding.
    pub(crate) fn add_near(&mut self, demands: &Demands, (near, record): (&Near, usize)) -> bool {
        let decide = |planned: &PlannedTest| demands.of_near(planned, near);
        self.add(demands, near.parts, decide, |test| Finding::of_near(test, near, record))[0]
    }
    fn add(
        &mut self,
        demands: &Demands,
        pair: [u32; 2],
        decide: impl Fn(&PlannedTest) -> TestVerdict,
        finding: impl Fn(u32) -> Finding,
    ) -> [bool; 2] {
        let [mut is_finding, mut is_shallow] = [false; 2];
        let plan = demands.plan(pair);
        for planned in &plan.tests {
            if demands.removed_by(planned, pair).is_some() {
                continue;
            }
            let test = planned.test as usize;
            match decide(planned) {
                TestVerdict::Unreported => {}
                TestVerdict::Shallow => {
                    self.shallow[test] += 1;
                    is_shallow = true;
                }
                TestVerdict::Ignored(rule) => {
                    self.ignored[test] += 1;
                    self.ignored_by[rule as usize] += 1;
                }
                TestVerdict::Finding => {
                    self.findings.push(finding(planned.test));
                    is_finding = true;
                }
            }
        }
        [is_finding, is_shallow]
    }
}

impl Demands {
    /// What a test decides of a clash.
    pub(crate) fn of_clash(
        &self,
        planned: &PlannedTest,
        (pair, relation): ([u32; 2], RelationKind),
        depth: Option<&Depth>,
    ) -> TestVerdict {
        let test = &self.tests[planned.test as usize];
        if !test.test.report.holds(relation) {
            return TestVerdict::Unreported;
        }
        let is_shallow = |most: f64| depth.is_some_and(|depth| depth.is_within(most));
        let volume = depth.and_then(|depth| depth.overlap_volume).map(|[_, hi]| hi);
        let rules = planned.leaving_out.iter().copied().filter(|&rule| {
            let numbers = &self.ignores[rule as usize];
            self.rules.ignores()[rule as usize].is_of_relation(relation)
                && numbers.max_depth.is_none_or(is_shallow)
                && numbers.max_volume.is_none_or(|most| volume.is_some_and(|volume| volume <= most))
        });
        if let Some(rule) = self.first_between(rules, pair) {
            return TestVerdict::Ignored(rule);
        }
        if test.tolerance.is_some_and(is_shallow) { TestVerdict::Shallow } else { TestVerdict::Finding }
    }
    /// What a test decides of a near pair. Rules with bounds of clashes are not about it.
    pub(crate) fn of_near(&self, planned: &PlannedTest, near: &Near) -> TestVerdict {
        let test = &self.tests[planned.test as usize];
        // Without a clearance, parts that may meet by their chord errors are near.
        let most = match test.clearance {
            Some(clearance) => clearance.get(),
            None if near.certainty.is_some() => 0.0,
            None => return TestVerdict::Unreported,
        };
        if near.reached > most {
            return TestVerdict::Unreported;
        }
        match self.near_ignored_by(planned, near.parts) {
            Some(rule) => TestVerdict::Ignored(rule),
            None => TestVerdict::Finding,
        }
    }
    /// The ignore rule that leaves the pair out of the test if it is near.
    pub(crate) fn near_ignored_by(&self, planned: &PlannedTest, pair: [u32; 2]) -> Option<u32> {
        let rules = planned.leaving_out.iter().copied().filter(|&rule| {
            let numbers = &self.ignores[rule as usize];
            let is_bounded = numbers.max_depth.is_some() || numbers.max_volume.is_some();
            self.rules.ignores()[rule as usize].is_of_near() && !is_bounded
        });
        self.first_between(rules, pair)
    }
}
