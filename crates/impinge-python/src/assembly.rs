//! Assemblies: parts in memory, read from files or put together.
use crate::{
    errors,
    mesh::PyMesh,
    part::{self, OmissionTuple, PartTuple, SourceTuple, WarningTuple},
    pool, run,
};
use impinge::Mesh;
use impinge_check::sources::{Hull, offset_warnings, unit_warnings};
use impinge_io::{Assembly, Limits, Options, Part, Source};
use pyo3::{
    exceptions::{PyFileNotFoundError, PyOSError},
    prelude::*,
    types::PyDict,
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// An assembly that can be edited. A report, or a copy, that has the old one keeps it: parts are then copied
/// once, meshes never.
///
/// No code of Python runs while one of the locks is held.
#[pyclass(frozen, name = "_Assembly", module = "impinge._core")]
pub(crate) struct PyAssembly {
    assembly: Mutex<Arc<Assembly>>,
    /// The Python object of a mesh, by the mesh's address: parts that share a mesh share its object. An
    /// object keeps its mesh, so no address is used again.
    meshes: Mutex<HashMap<usize, Py<PyMesh>>>,
}

fn address(mesh: &Arc<Mesh>) -> usize {
    Arc::as_ptr(mesh).addr()
}

/// The options of readers.
pub(crate) fn reading(
    [max_parts, max_points, max_triangles]: [Option<usize>; 3],
    max_bytes: Option<u64>,
    outside_folder: bool,
) -> Options {
    let usual = Limits::new();
    let limits = usual
        .with_parts(max_parts.unwrap_or(usual.parts))
        .with_points(max_points.unwrap_or(usual.points))
        .with_triangles(max_triangles.unwrap_or(usual.triangles))
        .with_bytes(max_bytes.unwrap_or(usual.bytes));
    Options::new().with_limits(limits).with_outside_folder(outside_folder)
}

/// The error of a file that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &impinge_io::Error) -> PyErr {
    match error.is_io() {
        true if !path.exists() => PyFileNotFoundError::new_err(error.to_string()),
        true => PyOSError::new_err(error.to_string()),
        false => errors::Error::new_err((error.to_string(),)),
    }
}

