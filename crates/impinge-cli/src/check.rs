//! `impinge check`: every clashing pair of parts.
use crate::{args, built_in::BuiltIn, input, output::Sink, parallel, progress::Progress, report, sweep};
use clap::Args;
use impinge::{Body, BuildOptions, Model, Query, Scratches, WorldBox, contact_point};
use impinge_io::Part;
use impinge_testkit::gearbox::ExpectedClash;
use rayon::ThreadPool;
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeSet, path::PathBuf, sync::Arc};

const EXAMPLES: &str = "\
Examples:
  impinge check                                the built-in gearbox, explained
  impinge check engine.glb                     every pair of parts of a file
  impinge check house.obj pipes.obj            every pair of parts of both
  impinge check --between house.obj pipes.obj  only pairs of a part of each
  impinge check engine.glb --format json -o clashes.json

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

    /// Threads to work with; 0 means as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads())]
    threads: u16,

    #[command(flatten)]
    volume: args::Volume,
}

/// Two parts that meet.
pub(crate) struct Clash {
    /// Indices of the parts, the smaller first.
    pub(crate) parts: [usize; 2],
    /// How many pairs of their triangles meet.
    pub(crate) triangle_pairs: u64,
    /// Where the first such pair meets, to rounding.
    pub(crate) point: [f64; 3],
}

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
    /// Sorted by part indices.
    pub(crate) clashes: Vec<Clash>,
    pub(crate) coverage: Coverage,
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
    fn wants(&self, [a, b]: [usize; 2]) -> bool {
        match *self {
            Self::Across { second } => a < second && second <= b,
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
        let sink = Sink::new(self.output.output.as_deref())?;
        let pool = parallel::pool(self.threads)?;
        let options = BuildOptions { kind: self.volume.kind(), ..BuildOptions::default() };
        let progress = Progress::new();
        let (parts, subject) = self.load(&pool, &progress)?;
        let report = check(parts, subject, &options, &pool, &progress);
        drop(progress);
        sink.write(|out| report::check::write(&report, self.output.format, sink.columns(), out))?;
        Ok(report.clashes.is_empty())
    }

    fn load(&self, pool: &ThreadPool, progress: &Progress) -> anyhow::Result<(Vec<Part>, Subject)> {
        if let Some(paths) = &self.between {
            let files = input::read(paths, pool, progress)?;
            let second = files[0].len();
            return Ok((files.concat(), Subject::Across { second }));
        }
        if !self.files.is_empty() {
            return Ok((input::read(&self.files, pool, progress)?.concat(), Subject::All));
        }
        let (parts, expected) = self.demo.unwrap_or(BuiltIn::Gearbox).load();
        Ok((parts, Subject::BuiltIn { expected }))
    }
}

fn check(
    parts: Vec<Part>,
    subject: Subject,
    options: &BuildOptions,
    pool: &ThreadPool,
    progress: &Progress,
) -> Report {
    progress.stage("boxes", parts.len());
    let boxes = parallel::each(pool, &parts, progress, |part| WorldBox::new(&part.mesh, &part.pose));
    let overlaps = sweep::sweep(&boxes, |pair| subject.wants(pair));

    let trees = Trees::build(&parts, &overlaps, options, pool, progress);
    let mut pairs: Vec<Pair<'_>> = overlaps
        .iter()
        .map(|&[a, b]| Pair { parts: [a, b], first: trees.body(&parts, a), second: trees.body(&parts, b) })
        .collect();
    // The longest first, so that no thread is left alone with one at the end.
    pairs.sort_by_key(|pair| Reverse(pair.first.model.mesh().len() + pair.second.model.mesh().len()));
    progress.stage("testing pairs", pairs.len());
    let found = parallel::in_order(pool, pairs.len(), Default::default, |own, i| {
        let found = pairs[i].test(own);
        progress.step();
        found
    });

    let boxes_overlap = pairs.len() as u64;
    let mut clashes: Vec<Clash> = found.into_iter().flatten().collect();
    clashes.sort_unstable_by_key(|clash| clash.parts);
    let coverage = Coverage {
        parts: parts.len(),
        part_pairs: subject.pairs(parts.len()),
        boxes_overlap,
        tested: boxes_overlap,
        clashing: clashes.len() as u64,
        triangle_pairs: clashes.iter().map(|clash| clash.triangle_pairs).sum(),
    };
    Report { parts, clashes, coverage, subject }
}

/// The trees of the meshes of parts whose boxes meet; parts that share a mesh share its tree.
struct Trees {
    models: Vec<Model>,
    /// By part: the index of its tree, if it needs one.
    model_of: Vec<Option<usize>>,
}

impl Trees {
    fn build(
        parts: &[Part],
        overlaps: &[[usize; 2]],
        options: &BuildOptions,
        pool: &ThreadPool,
        progress: &Progress,
    ) -> Self {
        let (meshes, mesh_of) = input::distinct_meshes(parts);
        let needed: BTreeSet<usize> = overlaps.iter().flatten().map(|&part| mesh_of[part]).collect();
        let mut order: Vec<usize> = needed.into_iter().collect();
        order.sort_by_key(|&mesh| Reverse(meshes[mesh].len()));
        progress.stage("building trees", order.len());
        // Threads that find no mesh left help with those that others are at.
        let build = |&mesh: &usize| Model::par_new(Arc::clone(&meshes[mesh]), options);
        let models = parallel::each(pool, &order, progress, build);
        let mut of_mesh = vec![None; meshes.len()];
        for (model, &mesh) in order.iter().enumerate() {
            of_mesh[mesh] = Some(model);
        }
        Self { models, model_of: mesh_of.into_iter().map(|mesh| of_mesh[mesh]).collect() }
    }

    /// A part of `overlaps` as a body.
    fn body(&self, parts: &[Part], part: usize) -> Body<'_> {
        match self.model_of[part] {
            Some(model) => Body::new(&self.models[model], parts[part].pose),
            None => unreachable!("part {part} is in no pair that trees were built for"),
        }
    }
}

/// Two parts whose boxes meet.
struct Pair<'a> {
    parts: [usize; 2],
    first: Body<'a>,
    second: Body<'a>,
}

impl Pair<'_> {
    fn test(&self, (scratches, pairs): &mut (Scratches, Vec<[u32; 2]>)) -> Option<Clash> {
        // Threads that have no pair of parts left take part in the last ones.
        Query::default().par_intersecting_pairs(&self.first, &self.second, scratches, pairs);
        let &smallest = pairs.first()?;
        Some(Clash {
            parts: self.parts,
            triangle_pairs: pairs.len() as u64,
            point: contact_point(&self.first, &self.second, smallest),
        })
    }
}
