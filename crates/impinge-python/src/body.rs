//! Bodies: models at poses, with a radius or without.
use crate::{arrays, errors, model::PyModel, picture, poses};
use impinge::{ErrorKind, Pose, model::OwnedBody};
use numpy::PyArray2;
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyBytes};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

/// A model at a pose: the argument of queries.
///
/// Parameters
/// ----------
/// model : Model
///     The shape.
/// pose : array_like, shape (4, 4) or (3, 4), optional
///     The map from the model's frame to the world, x = R v + t, row by row: R, and beside it t. Its numbers
///     are taken as exact. None is the identity.
/// affine : bool, optional
///     Whether R may scale, shear or mirror; if not, it must be a rotation to within 1e-6.
///
/// Raises
/// ------
/// Error
///     A pose that is not finite, not a rigid motion, or singular.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
/// >>> body = impinge.Body(model, [[1, 0, 0, 5], [0, 1, 0, 6], [0, 0, 1, 7]])
/// >>> body
/// Body(Model(1 face, quality='high'), at (5, 6, 7))
/// >>> body.pose[:, 3]
/// array([5., 6., 7., 1.])
#[pyclass(frozen, name = "Body", module = "impinge")]
pub(crate) struct PyBody {
    /// The body for queries. Other threads may use a copy of it after the call.
    body: OwnedBody,
    object: Py<PyModel>,
}

#[pymethods]
impl PyBody {
    #[new]
    #[pyo3(signature = (model, pose=None, affine=false))]
    fn new(model: &Bound<'_, PyAny>, pose: Option<&Bound<'_, PyAny>>, affine: bool) -> PyResult<Self> {
        let model = model.cast::<PyModel>().map_err(|_| {
            let class = errors::class_name(model);
            let remedy = if class == "Mesh" { ": impinge.Model(mesh) makes one" } else { "" };
            PyTypeError::new_err(format!("model must be a Model, not a {class}{remedy}"))
        })?;
        let (model, pose) = (model.clone().unbind(), poses::pose(pose, affine)?);
        Ok(Self::of(model, pose))
    }
    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyModel> {
        self.object.clone_ref(py)
    }
    /// The pose, as an array of shape (4, 4).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        poses::matrix(py, &self.body.pose)
    }
    /// True if the pose is a rotation and a translation, to within 1e-6.
    #[getter]
    fn is_rigid(&self) -> bool {
        self.body.pose.is_rigid()
    }
    /// All points that are no farther than a radius from the triangles: see `Rounded`.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     A length in the world, from 0 to 2**900.
    ///
    /// Returns
    /// -------
    /// Rounded
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> center = impinge.Model.points([[0, 0, 0]])
    /// >>> a = impinge.Body(center).rounded(2)
    /// >>> b = impinge.Body(center, [[1, 0, 0, 3], [0, 1, 0, 4], [0, 0, 1, 0]]).rounded(2.5)
    /// >>> gap = impinge.distance(a, b, exact=True)  # 5 - 4.5
    /// >>> gap.lo, gap.hi
    /// (0.5, 0.5)
    fn rounded(slf: Py<Self>, radius: f64) -> PyResult<PyRounded> {
        PyRounded::new(slf, radius)
    }
    /// Draw it as a PNG file, without a GPU: the same bytes on every machine.
    ///
    /// Parameters
    /// ----------
    /// width, height : int, optional
    ///     Pixels, from 1 to 4096.
    ///
    /// Returns
    /// -------
    /// bytes or None
    ///     None without triangles.
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Body(impinge.Model(impinge.Mesh.box([1, 2, 3]))).picture(90, 60)[1:4]
    /// b'PNG'
    #[pyo3(signature = (width=960, height=640))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        height: u32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        picture::png(py, self.body.model.shared_mesh(), Some(self.body.pose), Some((width, height)))
    }
    /// Display its picture in a notebook; elsewhere open it in a browser.
    fn show(slf: &Bound<'_, Self>) -> PyResult<()> {
        picture::show(slf.as_any())
    }
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        picture::png(py, self.body.model.shared_mesh(), Some(self.body.pose), None)
    }
    fn __repr__(&self) -> String {
        let [x, y, z] = self.body.pose.translation();
        format!("Body({}, at ({x}, {y}, {z}))", self.object.get().__repr__())
    }
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.is_same(other.get()))
    }
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Arc::as_ptr(&self.body.model).hash(&mut hasher);
        let pose = &self.body.pose;
        let numbers = pose.rows().iter().flatten().chain(pose.translation());
        // Equal numbers hash alike: adding 0 turns -0 into 0.
        numbers.for_each(|x| (x + 0.0).to_bits().hash(&mut hasher));
        hasher.finish()
    }
    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<PyModel>, Bound<'py, PyArray2<f64>>, bool))> {
        let (py, body) = (slf.py(), slf.get());
        Ok((slf.get_type().into_any(), (body.model(py), body.pose(py)?, !body.is_rigid())))
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }
}

