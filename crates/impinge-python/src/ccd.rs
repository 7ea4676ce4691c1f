//! Continuous collision of moving vertices: `impinge.ccd`.
use crate::{
    arrays::{self, floats, in_order, wrong_shape},
    body::PyBody,
    errors,
    mesh::PyMesh,
    pool,
    run::{self, Work, ask_each},
};
use impinge::{
    Error,
    ccd::{self, FirstTime, MovingMesh},
};
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::sync::Arc;

/// Four points.
type Quadruple = [[f64; 3]; 4];

/// Rows of four points.
fn quadruples(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<Quadruple>> {
    let numbers = floats(what, object)?;
    let &[_, 4, 3] = numbers.shape() else { return Err(wrong_shape(what, "(N, 4, 3)", numbers.shape())) };
    let numbers = in_order(&numbers);
    let (points, _) = numbers.as_chunks::<3>();
    let (rows, _) = points.as_chunks::<4>();
    Ok(rows.to_vec())
}

/// The arrays of a batch: hits, and the ends of each enclosure.
type Times<'py> = (Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Decides a batch: 0 is a point and a triangle, 1 are two edges.
#[pyfunction]
pub(crate) fn _first_times<'py>(
    py: Python<'py>,
    are_edges: bool,
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Times<'py>> {
    let (start, end) = (quadruples("start", start)?, quadruples("end", end)?);
    if start.len() != end.len() {
        return Err(PyValueError::new_err(format!("start has {} rows, end has {}", start.len(), end.len())));
    }
    let count = start.len();
    let found: Vec<Result<Option<FirstTime>, Error>> = ask_each(py, count, threads, false, move |_, i| {
        let at = [start[i], end[i]];
        if are_edges {
            ccd::edge_edge(at.map(|[p, q, ..]| [p, q]), at.map(|[_, _, p, q]| [p, q]))
        } else {
            ccd::point_triangle(at.map(|[p, ..]| p), at.map(|[_, a, b, c]| [a, b, c]))
        }
    })?;
    let mut times = Vec::with_capacity(count);
    for (i, found) in found.into_iter().enumerate() {
        times.push(found.map_err(|error| errors::pose(&error, &format!("row {i}")))?);
    }
    let of =
        |time: fn(&FirstTime) -> f64| times.iter().map(|at| at.as_ref().map_or(f64::NAN, time)).collect();
    Ok((
        arrays::list(py, times.iter().map(Option::is_some).collect()),
        arrays::list(py, of(|at| at.free_until)),
        arrays::list(py, of(|at| at.meets_at)),
    ))
}

/// The ends of an enclosure of a time, and the triangles that meet then.
type Enclosed = (f64, f64, (u32, u32));

/// The first contact of a body that is shifted.
#[pyfunction]
pub(crate) fn _first_shift_contact(
    py: Python<'_>,
    a: &Bound<'_, PyBody>,
    b: &Bound<'_, PyBody>,
    by: [f64; 3],
) -> PyResult<Option<Enclosed>> {
    let (a, b) = (a.get().owned(), b.get().owned());
    let found = run::ask(py, Work::Short, move |query| query.first_shift_contact(&a.body(), &b.body(), by))?;
    let found = found.map_err(|error| errors::error(&error))?;
    Ok(found.map(|contact| (contact.time.free_until, contact.time.meets_at, contact.pair.into())))
}

/// The first contact of two meshes whose vertices move, or of one with itself.
#[pyfunction]
pub(crate) fn _first_mesh_contact(
    py: Python<'_>,
    a: &Bound<'_, PyMesh>,
    end_a: &Bound<'_, PyAny>,
    b: Option<&Bound<'_, PyMesh>>,
    end_b: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Enclosed>> {
    let mesh_a = Arc::clone(&a.get().0);
    let end_a = arrays::points("end_a", end_a)?;
    let mesh_b = b.map(|mesh| Arc::clone(&mesh.get().0));
    let end_b = end_b.map(|end| arrays::points("end_b", end)).transpose()?.unwrap_or_default();
    let found = run::work_in(py, None, move |_| {
        let a = MovingMesh::new(&mesh_a, &end_a)?;
        Ok(match &mesh_b {
            None => ccd::first_self_contact(&a),
            Some(mesh_b) => ccd::first_mesh_contact(&a, &MovingMesh::new(mesh_b, &end_b)?),
        })
    })?;
    let found = found.map_err(|error: Error| errors::error(&error))?;
    Ok(found.map(|contact| (contact.time.free_until, contact.time.meets_at, contact.triangles.into())))
}
