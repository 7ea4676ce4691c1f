//! Sweeps: what is proved about bodies in motion.
use crate::{
    arrays,
    body::PyRounded,
    errors,
    model::PyModel,
    operand::{Operand, Other},
    path::PyPath,
    pool, poses,
    run::{Work, ask, ask_many},
    shape::PyShape,
};
use impinge::{
    AnyBody, Error, Model, Pose,
    distance::Margin,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions, Undecided},
};
use numpy::{PyArray1, PyArray2};
use pyo3::{exceptions::PyTypeError, prelude::*};
use std::sync::Arc;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: sweep, sweep_at, least_gap)
}

/// What is proved about two bodies in motion: the result of `sweep`.
///
/// Attributes
/// ----------
/// kind : str
///     ``"clear"``: there is no contact at any time. ``"contact"``: there is one, and none before
///     `free_until`. ``"near"``: from `free_until` to `until` neither is proved.
/// free_until : float
///     No time before this has a contact; 1 if clear.
/// meets_at : float or None
///     A time at which there is a contact, if one was found.
/// pose : numpy.ndarray of float64, shape (4, 4), or None
///     The pose of the second body at `meets_at`, for ``"contact"``.
/// pair : tuple of (int, int) or None
///     A triangle of each body that meet, or come near.
/// until : float or None
///     For ``"near"``: the end of what is undecided.
/// why : str or None
///     For ``"near"``: ``"grazing"``, if they come within the tolerance of each other, or ``"budget"``.
#[pyclass(frozen, name = "Sweep", module = "impinge.results")]
pub(crate) struct PySweep {
    sweep: Sweep,
}

#[pymethods]
impl PySweep {
    #[getter]
    fn kind(&self) -> &'static str {
        match self.sweep {
            Sweep::Clear => "clear",
            Sweep::Contact { .. } => "contact",
            Sweep::Near { .. } => "near",
        }
    }
    #[getter]
    fn free_until(&self) -> f64 {
        self.sweep.free_until()
    }
    #[getter]
    fn meets_at(&self) -> Option<f64> {
        self.sweep.meets_at()
    }
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        match &self.sweep {
            Sweep::Contact { pose, .. } => poses::matrix(py, pose).map(Some),
            Sweep::Clear | Sweep::Near { .. } => Ok(None),
        }
    }
    #[getter]
    fn pair(&self) -> Option<(u32, u32)> {
        self.sweep.pair().map(|[i, j]| (i, j))
    }
    #[getter]
    fn until(&self) -> Option<f64> {
        if let Sweep::Near { until, .. } = self.sweep { Some(until) } else { None }
    }
    #[getter]
    fn why(&self) -> Option<&'static str> {
        match self.sweep {
            Sweep::Near { why: Undecided::Grazing, .. } => Some("grazing"),
            Sweep::Near { why: Undecided::Budget, .. } => Some("budget"),
            Sweep::Clear | Sweep::Contact { .. } => None,
        }
    }
    fn __repr__(&self) -> String {
        match &self.sweep {
            Sweep::Clear => "Sweep('clear')".into(),
            Sweep::Contact { free_until, meets_at, .. } => {
                format!("Sweep('contact', free_until={free_until}, meets_at={meets_at})")
            }
            Sweep::Near { free_until, until, .. } => {
                format!("Sweep('near', free_until={free_until}, until={until})")
            }
        }
    }
}

