//! Sorted pairs, kept from one update to the next.
use crate::graph::Buckets;

/// A sorted list of pairs: the neighbour lists of Hu et al. 2016, each of them the pairs with one smaller
/// index, end to end.
#[derive(Clone, Debug, Default)]
pub struct PairList {
    pairs: Vec<[u32; 2]>,
    /// A flag of each pair for the caller's use, at first false.
    flags: Vec<bool>,
    /// Pairs found since the last merge, in any order. Some may occur twice, or in `pairs`.
    found: Vec<[u32; 2]>,
    /// Memory for the next `pairs` and `flags`.
    spare: Vec<[u32; 2]>,
    spare_flags: Vec<bool>,
    /// Memory for sorting many pairs: the pairs of each box.
    by_box: Buckets<[u32; 2]>,
}

impl PairList {
    /// The list to which found pairs are appended.
    pub fn found(&mut self) -> &mut Vec<[u32; 2]> {
        &mut self.found
    }
    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.flags.clear();
        self.found.clear();
    }
    /// All pairs, each once, sorted.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
    /// All pairs, and the flag of each.
    pub fn pairs_and_flags(&mut self) -> (&[[u32; 2]], &mut [bool]) {
        (&self.pairs, &mut self.flags)
    }
    /// Removes the pairs whose `stays` is false and inserts the found ones. `boxes` is the number of boxes.
    /// O(p + f log f) for p pairs and f found ones.
    pub fn merge(&mut self, boxes: usize, mut stays: impl FnMut([u32; 2]) -> bool) {
        self.sort_found(boxes);
        self.spare.clear();
        self.spare_flags.clear();
        let mut found = self.found.iter().copied().peekable();
        for (&pair, &flag) in self.pairs.iter().zip(&self.flags) {
            while let Some(new) = found.next_if(|new| *new < pair) {
                self.spare.push(new);
                self.spare_flags.push(false);
            }
            // A pair that was found again meets: it stays without a call of `stays`.
            let again = found.next_if_eq(&pair).is_some();
            if again || stays(pair) {
                self.spare.push(pair);
                self.spare_flags.push(flag);
            }
        }
        self.spare.extend(found);
        self.spare_flags.resize(self.spare.len(), false);
        std::mem::swap(&mut self.pairs, &mut self.spare);
        std::mem::swap(&mut self.flags, &mut self.spare_flags);
        self.found.clear();
    }

    fn sort_found(&mut self, boxes: usize) {
        if self.found.len() < boxes / 8 {
            self.found.sort_unstable();
        } else {
            // A counting sort by the smaller index; then the few pairs of each box are sorted.
            self.by_box.fill(boxes, self.found.iter().map(|&pair| (pair[0], pair)));
            self.by_box.sort_by_key(|pair| *pair);
            std::mem::swap(&mut self.found, &mut self.by_box.items);
        }
        self.found.dedup();
    }
}

/// The pair of `a` and `b`: the smaller one first.
#[inline(always)]
pub fn in_order(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
