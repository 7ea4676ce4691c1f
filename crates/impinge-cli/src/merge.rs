//! `impinge merge`: puts the results of a plan's tasks together.
use crate::{
    built_in::BuiltIn,
    check::{refuse_no_pair, refuse_partial},
    input,
    progress::Progress,
    question::Finding,
    writing::{Shown, Writing},
};
use anyhow::bail;
use clap::Args;
use impinge_check::report::GroupBy;
use impinge_check::{Watch, files, tasks::Plan};
use std::path::PathBuf;

const BRIEF: &str = "\
Examples:
  impinge merge plan -o clashes.json";

const NOTES: &str = "\
Examples:
  impinge merge plan                     the table that `impinge check` writes
  impinge merge plan -o clashes.json     as JSON; .html, .csv, .md, .xml (JUnit) and .txt work as well

Exit status: 0 nothing found that counts, 1 something was, 2 a task was not done or a file is damaged: nothing
is written then.";

/// Put the results of a plan's tasks together
///
/// The result has the same bytes as that of one `impinge check`. Every task must have a result for all of its
/// pairs. A task that was done more than once has `results/K` and `results/K.NAME`, which must be equal.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = NOTES)]
pub(crate) struct Merge {
    /// Folder that `impinge plan` wrote
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// Also list these relations in the table
    ///
    /// JSON and CSV always have all.
    #[arg(
        long,
        value_enum,
        value_name = "RELATIONS",
        value_delimiter = ',',
        help_heading = "Output",
        hide_possible_values = true
    )]
    show: Vec<Finding>,

    /// List every pair, not groups of equal ones
    #[arg(long, help_heading = "Output")]
    ungrouped: bool,

    /// Exit with status 2 if some part has no mesh
    #[arg(long, help_heading = "Run")]
    strict: bool,

    #[command(flatten)]
    writing: Writing,
}

impl Merge {
    /// Runs the command. Returns true if nothing counts.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let plan = Plan::open(&self.plan)?;
        let inputs = plan.files();
        let results = self.writing.results(inputs.iter().map(PathBuf::as_path), plan.has_what_if())?;
        for file in self.writing.files() {
            if plan.folders().iter().any(|folder| files::is_in(folder, file)) {
                bail!("cannot write {}: the folder has files of the plan", file.display());
            }
        }
        if plan.is_of_surfaces() && !self.show.is_empty() {
            bail!(
                "--show: the plan takes parts for surfaces (--surfaces), which are nothing else to each other"
            );
        }
        if let Some(format) = results.of_contacts().filter(|_| !plan.has_contacts()) {
            bail!("{format}: the plan measures no contacts: impinge plan --contacts");
        }
        let progress = Progress::new();
        let report = plan.merge(&Watch::new().listener(&progress))?;
        refuse_no_pair(report.part_count(), report.coverage().part_pairs, report.omissions())?;
        input::print_warnings(report.warnings(), &progress);
        drop(progress);
        let shown = Shown {
            relations: Finding::relations(&self.show),
            contacts: plan.has_contacts(),
            groups: (!self.ungrouped).then_some(GroupBy::Shapes),
            statistics: false,
            images: None,
            faults: plan.label().and_then(BuiltIn::of_file).and_then(BuiltIn::faults),
            baseline: None,
        };
        self.writing.write(&report, &shown, &results, 0, &Progress::new())?;
        refuse_partial(&report, self.strict)?;
        Ok(report.is_clean())
    }
}
