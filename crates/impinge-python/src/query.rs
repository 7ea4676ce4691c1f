//! Questions about two bodies: which triangles meet. Others are in `query/`.
#[macro_use]
mod add;
mod batch;
mod configurations;
mod coverage;
mod distances;
mod lines;
mod one_body;
mod rays;
mod solids;
mod solids_at;
mod sweep;

pub(crate) use self::{
    coverage::PyCoverage,
    distances::stop,
    sweep::{PySweep, PySweeps, options as sweep_options},
};

use crate::{
    arrays,
    body::Subject,
    errors,
    model::PyModel,
    operand::{Operand, Other},
    pool,
    run::{self, Work, ask, ask_divided},
};
use impinge::{Obstacle, Query, Rounded};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::{exceptions::PyTypeError, prelude::*};
use std::{ops::ControlFlow, sync::Arc};

/// Adds all queries to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let files = [
        batch::add_to,
        configurations::add_to,
        coverage::add_to,
        distances::add_to,
        lines::add_to,
        one_body::add_to,
        rays::add_to,
        solids::add_to,
        solids_at::add_to,
        sweep::add_to,
    ];
    files.iter().try_for_each(|add_to| add_to(module))?;
    add!(
        module: intersects, intersects_each, first_contact, pairs, contact_points, contact_normals, self_pairs, self_intersects,
            _brute_force_pairs
    )
}

/// Test whether any triangles of two bodies meet. Triangles are closed, so touching is meeting. Exact.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
///
/// Returns
/// -------
/// bool
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> a = impinge.Body(model)
/// >>> b = impinge.Body(model, [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0]])  # they share the point (2, 0, 0)
/// >>> impinge.intersects(a, b)
/// True
#[pyfunction]
fn intersects(py: Python<'_>, a: Operand, b: Other) -> PyResult<bool> {
    ask(py, Work::Short, move |query| b.with(|b| query.intersects(&a.get(), b)))
}

/// Test whether the bodies of each of many pairs meet.
///
/// Parameters
/// ----------
/// pairs : sequence of (Body or Rounded, Body or Rounded)
///     The pairs.
/// threads : int or None, optional
///     Number of threads that share the pairs; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of bool, shape (K,)
///
/// Examples
/// --------
/// >>> import impinge
/// >>> box = impinge.Model(impinge.Mesh.box([2, 2, 2]))
/// >>> a, b, c = (impinge.Body(box, [[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]]) for x in (0, 2, 5))
/// >>> impinge.intersects_each([(a, b), (b, c)])
/// array([ True, False])
#[pyfunction]
#[pyo3(signature = (pairs, *, threads=None))]
fn intersects_each<'py>(
    py: Python<'py>,
    pairs: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let mut bodies = Vec::new();
    for (row, pair) in pairs.try_iter()?.enumerate() {
        let (a, b) = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(|_| {
            PyTypeError::new_err(format!("pairs: row {row} must be a pair of two bodies, such as (a, b)"))
        })?;
        bodies.push([a.extract::<Operand>()?, b.extract::<Operand>()?]);
    }
    let meet = run::ask_many(py, bodies.len(), threads, move |query| {
        let pairs: Vec<_> = bodies.iter().map(|pair| pair.each_ref().map(Operand::get)).collect();
        query.intersects_each(&pairs).to_vec()
    })?;
    Ok(arrays::list(py, meet))
}

/// A pair of triangles that meet, or None if no two do.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
///
/// Returns
/// -------
/// tuple of (int, int) or None
///     A triangle of `a` and one of `b`: of several pairs, any.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> impinge.first_contact(impinge.Body(model), impinge.Body(model))
/// (0, 0)
#[pyfunction]
fn first_contact(py: Python<'_>, a: Operand, b: Other) -> PyResult<Option<(u32, u32)>> {
    let found = ask(py, Work::Short, move |query| b.with(|b| query.first_contact(&a.get(), b)))?;
    Ok(found.map(|[i, j]| (i, j)))
}

