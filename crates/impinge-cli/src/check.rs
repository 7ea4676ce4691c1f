//! `impinge check`: the relations of an assembly's parts, which should have nothing in common.
use crate::{
    against::Against,
    args,
    built_in::BuiltIn,
    grouping::Grouping,
    images::Images,
    input,
    inputs::Inputs,
    progress::Progress,
    question::{Finding, Question, longest},
    ruling::{Ruled, Ruling},
    run_files::RunFiles,
    standard_input, threads,
    time_limit::{self, TimeLimit},
    today::today,
    writing::{Outputs, Shown, Writing},
};
use anyhow::bail;
use clap::Args;
use impinge_check::{
    Report, Rules, Watch,
    records::extent_of,
    report::SelfIntersecting,
    sources::{Hull, Omission},
    values::numbers::{count, count_of},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

const EXAMPLES: &str = "\
Examples:
  impinge check engine.glb                          every pair of parts
  impinge check engine.glb --clearance 5mm          and pairs at most 5 mm apart
  impinge check house.obj pipes.obj -o report.html  a page with a 3D view
  impinge check --between house.obj pipes.obj       only pairs of a part of each
  impinge check engine.glb --baseline b.jsonl       only findings that are new
Relations, exit status and rare options: impinge check --help";

const NOTES: &str = "\
Relations of two parts, as sets of points, decided exactly:
  overlap         their insides have points in common, and each has points outside the other
  inside          one is wholly inside the other (in JSON: a is `inside` b, or it `contains` b)
  duplicate       they are the same set of points, however it is cut into triangles
  touch           their surfaces meet, their insides do not
A part with open edges bounds no solid (impinge info shows where). As a surface it can:
  pierce          have points inside and outside a solid
  surface-inside  be wholly inside a solid
  meet            meet another surface

Examples:
  impinge check engine.glb                          every pair of parts
  impinge check engine.glb --clearance 5mm          and pairs at most 5 mm apart
  impinge check --between house.obj pipes.obj       only pairs of a part of each
  impinge check engine.glb --ignore 'bolt*,nut*'    bolts in nuts are designed
  impinge check engine.glb -o report.html           a page with a 3D view
  impinge check engine.glb --baseline b.jsonl       only findings that are new
More examples: docs/command-line.md

Exit status: 0 no finding, 1 some finding, 2 the work could not be done, or not all of it.
If no mesh can be made of a part, it is listed as not examined; with --strict the status is 2, too.";

/// Find every pair of parts of an assembly that overlap, contain, duplicate or pierce each other
///
/// All parts of all files are compared with each other. A pair gets a relation if the parts meet, or if one
/// is inside the other. The summary has the number of pairs that only touch; they are no findings. Without a
/// file the built-in gearbox is checked.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = NOTES)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    question: Question,

    /// Also list these relations in the table
    ///
    /// JSON and CSV always have all.
    ///
    /// Relations, separated by commas: overlap, inside, duplicate, pierce, surface-inside, meet, touch, all.
    #[arg(
        long,
        value_enum,
        value_name = "RELATIONS",
        value_delimiter = ',',
        conflicts_with = "surfaces",
        help_heading = "Output",
        hide_possible_values = true
    )]
    show: Vec<Finding>,

    /// Also list parts that touch nothing
    ///
    /// Each is listed with the nearest other part and the gap. Parts that touch only each other are listed
    /// together; the largest such set, the assembly itself, is not. With --clearance, near parts are attached
    /// to each other. Floating parts are no findings.
    #[arg(long, help_heading = "Findings")]
    floating: bool,

    #[command(flatten)]
    grouping: Grouping,

    #[command(flatten)]
    ruling: Ruling,

    #[command(flatten)]
    against: Against,

    /// Also find where the mesh of a part meets itself
    ///
    /// Two triangles meet elsewhere than in a corner or edge that they share. Each such part is a finding.
    #[arg(long = "self", help_heading = "Findings")]
    within: bool,

    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    images: Images,

    /// Reuse results in FILE for pairs that did not change
    ///
    /// FILE is created if it is missing. After an edit, only pairs with a part that changed, moved or is new
    /// are decided; the report is the same as without FILE. Other options replace all results in FILE, so use
    /// one for each set of options.
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    cache: Option<PathBuf>,

    /// Stop after this time, such as 90s, 5m or 2h
    ///
    /// Pairs that are not decided by then are listed as not examined, and the exit status is 2. With --cache
    /// the next run decides them.
    #[arg(long, value_name = "DURATION", value_parser = time_limit::duration, help_heading = "Run")]
    time_limit: Option<Duration>,

    /// Exit with status 2 if some part has no mesh
    ///
    /// Readers could make no mesh of it, so that it is not examined. Without this option it is only listed.
    #[arg(long, help_heading = "Run")]
    strict: bool,

    /// Use N threads [default: one for each core]
    ///
    /// N is at most eight for each core.
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

