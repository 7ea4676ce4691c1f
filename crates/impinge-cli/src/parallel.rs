//! Work shared out over threads, its results in the order of the tasks.
use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};

/// `threads` threads, this one among them if it is in no pool yet; 0 stands for as many as there are cores.
///
/// The first thread has its memory from the program's own heap, which grows in larger steps than those of
/// other threads: by one thread, the contractors' model takes 4 % less time if that is the first.
pub(crate) fn pool(threads: u16) -> anyhow::Result<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(usize::from(threads));
    let is_free = rayon::current_thread_index().is_none();
    let builder = if is_free { builder.use_current_thread() } else { builder };
    builder.build().with_context(|| format!("cannot start {threads} threads"))
}

/// `task(own, i)` for each `i` below `count`, as a list in the order of `i`.
///
/// A thread takes the next `i` as soon as it is free, so that with the longest tasks first the load is even;
/// `own` makes what a thread keeps from one task to the next.
pub(crate) fn in_order<S, T: Send>(
    pool: &ThreadPool,
    count: usize,
    own: impl Fn() -> S + Sync,
    task: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let shares = pool.broadcast(|_| {
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

/// `task` of each item, in their order.
pub(crate) fn each<T: Sync, U: Send>(
    pool: &ThreadPool,
    items: &[T],
    task: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    in_order(pool, items.len(), || (), |(), i| task(&items[i]))
}

#[cfg(test)]
mod tests {
    use super::{in_order, pool};

    #[test]
    fn every_task_once_and_in_order() {
        for threads in [1, 2, 5] {
            let pool = pool(threads).unwrap();
            for count in [0, 1, 4, 1000] {
                let squares = in_order(&pool, count, || (), |(), i| i * i);
                assert_eq!(squares, (0..count).map(|i| i * i).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_thread_keeps_what_is_its_own() {
        let seen = in_order(&pool(1).unwrap(), 3, Vec::new, |own, i| {
            own.push(i);
            own.len()
        });
        assert_eq!(seen, [1, 2, 3]);
    }
}
