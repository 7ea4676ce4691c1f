//! Times of queries in Rust alone, in the same build: for `python/bench.py`.
use crate::{body::Subject, model::PyModel, pool, poses};
use impinge::{Query, Threads};
use pyo3::prelude::*;
use std::{hint::black_box, time::Instant};

/// Seconds a call of `intersects`, in Rust.
#[pyfunction]
pub(crate) fn _seconds_alone(a: Subject<'_, '_>, b: Subject<'_, '_>, calls: u32) -> f64 {
    let (a, b) = (a.get().owned(), b.get().owned());
    let mut query = Query::new();
    let began = Instant::now();
    for _ in 0..calls {
        black_box(query.intersects(black_box(&a.body()), black_box(&b.body())));
    }
    began.elapsed().as_secs_f64() / f64::from(calls)
}

/// Seconds of `intersects_at` by a query that is warm, in Rust, with poses that are made already.
#[pyfunction]
pub(crate) fn _batch_seconds_alone(
    py: Python<'_>,
    a: Subject<'_, '_>,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<f64> {
    let (a, b) = (a.get().owned(), &model_b.get().model);
    let (poses, pool) = (poses::poses(poses, false, Some(1))?, pool::get(Some(threads))?);
    let run = || {
        let choice = if threads == 1 { Threads::One } else { Threads::Pool };
        let mut query = Query::new().threads(choice);
        query.intersects_at(&a.body(), b, &poses);
        let began = Instant::now();
        black_box(query.intersects_at(&a.body(), b, &poses));
        began.elapsed().as_secs_f64()
    };
    Ok(py.detach(|| match pool {
        Some(pool) => pool.install(run),
        None => run(),
    }))
}