/// All points that are no farther than a radius from a body's triangles: a sphere, a capsule, a mesh with a
/// skin.
///
/// `Body.rounded(radius)` makes it. Two such bodies meet if and only if their triangles are no farther apart
/// than the sum of their radii, which is not rounded. Queries of triangles, distances and points take it in
/// place of a `Body`. Relations, volumes and curves are not defined for it.
///
/// Parameters
/// ----------
/// body : Body
///     The body without its radius.
/// radius : float
///     A length in the world, from 0 to 2**900. A pose that scales does not change it.
///
/// Raises
/// ------
/// Error
///     The radius is negative, NaN or too large.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> segment = impinge.Model.segment([-1, 0, 0], [1, 0, 0])
/// >>> capsule = impinge.Body(segment, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]).rounded(0.5)
/// >>> cube = impinge.Body(impinge.Model(impinge.Mesh.box([1, 1, 1])))
/// >>> impinge.intersects(capsule, cube)  # they touch
/// True
#[pyclass(frozen, eq, hash, name = "Rounded", module = "impinge")]
pub(crate) struct PyRounded {
    body: Py<PyBody>,
    radius: f64,
}

#[pymethods]
impl PyRounded {
    #[new]
    fn new(body: Py<PyBody>, radius: f64) -> PyResult<Self> {
        let radius = match body.get().owned().body().rounded(radius) {
            Ok(rounded) => rounded.radius(),
            Err(error) => return Err(errors::error(&error)),
        };
        Ok(Self { body, radius })
    }
    /// The body without its radius.
    #[getter]
    pub(crate) fn body(&self, py: Python<'_>) -> Py<PyBody> {
        self.body.clone_ref(py)
    }
    /// The radius.
    #[getter]
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }
    fn __repr__(&self) -> String {
        format!("{}.rounded({})", self.body.get().__repr__(), self.radius)
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Py<PyBody>, f64)) {
        (slf.get_type().into_any(), (slf.get().body(slf.py()), slf.get().radius))
    }
}

impl PyRounded {
    /// A body with a valid radius.
    pub(crate) fn of(body: Py<PyBody>, radius: f64) -> Self {
        Self { body, radius }
    }
}

impl PartialEq for PyRounded {
    fn eq(&self, other: &Self) -> bool {
        self.body.get().is_same(other.body.get()) && self.radius == other.radius
    }
}

impl Hash for PyRounded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.body.get().__hash__().hash(state);
        self.radius.to_bits().hash(state);
    }
}

/// A body as an argument: another object is an error that names the remedy.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a, 'py>(Borrowed<'a, 'py, PyBody>);

impl<'a, 'py> FromPyObject<'a, 'py> for Subject<'a, 'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.cast::<PyBody>().map(Self).map_err(|_| {
            let class = errors::class_name(&object);
            let remedy = match class.as_str() {
                "Model" => "impinge.Body(model, pose) places a model",
                "Mesh" => "impinge.Body(impinge.Model(mesh), pose) places a mesh",
                "Rounded" => "its body has no radius",
                _ => "impinge.Body(model, pose) makes one",
            };
            PyTypeError::new_err(format!("a Body is needed, not a {class}: {remedy}"))
        })
    }
}

impl<'py> Deref for Subject<'_, 'py> {
    type Target = Bound<'py, PyBody>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl PyBody {
    pub(crate) fn of(object: Py<PyModel>, pose: Pose) -> Self {
        Self { body: OwnedBody::new(Arc::clone(&object.get().model), pose), object }
    }
    /// True if both are the same model at the same pose.
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.body.model, &other.body.model) && self.body.pose == other.body.pose
    }
    /// The object of its model.
    pub(crate) fn model_object(&self) -> &Py<PyModel> {
        &self.object
    }
    pub(crate) fn owned(&self) -> OwnedBody {
        self.body.clone()
    }
}

/// The rigid motion nearest to a pose whose linear part is nearly a rotation.
///
/// Parameters
/// ----------
/// pose : array_like, shape (4, 4), (3, 4) or (3, 3), or (P, 4, 4) or (P, 3, 4)
///     Such as a product of many float32 rotations; one, or many.
///
/// Returns
/// -------
/// numpy.ndarray
///     The pose with R made orthonormal, of shape (4, 4); of many poses (P, 4, 4).
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> pose = numpy.eye(4)
/// >>> pose[0, 0] = 1.0001
/// >>> impinge.nearest_rigid(pose)[0, 0]
/// np.float64(1.0)
/// >>> impinge.nearest_rigid([pose, pose]).shape
/// (2, 4, 4)
#[pyfunction]
pub(crate) fn nearest_rigid<'py>(pose: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = pose.py();
    if arrays::dimensions("pose", pose)? == 3 {
        let affine = poses::poses(pose, true, Some(1))?;
        let one = |(i, pose): (usize, &Pose)| rigid(pose, &format!("pose {i}")).map(|pose| pose.to_matrix());
        let all = affine.iter().enumerate().map(one).collect::<PyResult<Vec<[[f64; 4]; 4]>>>()?;
        return Ok(arrays::cube(py, all)?.into_any());
    }
    let affine = poses::pose(Some(pose), true)?;
    Ok(poses::matrix(py, &rigid(&affine, "the pose")?)?.into_any())
}

fn rigid(affine: &Pose, place: &str) -> PyResult<Pose> {
    Pose::nearest_rigid(*affine.rows(), *affine.translation()).map_err(|error| {
        if *error.kind() == ErrorKind::Mirror {
            let text =
                format!("{place} mirrors, as the determinant of R is negative: no rotation is near it");
            return errors::Error::new_err((text,));
        }
        errors::pose(&error, place)
    })
}
