//! Comparison of a delivery with a baseline.
use super::{
    comparison::{Comparison, Fate, Gone, Seen, Why},
    delivery::{Delivery, Observed},
    finding::KnownFinding,
    id::FindingId,
    keys::Keys,
    measures::Worse,
    status::Status,
    store::Baseline,
};
use crate::{
    identity::{Matching, canonical_order},
    values::date::Date,
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The identity of a finding: the test, the parts in the baseline and, for findings about one part, the
/// relation.
type FindingKey<'a> = (&'a str, [u32; 2], &'a str);

impl Baseline {
    /// Compares a delivery with this baseline. `is_examined` returns true if a test examined these parts of
    /// the delivery, one or two in ascending order, and would report this relation of them. Only then can a
    /// finding be resolved. `today` decides whether a decision has expired.
    ///
    /// Cost: that of [`Matching::new`], plus a few lookups for each finding.
    ///
    /// # Panics
    /// A finding of the delivery has a part that the delivery does not have.
    pub fn compare(
        &self,
        delivery: &Delivery,
        is_examined: impl Fn(&str, &[u32], &str) -> bool,
        today: Date,
        worse: Worse,
    ) -> Comparison {
        let matching = Matching::new(&self.parts, &delivery.parts);
        self.compare_matched(matching, delivery, is_examined, today, worse)
    }
    /// [`Baseline::compare`] with a given matching of parts.
    pub(crate) fn compare_matched(
        &self,
        matching: Matching,
        delivery: &Delivery,
        is_examined: impl Fn(&str, &[u32], &str) -> bool,
        today: Date,
        worse: Worse,
    ) -> Comparison {
        let keys = self.keys_of(delivery, &matching);
        let known: HashMap<FindingKey<'_>, u32> = self.findings.iter().map(key_of).zip(0..).collect();
        let mut is_seen = vec![false; self.findings.len()];
        // The ids of new findings. Two findings with the same test and parts share one.
        let mut added: HashMap<(&str, [u32; 2], &str), FindingId> = HashMap::new();
        let mut used: HashSet<FindingId> = HashSet::new();
        let seen = delivery.findings.iter().map(|observed| {
            let old = old_pair(observed, &matching);
            let relation = relation_of_one(observed.parts.as_slice().len(), &observed.measures.relation);
            let found = old.and_then(|pair| known.get(&(&*observed.test, pair, relation)).copied());
            if let Some(i) = found {
                is_seen[i as usize] = true;
                let finding = &self.findings[i as usize];
                let (status, why) = status_of(finding, observed, today, &worse);
                return Seen { id: finding.id, status, why, known: Some(i) };
            }
            let place = (&*observed.test, sorted(observed.parts.as_slice()), relation);
            let id = *added.entry(place).or_insert_with(|| {
                let id = self.new_id(observed, &keys, &used);
                used.insert(id);
                id
            });
            Seen { id, status: Status::New, why: None, known: None }
        });
        let seen = seen.collect();
        let gone =
            self.findings.iter().zip(0..).filter(|&(_, i)| !is_seen[i as usize]).map(|(finding, i)| {
                let parts: Option<Vec<u32>> =
                    finding.parts().iter().map(|&part| Some(matching.of_old(part)?.new)).collect();
                let fate = match parts {
                    _ if finding.standing == Status::Resolved => Fate::StillResolved,
                    None => Fate::PartMissing,
                    Some(mut parts) => {
                        parts.sort_unstable();
                        let relation = &finding.measures.relation;
                        match is_examined(&finding.test, &parts, relation) {
                            true => Fate::Resolved,
                            false => Fate::NotExamined,
                        }
                    }
                };
                Gone { id: finding.id, fate, known: i }
            });
        let gone = gone.collect();
        Comparison { seen, gone, matching, keys }
    }

    /// The keys of the delivery's parts that are or were in findings or contacts. A part keeps its first key.
    fn keys_of(&self, delivery: &Delivery, matching: &Matching) -> Vec<Option<Arc<str>>> {
        let mut keys = vec![None; delivery.parts.len()];
        for one in matching.matches() {
            keys[one.new as usize].clone_from(&self.keys[one.old as usize]);
        }
        let of_findings = delivery.findings.iter().flat_map(|observed| observed.parts.as_slice());
        let of_contacts = delivery.contacts.iter().flat_map(|contact| &contact.parts);
        let mut without: Vec<u32> = of_findings.chain(of_contacts).copied().collect();
        without.sort_unstable();
        without.dedup();
        without.retain(|&part| keys[part as usize].is_none());
        let part = |i: &u32| &delivery.parts[*i as usize];
        without.sort_by(|a, b| canonical_order(part(a), part(b)));
        let mut made = Keys::new(&delivery.parts, self.keys.iter().flatten().cloned().collect());
        for part in without {
            keys[part as usize] = Some(made.add(part));
        }
        keys
    }
    fn new_id(&self, observed: &Observed, keys: &[Option<Arc<str>>], used: &HashSet<FindingId>) -> FindingId {
        let key = |part: &u32| keys[*part as usize].as_deref().unwrap_or_default();
        let mut keys: Vec<&str> = observed.parts.as_slice().iter().map(key).collect();
        keys.sort_unstable();
        let relation = &observed.measures.relation;
        let ids = (0..).map(|attempt| FindingId::new(&observed.test, &keys, relation, attempt));
        let is_free = |id: &FindingId| self.place_of(*id).is_none() && !used.contains(id);
        ids.into_iter().find(is_free).unwrap_or_else(|| FindingId::new(&observed.test, &keys, relation, 0))
    }
}

fn sorted(parts: &[u32]) -> [u32; 2] {
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    [first.min(last), first.max(last)]
}

fn relation_of_one(parts: usize, relation: &str) -> &str {
    if parts == 1 { relation } else { "" }
}

fn key_of(finding: &KnownFinding) -> FindingKey<'_> {
    let parts = finding.parts();
    (&finding.test, sorted(parts), relation_of_one(parts.len(), &finding.measures.relation))
}

/// The parts of a finding in the baseline; `None` if one is new.
fn old_pair(observed: &Observed, matching: &Matching) -> Option<[u32; 2]> {
    let parts = observed.parts.as_slice();
    let old = |part: u32| Some(matching.of_new(part)?.old);
    Some(sorted(&[old(parts[0])?, old(parts[parts.len() - 1])?]))
}

/// The status of a finding that the baseline has.
fn status_of(
    finding: &KnownFinding,
    observed: &Observed,
    today: Date,
    worse: &Worse,
) -> (Status, Option<Why>) {
    let decision = finding.decision.as_ref().filter(|decision| decision.lapsed.is_none());
    let accepted = finding.accepted();
    let why = if finding.standing == Status::Resolved {
        Some(Why::CameBack)
    } else if decision.is_some_and(|decision| decision.is_expired(today)) {
        Some(Why::Expired)
    } else if observed.measures.is_graver_than(accepted) {
        Some(Why::Graver)
    } else if observed.measures.is_worse_than(accepted, worse) {
        Some(Why::Grew)
    } else {
        None
    };
    match (why, decision) {
        (Some(_), _) => (Status::Reopened, why),
        (None, Some(decision)) => (decision.kind.status(), None),
        (None, None) => (Status::Active, None),
    }
}
