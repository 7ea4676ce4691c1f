//! Paths: `impinge.Path`.
use crate::{arrays, errors, poses};
use impinge::{Error, path::Path};
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::Arc;

/// A pose for each time from 0 to 1: what `sweep` takes.
///
/// `Path.screw`, `Path.between`, `Path.piecewise` and `Path.translation` make it. A path is a function over
/// the real numbers, whose exact parameters are the numbers given.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> path = impinge.Path.screw(numpy.eye(4), point=[1, 0, 0], axis=[0, 0, 1], angle=numpy.pi, advance=2)
/// >>> path.at(0.5)[:3, 3].round(9)
/// array([ 1., -1.,  1.])
#[pyclass(frozen, name = "Path", module = "impinge")]
pub(crate) struct PyPath {
    pub(crate) path: Arc<Path>,
}

impl PyPath {
    fn of(path: Result<Path, Error>) -> PyResult<Self> {
        Ok(Self { path: Arc::new(path.map_err(|error| errors::error(&error))?) })
    }
}

#[pymethods]
impl PyPath {
    /// A turn about an axis at a constant rate, and a motion along it: of a hinge, a slider or a screw.
    ///
    /// Parameters
    /// ----------
    /// start : array_like, shape (4, 4) or (3, 4)
    ///     The pose at time 0.
    /// point : array_like, shape (3,)
    ///     A point of the axis.
    /// axis : array_like, shape (3,)
    ///     The axis' direction, of any length but 0.
    /// angle : float
    ///     The whole turn in radians, counterclockwise as seen against the axis.
    /// advance : float, optional
    ///     The whole motion along the axis.
    ///
    /// Returns
    /// -------
    /// Path
    #[staticmethod]
    #[pyo3(signature = (start, point, axis, angle, advance=0.0))]
    fn screw(
        start: &Bound<'_, PyAny>,
        point: &Bound<'_, PyAny>,
        axis: &Bound<'_, PyAny>,
        angle: f64,
        advance: f64,
    ) -> PyResult<Self> {
        let start = poses::pose(Some(start), true)?;
        let (point, axis) = (arrays::vector("point", point)?, arrays::vector("axis", axis)?);
        Self::of(Path::screw(start, point, axis, angle, advance))
    }
    /// A straight motion without rotation.
    ///
    /// Parameters
    /// ----------
    /// start : array_like, shape (4, 4) or (3, 4)
    ///     The pose at time 0.
    /// by : array_like, shape (3,)
    ///     The whole motion.
    ///
    /// Returns
    /// -------
    /// Path
    #[staticmethod]
    fn translation(start: &Bound<'_, PyAny>, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(Path::translation(poses::pose(Some(start), true)?, arrays::vector("by", by)?))
    }
    /// The motion between two rigid poses that planners use: a point of the body moves straight, and the body
    /// turns about an axis of constant direction, by at most pi.
    ///
    /// Parameters
    /// ----------
    /// pose0, pose1 : array_like, shape (4, 4) or (3, 4)
    ///     The poses at times 0 and 1. The path ends at the second one but for rounding: see `end_error`.
    /// reference : array_like, shape (3,), optional
    ///     The point, in the body's own coordinates; None is its origin.
    ///
    /// Returns
    /// -------
    /// Path
    #[staticmethod]
    #[pyo3(signature = (pose0, pose1, reference=None))]
    fn between(
        pose0: &Bound<'_, PyAny>,
        pose1: &Bound<'_, PyAny>,
        reference: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let reference = reference.map_or(Ok([0.0; 3]), |point| arrays::vector("reference", point))?;
        Self::of(Path::between(&poses::pose(Some(pose0), true)?, &poses::pose(Some(pose1), true)?, reference))
    }
    /// The motion through many rigid poses, in equal times, each as in `between`.
    ///
    /// Parameters
    /// ----------
    /// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
    ///     The poses, at least two.
    ///
    /// Returns
    /// -------
    /// Path
    #[staticmethod]
    fn piecewise(poses: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(Path::piecewise(&poses::poses(poses, true, Some(1))?))
    }
    /// The motion of a body at a pose of its own that `piecewise` through many motions moves. Bodies that the
    /// same motions move stay where they are to each other.
    ///
    /// Parameters
    /// ----------
    /// motions : array_like, shape (P, 4, 4) or (P, 3, 4)
    ///     Rigid motions, at least two.
    /// pose : array_like, shape (4, 4) or (3, 4)
    ///     The body's own pose.
    ///
    /// Returns
    /// -------
    /// Path
    #[staticmethod]
    fn carried(motions: &Bound<'_, PyAny>, pose: &Bound<'_, PyAny>) -> PyResult<Self> {
        let motions = poses::poses(motions, true, Some(1))?;
        Self::of(Path::carried(&motions, &poses::pose(Some(pose), true)?))
    }
    /// The pose at a time from 0 to 1.
    ///
    /// Parameters
    /// ----------
    /// t : float
    ///     The time; others are clamped.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of float64, shape (4, 4)
    fn at<'py>(&self, py: Python<'py>, t: f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        poses::matrix(py, &self.path.at(t))
    }
    /// Bound of the distance from where the path ends, or a part of it, to the pose that it was to end at.
    ///
    /// Parameters
    /// ----------
    /// reach : float
    ///     The largest coordinate of the body's points.
    ///
    /// Returns
    /// -------
    /// float
    fn end_error(&self, reach: f64) -> f64 {
        self.path.end_error(reach)
    }
    /// The number of parts that take equal times: for `piecewise` one less than poses, else 1.
    #[getter]
    fn legs(&self) -> usize {
        self.path.legs()
    }
    fn __repr__(&self) -> String {
        let [from, to] = [0.0, 1.0].map(|t| *self.path.at(t).translation());
        let legs = if self.path.legs() == 1 { String::new() } else { format!(", {} legs", self.path.legs()) };
        format!("Path({from:?} to {to:?}{legs})")
    }
}
