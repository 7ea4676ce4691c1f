//! `impinge plan`: an assembly, stored so that many workers can check it, and cut into tasks.
use crate::{
    args, input,
    inputs::Inputs,
    output::Sink,
    progress::Progress,
    question::{Question, longest},
    rules_file, threads,
};
use anyhow::bail;
use clap::Args;
use impinge_check::{
    Assembly, Pairs, Part, Watch,
    sources::{FileUnits, Source},
    tasks::{PlanOptions, PlanWriter, Planned},
    values::{
        numbers::{count, count_of},
        text::{folded, printable},
    },
};
use std::path::PathBuf;

const BRIEF: &str = "\
Examples:
  impinge plan hall.glb -o plan --tasks 1000
  impinge work plan --all
  impinge merge plan -o clashes.json
Options of impinge check about input and findings work here, too: --help lists them.";

const NOTES: &str = "\
Examples:
  impinge plan hall.glb pipes.obj -o plan      as many tasks as it takes
  impinge plan hall.glb -o plan --tasks 1000   1,000 tasks, 0 to 999
  impinge plan hall.glb -o plan --memory 2G    meshes of a task take at most 2 GiB
  impinge plan hall.glb -o plan --clearance 5mm   options of `impinge check` ask the same here
  impinge work plan --all                      then do the tasks, here or elsewhere,
  impinge merge plan -o clashes.json           and put the results together

docs/many-machines.md in the source describes the folder, and how to use it with xargs, make, Slurm and
Kubernetes.";

/// Cut a check into tasks for many processes or machines
///
/// All files are read once. A folder gets all that workers need: each distinct mesh once, the poses, and the
/// pairs of parts of each task. Every pair of parts whose boxes overlap is in exactly one task. `impinge
/// work` does tasks. `impinge merge` writes the same bytes as `impinge check`.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = NOTES)]
pub(crate) struct Plan {
    #[command(flatten)]
    inputs: Inputs,

    /// Write the plan into this folder, which is new or empty
    #[arg(long, short, value_name = "PLAN", help_heading = "Output")]
    output: PathBuf,

    /// Make N tasks of about equal cost
    ///
    /// Some may be empty.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "memory",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        help_heading = "Tasks"
    )]
    tasks: Option<u32>,

    /// Limit the meshes of a task to SIZE [default: 256M]
    ///
    /// The limit sets the number of tasks; each also takes only some seconds of one core. SIZE is of the files of
    /// distinct meshes (K, M, G are powers of 1024). A worker needs several times that memory. A pair of larger
    /// meshes is a task of its own.
    #[arg(long, value_name = "SIZE", value_parser = args::size, help_heading = "Tasks")]
    memory: Option<u64>,

    /// Compare boxes in files if they take more than SIZE
    ///
    /// A box takes 52 bytes. The plan is the same.
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "4G",
        value_parser = args::size,
        help_heading = "Tasks",
        hide_short_help = true
    )]
    box_memory: u64,

    #[command(flatten)]
    question: Question,

    /// Use N threads [default: one for each core]
    ///
    /// At most eight for each core.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = args::threads(),
        help_heading = "Run",
        hide_default_value = true
    )]
    threads: u16,

    #[command(flatten)]
    reading: args::Reading,
}

impl Plan {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let said = self.write(&Progress::new())?;
        Sink::Stdout.write(|out| Ok(writeln!(out, "{}", folded(&said, Sink::Stdout.columns()))?))
    }

    /// Writes the plan; returns what there is to say of it.
    fn write(self, progress: &Progress) -> anyhow::Result<String> {
        let check = self.question.draft()?.pool(&threads::pool(self.threads, self.inputs.each())?);
        let built_in = self.inputs.built_in(&self.reading)?;
        if rules_file::has_usual_file() && built_in.is_none() {
            progress.warn(&format!("{}: is not used: plans take no rules", rules_file::USUAL));
        }
        let mut options = PlanOptions::new().box_memory(self.box_memory);
        options = self.tasks.map_or(options.clone(), |count| options.tasks(count));
        options = self.memory.map_or(options.clone(), |bytes| options.memory(bytes));
        // Names of shells are not those of the parts with faults.
        let labelled = built_in.filter(|_| self.inputs.split.is_none());
        options = labelled.map_or(options.clone(), |built_in| options.label(built_in.file()));
        let paths = self.inputs.sorted_paths();
        if let Some(path) = paths.iter().find(|path| path.to_str().is_none()) {
            bail!("{}: a plan holds only file names in UTF-8", path.display());
        }
        let watch = Watch::new().listener(progress);
        let mut writer = PlanWriter::new(&self.output, &check, &options)?;
        let (mut warnings, mut omissions, mut pairs) = (Vec::new(), Vec::new(), Pairs::All);
        let fill_rule = self.question.fill_rule();
        if let Some(built_in) = built_in {
            let assembly = self.inputs.split(built_in.load(), fill_rule, writer.pool());
            self.set_lengths(&mut writer, &assembly.sources[0])?;
            writer.add(&assembly.parts, &assembly.sources[0], &watch)?;
        } else {
            let mut second = None;
            let pool = writer.pool().clone();
            let take = |sources: Vec<(Source, Vec<Part>)>| {
                let mut count = 0;
                for (source, parts) in sources {
                    let mut assembly = Assembly::new();
                    assembly.parts = parts;
                    let parts = self.inputs.split(assembly, fill_rule, &pool).parts;
                    if writer.is_empty() {
                        self.set_lengths(&mut writer, &source)?;
                    }
                    count += parts.len();
                    // The stage is that of reading.
                    writer.add(&parts, &source, &Watch::new())?;
                }
                second.get_or_insert(count);
                // The numbers stay those of the first file's unit.
                self.question.check(writer.units()).map(drop)
            };
            (warnings, omissions) = input::read_in_turn(&paths, &self.reading, &pool, progress, take)?;
            warnings.extend(writer.unit_warnings().iter().map(impinge_check::values::Warning::from));
            if self.inputs.is_between_files() {
                pairs = Pairs::Across { second: second.unwrap_or_default() };
            }
        }
        input::print_warnings(&warnings, progress);
        let size = longest(writer.extent());
        self.question.warn_of_large(size, || size, writer.units(), progress);
        writer.add_omissions(omissions);
        let planned = writer.finish(&pairs, warnings, &watch)?;
        Ok(self.said(&planned))
    }

    /// Gives the writer the lengths as numbers in the unit of the first file.
    fn set_lengths(&self, writer: &mut PlanWriter, first: &Source) -> anyhow::Result<()> {
        if !self.question.has_units() {
            return Ok(());
        }
        let mut units = FileUnits::new(self.question.unit());
        units.add(first);
        Ok(writer.set_check(&self.question.check(&units)?)?)
    }

    fn said(&self, planned: &Planned) -> String {
        let &Planned { parts, meshes, pairs, tasks, over, .. } = planned;
        let mut said = format!(
            "{} of {}, {} to test, {}. Written to {}.",
            count(parts, "part"),
            count_of(meshes, "mesh", "meshes"),
            count(pairs, "part pair"),
            count(tasks, "task"),
            printable(&self.output.to_string_lossy()),
        );
        if over > 0 {
            said += &format!(
                " {} more memory than that: a single pair does.",
                count(over, "task") + if over == 1 { " takes" } else { " take" }
            );
        }
        said
    }
}
