//! One body at many poses.
use crate::{
    arrays, errors,
    model::PyModel,
    operand::{Operand, Other, TriangleCount},
    pool, poses, results,
    run::{FEW_TRIANGLES, ask_many},
};
use impinge::{Model, Pose, Query, distance::Margin};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: intersects_at, first_contact_at, pairs_at, within_at)
}

/// The bodies and poses of a batch.
pub(crate) struct Batch<A = Operand> {
    pub(crate) a: A,
    pub(crate) b: Arc<Model>,
    pub(crate) poses: Vec<Pose>,
}

impl<A: TriangleCount + Send + Sync + 'static> Batch<A> {
    pub(crate) fn new(
        a: impl Into<A>,
        b: &Bound<'_, PyModel>,
        poses: &Bound<'_, PyAny>,
        affine: bool,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let poses = poses::poses(poses, affine, threads)?;
        Ok(Self { a: a.into(), b: Arc::clone(&b.get().model), poses })
    }
    /// Runs a query of the batch. The examination of large `solids` cannot be stopped: then the main thread
    /// does not run the query, however few poses there are.
    pub(crate) fn ask<T: Send + 'static>(
        self,
        py: Python<'_>,
        threads: Option<usize>,
        solids: bool,
        question: impl Fn(&mut Query, &Self) -> T + Send + Sync + 'static,
    ) -> PyResult<T> {
        let is_long = solids && self.a.triangles() + self.b.mesh().len() > FEW_TRIANGLES;
        let parts = if is_long { usize::MAX } else { self.poses.len() };
        ask_many(py, parts, threads, move |query| question(query, &self))
    }
}

/// Test whether `a` meets `model_b` at each of many poses, such as a planner's.
///
/// Parameters
/// ----------
/// a : Body, Rounded or HalfSpace
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of bool, shape (P,)
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> poses = numpy.tile(numpy.eye(4), (3, 1, 1))
/// >>> poses[:, 0, 3] = [1, 2, 3]
/// >>> impinge.intersects_at(impinge.Body(model), model, poses)
/// array([ True,  True, False])
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, *, affine=false, threads=None))]
fn intersects_at<'py>(
    py: Python<'py>,
    a: Other,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let batch = Batch::<Other>::new(a, model_b, poses, affine, threads)?;
    let meet = batch.ask(py, threads, false, |query, batch| {
        batch.a.with(|a| query.intersects_at(a, &batch.b, &batch.poses).to_vec())
    });
    Ok(arrays::list(py, meet?))
}

/// A pair of triangles that meet at each of many poses.
///
/// Parameters
/// ----------
/// a : Body, Rounded or HalfSpace
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of int64, shape (P, 2)
///     A triangle of `a` and one of `model_b`, or -1 twice where no two meet.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> poses = numpy.tile(numpy.eye(4), (2, 1, 1))
/// >>> poses[:, 0, 3] = [1, 3]
/// >>> impinge.first_contact_at(impinge.Body(model), model, poses).tolist()
/// [[0, 0], [-1, -1]]
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, *, affine=false, threads=None))]
fn first_contact_at<'py>(
    py: Python<'py>,
    a: Other,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let batch = Batch::<Other>::new(a, model_b, poses, affine, threads)?;
    let found = batch.ask(py, threads, false, |query, batch| {
        let found = batch.a.with(|a| query.first_contact_at(a, &batch.b, &batch.poses));
        found.iter().map(|pair| pair.map_or([-1; 2], |pair| pair.map(i64::from))).collect()
    });
    arrays::table(py, found?)
}

/// Every pair of triangles that meet, at each of many poses.
///
/// Parameters
/// ----------
/// a : Body, Rounded or HalfSpace
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// PairLists
///     A list for each pose, one behind the other in one array.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> poses = numpy.tile(numpy.eye(4), (3, 1, 1))
/// >>> poses[:, 0, 3] = [1, 3, 2]
/// >>> lists = impinge.pairs_at(impinge.Body(model), model, poses)
/// >>> lists.starts.tolist(), lists[2].tolist()
/// ([0, 1, 1, 2], [[0, 0]])
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, *, affine=false, threads=None))]
fn pairs_at<'py>(
    py: Python<'py>,
    a: Other,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let batch = Batch::<Other>::new(a, model_b, poses, affine, threads)?;
    let (pairs, starts) = batch.ask(py, threads, false, |query, batch| {
        let lists = batch.a.with(|a| query.pairs_at(a, &batch.b, &batch.poses));
        (arrays::copied(lists.pairs()), lists.starts().iter().map(|&start| start as i64).collect())
    })?;
    let pairs = pairs.map_err(|error| errors::memory(error.to_string()))?;
    results::make_batch(py, "PairLists", (arrays::table(py, pairs)?, arrays::list(py, starts)))
}

/// Test whether `a` and `model_b` are no further apart than a margin, at each of many poses. Exact.
///
/// Parameters
/// ----------
/// a : Body, Rounded or HalfSpace
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// margin : float
///     A distance: finite and not negative.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of bool, shape (P,)
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> poses = numpy.tile(numpy.eye(4), (2, 1, 1))
/// >>> poses[:, 0, 3] = [3, 4]
/// >>> impinge.within_at(impinge.Body(model), model, poses, 1.0)
/// array([ True, False])
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, margin, *, affine=false, threads=None))]
fn within_at<'py>(
    py: Python<'py>,
    a: Other,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    margin: f64,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let batch = Batch::<Other>::new(a, model_b, poses, affine, threads)?;
    let margin = Margin::new(margin).map_err(|error| crate::errors::error(&error))?;
    let near = batch.ask(py, threads, false, move |query, batch| {
        batch.a.with(|a| query.within_at(a, &batch.b, &batch.poses, margin).to_vec())
    });
    Ok(arrays::list(py, near?))
}
