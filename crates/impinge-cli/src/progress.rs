//! A progress bar on stderr, for people who wait.
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Work that is over sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far the work has come; shown if stderr is a terminal and the work lasts longer than [`PATIENCE`].
pub(crate) struct Progress {
    bar: ProgressBar,
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Nothing done yet.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !io::stderr().is_terminal() {
            return Self { bar, waiter: None };
        }
        let (over, wait) = mpsc::channel();
        let shown = bar.clone();
        let waiter = thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, waiter: Some((over, waiter)) }
    }

    /// Begins a stage of `count` steps.
    pub(crate) fn stage(&self, name: impl Into<Cow<'static, str>>, count: usize) {
        let style = ProgressStyle::with_template("{spinner} {msg} {wide_bar} {human_pos}/{human_len}");
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.set_message(name);
        self.bar.set_length(count as u64);
        self.bar.set_position(0);
    }

    /// One step of the stage is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// A line on stderr, above the bar if there is one.
    pub(crate) fn warn(&self, message: &str) {
        self.bar.suspend(|| {
            // Where stderr is closed, nobody reads the warning.
            let _ = writeln!(io::stderr(), "impinge: warning: {message}");
        });
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((over, waiter)) = self.waiter.take() {
            drop(over);
            // The thread only draws; if it panicked, there is nothing to save.
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
