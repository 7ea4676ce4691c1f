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
                if pairs.len() == pairs.capacity() {
                    reserve(pairs, 1);
                }
                pairs.push(pair);
                ControlFlow::Continue(())
            }
            Sink::Each(each) => each(pair),
        }
    }
}

/// Makes room for more pairs. Such a list may be far larger than its meshes. So this panics where memory does
/// not suffice, where `Vec` aborts the process: a host, such as Python, can catch it and go on.
#[cold]
#[inline(never)]
pub(crate) fn reserve(pairs: &mut Vec<[u32; 2]>, more: usize) {
    if pairs.try_reserve(more).is_err() {
        panic!("out of memory: no room for {} pairs of triangles", pairs.len() + more);
    }
}

/// Sorts pairs by the first triangle, then the second.
pub(crate) fn sort(pairs: &mut [[u32; 2]]) {
    // As one number: a comparison is then one instruction.
    pairs.sort_unstable_by_key(|&[i, j]| u64::from(i) << 32 | u64::from(j));
}
