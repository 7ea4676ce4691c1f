//! Distances of two bodies.
use super::batch::Batch;
use crate::{
    arrays, errors,
    model::PyModel,
    operand::{Operand, Other},
    pool, results,
    run::{Work, ask, ask_divided},
};
use impinge::{
    Query,
    distance::{Accuracy, Margin},
};
use numpy::PyArray2;
use pyo3::prelude::*;

pub(super) fn margin(distance: f64) -> PyResult<Margin> {
    Margin::new(distance).map_err(|error| errors::error(&error))
}

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: distance, distance_at, within, first_within, pairs_within)
}

/// The accuracy of a distance.
pub(crate) fn stop(above: Option<f64>, exact: bool) -> PyResult<Accuracy> {
    let stop = if exact { Accuracy::new().exact() } else { Accuracy::new() };
    Ok(match above {
        None | Some(f64::INFINITY) => stop,
        Some(above) if above < 0.0 || above.is_nan() => {
            let text = format!("above must be a distance of 0 or more, or None for no limit, not {above}");
            return Err(errors::Error::new_err((text,)));
        }
        Some(above) => stop.above(margin(above)?),
    })
}

/// The accuracy of a distance, no finer than a part of it, or of solids.
pub(super) fn stop_at(above: Option<f64>, exact: bool, rel: f64, solids: bool) -> PyResult<Accuracy> {
    if !(0.0..f64::INFINITY).contains(&rel) {
        return Err(errors::Error::new_err((format!("rel must be finite and not negative, not {rel}"),)));
    }
    let stop = stop(above, exact)?.rel(rel).map_err(|error| errors::error(&error))?;
    Ok(if solids { stop.solids() } else { stop })
}

/// Distance of the surfaces of two bodies, and the points where they are nearest.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
/// above : float or None, optional
///     Only if it is not more than this, decided exactly: the search skips all that is further away.
/// exact : bool, optional
///     Whether the interval is to be two neighbours in float64, or one number; by default it is some 2^-40 of
///     the distance wide at most.
/// rel : float, optional
///     Relative width of the interval: larger is faster, and its ends are multiples of a power of two. 0 is
///     as narrow as floating point allows.
/// solids : bool, optional
///     Whether bodies are solids, which are 0 apart if one is inside the other.
///
/// Returns
/// -------
/// DistanceBounds or None
///     An interval `lo` to `hi` that holds the distance, 0 exactly if they meet; the nearest points, and the
///     triangles that they are of. None if the distance is more than `above`, or a body has no triangles.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> a = impinge.Body(model)
/// >>> b = impinge.Body(model, [[1, 0, 0, 7], [0, 1, 0, 0], [0, 0, 1, 4]])
/// >>> gap = impinge.distance(a, b, exact=True)  # 3-4-5: exactly 5 from the corner (4, 0, 0)
/// >>> gap.lo, gap.hi, gap.points.tolist()
/// (5.0, 5.0, [[4.0, 0.0, 0.0], [7.0, 0.0, 4.0]])
/// >>> impinge.distance(a, b, above=4.5) is None
/// True
/// >>> gap = impinge.distance(a, b, rel=0.1)
/// >>> gap.lo, gap.hi
/// (5.0, 5.25)
#[pyfunction]
#[pyo3(signature = (a, b, *, above=None, exact=false, rel=0.0, solids=false))]
fn distance<'py>(
    py: Python<'py>,
    a: Operand,
    b: Other,
    above: Option<f64>,
    exact: bool,
    rel: f64,
    solids: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let stop = stop_at(above, exact, rel, solids)?;
    // The examination of solids cannot be stopped.
    let work = match &b {
        Other::Body(b) if solids => Work::of_bodies([&a.body, &b.body]),
        _ => Work::Short,
    };
    let gap = ask(py, work, move |query| b.with(|b| query.with_accuracy(stop).distance(&a.get(), b)))?;
    gap.map(|gap| results::gap(py, &gap)).transpose()
}

