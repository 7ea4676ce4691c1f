//! Lists of pairs, one for each query of a batch.

/// Place of a list in a share's pairs, and its length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) share: usize,
    pub(super) start: usize,
    pub(super) count: usize,
}

/// The intersecting pairs of many queries: one sorted list behind the other, in one piece of memory.
#[derive(Clone, Debug)]
pub struct PairLists {
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) starts: Vec<usize>,
    pub(super) runs: Vec<Run>,
}

impl Default for PairLists {
    fn default() -> Self {
        Self { pairs: Vec::new(), starts: vec![0], runs: Vec::new() }
    }
}

impl PairLists {
    /// No lists.
    pub fn new() -> Self {
        Self::default()
    }
    /// The number of lists: one for each query, the empty ones included.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    /// True if there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The pairs of query `i`.
    pub fn get(&self, i: usize) -> Option<&[[u32; 2]]> {
        let (start, end) = (*self.starts.get(i)?, *self.starts.get(i + 1)?);
        self.pairs.get(start..end)
    }
    /// All results, in the order of the queries.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[[u32; 2]]> {
        self.starts.windows(2).map(|ends| &self.pairs[ends[0]..ends[1]])
    }
    /// The pairs of all lists, one list behind the other.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
    /// The start of each list in [`PairLists::pairs`], and the end of the last one.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }
}
