//! Exclusive access that a waiting thread can give up, and that a forked child does not wait for.
use crate::run;
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use std::{
    ops::{Deref, DerefMut},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{
            AtomicU64,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    thread,
    time::{Duration, Instant},
};

/// The number of forks from the first process to this one, plus 1.
static PROCESS: AtomicU64 = AtomicU64::new(1);

/// Called in a forked child: the thread that held a gate at the fork does not exist here.
pub(crate) fn after_fork() {
    PROCESS.fetch_add(1, Relaxed);
}

/// The first and the longest pause between two attempts to enter.
const PAUSES: [Duration; 2] = [Duration::from_micros(5), Duration::from_millis(1)];

/// Why a thread has not entered.
pub(crate) enum Refused {
    /// Another thread holds the gate.
    Busy,
    /// The gate was held when this process was forked, and stays so.
    Forked,
}

impl From<Refused> for PyErr {
    fn from(_: Refused) -> Self {
        PyRuntimeError::new_err(
            "another thread used the scene when this process was forked, so the scene is lost here: make a \
             new one, fork while no thread uses it, or start processes by 'spawn'",
        )
    }
}

/// A value for one thread at a time.
#[derive(Default)]
pub(crate) struct Gate<T> {
    /// [`PROCESS`] of the thread inside, or 0.
    holder: AtomicU64,
    /// Locked only by the thread inside. So it never blocks, and no fork finds it locked while `holder` is 0.
    value: Mutex<T>,
}

impl<T> Gate<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { holder: AtomicU64::new(0), value: Mutex::new(value) }
    }
    fn try_enter(&self) -> Result<Inside<'_, T>, Refused> {
        let process = PROCESS.load(Relaxed);
        match self.holder.compare_exchange(0, process, Acquire, Relaxed) {
            Ok(_) => {
                // A panic leaves a scene that keeps track of the pairs to decide again.
                let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(Inside { value: Some(value), holder: &self.holder })
            }
            Err(holder) if holder == process => Err(Refused::Busy),
            Err(_) => Err(Refused::Forked),
        }
    }
    /// Waits until this thread is inside or `give_up` returns true; then it returns [`Refused::Busy`].
    pub(crate) fn enter_unless(&self, give_up: impl Fn() -> bool) -> Result<Inside<'_, T>, Refused> {
        let [mut pause, longest] = PAUSES;
        loop {
            match self.try_enter() {
                Err(Refused::Busy) if !give_up() => thread::sleep(pause),
                entered => return entered,
            }
            pause = (2 * pause).min(longest);
        }
    }
    /// Does something with the value while other threads of Python run. Ctrl-C ends the wait for it.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut T) -> PyResult<R> + Send,
    ) -> PyResult<R>
    where
        T: Send,
    {
        let mut act = Some(act);
        loop {
            let done = py.detach(|| {
                let began = Instant::now();
                let mut inside = self.enter_unless(|| began.elapsed() >= run::PATIENCE)?;
                Ok(act.take().map(|act| act(&mut inside)))
            });
            match done {
                Ok(Some(done)) => return done,
                Ok(None) => unreachable!("`act` is taken once, and then this returns"),
                Err(Refused::Busy) => py.check_signals()?,
                Err(refused) => return Err(refused.into()),
            }
        }
    }
}

/// Access to the value of a [`Gate`]; others may enter once it is dropped.
pub(crate) struct Inside<'a, T> {
    value: Option<MutexGuard<'a, T>>,
    holder: &'a AtomicU64,
}

impl<T> Deref for Inside<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value.as_deref().expect("the lock is held until this is dropped")
    }
}

impl<T> DerefMut for Inside<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_deref_mut().expect("the lock is held until this is dropped")
    }
}

impl<T> Drop for Inside<'_, T> {
    fn drop(&mut self) {
        // First the lock, so that it is free wherever `holder` is 0.
        drop(self.value.take());
        self.holder.store(0, Release);
    }
}
