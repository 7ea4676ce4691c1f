//! Arguments about where parts come from.
use crate::{
    args,
    built_in::BuiltIn,
    input::{self, Files},
    progress::Progress,
};
use anyhow::bail;
use clap::Args;
use impinge_check::{Assembly, Pairs, Pool};
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
    /// All at once, and the pairs that a check is about.
    pub(crate) fn load(
        &self,
        reading: &args::Reading,
        pool: &Pool,
        progress: &Progress,
    ) -> anyhow::Result<(Assembly, Pairs)> {
        if let Some(built_in) = self.built_in(reading)? {
            return Ok((built_in.load(), Pairs::All));
        }
        let Files { assembly, counts } = input::read(self.paths(), reading, pool, progress)?;
        let pairs = match self.between {
            Some(_) => Pairs::Across { second: counts[0] },
            None => Pairs::All,
        };
        Ok((assembly, pairs))
    }
}
