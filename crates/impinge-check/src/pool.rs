//! [`Pool`]: threads that runs share.
#[cfg(not(feature = "rayon"))]
mod one_thread;
#[cfg(feature = "rayon")]
mod threads;

#[cfg(not(feature = "rayon"))]
use self::one_thread::OneThread as Threads;
#[cfg(feature = "rayon")]
use self::threads::RayonThreads as Threads;
use crate::values::error::Error;
use std::fmt;

/// Threads that several runs share. A clone has the same threads.
#[derive(Clone)]
pub struct Pool(Threads);

/// The number of this thread in its pool; 0 outside of pools.
pub(crate) fn this_thread() -> usize {
    Threads::this()
}

impl Pool {
    /// A pool of `threads` threads, but at most eight for each core; 0 for one for each core. They end when
    /// no clone is left.
    ///
    /// # Errors
    /// The system refuses to start the threads.
    pub fn new(threads: u16) -> Result<Self, Error> {
        Self::for_work(threads, usize::MAX)
    }
    /// Creates a pool like [`Pool::new`], with at most one thread for each piece of work, since idle threads
    /// take time, too.
    ///
    /// # Errors
    /// Errors of [`Pool::new`].
    pub fn for_work(threads: u16, pieces: usize) -> Result<Self, Error> {
        Ok(Self(Threads::new(threads, pieces, false)?))
    }
    /// Creates a pool like [`Pool::for_work`] that has the current thread among its threads, if that thread
    /// is in no pool yet. The thread never leaves the pool, whose memory is not freed, so this is for the
    /// main thread of a program.
    ///
    /// The main thread allocates from the program's own heap, which grows in larger steps than the heaps of
    /// other threads. With one thread, the contractors' model takes 4 % less time on the main thread.
    ///
    /// # Errors
    /// Errors of [`Pool::new`].
    pub fn with_this_thread(threads: u16, pieces: usize) -> Result<Self, Error> {
        Ok(Self(Threads::new(threads, pieces, true)?))
    }
    /// Results of `task` for each item, in their order. A thread takes the next item as soon as it is free.
    pub fn each<T: Sync, U: Send>(&self, items: &[T], task: impl Fn(&T) -> U + Sync) -> Vec<U> {
        self.in_order(items.len(), || (), |(), i| task(&items[i]))
    }
    /// The results of both tasks, which run at the same time if two threads are free.
    pub fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        self.0.join(a, b)
    }
    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.0.count()
    }
    /// Runs `task` on one of the threads. Its work with rayon is shared by all of them.
    pub fn install<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        self.0.install(task)
    }

    /// Results of `task(own, i)` for each `i` below `count`, in the order of `i`.
    ///
    /// A thread takes the next `i` as soon as it is free, so the load is even if the longest tasks come
    /// first. `own` makes the state that a thread keeps from one task to the next.
    pub fn in_order<S, T: Send>(
        &self,
        count: usize,
        own: impl Fn() -> S + Sync,
        task: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Vec<T> {
        self.0.in_order(count, own, task)
    }
    /// Results of `make` for each item, in their order. A thread takes `least` items at a time, or more. This
    /// is no broadcast, which every thread must join, as one of them may be busy.
    pub(crate) fn map<T: Sync, U: Send>(
        &self,
        items: &[T],
        least: usize,
        make: impl Fn(&T) -> U + Sync,
    ) -> Vec<U> {
        self.0.map(items, least, make)
    }
    #[cfg(feature = "files")]
    pub(crate) fn sort_unstable<T: Ord + Send>(&self, items: &mut [T]) {
        self.0.sort_unstable(items);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.threads())
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
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        assert_eq!(Pool::new(u16::MAX).unwrap().threads(), 8 * cores, "more would wait for each other");
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
