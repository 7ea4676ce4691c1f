//! Rays.
use crate::{
    arrays,
    body::Subject,
    errors, pool, results,
    run::{Work, ask, ask_each, ask_many},
};
use impinge::{
    model::OwnedBody,
    rays::{Ray, RayHit},
};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: ray_first, ray_meets, ray_all, ray_first_each, ray_meets_each, ray_all_each)
}

fn refused(error: &impinge::Error, row: Option<usize>) -> PyErr {
    let place = row.map_or(String::new(), |row| format!("ray {row}: "));
    errors::Error::new_err((format!("{place}{error}"),))
}

fn ray(origin: [f64; 3], direction: [f64; 3], t_max: f64) -> Result<Ray, impinge::Error> {
    Ray::new(origin, direction)?.until(t_max)
}

fn one_ray(origin: &Bound<'_, PyAny>, direction: &Bound<'_, PyAny>, t_max: Option<f64>) -> PyResult<Ray> {
    let t_max = t_max.unwrap_or(f64::INFINITY);
    let (origin, direction) = (arrays::vector("origin", origin)?, arrays::vector("direction", direction)?);
    ray(origin, direction, t_max).map_err(|error| refused(&error, None))
}

/// The rays of a batch.
fn many_rays(
    py: Python<'_>,
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    t_max: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Ray>> {
    let (origins, directions) =
        (arrays::points("origins", origins)?, arrays::points("directions", directions)?);
    let count = origins.len();
    let ends = match t_max {
        None => vec![f64::INFINITY; count],
        Some(end) => match end.extract::<f64>() {
            Ok(end) => vec![end; count],
            Err(_) => arrays::numbers("t_max", end)?,
        },
    };
    if directions.len() != count || ends.len() != count {
        let counts = format!("{count} origins, {} directions, {} of t_max", directions.len(), ends.len());
        return Err(errors::value(format!("there must be as many of each: {counts}")));
    }
    let rays = py.detach(|| {
        let made = (0..count).map(|i| ray(origins[i], directions[i], ends[i]).map_err(|error| (error, i)));
        made.collect::<Result<Vec<Ray>, _>>()
    });
    rays.map_err(|(error, row)| refused(&error, Some(row)))
}

/// The triangle that a ray meets first, and where. Exact: no ray slips through an edge.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origin, direction : array_like, shape (3,)
///     The ray: the points origin + t direction for t from 0 to `t_max`.
/// t_max : float or None, optional
///     The end of the ray, in lengths of `direction`; None is no end.
///
/// Returns
/// -------
/// RayHit or None
///     The triangle, the point, the normal, intervals that hold the t at which the ray enters and leaves it,
///     and how it crosses the surface there: -1 in, 1 out, 0 neither.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> hit = impinge.ray_first(impinge.Body(model), [1, 1, 2], [0, 0, -1])
/// >>> hit.triangle, hit.crossing, hit.enter[0] <= 2.0 <= hit.enter[1]
/// (0, -1, True)
#[pyfunction]
#[pyo3(signature = (body, origin, direction, t_max=None))]
fn ray_first<'py>(
    py: Python<'py>,
    body: Subject<'_, '_>,
    origin: &Bound<'_, PyAny>,
    direction: &Bound<'_, PyAny>,
    t_max: Option<f64>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (body, ray) = (body.get().owned(), one_ray(origin, direction, t_max)?);
    let asked = body.clone();
    let hit = ask(py, Work::Short, move |query| query.ray_first(&asked.body(), &ray))?;
    hit.map(|hit| results::ray_hit(py, &hit, &body.body(), &ray)).transpose()
}

