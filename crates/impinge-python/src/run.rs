//! Threads that questions run on, so that Ctrl-C ends the questions.
//!
//! Python handles signals on its main thread alone, and there only between calls. So a long call has to leave
//! the work to another thread, and look for signals while it waits. To start a thread takes longer than most
//! questions. Hence:
//!
//! * Off the main thread a question runs on its own thread: no signal would reach it.
//! * On the main thread a question that can be stopped runs there at first. A watchdog stops it after 10 to
//!   20 ms; a helper thread then runs it again.
//! * A question that takes long, or cannot be stopped ([`Work::Long`]), goes to a helper thread at once.
//!
//! Where a signal handler raises, the call ends; the call signals the helper to stop, and drops its result.
use crate::{errors, pool};
use impinge::{Query, model::OwnedBody};
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadPool, prelude::*};
use std::{
    cell::{Cell, RefCell},
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, LocalKey},
    time::Duration,
};

/// The interval at which a waiting call checks for signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(25);
/// The interval at which the watchdog checks; it stops a question that runs at two checks.
const TICK: Duration = Duration::from_millis(10);
/// Number of idle checks after which the watchdog ends.
const IDLE_TICKS: u32 = 100;
/// Triangles for which work that cannot be stopped may take a few milliseconds.
pub(crate) const FEW_TRIANGLES: usize = 20_000;

/// So few questions run one after the other, on this thread.
const FEW: usize = 16;

/// The kind of work of a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// It may be short, and if not it can be stopped.
    Short,
    /// It is long, or may be and cannot be stopped.
    Long,
}

impl Work {
    /// The work of a question that cannot be stopped, and visits so many triangles some times.
    pub(crate) fn of(triangles: usize) -> Self {
        if triangles <= FEW_TRIANGLES { Self::Short } else { Self::Long }
    }
    /// The same for the triangles of two bodies.
    pub(crate) fn of_bodies(bodies: [&OwnedBody; 2]) -> Self {
        Self::of(bodies.iter().map(|body| body.model.mesh().len()).sum())
    }
}

thread_local! {
    static QUERY: RefCell<Query> = RefCell::new(Query::new());
    /// Whether this is Python's main thread; `None` before the first call.
    static IS_MAIN: Cell<Option<bool>> = const { Cell::new(None) };
}

/// The number of the call that the watchdog sees: odd while one runs.
static CALL: AtomicU64 = AtomicU64::new(0);
/// Whether there is a watchdog.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
/// Set by the watchdog, to stop the call.
static OVERTIME: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

pub(crate) fn is_main(py: Python<'_>) -> PyResult<bool> {
    if let Some(is_main) = IS_MAIN.get() {
        return Ok(is_main);
    }
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    let is_main = main.eq(threading.call_method0("get_ident")?)?;
    IS_MAIN.set(Some(is_main));
    Ok(is_main)
}

/// In a child process after a fork: there is no watchdog, and this is the main thread.
pub(crate) fn after_fork() {
    IS_WATCHED.store(false, SeqCst);
    CALL.store(0, SeqCst);
    IS_MAIN.set(None);
}

fn watch() {
    let (mut last, mut idle) = (0, 0);
    loop {
        thread::sleep(TICK);
        let call = CALL.load(SeqCst);
        let is_same = call == last;
        last = call;
        if call % 2 == 1 {
            idle = 0;
            if is_same {
                OVERTIME.store(true, SeqCst);
            }
        } else {
            idle = if is_same { idle + 1 } else { 0 };
            if idle >= IDLE_TICKS {
                IS_WATCHED.store(false, SeqCst);
                // A call that began meanwhile may have seen a watchdog.
                if CALL.load(SeqCst) == call || IS_WATCHED.swap(true, SeqCst) {
                    return;
                }
            }
        }
    }
}

/// Memory of queries, which each thread keeps.
pub(crate) trait QueryMemory: Default + 'static {
    /// The memory of this thread.
    fn own() -> &'static LocalKey<RefCell<Self>>;
    /// Runs a question, which a flag stops.
    fn with_stop<T>(
        &mut self,
        flag: &Arc<AtomicBool>,
        question: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, impinge::Error>;
}

