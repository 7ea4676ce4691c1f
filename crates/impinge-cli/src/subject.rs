//! The source of an assembly, and the pairs of its parts to examine.
use crate::{
    args,
    built_in::BuiltIn,
    input::{self, Files},
    progress::Progress,
    warning::Warning,
};
use anyhow::bail;
use clap::Args;
use impinge_demo::ExpectedClash;
use impinge_io::Part;
use rayon::ThreadPool;
use std::path::{Path, PathBuf};

/// Where parts come from.
#[derive(Args)]
pub(crate) struct Inputs {
    /// STL, OBJ, PLY, OFF, glTF, GLB or 3MF.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Only pairs of a part of A and a part of B.
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "files")]
    pub(crate) between: Option<Vec<PathBuf>>,

    /// Check a built-in assembly (as happens without a FILE).
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["files", "between"])]
    pub(crate) demo: Option<BuiltIn>,
}

impl Inputs {
    /// The files that are read: none for what is built in.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        self.between.as_ref().unwrap_or(&self.files)
    }
    pub(crate) fn each(&self) -> impl Iterator<Item = &Path> {
        self.paths().iter().map(PathBuf::as_path)
    }
    /// The built-in assembly, if the command line selects it; limits of readers have no meaning then.
    pub(crate) fn built_in(&self, reading: &args::Reading) -> anyhow::Result<Option<BuiltIn>> {
        if !self.paths().is_empty() {
            return Ok(None);
        }
        if *reading != args::Reading::default() {
            bail!("the built-in assembly is read from no file: limits of readers have nothing to do with it");
        }
        Ok(Some(self.demo.unwrap_or(BuiltIn::Gearbox)))
    }
    /// All at once.
    pub(crate) fn load(
        &self,
        reading: &args::Reading,
        pool: &ThreadPool,
        progress: &Progress,
    ) -> anyhow::Result<(Vec<Part>, Vec<Warning>, Subject)> {
        if let Some(built_in) = self.built_in(reading)? {
            let (parts, expected) = built_in.load();
            return Ok((parts, Vec::new(), Subject::built_in(expected)));
        }
        let Files { parts, warnings } = input::read(self.paths(), reading, pool, progress)?;
        let subject = match self.between {
            Some(_) => Subject::Across { second: parts[0].len() },
            None => Subject::All,
        };
        Ok((parts.into_iter().flatten().collect(), warnings, subject))
    }
}

/// The subject of a check.
pub(crate) enum Subject {
    /// Every pair of parts.
    All,
    /// Pairs of a part of the first file and a part of the second, whose parts begin at index `second`.
    Across { second: usize },
    /// Every pair of parts of an assembly with a list of its faults.
    BuiltIn { expected: Vec<ExpectedClash> },
}

impl Subject {
    /// The subject for an assembly with these faults; with none, every pair.
    pub(crate) fn built_in(expected: Vec<ExpectedClash>) -> Self {
        if expected.is_empty() { Self::All } else { Self::BuiltIn { expected } }
    }
    /// Whether it is about this pair, the smaller index first.
    pub(crate) fn asks(&self, [a, b]: [u32; 2]) -> bool {
        match *self {
            Self::Across { second } => (a as usize) < second && second <= b as usize,
            Self::All | Self::BuiltIn { .. } => true,
        }
    }

    /// How many pairs of `parts` parts are wanted.
    pub(crate) fn pairs(&self, parts: usize) -> u64 {
        let n = parts as u64;
        match *self {
            Self::Across { second } => second as u64 * (n - second as u64),
            Self::All | Self::BuiltIn { .. } => n * n.saturating_sub(1) / 2,
        }
    }
}
