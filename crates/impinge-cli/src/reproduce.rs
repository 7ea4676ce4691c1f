//! `impinge reproduce`: the papers' experiments, measured on this machine.
use crate::progress::Progress;
use anyhow::bail;
use clap::{Args, ValueEnum};
use impinge_reproduce::{Folder, Paper, Settings, Watch, reproduce};
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  impinge reproduce all --quick --data ../shared/data
  impinge reproduce larsson08 --data ../shared/data --out larsson
  impinge reproduce bergen97 zachmann02        without models: generated ones stand in

The folder then holds REPORT.md and report.html, and each table and figure as CSV, SVG and PNG.
For times that are worth keeping, leave the machine alone meanwhile.";

/// Run the experiments of the papers again, and report which of their claims hold on this machine.
///
/// Counts are the same on every machine; times are this one's, one query after the other on one thread. `all` takes up to
/// 40 minutes, with --quick up to 3.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// Whose experiments.
    #[arg(value_enum, value_name = "PAPER", required = true)]
    papers: Vec<Name>,

    /// Folder with the models that the scenes name; generated bodies stand in for those that are missing, and the report says so.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Folder for the report, made if need be; files of its names are replaced, others are left alone.
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// Some 20 to 60 frames of each scene in place of all.
    #[arg(long)]
    quick: bool,
}

/// What can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Van den Bergen 1997: AABB trees against OBB trees.
    Bergen97,
    /// Zachmann 2002: restricted boxtrees.
    Zachmann02,
    /// Hu and others 2016: hybrid trees.
    Hu16,
    /// Larsson and Akenine-Moller 2008: slab cut balls.
    Larsson08,
    /// All four.
    All,
}

impl Name {
    fn is(self, paper: Paper) -> bool {
        match self {
            Self::Bergen97 => paper == Paper::Bergen97,
            Self::Zachmann02 => paper == Paper::Zachmann02,
            Self::Hu16 => paper == Paper::Hu16,
            Self::Larsson08 => paper == Paper::Larsson08,
            Self::All => true,
        }
    }
}

struct Bar(Progress);

impl Watch for Bar {
    fn stage(&mut self, name: String, steps: usize) {
        self.0.stage(name, steps as u64);
    }
    fn step(&mut self) {
        self.0.step(1);
    }
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(data) = &self.data
            && !data.is_dir()
        {
            bail!("--data {}: is not a folder, so no models can be read from it", data.display());
        }
        let papers: Vec<Paper> =
            Paper::ALL.into_iter().filter(|paper| self.papers.iter().any(|name| name.is(*paper))).collect();
        // Before the work, which may take long.
        let folder = Folder::new(&self.out)?;
        let mut bar = Bar(Progress::new());
        let report = reproduce(&papers, &Settings::new(self.data.as_deref(), self.quick), &mut bar)?;
        drop(bar);
        let files = folder.write(&report)?;
        // Where stdout is closed, nobody reads it; the report is written.
        let place = self.out.join("report.html");
        let _ = writeln!(io::stdout(), "{} {files} files; begin with {}", report.summary(), place.display());
        Ok(())
    }
}
