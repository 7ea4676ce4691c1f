//! `impinge info`: what is in a file, and what its trees cost.
use crate::{
    args, finding, hull,
    input::{self, Files},
    output::Sink,
    parallel,
    progress::Progress,
    report,
    topology::Flaws,
    warning::Warning,
};
use clap::Args;
use impinge::{Model, Quality, Status, Threads, TreeStats};
use impinge_io::Part;
use impinge_volumes::{Kind, Options};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl
  impinge info robot.glb arm.obj --format json
  impinge info part.ply --volume aabb --split midpoint --leaf-size 1
  impinge info part.ply --volumes

Exit status: 0 done, whatever the flaws; 2 the work could not be done.";

/// Show what is in files: parts, their flaws, and what their trees cost.
///
/// Degenerate triangles (segments and points) are found exactly. Duplicate triangles have the positions of an
/// earlier triangle, in any order. Edges are matched by the positions of their ends: an open edge has one
/// triangle, a non-manifold edge has three or more. None of this is an error to `check` and `pair`.
///
/// A part is closed, and bounds a solid, if each edge is run through as often one way as the other; where one
/// edge lies exactly on several others, all of them are added up. By parity, if only their numbers fit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Info {
    /// STL, OBJ, PLY, OFF, glTF, GLB or 3MF.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: args::Outcome,

    /// Also build the trees of every volume there is, compare what they cost, and show how much of its
    /// parent's box each node leaves empty.
    #[arg(long)]
    volumes: bool,

    #[command(flatten)]
    tree: args::Tree,

    #[command(flatten)]
    reading: args::Reading,
}

/// What `info` has to say.
pub(crate) struct Report {
    pub(crate) parts: Vec<PartInfo>,
    /// Each once, though several parts may share it.
    pub(crate) meshes: Vec<MeshInfo>,
    /// With `--volumes`.
    pub(crate) volumes: Vec<VolumeInfo>,
    pub(crate) warnings: Vec<Warning>,
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
    /// [`impinge::Model::empty_space`].
    pub(crate) empty: [usize; 10],
}

/// What there is to know of a part.
pub(crate) struct PartInfo {
    pub(crate) part: Part,
    /// The index of its mesh.
    pub(crate) mesh: usize,
    /// Lower and upper corner of the placed part's box, rounded; `None` if it has no triangle.
    pub(crate) hull: Option<[[f64; 3]; 2]>,
}

/// What there is to know of a mesh.
pub(crate) struct MeshInfo {
    pub(crate) triangles: usize,
    pub(crate) flaws: Flaws,
    pub(crate) solid: SolidInfo,
    pub(crate) tree: TreeStats,
    /// How long the build took.
    pub(crate) build: Duration,
}

/// What there is to know of a mesh as a solid.
pub(crate) struct SolidInfo {
    pub(crate) status: Status,
    /// Connected surfaces.
    pub(crate) shells: usize,
    /// Edges that do not balance.
    pub(crate) edges: usize,
    /// How many holes they make, the middle of an edge of the widest, in the mesh's own frame, and its width.
    pub(crate) holes: usize,
    pub(crate) at: Option<[f64; 3]>,
    pub(crate) width: Option<f64>,
    /// An interval that holds it, if it is closed by orientation.
    pub(crate) volume: Option<[f64; 2]>,
}

impl SolidInfo {
    fn of(model: &Model) -> Self {
        let solid = model.solid();
        let (status, shells, edges) = (solid.status(), solid.shells(), solid.open_edges());
        let (holes, at, width) =
            (solid.boundaries().len(), finding::open_at(solid), finding::open_width(solid));
        Self { status, shells, edges, holes, at, width, volume: model.winding_volume() }
    }
}

impl Info {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(self.output.output.as_deref(), self.files.iter().map(PathBuf::as_path))?;
        // One thread: builds are timed.
        let (form, options) = (self.output.form()?, self.tree.options()?.threads(Threads::One));
        let progress = Progress::new();
        let Files { parts, warnings } =
            input::read(&self.files, &self.reading, &parallel::pool(1)?, &progress)?;
        let parts: Vec<Part> = parts.into_iter().flatten().collect();
        let (meshes, mesh_of) = input::distinct_meshes(&parts);
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
                let hull = hull::rounded_box(&part.mesh, &part.pose);
                progress.step(1);
                PartInfo { part, mesh, hull }
            })
            .collect();
        drop(progress);
        let report = Report { parts, meshes, volumes, warnings };
        sink.write(|out| report::info::write(&report, form, sink.columns(), out))?;
        sink.summary(&report::info::summary(&report))
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

/// What `work` makes, and how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}
