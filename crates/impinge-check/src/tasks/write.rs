//! [`PlanWriter`]: stores an assembly for many workers, and divides its check into tasks.
use super::{
    cut::{self, Cut},
    folder::{About, Folder, Manifest, TaskEntry},
    parts,
    store::{Store, StoredParts},
    task::{Task, TaskPart},
    unfinished::Unfinished,
};
use crate::{
    check::Check,
    pool::Pool,
    question::{pairs::Pairs, settings::Settings},
    sources::{file_units::FileUnits, omission::Omission},
    values::{digest::Digest, error::Error, warning::Warning},
    watch::Watch,
};
use anyhow::{Context, bail};
use impinge_io::{Part, Source};
use std::{collections::BTreeMap, fs, mem, path::Path};

/// The default size of the meshes of a task.
const MEMORY: u64 = 256 << 20;

/// The default size of boxes in memory.
const BOX_MEMORY: u64 = 4 << 30;

/// Options of the division of a check into tasks.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    cut: Cut,
    box_memory: u64,
    label: Option<String>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self { cut: Cut::Memory(MEMORY), box_memory: BOX_MEMORY, label: None }
    }
}

impl PlanOptions {
    /// Tasks whose distinct meshes take at most 256 MiB in their files.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the number of tasks, which have about the same cost. Some may be empty.
    #[must_use]
    pub fn tasks(self, count: u32) -> Self {
        Self { cut: Cut::Tasks(count.max(1)), ..self }
    }
    /// Limits the distinct meshes of each task to `bytes` bytes in their files, and its time to some seconds
    /// on one core. A pair of larger meshes is a task by itself.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { cut: Cut::Memory(bytes), ..self }
    }
    /// Limits the boxes of parts in memory to `bytes` bytes, 52 for each. If they need more, they go to
    /// files. The plan is the same.
    #[must_use]
    pub fn box_memory(self, bytes: u64) -> Self {
        Self { box_memory: bytes, ..self }
    }
    /// Sets the text that [`Plan::label`](crate::tasks::Plan::label) returns.
    #[must_use]
    pub fn label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }
}

/// Stores an assembly in a folder, file by file, and divides its check into tasks.
///
/// An unfinished plan is removed on drop.
///
/// ```
/// use impinge_check::{Assembly, Check, Pairs, Watch, sources::Source, tasks::{Plan, PlanOptions, PlanWriter, Worker}};
/// use std::path::Path;
///
/// let folder = tempfile::tempdir()?;
/// let (path, watch) = (folder.path().join("plan"), Watch::new());
/// let mut writer = PlanWriter::new(&path, &Check::new(), &PlanOptions::new().tasks(2))?;
/// let source = Source::new(Path::new("nothing.obj"));
/// writer.add(&Assembly::default().parts, &source, &watch)?;
/// let planned = writer.finish(&Pairs::All, Vec::new(), &watch)?;
/// let (plan, mut worker) = (Plan::open(&path)?, Worker::new(1)?);
/// for task in 0..planned.tasks {
///     plan.work(task, &mut worker, &watch)?;
/// }
/// assert!(plan.merge(&watch)?.findings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlanWriter {
    folder: Folder,
    was_there: bool,
    settings: Settings,
    options: PlanOptions,
    units: FileUnits,
    pool: Pool,
    store: Option<Store>,
    omissions: Vec<Omission>,
    is_finished: bool,
    _unfinished: Unfinished,
}

/// The numbers of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Planned {
    /// Parts of the assembly.
    pub parts: u64,
    /// Distinct meshes.
    pub meshes: u64,
    /// Pairs of parts whose rounded boxes overlap, or are within the largest distance of the query. The tasks
    /// test them.
    pub pairs: u64,
    /// Tasks, numbered from 0.
    pub tasks: u32,
    /// Tasks whose single pair exceeds the limit of memory.
    pub over: u64,
}

/// Refuses a check that is wrong, or that needs all parts in one process.
fn ensure_tasks_can(check: &Check) -> Result<(), Error> {
    let question = check.question();
    question.settings.validate()?;
    let reason = match () {
        () if question.finds_floating => "groups that float are found",
        () if question.finds_self_intersections => "self-intersections are found",
        () if question.rules.is_some() => "rules are applied",
        () => return Ok(()),
    };
    Err(Error::new(format!("{reason} by one process, not by tasks of a plan")))
}

