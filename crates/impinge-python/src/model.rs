//! Models: meshes with hierarchies.
use crate::{arrays, errors, mesh::PyMesh, picture, pool, results, run};
use impinge::{BuildOptions, Mesh, Model, Quality, Threads, model::Rebuild};
use pyo3::{prelude::*, types::PyBytes};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

/// Meshes of more triangles are built on several threads, unless the caller sets a number.
const LARGE: usize = 10_000;

/// A mesh with a bounding volume hierarchy: built once, used by many queries.
///
/// Immutable, picklable (unpickling rebuilds the hierarchy), and shared freely between threads and bodies.
///
/// Parameters
/// ----------
/// mesh : Mesh
///     The triangles.
/// quality : {"high", "fast", "on-demand"}, optional
///     Quality of the hierarchy. "fast" builds in about a third of the time, and queries are slower by a
///     quarter to a half. "on-demand" builds nothing until queries have taken as long as building does.
///     Results are the same.
/// threads : int or None, optional
///     Number of threads that build the hierarchy; None is `set_threads`' number for large meshes. The
///     hierarchy is the same to the last bit.
/// compact : bool, optional
///     Whether leaves keep 16 bits a coordinate instead of 24: less memory, a little more work.
/// leaf_size : int, optional
///     Most triangles in a leaf, 1 to 8.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> mesh = impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]],
/// ...                     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
/// >>> model = impinge.Model(mesh)
/// >>> model
/// Model(4 faces, quality='high')
/// >>> model.status
/// <Closedness.CLOSED: 'closed'>
#[pyclass(frozen, name = "Model", module = "impinge")]
pub(crate) struct PyModel {
    pub(crate) model: Arc<Model>,
    mesh: Py<PyMesh>,
    options: BuildOptions,
    threads: Option<usize>,
    /// Number of points that were located in it.
    located: AtomicUsize,
}

