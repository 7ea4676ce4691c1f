//! Update of a baseline with a delivery.
use super::{
    comparison::{Comparison, Fate},
    contact::KnownContact,
    delivery::Delivery,
    finding::KnownFinding,
    status::Status,
    store::Baseline,
};
use crate::{identity::canonical_order, values::date::Date};
use std::{collections::HashMap, sync::Arc};

impl Baseline {
    /// The baseline after a delivery. It has the new findings, and each finding has its status of the
    /// comparison. Decisions stay, except those of reopened findings, which lapse. Nothing is removed; see
    /// [`Baseline::prune`].
    ///
    /// # Panics
    /// The comparison is not that of this baseline and delivery.
    pub fn update(&self, comparison: &Comparison, delivery: &Delivery, today: Date) -> Self {
        let matching = &comparison.matching;
        let delivered = delivery.parts.len();
        let mut next = Self {
            findings: self.findings.clone(),
            contacts: self.contacts.clone(),
            has_groups: self.has_groups,
            unit: self.unit.or(delivery.unit),
            parts: delivery.parts.clone(),
            keys: comparison.keys.clone(),
            missing: vec![false; delivered],
        };
        // The missing parts that findings and contacts need come last.
        let mut moved_to: Vec<Option<u32>> =
            (0..self.parts.len() as u32).map(|i| Some(matching.of_old(i)?.new)).collect();
        let pairs = next.findings.iter_mut().map(|finding| &mut finding.pair);
        for pair in pairs.chain(next.contacts.iter_mut().map(|contact| &mut contact.pair)) {
            *pair = pair.map(|part| {
                *moved_to[part as usize].get_or_insert_with(|| {
                    next.parts.push(self.parts[part as usize].clone());
                    next.keys.push(self.keys[part as usize].clone());
                    next.missing.push(true);
                    next.parts.len() as u32 - 1
                })
            });
        }
        let contacts = delivery.contacts.iter();
        next.contacts.extend(
            contacts.map(|contact| KnownContact { test: Arc::clone(&contact.test), pair: contact.parts }),
        );
        let mut last = HashMap::new();
        for (i, (seen, observed)) in comparison.seen.iter().zip(&delivery.findings).enumerate() {
            let parts = observed.parts.as_slice();
            let mut pair = [parts[0], parts[parts.len() - 1]];
            let mut measures = observed.measures.clone();
            if next.keys[pair[0] as usize] > next.keys[pair[1] as usize] {
                pair.reverse();
                measures = measures.swapped();
            }
            // If a test has two findings about the same parts, the graver one is kept.
            if let Some(&(known, _)) = last.get(&seen.id) {
                let other: &mut KnownFinding = &mut next.findings[known];
                if measures.is_graver_than(&other.measures) {
                    other.measures = measures;
                }
                continue;
            }
            let known = seen.known.map_or(next.findings.len(), |known| known as usize);
            last.insert(seen.id, (known, i));
            match seen.known {
                Some(_) => next.findings[known].see(pair, measures, seen.status, today),
                None => next.findings.push(KnownFinding {
                    id: seen.id,
                    test: observed.test.clone(),
                    pair,
                    reference: measures.clone(),
                    measures,
                    standing: Status::New,
                    first: today,
                    since: today,
                    not_examined: false,
                    group: None,
                    decision: None,
                    topic: None,
                }),
            }
        }
        for gone in &comparison.gone {
            let finding = &mut next.findings[gone.known as usize];
            match gone.fate {
                Fate::Resolved => finding.stand(Status::Resolved, today),
                Fate::PartMissing | Fate::NotExamined => finding.not_examined = true,
                Fate::StillResolved => {}
            }
        }
        next.arranged()
    }
    /// The baseline without resolved findings, without contacts of missing parts, and without missing parts
    /// that nothing else needs.
    pub fn prune(&self) -> Self {
        let mut next = self.clone();
        next.findings.retain(|finding| finding.standing != Status::Resolved);
        next.contacts.retain(|contact| contact.pair.iter().all(|&i| !self.missing[i as usize]));
        next.arranged()
    }

    /// Sorts findings, contacts and parts, and drops missing parts that none of them needs.
    pub(super) fn arranged(mut self) -> Self {
        let mut is_needed: Vec<bool> = self.missing.iter().map(|missing| !missing).collect();
        let pairs = self.findings.iter().map(|finding| finding.pair);
        let pairs = pairs.chain(self.contacts.iter().map(|contact| contact.pair));
        pairs.flatten().for_each(|i| is_needed[i as usize] = true);
        let mut order: Vec<usize> = (0..self.parts.len()).filter(|&i| is_needed[i]).collect();
        order.sort_by(|&i, &j| {
            let contents = canonical_order(&self.parts[i], &self.parts[j]);
            contents.then_with(|| (self.missing[i], &self.keys[i]).cmp(&(self.missing[j], &self.keys[j])))
        });
        let mut place = vec![0; self.parts.len()];
        order.iter().zip(0..).for_each(|(&from, to)| place[from] = to);
        self.findings.iter_mut().for_each(|finding| finding.pair = finding.pair.map(|i| place[i as usize]));
        self.findings.sort_unstable_by_key(|finding| finding.id);
        for contact in &mut self.contacts {
            // By key, which is unique in a baseline.
            contact.pair.sort_unstable_by(|&i, &j| self.keys[i as usize].cmp(&self.keys[j as usize]));
        }
        let key = |contact: &KnownContact| contact.pair.map(|i| self.keys[i as usize].clone());
        self.contacts.sort_by(|a, b| a.test.cmp(&b.test).then_with(|| key(a).cmp(&key(b))));
        self.contacts.dedup();
        for contact in &mut self.contacts {
            contact.pair = contact.pair.map(|i| place[i as usize]);
        }
        self.parts = order.iter().map(|&i| self.parts[i].clone()).collect();
        self.keys = order.iter().map(|&i| self.keys[i].clone()).collect();
        self.missing = order.iter().map(|&i| self.missing[i]).collect();
        self
    }
}

impl KnownFinding {
    /// Updates the finding with its measures and its status in a delivery.
    fn see(&mut self, pair: [u32; 2], measures: super::measures::Measures, status: Status, today: Date) {
        self.not_examined = false;
        self.pair = pair;
        self.reference =
            if status == Status::Reopened { measures.clone() } else { self.reference.least(&measures) };
        self.measures = measures;
        match status {
            Status::Reopened => {
                self.stand(Status::Reopened, today);
                if let Some(decision) = &mut self.decision {
                    decision.lapsed.get_or_insert(today);
                }
            }
            // This holds also under a decision, which gives the finding another status.
            _ => self.stand(Status::Active, today),
        }
    }
    fn stand(&mut self, standing: Status, today: Date) {
        self.not_examined = false;
        if self.standing != standing || standing == Status::Reopened {
            (self.standing, self.since) = (standing, today);
        }
    }
}
