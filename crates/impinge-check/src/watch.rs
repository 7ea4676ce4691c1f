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

/// Hears how far a run has come. Every method may be called from any thread of the run, and does nothing by
/// default.
pub trait Listener: Sync {
    /// A stage begins. `total` counts its work in `name`'s last word: parts, triangles, pairs.
    fn stage(&self, name: &str, total: u64) {
        let _ = (name, total);
    }
    /// So much more of the stage is done.
    fn step(&self, done: u64) {
        let _ = done;
    }
    /// A stage about pairs of parts begins: pairs that follow are of parts with these names.
    fn parts(&self, names: &mut dyn Iterator<Item = &str>) {
        let _ = names;
    }
    /// A thread of the run, counted from 0, begins a pair of parts.
    fn pair(&self, thread: usize, parts: [u32; 2]) {
        let _ = (thread, parts);
    }
    /// Something that went well and is worth a line.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// Something that is in doubt and is worth a line.
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
    /// Nobody hears, nothing ends the run.
    pub fn new() -> Self {
        Self::default()
    }
    /// Reports the progress of the run to `listener`.
    #[must_use]
    pub fn listener(self, listener: &'a dyn Listener) -> Self {
        Self { listener: Some(listener), ..self }
    }
    /// Once the flag is set, pairs of parts are left alone, also those that threads are at: the report names
    /// them as not examined. A time limit sets it. The flag must stay set until the run has returned.
    #[must_use]
    pub fn stop(self, flag: &'a Arc<AtomicBool>) -> Self {
        Self { stop: Some(flag), ..self }
    }
    /// Once the flag is set, the run ends with an error ([`Error::is_cancelled`](crate::Error::is_cancelled))
    /// and without a report: after the mesh or the pair of parts that each thread is at. To end within a
    /// pair, too, set the flag of [`Watch::stop`] as well. The flag must stay set until the run has returned.
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

    /// An error once the run is cancelled.
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
