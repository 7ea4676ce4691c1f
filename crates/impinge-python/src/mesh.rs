//! Meshes.
use crate::{arrays, errors, picture};
use impinge::{Mesh, Side};
use pyo3::{
    exceptions::{PyImportError, PyTypeError},
    intern,
    prelude::*,
    types::{PyBytes, PyDict, PyTuple},
};
use std::sync::Arc;

/// Views of a mesh's memory, for numpy: see `__array_interface__` in numpy's reference. Numbers are
/// never moved nor changed as long as the view, or an array made of it, lives.
#[pyclass(frozen, name = "_MeshView", module = "impinge._core")]
pub(crate) struct PyMeshView {
    mesh: Arc<Mesh>,
    is_of_faces: bool,
}

#[pymethods]
impl PyMeshView {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (points, faces) = (self.mesh.points(), self.mesh.triangles());
        let native = if cfg!(target_endian = "big") { '>' } else { '<' };
        match self.is_of_faces {
            true => arrays::interface(py, faces.as_ptr().addr(), faces.len(), &format!("{native}u4")),
            false => arrays::interface(py, points.as_ptr().addr(), points.len(), &format!("{native}f8")),
        }
    }
}

/// A triangle soup: points, and for each triangle three of their numbers.
///
/// A triangle is the closed set that its corners span, degenerate ones included; nothing is assumed of how
/// triangles are connected. Immutable, picklable, and shared freely between threads. Coordinates are taken as
/// they are, to the last bit.
///
/// Parameters
/// ----------
/// vertices : array_like, shape (N, 3)
///     Finite real numbers of any dtype that float64 holds exactly, in any order and stride.
/// faces : array_like, shape (M, 3)
///     Integers of any dtype, each from 0 to N - 1.
///
/// Raises
/// ------
/// Error
///     A vertex is not finite; `.vertex` is its number.
/// IndexError
///     A face names a vertex that does not exist; `.triangle` is its number.
/// TypeError
///     A dtype that is not real numbers, or not integers.
/// ValueError
///     Another shape.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> mesh = impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
/// >>> mesh
/// Mesh(3 vertices, 1 face)
/// >>> mesh.vertices
/// array([[0., 0., 0.],
///        [2., 0., 0.],
///        [0., 2., 0.]])
#[pyclass(frozen, name = "Mesh", module = "impinge")]
pub(crate) struct PyMesh(pub(crate) Arc<Mesh>);

