//! Destinations of the pairs of triangles that a walk finds.
use std::ops::ControlFlow;

/// Destination of pairs of triangles. A walk is compiled once for all variants.
pub enum Sink<'a> {
    /// A list of all pairs. The walk takes the order that is fastest.
    All(&'a mut Vec<[u32; 2]>),
    /// A list up to a limit; the other pairs are counted.
    AtMost(&'a mut Listed<'a>),
    /// A function that takes pairs one by one until it breaks. The walk begins where pairs are likely.
    Each(&'a mut dyn FnMut([u32; 2]) -> ControlFlow<()>),
}

impl Sink<'_> {
    /// Takes a pair that meets. Breaks if no more pairs are wanted.
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
            Sink::AtMost(listed) => {
                listed.take(pair);
                ControlFlow::Continue(())
            }
            Sink::Each(each) => each(pair),
        }
    }
}

/// A list of pairs up to a limit, and what does not fit into it.
#[derive(Debug)]
pub struct Listed<'a> {
    pub pairs: &'a mut Vec<[u32; 2]>,
    pub most: usize,
    pub rest: &'a mut Rest,
}

/// Pairs that are counted, but not listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rest {
    pub count: u64,
    /// The least of them.
    pub first: Option<[u32; 2]>,
}

impl Listed<'_> {
    #[inline]
    pub fn take(&mut self, pair: [u32; 2]) {
        if self.pairs.len() < self.most {
            if self.pairs.len() == self.pairs.capacity() {
                reserve(self.pairs, 1);
            }
            self.pairs.push(pair);
        } else {
            self.rest.add(&Rest { count: 1, first: Some(pair) });
        }
    }
}

impl Rest {
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.first = match (self.first, other.first) {
            (Some(own), Some(other)) => Some(own.min(other)),
            (own, other) => own.or(other),
        };
    }
}

/// Makes room for more pairs. A list of pairs may be far larger than its meshes. So without enough memory
/// this panics, where `Vec` would abort the process: a host, such as Python, can catch a panic.
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
