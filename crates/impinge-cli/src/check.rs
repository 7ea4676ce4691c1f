//! `impinge check`: what the parts of an assembly are to each other where they should have nothing in common.
use crate::{
    args::{self, Format},
    built_in::BuiltIn,
    candidates::Candidates,
    chord::{Chord, Chords, Sure},
    clashes::{Clash, Clashes, Wanted},
    clearance::{Clearance, Near, Nears},
    depth::{Depths, Which},
    finding::{self, Finding, Kinds, Rule},
    input::{self, Files, Warning},
    output::Sink,
    parallel,
    progress::Progress,
    report,
};
use anyhow::bail;
use clap::Args;
use impinge::{Kind, Margin, Threads};
use impinge_demo::ExpectedClash;
use impinge_io::Part;
use rayon::ThreadPool;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::{
    mem,
    path::{Path, PathBuf},
};

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
  impinge check engine.glb --surfaces          only which triangles meet: touching counts, inside does not

Exit status: 0 nothing found that counts, 1 something was, 2 the work could not be done.";

/// Find every pair of parts of an assembly that overlap, contain, duplicate or pierce each other.
///
/// The parts of all FILEs are one assembly. Every pair of parts whose triangles share a point is found,
/// and every part that lies inside another, and it is said what each pair is; parts that only touch are
/// counted, not listed. Without a FILE the built-in assembly is checked.
#[derive(Args)]
#[command(after_help = NOTES)]
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

    /// What counts: it is listed, and makes the exit status 1. Everything but touch, if nothing is said.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    report: Vec<Finding>,

    /// What the table lists besides. JSON and CSV always hold all.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    show: Vec<Finding>,

    /// Which points are inside of a part whose edges close.
    #[arg(long, value_enum, value_name = "RULE", default_value = "nonzero")]
    inside: Rule,

    /// Of which clashes to find how deep they are: the volume in common, a corner's depth, a translation that
    /// parts them.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "counted")]
    depth: Which,

    /// Parts that a translation of at most this length takes out of each other are listed as shallow, and do
    /// not count. In the file's units.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    tolerance: Option<Margin>,

    /// Find pairs of parts that are at most this far apart without meeting, too: they are listed as near, and
    /// count. In the file's units. Of parts that are in each other without touching only --surfaces, to which
    /// that is unknown, tells how near their surfaces are.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    clearance: Option<Margin>,

    /// How many pairs would be near, and how many findings there would be, at each of these clearances, from
    /// one run. Without --clearance that is all that is said of distances, and nothing near counts.
    #[arg(
        long,
        value_name = "LENGTHS",
        value_delimiter = ',',
        value_parser = args::length,
        allow_hyphen_values = true
    )]
    what_if: Vec<Margin>,

    /// The triangles of each part are at most this far from its true, curved surface, and that from them: the
    /// sag, or chordal error, of a tessellation. Each finding is then definite, if it holds of the true parts
    /// for certain, or possible; pairs that may meet by this tolerance alone are listed as near, too. Both
    /// count. In the file's units.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, allow_hyphen_values = true)]
    chord: Option<Margin>,

    /// Only find which triangles meet, and take no part for a solid: every pair of parts that share a point
    /// counts, touching or not, and what lies inside another part without touching it does not.
    #[arg(long, conflicts_with_all = ["report", "show", "inside", "depth", "tolerance", "chord"])]
    surfaces: bool,

    #[command(flatten)]
    output: args::Output,

    /// Rows of the table: if there are more, the first by rank are shown; 0 shows all. JSON and CSV always
    /// hold all.
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

/// What counts, if nothing is said of it.
const USUAL: &[Finding] = &[
    Finding::Overlap,
    Finding::Contained,
    Finding::Same,
    Finding::Pierce,
    Finding::InsideOpen,
    Finding::Meet,
];

/// Rows of the table, if nothing is said of them.
const ROWS: usize = 100;

/// What was looked at and what became of it: `part_pairs` >= `boxes_overlap` = `tested`, which is the sum of
/// `relations`; those that are not apart are `clashing` and `contained`.
#[derive(Serialize)]
pub(crate) struct Coverage {
    pub(crate) parts: usize,
    /// Pairs of parts that the question was about.
    pub(crate) part_pairs: u64,
    /// Of these, the pairs whose exact closed world boxes meet; the others have no point in common.
    pub(crate) boxes_overlap: u64,
    /// Of these, the pairs whose triangles were tested.
    pub(crate) tested: u64,
    /// Pairs whose triangles meet.
    pub(crate) clashing: u64,
    /// Pairs of triangles that meet, over all pairs of parts.
    pub(crate) triangle_pairs: u64,
    #[serde(flatten)]
    pub(crate) solids: Option<Solids>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clearance: Option<Distances>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chord: Option<Chords>,
}

