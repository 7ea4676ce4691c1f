//! One body, and points and regions.
use super::{distances::stop, solids::by_rule};
use crate::{
    arrays,
    body::Subject,
    errors,
    operand::{self, Operand},
    pool, results,
    run::{Work, ask, ask_many},
};
use impinge::{HalfSpace, distance::ClosestPoint, model::OwnedBody, regions::InRegion, solid::Location};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: locate, contains, closest_point, closest_points, triangles_in)
}

/// Locate points relative to a body: inside, outside, or on its surface. Exact.
///
/// Parameters
/// ----------
/// body : Body or Rounded
///     The body.
/// points : array_like, shape (P, 3)
///     Points of the world.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
/// threads : int or None, optional
///     Number of threads that share the points; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of int8, shape (P,)
///     Members of `Location`: OUTSIDE, INSIDE, ON_SURFACE, or UNDEFINED of a mesh that bounds no solid.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> found = impinge.locate(impinge.Body(model), [[1, 1, 1], [1, 1, 2], [1, 1, 3]])
/// >>> [impinge.results.Location(place).name for place in found]
/// ['INSIDE', 'ON_SURFACE', 'OUTSIDE']
#[pyfunction]
#[pyo3(signature = (body, points, *, fill_rule="nonzero", threads=None))]
fn locate<'py>(
    py: Python<'py>,
    body: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    fill_rule: &str,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let found = locations(py, body, points, fill_rule, threads)?;
    Ok(arrays::list(py, found.into_iter().map(results::location).collect()))
}

/// Test whether points are inside of a solid or on its surface. Exact.
///
/// Parameters
/// ----------
/// body : Body or Rounded
///     The body.
/// points : array_like, shape (P, 3)
///     Points of the world.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
/// threads : int or None, optional
///     Number of threads that share the points; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of bool, shape (P,)
///
/// Raises
/// ------
/// Error
///     The mesh bounds no solid: it is open, or has no interior. `locate` has a result a point.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> impinge.contains(impinge.Body(model), [[1, 1, 1], [1, 1, 2], [1, 1, 3]])
/// array([ True,  True, False])
#[pyfunction]
#[pyo3(signature = (body, points, *, fill_rule="nonzero", threads=None))]
fn contains<'py>(
    py: Python<'py>,
    body: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    fill_rule: &str,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let operand = body.extract::<Operand>()?;
    if !operand.is_rounded() {
        refuse_no_solid(&operand.body)?;
    }
    let found = locations(py, body, points, fill_rule, threads)?;
    Ok(arrays::list(py, found.into_iter().map(|place| place != Location::Outside).collect()))
}

/// Refuses a mesh that bounds no solid, and so holds nothing.
pub(super) fn refuse_no_solid(body: &OwnedBody) -> PyResult<()> {
    if body.model.solid().status().is_closed() {
        return Ok(());
    }
    let text = "the mesh bounds no solid, so that nothing is inside of it: see Model.status, and \
                Model.boundaries for where it is open";
    Err(errors::Error::new_err((text,)))
}

fn locations(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    fill_rule: &str,
    threads: Option<usize>,
) -> PyResult<Vec<Location>> {
    let fill_rule = results::fill_rule(fill_rule)?;
    let points = arrays::finite_points("points", points)?;
    // It does not look at the flag that stops others.
    let operand = body.extract::<Operand>()?;
    let object = operand::body_object(body)?;
    let is_known = object.get().model_object().get().locates_at_once(points.len());
    let is_short = is_known || operand.body.model.mesh().len() <= 10_000;
    let parts = if is_short { points.len() } else { usize::MAX };
    ask_many(py, parts, threads, move |query| {
        by_rule(query, fill_rule, |query| query.locate(&operand.get(), &points).to_vec())
    })
}

