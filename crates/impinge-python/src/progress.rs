//! Progress of a long run. The thread that waits for the run reports it to Python.
use impinge_check::Listener;
use pyo3::prelude::*;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// Keeps what the threads of a run report. They never run code of Python.
#[derive(Default)]
pub(crate) struct Heard {
    stages: Mutex<Vec<Stage>>,
    /// The work that is done of the last stage.
    done: AtomicU64,
    warnings: Mutex<Vec<String>>,
}

#[derive(Clone)]
struct Stage {
    name: String,
    total: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listener for Heard {
    fn stage(&self, name: &str, total: u64) {
        let mut stages = lock(&self.stages);
        self.done.store(0, Relaxed);
        stages.push(Stage { name: name.to_owned(), total });
    }
    fn step(&self, done: u64) {
        self.done.fetch_add(done, Relaxed);
    }
    fn warn(&self, text: &str) {
        lock(&self.warnings).push(text.to_owned());
    }
}

impl Heard {
    /// Warnings of the run so far.
    pub(crate) fn warnings(&self) -> Vec<String> {
        lock(&self.warnings).clone()
    }
}

/// Calls a function of Python with the name of a stage, the work that is done, and that of the whole stage.
/// At the end of every stage it calls the function with all of the work done.
pub(crate) struct Teller {
    heard: Arc<Heard>,
    callback: Option<Py<PyAny>>,
    /// Number of stages whose end was reported, and the work last reported of the stage after them.
    told: usize,
    done: Option<u64>,
}

impl Teller {
    pub(crate) fn new(heard: &Arc<Heard>, callback: Option<Py<PyAny>>) -> Self {
        Self { heard: Arc::clone(heard), callback, told: 0, done: None }
    }
    /// Calls the function if there is news. With `is_over` the last stage has ended, too.
    pub(crate) fn tell(&mut self, py: Python<'_>, is_over: bool) -> PyResult<()> {
        let Some(callback) = &self.callback else { return Ok(()) };
        let (new, done) = {
            let stages = lock(&self.heard.stages);
            (stages[self.told..].to_vec(), self.heard.done.load(Relaxed))
        };
        let last = new.len().saturating_sub(1);
        for (i, Stage { name, total }) in new.into_iter().enumerate() {
            let done = if i < last || is_over { total } else { done.min(total) };
            if i == last && !is_over {
                if self.done != Some(done) {
                    self.done = Some(done);
                    callback.call1(py, (name, done, total))?;
                }
            } else {
                (self.told, self.done) = (self.told + 1, None);
                callback.call1(py, (name, done, total))?;
            }
        }
        Ok(())
    }
}
