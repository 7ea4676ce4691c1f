//! Contents of files: parts, meshes, costs of trees.
use crate::topology::Flaws;
use impinge::{Model, model::TreeStats, solid::Closedness};
use impinge_check::{Part, parts::SolidFacts, values::Warning};
use impinge_io::Omission;
use std::time::Duration;

/// Contents of some files.
pub(crate) struct FileContents {
    pub(crate) parts: Vec<PartInfo>,
    /// The distinct meshes. Several parts may share one.
    pub(crate) meshes: Vec<MeshInfo>,
    pub(crate) warnings: Vec<Warning>,
    /// Parts of the files that `parts` does not have.
    pub(crate) omissions: Vec<Omission>,
    /// The contents that a table shows.
    pub(crate) shown: Listing,
}

/// Selection of the contents that a table shows. JSON has all contents.
#[derive(Clone, Copy)]
pub(crate) struct Listing {
    /// True to list parts without a flaw, too.
    pub(crate) all: bool,
    /// True to show the costs of trees.
    pub(crate) trees: bool,
}

impl FileContents {
    /// The parts that a table lists, with their indices.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (usize, &PartInfo)> {
        let is_listed = |part: &PartInfo| self.shown.all || self.meshes[part.mesh].is_flawed();
        self.parts.iter().enumerate().filter(move |(_, part)| is_listed(part))
    }
}

/// A part.
pub(crate) struct PartInfo {
    pub(crate) part: Part,
    /// The index of its mesh.
    pub(crate) mesh: usize,
    /// Lower and upper corner of the placed part's box, rounded; `None` if it has no triangle.
    pub(crate) hull: Option<[[f64; 3]; 2]>,
}

/// A mesh.
pub(crate) struct MeshInfo {
    pub(crate) flaws: Flaws,
    pub(crate) solid: SolidInfo,
    pub(crate) tree: TreeStats,
    /// Time of the build.
    pub(crate) build: Duration,
}

impl MeshInfo {
    /// True if anything is wrong with the mesh as the surface of a solid.
    pub(crate) fn is_flawed(&self) -> bool {
        self.solid.status != Closedness::Closed || self.flaws.each().iter().any(|(_, flaw)| flaw.count > 0)
    }
}

/// The solid that a mesh bounds.
pub(crate) struct SolidInfo {
    pub(crate) status: Closedness,
    /// Connected surfaces.
    pub(crate) shells: usize,
    /// Edges that do not balance.
    pub(crate) edges: usize,
    /// The number of holes that these edges make.
    pub(crate) holes: usize,
    /// The middle of an edge of the widest hole, in the mesh's own frame.
    pub(crate) at: Option<[f64; 3]>,
    /// The width of that hole.
    pub(crate) width: Option<f64>,
    /// An interval that holds the volume of the mesh, if the mesh is closed by orientation.
    pub(crate) volume: Option<[f64; 2]>,
}

impl SolidInfo {
    pub(crate) fn of(model: &Model) -> Self {
        let solid = model.solid();
        let (status, shells, edges) = (solid.status(), solid.shells(), solid.open_edges());
        let SolidFacts { holes, at, width, .. } = SolidFacts::new(solid);
        Self { status, shells, edges, holes, at, width, volume: model.winding_volume() }
    }
}
