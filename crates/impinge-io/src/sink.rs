//! [`Sink`], which collects the parts that a reader finds in one file.
use crate::{
    Assembly, Axis, Error, Format, Limits, Part, Source, Unit, Warning,
    affine::Affine,
    budget::Budget,
    error::{Place, ReadErrorKind},
    quote::quoted,
    rounding,
};
use foldhash::HashMap;
use impinge::{ErrorKind, Mesh, Pose, pose};
use std::{path::Path, sync::Arc};

/// Name, path and identifier that a file gives a part.
pub(crate) struct Label {
    pub(crate) name: Arc<str>,
    /// Path from the root of the hierarchy to the name, by [`Sink::path`].
    pub(crate) path: Arc<str>,
    pub(crate) guid: Option<Arc<str>>,
}

impl Label {
    /// Label of a part outside of any hierarchy.
    fn new(name: Arc<str>) -> Self {
        Self { path: Arc::clone(&name), name, guid: None }
    }
}

/// Collects the parts of one file.
pub(crate) struct Sink {
    file: Arc<Path>,
    source: Source,
    assembly: Assembly,
    baked: HashMap<(usize, [u64; 12]), Arc<Mesh>>,
    pub(crate) budget: Budget,
    /// Name of the first part without a triangle, and number of such parts.
    empty: Option<(Arc<str>, u64)>,
    /// The path made last: siblings of one name share it.
    last_path: Arc<str>,
    /// Number of paths that were too long to keep.
    lost_paths: u64,
}

/// Runs a reader on a new sink and adds the file's name to its error.
pub(crate) fn collect(
    file: &Path,
    format: Format,
    limits: Limits,
    input: usize,
    read: impl FnOnce(&mut Sink) -> Result<(), Error>,
) -> Result<Assembly, Error> {
    let file: Arc<Path> = file.into();
    let mut sink = Sink {
        source: Source::new(Arc::clone(&file)).with_format(format),
        file: Arc::clone(&file),
        assembly: Assembly::default(),
        baked: HashMap::default(),
        budget: Budget::new(limits, input),
        empty: None,
        last_path: "".into(),
        lost_paths: 0,
    };
    read(&mut sink).and_then(|()| sink.finish()).map_err(|e| e.in_file(&file))
}

impl Sink {
    pub(crate) fn warn(&mut self, place: Place, text: impl Into<String>) {
        let file = Arc::clone(&self.file);
        self.assembly.warnings.push(Warning { file, place, text: text.into() });
    }
    /// Sets the unit and the upward axis of the file.
    pub(crate) fn describe(&mut self, unit: Option<Unit>, up: Option<Axis>) {
        (self.source.unit, self.source.up) = (unit, up);
    }
    /// Path of `name` below the path `outer`, which is empty at the root. If it is too long, returns the
    /// name.
    pub(crate) fn path(&mut self, outer: &str, name: &Arc<str>) -> Arc<str> {
        if outer.is_empty() {
            return Arc::clone(name);
        }
        let bytes = outer.len() + 1 + name.len();
        // A long path is compared only with one of its length: paths that are kept are short.
        if self.last_path.len() == bytes
            && self.last_path.strip_prefix(outer).and_then(|rest| rest.strip_prefix('/')) == Some(name)
        {
            return Arc::clone(&self.last_path);
        }
        if !self.budget.path(bytes) {
            self.lost_paths += 1;
            return Arc::clone(name);
        }
        self.last_path = format!("{outer}/{name}").into();
        Arc::clone(&self.last_path)
    }
    /// Adds a part with the identity pose. An empty name becomes the file's; a part without a triangle
    /// becomes a warning.
    pub(crate) fn part(&mut self, name: impl Into<Arc<str>>, mesh: Mesh) -> Result<(), Error> {
        let name = name.into();
        self.push(Label::new(name), Arc::new(mesh), Pose::IDENTITY, false, None)
    }
    /// Adds the only part of a file whose format has no part names. `rounding` becomes [`Part::rounding`].
    pub(crate) fn whole(&mut self, mesh: Mesh, rounding: Option<f64>) -> Result<(), Error> {
        // `finish` refuses a file without a triangle.
        if mesh.is_empty() {
            return Ok(());
        }
        self.push(Label::new("".into()), Arc::new(mesh), Pose::IDENTITY, false, rounding)
    }
    /// Adds a part: mesh number `id` of the file, mapped by `map`. A rigid map becomes the pose. Any other
    /// map is applied to a copy, which equal transforms of the same mesh share.
    pub(crate) fn placed(
        &mut self,
        label: Label,
        id: usize,
        mesh: &Arc<Mesh>,
        map: &Affine,
        rounding: Option<f64>,
    ) -> Result<(), Error> {
        match Pose::rigid(map.rows, map.t) {
            Ok(pose) => self.push(label, Arc::clone(mesh), pose, false, rounding),
            Err(e) if matches!(e.kind(), ErrorKind::PoseNotFinite { .. }) => {
                Err(Error::item(format!("part '{}'", quoted(&label.name)), "its transform is not finite")
                    .because(e))
            }
            Err(_) => {
                let baked = self.bake(&label.name, id, mesh, map)?;
                let rounding = rounding.map(|bound| rounding::mapped(bound, map));
                self.push(label, baked, Pose::IDENTITY, true, rounding)
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

    fn push(
        &mut self,
        label: Label,
        mesh: Arc<Mesh>,
        pose: Pose,
        baked: bool,
        rounding: Option<f64>,
    ) -> Result<(), Error> {
        if mesh.is_empty() {
            self.empty.get_or_insert((label.name, 0)).1 += 1;
            return Ok(());
        }
        self.budget.parts(self.assembly.parts.len() + 1)?;
        let Label { name, path, guid } = label;
        let part = Part::new(name, Arc::clone(&self.file), mesh, pose);
        self.assembly.parts.push(Part { path, guid, baked, rounding, ..part });
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
        if self.lost_paths > 0 {
            let what =
                format!("{} paths in its hierarchy are too long, and lack the outer names", self.lost_paths);
            self.warn(Place::File, what);
        }
        if self.assembly.parts.is_empty() {
            let warnings = self.assembly.warnings.iter().map(|w| format!("{}{}", w.place, w.text));
            // Repeat only a few of the warnings: a file may have thousands.
            let found: Vec<_> = warnings.take(3).collect();
            let found = if found.is_empty() { String::new() } else { format!(" ({})", found.join("; ")) };
            return Err(Error::new(
                ReadErrorKind::NoTriangles,
                Place::File,
                format!("the file has no triangle{found}"),
            ));
        }
        let stem = self.file.file_stem().map_or_else(|| "part".into(), |s| s.to_string_lossy());
        let only = self.assembly.parts.len() == 1;
        for (i, part) in self.assembly.parts.iter_mut().enumerate() {
            if part.name.is_empty() {
                part.name = if only { stem.as_ref().into() } else { format!("{stem} {}", i + 1).into() };
                // The path of an empty name is empty, or ends in a slash.
                part.path = match &*part.path {
                    "" => Arc::clone(&part.name),
                    outer => format!("{outer}{}", part.name).into(),
                };
            }
        }
        self.source.parts = self.assembly.parts.len();
        self.assembly.sources.push(self.source);
        Ok(self.assembly)
    }
}
