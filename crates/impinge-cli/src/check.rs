//! `impinge check`: every clashing pair of parts.
use crate::{args, built_in::BuiltIn, input, output::Sink, parallel, progress::Progress, report};
use clap::Args;
use impinge::{
    Body, BuildOptions, Detail, Enclosure, Filter, Model, Query, Scene, SceneOptions, contact_point,
};
use impinge_io::Part;
use impinge_testkit::gearbox::ExpectedClash;
use rayon::ThreadPool;
use serde::Serialize;
use std::{cmp::Reverse, path::PathBuf, sync::Arc};

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
    /// With which others a part is compared.
    fn filter(&self, part: usize) -> Filter {
        match *self {
            Self::Across { second } if part < second => Filter { groups: 1, mask: 2 },
            Self::Across { .. } => Filter { groups: 2, mask: 1 },
            Self::All | Self::BuiltIn { .. } => Filter::default(),
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
        let subject = if expected.is_empty() { Subject::All } else { Subject::BuiltIn { expected } };
        Ok((parts, subject))
    }
}

fn check(
    parts: Vec<Part>,
    subject: Subject,
    options: &BuildOptions,
    pool: &ThreadPool,
    progress: &Progress,
) -> Report {
    let models = models(&parts, options, pool, progress);
    // Nothing moves, so the least boxes are worth their while; and they are what the ledger is about.
    let options = SceneOptions { enclosure: Enclosure::Exact, ..SceneOptions::default() };
    let mut scene = Scene::with_options(options);
    // A new scene's places are in the order in which bodies come: that of the parts.
    for (index, (part, model)) in parts.iter().zip(&models).enumerate() {
        let body = scene.add(Arc::clone(model), part.pose);
        // The body is there.
        let _ = scene.set_filter(body, subject.filter(index));
    }
    progress.stage("boxes", 1);
    pool.install(|| {
        scene.par_update(&Query::default(), Detail::Counts, &|done, pairs| match done {
            0 => progress.stage("testing pairs", pairs),
            _ => progress.step(),
        });
    });

    let clashes: Vec<Clash> = scene
        .contacts()
        .iter()
        .map(|contact| {
            let parts_of = contact.bodies.map(|body| body.slot());
            let [a, b] = parts_of.map(|part| Body::new(&models[part], parts[part].pose));
            Clash {
                parts: parts_of,
                triangle_pairs: contact.triangle_pairs.unwrap_or(0),
                point: contact_point(&a, &b, contact.witness).point,
            }
        })
        .collect();
    let coverage = Coverage {
        parts: parts.len(),
        part_pairs: subject.pairs(parts.len()),
        boxes_overlap: scene.stats().near as u64,
        tested: scene.stats().decided as u64,
        clashing: clashes.len() as u64,
        triangle_pairs: clashes.iter().map(|clash| clash.triangle_pairs).sum(),
    };
    Report { parts, clashes, coverage, subject }
}

/// The model of each part; parts that share a mesh share it.
fn models(parts: &[Part], options: &BuildOptions, pool: &ThreadPool, progress: &Progress) -> Vec<Arc<Model>> {
    let (meshes, mesh_of) = input::distinct_meshes(parts);
    // The largest first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..meshes.len()).collect();
    order.sort_by_key(|&mesh| Reverse(meshes[mesh].len()));
    progress.stage("building trees", order.len());
    // Threads that find no mesh left help with those that others are at.
    let build = |&mesh: &usize| Arc::new(Model::par_new(Arc::clone(&meshes[mesh]), options));
    let built = parallel::each(pool, &order, progress, build);
    let mut of_mesh: Vec<Option<Arc<Model>>> = vec![None; meshes.len()];
    for (mesh, model) in order.into_iter().zip(built) {
        of_mesh[mesh] = Some(model);
    }
    mesh_of.into_iter().filter_map(|mesh| of_mesh[mesh].clone()).collect()
}