/// The results of `sweep_at`, one of each array for each motion.
///
/// Attributes
/// ----------
/// clear : numpy.ndarray of bool, shape (P,)
///     Whether there is no contact at any time.
/// contact : numpy.ndarray of bool, shape (P,)
///     Whether there is a contact, and none before `free_until`. A motion that is neither clear nor has a
///     contact is undecided: see `Sweep`.
/// free_until : numpy.ndarray of float64, shape (P,)
///     No time before this has a contact; 1 if clear.
/// meets_at : numpy.ndarray of float64, shape (P,)
///     A time at which there is a contact; NaN where none was found.
/// pairs : numpy.ndarray of int64, shape (P, 2)
///     A triangle of each body that meet, or come near; -1 twice where all is clear.
#[pyclass(frozen, get_all, name = "Sweeps", module = "impinge.results")]
pub(crate) struct PySweeps {
    clear: Py<PyArray1<bool>>,
    contact: Py<PyArray1<bool>>,
    free_until: Py<PyArray1<f64>>,
    meets_at: Py<PyArray1<f64>>,
    pairs: Py<PyArray2<i64>>,
}

#[pymethods]
impl PySweeps {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.clear.bind(py).len()
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Sweeps({} motions)", self.__len__(py)?))
    }
}

/// What moves: a model and a radius.
#[derive(Clone)]
struct Mover {
    model: Arc<Model>,
    radius: f64,
}

impl Mover {
    fn of(operand: &Operand) -> Self {
        Self { model: Arc::clone(&operand.body.model), radius: operand.get().any_radius() }
    }
    fn along<'a>(&'a self, path: &'a Path) -> Moving<'a> {
        let moving = Moving::new(&self.model, path).rounded(self.radius);
        moving.unwrap_or_else(|error| unreachable!("the radius was checked: {error}"))
    }
}

/// A `Model`, a `Shape` or a `Rounded` as an argument.
impl<'py> FromPyObject<'_, 'py> for Mover {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(model) = object.cast::<PyModel>() {
            return Ok(Self { model: Arc::clone(&model.get().model), radius: 0.0 });
        }
        if let Ok(shape) = object.cast::<PyShape>() {
            let shape = shape.get().shape();
            return Ok(Self { model: Arc::clone(shape.model()), radius: shape.radius() });
        }
        if object.cast::<PyRounded>().is_ok() {
            return Ok(Self::of(&Operand::extract(object)?));
        }
        let class = errors::class_name(&object);
        Err(PyTypeError::new_err(format!("what moves must be a Model, a Shape or a Rounded, not a {class}")))
    }
}

/// Options of sweeps.
pub(crate) fn options(
    margin: f64,
    tolerance: Option<f64>,
    resolution: f64,
    verdict_only: bool,
    after: f64,
) -> Result<SweepOptions, Error> {
    let options = SweepOptions::new().margin(Margin::new(margin)?).resolution(resolution)?.after(after)?;
    let options = options.verdict_only(verdict_only);
    tolerance.map_or(Ok(options), |tolerance| options.tolerance(tolerance))
}