/// Every pair of triangles that meet, sorted.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
/// threads : int or None, optional
///     Number of threads that share the work, if there is much; None is `set_threads`' number.
/// most_pairs : int or None, optional
///     Limit the length of the list; then one thread works.
///
/// Returns
/// -------
/// numpy.ndarray of uint32, shape (K, 2)
///     A triangle of `a` and one of `b` in each row.
///
/// Raises
/// ------
/// Error
///     More than `most_pairs` pairs meet.
/// MemoryError
///     The list does not fit in memory.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2], [0, 2, 1]]))
/// >>> impinge.pairs(impinge.Body(model), impinge.Body(model)).tolist()
/// [[0, 0], [0, 1], [1, 0], [1, 1]]
#[pyfunction]
#[pyo3(signature = (a, b, *, threads=1, most_pairs=None))]
fn pairs<'py>(
    py: Python<'py>,
    a: Operand,
    b: Other,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    most_pairs: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    if let Some(most) = most_pairs {
        pool::check(threads)?;
        let found = ask(py, Work::Short, move |query| b.with(|b| first_pairs(query, &a.get(), b, most)));
        let pairs = found?.ok_or_else(|| {
            errors::Error::new_err((format!("more than {most} pairs of triangles meet (most_pairs)"),))
        });
        return arrays::table(py, pairs?);
    }
    let question = move |query: &mut Query| {
        let mut pairs = Vec::new();
        b.with(|b| query.pairs_into(&a.get(), b, &mut pairs));
        pairs
    };
    arrays::table(py, ask_divided(py, threads, question)?)
}

/// Every pair of triangles that meet, sorted; `None` if there are more than `most`.
fn first_pairs(query: &mut Query, a: &Rounded<'_>, b: &dyn Obstacle, most: usize) -> Option<Vec<[u32; 2]>> {
    let mut pairs = Vec::new();
    let done = query.for_each_pair(a, b, |pair| {
        if pairs.len() == most {
            return ControlFlow::Break(());
        }
        if pairs.len() == pairs.capacity() && pairs.try_reserve(1).is_err() {
            panic!("out of memory: no room for {} pairs of triangles", pairs.len() + 1);
        }
        pairs.push(pair);
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
    done.is_continue().then_some(pairs)
}

/// Compute a point of each pair of triangles at which they meet.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// pairs : array_like of int, shape (K, 2)
///     Pairs of triangles that meet, such as `pairs` gives.
///
/// Returns
/// -------
/// numpy.ndarray, shape (K, 3)
///     For each pair the mean of the ends of what its triangles share, in the world, rounded.
///
/// Raises
/// ------
/// Error
///     The triangles of a pair do not meet.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> floor = impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
/// >>> wall = impinge.Mesh([[1, 0, -1], [1, 4, -1], [1, 0, 3]], [[0, 1, 2]])
/// >>> a, b = (impinge.Body(impinge.Model(mesh)) for mesh in (floor, wall))
/// >>> impinge.contact_points(a, b, impinge.pairs(a, b))
/// array([[1. , 1.5, 0. ]])
#[pyfunction]
fn contact_points<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    pairs: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let found = contacts(py, a, b, pairs, |contact| contact.meets.then_some(contact.point))?;
    let points = found.iter().enumerate().map(|(row, &point)| {
        point.ok_or_else(|| {
            errors::Error::new_err((format!("pairs: the triangles of row {row} do not meet"),))
        })
    });
    arrays::table(py, points.collect::<PyResult<Vec<[f64; 3]>>>()?)
}

/// The unit normals of triangles that meet, in the world: two for each pair.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// pairs : array_like of int, shape (K, 2)
///     Pairs of triangles.
///
/// Returns
/// -------
/// numpy.ndarray, shape (K, 2, 3)
///     For each pair that of `a`'s triangle and that of `b`'s, right-handed by the order of the corners; NaN
///     of a degenerate triangle, which has none.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> floor = impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
/// >>> a = impinge.Body(impinge.Model(floor))
/// >>> impinge.contact_normals(a, a, [[0, 0]])
/// array([[[0., 0., 1.],
///         [0., 0., 1.]]])
#[pyfunction]
fn contact_normals<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    pairs: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let normals =
        |contact: impinge::contact::ContactPoint| contact.normals.map(|n| n.unwrap_or([f64::NAN; 3]));
    arrays::cube(py, contacts(py, a, b, pairs, normals)?)
}

