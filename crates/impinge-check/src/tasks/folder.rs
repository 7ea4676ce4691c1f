//! The folder of a plan, and the contents of its file `plan.json`.
use crate::{
    files,
    question::{asked::Asked, pairs::Pairs, settings::Settings},
    sources::{file_units::CoordinateUnit, offsets::FileOffset, omission::Omission},
    values::{digest::Digest, warning::Warning},
};
use anyhow::{Context, bail};
use impinge::distance::Margin;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub(crate) struct Folder(PathBuf);

/// The version of the folder's layout that this program writes and reads.
const LAYOUT: u32 = 12;

/// The contents of `plan.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) layout: u32,
    /// The version of impinge that wrote it.
    pub(crate) impinge: String,
    pub(crate) question: Settings,
    /// The largest tolerance of the parts with a stated error that counts, as the bits of f64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stated_bits: Option<u64>,
    pub(crate) about: About,
    /// A text that the caller chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// The files, in the order in which they were read.
    pub(crate) files: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) omissions: Vec<Omission>,
    /// Files with the bits of the offsets that they state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) offset_bits: Vec<(String, [u64; 3])>,
    pub(crate) parts: u64,
    /// Pairs of parts whose rounded boxes meet, over all tasks.
    pub(crate) pairs: u64,
    /// The corners of the box around all parts, as the bits of f64.
    pub(crate) extent_bits: Option<[[u64; 3]; 2]>,
    pub(crate) unit: CoordinateUnit,
    pub(crate) digests: Digests,
    pub(crate) tasks: Vec<TaskEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Digests {
    pub(crate) parts: Digest,
    pub(crate) names: Digest,
    pub(crate) meshes: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskEntry {
    pub(crate) digest: Digest,
    pub(crate) pairs: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum About {
    /// All pairs.
    All,
    /// Pairs of a part before this one and a part from this one on.
    Across { second: u64 },
}

impl About {
    pub(crate) fn pairs(self) -> anyhow::Result<Pairs> {
        Ok(match self {
            Self::All => Pairs::All,
            Self::Across { second } => Pairs::Across { second: second.try_into()? },
        })
    }
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
    pub(crate) fn manifest(&self) -> PathBuf {
        self.0.join("plan.json")
    }
    pub(crate) fn meshes(&self) -> PathBuf {
        self.0.join("meshes")
    }
    pub(crate) fn tasks(&self) -> PathBuf {
        self.0.join("tasks")
    }
    pub(crate) fn task(&self, k: u32) -> PathBuf {
        self.tasks().join(k.to_string())
    }
    pub(crate) fn results(&self) -> PathBuf {
        self.0.join("results")
    }
    pub(crate) fn result(&self, k: u32) -> PathBuf {
        self.results().join(k.to_string())
    }

    /// Creates the folder, which must not exist or must be empty, so that no other plan's files get into it.
    /// Returns true if it existed.
    pub(crate) fn create(&self) -> anyhow::Result<bool> {
        let context = || format!("cannot write {}", self.0.display());
        let was_there = match fs::read_dir(&self.0) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    bail!("cannot write {}: the folder is not empty", self.0.display());
                }
                true
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error).with_context(context),
        };
        for folder in [self.meshes(), self.tasks(), self.results()] {
            fs::create_dir_all(folder).with_context(context)?;
        }
        Ok(was_there)
    }
    /// Removes everything that was written since [`Folder::create`], for another attempt.
    pub(crate) fn clear(&self, was_there: bool) {
        // Errors are ignored: the caller reports why there is no plan.
        if !was_there {
            let _ = fs::remove_dir_all(&self.0);
            return;
        }
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }

    /// Reads the manifest of the plan. Also returns its digest, which results contain.
    pub(crate) fn read(&self) -> anyhow::Result<(Manifest, Digest)> {
        let path = self.manifest();
        let bytes = files::read(&path)?;
        let manifest = Manifest::parse(&bytes).with_context(|| path.display().to_string())?;
        Ok((manifest, Digest::of(&bytes)))
    }
}

impl Manifest {
    /// The versions of layout and program that this program writes.
    pub(crate) fn versions() -> (u32, String) {
        (LAYOUT, env!("CARGO_PKG_VERSION").to_owned())
    }

    fn parse(bytes: &[u8]) -> anyhow::Result<Self> {
        /// The fields that every version has.
        #[derive(Deserialize)]
        struct Version {
            layout: u32,
            impinge: String,
        }
        // Another version may have other fields.
        let Version { layout, impinge } =
            serde_json::from_slice(bytes).map_err(files::short).context("is no plan")?;
        let own = Self::versions();
        if (layout, &impinge) != (own.0, &own.1) {
            bail!("is a plan of impinge {impinge}, and this is impinge {}: answers could differ", own.1);
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(files::short).context("is no plan")?;
        if manifest.parts > u64::from(u32::MAX) || manifest.tasks.len() > u32::MAX as usize {
            bail!("claims more parts or tasks than can be numbered");
        }
        if manifest.tasks.iter().try_fold(0_u64, |sum, task| sum.checked_add(task.pairs))
            != Some(manifest.pairs)
        {
            bail!("its tasks have another number of pairs than the plan");
        }
        if let About::Across { second } = manifest.about
            && second > manifest.parts
        {
            bail!("the second file begins behind the last part");
        }
        Ok(manifest)
    }

    /// The query, with the tolerances that parts state.
    pub(crate) fn asked(&self) -> anyhow::Result<Asked> {
        let stated = self.stated_bits.map(|bits| Margin::new(f64::from_bits(bits)));
        self.question.asked_of_largest(stated.transpose()?, self.parts.try_into()?)
    }

    pub(crate) fn extent(&self) -> Option<[[f64; 3]; 2]> {
        self.extent_bits.map(|corners| corners.map(|corner| corner.map(f64::from_bits)))
    }

    pub(crate) fn offsets(&self) -> Vec<FileOffset> {
        let one = |(file, bits): &(String, [u64; 3])| FileOffset {
            file: file.clone(),
            offset: bits.map(f64::from_bits),
        };
        self.offset_bits.iter().map(one).collect()
    }
    /// Writes the file. It comes last, since a folder without it is no plan.
    pub(crate) fn write(&self, folder: &Folder) -> anyhow::Result<()> {
        files::write_whole(&folder.manifest(), |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            Ok(writeln!(out)?)
        })
    }
}