/// Find the first contact of two bodies in motion, proved for every moment, not for samples.
///
/// Each rounding is covered by a bound, so a thin plate is not missed, however fast the motion. Bodies are
/// surfaces, as in `intersects`.
///
/// Parameters
/// ----------
/// a : Body, Rounded or HalfSpace
///     What stands still.
/// b : Model, Shape or Rounded
///     What moves along the path. The pose of a `Rounded` is not used.
/// path : Path
///     The motion of `b`.
/// path_a : Path, optional
///     The motion of `a`, whose own pose is then not used. A half-space does not move.
/// margin : float, optional
///     The distance up to which bodies count as in contact.
/// tolerance : float, optional
///     A length in which no difference is made: None is 2**-30 of the smaller body.
/// resolution : float, optional
///     The largest difference of `free_until` and `meets_at`, except where the tolerance allows more.
/// verdict_only : bool, optional
///     Whether any contact is enough, not the first one: for planners.
/// after : float, optional
///     The time at which the sweep begins. Times before are not examined: for bodies that start in contact, and
///     have left it by then.
///
/// Returns
/// -------
/// results.Sweep
///
/// Raises
/// ------
/// Error
///     A margin that is negative, a tolerance or a resolution that is not positive, a time that is not from 0
///     to 1.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> plate = impinge.Body(impinge.Model(impinge.Mesh.box([10, 10, 0.001])))
/// >>> ball = impinge.Shape.sphere(0.1)
/// >>> start = numpy.eye(4)
/// >>> start[2, 3] = -500  # samples at 1000 times pass through the plate
/// >>> sweep = impinge.sweep(plate, ball, impinge.Path.translation(start, [0, 0, 1000]))
/// >>> sweep.kind, round(sweep.free_until, 7), sweep.meets_at - sweep.free_until < 1e-9
/// ('contact', 0.4998995, True)
#[pyfunction]
#[pyo3(signature = (a, b, path, *, path_a=None, margin=0.0, tolerance=None, resolution=1e-9, verdict_only=false, after=0.0))]
#[allow(clippy::too_many_arguments)]
fn sweep(
    py: Python<'_>,
    a: Other,
    b: Mover,
    path: &Bound<'_, PyPath>,
    path_a: Option<&Bound<'_, PyPath>>,
    margin: f64,
    tolerance: Option<f64>,
    resolution: f64,
    verdict_only: bool,
    after: f64,
) -> PyResult<PySweep> {
    let options =
        options(margin, tolerance, resolution, verdict_only, after).map_err(|error| errors::error(&error))?;
    let path = Arc::clone(&path.get().path);
    let path_a = path_a.map(|path| Arc::clone(&path.get().path));
    if matches!((&a, &path_a), (Other::HalfSpace(_), Some(_))) {
        return Err(PyTypeError::new_err("path_a: a HalfSpace does not move"));
    }
    let sweep = ask(py, Work::Short, move |query| {
        let moving = b.along(&path);
        match (&a, &path_a) {
            (Other::HalfSpace(half_space), _) => query.sweep_half_space(half_space, moving, &options),
            (Other::Body(a), None) => query.sweep(a.get(), moving, &options),
            (Other::Body(a), Some(path_a)) => query.sweep(Mover::of(a).along(path_a), moving, &options),
        }
    })?;
    Ok(PySweep { sweep })
}

/// `sweep` for each of many motions between two poses, such as the edges of a planner.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The body that stands still.
/// b : Model, Shape or Rounded
///     What moves. The pose of a `Rounded` is not used.
/// starts, ends : array_like, shape (P, 4, 4) or (P, 3, 4)
///     Rigid poses of `b` at the beginning and at the end of each motion: see `Path.between`.
/// margin, tolerance, resolution, verdict_only, after : optional
///     As in `sweep`.
/// threads : int or None, optional
///     Number of threads that share the motions; None is `set_threads`' number.
///
/// Returns
/// -------
/// results.Sweeps
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> plate = impinge.Body(impinge.Model(impinge.Mesh.box([10, 10, 0.001])))
/// >>> poses = numpy.tile(numpy.eye(4), (1001, 1, 1))
/// >>> poses[:, 2, 3] = numpy.linspace(-0.5, 1000.25, 1001)  # a trajectory of 1,000 edges
/// >>> ball = impinge.Shape.sphere(0.1)
/// >>> sweeps = impinge.sweep_at(plate, ball, poses[:-1], poses[1:])
/// >>> int(numpy.sum(~sweeps.clear)), int(numpy.argmin(sweeps.clear))
/// (1, 0)
#[pyfunction]
#[pyo3(signature = (a, b, starts, ends, *, margin=0.0, tolerance=None, resolution=1e-9, verdict_only=false, after=0.0, threads=None))]
#[allow(clippy::too_many_arguments)]
fn sweep_at<'py>(
    py: Python<'py>,
    a: Operand,
    b: Mover,
    starts: &Bound<'_, PyAny>,
    ends: &Bound<'_, PyAny>,
    margin: f64,
    tolerance: Option<f64>,
    resolution: f64,
    verdict_only: bool,
    after: f64,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<PySweeps> {
    let options =
        options(margin, tolerance, resolution, verdict_only, after).map_err(|error| errors::error(&error))?;
    let starts = poses::poses(starts, true, threads)?;
    let ends = poses::poses(ends, true, threads)?;
    if starts.len() != ends.len() {
        return Err(errors::value(format!("{} starts, but {} ends", starts.len(), ends.len())));
    }
    let paths = paths(&starts, &ends)?;
    let sweeps = ask_many(py, paths.len(), threads, move |query| {
        let rows = paths.iter().map(|path| [a.get().into(), b.along(path)]).collect::<Vec<_>>();
        query.sweep_each(&rows, &options).to_vec()
    })?;
    let pairs = |sweep: &Sweep| sweep.pair().map_or([-1; 2], |pair| pair.map(i64::from));
    Ok(PySweeps {
        clear: arrays::list(py, sweeps.iter().map(|sweep| *sweep == Sweep::Clear).collect()).unbind(),
        contact: arrays::list(
            py,
            sweeps.iter().map(|sweep| matches!(sweep, Sweep::Contact { .. })).collect(),
        )
        .unbind(),
        free_until: arrays::list(py, sweeps.iter().map(Sweep::free_until).collect()).unbind(),
        meets_at: arrays::list(py, sweeps.iter().map(|sweep| sweep.meets_at().unwrap_or(f64::NAN)).collect())
            .unbind(),
        pairs: arrays::table(py, sweeps.iter().map(pairs).collect())?.unbind(),
    })
}

