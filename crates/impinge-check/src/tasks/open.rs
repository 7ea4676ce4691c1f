//! [`Plan`]: a plan of tasks in its folder.
use super::{
    folder::{Folder, Manifest, TaskEntry},
    result::Expected,
};
use crate::{
    question::asked::Asked,
    values::{digest::Digest, error::Error},
};
use std::path::{Path, PathBuf};

/// A plan of tasks, written by [`PlanWriter`](crate::tasks::PlanWriter).
pub struct Plan {
    pub(super) folder: Folder,
    pub(super) manifest: Manifest,
    pub(super) digest: Digest,
    pub(super) asked: Asked,
}

impl Plan {
    /// Opens the plan in a folder.
    ///
    /// # Errors
    /// The folder holds no plan, or one of another version.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let folder = Folder::new(folder);
        let (manifest, digest) = folder.read()?;
        let asked = manifest.asked()?;
        Ok(Self { folder, manifest, digest, asked })
    }
    /// Number of tasks. They are numbered from 0.
    pub fn tasks(&self) -> u32 {
        self.manifest.tasks.len() as u32
    }
    /// The text of [`PlanOptions::label`](crate::tasks::PlanOptions::label).
    pub fn label(&self) -> Option<&str> {
        self.manifest.label.as_deref()
    }
    /// True if the check is about surfaces alone.
    pub fn is_of_surfaces(&self) -> bool {
        self.manifest.question.surfaces
    }
    /// True if findings are counted at other clearances or tolerances, too.
    pub fn has_what_if(&self) -> bool {
        self.manifest.question.has_what_if()
    }
    /// True if the check measures contacts.
    pub fn has_contacts(&self) -> bool {
        self.manifest.question.contacts
    }
    /// True if a task has a result.
    pub fn is_done(&self, task: u32) -> bool {
        self.folder.result(task).exists()
    }
    /// The files that [`Plan::merge`] reads besides results. No report may replace them.
    pub fn files(&self) -> [PathBuf; 3] {
        [self.folder.manifest(), self.folder.path().join("parts"), self.folder.path().join("names")]
    }
    /// The folders with the other files of the plan. No report belongs there.
    pub fn folders(&self) -> [PathBuf; 3] {
        [self.folder.meshes(), self.folder.tasks(), self.folder.results()]
    }
    /// The properties that a result of a task must have.
    pub(super) fn expected(&self, task: u32, entry: &TaskEntry) -> Expected {
        let TaskEntry { digest, pairs } = *entry;
        Expected { plan: self.digest, task: digest, k: task, pairs, parts: self.manifest.parts }
    }
}