#[pymethods]
impl PyModel {
    #[new]
    #[pyo3(signature = (mesh, quality="high", threads=None, compact=false, leaf_size=8))]
    fn new(
        py: Python<'_>,
        mesh: Py<PyMesh>,
        quality: &str,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
        compact: bool,
        leaf_size: usize,
    ) -> PyResult<Self> {
        let quality = quality_of(quality)?;
        if !(1..=8).contains(&leaf_size) {
            return Err(errors::value(format!("leaf_size must be 1 to 8, not {leaf_size}")));
        }
        let options = BuildOptions::new().quality(quality).compact(compact).leaf_size(leaf_size);
        let model = build(py, &mesh.get().0, options, threads)?;
        Ok(Self { model: Arc::new(model), mesh, options, threads, located: AtomicUsize::new(0) })
    }
    /// The mesh.
    #[getter]
    fn mesh(&self, py: Python<'_>) -> Py<PyMesh> {
        self.mesh.clone_ref(py)
    }
    /// Quality of the build: "high", "fast" or "on-demand".
    #[getter]
    fn quality(&self) -> &'static str {
        quality_name(self.options.quality)
    }
    /// A `Closedness`, which states whether the mesh bounds a solid.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let status = self.about(py, |model| model.solid().status())?;
        results::status(py, status)
    }
    /// Number of edges that do not balance; 0 for a closed mesh.
    #[getter]
    fn open_edges(&self, py: Python<'_>) -> PyResult<usize> {
        self.about(py, |model| model.solid().open_edges())
    }
    /// Into how many sets the triangles fall that are connected across edges.
    #[getter]
    fn shells(&self, py: Python<'_>) -> PyResult<usize> {
        self.about(py, |model| model.solid().shells())
    }
    /// Holes of the surface, the widest first: a list of `Boundary`.
    #[getter]
    fn boundaries<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let boundaries = self.about(py, |model| model.solid().boundaries().to_vec())?;
        let one = |b: &impinge::solid::Boundary| {
            let (edge, bounds) = (arrays::table(py, b.edge.to_vec())?, arrays::table(py, b.bounds.to_vec())?);
            results::make(py, "Boundary", (b.edges, edge, bounds, b.width()))
        };
        boundaries.iter().map(one).collect()
    }
    /// Two numbers between which the volume lies, negative if faces look inwards; parts of the mesh that
    /// overlap count as often as they do. None if the mesh is not closed by orientation.
    #[getter]
    fn winding_volume(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        Ok(self.about(py, |model| model.winding_volume())?.map(|[lo, hi]| (lo, hi)))
    }
    /// The cost of the hierarchy: a `TreeStats`.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stats = self.about(py, |model| model.stats())?;
        results::make(py, "TreeStats", (stats.nodes, stats.leaves, stats.depth, stats.bytes))
    }
    /// The model with its vertices moved: the triangles stay, and the hierarchy is refitted or rebuilt.
    ///
    /// Bodies that have the old model keep it. A `Scene` deforms in place.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like, shape (N, 3)
    ///     All vertices.
    /// rebuild : float, optional
    ///     When the hierarchy is rebuilt: where a refit makes it so many times as slow, by an estimate. 0
    ///     is always, infinity never.
    ///
    /// Returns
    /// -------
    /// Model
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
    /// >>> model.deformed(model.mesh.vertices + 1).mesh.vertices[0]
    /// array([1., 1., 1.])
    #[pyo3(signature = (vertices, rebuild=2.0))]
    fn deformed(&self, vertices: &Bound<'_, PyAny>, rebuild: f64) -> PyResult<Self> {
        let py = vertices.py();
        let points = arrays::points("vertices", vertices)?;
        let (policy, model) = (policy(rebuild)?, Arc::clone(&self.model));
        let pool = pool_for(model.mesh().len(), self.threads)?;
        let deformed = run::work_in(py, pool, move |_| {
            let mut model = Model::clone(&model);
            model.deform(&points, policy).map(|_| model)
        })?;
        let model = Arc::new(deformed.map_err(|error| errors::error(&error))?);
        let mesh = Py::new(py, PyMesh(Arc::clone(model.shared_mesh())))?;
        Ok(Self { threads: self.threads, ..Self::wrap_as(model, mesh, self.options) })
    }
    /// Write the mesh and its hierarchy to a file, so that `load` need not build it.
    ///
    /// The file appears, or is replaced, once all is in it. The same mesh and options give the same bytes on
    /// every machine. Some 65 bytes a face of a closed mesh.
    ///
    /// Parameters
    /// ----------
    /// path : path-like
    ///     The file.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     It cannot be written.
    ///
    /// Examples
    /// --------
    /// >>> import impinge, os, tempfile
    /// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "part.impinge")
    /// ...     model.save(path)
    /// ...     again = impinge.Model.load(path)
    /// >>> again
    /// Model(1 face, quality='high')
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let model = Arc::clone(&self.model);
        run::work(py, move |_| impinge_io::save_model(&model, &path))?.map_err(|error| errors::file(&error))
    }
    /// Points, each a triangle whose corners are that point: with a radius they are spheres.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (P, 3)
    ///     The points.
    ///
    /// Returns
    /// -------
    /// Model
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> sphere = impinge.Body(impinge.Model.points([[0, 0, 0]])).rounded(2)
    /// >>> impinge.contains(sphere, [[0, 0, 2], [0, 0, 2.1]])
    /// array([ True, False])
    #[staticmethod]
    fn points(points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let model = Model::points(&arrays::finite_points("points", points)?);
        Self::wrap(points.py(), Arc::new(model.map_err(|error| errors::error(&error))?))
    }
    /// The segment from one point to another, as one triangle: with a radius it is a capsule.
    ///
    /// Parameters
    /// ----------
    /// p, q : array_like, shape (3,)
    ///     Its ends.
    ///
    /// Returns
    /// -------
    /// Model
    ///
    /// Examples
    /// --------
    /// >>> import impinge
    /// >>> capsule = impinge.Body(impinge.Model.segment([0, 0, 0], [3, 0, 0])).rounded(1)
    /// >>> impinge.closest_point(capsule, [1, 0, 3], exact=True)
    /// ClosestPoint(lo=2.0, hi=2.0, triangle=0, point=array([1., 0., 1.]))
    #[staticmethod]
    fn segment(p: &Bound<'_, PyAny>, q: &Bound<'_, PyAny>) -> PyResult<Self> {
        let model = Model::segment(arrays::vector("p", p)?, arrays::vector("q", q)?);
        Self::wrap(p.py(), Arc::new(model.map_err(|error| errors::error(&error))?))
    }
    /// The model that `save` wrote: nothing is built.
    ///
    /// The file is mapped into memory, so that processes that load it share its pages. It is read once, and
    /// refused if it was cut short or altered. While the model is in use the file must not be changed in
    /// place; replacing and deleting it is safe.
    ///
    /// Parameters
    /// ----------
    /// path : path-like
    ///     The file.
    /// threads : int or None, optional
    ///     By how many threads `deformed` refits it, as for a new model.
    ///
    /// Returns
    /// -------
    /// Model
    ///
    /// Raises
    /// ------
    /// OSError
    ///     There is no such file, or it cannot be read.
    /// Error
    ///     The file is no saved model, was altered, or is of another version.
    #[staticmethod]
    #[pyo3(signature = (path, threads=None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Self> {
        let opened = run::work(py, move |_| impinge_io::open_model(&path))?;
        let model = opened.map_err(|error| errors::file(&error))?;
        let pool = pool_for(model.mesh().len(), threads)?;
        let model = model.with_threads(if pool.is_some() { Threads::Pool } else { Threads::One });
        Ok(Self { threads, ..Self::wrap(py, Arc::new(model))? })
    }
    /// The number of faces.
    fn __len__(&self) -> usize {
        self.model.mesh().len()
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
    /// >>> impinge.Model(impinge.Mesh.box([1, 2, 3])).picture(90, 60)[1:4]
    /// b'PNG'
    #[pyo3(signature = (width=960, height=640))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        height: u32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        picture::png(py, self.model.shared_mesh(), None, Some((width, height)))
    }
    /// Display its picture in a notebook; elsewhere open it in a browser.
    fn show(slf: &Bound<'_, Self>) -> PyResult<()> {
        picture::show(slf.as_any())
    }
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        picture::png(py, self.model.shared_mesh(), None, None)
    }
    pub(crate) fn __repr__(&self) -> String {
        let m = self.model.mesh().len();
        let faces = if m == 1 { "face" } else { "faces" };
        format!("Model({m} {faces}, quality='{}')", self.quality())
    }
    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyAny>, (Py<PyMesh>, &'static str, Option<usize>, bool, usize)) {
        let model = slf.get();
        let options = &model.options;
        let mesh = model.mesh.clone_ref(slf.py());
        let arguments = (mesh, model.quality(), model.threads, options.compact, options.leaf_size);
        (slf.get_type().into_any(), arguments)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }
}

