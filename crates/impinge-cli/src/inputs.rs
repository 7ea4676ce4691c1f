//! Arguments about where parts come from.
use crate::{
    args,
    built_in::BuiltIn,
    input::{self, Files},
    progress::Progress,
};
use anyhow::bail;
use clap::{Args, ValueEnum};
use impinge::solid::FillRule;
use impinge_check::{Assembly, Pairs, Pool, parts::split_shells};
use std::path::{Path, PathBuf};

/// Options that choose the files and the parts.
#[derive(Args)]
pub(crate) struct Inputs {
    /// STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, .impinge; a folder or ZIP of these
    ///
    /// The parts of all files are one assembly. `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Check only pairs of A and B: two files, or two globs of part names
    ///
    /// `check --between house.obj pipes.obj` compares two files (or folders). If a FILE or --demo is given, A
    /// and B are globs of part names, such as 'pipe*'. Commas separate several globs. A glob fits a whole
    /// name;
    /// * stands for any characters, and upper and lower case differ.
    #[arg(long, num_args = 2, value_names = ["A", "B"], help_heading = "Pairs")]
    pub(crate) between: Option<Vec<PathBuf>>,

    /// Check a built-in assembly: gearbox or lattice
    #[arg(
        long,
        value_enum,
        value_name = "NAME",
        conflicts_with = "files",
        help_heading = "Input",
        hide_possible_values = true
    )]
    pub(crate) demo: Option<BuiltIn>,

    /// Treat each connected shell as a part (INTO: shells)
    ///
    /// Triangles that share a corner are connected. The shells of a part are named NAME#1, NAME#2 and so on;
    /// a part of one shell keeps its name.
    ///
    /// The shell of a cavity stays with the shell around it: it is closed, lies inside the other, and faces
    /// the other way (with --fill-rule even-odd, either way).
    #[arg(long, value_enum, value_name = "INTO", help_heading = "Input", hide_possible_values = true)]
    pub(crate) split: Option<Split>,
}

/// The pieces into which parts are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Split {
    /// Their connected shells.
    Shells,
}

impl Inputs {
    /// The files that are read: none for what is built in.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        self.between.as_ref().filter(|_| self.is_between_files()).unwrap_or(&self.files)
    }
    /// The same in the order in which they are read: that of their names, so that no result depends on the
    /// order of the arguments.
    pub(crate) fn sorted_paths(&self) -> Vec<PathBuf> {
        let mut paths = self.paths().to_vec();
        // Names before folders: a file that the Python package converted lies in a cache, under its name.
        paths.sort_by(|a, b| (a.file_name(), a).cmp(&(b.file_name(), b)));
        paths
    }
    /// True if `--between` names files.
    pub(crate) fn is_between_files(&self) -> bool {
        self.between.is_some() && self.files.is_empty() && self.demo.is_none()
    }
    /// True if `--between` has globs of names.
    pub(crate) fn is_between_globs(&self) -> bool {
        self.between.is_some() && !self.is_between_files()
    }
    /// The globs of `--between`, if it names none.
    pub(crate) fn globs(&self) -> Option<[&str; 2]> {
        match self.between.as_deref() {
            Some([a, b]) if !self.is_between_files() => Some([a.to_str()?, b.to_str()?]),
            _ => None,
        }
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
        fill_rule: FillRule,
        pool: &Pool,
        progress: &Progress,
    ) -> anyhow::Result<(Assembly, Pairs)> {
        if let Some(built_in) = self.built_in(reading)? {
            return Ok((self.split(built_in.load(), fill_rule, pool), Pairs::All));
        }
        let Files { assembly, sources, .. } = input::read(&self.sorted_paths(), reading, pool, progress)?;
        let assembly = self.split(assembly, fill_rule, pool);
        let pairs = match self.between {
            Some(_) if self.is_between_files() => {
                let first = sources.first().map_or(0, |&count| count.min(assembly.sources.len()));
                Pairs::Across { second: assembly.sources[..first].iter().map(|source| source.parts).sum() }
            }
            _ => Pairs::All,
        };
        Ok((assembly, pairs))
    }
    /// The assembly with each shell as a part, with `--split`.
    pub(crate) fn split(&self, mut assembly: Assembly, fill_rule: FillRule, pool: &Pool) -> Assembly {
        if self.split == Some(Split::Shells) {
            split_shells(&mut assembly, fill_rule, pool);
        }
        assembly
    }
}