/// What is known if distances are asked for: `boxes_within` = `tested`.
#[derive(Serialize)]
pub(crate) struct Distances {
    /// What is listed, and counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<f64>,
    /// With a chord tolerance, the largest distance of triangles at which a pair is listed.
    #[serde(skip)]
    pub(crate) listed: Option<f64>,
    /// The largest distance of triangles that was asked about.
    pub(crate) searched: f64,
    /// Pairs whose boxes are no further apart than that along any axis.
    pub(crate) boxes_within: u64,
    /// Of these, the pairs that clash, and those whose distance was compared.
    pub(crate) tested: u64,
    /// Of these, the pairs that are listed as near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) near: Option<u64>,
}

impl Distances {
    fn new(nears: &Nears) -> Self {
        Self {
            limit: nears.asked.limit.map(Margin::get),
            listed: nears.asked.listed().map(Margin::get),
            searched: nears.asked.reach().get(),
            boxes_within: nears.boxes_within,
            tested: nears.boxes_within,
            near: nears.asked.limit.map(|_| nears.list.len() as u64),
        }
    }
}

/// What is known if parts are taken for solids.
#[derive(Serialize)]
pub(crate) struct Solids {
    /// Pairs without triangles that meet, of which one is inside the other.
    pub(crate) contained: u64,
    /// How many of the tested pairs are what to each other.
    pub(crate) relations: Relations,
    /// Those that count, with those that are near.
    pub(crate) findings: u64,
    /// Those that would, but for the tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shallow: Option<u64>,
    /// Parts that bound no solid: surfaces with open edges, and what has no interior.
    pub(crate) not_closed: u64,
}

impl Solids {
    /// Findings are counted later.
    fn new(clashes: &Clashes, parts: usize, contained: u64) -> Self {
        let is_open = |&part: &usize| !clashes.solid(part).status().is_closed();
        Self {
            contained,
            relations: Relations::of(clashes),
            findings: 0,
            shallow: None,
            not_closed: (0..parts).filter(is_open).count() as u64,
        }
    }
}

/// By place in [`finding::ALL`]; last, those that are apart.
pub(crate) struct Relations(pub(crate) [u64; finding::ALL.len() + 1]);

impl Relations {
    fn of(clashes: &Clashes) -> Self {
        let mut counts = [0; finding::ALL.len() + 1];
        for kind in clashes.list.iter().filter_map(|clash| clash.kind) {
            counts[finding::place(kind)] += 1;
        }
        counts[finding::ALL.len()] = clashes.boxes_overlap - clashes.list.len() as u64;
        Self(counts)
    }
    pub(crate) fn each(&self) -> impl Iterator<Item = (Kind, u64)> {
        finding::ALL.into_iter().chain([Kind::Apart]).zip(self.0)
    }
}

impl Serialize for Relations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (kind, count) in self.each() {
            map.serialize_entry(finding::name(kind), &count)?;
        }
        map.end()
    }
}

/// What `check` has to say.
pub(crate) struct Report {
    pub(crate) parts: Vec<Part>,
    pub(crate) clashes: Clashes,
    pub(crate) coverage: Coverage,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) subject: Subject,
    /// Which points are inside of parts; `None` if they are surfaces.
    pub(crate) rule: Option<Rule>,
    /// What counts, and what is listed besides.
    pub(crate) counted: Kinds,
    pub(crate) shown: Kinds,
    pub(crate) tolerance: Option<f64>,
    /// If distances were asked for.
    pub(crate) nears: Option<Nears>,
    /// How many clashes count.
    pub(crate) counting: u64,
}

impl Report {
    /// What is near.
    pub(crate) fn near(&self) -> &[Near] {
        self.nears.as_ref().map_or(&[], |nears| &nears.list)
    }
    /// How many clashes count, and pairs that are near.
    pub(crate) fn findings(&self) -> u64 {
        self.counting + self.near().len() as u64
    }
    /// At each clearance of `--what-if`: how many pairs are near, and how many findings that makes.
    pub(crate) fn what_if(&self) -> impl Iterator<Item = WhatIf> {
        self.nears
            .iter()
            .flat_map(|nears| nears.asked.what_if.iter().zip(&nears.counts))
            .map(|(margin, &near)| WhatIf { clearance: margin.get(), near, findings: self.counting + near })
    }
    pub(crate) fn counts(&self, clash: &Clash) -> bool {
        self.is_of_interest(clash) && !self.clashes.is_shallow(clash)
    }
    /// Whether it would count, but for the tolerance.
    pub(crate) fn is_shallow(&self, clash: &Clash) -> bool {
        self.is_of_interest(clash) && self.clashes.is_shallow(clash)
    }
    /// How certain those findings are that count.
    fn chords(&self, tolerance: f64) -> Chords {
        let clashes = self.clashes.list.iter().filter(|clash| self.counts(clash));
        let certainties =
            || clashes.clone().map(|c| c.certainty).chain(self.near().iter().map(|n| n.certainty));
        let count = |sure| certainties().filter(|&found| found == Some(sure)).count() as u64;
        Chords { tolerance, definite: count(Sure::Definite), possible: count(Sure::Possible) }
    }
    fn is_of_interest(&self, clash: &Clash) -> bool {
        clash.kind.is_none_or(|kind| self.counted.holds(kind))
    }
    /// Whether the table lists it. What is shallow has a table of its own.
    pub(crate) fn lists(&self, clash: &Clash) -> bool {
        let is_shown = clash.kind.is_some_and(|kind| self.shown.holds(kind));
        self.counts(clash) || is_shown && !self.is_shallow(clash)
    }
}

