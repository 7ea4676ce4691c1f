//! Memory of queries.
use crate::{counters::Counters, pool, sink::Rest, typed_memory::Memory, walk, wide};

/// Memory of one query at a time. Empty until used.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) walk: walk::WalkMemory,
    /// Memory of single kinds of queries, by type.
    pub(crate) own: Memory,
}

/// Memory of all threads: for each a [`Scratch`], and the pairs that it has found.
#[derive(Debug, Default)]
pub(crate) struct Scratches {
    shares: Vec<Share>,
    /// Node pairs that a divided walk has left to its parts.
    pub(crate) node_pairs: Vec<wide::NodePair>,
}

/// Memory of one thread, on cache lines of its own, as stacks' lengths change all the time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Share {
    pub(crate) scratch: Scratch,
    pub(crate) pairs: Vec<[u32; 2]>,
    /// Pairs beyond a limit.
    pub(crate) rest: Rest,
}

impl Scratches {
    /// The share of a query that is not divided.
    pub(crate) fn first(&mut self) -> &mut Share {
        &mut self.shares(1)[0]
    }

    /// A share for each thread that could take one of the tasks: at least one.
    pub(crate) fn shares(&mut self, tasks: usize) -> &mut [Share] {
        let count = pool::threads().min(tasks).max(1);
        if self.shares.len() < count {
            self.shares.resize_with(count, Share::default);
        }
        &mut self.shares[..count]
    }

    pub(crate) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.shares.iter().for_each(|share| sum += share.scratch.walk.counters);
        sum
    }

    pub(crate) fn reset_counters(&mut self) {
        self.shares.iter_mut().for_each(|share| share.scratch.walk.counters = Counters::default());
    }
}
