//! Calls that take long.
use crate::{
    errors,
    progress::{Heard, Teller},
    run,
};
use impinge_check::{Error, Pairs, Watch};
use pyo3::{exceptions::PyUserWarning, prelude::*};
use std::{
    ffi::CString,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// A long run, which Ctrl-C, an error of a callback or a time limit ends.
pub(crate) struct Call {
    /// Set once nobody waits for the run any more.
    quit: Arc<AtomicBool>,
    /// The error of a function that chose pairs.
    failure: Arc<Mutex<Option<PyErr>>>,
}

impl Call {
    pub(crate) fn new() -> Self {
        Self { quit: Arc::default(), failure: Arc::default() }
    }
    /// The pairs for which a function of Python returns true. After an error, or when nobody waits any more,
    /// it is not called.
    pub(crate) fn chosen(&self, choose: Py<PyAny>) -> Pairs {
        let (quit, failure) = (Arc::clone(&self.quit), Arc::clone(&self.failure));
        Pairs::filter(move |a, b| {
            if quit.load(Relaxed) {
                return false;
            }
            let chosen = Python::try_attach(|py| choose.call1(py, (a, b))?.bind(py).is_truthy());
            chosen.unwrap_or(Ok(false)).unwrap_or_else(|error| {
                quit.store(true, Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                false
            })
        })
    }
    fn failed(&self) -> PyResult<()> {
        match self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Does work on a thread of its own. Meanwhile this thread calls `progress`.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        limit: Option<Duration>,
        work: impl FnOnce(&Watch<'_>) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let heard = Arc::new(Heard::default());
        let mut teller = Teller::new(&heard, progress);
        // This flag ends the work within a pair of parts, too; `quit` ends it after the pair.
        let halt = Arc::new(AtomicBool::new(limit.is_some_and(|limit| limit.is_zero())));
        let task = {
            let (heard, halt, quit) = (Arc::clone(&heard), Arc::clone(&halt), Arc::clone(&self.quit));
            move |_: &Arc<AtomicBool>| {
                let _over = limit.map(|limit| set_after(limit, &halt));
                work(&Watch::new().listener(&*heard).stop(&halt).cancel(&quit))
            }
        };
        let meanwhile = |py: Python<'_>| {
            self.failed()?;
            teller.tell(py, false)
        };
        let done = run::on_helper_while(py, meanwhile, task).inspect_err(|_| {
            self.quit.store(true, Relaxed);
            halt.store(true, Relaxed);
        })?;
        self.failed()?;
        let done = done.map_err(|why| errors::check(&why))?;
        teller.tell(py, true)?;
        for text in heard.warnings() {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)?;
        }
        Ok(done)
    }
}

/// Sets a flag after some time, unless the sender is dropped before.
fn set_after(time: Duration, flag: &Arc<AtomicBool>) -> mpsc::Sender<()> {
    let (over, wait) = mpsc::channel();
    let flag = Arc::clone(flag);
    // Without the thread there is no limit, and the result is whole.
    let _ = thread::Builder::new().name("impinge-limit".into()).spawn(move || {
        if wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            flag.store(true, Relaxed);
        }
    });
    over
}