/// What would be found at a clearance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct WhatIf {
    pub(crate) clearance: f64,
    pub(crate) near: u64,
    /// Clashes that count, and what is near.
    pub(crate) findings: u64,
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
    /// Whether there is nothing that counts.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        let sink = Sink::new(self.output.output.as_deref(), self.inputs())?;
        let format = self.output.format()?;
        for (given, option) in [(self.limit.is_some(), "--limit"), (!self.show.is_empty(), "--show")] {
            if given && format != Format::Table {
                bail!("{option}: is about the table; JSON and CSV hold every clash");
            }
        }
        if !self.what_if.is_empty() && format == Format::Csv {
            bail!("--what-if: is about the table and JSON; CSV has a row for each pair, and none for counts");
        }
        let report = self.find(Progress::new())?;
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
        Ok(report.findings() == 0)
    }

    /// Does the work, whatever becomes of what is found.
    pub(crate) fn find(&self, progress: Progress) -> anyhow::Result<Report> {
        let pool = parallel::pool(self.threads)?;
        let options = self.volume.of_parts().threads(Threads::Pool);
        let (parts, warnings, subject) = self.load(&pool, &progress)?;
        let rule = (!self.surfaces).then_some(self.inside);
        let counted = Kinds::of(if self.report.is_empty() { USUAL } else { &self.report });
        if self.tolerance.is_some() && self.depth == Which::None {
            bail!("--tolerance: takes depths, which --depth none leaves out");
        }
        let tolerance = self.tolerance.map(Margin::get);
        let depths = Depths { of: self.depth, counted, tolerance };
        let chord = self.chord.map(|tolerance| Chord::new(tolerance, self.inside)).transpose()?;
        let wanted = Wanted { solids: rule, depths, chord };
        let asked = Clearance::new(self.clearance, self.what_if.clone(), chord)?;
        let limits = (asked.as_ref().map(Clearance::reach), self.max_pairs);
        let mut candidates = Candidates::find(&parts, &subject, limits, &pool, &progress)?;
        let meeting = mem::take(&mut candidates.meeting);
        let clashes = Clashes::find(&parts, meeting, wanted, &options, &pool, &progress)?;
        let of_distances = self.volume.of_distances().map(|options| options.threads(Threads::Pool));
        let trees = (&clashes, of_distances.as_ref());
        let nears =
            asked.map(|asked| Nears::find(&parts, asked, candidates, trees, &pool, &progress)).transpose()?;
        drop(progress);
        let [clashing, contained] = clashes.touching();
        let coverage = Coverage {
            parts: parts.len(),
            part_pairs: subject.pairs(parts.len()),
            boxes_overlap: clashes.boxes_overlap,
            tested: clashes.boxes_overlap,
            clashing,
            triangle_pairs: clashes.list.iter().map(|clash| clash.triangle_pairs).sum(),
            solids: rule.map(|_| Solids::new(&clashes, parts.len(), contained)),
            clearance: nears.as_ref().map(Distances::new),
            chord: None,
        };
        let mut report = Report {
            parts,
            clashes,
            coverage,
            warnings,
            subject,
            rule,
            counted,
            shown: Kinds::of(&self.show),
            tolerance,
            nears,
            counting: 0,
        };
        let count =
            |is: &dyn Fn(&Clash) -> bool| report.clashes.list.iter().filter(|clash| is(clash)).count() as u64;
        let counting = count(&|clash| report.counts(clash));
        let shallow = tolerance.map(|_| count(&|clash| report.is_shallow(clash)));
        report.counting = counting;
        let findings = report.findings();
        report.coverage.chord = chord.map(|chord| report.chords(chord.tolerance()));
        if let Some(solids) = &mut report.coverage.solids {
            (solids.findings, solids.shallow) = (findings, shallow);
        }
        Ok(report)
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
