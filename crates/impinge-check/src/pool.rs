//! [`Pool`]: the threads that work.
use crate::values::error::Error;
use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    fmt,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::available_parallelism,
};

/// Threads that several runs share. A clone has the same threads.
#[derive(Clone)]
pub struct Pool(Arc<ThreadPool>);

impl Pool {
    /// So many threads; 0 stands for as many as there are cores. They end when no clone is left.
    ///
    /// # Errors
    /// The system starts no more threads.
    pub fn new(threads: u16) -> Result<Self, Error> {
        Self::for_work(threads, usize::MAX)
    }
    /// As [`Pool::new`], but no more threads than there are pieces of work: idle threads take time, too.
    ///
    /// # Errors
    /// As [`Pool::new`].
    pub fn for_work(threads: u16, pieces: usize) -> Result<Self, Error> {
        Self::build(ThreadPoolBuilder::new().num_threads(enough(threads, pieces)))
    }
    /// As [`Pool::for_work`], with this thread among them if it is in no pool yet. It never leaves the pool,
    /// whose memory is not freed: this is for the main thread of a program.
    ///
    /// That thread has its memory from the program's own heap, which grows in larger steps than those of
    /// other threads: by one thread, the contractors' model takes 4 % less time if that is the first.
    ///
    /// # Errors
    /// As [`Pool::new`].
    pub fn with_this_thread(threads: u16, pieces: usize) -> Result<Self, Error> {
        let builder = ThreadPoolBuilder::new().num_threads(enough(threads, pieces));
        let is_free = rayon::current_thread_index().is_none();
        Self::build(if is_free { builder.use_current_thread() } else { builder })
    }
    fn build(builder: ThreadPoolBuilder) -> Result<Self, Error> {
        Ok(Self(Arc::new(builder.build().context("cannot start threads")?)))
    }
    /// `task` of each item, in their order. A thread takes the next item as soon as it is free.
    pub fn each<T: Sync, U: Send>(&self, items: &[T], task: impl Fn(&T) -> U + Sync) -> Vec<U> {
        self.in_order(items.len(), || (), |(), i| task(&items[i]))
    }
    /// Both results; the tasks run at the same time if two threads are free.
    pub fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        self.0.join(a, b)
    }
    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }
    /// Runs `task` on one of the threads: what it does by rayon is shared out over all of them.
    pub fn install<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        self.0.install(task)
    }

    /// `task(own, i)` for each `i` below `count`, as a list in the order of `i`.
    ///
    /// A thread takes the next `i` as soon as it is free, so that with the longest tasks first the load is
    /// even; `own` makes what a thread keeps from one task to the next.
    pub fn in_order<S, T: Send>(
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

/// The number of threads that have work, 1 at least.
fn enough(threads: u16, pieces: usize) -> usize {
    let threads = match threads {
        0 => available_parallelism().map_or(1, NonZeroUsize::get),
        threads => usize::from(threads),
    };
    threads.min(pieces).max(1)
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.0.current_num_threads())
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn every_task_once_and_in_order() {
        for threads in [1, 2, 5] {
            let pool = Pool::new(threads).unwrap();
            for count in [0, 1, 4, 1000] {
                let squares = pool.in_order(count, || (), |(), i| i * i);
                assert_eq!(squares, (0..count).map(|i| i * i).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn there_are_no_more_threads_than_pieces_of_work() {
        for (threads, pieces, expected) in [(512, 6, 6), (2, 6, 2), (512, 0, 1), (1, 100, 1)] {
            assert_eq!(Pool::for_work(threads, pieces).unwrap().threads(), expected);
        }
        assert!(Pool::for_work(0, 2).unwrap().threads() <= 2);
        assert!(rayon::current_thread_index().is_none(), "this thread is still in no pool");
    }

    #[test]
    fn a_thread_keeps_what_is_its_own() {
        let seen = Pool::new(1).unwrap().in_order(3, Vec::new, |own, i| {
            own.push(i);
            own.len()
        });
        assert_eq!(seen, [1, 2, 3]);
    }
}
