//! `impinge-papers reproduce`: runs the papers' experiments and two of our own on this machine.
use crate::stages::Stages;
use anyhow::bail;
use clap::{Args, builder::PossibleValuesParser};
use impinge_reproduce::{Experiment, Folder, Part, Settings, reproduce};
use std::{
    io::{self, Write},
    path::PathBuf,
};

const EXAMPLES: &str = "\
Examples:
  impinge-papers reproduce --list                         the parts, and rough minutes of each
  impinge-papers reproduce all --quick                    generated bodies stand in for models
  impinge-papers reproduce larsson08 --data models        with the models in the folder `models`
  impinge-papers reproduce --only larsson08/table3,hu16 --data models
                                                          some parts; a name alone is a whole paper
  impinge-papers reproduce all --data models --resume     the parts that are still missing
  impinge-papers reproduce which-volume --quick           every volume beside the fast tree
  impinge-papers reproduce open-questions --quick         what the papers leave open, by counts

Experiments:
  bergen97        van den Bergen 1997: AABB trees against OBB trees
  zachmann02      Zachmann 2002: restricted boxtrees
  hu16            Hu and others 2016: hybrid trees
  larsson08       Larsson and Akenine-Moller 2008: slab cut balls
  which-volume    no paper's: every volume beside the fast tree, on generated scenes
  open-questions  what the papers leave open, by counts
  all             the four papers

An experiment consists of parts, of at most 30 minutes each on two cores. Each finished part is
stored as DIR/parts/NAME.json, and the report is made from all parts that DIR has. It states run,
models, date, commit, machine and load of each part, and the parts that are missing. So a long run
can be interrupted: --resume measures what is missing. Finished parts must have the same settings
(quick or full, the same models). Their commit and machine may differ, and the report names these.

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
and PNG. Times are processor times, measured three times: the report gives their range. If other
work keeps the machine busy all the same, claims about times are not judged, and the report says
so.";

/// Run the experiments of the papers again, and report which of their claims hold on this machine.
///
/// Counts are the same on every machine; times are this one's, one query after the other on one thread. `all`
/// takes some ten minutes, with --quick some two.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// Experiments to run, or `all` for the four papers.
    #[arg(value_name = "EXPERIMENT", required_unless_present_any = ["only", "list"])]
    #[arg(value_parser = names(), hide_possible_values = true)]
    experiments: Vec<String>,

    /// Parts or experiments to run, such as larsson08/table3; can be repeated.
    #[arg(long, value_name = "PART[,PART...]", value_delimiter = ',', conflicts_with = "experiments")]
    #[arg(value_parser = names(), hide_possible_values = true)]
    only: Vec<String>,

    /// List the parts, what they measure and rough minutes of a full run.
    #[arg(long, conflicts_with_all = ["resume", "quick", "data"])]
    list: bool,

    /// Keep the parts that DIR has, and measure the rest [default: measure all again].
    #[arg(long)]
    resume: bool,

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

/// Names of experiments and of parts, and `all`.
fn names() -> PossibleValuesParser {
    let experiments = Experiment::ALL.map(Experiment::name);
    PossibleValuesParser::new(experiments.into_iter().chain([ALL]).chain(Part::all().map(Part::name)))
}

/// Name that selects the four papers.
const ALL: &str = "all";

/// Selects parts by the names of parts and experiments, or by [`ALL`], in the order of the report.
fn select(names: &[String]) -> Vec<&'static Part> {
    let is_named = |part: &Part, name: &str| {
        let experiment = part.experiment();
        part.name() == name
            || experiment.name() == name
            || (name == ALL && Experiment::PAPERS.contains(&experiment))
    };
    Part::all().filter(|part| names.iter().any(|name| is_named(part, name))).collect()
}

/// Table of the parts, one line each.
fn list(parts: &[&'static Part]) -> String {
    let width = parts.iter().map(|part| part.name().len()).max().unwrap_or(0);
    let mut out = format!("{:width$}  {:>7}  {:8}  measures\n", "part", "minutes", "verdicts");
    for part in parts {
        let by = if part.is_of_counts() { "counts" } else { "times" };
        out += &format!("{:width$}  {:>7}  {by:8}  {}\n", part.name(), part.minutes(), part.about());
    }
    out
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let names = if self.only.is_empty() { &self.experiments } else { &self.only };
        let parts = if names.is_empty() { Part::all().collect() } else { select(names) };
        if self.list {
            // Where stdout is closed, nobody reads it.
            let _ = write!(io::stdout(), "{}", list(&parts));
            return Ok(());
        }
        if let Some(data) = &self.data
            && !data.is_dir()
        {
            bail!("--data {}: is not a folder, so no models can be read from it", data.display());
        }
        // Fails before the work, which may take long.
        let folder = Folder::new(&self.out)?;
        let settings = Settings::new(self.data.as_deref(), self.quick);
        let report = reproduce(&parts, &settings, &folder, self.resume, &mut Stages::new())?;
        let files = folder.write(&report)?;
        // A closed stdout is no error: the report is written.
        let place = self.out.join("report.html");
        let _ = writeln!(io::stdout(), "{} {files} files; begin with {}", report.summary(), place.display());
        Ok(())
    }
}