/// The point of a body's surface that is nearest to a point, and how far it is.
///
/// Parameters
/// ----------
/// body : Body or Rounded
///     The body.
/// point : array_like, shape (3,)
///     A point of the world.
/// above : float or None, optional
///     Only if the distance is not more than this.
/// exact : bool, optional
///     Whether the interval is to be two neighbours in float64, or one number.
///
/// Returns
/// -------
/// ClosestPoint or None
///     None if the distance is more than `above`, or the body has no triangles.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> impinge.closest_point(impinge.Body(model), [1, 1, -2], exact=True)
/// ClosestPoint(lo=2.0, hi=2.0, triangle=0, point=array([1., 1., 0.]))
#[pyfunction]
#[pyo3(signature = (body, point, *, above=None, exact=false))]
fn closest_point<'py>(
    py: Python<'py>,
    body: Operand,
    point: &Bound<'_, PyAny>,
    above: Option<f64>,
    exact: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let point = arrays::vector("point", point)?;
    let stop = stop(above, exact)?;
    if !point.iter().all(|x| x.is_finite()) {
        return Err(errors::Error::new_err((format!("the point is not finite: {point:?}"),)));
    }
    let found =
        ask(py, Work::Short, move |query| query.with_accuracy(stop).closest_point(&body.get(), point))?;
    let make = |found: ClosestPoint| {
        let point = arrays::list(py, found.point.to_vec());
        results::make(py, "ClosestPoint", (found.lo, found.hi, found.triangle, point))
    };
    found.map(make).transpose()
}

/// `closest_point` of each of many points.
///
/// Parameters
/// ----------
/// body : Body or Rounded
///     The body.
/// points : array_like, shape (P, 3)
///     Points of the world.
/// above, exact : optional
///     See `closest_point`.
/// threads : int or None, optional
///     Number of threads that share the points; None is `set_threads`' number.
///
/// Returns
/// -------
/// ClosestPoints
///     An entry for each point; NaN and -1 where `closest_point` returns None.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> found = impinge.closest_points(impinge.Body(model), [[1, 1, -2], [0, 0, 3]], exact=True)
/// >>> found.hi, found.triangles
/// (array([2., 3.]), array([0, 0]))
#[pyfunction]
#[pyo3(signature = (body, points, *, above=None, exact=false, threads=None))]
fn closest_points<'py>(
    py: Python<'py>,
    body: Operand,
    points: &Bound<'_, PyAny>,
    above: Option<f64>,
    exact: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let points = arrays::finite_points("points", points)?;
    let stop = stop(above, exact)?;
    let found = ask_many(py, points.len(), threads, move |query| {
        query.with_accuracy(stop).closest_points(&body.get(), &points).to_vec()
    })?;
    let (lo, hi) = found.iter().map(|f| f.map_or((f64::NAN, f64::NAN), |f| (f.lo, f.hi))).unzip();
    let triangles = found.iter().map(|f| f.map_or(-1, |f| i64::from(f.triangle))).collect();
    let points = found.iter().map(|f| f.map_or([f64::NAN; 3], |f| f.point)).collect();
    let fields = (
        arrays::list(py, lo),
        arrays::list(py, hi),
        arrays::list::<i64>(py, triangles),
        arrays::table(py, points)?,
    );
    results::make_batch(py, "ClosestPoints", fields)
}

/// The triangles of a body that have a point in a convex region, or lie in it wholly, sorted. Exact.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// planes : array_like, shape (K, 4)
///     Half-spaces n.x <= d, as rows (n_x, n_y, n_z, d); the region is what all have in common. A box is six.
/// wholly : bool, optional
///     Whether only triangles count that lie in the region with all of their points.
///
/// Returns
/// -------
/// numpy.ndarray of uint32, shape (M,)
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> below = [[0, 0, 1, 0]]  # z <= 0
/// >>> impinge.triangles_in(impinge.Body(model), below, wholly=True)
/// array([0], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (body, planes, *, wholly=false))]
fn triangles_in<'py>(
    py: Python<'py>,
    body: Subject<'_, '_>,
    planes: &Bound<'_, PyAny>,
    wholly: bool,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let body = body.get().owned();
    let plane = |(row, [x, y, z, d]): (usize, [f64; 4])| {
        HalfSpace::new([x, y, z], d)
            .map_err(|error| errors::Error::new_err((format!("planes: row {row}: {error}"),)))
    };
    let planes = arrays::quadruples("planes", planes)?.into_iter().enumerate().map(plane);
    let planes = planes.collect::<PyResult<Vec<HalfSpace>>>()?;
    let which = if wholly { InRegion::Wholly } else { InRegion::Partly };
    let found = ask(py, Work::Short, move |query| query.triangles_in(&body.body(), &planes, which).to_vec());
    Ok(arrays::list(py, found?))
}
