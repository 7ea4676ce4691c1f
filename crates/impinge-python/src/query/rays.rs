//! Rays.
use crate::{
    arrays,
    body::Subject,
    errors, pool, results,
    run::{Work, ask, ask_many},
};
use impinge::rays::{Ray, RayHit};
use pyo3::prelude::*;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: ray_first, ray_all, ray_first_each)
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

/// The triangle that a ray meets first, and where. Exact: no ray slips through an edge.
///
/// Parameters
/// ----------
/// body : Body
///     The body.
/// origin, direction : array_like, shape (3,)
///     The ray: the points origin + t direction for t from 0 to `t_max`.
/// t_max : float or None, optional
///     How far it goes, in lengths of `direction`; None is no end.
///
/// Returns
/// -------
/// RayHit or None
///     The triangle, intervals that hold the t at which the ray enters and leaves it, and how it crosses the
///     surface there: -1 in, 1 out, 0 neither.
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
    let hit = ask(py, Work::Short, move |query| query.ray_first(&body.body(), &ray))?;
    hit.map(|hit| results::ray_hit(py, &hit)).transpose()
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
///     How far it goes, in lengths of `direction`; None is no end.
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
    let hits = ask(py, Work::Short, move |query| query.ray_all(&body.body(), &ray).to_vec())?;
    hits.iter().map(|hit| results::ray_hit(py, hit)).collect()
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
///     How far they go.
/// threads : int or None, optional
///     How many threads share the rays; None is `set_threads`' number.
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
    let body = body.get().owned();
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
    let rays = rays.map_err(|(error, row)| refused(&error, Some(row)))?;
    let hits =
        ask_many(py, (count, threads), move |query| query.ray_first_each(&body.body(), &rays).to_vec())?;
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
    );
    results::make(py, "RayHits", fields)
}
