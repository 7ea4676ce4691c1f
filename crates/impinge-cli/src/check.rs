//! `impinge check`: the relations of an assembly's parts, which should have nothing in common.
use crate::{
    args::{self, Format},
    cache::Cache,
    finding::{Finding, Kinds},
    outcome::Report,
    output::Sink,
    parallel, pipeline,
    progress::{self, Progress},
    question::Question,
    report,
    subject::Inputs,
};
use anyhow::bail;
use clap::Args;
use std::{path::PathBuf, time::Duration};

const NOTES: &str = "\
What two parts are to each other, as sets of points, decided exactly:
  overlap      their insides have points in common, and each has points outside of the other
  contained    one is wholly inside the other (a_in_b or b_in_a in JSON), touching it or not
  same         they are the same set, however it is cut into triangles
  touch        their surfaces meet, their insides do not
A part whose edges do not close bounds no solid (`impinge info` shows where). As a surface it can:
  pierce       have points inside and outside of a solid
  inside-open  be wholly inside a solid
  meet         meet another surface

Examples:
  impinge check                                the built-in gearbox, explained
  impinge check engine.glb                     what counts: everything but touch
  impinge check house.obj pipes.obj            every pair of parts of both
  impinge check --between house.obj pipes.obj  only pairs of a part of each
  impinge check engine.glb -o clashes.json     as JSON; .csv and .txt work as well
  impinge check engine.glb --show touch        the table lists those that touch, too
  impinge check engine.glb --report overlap,pierce   only these count
  impinge check engine.glb --tolerance 0.1     what a shift by 0.1 undoes is listed apart, and does not count
  impinge check engine.glb --clearance 5       also what is at most 5 apart without meeting
  impinge check engine.glb --what-if 1,2,5,10  how many findings there would be at each clearance
  impinge check engine.glb --chord 0.01        triangles are off by 0.01: is a finding definite, or possible?
  impinge check engine.glb --chord 0.01 --chord 'pipe*=0.05'   pipes are off by more
  impinge check engine.glb --cache engine.cache   after an edit, decide only what changed
  impinge check engine.glb --surfaces          only which triangles meet: touching counts, inside does not

Exit status: 0 nothing found that counts, 1 something was, 2 the work could not be done, or not all of it.";

/// Find every pair of parts of an assembly that overlap, contain, duplicate or pierce each other.
///
/// The parts of all FILEs are one assembly. Every pair of parts whose triangles share a point is found,
/// and every part that lies inside another, and it is said what each pair is; parts that only touch are
/// counted, not listed. Without a FILE the built-in assembly is checked.
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    question: Question,

    /// What the table lists besides. JSON and CSV always hold all.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',', conflicts_with = "surfaces")]
    show: Vec<Finding>,

    #[command(flatten)]
    writing: Writing,

    /// Keep what is decided in FILE, and decide only what that does not tell: after an edit, the pairs of
    /// parts that were changed, moved or are new. The result is the same. FILE is one that earlier runs have
    /// written, or new; it holds the pairs of the last run, and is for one question.
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Stop after this time, such as 90s, 5m or 2h: pairs of parts that are not decided by then are listed as
    /// not examined, and the exit status is 2. With --cache the next run decides them.
    #[arg(long, value_name = "DURATION", value_parser = progress::duration)]
    time_limit: Option<Duration>,

    /// Threads to work with; 0 means as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads())]
    threads: u16,

    #[command(flatten)]
    reading: args::Reading,
}

/// How what was found is written.
#[derive(Args)]
pub(crate) struct Writing {
    #[command(flatten)]
    pub(crate) output: args::Output,

    /// Rows of the table: if there are more, the first by rank are shown; 0 shows all. JSON and CSV always
    /// hold all.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The default number of rows of the table.
const ROWS: usize = 100;

/// Why counts of findings are not written as CSV.
pub(crate) const NO_COUNTS: &str =
    "--what-if: is about the table and JSON; CSV has a row for each pair, and none for counts";

impl Writing {
    /// Refuses options that have no meaning in the format that is written, which it returns.
    pub(crate) fn format(&self, show: &[Finding], question: &Question) -> anyhow::Result<Format> {
        let format = self.output.format()?;
        for (given, option) in [(self.limit.is_some(), "--limit"), (!show.is_empty(), "--show")] {
            if given && format != Format::Table {
                bail!("{option}: is about the table; JSON and CSV hold every clash");
            }
        }
        if !question.what_if.is_empty() && format == Format::Csv {
            bail!(NO_COUNTS);
        }
        Ok(format)
    }
    /// Writes the report, and a summary if it went into a file.
    pub(crate) fn write(&self, report: &Report, format: Format, sink: &Sink) -> anyhow::Result<()> {
        let rows = match self.limit.unwrap_or(ROWS) {
            0 => usize::MAX,
            limit => limit,
        };
        sink.write(|out| match format {
            Format::Table => report::check::people(report, rows, sink.columns(), out),
            Format::Json => report::check::json(report, out),
            Format::Csv => report::check::csv(report, out),
        })?;
        sink.summary(&report::check::ledger(report))
    }
}

impl Check {
    /// Whether there is nothing that counts.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let sink = Sink::new(self.writing.output.output.as_deref(), self.inputs.each())?;
        let format = self.writing.format(&self.show, &self.question)?;
        let report = self.find(Progress::new())?;
        self.writing.write(&report, format, &sink)?;
        if report.coverage.not_examined > 0 {
            let pairs =
                report::count_of(report.coverage.not_examined, "pair of parts was", "pairs of parts were");
            bail!("--time-limit: {pairs} not examined");
        }
        Ok(report.findings() == 0)
    }

    /// Does the work, however the report is used.
    pub(crate) fn find(&self, progress: Progress) -> anyhow::Result<Report> {
        // A contradiction is an error before minutes of reading.
        let asked = self.question.asked()?;
        let progress = progress.end_after(self.time_limit);
        let cache = self.open(&progress)?;
        let pool = parallel::pool(self.threads)?;
        let (parts, warnings, subject) = self.inputs.load(&self.reading, &pool, &progress)?;
        let (found, facts) = match cache {
            Some(cache) => cache.find(parts, &subject, &asked, &pool, &progress)?,
            None => pipeline::run(parts, &subject, &asked, &pool, &progress)?,
        };
        Ok(Report::new(facts, found, &asked, Kinds::of(&self.show), (subject, warnings)))
    }

    /// The cache, if there is to be one.
    fn open(&self, progress: &Progress) -> anyhow::Result<Option<Cache>> {
        let output = self.writing.output.output.as_deref();
        if self.cache.is_some() && self.cache.as_deref() == output {
            bail!("--cache and --output name one file");
        }
        let others = self.inputs.each().chain(output);
        let open = |path: &PathBuf| Cache::open(path, others, &self.question, progress);
        self.cache.as_ref().map(open).transpose()
    }
}
