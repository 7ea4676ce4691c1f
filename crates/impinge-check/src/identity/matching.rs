//! [`Matching`]: the parts of two deliveries that are the same.
use super::{part::PartIdentity, reason::MatchReason, stages::Stages};
use std::{collections::HashMap, hash::Hash};

/// A part in both deliveries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Index in the old delivery.
    pub old: u32,
    /// Index in the new delivery.
    pub new: u32,
    /// The reason of the match.
    pub reason: MatchReason,
    /// Distance between the centroids; 0 if the part is still in place, up to a tolerance.
    pub moved: f64,
}

/// The parts of two deliveries that are the same, and those that are missing or new.
///
/// The result does not depend on the order of the parts. Parts that agree in all properties of
/// [`PartIdentity`] are interchangeable.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// The matches, by old part.
    matches: Vec<Match>,
    of_old: Vec<Option<u32>>,
    of_new: Vec<Option<u32>>,
}

impl Matching {
    /// Matches the parts of an old and a new delivery.
    ///
    /// Parts without a common key are matched within groups of the same shape, place, name or type. The sum
    /// of squared distances in a group is the least if that costs no more than for 512 parts on either side.
    /// Larger groups are first halved by rank along their longest side, which recovers a translation of all
    /// parts. For 100,000 parts of one shape that all moved it takes seconds.
    pub fn new(old: &[PartIdentity], new: &[PartIdentity]) -> Self {
        let mut matching = Self {
            matches: Vec::with_capacity(old.len().min(new.len())),
            of_old: vec![None; old.len()],
            of_new: vec![None; new.len()],
        };
        let mut found = Vec::new();
        matching.add_keys(&mut found, old, new, MatchReason::Guid, |part| part.guid.as_deref());
        matching.add_keys(&mut found, old, new, MatchReason::Path, |part| part.path.as_deref());
        matching.add_keys(&mut found, old, new, MatchReason::NameAndFile, |part| {
            (!part.name.is_empty()).then_some((&*part.name, &*part.file))
        });
        found.extend(Stages::run(old, new, |is_new, i| {
            let of = if is_new { &matching.of_new } else { &matching.of_old };
            of[i as usize].is_none()
        }));
        found.sort_unstable_by_key(|&(i, _, _)| i);
        for (i, j, reason) in found {
            let (a, b) = (&old[i as usize], &new[j as usize]);
            let moved = if a.is_in_place(b) { 0.0 } else { a.place.distance(&b.place) };
            matching.of_old[i as usize] = Some(matching.matches.len() as u32);
            matching.of_new[j as usize] = Some(matching.matches.len() as u32);
            matching.matches.push(Match { old: i, new: j, reason, moved });
        }
        matching
    }
    /// All matches, in the order of the old parts.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }
    /// The match of a part of the old delivery; `None` if it is missing.
    pub fn of_old(&self, part: u32) -> Option<&Match> {
        self.matches.get((*self.of_old.get(part as usize)?)? as usize)
    }
    /// The match of a part of the new delivery; `None` if it is new.
    pub fn of_new(&self, part: u32) -> Option<&Match> {
        self.matches.get((*self.of_new.get(part as usize)?)? as usize)
    }
    /// The parts of the old delivery that are missing.
    pub fn missing(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.of_old).filter(|(_, of)| of.is_none()).map(|(i, _)| i)
    }
    /// The parts that are new.
    pub fn added(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.of_new).filter(|(_, of)| of.is_none()).map(|(i, _)| i)
    }

    /// Matches parts by keys that are unique in each delivery, unless a stronger key has matched them.
    fn add_keys<'a, K: Hash + Eq>(
        &mut self,
        found: &mut Vec<(u32, u32, MatchReason)>,
        old: &'a [PartIdentity],
        new: &'a [PartIdentity],
        reason: MatchReason,
        key: impl Fn(&'a PartIdentity) -> Option<K>,
    ) {
        let of_old = unique(old, &key);
        for (key, j) in unique(new, &key) {
            let Some(Some(i)) = of_old.get(&key).copied() else { continue };
            let Some(j) = j else { continue };
            let (a, b) = (&mut self.of_old[i as usize], &mut self.of_new[j as usize]);
            if a.is_none() && b.is_none() {
                // The index follows when all matches are sorted.
                (*a, *b) = (Some(0), Some(0));
                found.push((i, j, reason));
            }
        }
    }
}

/// The part with each key; `None` for a key of several parts.
fn unique<'a, K: Hash + Eq>(
    parts: &'a [PartIdentity],
    key: impl Fn(&'a PartIdentity) -> Option<K>,
) -> HashMap<K, Option<u32>> {
    let mut of = HashMap::with_capacity(parts.len());
    for (part, i) in parts.iter().zip(0..) {
        if let Some(key) = key(part) {
            of.entry(key).and_modify(|of| *of = None).or_insert(Some(i));
        }
    }
    of
}
