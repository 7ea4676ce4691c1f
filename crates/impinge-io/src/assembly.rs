//! [`Assembly`], the parts of a file, and [`Sink`], which the readers write to.
use crate::{
    Error, Limits, Warning,
    budget::Budget,
    error::{Kind, Place},
    quote::quoted,
};
use foldhash::HashMap;
use impinge::{Mesh, Pose, pose};
use std::{path::Path, sync::Arc};

/// One part of an assembly: a mesh, possibly shared with other parts, at a pose.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Name in the file, or one made from the file's name. Instances of one object share it.
    pub name: Arc<str>,
    /// Path of the file, as the caller gave it.
    pub file: Arc<Path>,
    /// Triangles. Instances of one mesh share it.
    pub mesh: Arc<Mesh>,
    /// Pose of the part; always rigid.
    pub pose: Pose,
    /// True if the reader applied a transform that is not rigid to the mesh.
    pub baked: bool,
}

impl Part {
    /// Makes a part that came from no reader; `file` names its origin.
    pub fn new(
        name: impl Into<Arc<str>>,
        file: impl Into<Arc<Path>>,
        mesh: impl Into<Arc<Mesh>>,
        pose: Pose,
    ) -> Self {
        Self { name: name.into(), file: file.into(), mesh: mesh.into(), pose, baked: false }
    }
}

/// The parts of one or more files, in file order. Every part has at least one triangle.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Assembly {
    /// Parts, in file order.
    pub parts: Vec<Part>,
    /// Warnings: content of the files that the readers skipped or doubt.
    pub warnings: Vec<Warning>,
}

impl Assembly {
    /// Appends the parts and the warnings of another file.
    pub fn append(&mut self, mut other: Self) {
        self.parts.append(&mut other.parts);
        self.warnings.append(&mut other.warnings);
    }
    /// Number of triangles of all parts; those of a shared mesh count once for every part.
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|part| part.mesh.len()).sum()
    }
}

/// A map x = `rows` v + `t`, as a file's hierarchy gives it. Its numbers may be anything, also not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) rows: [[f64; 3]; 3],
    pub(crate) t: [f64; 3],
}

impl Affine {
    pub(crate) const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };

    /// Composition: `inner` first, then `self`. The product is computed in f64, and is exact from then on.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        let rows = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| self.rows[i][k] * inner.rows[k][j]).sum())
        });
        let t =
            std::array::from_fn(|i| (0..3).map(|k| self.rows[i][k] * inner.t[k]).sum::<f64>() + self.t[i]);
        Self { rows, t }
    }
    fn bits(&self) -> [u64; 12] {
        std::array::from_fn(|i| if i < 9 { self.rows[i / 3][i % 3] } else { self.t[i - 9] }.to_bits())
    }
}

/// Collects the parts of one file.
pub(crate) struct Sink {
    file: Arc<Path>,
    assembly: Assembly,
    baked: HashMap<(usize, [u64; 12]), Arc<Mesh>>,
    pub(crate) budget: Budget,
    /// Name of the first part without a triangle, and number of such parts.
    empty: Option<(Arc<str>, u64)>,
}

/// Runs a reader on a new sink and adds the file's name to its error.
pub(crate) fn collect(
    file: &Path,
    limits: Limits,
    input: usize,
    read: impl FnOnce(&mut Sink) -> Result<(), Error>,
) -> Result<Assembly, Error> {
    let mut sink = Sink {
        file: file.into(),
        assembly: Assembly::default(),
        baked: HashMap::default(),
        budget: Budget::new(limits, input),
        empty: None,
    };
    read(&mut sink).and_then(|()| sink.finish()).map_err(|e| e.in_file(file))
}

impl Sink {
    pub(crate) fn warn(&mut self, place: Place, text: impl Into<String>) {
        let file = Arc::clone(&self.file);
        self.assembly.warnings.push(Warning { file, place, text: text.into() });
    }
    /// Adds a part with the identity pose. An empty name becomes the file's; a part without a triangle
    /// becomes a
    /// warning.
    pub(crate) fn part(&mut self, name: impl Into<Arc<str>>, mesh: Mesh) -> Result<(), Error> {
        self.push(name.into(), Arc::new(mesh), Pose::IDENTITY, false)
    }
    /// Adds the only part of a file that names none.
    pub(crate) fn whole(&mut self, mesh: Mesh) -> Result<(), Error> {
        // `finish` refuses a file without a triangle.
        if mesh.is_empty() { Ok(()) } else { self.part("", mesh) }
    }
    /// Adds a part whose mesh, number `id` of the file, is mapped by `map`. A rigid map becomes the pose. Any
    /// other map is applied to a copy, which equal transforms of the same mesh share.
    pub(crate) fn placed(
        &mut self,
        name: Arc<str>,
        id: usize,
        mesh: &Arc<Mesh>,
        map: &Affine,
    ) -> Result<(), Error> {
        match Pose::rigid(map.rows, map.t) {
            Ok(pose) => self.push(name, Arc::clone(mesh), pose, false),
            Err(e) if e.is_not_finite() => {
                Err(Error::item(format!("part '{}'", quoted(&name)), "its transform is not finite")
                    .because(e))
            }
            Err(_) => {
                let baked = self.bake(&name, id, mesh, map)?;
                self.push(name, baked, Pose::IDENTITY, true)
            }
        }
    }

