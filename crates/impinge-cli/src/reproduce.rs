//! `impinge reproduce`: the papers' experiments, and one that compares all volumes, measured on this machine.
use crate::progress::Progress;
use anyhow::bail;
use clap::{Args, ValueEnum};
use impinge_reproduce::{Experiment, Folder, Settings, Watch, reproduce};
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  impinge reproduce all --quick                    generated bodies stand in for models
  impinge reproduce larsson08 --data models        with the models in the folder `models`
  impinge reproduce bergen97 zachmann02 --out two  two papers, into the folder `two`
  impinge reproduce which-volume --quick           every volume beside the fast tree

The papers use scanned and CAD models that are not ours to hand out. Without --data, and for every
file that is not in its folder, a generated body of about as many triangles stands in, and the
report says which and for what. To measure the models themselves, put them into a folder under
these names and give it by --data:
  m_horse.ply                   a scan, 96,966 triangles (larsson08)
  m_stanford_dragon_res2.ply    a scan, 202,520 triangles (larsson08, open-questions)
  m_armadillo_igl.ply           a scan, 86,482 triangles (hu16)
  brep_Motor_c.obj              CAD, a motor (zachmann02)
  asm_ReciprocatingSaw.obj      CAD, a reciprocating saw (zachmann02)
  anim_horse_gallop.ply         a galloping horse, 16,843 triangles, with its frames beside it in
                                anim_horse_gallop.f32 (open-questions)

The folder of --out then holds REPORT.md and report.html, and each table and figure as CSV, SVG
and PNG. Times are processor times, the least of several. If other work keeps the machine busy all
the same, claims about times are not judged, and the report says so.";

/// Run the experiments of the papers again, and report which of their claims hold on this machine.
///
/// Counts are the same on every machine; times are this one's, one query after the other on one thread. `all`
/// takes up to an hour, with --quick some 5 minutes.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// Whose experiments.
    #[arg(value_enum, value_name = "EXPERIMENT", required = true)]
    experiments: Vec<Name>,

    /// Folder with models, if you have them (their names are below): not needed, for generated bodies stand
    /// in for those that are missing, and the report says so.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Folder for the report, made if need be; files of its names are replaced, others are left alone.
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// Some 20 to 60 frames of each scene in place of all.
    #[arg(long)]
    quick: bool,
}

/// The name of an experiment.
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
    /// No paper's: every volume beside the fast tree, on generated scenes.
    WhichVolume,
    /// Questions that the papers leave open, by counts.
    OpenQuestions,
    /// The four papers.
    All,
}

impl Name {
    fn is(self, experiment: Experiment) -> bool {
        match self {
            Self::Bergen97 => experiment == Experiment::Bergen97,
            Self::Zachmann02 => experiment == Experiment::Zachmann02,
            Self::Hu16 => experiment == Experiment::Hu16,
            Self::Larsson08 => experiment == Experiment::Larsson08,
            Self::WhichVolume => experiment == Experiment::WhichVolume,
            Self::OpenQuestions => experiment == Experiment::OpenQuestions,
            Self::All => Experiment::PAPERS.contains(&experiment),
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
        let wanted = |experiment: &Experiment| self.experiments.iter().any(|name| name.is(*experiment));
        let experiments: Vec<Experiment> = Experiment::ALL.into_iter().filter(wanted).collect();
        // Before the work, which may take long.
        let folder = Folder::new(&self.out)?;
        let mut bar = Bar(Progress::new());
        let report = reproduce(&experiments, &Settings::new(self.data.as_deref(), self.quick), &mut bar)?;
        drop(bar);
        let files = folder.write(&report)?;
        // Where stdout is closed, nobody reads it; the report is written.
        let place = self.out.join("report.html");
        let _ = writeln!(io::stdout(), "{} {files} files; begin with {}", report.summary(), place.display());
        Ok(())
    }
}
