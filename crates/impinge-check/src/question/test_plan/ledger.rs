//! [`Ledger`]: numbers of the pairs of each test.
use super::{TestNumbers, TestPlan};
use crate::{
    question::{pairs::Pairs, reach::Reaches},
    rules::{SetRef, Test},
};
use serde::{Deserialize, Serialize};

/// Numbers of pairs, for each test and each ignore rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    pub(crate) tests: Vec<TestCounts>,
    /// Number of pairs that each ignore rule removed, counted for each test that is about them.
    pub(crate) removed_by: Vec<u64>,
    /// Numbers of pairs without a test: ignore rules removed them, or no test is about them. First those
    /// whose rounded boxes meet, then all whose boxes may be within the query's distance.
    pub(crate) left_out: [u64; 2],
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TestCounts {
    pub(crate) ignored: u64,
    pub(crate) not_examined: u64,
    pub(crate) tested: u64,
}

/// A pair whose boxes were compared.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) pair: [u32; 2],
    /// True if the exact boxes of its parts meet.
    pub(crate) boxes_meet: bool,
}

impl Ledger {
    pub(crate) fn new(plan: &TestPlan) -> Self {
        Self {
            tests: vec![TestCounts::default(); plan.tests.len()],
            removed_by: vec![0; plan.ignores.len()],
            left_out: [0; 2],
        }
    }
    /// Adds the numbers of other pairs of the same tests.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.tests.resize(self.tests.len().max(other.tests.len()), TestCounts::default());
        for (own, more) in self.tests.iter_mut().zip(&other.tests) {
            own.ignored += more.ignored;
            own.not_examined += more.not_examined;
            own.tested += more.tested;
        }
        self.removed_by.resize(self.removed_by.len().max(other.removed_by.len()), 0);
        self.removed_by.iter_mut().zip(&other.removed_by).for_each(|(own, more)| *own += more);
        self.left_out = [0, 1].map(|k| self.left_out[k] + other.left_out[k]);
    }
    /// Keeps the pairs of the tests, and counts those that ignore rules remove.
    pub(crate) fn retain(
        &mut self,
        plan: &TestPlan,
        pairs: &mut Vec<[u32; 2]>,
        reaches: &Reaches<'_>,
        is_asked: impl Fn([u32; 2]) -> bool,
    ) {
        pairs.retain(|&pair| {
            let is_asked = is_asked(pair);
            let mut is_kept = plan.asks_all && is_asked;
            for own in &plan.of_pair(pair).tests {
                let rule = plan.removed_by(own, pair);
                if rule.is_none() && is_asked {
                    is_kept = true;
                    continue;
                }
                let test = own.test as usize;
                if boxes_are_near(&plan.tests[test], pair, reaches) {
                    self.tests[test].ignored += 1;
                    if let Some(rule) = rule.filter(|_| is_asked) {
                        self.removed_by[rule as usize] += 1;
                    }
                }
            }
            if is_asked && !is_kept {
                self.left_out[0] += u64::from(reaches.boxes_meet(pair));
                self.left_out[1] += 1;
            }
            is_kept
        });
    }
    /// Counts a pair that is a candidate of some test.
    pub(crate) fn add(
        &mut self,
        plan: &TestPlan,
        candidate: Candidate,
        reaches: &Reaches<'_>,
        examined: bool,
    ) {
        let Candidate { pair, boxes_meet } = candidate;
        for own in &plan.of_pair(pair).tests {
            if plan.removed_by(own, pair).is_some() {
                continue;
            }
            let test = &plan.tests[own.test as usize];
            if boxes_meet || test.clearance.is_some() && boxes_are_near(test, pair, reaches) {
                let counts = &mut self.tests[own.test as usize];
                *(if examined { &mut counts.tested } else { &mut counts.not_examined }) += 1;
            }
        }
    }
}

/// True if the rounded boxes of a candidate are within a test's clearance.
fn boxes_are_near(test: &TestNumbers, pair: [u32; 2], reaches: &Reaches<'_>) -> bool {
    let clearance = test.clearance.unwrap_or_default();
    // All candidates are within the longest length.
    Some(clearance) == reaches.longest || reaches.boxes_are_within(pair, clearance)
}

impl TestPlan {
    /// Number of pairs of a test: a part in one of its sets with another part in the other, each pair once.
    pub(crate) fn pairs_of(&self, test: usize, pairs: &Pairs) -> u64 {
        pairs_of(self, &self.tests[test].test, pairs)
    }
}

fn pairs_of(plan: &TestPlan, of: &Test, pairs: &Pairs) -> u64 {
    let members = &plan.members;
    if !of.find.is_of_pairs() {
        return 0;
    }
    let sets = [of.a, of.b];
    let scopes = plan.rules().scopes();
    if scopes.is_empty() && sets == [SetRef::All; 2] {
        return pairs.count(members.part_count());
    }
    if scopes.is_empty() && !matches!(pairs, Pairs::Across { .. }) {
        let both = |class| members.class_holds(class, of.a) && members.class_holds(class, of.b);
        let [a, b] = sets.map(|set| members.count(set) as u64);
        let both = members.classes().filter(|&class| both(class)).count() as u64;
        // The product counts a pair of two parts in both sets twice, and pairs each of these parts with
        // itself.
        return a * b - both - both * both.saturating_sub(1) / 2;
    }
    let mut sizes = vec![[0_u64; 2]; members.class_count()];
    let second = match pairs {
        Pairs::Across { second } => *second,
        _ => usize::MAX,
    };
    for (part, class) in members.classes().enumerate() {
        sizes[class as usize][usize::from(part >= second)] += 1;
    }
    // Only classes that are in one of the sets matter.
    let is_in = |class: &u32| sets.iter().any(|&set| members.class_holds(*class, set));
    let classes: Vec<u32> = (0..members.class_count() as u32).filter(is_in).collect();
    let is_asked = |pair: [u32; 2]| {
        let mut all = scopes.iter().chain([&sets]);
        all.all(|&sets| members.is_pair_of_classes(pair, sets))
    };
    let mut sum = 0;
    for (i, &p) in classes.iter().enumerate() {
        for &q in &classes[i..] {
            if !is_asked([p, q]) {
                continue;
            }
            let ([p0, p1], [q0, q1]) = (sizes[p as usize], sizes[q as usize]);
            sum += match (pairs, p == q) {
                (Pairs::Across { .. }, true) => p0 * p1,
                (Pairs::Across { .. }, false) => p0 * q1 + p1 * q0,
                (_, true) => p0 * p0.saturating_sub(1) / 2,
                (_, false) => p0 * q0,
            };
        }
    }
    sum
}
