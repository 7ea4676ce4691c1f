//! A progress bar on stderr, for people who wait.
mod busy;

use self::busy::Busy;
use crate::verbosity;
use impinge_check::{Listener, values::numbers::grouped};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    borrow::Cow,
    fmt,
    io::{self, IsTerminal, Write},
    mem,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress of the work. It is shown if stderr is a terminal and the work lasts longer than [`PATIENCE`].
pub(crate) struct Progress {
    bar: ProgressBar,
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
    busy: Busy,
    /// The name of the stage and its start, with `--verbose`.
    stage: Mutex<Option<(String, Instant)>>,
}

impl Progress {
    /// Nothing done yet.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let stage = Mutex::default();
        if !io::stderr().is_terminal() || verbosity::is_quiet() {
            return Self { bar, waiter: None, busy: Busy::default(), stage };
        }
        let (over, wait) = mpsc::channel();
        let shown = bar.clone();
        let waiter = thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, waiter: Some((over, waiter)), busy: Busy::default(), stage }
    }

    /// Begins a stage of that much work: bytes to read, triangles to sort into trees, pairs to test. `name`
    /// names the stage.
    pub(crate) fn stage(&self, name: impl Into<Cow<'static, str>>, work: u64) {
        self.busy.reset(Vec::new());
        let name = name.into();
        self.next_stage(Some(format!("{name}: {}", grouped(work))));
        let style =
            ProgressStyle::with_template("{spinner} {msg} {wide_bar} {human_pos}/{human_len}, {left}{busy}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left);
        let style = style.with_key("busy", self.busy.clone());
        self.bar.set_style(style);
        self.bar.set_message(name);
        self.bar.set_length(work);
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.bar.reset_elapsed();
    }

    /// Prints the time of the last stage, with `--verbose`.
    fn next_stage(&self, next: Option<String>) {
        if !verbosity::is_verbose() {
            return;
        }
        let next = next.map(|name| (name, Instant::now()));
        let last = mem::replace(&mut *self.stage.lock().unwrap_or_else(PoisonError::into_inner), next);
        if let Some((name, start)) = last {
            self.note(&format!("{name} ({:.3} s)", start.elapsed().as_secs_f64()));
        }
    }

    /// So much of the stage is done.
    pub(crate) fn step(&self, work: u64) {
        self.bar.inc(work);
    }

    /// Something is in doubt: a line on stderr, above the bar if there is one.
    pub(crate) fn warn(&self, message: &str) {
        self.note(&format!("{} {message}", verbosity::marked("warning:")));
    }
    /// Prints a message about something that went well.
    pub(crate) fn note(&self, message: &str) {
        if verbosity::is_quiet() {
            return;
        }
        // Where stderr is closed, nobody reads it.
        self.aside(|| drop(writeln!(io::stderr(), "impinge: {message}")));
    }
    /// Runs what prints, while the bar is out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Listener for Progress {
    fn stage(&self, name: &str, total: u64) {
        self.stage(name.to_owned(), total);
    }
    fn step(&self, done: u64) {
        self.step(done);
    }
    /// A pair that takes long is named.
    fn parts(&self, names: &mut dyn Iterator<Item = &str>) {
        if self.waiter.is_some() {
            self.busy.reset(names.map(Into::into).collect());
        }
    }
    fn pair(&self, thread: usize, parts: [u32; 2]) {
        self.busy.begin(thread, parts);
    }
    fn note(&self, text: &str) {
        self.note(text);
    }
    fn warn(&self, text: &str) {
        self.warn(text);
    }
}

/// Progress counted in tasks: work within a task moves no bar.
pub(crate) struct OverTasks<'a>(&'a Progress);

impl<'a> OverTasks<'a> {
    pub(crate) fn new(progress: &'a Progress) -> Self {
        Self(progress)
    }
    /// Counts one more task.
    pub(crate) fn done(&self) {
        self.0.step(1);
    }
}

impl Listener for OverTasks<'_> {
    fn parts(&self, names: &mut dyn Iterator<Item = &str>) {
        self.0.parts(names);
    }
    fn pair(&self, thread: usize, parts: [u32; 2]) {
        self.0.pair(thread, parts);
    }
    fn note(&self, text: &str) {
        self.0.note(text);
    }
    fn warn(&self, text: &str) {
        self.0.warn(text);
    }
}

/// The remaining time of the stage, if there is an estimate; else its time so far, which at least moves.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    // The bar is only a picture: an error in writing it does not matter.
    let _ = match state.pos() {
        0 => write!(out, "for {}", HumanDuration(state.elapsed())),
        _ => write!(out, "{} left", HumanDuration(state.eta())),
    };
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.next_stage(None);
        if let Some((over, waiter)) = self.waiter.take() {
            drop(over);
            // The thread only draws.
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{OverTasks, Progress};
    use impinge_check::Listener;
    use indicatif::{InMemoryTerm, ProgressDrawTarget};

    /// A stage that has only begun shows its time so far, and a stage that is under way its remaining time.
    #[test]
    fn a_stage_shows_counts_and_what_is_left() {
        let term = InMemoryTerm::new(3, 100);
        let progress = Progress::new();
        progress.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(term.clone())));
        progress.stage("building trees, triangles", 2_000_000);
        progress.bar.tick();
        let shown = term.contents();
        assert!(
            shown.contains("building trees, triangles") && shown.contains("0/2,000,000, for "),
            "{shown}"
        );
        progress.step(500_000);
        progress.bar.tick();
        let shown = term.contents();
        assert!(shown.contains("500,000/2,000,000, ") && shown.contains(" left"), "{shown}");
    }

    #[test]
    fn one_bar_counts_tasks() {
        let term = InMemoryTerm::new(3, 100);
        let progress = Progress::new();
        progress.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(term.clone())));
        progress.stage("doing tasks", 3);
        let over = OverTasks::new(&progress);
        for done in 1..=3 {
            // A task has stages and steps of its own.
            let listener: &dyn Listener = &over;
            listener.stage("testing part pairs", 500);
            listener.step(400);
            over.done();
            progress.bar.tick();
            let shown = term.contents();
            assert!(shown.contains("doing tasks") && shown.contains(&format!("{done}/3, ")), "{shown}");
        }
    }
}
