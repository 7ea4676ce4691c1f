//! `impinge info`: the contents of a file, and the cost of its trees.
pub(crate) mod contents;

use self::contents::{FileContents, Listing, MeshInfo, PartInfo, SolidInfo, VolumeInfo};
use crate::{
    args,
    input::{self, Files},
    output::Sink,
    progress::Progress,
    report,
    topology::Flaws,
};
use clap::Args;
use impinge::{Quality, Threads};
use impinge_check::{Pool, Warning, distinct_meshes, rounded_box};
use impinge_volumes::{Kind, Options};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl                    parts with flaws
  impinge info robot.glb --all --trees     all parts, and what their trees cost
  impinge info robot.glb arm.obj --format json
  impinge info part.ply --volume aabb --split midpoint --leaf-size 1
  impinge info part.ply --volumes

Exit status: 0 done, whatever the flaws; 2 the work could not be done.";

/// Show the parts in files and their flaws.
///
/// Degenerate triangles (segments and points) are found exactly. Duplicate triangles have the positions of an
/// earlier triangle, in any order. Edges are matched by the positions of their ends: an open edge has one
/// triangle, a non-manifold edge has three or more. Parts without a flaw are only counted. None of this is an
/// error to `check` and `pair`.
///
/// A part is closed, and bounds a solid, if each edge is run through as often one way as the other; where one
/// edge lies exactly on several others, all of them are added up. By parity, if only their numbers fit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Info {
    /// STL, OBJ, PLY, OFF, glTF, GLB, 3MF or a bundle (.impinge); - is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: args::Outcome,

    /// Also build the trees of every volume there is, compare what they cost, and show how much of its
    /// parent's box each node leaves empty.
    #[arg(long)]
    volumes: bool,

    /// List parts without a flaw, too. JSON lists all parts.
    #[arg(long)]
    all: bool,

    /// Show what the tree of each listed part costs. JSON has it always.
    #[arg(long)]
    trees: bool,

    #[command(flatten)]
    tree: args::Tree,

    #[command(flatten)]
    reading: args::Reading,
}

impl Info {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(self.output.output.as_deref(), self.files.iter().map(PathBuf::as_path))?;
        // One thread: builds are timed.
        let (form, options) = (self.output.form()?, self.tree.options()?.threads(Threads::One));
        let progress = Progress::new();
        let Files { assembly, .. } =
            input::read(&self.files, &self.reading, &Pool::with_this_thread(1, 1)?, &progress)?;
        let warnings = assembly.warnings.iter().map(Warning::from).collect();
        let (parts, omissions) = (assembly.parts, assembly.omissions);
        let (meshes, mesh_of) = distinct_meshes(&parts);
        let builds = if self.volumes { builds(options.leaf_size) } else { Vec::new() };
        let triangles: u64 = meshes.iter().map(|mesh| mesh.len() as u64).sum();
        progress.stage("building trees of every volume, triangles", builds.len() as u64 * triangles);
        let volumes = builds
            .into_iter()
            .map(|(name, all)| {
                let mut sum =
                    VolumeInfo { name, nodes: 0, bytes: 0, depth: 0, build: Duration::ZERO, empty: [0; 10] };
                for mesh in &meshes {
                    let (model, build) = timed(|| all.build(mesh.clone()));
                    let model = model?;
                    let tree = model.stats();
                    sum.nodes += tree.nodes;
                    sum.bytes += tree.bytes;
                    sum.depth = sum.depth.max(tree.depth);
                    sum.build += build;
                    sum.empty.iter_mut().zip(model.empty_space()).for_each(|(sum, n)| *sum += n);
                    progress.step(mesh.len() as u64);
                }
                Ok(sum)
            })
            .collect::<anyhow::Result<_>>()?;
        progress.stage("looking at meshes, triangles", triangles);
        let meshes = meshes
            .into_iter()
            .map(|mesh| {
                let flaws = Flaws::of(&mesh);
                let (model, build) = timed(|| options.build(mesh));
                let model = model?;
                let (tree, solid) = (model.stats(), SolidInfo::of(&model));
                progress.step(model.mesh().len() as u64);
                Ok(MeshInfo { triangles: model.mesh().len(), flaws, solid, tree, build })
            })
            .collect::<anyhow::Result<_>>()?;
        progress.stage("boxes around parts", parts.len() as u64);
        let parts = parts
            .into_iter()
            .zip(mesh_of)
            .map(|(part, mesh)| {
                let hull = rounded_box(&part.mesh, &part.pose);
                progress.step(1);
                PartInfo { part, mesh, hull }
            })
            .collect();
        drop(progress);
        let shown = Listing { all: self.all, trees: self.trees };
        let contents = FileContents { parts, meshes, volumes, warnings, omissions, shown };
        sink.write(|out| report::info::write(&contents, form, sink.columns(), out))?;
        sink.summary(&report::info::summary(&contents))
    }
}

/// Every volume, and every way to build those that have several.
fn builds(leaf_size: usize) -> Vec<(String, Options)> {
    let mut all = Vec::new();
    for &kind in Kind::ALL {
        let options = Options::new(kind).leaf_size(leaf_size);
        all.push((kind.name().to_owned(), options));
        if kind == Kind::Wide {
            all.push((format!("{}, compact", kind.name()), options.compact(true)));
            let fast = Quality::Fast;
            all.push((format!("{}, {}", kind.name(), fast.name()), options.quality(fast)));
        }
    }
    all
}

/// The result of `work`, and the time that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}
