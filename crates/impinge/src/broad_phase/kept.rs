//! Pairs kept from one update to the next.

/// Neighbour lists, as in Hu et al. 2016: each pair stands with its smaller index. They lie end to end, in order: a sorted list of pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pairs: Vec<[u32; 2]>,
    /// New since the last merge, in any order, some perhaps repeatedly or kept already.
    found: Vec<[u32; 2]>,
    /// Memory for the next list.
    spare: Vec<[u32; 2]>,
}

impl Kept {
    /// What was found new.
    pub(super) fn found(&mut self) -> &mut Vec<[u32; 2]> {
        &mut self.found
    }
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.found.clear();
    }
    /// All, each once, in order.
    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
    /// Drops the kept pairs that are not to stay and puts in those found: O(kept + f log f) for f found.
    pub(super) fn merge(&mut self, mut stays: impl FnMut([u32; 2]) -> bool) {
        self.found.sort_unstable();
        self.found.dedup();
        self.spare.clear();
        let mut found = self.found.iter().copied().peekable();
        for &pair in &self.pairs {
            while let Some(new) = found.next_if(|new| *new < pair) {
                self.spare.push(new);
            }
            // One that is kept and found was found because it meets.
            let again = found.next_if_eq(&pair).is_some();
            if again || stays(pair) {
                self.spare.push(pair);
            }
        }
        self.spare.extend(found);
        std::mem::swap(&mut self.pairs, &mut self.spare);
        self.found.clear();
    }
}

/// `a` and `b`, the smaller first.
#[inline(always)]
pub(super) fn in_order(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
