//! Watching an update: its progress, and a flag that stops it.
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

/// Receiver of an update's progress, flag that stops it, or both: for
/// [`Scene::update_with`](crate::Scene::update_with).
///
/// ```
/// use impinge::{scene::{Detail, Progress, Stage, Watch}, ErrorKind, Scene};
/// use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
/// let mut scene = Scene::new();
/// let (pairs, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
/// let hear = |progress: Progress| {
///     if progress.stage == Stage::Pairs {
///         pairs.store(progress.total, Ordering::Relaxed);
///     }
/// };
/// let watch = Watch::new().progress(&hear).stop(&stop);
/// scene.update_with(Detail::Bodies, &watch)?;
/// assert_eq!(pairs.load(Ordering::Relaxed), 0);
/// // Another thread, or a signal handler, may set the flag at any time.
/// stop.store(true, Ordering::Relaxed);
/// let error = scene.update_with(Detail::Bodies, &watch).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::Stopped);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// A watch without a receiver and without a flag.
    pub fn new() -> Self {
        Self::default()
    }
    /// Calls `progress` at the start of each stage and after each piece of its work, on any of the threads
    /// that do the update. With several threads `done` may arrive out of order.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }
    /// Stops the update soon after the flag is set. The flag must stay set until the update has returned.
    #[must_use]
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    pub(super) fn report(&self, stage: Stage, done: usize, total: usize) {
        if let Some(progress) = self.progress {
            progress(Progress { stage, done, total });
        }
    }
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// Progress of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The stage that the update is in.
    pub stage: Stage,
    /// The number of pieces of this stage that are done.
    pub done: usize,
    /// The number of all pieces of this stage.
    pub total: usize,
}

/// The stages of an update, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Computes the boxes of bodies that have changed. A piece is a body.
    Boxes,
    /// Finds the pairs of bodies whose boxes meet. All of it is one piece.
    BroadPhase,
    /// Decides pairs of bodies whose boxes meet. A piece is a pair.
    Pairs,
}
