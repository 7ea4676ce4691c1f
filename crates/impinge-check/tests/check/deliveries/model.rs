//! A model of findings: the rules of the baseline, written once more for parts with known numbers.
use impinge_check::{
    Date,
    baseline::{Delivery, Fate, FindingId, Outcome, Status},
};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sizes {
    is_inside: bool,
    volume: f64,
    depth: f64,
}

impl Sizes {
    fn is_worse(self, before: Self) -> bool {
        (self.is_inside && !before.is_inside)
            || self.volume > before.volume + 0.1 * before.volume
            || self.depth > before.depth + 0.1 * before.depth
    }
}

struct Known {
    is_resolved: bool,
    /// The sizes from which growth is measured.
    least: Sizes,
    last: Sizes,
    /// Status, sizes at the time of the decision, and its last day.
    decision: Option<(Status, Sizes, Option<Date>)>,
}

/// Findings by the numbers of their parts.
#[derive(Default)]
pub(crate) struct Model {
    known: HashMap<[u64; 2], Known>,
}

impl Model {
    /// The expected outcomes of the comparison with a delivery. `origin` has the numbers of its parts.
    pub(crate) fn step(
        &mut self,
        delivery: &Delivery,
        origin: &[u64],
        today: Date,
        examined: &dyn Fn(u64, u64) -> bool,
    ) -> HashMap<[u64; 2], Outcome> {
        let mut expected = HashMap::new();
        for observed in &delivery.findings {
            let mut pair = [0, 1].map(|k| origin[observed.parts.as_slice()[k] as usize]);
            pair.sort_unstable();
            let now = Sizes {
                is_inside: &*observed.measures.relation != "overlap",
                volume: observed.measures.volume.unwrap()[1],
                depth: observed.measures.depth.unwrap()[1],
            };
            let status = match self.known.get_mut(&pair) {
                None => {
                    self.known
                        .insert(pair, Known { is_resolved: false, least: now, last: now, decision: None });
                    Status::New
                }
                Some(known) => known.see(now, today),
            };
            expected.insert(pair, Outcome::Seen(status));
        }
        for (pair, known) in &mut self.known {
            if expected.contains_key(pair) {
                continue;
            }
            let fate = if known.is_resolved {
                Fate::StillResolved
            } else if pair.iter().any(|part| !origin.contains(part)) {
                Fate::PartMissing
            } else if !examined(pair[0], pair[1]) {
                Fate::NotExamined
            } else {
                known.is_resolved = true;
                Fate::Resolved
            };
            expected.insert(*pair, Outcome::Gone(fate));
        }
        expected
    }
    pub(crate) fn decide(&mut self, pair: &[u64; 2], status: Status, until: Option<Date>) {
        let known = self.known.get_mut(pair).unwrap();
        known.decision = Some((status, known.last, until));
    }
    pub(crate) fn is_resolved(&self, pair: &[u64; 2]) -> bool {
        self.known[pair].is_resolved
    }
    pub(crate) fn prune(&mut self, ids: &mut HashMap<[u64; 2], FindingId>) {
        self.known.retain(|_, known| !known.is_resolved);
        ids.retain(|pair, _| self.known.contains_key(pair));
    }
}

impl Known {
    fn see(&mut self, now: Sizes, today: Date) -> Status {
        let is_expired = |until: Option<Date>| until.is_some_and(|until| until < today);
        let status = match self.decision {
            _ if self.is_resolved => Status::Reopened,
            Some((_, then, until)) if is_expired(until) || now.is_worse(then) => Status::Reopened,
            Some((status, ..)) => status,
            None if now.is_worse(self.least) => Status::Reopened,
            None => Status::Active,
        };
        self.is_resolved = false;
        self.last = now;
        if status == Status::Reopened {
            self.decision = None;
            self.least = now;
        } else {
            self.least = Sizes {
                is_inside: self.least.is_inside && now.is_inside,
                volume: self.least.volume.min(now.volume),
                depth: self.least.depth.min(now.depth),
            };
        }
        status
    }
}