impl PlanWriter {
    /// Begins a plan in a folder, which must not exist or must be empty.
    ///
    /// # Errors
    /// Errors of [`Check::validate`], a folder that cannot be written, or a check with rules, floating groups
    /// or self-intersections, which tasks do not support.
    pub fn new(folder: &Path, check: &Check, options: &PlanOptions) -> Result<Self, Error> {
        ensure_tasks_can(check)?;
        let pool = check.workers()?;
        let folder = Folder::new(folder);
        let was_there = folder.create()?;
        let unfinished = Unfinished::new(folder.path(), was_there);
        let mut writer = Self {
            folder,
            was_there,
            settings: check.question().settings.clone(),
            options: options.clone(),
            units: FileUnits::new(check.question().unit),
            pool,
            store: None,
            omissions: Vec::new(),
            is_finished: false,
            _unfinished: unfinished,
        };
        writer.store = Some(Store::new(&writer.folder, &writer.settings, options.box_memory)?);
        Ok(writer)
    }
    /// The threads that it works with.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
    /// Replaces the check of [`PlanWriter::new`] before a file is added, since the unit of its lengths may be
    /// known only after the first file is read. The threads stay the same.
    ///
    /// # Errors
    /// Errors of [`PlanWriter::new`], or parts were added before.
    pub fn set_check(&mut self, check: &Check) -> Result<(), Error> {
        ensure_tasks_can(check)?;
        let store = self.store.as_mut().context("a plan that could not be begun")?;
        if !store.is_empty() {
            return Err(Error::new("the check of a plan changes before files are added, not later"));
        }
        store.ask(&check.question().settings)?;
        (self.settings, self.units) =
            (check.question().settings.clone(), FileUnits::new(check.question().unit));
        Ok(())
    }
    /// Adds the parts of a file.
    ///
    /// # Errors
    /// A file cannot be written, or there are more than 2^32 parts.
    pub fn add(&mut self, parts: &[Part], source: &Source, watch: &Watch<'_>) -> Result<(), Error> {
        self.units.add(source);
        let store = self.store.as_mut().context("a plan that could not be begun")?;
        Ok(store.add(parts, source, &self.pool, watch)?)
    }
    /// True if no file was added.
    pub fn is_empty(&self) -> bool {
        self.store.as_ref().is_none_or(Store::is_empty)
    }
    /// The units of the files so far.
    pub fn units(&self) -> &FileUnits {
        &self.units
    }
    /// The corners of the box around all parts so far; `None` without a triangle.
    pub fn extent(&self) -> Option<[[f64; 3]; 2]> {
        self.store.as_ref().and_then(Store::extent)
    }

    /// Adds parts of the files that are missing among the added ones; see [`Report::omissions`].
    ///
    /// [`Report::omissions`]: crate::Report::omissions
    pub fn add_omissions(&mut self, omissions: impl IntoIterator<Item = Omission>) {
        self.omissions.extend(omissions);
    }

    /// Finds the pairs whose boxes meet, and writes the tasks. `warnings` are those of the readers.
    ///
    /// # Errors
    /// A file cannot be written, there are more pairs than the check allows, a chord names parts that do not
    /// exist, or `pairs` is a function, which no file can store.
    pub fn finish(
        mut self,
        pairs: &Pairs,
        warnings: Vec<Warning>,
        watch: &Watch<'_>,
    ) -> Result<Planned, Error> {
        let planned = self.fill(pairs, warnings, watch)?;
        self.is_finished = true;
        Ok(planned)
    }

    /// Warnings about files with different units, upward axes or offsets.
    pub fn unit_warnings(&self) -> Vec<impinge_io::Warning> {
        let mut warnings = self.store.as_ref().map(Store::units).unwrap_or_default();
        warnings.extend(self.units.warning());
        warnings
    }