/// The number of points of contact that take some milliseconds at most.
const FEW_CONTACTS: usize = 1_000;

fn contacts<T: Send + 'static>(
    py: Python<'_>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    pairs: &Bound<'_, PyAny>,
    part: impl Fn(impinge::contact::ContactPoint) -> T + Send + 'static,
) -> PyResult<Vec<T>> {
    let (a, b) = (a.get().owned(), b.get().owned());
    let pairs = arrays::pairs(pairs, [&a, &b].map(|body| body.model.mesh().len()))?;
    if pairs.len() <= FEW_CONTACTS {
        // To start a thread takes longer.
        return Ok(py.detach(move || {
            let (a, b) = (a.body(), b.body());
            pairs.iter().map(|&pair| part(impinge::contact::contact_point(&a, &b, pair))).collect()
        }));
    }
    run::work(py, move |stop| {
        let (a, b) = (a.body(), b.body());
        let going = |_: &&[u32; 2]| !stop.load(std::sync::atomic::Ordering::Relaxed);
        let pairs = pairs.iter().take_while(going);
        pairs.map(|&pair| part(impinge::contact::contact_point(&a, &b, pair))).collect()
    })
}

/// Every pair of triangles i < j of one mesh that meet elsewhere than in common corners and edges, sorted.
///
/// Parameters
/// ----------
/// model : Model
///     The mesh with its hierarchy.
/// threads : int or None, optional
///     Number of threads that share the work, if there is much; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of uint32, shape (K, 2)
///
/// Examples
/// --------
/// >>> import impinge
/// >>> points = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 1, -1], [1, 1, 1], [3, 3, 1]]
/// >>> model = impinge.Model(impinge.Mesh(points, [[0, 1, 2], [0, 2, 3], [4, 5, 6]]))
/// >>> impinge.self_pairs(model).tolist()
/// [[0, 2], [1, 2]]
#[pyfunction]
#[pyo3(signature = (model, *, threads=1))]
fn self_pairs<'py>(
    py: Python<'py>,
    model: &Bound<'_, PyModel>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let model = Arc::clone(&model.get().model);
    let question = move |query: &mut Query| {
        let mut pairs = Vec::new();
        query.self_pairs_into(&model, &mut pairs);
        pairs
    };
    arrays::table(py, ask_divided(py, threads, question)?)
}

/// Test whether triangles of one mesh meet elsewhere than in common corners and edges. See `self_pairs`.
///
/// Parameters
/// ----------
/// model : Model
///     The mesh with its hierarchy.
///
/// Returns
/// -------
/// bool
///
/// Examples
/// --------
/// >>> import impinge
/// >>> mesh = impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
/// >>> impinge.self_intersects(impinge.Model(mesh))
/// False
#[pyfunction]
fn self_intersects(py: Python<'_>, model: &Bound<'_, PyModel>) -> PyResult<bool> {
    let model = Arc::clone(&model.get().model);
    ask(py, Work::Short, move |query| query.self_intersects(&model))
}

/// `pairs` without a hierarchy: the reference, in time O(n m), for tests.
#[pyfunction]
fn _brute_force_pairs<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    arrays::table(py, impinge::brute_force::pairs(&a.get().owned().body(), &b.get().owned().body()))
}