/// `distance` of `a` and `model_b` at each of many poses.
///
/// Parameters
/// ----------
/// a : Body, Rounded or HalfSpace
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// above, exact, rel, solids : optional
///     See `distance`.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// Gaps
///     An entry for each pose; NaN and -1 where `distance` returns None.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> poses = numpy.tile(numpy.eye(4), (2, 1, 1))
/// >>> poses[:, 0, 3] = [2, 5]
/// >>> impinge.distance_at(impinge.Body(model), model, poses, exact=True).hi
/// array([0., 3.])
#[pyfunction]
#[pyo3(signature = (
    a, model_b, poses, *, above=None, exact=false, rel=0.0, solids=false, affine=false, threads=None
))]
#[expect(clippy::too_many_arguments)]
fn distance_at<'py>(
    py: Python<'py>,
    a: Other,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    above: Option<f64>,
    exact: bool,
    rel: f64,
    solids: bool,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (batch, stop) =
        (Batch::<Other>::new(a, model_b, poses, affine, threads)?, stop_at(above, exact, rel, solids)?);
    let gaps = batch.ask(py, threads, solids, move |query, batch| {
        batch.a.with(|a| query.with_accuracy(stop).distance_at(a, &batch.b, &batch.poses).to_vec())
    })?;
    let (lo, hi) = gaps.iter().map(|gap| gap.map_or((f64::NAN, f64::NAN), |gap| (gap.lo, gap.hi))).unzip();
    let triangles = gaps.iter().map(|gap| gap.map_or([-1; 2], |gap| gap.triangles.map(i64::from))).collect();
    let points = gaps.iter().map(|gap| gap.map_or([[f64::NAN; 3]; 2], |gap| gap.points)).collect();
    let fields = (
        arrays::list(py, lo),
        arrays::list(py, hi),
        arrays::table(py, triangles)?,
        arrays::cube(py, points)?,
    );
    results::make_batch(py, "Gaps", fields)
}

/// Test whether the surfaces of two bodies are no further apart than a margin. Exact.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
/// margin : float
///     A distance: finite and not negative.
///
/// Returns
/// -------
/// bool
///
/// Examples
/// --------
/// >>> import impinge, math
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> a = impinge.Body(model)
/// >>> b = impinge.Body(model, [[1, 0, 0, 7], [0, 1, 0, 0], [0, 0, 1, 4]])
/// >>> impinge.within(a, b, 5.0), impinge.within(a, b, math.nextafter(5.0, 0.0))
/// (True, False)
#[pyfunction]
fn within(py: Python<'_>, a: Operand, b: Other, margin: f64) -> PyResult<bool> {
    Ok(first_within(py, a, b, margin)?.is_some())
}

/// A pair of triangles no further apart than a margin, or None.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
/// margin : float
///     A distance: finite and not negative.
///
/// Returns
/// -------
/// tuple of (int, int) or None
///     A triangle of `a` and one of `b`: of several pairs, any.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> body = impinge.Body(impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])))
/// >>> impinge.first_within(body, body, 1.0)
/// (0, 0)
#[pyfunction]
fn first_within(py: Python<'_>, a: Operand, b: Other, margin: f64) -> PyResult<Option<(u32, u32)>> {
    let margin = self::margin(margin)?;
    let found = ask(py, Work::Short, move |query| b.with(|b| query.first_within(&a.get(), b, margin)))?;
    Ok(found.map(|[i, j]| (i, j)))
}

/// Every pair of triangles that are no further apart than a margin, sorted.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The first body.
/// b : Body, Rounded or HalfSpace
///     The other body.
/// margin : float
///     A distance: finite and not negative.
///
/// Returns
/// -------
/// numpy.ndarray of uint32, shape (K, 2)
///     A triangle of `a` and one of `b` in each row.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> b = impinge.Body(model, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.5]])
/// >>> impinge.pairs_within(impinge.Body(model), b, 0.5).tolist()
/// [[0, 0]]
#[pyfunction]
fn pairs_within<'py>(
    py: Python<'py>,
    a: Operand,
    b: Other,
    margin: f64,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let margin = self::margin(margin)?;
    let question = move |query: &mut Query| b.with(|b| query.pairs_within(&a.get(), b, margin).to_vec());
    arrays::table(py, ask_divided(py, Some(1), question)?)
}
