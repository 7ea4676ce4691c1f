//! `impinge info`: what is in a file, and what its trees cost.
use crate::{args, input, output::Sink, parallel, progress::Progress, report, topology::Flaws};
use clap::Args;
use impinge::{BuildOptions, Kind, Model, Quality, TreeStats, WorldBox};
use impinge_io::Part;
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl
  impinge info robot.glb arm.obj --format json
  impinge info part.ply --split midpoint --leaf-size 1
  impinge info part.ply --volumes

Exit status: 0 done, whatever the flaws; 2 the work could not be done.";

/// Show what is in files: parts, their flaws, and what their trees cost.
///
/// Degenerate triangles (segments and points) are found exactly. Duplicate triangles have the positions of an
/// earlier triangle, in any order. Edges are matched by the positions of their ends: an open edge has one
/// triangle, a non-manifold edge has three or more. None of this is an error to `check` and `pair`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Info {
    /// STL, OBJ, PLY, OFF, glTF, GLB or 3MF.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// How to write the result.
    #[arg(long, value_enum, default_value_t = args::Form::Table)]
    format: args::Form,

    /// Write the result to FILE: whole or, if anything goes wrong, not at all.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also build the trees of every volume there is, compare what they cost, and show how much of its parent's box each node leaves empty.
    #[arg(long)]
    volumes: bool,

    #[command(flatten)]
    tree: args::Tree,
}

/// What `info` has to say.
pub(crate) struct Report {
    pub(crate) parts: Vec<PartInfo>,
    /// Each once, though several parts may share it.
    pub(crate) meshes: Vec<MeshInfo>,
    /// With `--volumes`.
    pub(crate) volumes: Vec<VolumeInfo>,
}

/// What the trees of all meshes cost, made of one volume.
pub(crate) struct VolumeInfo {
    /// The volume's, and how it was built if that was not its default.
    pub(crate) name: String,
    pub(crate) nodes: usize,
    pub(crate) bytes: usize,
    /// Of the deepest.
    pub(crate) depth: usize,
    pub(crate) build: Duration,
    /// [`Model::empty_space`].
    pub(crate) empty: [usize; 10],
}

/// What there is to know of a part.
pub(crate) struct PartInfo {
    pub(crate) part: Part,
    /// The index of its mesh.
    pub(crate) mesh: usize,
    /// Lower and upper corner of the placed part's box; `None` if it has no triangle.
    pub(crate) hull: Option<[[f64; 3]; 2]>,
}

/// What there is to know of a mesh.
pub(crate) struct MeshInfo {
    pub(crate) triangles: usize,
    pub(crate) flaws: Flaws,
    pub(crate) tree: TreeStats,
    /// How long the build took.
    pub(crate) build: Duration,
}

impl Info {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(self.output.as_deref())?;
        let options = self.tree.options()?;
        let progress = Progress::new();
        // One thread: the build is timed.
        let parts = input::read(&self.files, &parallel::pool(1)?, &progress)?.concat();
        let (meshes, mesh_of) = input::distinct_meshes(&parts);
        let builds = if self.volumes { builds(options.leaf_size) } else { Vec::new() };
        progress.stage("building trees of every volume", builds.len() * meshes.len());
        let volumes = builds
            .into_iter()
            .map(|(name, all)| {
                let mut sum =
                    VolumeInfo { name, nodes: 0, bytes: 0, depth: 0, build: Duration::ZERO, empty: [0; 10] };
                for mesh in &meshes {
                    let (model, build) = timed(|| Model::new(mesh.clone(), &all));
                    let tree = model.stats();
                    sum.nodes += tree.nodes;
                    sum.bytes += tree.bytes;
                    sum.depth = sum.depth.max(tree.depth);
                    sum.build += build;
                    sum.empty.iter_mut().zip(model.empty_space()).for_each(|(sum, n)| *sum += n);
                    progress.step();
                }
                sum
            })
            .collect();
        progress.stage("looking at meshes", meshes.len());
        let meshes = meshes
            .into_iter()
            .map(|mesh| {
                let flaws = Flaws::of(&mesh);
                let (model, build) = timed(|| Model::new(mesh, &options));
                let tree = model.stats();
                progress.step();
                MeshInfo { triangles: model.mesh().len(), flaws, tree, build }
            })
            .collect();
        let parts = parts
            .into_iter()
            .zip(mesh_of)
            .map(|(part, mesh)| {
                let hull = WorldBox::new(&part.mesh, &part.pose).map(|hull| [hull.lower(), hull.upper()]);
                PartInfo { part, mesh, hull }
            })
            .collect();
        drop(progress);
        sink.write(|out| {
            report::info::write(&Report { parts, meshes, volumes }, self.format, sink.columns(), out)
        })
    }
}

/// Every volume, and every way to build those that have several.
fn builds(leaf_size: usize) -> Vec<(String, BuildOptions)> {
    let mut all = Vec::new();
    for &kind in Kind::ALL {
        let options = BuildOptions { kind, leaf_size, ..BuildOptions::default() };
        all.push((kind.name().to_owned(), options));
        if kind == Kind::Wide {
            all.push((format!("{}, compact", kind.name()), BuildOptions { compact: true, ..options }));
            for &quality in Quality::ALL.iter().filter(|&&quality| quality != options.quality) {
                let name = format!("{}, {}", kind.name(), quality.name());
                all.push((name, BuildOptions { quality, ..options }));
            }
        }
    }
    all
}

/// What `work` makes, and how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}