/// Test whether a ray meets a body, for lines of sight. Exact: no ray slips through an edge.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origin, direction : array_like, shape (3,)
///     The ray: the points origin + t direction for t from 0 to `t_max`.
/// t_max : float or None, optional
///     The end of the ray, in lengths of `direction`; None is no end.
///
/// Returns
/// -------
/// bool
///
/// Examples
/// --------
/// >>> import impinge
/// >>> body = impinge.Body(impinge.Model(impinge.Mesh.box([2, 2, 2])))
/// >>> impinge.ray_meets(body, [0.5, 0.25, 9], [0, 0, -1]), impinge.ray_meets(body, [5, 5, 9], [0, 0, -1])
/// (True, False)
#[pyfunction]
#[pyo3(signature = (body, origin, direction, t_max=None))]
fn ray_meets(
    py: Python<'_>,
    body: Subject<'_, '_>,
    origin: &Bound<'_, PyAny>,
    direction: &Bound<'_, PyAny>,
    t_max: Option<f64>,
) -> PyResult<bool> {
    let (body, ray) = (body.get().owned(), one_ray(origin, direction, t_max)?);
    ask(py, Work::Short, move |query| query.ray_meets(&body.body(), &ray))
}

/// All triangles that a ray meets, in the order in which it enters them.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origin, direction : array_like, shape (3,)
///     The ray: the points origin + t direction for t from 0 to `t_max`.
/// t_max : float or None, optional
///     The end of the ray, in lengths of `direction`; None is no end.
///
/// Returns
/// -------
/// list of RayHit
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> [hit.crossing for hit in impinge.ray_all(impinge.Body(model), [1, 1, -2], [0, 0, 1])]
/// [-1, 1]
#[pyfunction]
#[pyo3(signature = (body, origin, direction, t_max=None))]
fn ray_all<'py>(
    py: Python<'py>,
    body: Subject<'_, '_>,
    origin: &Bound<'_, PyAny>,
    direction: &Bound<'_, PyAny>,
    t_max: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (body, ray) = (body.get().owned(), one_ray(origin, direction, t_max)?);
    let asked = body.clone();
    let hits = ask(py, Work::Short, move |query| query.ray_all(&asked.body(), &ray).to_vec())?;
    hits.iter().map(|hit| results::ray_hit(py, hit, &body.body(), &ray)).collect()
}

/// `ray_first` of each of many rays.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origins, directions : array_like, shape (R, 3)
///     The rays.
/// t_max : float or array_like of shape (R,), optional
///     The ends of the rays, in lengths of their directions; None is no end.
/// threads : int or None, optional
///     Number of threads that share the rays; None is `set_threads`' number.
///
/// Returns
/// -------
/// RayHits
///     An entry for each ray; -1 and NaN where it meets nothing.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]]))
/// >>> hits = impinge.ray_first_each(impinge.Body(model), [[1, 1, 2], [9, 9, 2]], [[0, 0, -1]] * 2)
/// >>> hits.triangles
/// array([ 0, -1])
#[pyfunction]
#[pyo3(signature = (body, origins, directions, t_max=None, *, threads=None))]
fn ray_first_each<'py>(
    py: Python<'py>,
    body: Subject<'_, '_>,
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    t_max: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (body, rays) = (body.get().owned(), Arc::new(many_rays(py, origins, directions, t_max)?));
    let count = rays.len();
    let asked = (body.clone(), Arc::clone(&rays));
    let hits =
        ask_many(py, count, threads, move |query| query.ray_first_each(&asked.0.body(), &asked.1).to_vec())?;
    ray_hits(py, &hits, &body, |i| &rays[i])
}