/// An error if there is no pair of parts to check: what was not examined is not clean.
pub(crate) fn refuse_no_pair(parts: usize, pairs: u64, omissions: &[Omission]) -> anyhow::Result<()> {
    if pairs > 0 {
        return Ok(());
    }
    let sum =
        |failed| omissions.iter().filter(|one| one.is_failed() == failed).map(|one| one.count).sum::<u64>();
    let mut others = String::new();
    if let Some(first) = omissions.iter().find(|one| one.is_failed()) {
        let are = count_of(sum(true), "other part was", "other parts were");
        let name = first.name.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
        others = format!(", {are} not examined ({}: {name}{})", first.file, first.reason);
    }
    if sum(false) > 0 {
        others += &format!(", {} left out", count_of(sum(false), "other part was", "other parts were"));
    }
    bail!(
        "{}{others}: there is no pair to check; --self looks for self-intersections, --split shells makes parts \
         of its shells",
        count(parts as u64, "part")
    )
}

/// An error if parts were not examined, with `--strict`.
pub(crate) fn refuse_partial(report: &Report, strict: bool) -> anyhow::Result<()> {
    match report.coverage().parts_not_examined {
        0 => Ok(()),
        _ if !strict => Ok(()),
        n => bail!(
            "--strict: {} not examined, as no mesh could be made of them",
            count_of(n, "part was", "parts were")
        ),
    }
}