#[pymethods]
impl PyMesh {
    #[new]
    fn new(vertices: &Bound<'_, PyAny>, faces: &Bound<'_, PyAny>) -> PyResult<Self> {
        let points = arrays::points("vertices", vertices)?;
        let faces = arrays::faces(faces, points.len())?;
        let mesh = vertices.py().detach(|| Mesh::new(points, faces));
        Ok(Self(Arc::new(mesh.map_err(|error| errors::error(&error))?)))
    }
    /// A box around the origin, with sides of these lengths: 12 triangles, exact.
    ///
    /// Parameters
    /// ----------
    /// sides : array_like, shape (3,)
    ///     Full lengths along x, y and z.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Mesh.box([2, 4, 6]).vertices[7]
    /// array([1., 2., 3.])
    #[staticmethod]
    fn r#box(sides: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::shape(Mesh::cuboid(arrays::vector("sides", sides)?))
    }
    /// The convex hull of points, exactly: closed, its faces outwards, its vertices some of the points.
    ///
    /// Points of one plane have a flat polygon as their hull, points of one line a segment, and equal points
    /// a point. The result depends on the set of points alone.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (P, 3)
    ///     The points, in any order.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [1, 1, 1], [2, 0, 0]]
    /// >>> hull = impinge.Mesh.hull(points)
    /// >>> len(hull.vertices), len(hull.faces)
    /// (4, 4)
    #[staticmethod]
    fn hull(points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = points.py();
        let points = arrays::points("points", points)?;
        Self::shape(py.detach(|| Mesh::hull(&points)))
    }
    /// A sphere around the origin, its poles on the z axis. The mesh is inside of it, at most
    /// ``radius * (2 - cos(pi / (2 * rings)) - cos(pi / segments))`` away.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    /// rings, segments : int, optional
    ///     Bands from pole to pole, and triangles around z.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Mesh.sphere(0.5)
    /// Mesh(482 vertices, 960 faces)
    #[staticmethod]
    #[pyo3(signature = (radius, rings=16, segments=32))]
    fn sphere(
        radius: f64,
        #[pyo3(from_py_with = count)] rings: u32,
        #[pyo3(from_py_with = count)] segments: u32,
    ) -> PyResult<Self> {
        Self::shape(Mesh::uv_sphere(radius, rings, segments))
    }
    /// A prism around the z axis and the origin over a regular polygon, whose corners are on a circle but for
    /// rounding. `cylinder` takes a chord in place of a number of sides.
    ///
    /// Parameters
    /// ----------
    /// radius, height : float
    ///     The height is the full length.
    /// sides : int, optional
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Mesh.prism(0.5, 2, 6)
    /// Mesh(14 vertices, 24 faces)
    #[staticmethod]
    #[pyo3(signature = (radius, height, sides=32))]
    fn prism(radius: f64, height: f64, #[pyo3(from_py_with = count)] sides: u32) -> PyResult<Self> {
        Self::shape(Mesh::prism(radius, height, sides))
    }
    /// A cylinder around the z axis and the origin, certainly inside of the true one or around it.
    ///
    /// The true cylinder has exactly this radius and height. No point of either solid is further than `chord`
    /// from the other, and `side` is the one that contains the other. Both are decided in integers.
    ///
    /// Parameters
    /// ----------
    /// radius, height : float
    ///     The height is the full length. The radius is from 2^-900 to 2^900.
    /// chord : float, optional
    ///     At least 2^-44 of the radius. A thousandth of the radius by default: 72 sides.
    /// side : {'inscribed', 'circumscribed'}, optional
    ///     Whether the true cylinder contains the mesh, or the mesh the cylinder.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Raises
    /// ------
    /// Error
    ///     A size or a chord that is out of range.
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Mesh.cylinder(0.5, 2).vertices[2]
    /// array([ 0.5,  0. , -1. ])
    /// >>> outer = impinge.Mesh.cylinder(0.5, 2, chord=1e-4, side="circumscribed")
    /// >>> outer
    /// Mesh(322 vertices, 640 faces)
    #[staticmethod]
    #[pyo3(signature = (radius, height, *, chord=None, side="inscribed"))]
    fn cylinder(radius: f64, height: f64, chord: Option<f64>, side: &str) -> PyResult<Self> {
        let chord = chord.unwrap_or(DEFAULT_CHORD * radius);
        Self::shape(Mesh::cylinder(radius, height, chord, side_of(side)?))
    }
    /// A cone around the z axis, certainly inside of the true one or around it.
    ///
    /// Its tip is at ``height / 2`` and its base at ``-height / 2``, as in FCL.
    ///
    /// Parameters
    /// ----------
    /// radius, height : float
    ///     The radius is from 2^-900 to 2^900.
    /// chord, side : optional
    ///     As in `cylinder`.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Raises
    /// ------
    /// Error
    ///     A size or a chord that is out of range.
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Mesh.cone(0.5, 2)
    /// Mesh(74 vertices, 144 faces)
    #[staticmethod]
    #[pyo3(signature = (radius, height, *, chord=None, side="inscribed"))]
    fn cone(radius: f64, height: f64, chord: Option<f64>, side: &str) -> PyResult<Self> {
        let chord = chord.unwrap_or(DEFAULT_CHORD * radius);
        Self::shape(Mesh::cone(radius, height, chord, side_of(side)?))
    }
    /// An ellipsoid around the origin, certainly inside of the true one or around it. Three equal semi-axes
    /// make a sphere.
    ///
    /// Parameters
    /// ----------
    /// semi_axes : array_like, shape (3,)
    ///     Along x, y and z, each from 2^-900 to 2^900.
    /// chord : float, optional
    ///     At least 7.4e-8 of the largest semi-axis. A thousandth of it by default: 9,800 faces.
    /// side : {'inscribed', 'circumscribed'}, optional
    ///     As in `cylinder`.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Raises
    /// ------
    /// Error
    ///     A size or a chord that is out of range.
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> ball = impinge.Mesh.ellipsoid([1, 1, 1], chord=0.01, side="circumscribed")
    /// >>> ball
    /// Mesh(482 vertices, 960 faces)
    #[staticmethod]
    #[pyo3(signature = (semi_axes, *, chord=None, side="inscribed"))]
    fn ellipsoid(semi_axes: &Bound<'_, PyAny>, chord: Option<f64>, side: &str) -> PyResult<Self> {
        let (py, side) = (semi_axes.py(), side_of(side)?);
        let semi_axes = arrays::vector("semi_axes", semi_axes)?;
        let chord = chord.unwrap_or(DEFAULT_CHORD * semi_axes.into_iter().fold(0.0, f64::max));
        Self::shape(py.detach(|| Mesh::ellipsoid(semi_axes, chord, side)))
    }
    /// A capsule around the z axis and the origin. The mesh is inside of it, at most
    /// ``radius * (2 - cos(pi / (4 * rings)) - cos(pi / segments))`` away.
    ///
    /// Parameters
    /// ----------
    /// radius, height : float
    ///     The height is the length between the middles of the half spheres at its ends.
    /// rings, segments : int, optional
    ///     Bands of each half sphere, and triangles around z.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> impinge.Mesh.capsule(0.5, 2).vertices[:, 2].max()
    /// np.float64(1.5)
    #[staticmethod]
    #[pyo3(signature = (radius, height, rings=8, segments=32))]
    fn capsule(
        radius: f64,
        height: f64,
        #[pyo3(from_py_with = count)] rings: u32,
        #[pyo3(from_py_with = count)] segments: u32,
    ) -> PyResult<Self> {
        Self::shape(Mesh::capsule(radius, height, rings, segments))
    }
    /// The mesh of a ``trimesh.Trimesh``: all of its vertices and faces, in their order.
    ///
    /// Parameters
    /// ----------
    /// mesh : trimesh.Trimesh
    ///     Or any object with ``vertices`` and ``faces``.
    ///
    /// Returns
    /// -------
    /// Mesh
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> mesh = impinge.Mesh.box([1, 1, 1])
    /// >>> impinge.Mesh.from_trimesh(mesh.to_trimesh())  # doctest: +SKIP
    /// Mesh(8 vertices, 12 faces)
    #[staticmethod]
    fn from_trimesh(mesh: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = mesh.py();
        let array = |name| {
            mesh.getattr_opt(name)?.ok_or_else(|| {
                let class = errors::class_name(mesh);
                let text = format!("mesh must be a trimesh.Trimesh, with vertices and faces, not a {class}");
                PyTypeError::new_err(text)
            })
        };
        Self::new(&array(intern!(py, "vertices"))?, &array(intern!(py, "faces"))?)
    }
    /// A ``trimesh.Trimesh`` with the same vertices and faces, in their order (``process=False``).
    ///
    /// Returns
    /// -------
    /// trimesh.Trimesh
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     trimesh is not installed.
    fn to_trimesh<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let trimesh = py.import(intern!(py, "trimesh")).map_err(|error| {
            let new = PyImportError::new_err("Mesh.to_trimesh needs trimesh: pip install trimesh");
            new.set_cause(py, Some(error));
            new
        })?;
        let arguments = PyDict::new(py);
        // trimesh writes into its arrays.
        arguments.set_item("vertices", self.vertices(py)?.call_method0(intern!(py, "copy"))?)?;
        arguments.set_item("faces", self.faces(py)?.call_method1(intern!(py, "astype"), ("int64",))?)?;
        arguments.set_item("process", false)?;
        trimesh.getattr(intern!(py, "Trimesh"))?.call((), Some(&arguments))
    }
    /// The points, as an array of shape (N, 3) that is a read-only view: nothing is copied.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, false)
    }
    /// The faces, as an array of shape (M, 3) that is a read-only view: nothing is copied.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, true)
    }
    /// True if the mesh is closed and bounds a convex solid, exactly. `Mesh.hull` makes such meshes.
    #[getter]
    fn is_convex(&self, py: Python<'_>) -> bool {
        let mesh = Arc::clone(&self.0);
        py.detach(move || mesh.is_convex())
    }
    /// The number of faces.
    fn __len__(&self) -> usize {
        self.0.len()
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
    /// >>> impinge.Mesh.box([1, 2, 3]).picture(90, 60)[1:4]
    /// b'PNG'
    #[pyo3(signature = (width=960, height=640))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        height: u32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        picture::png(py, &self.0, None, Some((width, height)))
    }
    /// Display its picture in a notebook; elsewhere open it in a browser.
    fn show(slf: &Bound<'_, Self>) -> PyResult<()> {
        picture::show(slf.as_any())
    }
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        picture::png(py, &self.0, None, None)
    }
    fn __repr__(&self) -> String {
        let (n, m) = (self.0.points().len(), self.0.len());
        let vertices = if n == 1 { "vertex" } else { "vertices" };
        format!("Mesh({n} {vertices}, {m} {})", if m == 1 { "face" } else { "faces" })
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, mesh) = (slf.py(), slf.get());
        let arrays = PyTuple::new(py, [mesh.vertices(py)?, mesh.faces(py)?])?;
        Ok((slf.get_type().into_any(), arrays))
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }
}

/// The chord of curved shapes, as a part of the largest radius.
const DEFAULT_CHORD: f64 = 1e-3;

fn side_of(name: &str) -> PyResult<Side> {
    match name {
        "inscribed" => Ok(Side::Inscribed),
        "circumscribed" => Ok(Side::Circumscribed),
        _ => Err(errors::value(format!("side must be 'inscribed' or 'circumscribed', not {name:?}"))),
    }
}

/// A number of rings, segments or sides.
fn count(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    let count: i64 = object.extract()?;
    u32::try_from(count).map_err(|_| {
        errors::value(format!("rings, segments and sides must be from 1 to {}, not {count}", u32::MAX))
    })
}

impl PyMesh {
    fn shape(mesh: Result<Mesh, impinge::Error>) -> PyResult<Self> {
        Ok(Self(Arc::new(mesh.map_err(|error| errors::error(&error))?)))
    }
    fn view<'py>(&self, py: Python<'py>, is_of_faces: bool) -> PyResult<Bound<'py, PyAny>> {
        let view = PyMeshView { mesh: Arc::clone(&self.0), is_of_faces };
        arrays::view(Bound::new(py, view)?.as_any())
    }
}
