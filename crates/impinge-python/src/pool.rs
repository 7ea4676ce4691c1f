//! Threads: pools that are made when they are first wanted, and made anew in a process that was forked.
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    collections::BTreeMap,
    mem,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::available_parallelism,
};

/// The pools by their numbers of threads, and the number that is meant where none is said. Only those who
/// hold the interpreter take the lock, and give it back before they let go of it: so nobody holds it when
/// another thread forks the process.
#[derive(Default)]
struct Pools {
    made: BTreeMap<usize, Arc<ThreadPool>>,
    default: Option<usize>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { made: BTreeMap::new(), default: None });

fn pools() -> MutexGuard<'static, Pools> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn default_threads(pools: &Pools) -> usize {
    pools.default.unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get))
}

/// The pool of so many threads, `None` standing for the number that is set; no pool for one thread.
pub(crate) fn get(threads: Option<usize>) -> PyResult<Option<Arc<ThreadPool>>> {
    let mut pools = pools();
    let threads = check(threads)?.unwrap_or_else(|| default_threads(&pools));
    if threads == 1 {
        return Ok(None);
    }
    if let Some(pool) = pools.made.get(&threads) {
        return Ok(Some(Arc::clone(pool)));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("impinge-{i}"))
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))?;
    Ok(Some(Arc::clone(pools.made.entry(threads).or_insert(Arc::new(pool)))))
}

/// Refuses 0 threads, also where no pool is asked for.
pub(crate) fn check(threads: Option<usize>) -> PyResult<Option<usize>> {
    if threads == Some(0) {
        return Err(crate::errors::value("threads must be 1 or more, or None for all".into()));
    }
    Ok(threads)
}

/// Set how many threads a call uses that is not told.
///
/// Parameters
/// ----------
/// threads : int or None
///     The number of threads; None is as many as the machine has cores for this process.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> impinge.set_threads(2)
/// >>> impinge.get_threads()
/// 2
/// >>> impinge.set_threads(None)
#[pyfunction]
pub(crate) fn set_threads(threads: Option<usize>) -> PyResult<()> {
    pools().default = check(threads)?;
    Ok(())
}

/// How many threads a call uses that is not told.
///
/// Returns
/// -------
/// int
///     What `set_threads` was told, or the number of cores.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> impinge.get_threads() >= 1
/// True
#[pyfunction]
pub(crate) fn get_threads() -> usize {
    default_threads(&pools())
}

/// Called in a child process after a fork. Its pools have no threads. To drop them could wait for locks that
/// those threads held; so they are left, and new ones are made when they are wanted.
#[pyfunction]
pub(crate) fn _after_fork() {
    mem::take(&mut pools().made).into_values().for_each(mem::forget);
    crate::run::after_fork();
}
