//! Shapes: `impinge.Shape`.
use crate::{
    body::{PyBody, PyRounded},
    errors,
    mesh::PyMesh,
    model::PyModel,
    poses,
};
use impinge::{Error, Model, model::Shape};
use pyo3::{exceptions::PyTypeError, prelude::*};
use std::sync::Arc;

/// A sphere, a capsule, a box with round edges or a mesh with a skin: all points no farther than a radius
/// from the triangles of a model.
///
/// `Shape.sphere`, `Shape.capsule`, `Shape.rounded_box` and `Shape.padded` make it, `at` places it, and
/// `Scene.add` takes it in place of a model. These are the sets themselves, not triangulations of them.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> arm = impinge.Shape.capsule(radius=0.05, height=0.4)
/// >>> table = impinge.Body(impinge.Model(impinge.Mesh.box([2, 1, 0.1])))
/// >>> lying = arm.at([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.5]])
/// >>> impinge.intersects(lying, table)
/// False
/// >>> round(impinge.distance(lying, table).lo, 9)
/// 0.2
#[pyclass(frozen, name = "Shape", module = "impinge")]
pub(crate) struct PyShape {
    model: Py<PyModel>,
    shape: Shape,
}

/// A function, and its arguments.
type Pickled<'py> = (Bound<'py, PyAny>, (Py<PyModel>, f64));

impl PyShape {
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }
    fn of(py: Python<'_>, shape: Result<Shape, Error>) -> PyResult<Self> {
        let shape = shape.map_err(|error| errors::error(&error))?;
        let model = Py::new(py, PyModel::wrap(py, Arc::clone(shape.model()))?)?;
        Ok(Self { model, shape })
    }
}

#[pymethods]
impl PyShape {
    /// A sphere around the origin.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     A length, from 0 to 2**900.
    ///
    /// Returns
    /// -------
    /// Shape
    #[staticmethod]
    fn sphere(py: Python<'_>, radius: f64) -> PyResult<Self> {
        Self::of(py, Shape::sphere(radius))
    }
    /// A capsule along the z axis.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     A length, from 0 to 2**900.
    /// height : float
    ///     The length of its segment, half of it on either side of the origin. From end to end it is longer
    ///     by twice the radius.
    ///
    /// Returns
    /// -------
    /// Shape
    #[staticmethod]
    fn capsule(py: Python<'_>, radius: f64, height: f64) -> PyResult<Self> {
        Self::of(py, Shape::capsule(radius, height))
    }
    /// A box with round edges: all points no farther than a radius from the surface of a box.
    ///
    /// Parameters
    /// ----------
    /// sides : array_like, shape (3,)
    ///     Full lengths of the box without the radius, along the axes.
    /// radius : float
    ///     A length, from 0 to 2**900. The shape is wider than the box by it on each side.
    ///
    /// Returns
    /// -------
    /// Shape
    #[staticmethod]
    fn rounded_box(py: Python<'_>, sides: [f64; 3], radius: f64) -> PyResult<Self> {
        Self::of(py, Shape::rounded_box(sides, radius))
    }
    /// All points no farther than a radius from the triangles of a mesh.
    ///
    /// Parameters
    /// ----------
    /// model : Model or Mesh
    ///     The mesh.
    /// radius : float
    ///     A length, from 0 to 2**900.
    ///
    /// Returns
    /// -------
    /// Shape
    #[staticmethod]
    fn padded(py: Python<'_>, model: &Bound<'_, PyAny>, radius: f64) -> PyResult<Self> {
        if let Ok(model) = model.cast::<PyModel>() {
            let shape = Shape::padded(Arc::clone(&model.get().model), radius);
            let shape = shape.map_err(|error| errors::error(&error))?;
            return Ok(Self { model: model.clone().unbind(), shape });
        }
        let mesh = model.cast::<PyMesh>().map_err(|_| {
            let class = errors::class_name(model);
            PyTypeError::new_err(format!("model must be a Model or a Mesh, not a {class}"))
        })?;
        Self::of(py, Shape::padded(Model::new((*mesh.get().0).clone()), radius))
    }

    /// The shape at a pose.
    ///
    /// Parameters
    /// ----------
    /// pose : array_like, shape (4, 4) or (3, 4), optional
    ///     Where it stands; by default, at the origin.
    /// affine : bool, optional
    ///     Whether the pose may scale, shear or mirror, which does not change the radius.
    ///
    /// Returns
    /// -------
    /// Rounded
    #[pyo3(signature = (pose=None, *, affine=false))]
    fn at(&self, py: Python<'_>, pose: Option<&Bound<'_, PyAny>>, affine: bool) -> PyResult<PyRounded> {
        let body = PyBody::of(self.model.clone_ref(py), poses::pose(pose, affine)?);
        Ok(PyRounded::of(Py::new(py, body)?, self.shape.radius()))
    }
    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyModel> {
        self.model.clone_ref(py)
    }
    /// The radius.
    #[getter]
    fn radius(&self) -> f64 {
        self.shape.radius()
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Shape.padded({}, {})", self.model.bind(py).repr()?, self.shape.radius()))
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let (py, shape) = (slf.py(), slf.get());
        Ok((slf.get_type().getattr("padded")?, (shape.model(py), shape.radius())))
    }
}
