//! Where a walk sends the pairs of triangles that meet.
use std::ops::ControlFlow;

/// Where pairs of triangles go. A walk is compiled once, for both.
pub enum Sink<'a> {
    /// All of them here, in the order that is fastest.
    All(&'a mut Vec<[u32; 2]>),
    /// One by one, where some are likely first, until it breaks.
    Each(&'a mut dyn FnMut([u32; 2]) -> ControlFlow<()>),
}

impl Sink<'_> {
    /// Hands on a pair that meets; it may be all that is wanted.
    #[inline(always)]
    pub fn take(&mut self, pair: [u32; 2]) -> ControlFlow<()> {
        match self {
            Sink::All(pairs) => {
                pairs.push(pair);
                ControlFlow::Continue(())
            }
            Sink::Each(each) => each(pair),
        }
    }
}

/// Sorts pairs by the first triangle, then the second.
pub(crate) fn sort(pairs: &mut [[u32; 2]]) {
    // As one number: a comparison is then one instruction.
    pairs.sort_unstable_by_key(|&[i, j]| u64::from(i) << 32 | u64::from(j));
}
