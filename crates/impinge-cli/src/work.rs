//! `impinge work`: decides the pairs of tasks of a plan.
use crate::{
    args,
    candidates::Candidates,
    clashes,
    digest::Digest,
    facts::SolidFacts,
    output::Sink,
    parallel, pipeline,
    plan::{
        Folder, Manifest, Task, mesh,
        result::{self, Expected, TaskResult, Written},
    },
    progress::Progress,
    question::Asked,
    report,
};
use anyhow::bail;
use clap::{ArgGroup, Args};
use impinge::Model;
use impinge_io::Part;
use rayon::ThreadPool;
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

const NOTES: &str = "\
Examples:
  impinge work plan --task 17            one task
  impinge work plan --task 0-99          tasks 0 to 99
  impinge work plan --all                all that have no result yet, one after the other
  seq 0 999 | xargs -P 8 -I {} impinge work plan --task {} --threads 1

A task that has a result already is done again, and must give the same result.
Exit status: 0 the tasks are done, whatever was found, 2 one could not be done.";

/// Do tasks of a plan: decide what their pairs of parts are to each other.
///
/// Reads only the plan's folder, writes only the result of each task into it, whole or not at all, and holds
/// the meshes of one task at a time in memory. The result is the same for every number of threads, and on
/// every machine.
#[derive(Args)]
#[command(after_help = NOTES)]
#[command(group(ArgGroup::new("which").required(true).args(["task", "all"])))]
pub(crate) struct Work {
    /// The folder that `impinge plan` wrote.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// Which tasks, numbered from 0: K, or A-B for all from A to B. It can be given several times.
    #[arg(long, value_name = "K", value_parser = tasks)]
    task: Vec<[u32; 2]>,

    /// All tasks that have no result yet.
    #[arg(long)]
    all: bool,

    /// Threads to work with; 0 means as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads())]
    threads: u16,
}

/// A number, or two with a dash between them.
fn tasks(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| "not a number of a task, nor two, as 3-10");
    let [first, last] = match text.split_once('-') {
        Some((first, last)) => [number(first)?, number(last)?],
        None => [number(text)?; 2],
    };
    if first > last { Err("the first is behind the last".to_owned()) } else { Ok([first, last]) }
}

impl Work {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.each(Progress::new, say)
    }

    /// Does the tasks, and reports the outcome of each.
    pub(crate) fn each(
        self,
        progress: impl Fn() -> Progress,
        mut say: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let folder = Folder::new(&self.plan);
        let (manifest, plan) = folder.read()?;
        let asked = manifest.question.asked()?;
        let count = manifest.tasks.len() as u32;
        if let Some([_, last]) = self.task.iter().find(|[_, last]| *last >= count) {
            bail!("there is no task {last}: the plan has {count}, numbered from 0");
        }
        let is_missing = |k: &u32| !folder.result(*k).exists();
        let all = (0..count).filter(|k| self.all && is_missing(k));
        let tasks = self.task.iter().flat_map(|&[first, last]| first..=last).chain(all);
        let pool = parallel::pool(self.threads)?;
        let (mut kept, mut is_none) = (Kept::new(), true);
        for k in tasks {
            let entry = &manifest.tasks[k as usize];
            let expected =
                Expected { plan, task: entry.digest, k, pairs: entry.pairs, parts: manifest.parts };
            let result = decide(&folder, &manifest, &asked, &expected, (&pool, &progress(), &mut kept))?;
            let written = result::write(&folder, &expected, &result.encode()?)?;
            let verdict = match written {
                Written::New => "Written to",
                Written::Same => "The same is in",
            };
            say(&format!(
                "Task {k} of {count}: {} looked at, {}. {verdict} {}.",
                report::count(result.pairs, "pair"),
                report::count_of(result.clashes() as u64, "clash", "clashes"),
                report::printable(&folder.result(k).to_string_lossy()),
            ))?;
            is_none = false;
        }
        if is_none {
            say(&format!("Nothing left to do: all {count} tasks have results."))?;
        }
        Ok(())
    }
}