impl Check {
    /// Runs the command. Returns true if nothing counts.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let Ruled { rules, files } =
            self.ruling.read(self.inputs.globs(), !self.inputs.paths().is_empty())?;
        if let Some(rules) = &rules {
            self.question.refuse_with(rules)?;
        }
        let inputs: Vec<&Path> = self.inputs.each().collect();
        let results = self.writing.results(inputs.iter().copied(), self.question.has_what_if())?;
        self.refuse_one_place(&files)?;
        // Names of shells are not those of the parts with faults.
        let is_whole = self.inputs.split.is_none();
        let explains = is_whole && !self.ruling.is_any() && !self.inputs.is_between_globs();
        let faults = self.inputs.built_in(&self.reading)?.filter(|_| explains).and_then(BuiltIn::faults);
        // The faults of an example are listed by rank, all of them.
        let rows = self.writing.most_rows(&results).filter(|_| faults.is_none());
        let baseline = self.against.read()?;
        let progress = Progress::new();
        let report = self.find(rules, &results, rows, &progress)?;
        let report = self.against.compare(report, baseline.as_ref())?;
        let shown = Shown {
            relations: Finding::relations(&self.show),
            contacts: self.question.contacts(),
            groups: self.grouping.by(&report)?,
            statistics: self.grouping.statistics,
            images: Some(&self.images),
            faults,
            baseline: if results.has("html") || results.has("bcf") {
                Against::next(&report, baseline.as_ref())
            } else {
                None
            },
        };
        self.writing.write(&report, &shown, &results, self.threads, &progress)?;
        self.against.update(&report, baseline.as_ref())?;
        if report.coverage().not_examined > 0 {
            let pairs = count_of(report.coverage().not_examined, "part pair was", "part pairs were");
            bail!("--time-limit: {pairs} not examined");
        }
        if let Some(SelfIntersecting { not_examined: left @ 1.., .. }) = report.coverage().self_intersections
        {
            let parts = count_of(left, "part was", "parts were");
            bail!("--time-limit: {parts} not examined for self-intersections");
        }
        refuse_partial(&report, self.strict)?;
        Ok(report.is_clean())
    }

    /// The check, with what depends on the results that are written and on the rows that are shown.
    fn with_shown(
        &self,
        check: impinge_check::Check,
        results: &Outputs,
        rows: Option<usize>,
    ) -> impinge_check::Check {
        let check = check.floating(self.floating).self_intersections(self.within);
        let check = if results.of_contacts().is_some() { check.contacts(true) } else { check };
        // With a time limit, what is not decided must be told apart from what is not shown.
        match rows {
            Some(rows) if self.time_limit.is_none() && self.grouping.is_usual() && !self.against.is_any() => {
                if self.grouping.is_ungrouped() {
                    check.first_depths(rows)
                } else {
                    check.first_groups(rows)
                }
            }
            _ => check,
        }
    }
    /// Refuses to write what is read, and to write a file twice. `rules` are the files of the rules.
    fn refuse_one_place(&self, rules: &[PathBuf]) -> anyhow::Result<()> {
        let mut reads: Vec<&Path> = self.inputs.each().filter(|path| !standard_input::is(path)).collect();
        reads.extend(rules.iter().map(PathBuf::as_path));
        let mut writes: Vec<_> = self.writing.files().map(|path| ("--output", path)).collect();
        writes.extend(self.cache.as_deref().map(|path| ("--cache", path)));
        match self.against.file() {
            Some((path, true)) => writes.push(("--baseline", path)),
            Some((path, false)) => reads.push(path),
            None => {}
        }
        let files = RunFiles { reads, writes };
        files.check()?;
        if let Some(folder) = self.images.folder() {
            files.check_folder("--images", folder)?;
        }
        self.images.refuse()
    }
    /// Does the work, however the report is used.
    fn find(
        &self,
        rules: Option<Arc<Rules>>,
        results: &Outputs,
        rows: Option<usize>,
        progress: &Progress,
    ) -> anyhow::Result<Report> {
        let draft = self.question.draft()?;
        let limit = self.time_limit.map(TimeLimit::new);
        let watch = Watch::new().listener(progress);
        let watch = limit.as_ref().map_or(watch, |limit| watch.stop(limit.flag()));
        let open = |check: &impinge_check::Check| -> anyhow::Result<_> {
            Ok(self.cache.as_ref().map(|path| check.open_cache(path, &watch)).transpose()?)
        };
        // A cache is for one question, and lengths with units become numbers only with the files' unit.
        let early = if self.question.has_units() { None } else { open(&draft)? };
        let pool = threads::pool(self.threads, self.inputs.each())?;
        let (assembly, pairs) =
            self.inputs.load(&self.reading, self.question.fill_rule(), &pool, progress)?;
        // A bundle comes from other files.
        let sources = || assembly.sources.iter().map(|source| &*source.file);
        for file in self.writing.files() {
            impinge_check::files::check_output(file, sources())?;
        }
        if !self.within && self.inputs.split.is_none() {
            let omissions: Vec<Omission> = assembly.omissions.iter().map(Omission::from).collect();
            refuse_no_pair(assembly.parts.len(), pairs.count(assembly.parts.len()), &omissions)?;
        }
        let units = input::units(&assembly, self.question.unit(), progress)?;
        let check = self.question.check(&units)?;
        if self.question.has_lengths() {
            let size = || longest(extent_of(&assembly.parts, &pool));
            self.question.warn_of_large(Hull::of(&assembly.parts).size(), size, &units, progress);
        }
        let cache = if self.question.has_units() { open(&check)? } else { early };
        let check = self.with_shown(check, results, rows);
        let check = check.pool(&pool).pairs(pairs);
        let check = match rules {
            Some(rules) => check.rules(rules, today()),
            None => check,
        };
        Ok(match cache {
            Some(cache) => check.run_with(assembly, cache, &watch)?,
            None => check.run(assembly, &watch)?,
        })
    }
}