impl QueryMemory for Query {
    fn own() -> &'static LocalKey<RefCell<Self>> {
        &QUERY
    }
    fn with_stop<T>(
        &mut self,
        flag: &Arc<AtomicBool>,
        question: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, impinge::Error> {
        Self::with_stop(self, flag, question)
    }
}

/// Runs a task on this thread, which must be the main one. The flag that it is given is set if it runs out of
/// time, and at times without need: then the task is to end, and to be done again.
pub(crate) fn in_time<T>(task: impl FnOnce(&Arc<AtomicBool>) -> T) -> T {
    OVERTIME.store(false, SeqCst);
    let call = CALL.load(SeqCst) + 1;
    CALL.store(call, SeqCst);
    if !IS_WATCHED.load(SeqCst) && !IS_WATCHED.swap(true, SeqCst) {
        // Without a watchdog a long task can only not be interrupted.
        let _ = thread::Builder::new().name("impinge-watchdog".into()).spawn(watch);
    }
    let answer = task(&OVERTIME);
    CALL.store(call + 1, SeqCst);
    answer
}

fn ask_in_time<Q: QueryMemory, T>(question: impl FnOnce(&mut Q) -> T) -> thread::Result<Option<T>> {
    in_time(|overtime| caught(|query: &mut Q| query.with_stop(overtime, question).ok()))
}

/// Uses this thread's query, and catches panics.
fn caught<Q: QueryMemory, T>(use_it: impl FnOnce(&mut Q) -> T) -> thread::Result<T> {
    let done = catch_unwind(AssertUnwindSafe(|| Q::own().with_borrow_mut(use_it)));
    if done.is_err() {
        // It gives back its memory, and the flag that it may still hold.
        Q::own().set(Q::default());
    }
    done
}

/// Runs a question. It may run twice, and on any thread.
pub(crate) fn ask<T: Send + 'static>(
    py: Python<'_>,
    work: Work,
    question: impl Fn(&mut Query) -> T + Send + Sync + 'static,
) -> PyResult<T> {
    ask_with(py, work, question)
}

/// As [`ask`], with memory of any kind.
pub(crate) fn ask_with<Q: QueryMemory, T: Send + 'static>(
    py: Python<'_>,
    work: Work,
    question: impl Fn(&mut Q) -> T + Send + Sync + 'static,
) -> PyResult<T> {
    if !is_main(py)? {
        return py.detach(|| caught(|query: &mut Q| question(query))).map_err(errors::panicked);
    }
    if work == Work::Short
        && let Some(answer) = py.detach(|| ask_in_time(&question)).map_err(errors::panicked)?
    {
        return Ok(answer);
    }
    on_helper(py, move |stop| with_own(|query: &mut Q| query.with_stop(stop, |query| question(query))))?
        .map_err(|error| errors::error(&error))
}

/// Runs one query, on one thread or divided.
pub(crate) fn ask_divided<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    question: impl Fn(&mut Query) -> T + Send + Sync + 'static,
) -> PyResult<T> {
    if threads == Some(1) {
        ask(py, Work::Short, question)
    } else {
        ask_many(py, usize::MAX, threads, question)
    }
}

/// Runs a question of many parts on so many threads; `None` means all.
pub(crate) fn ask_many<T: Send + 'static>(
    py: Python<'_>,
    parts: usize,
    threads: Option<usize>,
    question: impl Fn(&mut Query) -> T + Send + Sync + 'static,
) -> PyResult<T> {
    let threads = pool::check(threads)?;
    let Some(pool) = (if parts <= FEW { None } else { pool::get(threads)? }) else {
        return ask(py, if parts <= FEW { Work::Short } else { Work::Long }, question);
    };
    let run = move |stop: &Arc<AtomicBool>| {
        let pooled = |query: &mut Query| {
            *query = std::mem::take(query).threads(impinge::Threads::Pool);
            let answer = pool.install(|| query.with_stop(stop, |query| question(query)));
            *query = std::mem::take(query).threads(impinge::Threads::One);
            answer
        };
        with_own(pooled)
    };
    work(py, run)?.map_err(|error| errors::error(&error))
}