#[pymethods]
impl PyAssembly {
    #[new]
    #[pyo3(signature = (parts=Vec::new(), sources=Vec::new(), warnings=Vec::new(), omissions=Vec::new()))]
    fn new(
        py: Python<'_>,
        parts: Vec<PartTuple<'_>>,
        sources: Vec<SourceTuple>,
        warnings: Vec<WarningTuple>,
        omissions: Vec<OmissionTuple>,
    ) -> PyResult<Self> {
        let mut assembly = Assembly::new();
        assembly.parts = parts.iter().map(part::from_tuple).collect::<PyResult<_>>()?;
        let source = |source| part::source_from_tuple(py, source);
        assembly.sources = sources.iter().map(source).collect::<PyResult<_>>()?;
        assembly.warnings = warnings.into_iter().map(part::warning_from_tuple).collect();
        assembly.omissions = omissions.into_iter().map(part::omission_from_tuple).collect();
        let meshes = parts.into_iter().map(|part| (address(&part.2.get().0), part.2)).collect();
        Ok(Self { assembly: Mutex::new(Arc::new(assembly)), meshes: Mutex::new(meshes) })
    }
    /// Reads files, several at once.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        max_parts: Option<usize>,
        max_points: Option<usize>,
        max_triangles: Option<usize>,
        max_bytes: Option<u64>,
        outside_folder: bool,
    ) -> PyResult<Self> {
        let options = reading([max_parts, max_points, max_triangles], max_bytes, outside_folder);
        let pool = if paths.len() > 1 { pool::get(None)? } else { None };
        let read = move |_: &Arc<_>| {
            let one = |path: &PathBuf| impinge_io::read_with(path, &options);
            let files: Vec<_> = match paths.len() {
                1 => paths.iter().map(one).collect(),
                _ => paths.par_iter().map(one).collect(),
            };
            let (mut all, mut hulls) = (Assembly::new(), Vec::new());
            for (path, file) in paths.iter().zip(files) {
                let file = file.map_err(|error| (path.clone(), error))?;
                let mut rest = &*file.parts;
                for source in &file.sources {
                    let (own, others) = rest.split_at(source.parts.min(rest.len()));
                    rest = others;
                    if paths.len() > 1 || file.sources.len() > 1 {
                        hulls.push((source.clone(), Hull::of(own)));
                    }
                }
                all.append(file);
            }
            all.warnings.extend(unit_warnings(&hulls));
            all.warnings.extend(offset_warnings(hulls.iter().map(|(source, _)| source)));
            Ok(all)
        };
        let all = run::work_in(py, pool, read)?;
        Ok(Self::of(all.map_err(|(path, error): (PathBuf, _)| unreadable(&path, &error))?))
    }
    fn __len__(&self) -> usize {
        self.lock().parts.len()
    }
    /// The number of triangles of all parts.
    fn triangles(&self) -> usize {
        self.lock().triangles()
    }
    /// The names of all parts.
    fn names(&self) -> Vec<String> {
        self.lock().parts.iter().map(|part| part.name.to_string()).collect()
    }
    /// The indices of the parts with this name.
    fn find(&self, name: &str) -> Vec<usize> {
        let all = self.lock();
        (0..all.parts.len()).filter(|&i| *all.parts[i].name == *name).collect()
    }
    fn part<'py>(&self, py: Python<'py>, index: usize) -> PyResult<PartTuple<'py>> {
        let part = self.at(index)?;
        let mesh = self.object(py, &part.mesh)?;
        part::to_tuple(py, &part, mesh)
    }
    fn sources(&self, py: Python<'_>) -> Vec<SourceTuple> {
        let all = self.shared();
        all.sources.iter().map(|source| part::source_to_tuple(py, source)).collect()
    }
    fn warnings(&self) -> Vec<WarningTuple> {
        self.lock().warnings.iter().map(part::warning_to_tuple).collect()
    }
    fn warn(&self, file: PathBuf, place: Option<String>, text: String) {
        let warning = part::warning_from_tuple((file, place, text));
        self.edit(|assembly| assembly.warnings.push(warning));
    }
    fn omissions(&self) -> Vec<OmissionTuple> {
        self.lock().omissions.iter().map(part::omission_to_tuple).collect()
    }
    fn omit(&self, omission: OmissionTuple) {
        let omission = part::omission_from_tuple(omission);
        self.edit(|assembly| assembly.omissions.push(omission));
    }
    /// The source of parts that follow.
    fn begin_source(&self, py: Python<'_>, source: SourceTuple) -> PyResult<()> {
        let source = part::source_from_tuple(py, &source)?;
        self.edit(|assembly| assembly.sources.push(source));
        Ok(())
    }
    /// Writes a bundle, whole or not at all.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let all = self.shared();
        let done = run::work_in(py, None, move |_: &Arc<_>| impinge_io::save_bundle(&all, &path))?;
        done.map_err(|error| errors::file(&error))
    }
    /// Adds a part; returns its index. A pose that is not rigid is applied to a copy of the mesh if `affine`
    /// allows it.
    #[expect(clippy::too_many_arguments)]
    fn add(
        &self,
        mesh: Bound<'_, PyMesh>,
        pose: Option<&Bound<'_, PyAny>>,
        affine: bool,
        baked: bool,
        name: String,
        file: Option<PathBuf>,
        path: Option<String>,
        guid: Option<String>,
        class_: Option<String>,
        properties: Option<&Bound<'_, PyDict>>,
        chord: Option<f64>,
        rounding: Option<f64>,
    ) -> PyResult<usize> {
        let (placed, pose, is_baked) = part::placed(&mesh.get().0, pose, affine)?;
        let properties = properties.map(part::from_dict).transpose()?.unwrap_or_default();
        if !is_baked {
            self.remember(mesh.unbind());
        }
        let file = file.unwrap_or_else(|| PathBuf::from("memory"));
        Ok(self.edit(|assembly| {
            let known = assembly.sources.last().filter(|last| *last.file == *file);
            let file: Arc<Path> = known.map_or_else(|| file.into(), |last| Arc::clone(&last.file));
            let mut part = Part::new(name, file, placed, pose);
            part.baked = baked || is_baked;
            part.path = path.map_or_else(|| Arc::clone(&part.name), Arc::from);
            part.guid = guid.map(Arc::from);
            part.class = class_.map(Arc::from);
            part.properties = properties;
            (part.chord, part.rounding) = (chord, rounding);
            assembly.push(part);
            assembly.parts.len() - 1
        }))
    }
    /// Puts another part into the place of one, without its file.
    fn set_part(&self, index: usize, part: PartTuple<'_>, affine: bool) -> PyResult<()> {
        let (mesh, pose, is_baked) = part::placed(&part.2.get().0, Some(&part.3), affine)?;
        let (name, _, object, _, baked, path, guid, class, properties, chord, rounding) = part;
        let properties = part::from_dict(&properties)?;
        self.at(index)?;
        if !is_baked {
            self.remember(object);
        }
        self.edit(|assembly| {
            if let Some(part) = assembly.parts.get_mut(index) {
                (part.mesh, part.pose, part.baked) = (mesh, pose, baked || is_baked);
                (part.name, part.path) = (name.into(), path.into());
                (part.guid, part.class) = (guid.map(Arc::from), class.map(Arc::from));
                (part.properties, part.chord, part.rounding) = (properties, chord, rounding);
            }
        });
        self.forget();
        Ok(())
    }
    /// Moves a part.
    fn set_pose(&self, index: usize, pose: &Bound<'_, PyAny>, affine: bool) -> PyResult<()> {
        let (mesh, pose, is_baked) = part::placed(&self.at(index)?.mesh, Some(pose), affine)?;
        self.edit(|assembly| {
            if let Some(part) = assembly.parts.get_mut(index) {
                (part.mesh, part.pose) = (mesh, pose);
                part.baked |= is_baked;
                if is_baked {
                    // The bound is that of other points.
                    part.rounding = None;
                }
            }
        });
        Ok(())
    }
    /// The parts with these indices, which must ascend, and all sources.
    fn subset(&self, py: Python<'_>, indices: Vec<usize>) -> PyResult<Self> {
        let all = self.shared();
        let mut some = Assembly::new();
        some.warnings.clone_from(&all.warnings);
        some.omissions.clone_from(&all.omissions);
        some.sources = all.sources.iter().cloned().map(|source| with_parts(source, 0)).collect();
        let mut ends = all.sources.iter().scan(0, |end, source| {
            *end += source.parts;
            Some(*end)
        });
        let (mut at, mut end) = (0, ends.next().unwrap_or_default());
        for index in indices {
            let part = all.parts.get(index).ok_or_else(|| out_of_range(index, all.parts.len()))?;
            while index >= end {
                at += 1;
                end = ends.next().unwrap_or(usize::MAX);
            }
            if let Some(source) = some.sources.get_mut(at) {
                source.parts += 1;
            }
            some.parts.push(part.clone());
        }
        let subset = Self::of(some);
        *lock(&subset.meshes) = self.objects(py)?;
        subset.forget();
        Ok(subset)
    }
    /// The same parts, which can be edited apart.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let meshes = Mutex::new(self.objects(py)?);
        Ok(Self { assembly: Mutex::new(self.shared()), meshes })
    }
    /// Adds the parts, sources, warnings and omissions of another one.
    fn extend(&self, other: &Bound<'_, Self>) -> PyResult<()> {
        let more = other.get().shared();
        for (address, object) in other.get().objects(other.py())? {
            lock(&self.meshes).entry(address).or_insert(object);
        }
        self.edit(|assembly| assembly.append(Assembly::clone(&more)));
        Ok(())
    }
    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        (Vec<PartTuple<'py>>, Vec<SourceTuple>, Vec<WarningTuple>, Vec<OmissionTuple>),
    )> {
        let (py, own) = (slf.py(), slf.get());
        let all = own.shared();
        let part = |part: &Part| part::to_tuple(py, part, own.object(py, &part.mesh)?);
        let parts = all.parts.iter().map(part).collect::<PyResult<_>>()?;
        let sources = all.sources.iter().map(|source| part::source_to_tuple(py, source)).collect();
        let warnings = all.warnings.iter().map(part::warning_to_tuple).collect();
        let omissions = all.omissions.iter().map(part::omission_to_tuple).collect();
        Ok((slf.get_type().into_any(), (parts, sources, warnings, omissions)))
    }
}

