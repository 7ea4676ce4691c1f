//! `impinge check`: every clashing pair of parts.
use crate::{
    args::{self, Format},
    built_in::BuiltIn,
    clashes::Clashes,
    input::{self, Files, Warning},
    output::Sink,
    parallel,
    progress::Progress,
    report,
};
use anyhow::bail;
use clap::Args;
use impinge::Threads;
use impinge_demo::ExpectedClash;
use impinge_io::Part;
use rayon::ThreadPool;
use serde::Serialize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  impinge check                                the built-in gearbox, explained
  impinge check engine.glb                     every pair of parts of a file
  impinge check house.obj pipes.obj            every pair of parts of both
  impinge check --between house.obj pipes.obj  only pairs of a part of each
  impinge check engine.glb -o clashes.json     as JSON; .csv and .txt work as well
  impinge check engine.glb --limit 0           every clash in the table, not only the largest

Exit status: 0 no clash, 1 clashes, 2 the work could not be done.";

/// Find every clashing pair of parts of an assembly.
///
/// The parts of all FILEs are one assembly. Two parts clash if a triangle of one and a triangle of the
/// other share a point; touching counts. A part wholly inside another, touching nothing, does not clash.
/// Without a FILE the built-in assembly is checked.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// STL, OBJ, PLY, OFF, glTF, GLB or 3MF.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Only pairs of a part of A and a part of B.
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "files")]
    between: Option<Vec<PathBuf>>,

    /// Check a built-in assembly (as happens without a FILE).
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["files", "between"])]
    demo: Option<BuiltIn>,

    #[command(flatten)]
    output: args::Output,

    /// Rows of the table: if there are more clashes, those with the most triangle pairs are shown; 0 shows
    /// all. JSON and CSV always hold all.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Most pairs of parts that are tested; more, such as of a million parts in one place, are an error.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    max_pairs: u64,

    /// Threads to work with; 0 means as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads())]
    threads: u16,

    #[command(flatten)]
    volume: args::Volume,

    #[command(flatten)]
    reading: args::Reading,
}

/// Rows of the table, if nothing is said of them.
const ROWS: usize = 100;

/// What was looked at and what became of it: `part_pairs` >= `boxes_overlap` = `tested` >= `clashing`.
#[derive(Serialize)]
pub(crate) struct Coverage {
    pub(crate) parts: usize,
    /// Pairs of parts that the question was about.
    pub(crate) part_pairs: u64,
    /// Of these, the pairs whose exact closed world boxes meet; the others cannot clash.
    pub(crate) boxes_overlap: u64,
    /// Of these, the pairs whose triangles were tested.
    pub(crate) tested: u64,
    pub(crate) clashing: u64,
    /// Pairs of triangles that meet, over all pairs of parts.
    pub(crate) triangle_pairs: u64,
}

/// What `check` has to say.
pub(crate) struct Report {
    pub(crate) parts: Vec<Part>,
    pub(crate) clashes: Clashes,
    pub(crate) coverage: Coverage,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) subject: Subject,
}

/// What was checked.
pub(crate) enum Subject {
    /// Every pair of parts.
    All,
    /// Pairs of a part of the first file and a part of the second, whose parts begin at index `second`.
    Across { second: usize },
    /// Every pair of parts of an assembly whose faults are known.
    BuiltIn { expected: Vec<ExpectedClash> },
}

impl Subject {
    /// Whether it is about this pair, the smaller index first.
    pub(crate) fn asks(&self, [a, b]: [u32; 2]) -> bool {
        match *self {
            Self::Across { second } => (a as usize) < second && second <= b as usize,
            Self::All | Self::BuiltIn { .. } => true,
        }
    }

    /// How many pairs of `parts` parts are wanted.
    fn pairs(&self, parts: usize) -> u64 {
        let n = parts as u64;
        match *self {
            Self::Across { second } => second as u64 * (n - second as u64),
            Self::All | Self::BuiltIn { .. } => n * n.saturating_sub(1) / 2,
        }
    }
}

impl Check {
    /// Whether there is no clash.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let sink = Sink::new(self.output.output.as_deref(), self.inputs())?;
        let format = self.output.format()?;
        if self.limit.is_some() && format != Format::Table {
            bail!("--limit: is about the table; JSON and CSV hold every clash");
        }
        let pool = parallel::pool(self.threads)?;
        let options = self.volume.of_parts().threads(Threads::Pool);
        let progress = Progress::new();
        let (parts, warnings, subject) = self.load(&pool, &progress)?;
        let clashes = Clashes::find(&parts, &subject, (&options, self.max_pairs), &pool, &progress)?;
        drop(progress);
        let coverage = Coverage {
            parts: parts.len(),
            part_pairs: subject.pairs(parts.len()),
            boxes_overlap: clashes.boxes_overlap,
            tested: clashes.boxes_overlap,
            clashing: clashes.list.len() as u64,
            triangle_pairs: clashes.list.iter().map(|clash| clash.triangle_pairs).sum(),
        };
        let report = Report { parts, clashes, coverage, warnings, subject };
        let rows = match self.limit.unwrap_or(ROWS) {
            0 => usize::MAX,
            limit => limit,
        };
        sink.write(|out| match format {
            Format::Table => report::check::people(&report, rows, sink.columns(), out),
            Format::Json => report::check::json(&report, out),
            Format::Csv => report::check::csv(&report, out),
        })?;
        sink.summary(&report::check::ledger(&report))?;
        Ok(report.clashes.list.is_empty())
    }

    fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().chain(self.between.iter().flatten()).map(PathBuf::as_path)
    }

    fn load(
        &self,
        pool: &ThreadPool,
        progress: &Progress,
    ) -> anyhow::Result<(Vec<Part>, Vec<Warning>, Subject)> {
        let paths = self.between.as_ref().unwrap_or(&self.files);
        if !paths.is_empty() {
            let Files { parts, warnings } = input::read(paths, &self.reading, pool, progress)?;
            let subject = match self.between {
                Some(_) => Subject::Across { second: parts[0].len() },
                None => Subject::All,
            };
            return Ok((parts.into_iter().flatten().collect(), warnings, subject));
        }
        if self.reading != args::Reading::default() {
            bail!("the built-in assembly is read from no file: limits of readers have nothing to do with it");
        }
        let (parts, expected) = self.demo.unwrap_or(BuiltIn::Gearbox).load();
        let subject = if expected.is_empty() { Subject::All } else { Subject::BuiltIn { expected } };
        Ok((parts, Vec::new(), subject))
    }
}