    fn fill(
        &mut self,
        subject: &Pairs,
        warnings: Vec<Warning>,
        watch: &Watch<'_>,
    ) -> anyhow::Result<Planned> {
        let about = match subject {
            Pairs::All => About::All,
            Pairs::Across { second } => About::Across { second: *second as u64 },
            Pairs::Where(_) => bail!("a plan cannot hold a choice of pairs that is a function"),
        };
        self.units.check()?;
        let pool = &self.pool;
        let store = self.store.take().context("a plan that could not be begun")?;
        let (stated, offsets) = (store.stated(), store.offsets());
        let asked = self.settings.asked_of_largest(stated, 0)?;
        let (boxes, curve, stored) = store.finish(&asked)?;
        watch.stage("finding boxes that meet, boxes", stored.mesh_of.len() as u64);
        let limit = asked.pair_limit();
        let pairs = boxes.pairs(subject, limit, |pair, corner| (curve.place(corner), pair))?;
        if limit.reach.is_some() {
            limit.allows(pairs.len())?;
        }
        let pairs = cut::in_order(pairs, pool);
        let (ranges, over) = cut::tasks(&pairs, &stored.mesh_of, &stored.weights, self.options.cut);
        let solids = if asked.rule.is_some() { told(&pairs, &ranges, &stored) } else { BTreeMap::new() };
        watch.stage("writing tasks", ranges.len() as u64);
        let write = |(): &mut (), k: usize| {
            watch.check()?;
            let told = solids.get(&k).map_or([].as_slice(), Vec::as_slice);
            let entry = write_task(&self.folder, k as u32, &pairs[ranges[k].clone()], told, &stored);
            watch.step(1);
            entry
        };
        let tasks = pool.in_order(ranges.len(), || (), write);
        let tasks = tasks.into_iter().collect::<anyhow::Result<Vec<TaskEntry>>>()?;
        let planned = Planned {
            parts: stored.mesh_of.len() as u64,
            meshes: stored.weights.len() as u64,
            pairs: pairs.len() as u64,
            tasks: tasks.len() as u32,
            over,
        };
        let (layout, impinge) = Manifest::versions();
        let bits = |point: [f64; 3]| point.map(f64::to_bits);
        let manifest = Manifest {
            layout,
            impinge,
            question: self.settings.clone(),
            stated_bits: stated.map(|stated| stated.get().to_bits()),
            about,
            label: self.options.label.take(),
            files: stored.files,
            warnings,
            omissions: mem::take(&mut self.omissions),
            offset_bits: offsets.into_iter().map(|one| (one.file, bits(one.offset))).collect(),
            parts: planned.parts,
            pairs: planned.pairs,
            extent_bits: stored.extent.map(|corners| corners.map(bits)),
            unit: self.units.known(),
            digests: stored.digests,
            tasks,
        };
        manifest.write(&self.folder)?;
        Ok(planned)
    }
}

impl Drop for PlanWriter {
    fn drop(&mut self) {
        if !mem::replace(&mut self.is_finished, true) {
            self.folder.clear(self.was_there);
        }
    }
}

/// The meshes whose solids each task examines. The first task with a mesh examines it. Meshes of no task are
/// distributed over all tasks.
fn told(
    pairs: &[[u32; 2]],
    ranges: &[std::ops::Range<usize>],
    stored: &StoredParts,
) -> BTreeMap<usize, Vec<u32>> {
    let mut told: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    let mut is_told = vec![false; stored.weights.len()];
    for (k, range) in ranges.iter().enumerate() {
        for part in pairs[range.clone()].as_flattened() {
            let mesh = stored.mesh_of[*part as usize];
            if !std::mem::replace(&mut is_told[mesh as usize], true) {
                told.entry(k).or_default().push(mesh);
            }
        }
    }
    let left = (0..).zip(&is_told).filter(|(_, is_told)| !**is_told).map(|(mesh, _)| mesh);
    let left: Vec<u32> = left.collect();
    for (k, meshes) in left.chunks(left.len().div_ceil(ranges.len()).max(1)).enumerate() {
        told.entry(k).or_default().extend(meshes);
    }
    told.values_mut().for_each(|meshes| meshes.sort_unstable());
    told
}

fn write_task(
    folder: &Folder,
    k: u32,
    pairs: &[[u32; 2]],
    told: &[u32],
    stored: &StoredParts,
) -> anyhow::Result<TaskEntry> {
    let mut parts: Vec<u32> = pairs.as_flattened().to_vec();
    parts.sort_unstable();
    parts.dedup();
    let mut meshes: Vec<u32> = parts.iter().map(|&part| stored.mesh_of[part as usize]).collect();
    meshes.sort_unstable();
    meshes.dedup();
    // The lists contain every value that is searched.
    let place = |list: &[u32], x: u32| list.binary_search(&x).unwrap_or_default() as u32;
    let placed = parts::some(&stored.path, &parts)?;
    let part = |(&part, placed): (&u32, parts::Placed)| {
        TaskPart::new(part, place(&meshes, placed.mesh), &placed.pose)
    };
    let digest = |mesh: u32| stored.meshes[mesh as usize];
    let chord = |&part: &u32| stored.chords.get(part as usize).copied();
    let task = Task {
        parts: parts.iter().zip(placed).map(part).collect(),
        meshes: meshes.iter().map(|&mesh| digest(mesh)).collect(),
        pairs: {
            let mut own: Vec<_> = pairs.iter().map(|pair| pair.map(|part| place(&parts, part))).collect();
            own.sort_unstable();
            own
        },
        solids: told.iter().map(|&mesh| (mesh, digest(mesh))).collect(),
        chords: parts.iter().filter_map(chord).collect(),
    };
    let bytes = postcard::to_extend(&task, Vec::new())?;
    let path = folder.task(k);
    fs::write(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(TaskEntry { digest: Digest::of(&bytes), pairs: pairs.len() as u64 })
}
