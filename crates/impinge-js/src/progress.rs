//! Progress of a check, for a function of JavaScript.
use impinge_check::{Listener, Watch};
use js_sys::{Date, Function};
use std::{
    cell::RefCell,
    sync::atomic::{AtomicBool, Ordering},
};
use wasm_bindgen::prelude::*;

/// The least time between two calls of the function in the middle of a stage, in milliseconds.
const INTERVAL: f64 = 50.0;

#[derive(Default)]
struct Progress {
    function: Option<Function>,
    stage: JsValue,
    done: f64,
    total: f64,
    /// The time of the last call.
    last: f64,
    /// The value that the function threw.
    thrown: Option<JsValue>,
}

thread_local!(static PROGRESS: RefCell<Progress> = RefCell::default());

impl Progress {
    fn call(&mut self) {
        self.last = Date::now();
        if let Some(function) = &self.function {
            let (done, total) = (self.done.into(), self.total.into());
            self.thrown = function.call3(&JsValue::UNDEFINED, &self.stage, &done, &total).err();
        }
    }
}

/// Hands the progress of a run to the function of this thread, and ends the run if it throws. A listener is
/// shared among threads, and the function cannot be.
struct Hearer<'a>(&'a AtomicBool);

impl Hearer<'_> {
    fn change(&self, change: impl FnOnce(&mut Progress)) {
        PROGRESS.with_borrow_mut(|progress| {
            if progress.thrown.is_none() {
                change(progress);
            }
            if progress.thrown.is_some() {
                self.0.store(true, Ordering::Relaxed);
            }
        });
    }
}

impl Listener for Hearer<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.change(|progress| {
            (progress.stage, progress.done, progress.total) = (name.into(), 0.0, total as f64);
            progress.call();
        });
    }
    fn step(&self, done: u64) {
        self.change(|progress| {
            progress.done += done as f64;
            if progress.function.is_some() && Date::now() - progress.last >= INTERVAL {
                progress.call();
            }
        });
    }
}

/// Begins a stage outside of a run.
pub(crate) fn stage(name: &str, total: f64) -> Result<(), JsValue> {
    PROGRESS.with_borrow_mut(|progress| {
        (progress.stage, progress.done, progress.total) = (name.into(), 0.0, total);
        progress.call();
        progress.thrown.take().map_or(Ok(()), Err)
    })
}

/// Runs work that a function watches. An error that the function throws is the error of the work.
pub(crate) fn with<T>(
    function: Option<Function>,
    work: impl FnOnce(&Watch<'_>) -> Result<T, JsValue>,
) -> Result<T, JsValue> {
    PROGRESS.set(Progress { function, ..Progress::default() });
    let cancel = AtomicBool::new(false);
    let hearer = Hearer(&cancel);
    let done = work(&Watch::new().listener(&hearer).cancel(&cancel));
    PROGRESS.take().thrown.map_or(done, Err)
}
