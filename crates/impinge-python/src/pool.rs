//! Thread pools: started on first use, a few at a time, and again in a forked process.
use pyo3::{
    exceptions::{PyOverflowError, PyRuntimeError},
    prelude::*,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    mem,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::available_parallelism,
};

/// At most so many pools are kept. The threads of a dropped pool end once it is idle.
const KEPT: usize = 2;
/// Any machine may use so many threads; one with many cores may use [`PER_CORE`] for each core.
const ALWAYS_ALLOWED: usize = 64;
const PER_CORE: usize = 4;

/// The pools by their numbers of threads, the last used one last, and the default number of threads. Only
/// threads that hold the interpreter take the lock, and release it before the interpreter: so no thread holds
/// it when another thread forks the process.
struct Pools {
    made: Vec<(usize, Arc<ThreadPool>)>,
    default: Option<usize>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { made: Vec::new(), default: None });

fn pools() -> MutexGuard<'static, Pools> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

fn default_threads(pools: &Pools) -> usize {
    pools.default.unwrap_or_else(cores)
}

/// The number of threads of an argument, `None` standing for the number that is set.
pub(crate) fn number(threads: Option<usize>) -> PyResult<usize> {
    Ok(check(threads)?.unwrap_or_else(|| default_threads(&pools())))
}

/// The pool of so many threads, `None` standing for the number that is set; no pool for one thread.
pub(crate) fn get(threads: Option<usize>) -> PyResult<Option<Arc<ThreadPool>>> {
    let mut pools = pools();
    let threads = check(threads)?.unwrap_or_else(|| default_threads(&pools));
    if threads == 1 {
        return Ok(None);
    }
    if let Some(at) = pools.made.iter().position(|(count, _)| *count == threads) {
        let known = pools.made.remove(at);
        let pool = Arc::clone(&known.1);
        pools.made.push(known);
        return Ok(Some(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("impinge-{i}"))
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))?;
    let pool = Arc::new(pool);
    if pools.made.len() == KEPT {
        pools.made.remove(0);
    }
    pools.made.push((threads, Arc::clone(&pool)));
    Ok(Some(pool))
}

/// An argument `threads`.
pub(crate) fn count(threads: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if threads.is_none() {
        return Ok(None);
    }
    // An argument that is no number is a `TypeError`; a number that does not fit is out of range.
    let count: i64 = threads.extract().or_else(|error: PyErr| {
        let is_large = error.is_instance_of::<PyOverflowError>(threads.py());
        if is_large { Ok(i64::from(!threads.lt(0)?) * i64::MAX) } else { Err(error) }
    })?;
    check(Some(usize::try_from(count).unwrap_or(0)))
}

/// Refuses 0 threads and numbers out of proportion to the machine, also where no pool is needed.
pub(crate) fn check(threads: Option<usize>) -> PyResult<Option<usize>> {
    match threads {
        Some(0) => Err(crate::errors::value("threads must be 1 or more, or None for all cores".into())),
        // To count cores takes longer than most questions.
        Some(threads) if threads > ALWAYS_ALLOWED && threads > PER_CORE * cores() => {
            let most = ALWAYS_ALLOWED.max(PER_CORE * cores());
            Err(crate::errors::value(format!(
                "threads must be at most {most} on this machine, not {threads}"
            )))
        }
        threads => Ok(threads),
    }
}

/// Set the default number of threads of a call.
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
pub(crate) fn set_threads(#[pyo3(from_py_with = count)] threads: Option<usize>) -> PyResult<()> {
    pools().default = check(threads)?;
    Ok(())
}

/// Default number of threads of a call.
///
/// Returns
/// -------
/// int
///     The argument of `set_threads`, or the number of cores.
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

/// For a child process after a fork: its pools have no threads. To drop them could wait for locks that those
/// threads held; so the pools are left, and new ones are made on the next use.
pub(crate) fn after_fork() {
    mem::take(&mut pools().made).into_iter().for_each(mem::forget);
}

/// The number of threads of a pool that lives as long as one call: `None` is the number that is set; 0 stands
/// for as many as there are cores.
pub(crate) fn for_own_pool(threads: Option<usize>) -> u16 {
    let threads = threads.or(pools().default).unwrap_or(0);
    u16::try_from(threads).unwrap_or(u16::MAX)
}
