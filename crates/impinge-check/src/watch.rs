//! [`Watch`]: the listener to a run's progress, and the flags that end it early.
use crate::{pool, values::error::Cancelled};
use impinge::Query;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Receives the progress of a run. Every method may be called from any thread of the run, and does nothing by
/// default.
pub trait Listener: Sync {
    /// A stage begins. `total` is its amount of work, such as a number of parts, triangles or pairs.
    fn stage(&self, name: &str, total: u64) {
        let _ = (name, total);
    }
    /// The stage advances by `done`.
    fn step(&self, done: u64) {
        let _ = done;
    }
    /// A stage of pairs of parts begins. The pairs that follow are of parts with these names.
    fn parts(&self, names: &mut dyn Iterator<Item = &str>) {
        let _ = names;
    }
    /// A thread of the run, counted from 0, begins a pair of parts.
    fn pair(&self, thread: usize, parts: [u32; 2]) {
        let _ = (thread, parts);
    }
    /// A line about something that went well.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// A line about something doubtful.
    fn warn(&self, text: &str) {
        let _ = text;
    }
}

/// The listener to a run's progress, and the flags that end it early.
///
/// ```
/// use impinge_check::{Assembly, Check, Watch};
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// let stop = Arc::new(AtomicBool::new(false));
/// let report = Check::new().run(Assembly::new(), &Watch::new().stop(&stop))?;
/// assert!(report.not_examined().is_empty());
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    listener: Option<&'a dyn Listener>,
    stop: Option<&'a Arc<AtomicBool>>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// A watch without a listener and without flags.
    pub fn new() -> Self {
        Self::default()
    }
    /// Reports the progress of the run to `listener`.
    #[must_use]
    pub fn listener(self, listener: &'a dyn Listener) -> Self {
        Self { listener: Some(listener), ..self }
    }
    /// Stops the examination of pairs once the flag is set, also of those that threads are working on. The
    /// report lists them as not examined. A time limit sets the flag. It must stay set until the run has
    /// returned.
    #[must_use]
    pub fn stop(self, flag: &'a Arc<AtomicBool>) -> Self {
        Self { stop: Some(flag), ..self }
    }
    /// Ends the run with an error ([`Error::is_cancelled`](crate::Error::is_cancelled)) and without a report
    /// once the flag is set. Each thread finishes its current mesh or pair of parts. To end within a pair,
    /// too, set the flag of [`Watch::stop`] as well. The flag must stay set until the run has returned.
    #[must_use]
    pub fn cancel(self, flag: &'a AtomicBool) -> Self {
        Self { cancel: Some(flag), ..self }
    }

    pub(crate) fn stage(&self, name: &str, total: u64) {
        if let Some(listener) = self.listener {
            listener.stage(name, total);
        }
    }
    pub(crate) fn stage_of_pairs<'n>(&self, name: &str, pairs: usize, names: impl Iterator<Item = &'n str>) {
        self.stage(name, pairs as u64);
        if let Some(listener) = self.listener {
            let mut names = names;
            listener.parts(&mut names);
        }
    }
    pub(crate) fn step(&self, done: u64) {
        if let Some(listener) = self.listener {
            listener.step(done);
        }
    }
    pub(crate) fn note(&self, text: &str) {
        if let Some(listener) = self.listener {
            listener.note(text);
        }
    }
    pub(crate) fn warn(&self, text: &str) {
        if let Some(listener) = self.listener {
            listener.warn(text);
        }
    }

    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.is_cancelled() { Err(Cancelled.into()) } else { Ok(()) }
    }
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
    /// Runs the queries of a pair of parts. `None` if the run is stopped or cancelled before, or stopped
    /// while they run.
    pub(crate) fn examine<T>(
        &self,
        pair: [u32; 2],
        query: &mut Query,
        queries: impl FnOnce(&mut Query) -> T,
    ) -> Option<T> {
        if let Some(listener) = self.listener {
            listener.pair(pool::this_thread(), pair);
        }
        self.ask(query, queries)
    }
    /// Runs queries. `None` if the run is stopped or cancelled before, or stopped while they run.
    pub(crate) fn ask<T>(&self, query: &mut Query, queries: impl FnOnce(&mut Query) -> T) -> Option<T> {
        match self.stop {
            _ if self.is_cancelled() => None,
            Some(flag) if flag.load(Ordering::Relaxed) => None,
            Some(flag) => query.with_stop(flag, queries).ok(),
            None => Some(queries(query)),
        }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("stop", &self.stop)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}
