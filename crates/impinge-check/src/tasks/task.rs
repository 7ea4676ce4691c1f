//! One task of a plan: pairs of parts, and all data for deciding them.
use super::folder::Folder;
use crate::{
    files,
    parts::chord::{Chord, Tolerances},
    values::{digest::Digest, pose_numbers},
};
use anyhow::{Context, bail};
use impinge::{Model, Pose, distance::Margin};
use serde::{Deserialize, Serialize};
use std::{path::Path, sync::Arc};

/// The contents of a task's file. All lists are in ascending order of numbers, without duplicates.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    /// Digests of the meshes of its parts.
    pub(crate) meshes: Vec<Digest>,
    pub(crate) parts: Vec<TaskPart>,
    /// Pairs of indices in `parts`, whose rounded boxes meet.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// The meshes whose solids the task examines: their numbers in the plan and their digests.
    pub(crate) solids: Vec<(u32, Digest)>,
    /// The tolerance of each part, if the query has tolerances.
    pub(crate) chords: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct TaskPart {
    /// Its index in the assembly.
    pub(crate) part: u32,
    /// The index of its mesh in the task.
    pub(crate) mesh: u32,
    pose: [f64; 12],
}

impl TaskPart {
    pub(crate) fn new(part: u32, mesh: u32, pose: &Pose) -> Self {
        Self { part, mesh, pose: pose_numbers::of(pose) }
    }
}

impl Task {
    /// Reads task `k`, whose file must have this digest.
    pub(crate) fn read(folder: &Folder, k: u32, digest: Digest) -> anyhow::Result<Self> {
        let path = folder.task(k);
        let bytes = files::read(&path)?;
        if Digest::of(&bytes) != digest {
            bail!("{}: is damaged, or of another plan: its digest is not the plan's", path.display());
        }
        let task: Self = postcard::from_bytes(&bytes)
            .map_err(anyhow::Error::from)
            .and_then(|task: Self| task.checked())
            .with_context(|| format!("{}: is no task", path.display()))?;
        Ok(task)
    }

    fn checked(self) -> anyhow::Result<Self> {
        let (parts, meshes) = (self.parts.len(), self.meshes.len());
        if !self.parts.iter().is_sorted_by(|a, b| a.part < b.part) {
            bail!("its parts are in no order");
        }
        if !self.parts.iter().all(|part| (part.mesh as usize) < meshes) {
            bail!("a part has a mesh that is not listed");
        }
        if !self.pairs.iter().all(|&[a, b]| a < b && (b as usize) < parts) {
            bail!("a pair has a part that is not listed");
        }
        Ok(self)
    }

    pub(crate) fn tolerances(&self, chord: &Chord) -> anyhow::Result<Tolerances> {
        if self.chords.len() != self.parts.len() {
            bail!("a task does not state its parts' chord tolerances");
        }
        let all = self.chords.iter().map(|&length| Margin::new(length)).collect::<Result<_, _>>()?;
        Ok(Tolerances::known(chord, all))
    }

    /// Its parts, without names. `models` has one model for each of its meshes.
    pub(crate) fn parts(&self, models: &[Arc<Model>]) -> anyhow::Result<Vec<impinge_io::Part>> {
        let part = |part: &TaskPart| {
            let mesh = Arc::clone(models[part.mesh as usize].shared_mesh());
            Ok(impinge_io::Part::new("", Path::new(""), mesh, pose_numbers::pose(&part.pose)?))
        };
        self.parts.iter().map(part).collect()
    }
}
