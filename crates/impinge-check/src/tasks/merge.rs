//! Merging the results of all tasks of a plan.
use super::{
    folder::{Folder, Manifest},
    open::Plan,
    parts,
    result::{self, TaskResult},
    store::mesh_list,
};
use crate::{
    files::mesh_file,
    parts::{MeshFacts, Parts, SolidFacts, placed_shapes::PlacedShapes, shapes::Shapes},
    question::Question,
    records::Collected,
    report::{Input, Report},
    values::{digest::Digest, error::Error},
    watch::Watch,
};
use anyhow::{Context, bail};
use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, OnceLock},
};

/// The most tasks that an error names if some have no result.
const NAMED: usize = 20;

impl Plan {
    /// Merges the results of all tasks into the report of the whole check.
    ///
    /// # Errors
    /// A task has no result, or a file is damaged.
    pub fn merge(&self, watch: &Watch<'_>) -> Result<Report, Error> {
        Ok(all(self, watch)?)
    }
}

fn all(plan: &Plan, watch: &Watch<'_>) -> anyhow::Result<Report> {
    let Plan { folder, manifest, .. } = plan;
    let asked = manifest.asked()?;
    let count = manifest.tasks.len();
    let files = result::files(folder, count as u32)?;
    refuse_missing(&files)?;
    let meshes = mesh_list(folder.path(), manifest.digests.meshes)?;
    let mut solids: Vec<Option<SolidFacts>> = vec![None; meshes.len()];
    let mut all = Collected::default();
    watch.stage("reading results", count as u64);
    for (k, (names, entry)) in (0..).zip(files.iter().zip(&manifest.tasks)) {
        let expected = plan.expected(k, entry);
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
            *place.with_context(|| format!("{}: has a mesh that is not its own", path()))? = Some(solid);
        }
        result.collect(&mut all);
        watch.step(1);
        watch.check()?;
    }
    if asked.rule.is_some() && solids.iter().any(Option::is_none) {
        bail!("{}: no task examined some meshes", folder.manifest().display());
    }
    if asked.clearance.is_some() && all.boxes_within != manifest.pairs {
        bail!("{} of {} part pairs were tested", all.boxes_within, manifest.pairs);
    }
    asked.pair_limit().allows(all.boxes_overlap as usize)?;
    let found = all.found(&asked)?;
    let question = Question::of(manifest.question.clone(), manifest.about.pairs()?);
    let input = Input {
        parts: facts(folder, manifest, &meshes, solids)?,
        assembly: None,
        shapes: OnceLock::new(),
        warnings: manifest.warnings.clone(),
        omissions: manifest.omissions.clone(),
        offsets: manifest.offsets(),
        unit: manifest.unit,
    };
    let mut report = Report::new(input, question, asked, found);
    report.input.shapes = OnceLock::from(placed(folder, &meshes, &report, watch)?);
    Ok(report)
}

fn refuse_missing(files: &[Vec<String>]) -> anyhow::Result<()> {
    let missing: Vec<usize> = (0..files.len()).filter(|&k| files[k].is_empty()).collect();
    let count = files.len();
    match &*missing {
        [] => Ok(()),
        [k] => bail!("task {k} of {count} has no result: `impinge work` writes it"),
        all => {
            let named: Vec<String> = all.iter().take(NAMED).map(usize::to_string).collect();
            let more = all.len().checked_sub(NAMED).filter(|&more| more > 0);
            let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
            bail!("{} tasks of {count} have no result: {}{more}", all.len(), named.join(", "));
        }
    }
}

fn facts(
    folder: &Folder,
    manifest: &Manifest,
    meshes: &[(Digest, usize)],
    solids: Vec<Option<SolidFacts>>,
) -> anyhow::Result<Parts> {
    let files: Vec<Arc<Path>> = manifest.files.iter().map(|file| Path::new(file).into()).collect();
    let digests = [manifest.digests.parts, manifest.digests.names];
    let parts = parts::all(folder.path(), digests, manifest.parts, &files, meshes.len())?;
    let meshes = meshes.iter().zip(solids);
    let meshes = meshes.map(|(&(_, triangles), solid)| MeshFacts { triangles, solid }).collect();
    Ok(Parts::of(parts, meshes, manifest.extent()))
}

/// The shapes of parts, for groups of findings, as if all meshes were in memory. It reads only meshes that
/// may be copies of a mesh with findings, since they have as many triangles. Only the first mesh of each
/// shape stays in memory.
fn placed(
    folder: &Folder,
    meshes: &[(Digest, usize)],
    report: &Report,
    watch: &Watch<'_>,
) -> anyhow::Result<PlacedShapes> {
    let mut has_findings = vec![false; meshes.len()];
    for part in report.findings().iter().flat_map(|finding| finding.parts()) {
        has_findings[report.part(*part).mesh() as usize] = true;
    }
    // For each number of triangles, the number of meshes, and true if one has findings.
    let mut alike: HashMap<usize, (u64, bool)> = HashMap::new();
    for (&(_, triangles), has_findings) in meshes.iter().zip(has_findings) {
        let (count, is_needed) = alike.entry(triangles).or_default();
        *count += 1;
        *is_needed |= has_findings;
    }
    alike.retain(|_, (count, is_needed)| *count > 1 && *is_needed);
    watch.stage("comparing shapes", alike.values().map(|(count, _)| count).sum());
    let mut shapes = Shapes::default();
    for (digest, triangles) in meshes {
        if alike.contains_key(triangles) {
            shapes.add(&Arc::new(mesh_file::read(&folder.meshes(), *digest)?));
            watch.step(1);
            watch.check()?;
        } else {
            shapes.add_other();
        }
    }
    let parts = report.parts().map(|part| (part.pose(), part.mesh() as usize));
    Ok(PlacedShapes::of_meshes(&shapes, parts))
}
