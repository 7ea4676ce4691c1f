//! Execution of one task of a plan.
use super::{
    open::Plan,
    result::{self, Expected, TaskResult, Written},
    task::Task,
};
use crate::{
    files::mesh_file,
    parts::{SolidFacts, build_options::of_parts},
    pool::Pool,
    records::{
        bodies::{self, Bodies},
        candidates::Candidates,
        decide,
        run::Run,
    },
    values::{digest::Digest, error::Error},
    watch::Watch,
};
use anyhow::bail;
use impinge::Model;
use impinge_io::Part;
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

/// A worker that does tasks of plans. It keeps the meshes of its last task, which the next one may need, too.
pub struct Worker {
    pool: Pool,
    kept: Kept,
}

impl Worker {
    /// A worker with `threads` threads; 0 for as many as there are cores.
    ///
    /// # Errors
    /// The system refuses to start the threads.
    pub fn new(threads: u16) -> Result<Self, Error> {
        Ok(Self::of(Pool::new(threads)?))
    }
    /// A worker with the threads of a pool.
    pub fn of(pool: Pool) -> Self {
        Self { pool, kept: Kept::new() }
    }
}

/// Results of a task. The numbers have the names of [`Coverage`](crate::report::Coverage). The sums over all
/// tasks are the numbers of the merged report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TaskDone {
    /// Pairs of parts whose exact boxes overlap. All of them were tested.
    pub tested: u64,
    /// Pairs whose triangles meet.
    pub clashing: u64,
    /// Pairs without triangles that meet, where one part is inside the other; `None` if the plan is about
    /// surfaces.
    pub inside_without_contact: Option<u64>,
    /// Numbers of a plan with distances.
    pub distances: Option<TaskDistances>,
    /// The file with its result.
    pub file: PathBuf,
    /// True if the file was written; false if it existed, with the same result.
    pub is_new: bool,
}

/// The distances of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskDistances {
    /// Pairs whose boxes are within the largest distance of the query. All of them were tested.
    pub boxes_within: u64,
    /// Pairs that are listed as near; `None` if the plan has no clearance, and near pairs are only counted.
    pub near: Option<u64>,
}

impl Plan {
    /// Does a task, and writes its result into the folder. A task that has a result is done again, and must
    /// have the same result. A run that `watch` stops writes nothing.
    ///
    /// # Errors
    /// There is no such task, a file is damaged or cannot be written, or the run was stopped.
    pub fn work(&self, task: u32, worker: &mut Worker, watch: &Watch<'_>) -> Result<TaskDone, Error> {
        Ok(self::task(self, task, worker, watch)?)
    }
}

fn task(plan: &Plan, k: u32, worker: &mut Worker, watch: &Watch<'_>) -> anyhow::Result<TaskDone> {
    let Plan { folder, manifest, asked, .. } = plan;
    let count = manifest.tasks.len();
    let Some(entry) = manifest.tasks.get(k as usize) else {
        bail!("there is no task {k}: the plan has {count}, numbered from 0");
    };
    let expected = plan.expected(k, entry);
    let result = decided(plan, &expected, worker, watch)?;
    let written = result::write(folder, &expected, &result.encode()?)?;
    let [clashing, inside_without_contact] = result.touching();
    let limit = asked.clearance.as_ref().and_then(|clearance| clearance.limit);
    let distances =
        result.near().map(|(near, boxes_within)| TaskDistances { boxes_within, near: limit.map(|_| near) });
    Ok(TaskDone {
        tested: result.boxes_overlap,
        clashing,
        inside_without_contact: asked.rule.map(|_| inside_without_contact),
        distances,
        file: folder.result(k),
        is_new: matches!(written, Written::New),
    })
}

/// The models of a task, which the next one may need, too, since neighbours on the curve often have the same
/// meshes. A model keeps computed properties, such as its solid. No result depends on them.
type Kept = HashMap<Digest, Arc<Model>>;

/// The model of each mesh of a task. Drops the other models of the last task.
fn models(
    plan: &Plan,
    meshes: &[Digest],
    worker: &mut Worker,
    watch: &Watch<'_>,
) -> anyhow::Result<Vec<Arc<Model>>> {
    let Worker { pool, kept } = worker;
    let needed: HashSet<&Digest> = meshes.iter().collect();
    kept.retain(|digest, _| needed.contains(digest));
    let missing: Vec<Digest> = meshes.iter().copied().filter(|digest| !kept.contains_key(digest)).collect();
    watch.stage("making meshes ready", missing.len() as u64);
    let built = pool.each(&missing, |&digest| {
        let model = Model::with_options(mesh_file::read(&plan.folder.meshes(), digest)?, &of_parts());
        watch.step(1);
        anyhow::Ok(Arc::new(model))
    });
    for (digest, model) in missing.into_iter().zip(built) {
        kept.insert(digest, model?);
    }
    let models: Vec<Arc<Model>> = meshes.iter().map(|digest| Arc::clone(&kept[digest])).collect();
    if plan.asked.rule.is_some() {
        bodies::solids(&models, pool, watch)?;
    }
    Ok(models)
}

/// The result of a task, a pure function of the plan and the number of the task.
fn decided(
    plan: &Plan,
    expected: &Expected,
    worker: &mut Worker,
    watch: &Watch<'_>,
) -> anyhow::Result<TaskResult> {
    let Plan { folder, asked, .. } = plan;
    let task = Task::read(folder, expected.k, expected.task)?;
    let of_mesh = models(plan, &task.meshes, worker, watch)?;
    let Worker { pool, kept } = worker;
    let parts: Vec<Part> = task.parts(&of_mesh)?;
    let models: Vec<Arc<Model>> =
        task.parts.iter().map(|part| Arc::clone(&of_mesh[part.mesh as usize])).collect();
    let tolerances = asked.chord.as_ref().map(|chord| task.tolerances(chord)).transpose()?;
    let run = Run { parts: &parts, asked, tolerances, pool, watch };
    let Candidates { mut list, ledger, extents } = Candidates::of_pairs(&run, task.pairs);
    let bodies = Bodies { parts: &parts, models: &models };
    let mut found = decide::all(&run, bodies, &mut list, false)?;
    found.ledger = decide::complete(&run, ledger, &list, &extents, &[]);
    if !found.not_examined().is_empty() {
        bail!("the task was stopped before it was done");
    }
    let mut solids = Vec::new();
    for &(number, digest) in &task.solids {
        let solid = match kept.get(&digest) {
            Some(model) => SolidFacts::new(model.solid()),
            // No part of this task has the mesh: examine it and drop it.
            None => {
                let model = Model::with_options(mesh_file::read(&folder.meshes(), digest)?, &of_parts());
                SolidFacts::new(pool.install(|| model.solid()))
            }
        };
        solids.push((number, solid));
    }
    let numbers: Vec<u32> = task.parts.iter().map(|part| part.part).collect();
    Ok(TaskResult::new(expected, &numbers, &found, solids))
}
