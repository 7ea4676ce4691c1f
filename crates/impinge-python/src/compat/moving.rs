//! Two placed shapes that move: when they first meet.
use super::{
    meet::{meet, work},
    shape::{Placed, PySolid},
};
use crate::{errors, run::ask};
use impinge::{
    Error,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions},
};
use pyo3::prelude::*;
use std::sync::Arc;

/// The time, from 0 to 1, at which two shapes first meet that move from their poses to those of `ends`, each as
/// `Path.between`; None if they never do. Where they come too near for a proof it is the time until which they
/// are certainly apart.
#[pyfunction]
pub(crate) fn _first_meeting(
    py: Python<'_>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
    ends: [Bound<'_, PySolid>; 2],
) -> PyResult<Option<f64>> {
    let [a, b] = [a, b].map(|solid| Arc::clone(&solid.get().0));
    let path = |from: &Placed, to: &Bound<'_, PySolid>| Path::between(&from.pose, &to.get().0.pose, [0.0; 3]);
    let [path_a, path_b] =
        [path(&a, &ends[0]), path(&b, &ends[1])].map(|path| path.map_err(|e| errors::error(&e)));
    let (path_a, path_b) = (path_a?, path_b?);
    let found = ask(py, work(&a, &b), move |query| {
        if meet(query, &a, &b) {
            return Ok(Some(0.0));
        }
        let sweep = query.sweep(moving(&a, &path_a)?, moving(&b, &path_b)?, &SweepOptions::new());
        Ok::<_, Error>(match sweep {
            Sweep::Clear => None,
            Sweep::Contact { meets_at, .. } => Some(meets_at),
            Sweep::Near { free_until, .. } => Some(free_until),
        })
    })?;
    found.map_err(|error| errors::error(&error))
}

fn moving<'a>(placed: &'a Placed, path: &'a Path) -> Result<Moving<'a>, Error> {
    Moving::new(&placed.shape.model, path).rounded(placed.shape.radius)
}
