//! `impinge merge`: puts the results of a plan's tasks together.
use crate::{
    candidates,
    check::Writing,
    digest::Digest,
    facts::{Facts, MeshFacts, SolidFacts},
    finding::{Finding, Kinds},
    found::Collected,
    input,
    outcome::Report,
    output::Sink,
    plan::{
        self, Folder, Manifest,
        result::{self, Expected, TaskResult},
    },
    progress::Progress,
    question::Asked,
};
use anyhow::{Context, bail};
use clap::Args;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

const NOTES: &str = "\
Examples:
  impinge merge plan                     the table that `impinge check` writes
  impinge merge plan -o clashes.json     as JSON; .csv and .txt work as well

Exit status: 0 nothing found that counts, 1 something was, 2 a task was not done or a file is damaged: nothing
is written then.";

/// Put the results of all tasks of a plan together: the same bytes as a single `impinge check` writes.
///
/// Every task must have a result, and each result must be an answer to all pairs of its task. Where a task
/// was done more than once, `results/K.NAME` can stand beside `results/K`: all must be the same.
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Merge {
    /// The folder that `impinge plan` wrote.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// What the table lists besides. JSON and CSV always hold all.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    show: Vec<Finding>,

    #[command(flatten)]
    writing: Writing,
}

/// Tasks that are named where some were not done.
const NAMED: usize = 20;

impl Merge {
    /// Whether there is nothing that counts.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let folder = Folder::new(&self.plan);
        let (manifest, plan) = folder.read()?;
        let inputs = [folder.manifest(), self.plan.join("parts"), self.plan.join("names")];
        let sink = Sink::new(self.writing.output.output.as_deref(), inputs.iter().map(PathBuf::as_path))?;
        let format = self.writing.format(&self.show, &manifest.question)?;
        if manifest.question.surfaces && !self.show.is_empty() {
            bail!(
                "--show: the plan takes parts for surfaces (--surfaces), which are nothing else to each other"
            );
        }
        let asked = manifest.question.asked()?;
        let progress = Progress::new();
        let report = merged(&folder, manifest, plan, &asked, (Kinds::of(&self.show), &progress))?;
        input::print_warnings(&report.warnings, &progress);
        drop(progress);
        self.writing.write(&report, format, &sink)?;
        Ok(report.findings() == 0)
    }
}

/// The report of a plan's results, before it is written.
pub(crate) fn report(plan: &Path) -> anyhow::Result<Report> {
    let folder = Folder::new(plan);
    let (manifest, digest) = folder.read()?;
    let asked = manifest.question.asked()?;
    merged(&folder, manifest, digest, &asked, (Kinds::of(&[]), &Progress::silent()))
}

fn merged(
    folder: &Folder,
    manifest: Manifest,
    plan: Digest,
    asked: &Asked,
    (shown, progress): (Kinds, &Progress),
) -> anyhow::Result<Report> {
    let count = manifest.tasks.len();
    let files = result::files(folder, count as u32)?;
    refuse_missing(&files)?;
    let triangles = plan::mesh_list(folder.path(), manifest.digests.meshes)?;
    let mut solids: Vec<Option<SolidFacts>> = vec![None; triangles.len()];
    let mut all = Collected::default();
    progress.stage("reading results", count as u64);
    for (k, (names, entry)) in (0..).zip(files.iter().zip(&manifest.tasks)) {
        let expected = Expected { plan, task: entry.digest, k, pairs: entry.pairs, parts: manifest.parts };
        let read = |name: &String| TaskResult::read(&folder.results().join(name), &expected);
        let mut results = names.iter().map(|name| Ok((name, read(name)?)));
        let first: Option<anyhow::Result<_>> = results.next();
        let (name, (mut result, digest)) = first.context("a result vanished")??;
        for other in results {
            let (other, (_, other_digest)) = other?;
            if other_digest != digest {
                let [name, other] =
                    [name, other].map(|name| folder.results().join(name).display().to_string());
                bail!("{other}: differs from {name}: a task that is done twice must give the same");
            }
        }
        let path = || folder.results().join(name).display().to_string();
        if result.has_distances() != asked.clearance.is_some() {
            bail!("{}: is no result of this plan's question", path());
        }
        for (mesh, solid) in result.solids.drain(..) {
            let place = solids.get_mut(mesh as usize).filter(|place| place.is_none());
            *place.with_context(|| format!("{}: tells of a mesh that is not its own", path()))? = Some(solid);
        }
        result.collect(&mut all);
        progress.step(1);
    }
    if asked.rule.is_some() && solids.iter().any(Option::is_none) {
        bail!("{}: no task tells of some meshes", folder.manifest().display());
    }
    if asked.clearance.is_some() && all.boxes_within != manifest.pairs {
        bail!("{} of {} pairs were looked at", all.boxes_within, manifest.pairs);
    }
    candidates::within_limit(all.boxes_overlap as usize, (asked.reach(), asked.max_pairs))?;
    let found = all.found(asked)?;
    let subject = manifest.about.subject()?;
    let facts = facts(folder, &manifest, triangles, solids)?;
    Ok(Report::new(facts, found, asked, shown, (subject, manifest.warnings)))
}

fn refuse_missing(files: &[Vec<String>]) -> anyhow::Result<()> {
    let missing: Vec<usize> = (0..files.len()).filter(|&k| files[k].is_empty()).collect();
    let count = files.len();
    match &*missing {
        [] => Ok(()),
        [k] => bail!("task {k} of {count} was not looked at: `impinge work` has written no result of it"),
        all => {
            let named: Vec<String> = all.iter().take(NAMED).map(usize::to_string).collect();
            let more = all.len().checked_sub(NAMED).filter(|&more| more > 0);
            let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
            bail!("{} tasks of {count} were not looked at: {}{more}", all.len(), named.join(", "));
        }
    }
}

fn facts(
    folder: &Folder,
    manifest: &Manifest,
    triangles: Vec<usize>,
    solids: Vec<Option<SolidFacts>>,
) -> anyhow::Result<Facts> {
    let files: Vec<Arc<Path>> = manifest.files.iter().map(|file| Path::new(file).into()).collect();
    let digests = [manifest.digests.parts, manifest.digests.names];
    let counts = (manifest.parts, &*files, triangles.len());
    let parts = plan::all_parts(folder.path(), digests, counts)?;
    let meshes = triangles.into_iter().zip(solids);
    let meshes = meshes.map(|(triangles, solid)| MeshFacts { triangles, solid }).collect();
    Ok(Facts::of(parts, meshes, f64::from_bits(manifest.size_bits)))
}
