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

/// Threads of rayon. A clone has the same threads.
#[derive(Clone)]
pub(super) struct RayonThreads(Arc<ThreadPool>);

impl RayonThreads {
    pub(super) fn this() -> usize {
        rayon::current_thread_index().unwrap_or_default()
    }
    /// `threads` threads, or one for each core if it is 0, but at most one for each piece of work, and
    /// [`MOST_FOR_A_CORE`] for each core. With `takes_this`, the current thread is among them, if it is in no
    /// pool yet.
    pub(super) fn new(threads: u16, pieces: usize, takes_this: bool) -> Result<Self, Error> {
        let builder = ThreadPoolBuilder::new().num_threads(enough(threads, pieces));
        let is_free = takes_this && rayon::current_thread_index().is_none();
        let builder = if is_free { builder.use_current_thread() } else { builder };
        // Omits the error's source, which has the same text.
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
                // Threads share only the count. The end of the broadcast hands over the results.
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

/// The most threads for each core. A thousand threads on two cores take a hundred times as long as two, since
/// they wait for each other.
const MOST_FOR_A_CORE: usize = 8;

/// The number of threads with work, at least 1.
fn enough(threads: u16, pieces: usize) -> usize {
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = match threads {
        0 => cores,
        threads => usize::from(threads).min(MOST_FOR_A_CORE * cores),
    };
    threads.min(pieces).max(1)
}
