//! `impinge plan`: an assembly, stored so that many workers can check it, and cut into tasks.
mod cut;
mod folder;
pub(crate) mod mesh;
mod parts;
pub(crate) mod result;
mod store;
mod task;
mod tiles;

pub(crate) use self::{
    folder::{Folder, Manifest},
    task::Task,
};
pub(crate) use parts::{all as all_parts, numbers as part_numbers};
pub(crate) use store::mesh_list;

use self::{
    cut::Cut,
    folder::{About, TaskEntry},
    store::{Store, StoredParts},
    task::TaskPart,
};
use crate::{
    args, candidates,
    digest::Digest,
    input,
    output::Sink,
    parallel,
    progress::Progress,
    question::{Asked, Question},
    report,
    subject::Inputs,
    unfinished::Unfinished,
};
use anyhow::{Context, bail};
use clap::Args;
use impinge_io::Part;
use rayon::ThreadPool;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

const NOTES: &str = "\
Examples:
  impinge plan hall.glb pipes.obj -o plan      as many tasks as it takes
  impinge plan hall.glb -o plan --tasks 1000   1,000 tasks, 0 to 999
  impinge plan hall.glb -o plan --memory 2G    meshes of a task take at most 2 GiB
  impinge plan hall.glb -o plan --clearance 5  options of `impinge check` ask the same here
  impinge work plan --all                      then do the tasks, here or elsewhere,
  impinge merge plan -o clashes.json           and put the results together

docs/many-machines.md in the source describes the folder, and how to use it with xargs, make, Slurm and
Kubernetes.";

/// Cut a check into tasks for many processes or machines.
///
/// Reads the FILEs once, one after the other, and writes all that workers need into a folder: each distinct
/// mesh once, the poses, and for each task the pairs of parts that it is to decide. Every pair of parts whose
/// boxes overlap is in exactly one task. `impinge work` does tasks; `impinge merge` writes the same bytes as
/// a single `impinge check`.
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Plan {
    #[command(flatten)]
    inputs: Inputs,

    /// The folder to write: it must not exist, or be empty.
    #[arg(long, short, value_name = "PLAN")]
    output: PathBuf,

    /// How many tasks of about the same cost. Some may be empty.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "memory",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    tasks: Option<u32>,

    /// As many tasks as it takes for the distinct meshes of each to take at most SIZE bytes in their files
    /// (K, M, G: powers of 1024), and for each to be done in some seconds by one core. A worker needs
    /// several times that memory. A pair of larger meshes is a task by itself. 256M, if nothing is said.
    #[arg(long, value_name = "SIZE", value_parser = args::size)]
    memory: Option<u64>,

    /// Boxes of parts that take more than SIZE bytes, 52 each, go to files and are compared tile by tile. The
    /// plan is the same.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = args::size)]
    box_memory: u64,

    #[command(flatten)]
    question: Question,

    /// Threads to work with; 0 means as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads())]
    threads: u16,

    #[command(flatten)]
    reading: args::Reading,
}

/// The default size of the meshes of a task.
const MEMORY: u64 = 256 << 20;

impl Plan {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (_, said) = self.write(Progress::new())?;
        Sink::Stdout.write(|out| Ok(writeln!(out, "{}", report::folded(&said, Sink::Stdout.columns()))?))
    }

    /// Writes the plan: how many tasks it has, and what there is to say of it.
    pub(crate) fn write(self, progress: Progress) -> anyhow::Result<(u32, String)> {
        let asked = self.question.asked()?;
        let pool = parallel::pool(self.threads)?;
        let folder = Folder::new(&self.output);
        let was_there = folder.create()?;
        let _unfinished = Unfinished::new(folder.path(), was_there);
        let written = self.fill(&folder, &asked, &pool, progress);
        if written.is_err() {
            folder.clear(was_there);
        }
        written
    }

    /// Writes all of it into a folder.
    fn fill(
        self,
        folder: &Folder,
        asked: &Asked,
        pool: &ThreadPool,
        progress: Progress,
    ) -> anyhow::Result<(u32, String)> {
        let mut store = Store::new(folder, asked, self.box_memory)?;
        let mut warnings = Vec::new();
        let about = match self.inputs.built_in(&self.reading)? {
            Some(built_in) => {
                store.add(&built_in.load().0, built_in.file(), pool, &progress)?;
                About::Demo(built_in)
            }
            None => {
                let paths = self.inputs.paths();
                if let Some(path) = paths.iter().find(|path| path.to_str().is_none()) {
                    bail!("{}: a plan holds only file names in UTF-8", path.display());
                }
                let mut second = None;
                let take = |path: &Path, parts: Vec<Part>| {
                    second.get_or_insert(parts.len() as u64);
                    store.add(&parts, &path.to_string_lossy(), pool, &Progress::silent())
                };
                warnings = input::read_in_turn(paths, &self.reading, (pool, &progress), take)?;
                let second = second.unwrap_or_default();
                warnings.extend(store.units());
                if self.inputs.between.is_some() { About::Across { second } } else { About::All }
            }
        };
        input::print_warnings(&warnings, &progress);
        let (boxes, curve, stored) = store.finish()?;
        let subject = about.subject()?;
        progress.stage("which boxes meet, boxes", stored.mesh_of.len() as u64);
        let limits = (asked.reach(), asked.max_pairs);
        let pairs = boxes.pairs(&subject, limits, |pair, corner| (curve.place(corner), pair))?;
        if asked.reach().is_some() {
            candidates::within_limit(pairs.len(), limits)?;
        }
        let pairs = cut::in_order(pairs, pool);
        let cut = match self.tasks {
            Some(count) => Cut::Tasks(count),
            None => Cut::Memory(self.memory.unwrap_or(MEMORY)),
        };
        let (ranges, over) = cut::tasks(&pairs, &stored.mesh_of, &stored.weights, cut);
        let solids = if asked.rule.is_some() { told(&pairs, &ranges, &stored) } else { BTreeMap::new() };
        progress.stage("writing tasks", ranges.len() as u64);
        let tasks = parallel::in_order(
            pool,
            ranges.len(),
            || (),
            |(), k| {
                let told = solids.get(&k).map_or([].as_slice(), Vec::as_slice);
                let entry = write_task(folder, k as u32, &pairs[ranges[k].clone()], told, &stored);
                progress.step(1);
                entry
            },
        );
        let tasks = tasks.into_iter().collect::<anyhow::Result<Vec<TaskEntry>>>()?;
        drop(progress);
        let (parts, meshes) = (stored.mesh_of.len() as u64, stored.weights.len() as u64);
        let counts = (parts, pairs.len() as u64, stored.size);
        let count = tasks.len() as u64;
        let files = stored.files;
        Manifest::new(self.question, about, (files, warnings), counts, stored.digests, tasks)
            .write(folder)?;
        let mut said = format!(
            "{} of {}, {} whose boxes overlap, {}. Written to {}.",
            report::count(parts, "part"),
            report::count_of(meshes, "mesh", "meshes"),
            report::count(counts.1, "pair"),
            report::count(count, "task"),
            report::printable(&self.output.to_string_lossy()),
        );
        if over > 0 {
            said += &format!(
                " {} more memory than that: a single pair does.",
                report::count(over, "task") + if over == 1 { " takes" } else { " take" }
            );
        }
        Ok((count as u32, said))
    }
}

/// For each task the meshes whose solids it examines: the first task that has the mesh examines it. Meshes
/// that no task has are shared out.
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
    // Everything that is looked up was put there just before.
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
