//! Results of earlier runs for the parts of this run.
use super::file::{Stored, StoredFound};
use crate::{
    parts::SolidFacts,
    question::{asked::Asked, test_plan::Candidate},
    records::{Collected, near::Near},
    values::digest::Digest,
};
use impinge::broad_phase::Aabb;
use std::collections::HashMap;

pub(super) struct Known {
    stored: Stored,
    /// The number of each part in `stored`, or [`NONE`].
    numbers: Vec<u32>,
    /// The index of the first pair whose first part has each number, then the number of pairs.
    starts: Vec<u32>,
    /// The solid facts by the index of the mesh.
    solids: Vec<Option<SolidFacts>>,
}

const NONE: u32 = u32::MAX;

impl Known {
    /// The stored results for parts and meshes with these digests.
    pub(super) fn new(stored: Stored, parts: &[Digest], meshes: &[Digest]) -> Self {
        let old: HashMap<Digest, u32> =
            (0..).zip(&stored.parts).map(|(n, (digest, _))| (*digest, n)).collect();
        let numbers = parts.iter().map(|digest| old.get(digest).copied().unwrap_or(NONE)).collect();
        let mut starts = vec![0; stored.parts.len() + 1];
        stored.pairs.iter().for_each(|pair| starts[pair.parts[0] as usize + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let solids: HashMap<&Digest, &SolidFacts> =
            stored.found.solids.iter().map(|(digest, facts)| (digest, facts)).collect();
        let solids = meshes.iter().map(|digest| solids.get(digest).map(|&facts| facts.clone())).collect();
        Self { numbers, starts, solids, stored }
    }

    fn number(&self, part: u32) -> Option<u32> {
        self.numbers.get(part as usize).copied().filter(|&number| number != NONE)
    }
    /// The index of a pair in the file.
    fn place(&self, [a, b]: [u32; 2]) -> Option<u32> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        let [start, end] = [a, a + 1].map(|n| self.starts[n as usize]);
        let pairs = &self.stored.pairs[start as usize..end as usize];
        pairs.binary_search_by_key(&b, |pair| pair.parts[1]).ok().map(|place| start + place as u32)
    }

    /// The rounded box of a part.
    pub(super) fn extent(&self, part: usize) -> Option<Aabb> {
        self.number(part as u32).map(|number| self.stored.parts[number as usize].1)
    }
    pub(super) fn solid(&self, mesh: usize) -> Option<SolidFacts> {
        self.solids.get(mesh)?.clone()
    }
    /// Removes the pairs that the cache holds, and returns them.
    pub(super) fn recall(&self, pairs: &mut Vec<[u32; 2]>) -> Recalled {
        let mut known = Vec::new();
        if !self.stored.pairs.is_empty() {
            pairs.retain(|&pair| match self.place(pair) {
                Some(place) => {
                    known.push((pair, place));
                    false
                }
                None => true,
            });
        }
        Recalled(known)
    }
    pub(super) fn candidates(&self, pairs: &Recalled) -> impl Iterator<Item = Candidate> {
        let boxes_meet = |place: u32| self.stored.pairs[place as usize].meets();
        pairs.0.iter().map(move |&(pair, place)| Candidate { pair, boxes_meet: boxes_meet(place) })
    }
    pub(super) fn answers(&self, pairs: &Recalled, asked: &Asked) -> Collected {
        let mut all = Collected::default();
        let StoredFound { clashes, near, .. } = &self.stored.found;
        let mut counts = vec![0; asked.clearance.as_ref().map_or(0, |clearance| clearance.what_if.len())];
        for &(parts, place) in &pairs.0 {
            let pair = &self.stored.pairs[place as usize];
            all.boxes_overlap += u64::from(pair.meets());
            all.boxes_within += u64::from(asked.clearance.is_some());
            if let Ok(place) = clashes.binary_search_by_key(&pair.parts, |clash| clash.parts) {
                all.add_clash(&clashes[place], parts);
            }
            if let Ok(place) = near.binary_search_by_key(&pair.parts, |near| near.parts) {
                all.near.push(Near { parts, ..near[place] });
            }
            if let Some(first) = pair.reached() {
                all.reached.push((parts, first));
                counts.iter_mut().skip(first as usize).for_each(|count| *count += 1);
            }
        }
        all.add_counts(&counts);
        all
    }
}

/// Pairs of parts that the cache holds, each with its index in the file.
pub(super) struct Recalled(Vec<([u32; 2], u32)>);

impl Recalled {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
