//! `impinge info`: the contents of a file, and the cost of its trees.
pub(crate) mod contents;

use self::contents::{FileContents, Listing, MeshInfo, PartInfo, SolidInfo};
use crate::{
    args,
    input::{self, Files},
    output::Sink,
    progress::Progress,
    report,
    topology::Flaws,
};
use clap::Args;
use impinge::Model;
use impinge_check::{Pool, parts::distinct_meshes, sources::rounded_box, values::Warning};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl                    parts with flaws
  impinge info robot.glb --all --trees     all parts, and the size of their trees
  impinge info robot.glb arm.obj --format json

Exit status: 0 done, whatever the flaws; 2 the work could not be done.";

/// Show parts, and where their meshes have open edges and other flaws
///
/// Segments and points (degenerate triangles) are found exactly. A duplicate triangle has the corners of an
/// earlier one. An open edge has one triangle, a non-manifold edge three or more; edges are matched by the
/// positions of their ends. Each flaw is shown with the place of the first one. Parts without a flaw are only
/// counted. `check` and `pair` accept meshes with flaws.
///
/// A part is closed, and bounds a solid, if its triangles run through each edge equally often in both
/// directions. A long edge is compared with the shorter ones that lie on it. If an edge has an even number of
/// triangles, but more in one direction, the part is closed only for `--fill-rule even-odd` of other
/// commands.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Info {
    /// STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, .impinge; a folder or ZIP of these
    ///
    /// `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: args::Outcome,

    /// Also list parts without a flaw
    ///
    /// JSON always lists all parts.
    #[arg(long, help_heading = "Output")]
    all: bool,

    /// Also show size and build time of each part's bounding volume tree
    ///
    /// JSON always has them.
    #[arg(long, help_heading = "Output")]
    trees: bool,

    #[command(flatten)]
    reading: args::Reading,
}

impl Info {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let sink = Sink::new(self.output.output.as_deref(), self.files.iter().map(PathBuf::as_path))?;
        let form = self.output.form()?;
        let progress = Progress::new();
        let Files { assembly, .. } =
            input::read(&self.files, &self.reading, &Pool::with_this_thread(1, 1)?, &progress)?;
        let warnings = assembly.warnings.iter().map(Warning::from).collect();
        let (parts, omissions) = (assembly.parts, assembly.omissions);
        let (meshes, mesh_of) = distinct_meshes(&parts);
        let triangles: u64 = meshes.iter().map(|mesh| mesh.len() as u64).sum();
        progress.stage("looking at meshes, triangles", triangles);
        let meshes = meshes
            .into_iter()
            .map(|mesh| {
                let flaws = Flaws::of(&mesh);
                // On one thread: builds are timed.
                let (model, build) = timed(|| Model::new(mesh));
                let (tree, solid) = (model.stats(), SolidInfo::of(&model));
                progress.step(model.mesh().len() as u64);
                MeshInfo { flaws, solid, tree, build }
            })
            .collect();
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
        let contents = FileContents { parts, meshes, warnings, omissions, shown };
        sink.write(|out| report::info::write(&contents, form, sink.columns(), out))?;
        sink.summary(&report::info::summary(&contents, Sink::Stdout.columns()))
    }
}

/// The result of `work`, and the time that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}