fn say(text: &str) -> anyhow::Result<()> {
    Sink::Stdout.write(|out| Ok(writeln!(out, "{}", report::folded(text, Sink::Stdout.columns()))?))
}

/// The models of a task, which the next one may need, too: neighbours on the curve have the same meshes. A
/// model keeps computed properties, such as the solid that it bounds. No result depends on them.
type Kept = HashMap<Digest, Arc<Model>>;

/// The model of each mesh of a task; of those of the last task, the others are dropped.
fn models(
    folder: &Folder,
    meshes: &[Digest],
    asked: &Asked,
    kept: &mut Kept,
    (pool, progress): (&ThreadPool, &Progress),
) -> anyhow::Result<Vec<Arc<Model>>> {
    let needed: HashSet<&Digest> = meshes.iter().collect();
    kept.retain(|digest, _| needed.contains(digest));
    let missing: Vec<Digest> = meshes.iter().copied().filter(|digest| !kept.contains_key(digest)).collect();
    progress.stage("making meshes ready", missing.len() as u64);
    let built = parallel::each(pool, &missing, |&digest| {
        let model = asked.options.build(mesh::read(&folder.meshes(), digest)?)?;
        progress.step(1);
        anyhow::Ok(Arc::new(model))
    });
    for (digest, model) in missing.into_iter().zip(built) {
        kept.insert(digest, model?);
    }
    let models: Vec<Arc<Model>> = meshes.iter().map(|digest| Arc::clone(&kept[digest])).collect();
    if asked.rule.is_some() {
        clashes::solids(&models, pool, progress);
    }
    Ok(models)
}

/// A pure function of the plan and the number of the task.
fn decide(
    folder: &Folder,
    manifest: &Manifest,
    asked: &Asked,
    expected: &Expected,
    (pool, progress, kept): (&ThreadPool, &Progress, &mut Kept),
) -> anyhow::Result<TaskResult> {
    let task = Task::read(folder, expected.k, manifest.tasks[expected.k as usize].digest)?;
    let of_mesh = models(folder, &task.meshes, asked, kept, (pool, progress))?;
    let parts: Vec<Part> = task.parts(&of_mesh)?;
    let models: Vec<Arc<Model>> =
        task.parts.iter().map(|part| Arc::clone(&of_mesh[part.mesh as usize])).collect();
    let tolerances = asked.chord.as_ref().map(|chord| task.tolerances(chord)).transpose()?;
    let candidates = Candidates::of_pairs(&parts, task.pairs, asked.reach(), pool, progress);
    let found =
        pipeline::decide((&parts, &models), candidates, (asked, tolerances.as_ref()), pool, progress)?;
    let mut solids = Vec::new();
    for &(number, digest) in &task.solids {
        let solid = match kept.get(&digest) {
            Some(model) => SolidFacts::new(model.solid()),
            // No part of this task has the mesh: examine it and drop it.
            None => {
                let model = asked.options.build(mesh::read(&folder.meshes(), digest)?)?;
                SolidFacts::new(pool.install(|| model.solid()))
            }
        };
        solids.push((number, solid));
    }
    let numbers: Vec<u32> = task.parts.iter().map(|part| part.part).collect();
    Ok(TaskResult::new(expected, &numbers, &found, solids))
}

#[cfg(test)]
mod tests {
    use super::tasks;

    #[test]
    fn tasks_are_a_number_or_two() {
        assert_eq!(tasks("3"), Ok([3, 3]));
        assert_eq!(tasks("3-10"), Ok([3, 10]));
        for wrong in ["", "-", "3-", "-3", "3-2", "3..4", "x", "4294967296"] {
            assert!(tasks(wrong).is_err(), "{wrong}");
        }
    }
}
