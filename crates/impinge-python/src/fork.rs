//! A child process after a fork: it has only the thread that forked.
use crate::{gate, pool, run};
use pyo3::prelude::*;

/// Called in a child process after a fork.
#[pyfunction]
pub(crate) fn _after_fork() {
    pool::after_fork();
    gate::after_fork();
    run::after_fork();
}
