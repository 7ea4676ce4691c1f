//! [`Pool`]: the threads that work.
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

/// The number of this thread in its pool; 0 in none.
pub(crate) fn this_thread() -> usize {
    Threads::this()
}

impl Pool {
    /// A pool of so many threads, at most eight for each core; 0 stands for the number of cores. They end when
    /// no clone is left.
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
        Ok(Self(Threads::new(threads, pieces, false)?))
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
        Ok(Self(Threads::new(threads, pieces, true)?))
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
        self.0.count()
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
        self.0.in_order(count, own, task)
    }
    /// `make` of each item, in their order; a thread takes `least` items at a time, or more. Not by a broadcast,
    /// which every thread must join: one of them may be at something else.
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
