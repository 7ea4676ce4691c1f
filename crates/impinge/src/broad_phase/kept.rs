//! Pairs kept from one update to the next.

/// Neighbour lists, as in Hu et al. 2016: each pair stands with its smaller index. They lie end to end, in order: a sorted list of pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pairs: Vec<[u32; 2]>,
    /// Of each: what the caller notes of it, at first false.
    notes: Vec<bool>,
    /// New since the last merge, in any order, some perhaps repeatedly or kept already.
    found: Vec<[u32; 2]>,
    /// Memory for the next list.
    spare: Vec<[u32; 2]>,
    spare_notes: Vec<bool>,
    /// Where the neighbours of each box begin, while many are sorted.
    starts: Vec<u32>,
}

impl Kept {
    /// What was found new.
    pub(super) fn found(&mut self) -> &mut Vec<[u32; 2]> {
        &mut self.found
    }
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.notes.clear();
        self.found.clear();
    }
    /// All, each once, in order.
    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
    /// The pairs, and what is noted of each.
    pub(super) fn noted(&mut self) -> (&[[u32; 2]], &mut [bool]) {
        (&self.pairs, &mut self.notes)
    }
    /// Drops the kept pairs that are not to stay and puts in those found, of so many boxes: O(kept + f log f) for f found.
    pub(super) fn merge(&mut self, boxes: usize, mut stays: impl FnMut([u32; 2]) -> bool) {
        self.sort_found(boxes);
        self.spare.clear();
        self.spare_notes.clear();
        let mut found = self.found.iter().copied().peekable();
        for (&pair, &note) in self.pairs.iter().zip(&self.notes) {
            while let Some(new) = found.next_if(|new| *new < pair) {
                self.spare.push(new);
                self.spare_notes.push(false);
            }
            // One that is kept and found was found because it meets.
            let again = found.next_if_eq(&pair).is_some();
            if again || stays(pair) {
                self.spare.push(pair);
                self.spare_notes.push(note);
            }
        }
        self.spare.extend(found);
        self.spare_notes.resize(self.spare.len(), false);
        std::mem::swap(&mut self.pairs, &mut self.spare);
        std::mem::swap(&mut self.notes, &mut self.spare_notes);
        self.found.clear();
    }

    fn sort_found(&mut self, boxes: usize) {
        if self.found.len() < boxes / 8 {
            self.found.sort_unstable();
        } else {
            // By the first with one pass of counting, and then the few of each.
            self.starts.clear();
            self.starts.resize(boxes + 2, 0);
            self.found.iter().for_each(|&[i, _]| self.starts[i as usize + 2] += 1);
            for k in 1..self.starts.len() {
                self.starts[k] += self.starts[k - 1];
            }
            self.spare.clear();
            self.spare.resize(self.found.len(), [0; 2]);
            for &[i, j] in &self.found {
                let start = &mut self.starts[i as usize + 1];
                self.spare[*start as usize] = [i, j];
                *start += 1;
            }
            for run in self.starts.windows(2) {
                self.spare[run[0] as usize..run[1] as usize].sort_unstable();
            }
            std::mem::swap(&mut self.found, &mut self.spare);
        }
        self.found.dedup();
    }
}

/// `a` and `b`, the smaller first.
#[inline(always)]
pub(super) fn in_order(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
