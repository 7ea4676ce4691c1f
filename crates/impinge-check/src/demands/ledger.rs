//! [`Ledger`]: numbers of the pairs of each test.
use super::{Demands, TestNumbers};
use crate::{pairs::Pairs, reach::grown};
use impinge::{broad_phase::Aabb, distance::Margin};

/// Numbers of pairs, for each test and each ignore rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) tests: Vec<TestCounts>,
    /// For each ignore rule the number of pairs that it removed, for each test that is about them.
    pub(crate) removed_by: Vec<u64>,
    /// Pairs that no test has: ignore rules removed them, or no test is about them. Those whose rounded boxes
    /// meet, and those whose boxes may be within the query's distance.
    pub(crate) left_out: [u64; 2],
}

/// Numbers of the pairs of a test.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TestCounts {
    pub(crate) ignored: u64,
    pub(crate) not_examined: u64,
    pub(crate) tested: u64,
}

impl Ledger {
    pub(crate) fn new(demands: &Demands) -> Self {
        Self {
            tests: vec![TestCounts::default(); demands.tests.len()],
            removed_by: vec![0; demands.ignores.len()],
            left_out: [0; 2],
        }
    }
    /// Keeps the pairs that a test is about, and counts those that ignore rules remove. `reach` is the chord
    /// error of a part.
    pub(crate) fn retain(
        &mut self,
        demands: &Demands,
        pairs: &mut Vec<[u32; 2]>,
        (extents, is_asked): (&[Aabb], impl Fn([u32; 2]) -> bool),
        reach: &dyn Fn(u32, Margin) -> Margin,
    ) {
        pairs.retain(|&pair| {
            let plan = demands.plan(pair);
            let is_asked = is_asked(pair);
            let mut is_kept = demands.asks_all && is_asked;
            for planned in &plan.tests {
                let rule = demands.removed_by(planned, pair);
                is_kept |= rule.is_none() && is_asked;
                if rule.is_none() && is_asked {
                    continue;
                }
                let test = &demands.tests[planned.test as usize];
                if boxes_are_near(test, pair, extents, reach) {
                    self.tests[planned.test as usize].ignored += 1;
                    if let Some(rule) = rule.filter(|_| is_asked) {
                        self.removed_by[rule as usize] += 1;
                    }
                }
            }
            if is_asked && !is_kept {
                let [a, b] = pair.map(|part| extents[part as usize]);
                self.left_out[0] += u64::from(a.meets(&b));
                self.left_out[1] += 1;
            }
            is_kept
        });
    }
    /// Counts a pair that is a candidate of some test. `meet` is whether the exact boxes of its parts meet.
    pub(crate) fn add_candidate(
        &mut self,
        demands: &Demands,
        (pair, meet): ([u32; 2], bool),
        (extents, is_examined): (&[Aabb], bool),
        reach: &dyn Fn(u32, Margin) -> Margin,
    ) {
        let plan = demands.plan(pair);
        for planned in &plan.tests {
            if demands.removed_by(planned, pair).is_some() {
                continue;
            }
            let test = &demands.tests[planned.test as usize];
            if meet || test.clearance.is_some() && boxes_are_near(test, pair, extents, reach) {
                let counts = &mut self.tests[planned.test as usize];
                *(if is_examined { &mut counts.tested } else { &mut counts.not_examined }) += 1;
            }
        }
    }
}

/// Whether the rounded boxes of a pair are as near as a test's clearance.
fn boxes_are_near(
    test: &TestNumbers,
    pair: [u32; 2],
    extents: &[Aabb],
    reach: &dyn Fn(u32, Margin) -> Margin,
) -> bool {
    let clearance = test.clearance.unwrap_or_default();
    let [a, b] = pair.map(|part| grown(extents[part as usize], reach(part, clearance)));
    a.meets(&b)
}

/// How many pairs a test is about: a part in one of its sets with another part in the other, each pair once.
pub(crate) fn asked(demands: &Demands, test: usize, pairs: &Pairs) -> u64 {
    let members = &demands.members;
    let of = &demands.tests[test].test;
    if !of.find.is_of_pairs() {
        return 0;
    }
    if demands.rules.scopes().is_empty() && !matches!(pairs, Pairs::Across { .. }) {
        let both = |class| members.class_holds(class, of.a) && members.class_holds(class, of.b);
        let [a, b] = [of.a, of.b].map(|set| members.count(set) as u64);
        let both = members.classes().iter().filter(|&&class| both(class)).count() as u64;
        // Of the products, a pair of two parts in both sets is counted twice, and each of these parts with
        // itself.
        return a * b - both - both * both.saturating_sub(1) / 2;
    }
    let mut sizes = vec![[0_u64; 2]; members.class_count()];
    let second = match pairs {
        Pairs::Across { second } => *second,
        _ => usize::MAX,
    };
    for (part, &class) in members.classes().iter().enumerate() {
        sizes[class as usize][usize::from(part >= second)] += 1;
    }
    // Only classes that are in one of the sets matter.
    let sets = [of.a, of.b];
    let is_in = |class: &u32| sets.iter().any(|&set| members.class_holds(*class, set));
    let classes: Vec<u32> = (0..members.class_count() as u32).filter(is_in).collect();
    let scopes = demands.rules.scopes();
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