fn with_parts(mut source: Source, parts: usize) -> Source {
    source.parts = parts;
    source
}

fn out_of_range(index: usize, parts: usize) -> PyErr {
    errors::index(format!("there is no part {index}: there are {parts}"))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PyAssembly {
    pub(crate) fn of(assembly: Assembly) -> Self {
        Self { assembly: Mutex::new(Arc::new(assembly)), meshes: Mutex::default() }
    }
    /// The present state, which later edits do not change.
    pub(crate) fn shared(&self) -> Arc<Assembly> {
        Arc::clone(&self.lock())
    }
    fn lock(&self) -> MutexGuard<'_, Arc<Assembly>> {
        lock(&self.assembly)
    }
    fn edit<T>(&self, edit: impl FnOnce(&mut Assembly) -> T) -> T {
        edit(Arc::make_mut(&mut self.lock()))
    }
    fn at(&self, index: usize) -> PyResult<Part> {
        let all = self.lock();
        all.parts.get(index).cloned().ok_or_else(|| out_of_range(index, all.parts.len()))
    }
    /// The Python object of a mesh.
    fn object(&self, py: Python<'_>, mesh: &Arc<Mesh>) -> PyResult<Py<PyMesh>> {
        if let Some(known) = lock(&self.meshes).get(&address(mesh)) {
            return Ok(known.clone_ref(py));
        }
        let new = Py::new(py, PyMesh(Arc::clone(mesh)))?;
        Ok(lock(&self.meshes).entry(address(mesh)).or_insert(new).clone_ref(py))
    }
    fn remember(&self, object: Py<PyMesh>) {
        let address = address(&object.get().0);
        lock(&self.meshes).entry(address).or_insert(object);
    }
    /// The objects of all meshes: a copy has the same ones.
    fn objects(&self, py: Python<'_>) -> PyResult<HashMap<usize, Py<PyMesh>>> {
        let all = self.shared();
        let missing: Vec<&Arc<Mesh>> = {
            let meshes = lock(&self.meshes);
            let each = all.parts.iter().map(|part| &part.mesh);
            each.filter(|mesh| !meshes.contains_key(&address(mesh))).collect()
        };
        for mesh in missing {
            self.object(py, mesh)?;
        }
        let meshes = lock(&self.meshes);
        Ok(meshes.iter().map(|(&address, object)| (address, object.clone_ref(py))).collect())
    }
    /// Drops objects of meshes that no part has, if they are many.
    fn forget(&self) {
        let all = self.shared();
        let mut meshes = lock(&self.meshes);
        if meshes.len() <= all.parts.len() {
            return;
        }
        let mut used: HashMap<usize, Py<PyMesh>> = HashMap::new();
        for part in &all.parts {
            let address = address(&part.mesh);
            if let Some(object) = meshes.remove(&address) {
                used.insert(address, object);
            }
        }
        let unused = std::mem::replace(&mut *meshes, used);
        drop(meshes);
        // Large meshes may be freed here, without the lock.
        drop(unused);
    }
}
