//! Checks of assemblies.
use crate::{
    arrays,
    assembly::PyAssembly,
    errors, pool,
    progress::{Heard, Teller},
    report::PyReport,
    results, run,
};
use impinge_check::{Check, ChordOf, DepthOf, Error, Pairs, Unit, Watch};
use pyo3::{exceptions::PyUserWarning, prelude::*};
use std::{
    ffi::CString,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// The options of a check.
#[pyclass(frozen, name = "_Check", module = "impinge._core")]
pub(crate) struct PyCheck(pub(crate) Check);

pub(crate) fn error(error: &Error) -> PyErr {
    errors::Error::new_err((error.to_string(),))
}

#[pymethods]
impl PyCheck {
    #[new]
    #[expect(clippy::too_many_arguments)]
    fn new(
        report: Vec<String>,
        fill_rule: &str,
        depth: &str,
        tolerance: Option<f64>,
        clearance: Option<f64>,
        what_if: Vec<f64>,
        chord: Vec<(Option<String>, f64)>,
        surfaces: bool,
        contacts: bool,
        max_pairs: Option<u64>,
        unit: Option<&str>,
    ) -> PyResult<Self> {
        let unit = unit
            .map(|name| name.parse::<Unit>().map_err(|why| errors::value(why.to_string())))
            .transpose()?;
        let depth = match depth {
            "counted" => DepthOf::Counted,
            "all" => DepthOf::All,
            "none" => DepthOf::None,
            _ => {
                return Err(errors::value(format!(
                    "depth must be 'counted', 'all' or 'none', not {depth:?}"
                )));
            }
        };
        let chord = chord.into_iter().map(|(name, length)| match name {
            Some(name) => ChordOf::named(name, length),
            None => ChordOf::all(length),
        });
        let fill_rule = results::fill_rule(fill_rule)?;
        let mut check =
            Check::new().fill_rule(fill_rule).depth(depth).surfaces(surfaces).contacts(contacts).unit(unit);
        check = check.what_if(what_if).chords(chord);
        if !report.is_empty() {
            check = check.relations(report.join(",").parse().map_err(|why| error(&why))?);
        }
        if let Some(length) = tolerance {
            check = check.tolerance(length);
        }
        if let Some(length) = clearance {
            check = check.clearance(length);
        }
        if let Some(most) = max_pairs {
            check = check.max_pairs(most);
        }
        check.validate().map_err(|why| error(&why))?;
        Ok(Self(check))
    }
    /// Checks the pairs of an assembly's parts: all, those of its first source and the others, a list, those
    /// of two groups, or those for which a function returns true.
    #[expect(clippy::too_many_arguments)]
    fn run(
        &self,
        py: Python<'_>,
        assembly: &PyAssembly,
        across: bool,
        listed: Option<&Bound<'_, PyAny>>,
        groups: Option<[Vec<usize>; 2]>,
        choose: Option<Py<PyAny>>,
        floating: bool,
        cache: Option<PathBuf>,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyReport> {
        let assembly = assembly.shared();
        let call = Call::new();
        let pairs = if across {
            Pairs::Across { second: assembly.sources.first().map_or(0, |source| source.parts) }
        } else if let Some(listed) = listed {
            Pairs::listed(arrays::part_pairs(listed, assembly.parts.len())?)
        } else if let Some(groups) = groups {
            between(groups, assembly.parts.len())
        } else if let Some(choose) = choose {
            call.chosen(choose)
        } else {
            Pairs::All
        };
        let check = self.0.clone().pairs(pairs).floating(floating).threads(pool::for_own_pool(threads));
        let limit = time_limit.map(duration).transpose()?;
        let report = call.run(py, progress, limit, move |watch| match cache {
            Some(path) => {
                let cache = check.open_cache(path, watch)?;
                check.run_with(assembly, cache, watch)
            }
            None => check.run(assembly, watch),
        })?;
        Ok(PyReport::new(report))
    }
}

/// Pairs of a part of one group and a part of the other.
fn between(groups: [Vec<usize>; 2], parts: usize) -> Pairs {
    let [first, second] = groups.map(|group| {
        let mut is_in = vec![false; parts];
        group.into_iter().for_each(|part| is_in[part] = true);
        is_in
    });
    Pairs::filter(move |a, b| {
        let [a, b] = [a as usize, b as usize];
        first[a] && second[b] || first[b] && second[a]
    })
}

fn duration(seconds: f64) -> PyResult<Duration> {
    let duration = Duration::try_from_secs_f64(seconds);
    duration.map_err(|_| errors::value(format!("time_limit must be a number of seconds, not {seconds}")))
}

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
    fn chosen(&self, choose: Py<PyAny>) -> Pairs {
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

    /// Does work on a thread of its own, which becomes a member of the check's pool: so it is never one of
    /// Python's. Meanwhile this thread calls `progress`.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        limit: Option<Duration>,
        work: impl FnOnce(&Watch<'_>) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let heard = Arc::new(Heard::default());
        let mut teller = Teller::new(&heard, progress);
        // What ends within a pair of parts, too.
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
        let done = done.map_err(|why| error(&why))?;
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
