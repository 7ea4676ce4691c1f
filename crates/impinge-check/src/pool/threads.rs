//! [`RayonThreads`]: threads of rayon.
use crate::values::error::Error;
use anyhow::anyhow;
use rayon::{
    ThreadPool, ThreadPoolBuilder,
    iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator},
};
use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::available_parallelism,
};

/// Threads of rayon. A clone has the same ones.
#[derive(Clone)]
pub(super) struct RayonThreads(Arc<ThreadPool>);

impl RayonThreads {
    /// The number of this thread.
    pub(super) fn this() -> usize {
        rayon::current_thread_index().unwrap_or_default()
    }
    /// So many threads, or as many as there are cores for 0, but no more than pieces of work, and than
    /// [`MOST_FOR_A_CORE`]. With `takes_this`, this thread is among them, if it is in no pool yet.
    pub(super) fn new(threads: u16, pieces: usize, takes_this: bool) -> Result<Self, Error> {
        let builder = ThreadPoolBuilder::new().num_threads(enough(threads, pieces));
        let is_free = takes_this && rayon::current_thread_index().is_none();
        let builder = if is_free { builder.use_current_thread() } else { builder };
        // The source of the error is the error again.
        let pool = builder.build().map_err(|error| anyhow!("cannot start threads: {error}"))?;
        Ok(Self(Arc::new(pool)))
    }
    pub(super) fn count(&self) -> usize {
        self.0.current_num_threads()
    }
    pub(super) fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        self.0.join(a, b)
    }
    pub(super) fn install<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        self.0.install(task)
    }
    pub(super) fn map<T: Sync, U: Send>(
        &self,
        items: &[T],
        least: usize,
        make: impl Fn(&T) -> U + Sync,
    ) -> Vec<U> {
        self.0.install(|| items.par_iter().with_min_len(least).map(&make).collect())
    }
    #[cfg(feature = "files")]
    pub(super) fn sort_unstable<T: Ord + Send>(&self, items: &mut [T]) {
        self.0.install(|| rayon::slice::ParallelSliceMut::par_sort_unstable(items));
    }
    pub(super) fn in_order<S, T: Send>(
        &self,
        count: usize,
        own: impl Fn() -> S + Sync,
        task: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let shares = self.0.broadcast(|_| {
            let mut own = own();
            let mut share = Vec::new();
            loop {
                // Only the count itself is shared: the results travel by the join that ends the broadcast.
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    return share;
                }
                share.push((i, task(&mut own, i)));
            }
        });
        let mut results: Vec<(usize, T)> = shares.into_iter().flatten().collect();
        results.sort_unstable_by_key(|&(i, _)| i);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// The most threads for each core. A thousand on two cores take a hundred times as long as two: they wait for
/// each other.
const MOST_FOR_A_CORE: usize = 8;

/// The number of threads that have work, 1 at least.
fn enough(threads: u16, pieces: usize) -> usize {
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = match threads {
        0 => cores,
        threads => usize::from(threads).min(MOST_FOR_A_CORE * cores),
    };
    threads.min(pieces).max(1)
}
