//! `impinge check`: the relations of an assembly's parts, which should have nothing in common.
use crate::{
    args,
    built_in::BuiltIn,
    inputs::Inputs,
    output::Sink,
    progress::Progress,
    question::{Finding, Question, longest},
    time_limit::{self, TimeLimit},
    writing::Writing,
};
use anyhow::bail;
use clap::Args;
use impinge_check::{FileUnits, Hull, Pool, Report, Watch, extent_of, numbers::count_of};
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
  impinge check engine.glb --tolerance 0.1mm   what a shift by 0.1 mm undoes is listed apart, and does not
                                               count
  impinge check engine.glb --clearance 5mm     also what is at most 5 mm apart without meeting
  impinge check engine.glb --what-if 1mm,5mm   how many findings there would be at each clearance
  impinge check a.stl b.stl --unit mm --clearance 0.2in   STL states no unit
  impinge check engine.glb --chord 0.01mm      triangles are off by that: is a finding definite, or possible?
  impinge check engine.glb --chord 0.01mm --chord 'pipe*=0.05mm'   pipes are off by more
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
    #[arg(long, value_name = "DURATION", value_parser = time_limit::duration)]
    time_limit: Option<Duration>,

    /// Threads to work with; 0 means as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads())]
    threads: u16,

    #[command(flatten)]
    reading: args::Reading,
}

impl Check {
    /// Whether there is nothing that counts.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let sink = Sink::new(self.writing.output(), self.inputs.each())?;
        let format = self.writing.format(&self.question)?;
        let report = self.find(&Progress::new())?;
        let demo = self.inputs.built_in(&self.reading)?.and_then(BuiltIn::faults);
        self.writing.write(&report, (format, Finding::relations(&self.show), demo), &sink)?;
        if report.coverage().not_examined > 0 {
            let pairs = count_of(report.coverage().not_examined, "pair of parts was", "pairs of parts were");
            bail!("--time-limit: {pairs} not examined");
        }
        Ok(report.findings() == 0)
    }

    /// Does the work, however the report is used.
    fn find(&self, progress: &Progress) -> anyhow::Result<Report> {
        let draft = self.question.draft()?;
        let limit = self.time_limit.map(TimeLimit::new);
        let watch = Watch::new().listener(progress);
        let watch = limit.as_ref().map_or(watch, |limit| watch.stop(limit.flag()));
        let output = self.writing.output();
        if self.cache.is_some() && self.cache.as_deref() == output {
            bail!("--cache and --output name one file");
        }
        if let Some(path) = &self.cache {
            impinge_check::files::check_output(path, self.inputs.each().chain(output))?;
        }
        let open = |check: &impinge_check::Check| -> anyhow::Result<_> {
            Ok(self.cache.as_ref().map(|path| check.open_cache(path, &watch)).transpose()?)
        };
        // A cache is for one question, and that is known only once lengths are numbers.
        let early = if self.question.has_units() { None } else { open(&draft)? };
        let pool = Pool::new(self.threads)?;
        let (assembly, pairs) = self.inputs.load(&self.reading, &pool, progress)?;
        let units = FileUnits::of(&assembly, self.question.unit())?;
        let check = self.question.check(&units)?;
        if self.question.has_lengths() {
            let size = || longest(extent_of(&assembly.parts, &pool));
            self.question.warn_of_large((Hull::of(&assembly.parts).size(), size), &units, progress);
        }
        let cache = if self.question.has_units() { open(&check)? } else { early };
        let check = check.pool(&pool).pairs(pairs);
        Ok(match cache {
            Some(cache) => check.run_with(assembly, cache, &watch)?,
            None => check.run(assembly, &watch)?,
        })
    }
}