    fn bake(&mut self, name: &str, id: usize, mesh: &Mesh, map: &Affine) -> Result<Arc<Mesh>, Error> {
        let key = (id, map.bits());
        if let Some(done) = self.baked.get(&key) {
            return Ok(Arc::clone(done));
        }
        // A file of some kilobytes can request a thousand copies of its mesh at a thousand scales.
        let place = || Place::Item(format!("part '{}', a scaled or mirrored copy", quoted(name)));
        self.budget.points(mesh.points().len() as u64, place)?;
        self.budget.triangles(mesh.len() as u64, place)?;
        self.budget.copy(mesh, place)?;
        let points = mesh.points().iter().map(|&v| pose::place(&map.rows, &map.t, v)).collect();
        let baked = Mesh::new(points, mesh.triangles().to_vec()).map_err(|e| {
            let place = format!("part '{}'", quoted(name));
            Error::item(place, "its transform moves a point out of f64's range").because(e)
        })?;
        let baked = Arc::new(baked);
        self.baked.insert(key, Arc::clone(&baked));
        Ok(baked)
    }

    fn push(&mut self, name: Arc<str>, mesh: Arc<Mesh>, pose: Pose, baked: bool) -> Result<(), Error> {
        if mesh.is_empty() {
            self.empty.get_or_insert((name, 0)).1 += 1;
            return Ok(());
        }
        self.budget.parts(self.assembly.parts.len() + 1)?;
        self.assembly.parts.push(Part { name, file: Arc::clone(&self.file), mesh, pose, baked });
        Ok(())
    }

    fn finish(mut self) -> Result<Assembly, Error> {
        if let Some((name, count)) = self.empty.take() {
            let name =
                if name.is_empty() { "without a name".to_owned() } else { format!("'{}'", quoted(&name)) };
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            let what = format!("has no triangle and is skipped{more}");
            self.warn(Place::Item(format!("part {name}")), what);
        }
        if self.assembly.parts.is_empty() {
            let warnings = self.assembly.warnings.iter().map(|w| format!("{}{}", w.place, w.text));
            // Repeat only a few of the warnings: a file may have thousands.
            let found: Vec<_> = warnings.take(3).collect();
            let found = if found.is_empty() { String::new() } else { format!(" ({})", found.join("; ")) };
            return Err(Error::new(
                Kind::NoTriangles,
                Place::File,
                format!("the file has no triangle{found}"),
            ));
        }
        let stem = self.file.file_stem().map_or_else(|| "part".into(), |s| s.to_string_lossy());
        let only = self.assembly.parts.len() == 1;
        for (i, part) in self.assembly.parts.iter_mut().enumerate() {
            if part.name.is_empty() {
                part.name = if only { stem.as_ref().into() } else { format!("{stem} {}", i + 1).into() };
            }
        }
        Ok(self.assembly)
    }
}

/// A mesh of the points that its triangles use, in the file's order. A point that no triangle names must not
/// enlarge the part's box.
///
/// # Errors
/// The errors of [`Mesh::new`].
pub(crate) fn used_points(
    mut points: Vec<[f64; 3]>,
    mut triangles: Vec<[u32; 3]>,
) -> Result<Mesh, impinge::Error> {
    let mut used = vec![false; points.len()];
    for &i in triangles.as_flattened() {
        // `Mesh::new` refuses an index out of range.
        match used.get_mut(i as usize) {
            Some(used) => *used = true,
            None => return Mesh::new(points, triangles),
        }
    }
    if used.contains(&false) {
        let mut kept = 0;
        let new: Vec<u32> = used
            .iter()
            .map(|&u| {
                if u {
                    kept += 1;
                    kept - 1
                } else {
                    0
                }
            })
            .collect();
        triangles.as_flattened_mut().iter_mut().for_each(|i| *i = new[*i as usize]);
        let mut used = used.iter();
        points.retain(|_| used.next() == Some(&true));
        points.shrink_to_fit();
    }
    Mesh::new(points, triangles)
}