/// Hits as arrays: `impinge.results.RayHits`. Of each it needs the ray.
fn ray_hits<'py, 'r>(
    py: Python<'py>,
    hits: &[Option<RayHit>],
    body: &OwnedBody,
    ray: impl Fn(usize) -> &'r Ray,
) -> PyResult<Bound<'py, PyAny>> {
    let body = body.body();
    let none = [f64::NAN; 3];
    let point = |(k, hit): (usize, &Option<RayHit>)| hit.map_or(none, |hit| results::hit_point(&hit, ray(k)));
    let points: Vec<[f64; 3]> = hits.iter().enumerate().map(point).collect();
    let normal = |hit: &Option<RayHit>| hit.map_or(none, |hit| results::normal(&body, hit.triangle));
    let normals: Vec<[f64; 3]> = hits.iter().map(normal).collect();
    let interval = |part: fn(&RayHit) -> [f64; 2]| {
        arrays::table(py, hits.iter().map(|hit| hit.as_ref().map_or([f64::NAN; 2], part)).collect())
    };
    let triangles = hits.iter().map(|hit| hit.map_or(-1, |hit| i64::from(hit.triangle))).collect();
    let crossings = hits.iter().map(|hit| hit.map_or(0, |hit| hit.crossing)).collect();
    let fields = (
        arrays::list::<i64>(py, triangles),
        interval(|hit| hit.enter)?,
        interval(|hit| hit.leave)?,
        arrays::list::<i8>(py, crossings),
        arrays::table(py, points)?,
        arrays::table(py, normals)?,
    );
    results::make_batch(py, "RayHits", fields)
}

/// `ray_meets` of each of many rays.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origins, directions : array_like, shape (R, 3)
///     The rays.
/// t_max : float or array_like of shape (R,), optional
///     The ends of the rays, in lengths of their directions; None is no end.
/// threads : int or None, optional
///     Number of threads that share the rays; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of bool, shape (R,)
///
/// Examples
/// --------
/// >>> import impinge
/// >>> body = impinge.Body(impinge.Model(impinge.Mesh.box([2, 2, 2])))
/// >>> impinge.ray_meets_each(body, [[0.5, 0.25, 9], [5, 5, 9]], [[0, 0, -1]] * 2)
/// array([ True, False])
#[pyfunction]
#[pyo3(signature = (body, origins, directions, t_max=None, *, threads=None))]
fn ray_meets_each<'py>(
    py: Python<'py>,
    body: Subject<'_, '_>,
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    t_max: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (body, rays) = (body.get().owned(), many_rays(py, origins, directions, t_max)?);
    let meets =
        ask_each(py, rays.len(), threads, false, move |query, i| query.ray_meets(&body.body(), &rays[i]))?;
    Ok(arrays::list(py, meets))
}

/// `ray_all` of each of many rays, and how many hits each has.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origins, directions : array_like, shape (R, 3)
///     The rays.
/// t_max : float or array_like of shape (R,), optional
///     The ends of the rays, in lengths of their directions; None is no end.
/// threads : int or None, optional
///     Number of threads that share the rays; None is `set_threads`' number.
///
/// Returns
/// -------
/// RayHitLists
///     A list for each ray, one behind the other; `counts` are their lengths.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> body = impinge.Body(impinge.Model(impinge.Mesh.box([2, 2, 2])))
/// >>> lists = impinge.ray_all_each(body, [[0.5, 0.25, 9], [5, 5, 9]], [[0, 0, -1]] * 2)
/// >>> lists.counts, lists.hits.crossing
/// (array([2, 0]), array([-1,  1], dtype=int8))
#[pyfunction]
#[pyo3(signature = (body, origins, directions, t_max=None, *, threads=None))]
fn ray_all_each<'py>(
    py: Python<'py>,
    body: Subject<'_, '_>,
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    t_max: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (body, rays) = (body.get().owned(), Arc::new(many_rays(py, origins, directions, t_max)?));
    let asked = (body.clone(), Arc::clone(&rays));
    let lists = ask_each(py, rays.len(), threads, false, move |query, i| {
        query.ray_all(&asked.0.body(), &asked.1[i]).to_vec()
    })?;
    let mut starts = vec![0_i64];
    for list in &lists {
        starts.push(starts[starts.len() - 1] + list.len() as i64);
    }
    let of_hit: Vec<usize> =
        lists.iter().enumerate().flat_map(|(i, list)| list.iter().map(move |_| i)).collect();
    let hits: Vec<Option<RayHit>> = lists.into_iter().flatten().map(Some).collect();
    let hits = ray_hits(py, &hits, &body, |k| &rays[of_hit[k]])?;
    results::make_batch(py, "RayHitLists", (hits, arrays::list(py, starts)))
}