/// The results of `count` questions. `one` computes the result of a question by its number, with the query of
/// the thread that it runs on. Questions that cannot be stopped (`is_long`) never run on the main thread.
pub(crate) fn ask_each<T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
    is_long: bool,
    one: impl Fn(&mut Query, usize) -> T + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    ask_rows(py, count, threads, is_long, move |query, i, results| results.push(one(query, i)))
}

/// As [`ask_each`], for questions with several results each, which `row` appends.
pub(crate) fn ask_rows<T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
    is_long: bool,
    row: impl Fn(&mut Query, usize, &mut Vec<T>) + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    ask_rows_with(py, count, threads, is_long, row)
}

/// As [`ask_rows`], with memory of any kind.
pub(crate) fn ask_rows_with<Q: QueryMemory, T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
    is_long: bool,
    row: impl Fn(&mut Q, usize, &mut Vec<T>) + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    /// Number of questions that a thread takes at a time.
    const RUN: usize = 16;
    let threads = pool::check(threads)?;
    let all = move |query: &mut Q, numbers: Range<usize>| {
        let mut results = Vec::new();
        numbers.for_each(|i| row(query, i, &mut results));
        results
    };
    if count <= FEW && !is_long {
        return ask_with(py, Work::Short, move |query| all(query, 0..count));
    }
    let pool = if count <= 1 { None } else { pool::get(threads)? };
    let done = work(py, move |stop| {
        let run = |first: usize| {
            let numbers = first..count.min(first + RUN);
            with_own(|query: &mut Q| query.with_stop(stop, |query| all(query, numbers)))
        };
        let runs = count.div_ceil(RUN);
        let parts: Result<Vec<Vec<T>>, impinge::Error> = match pool {
            None => (0..runs).map(|k| run(k * RUN)).collect(),
            Some(pool) => pool.install(|| (0..runs).into_par_iter().map(|k| run(k * RUN)).collect()),
        };
        parts.map(|parts| {
            let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
            parts.into_iter().for_each(|part| all.extend(part));
            all
        })
    })?;
    done.map_err(|error| errors::error(&error))
}

/// Does work that may be long and takes a flag to be stopped by: on this thread if it is not the main one.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    task: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> PyResult<T> {
    if is_main(py)? {
        return on_helper(py, task);
    }
    py.detach(|| catch_unwind(AssertUnwindSafe(|| task(&Arc::default())))).map_err(errors::panicked)
}

/// Runs a task in a pool's threads, or on one thread.
pub(crate) fn work_in<T: Send + 'static>(
    py: Python<'_>,
    pool: Option<Arc<ThreadPool>>,
    task: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> PyResult<T> {
    work(py, move |stop| match pool {
        Some(pool) => pool.install(|| task(stop)),
        None => task(stop),
    })
}

fn with_own<Q: QueryMemory, T>(use_it: impl FnOnce(&mut Q) -> T) -> T {
    Q::own().with_borrow_mut(use_it)
}

/// Runs a task on a thread of its own, and looks for signals until it ends.
pub(crate) fn on_helper<T: Send + 'static>(
    py: Python<'_>,
    task: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> PyResult<T> {
    on_helper_while(py, |_| Ok(()), task)
}

/// As [`on_helper`]. This thread also runs `meanwhile` every [`PATIENCE`]; an error of it ends the call.
pub(crate) fn on_helper_while<T: Send + 'static>(
    py: Python<'_>,
    mut meanwhile: impl FnMut(Python<'_>) -> PyResult<()>,
    task: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = mpsc::channel();
    let flag = Arc::clone(&stop);
    let run = move || {
        let answer = catch_unwind(AssertUnwindSafe(|| task(&flag)));
        // Nobody waits for it any more if the call was interrupted.
        let _ = sender.send(answer);
    };
    let spawned = thread::Builder::new().name("impinge".into()).spawn(run);
    spawned.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    loop {
        let (back, answer) = py.detach(move || {
            let answer = receiver.recv_timeout(PATIENCE);
            (receiver, answer)
        });
        receiver = back;
        match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(payload)) => return Err(errors::panicked(payload)),
            Err(RecvTimeoutError::Timeout) => {
                let heard = py.check_signals().and_then(|()| meanwhile(py));
                heard.inspect_err(|_| stop.store(true, SeqCst))?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "the thread of this question has ended without an answer",
                ));
            }
        }
    }
}