/// Find the least distance of two bodies in motion, over all times: the clearance of a whole travel.
///
/// Parameters
/// ----------
/// a : Body or Rounded
///     The body that stands still.
/// b : Model, Shape or Rounded
///     What moves along the path. The pose of a `Rounded` is not used.
/// path : Path
///     The motion of `b`.
/// path_a : Path, optional
///     The motion of `a`, whose own pose is then not used.
/// tolerance : float, optional
///     The widest interval that is narrow enough; None is a millionth of the distance.
/// after : float, optional
///     The time at which the motion begins, as in `sweep`.
///
/// Returns
/// -------
/// tuple of (float, float, float) or None
///     A lower and an upper bound of the least distance, and a time at which the bodies are as near as the
///     upper bound, which is 0 if they come into contact. None if a body has no triangles.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> ball = impinge.Shape.sphere(1)
/// >>> start = numpy.eye(4)
/// >>> start[:2, 3] = -5, 2.5
/// >>> lo, hi, at = impinge.least_gap(ball.at(), ball, impinge.Path.translation(start, [10, 0, 0]))
/// >>> lo <= 0.5 <= hi, round(hi, 5), round(at, 2)
/// (True, 0.5, 0.5)
#[pyfunction]
#[pyo3(signature = (a, b, path, *, path_a=None, tolerance=None, after=0.0))]
fn least_gap(
    py: Python<'_>,
    a: Operand,
    b: Mover,
    path: &Bound<'_, PyPath>,
    path_a: Option<&Bound<'_, PyPath>>,
    tolerance: Option<f64>,
    after: f64,
) -> PyResult<Option<(f64, f64, f64)>> {
    let options = options(0.0, tolerance, 1e-9, false, after).map_err(|error| errors::error(&error))?;
    let path = Arc::clone(&path.get().path);
    let path_a = path_a.map(|path| Arc::clone(&path.get().path));
    let gap = ask(py, Work::Short, move |query| match &path_a {
        None => query.least_gap(a.get(), b.along(&path), &options),
        Some(path_a) => query.least_gap(Mover::of(&a).along(path_a), b.along(&path), &options),
    })?;
    Ok(gap.map(|gap| (gap.lo, gap.hi, gap.at)))
}

fn paths(starts: &[Pose], ends: &[Pose]) -> PyResult<Vec<Path>> {
    let each = starts.iter().zip(ends).enumerate().map(|(i, (start, end))| {
        Path::between(start, end, [0.0; 3]).map_err(|error| errors::pose(&error, &format!("motion {i}")))
    });
    each.collect()
}