impl PyModel {
    /// A property that takes time once for a large mesh, and whose computation cannot be stopped.
    fn about<T: Send + 'static>(
        &self,
        py: Python<'_>,
        ask: impl Fn(&Model) -> T + Send + Sync + 'static,
    ) -> PyResult<T> {
        let model = Arc::clone(&self.model);
        run::ask(py, run::Work::of(model.mesh().len()), move |_| ask(&model))
    }
    /// The Python object of a model that has none yet.
    pub(crate) fn wrap(py: Python<'_>, model: Arc<Model>) -> PyResult<Self> {
        let mesh = Py::new(py, PyMesh(Arc::clone(model.shared_mesh())))?;
        let options = *model.options();
        Ok(Self::wrap_as(model, mesh, options))
    }
    fn wrap_as(model: Arc<Model>, mesh: Py<PyMesh>, options: BuildOptions) -> Self {
        Self { model, mesh, options, threads: None, located: AtomicUsize::new(0) }
    }
    /// True if this many points are located without building anything that takes long. A model examines its
    /// edges for the first point, and makes its cells once the points are half as many as its triangles.
    pub(crate) fn locates_at_once(&self, points: usize) -> bool {
        /// Others may locate points in the model, too.
        const SLACK: usize = 64;
        let before = self.located.fetch_add(points, Relaxed);
        let cells = self.model.mesh().len() / 2;
        before > 0 && (before + points + SLACK < cells || before > cells + SLACK)
    }
}

const QUALITIES: [(&str, Quality); 3] =
    [("high", Quality::High), ("fast", Quality::Fast), ("on-demand", Quality::OnDemand)];

pub(crate) fn quality_of(name: &str) -> PyResult<Quality> {
    let found = QUALITIES.iter().find(|(known, _)| *known == name).map(|&(_, quality)| quality);
    found.ok_or_else(|| errors::value(format!("quality must be 'high', 'fast' or 'on-demand', not {name:?}")))
}

fn quality_name(quality: Quality) -> &'static str {
    QUALITIES.iter().find(|(_, known)| *known == quality).map_or("unknown", |&(name, _)| name)
}

/// The rule for rebuilding a hierarchy.
pub(crate) fn policy(rebuild: f64) -> PyResult<Rebuild> {
    match rebuild {
        x if x.is_nan() || x < 0.0 => Err(errors::value(format!("rebuild must be 0 or more, not {rebuild}"))),
        0.0 => Ok(Rebuild::Always),
        f64::INFINITY => Ok(Rebuild::Never),
        x => Ok(Rebuild::When(x)),
    }
}

fn pool_for(triangles: usize, threads: Option<usize>) -> PyResult<Option<Arc<rayon::ThreadPool>>> {
    pool::get(if threads.is_none() && triangles <= LARGE { Some(1) } else { threads })
}

pub(crate) fn build(
    py: Python<'_>,
    mesh: &Arc<Mesh>,
    options: BuildOptions,
    threads: Option<usize>,
) -> PyResult<Model> {
    let mesh = Arc::clone(mesh);
    let pool = pool_for(mesh.len(), threads)?;
    let options = options.threads(if pool.is_some() { Threads::Pool } else { Threads::One });
    if pool.is_none() && mesh.len() <= LARGE {
        return Ok(py.detach(|| Model::with_options(mesh, &options)));
    }
    run::work_in(py, pool, move |_| Model::with_options(mesh, &options))
}
