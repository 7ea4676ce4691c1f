//! A mesh with its bounds and its tree: the part of a model that a walk needs.
mod deform;
mod tree;
mod warm;

pub(crate) use self::tree::{AnyTree, TreeOnDemand};

use self::warm::Warm;
use crate::{
    BuildOptions, Mesh, Pose, Quality, exact,
    hierarchy::Hierarchy,
    mesh::extent_of,
    motion::{Motion, Placement},
    narrow::PlacedMesh,
    normalized_frame::NormalizedFrame,
    refit::Cost,
    wide::WideTree,
};
use std::sync::Arc;

/// A mesh, the bounds of its coordinates, and a tree over its triangles.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    mesh: Arc<Mesh>,
    tree: AnyTree,
    /// Bounds of the |x|, |y|, |z| of all triangles' corners.
    reach: [f64; 3],
    /// Lower and upper bounds of all corners' coordinates.
    extent: [[f64; 3]; 2],
    /// True if products of three differences of coordinates neither overflow nor underflow.
    in_safe_range: bool,
    options: BuildOptions,
    warm: Warm,
}

fn reach_of([lo, hi]: &[[f64; 3]; 2]) -> [f64; 3] {
    std::array::from_fn(|k| lo[k].abs().max(hi[k].abs()))
}

impl Geometry {
    /// Builds the fast tree, now or when it pays.
    pub(crate) fn new(mesh: Arc<Mesh>, options: &BuildOptions) -> Self {
        let extent = extent_of(&mesh);
        let tree = AnyTree::new(&mesh, options, &extent);
        Self::assemble(mesh, extent, tree, *options)
    }
    /// A mesh and a hierarchy that another crate built for it.
    pub(crate) fn with_hierarchy(mesh: Arc<Mesh>, tree: Box<dyn Hierarchy>, options: BuildOptions) -> Self {
        let extent = extent_of(&mesh);
        Self::assemble(mesh, extent, AnyTree::Other(tree), options)
    }
    fn assemble(mesh: Arc<Mesh>, extent: [[f64; 3]; 2], tree: AnyTree, options: BuildOptions) -> Self {
        let (reach, in_safe_range) = (reach_of(&extent), exact::are_in_safe_range(mesh.points()));
        Self { mesh, tree, reach, extent, in_safe_range, options, warm: Warm::default() }
    }
    /// Makes a geometry of the parts of a saved model.
    pub(crate) fn from_saved(
        mesh: Mesh,
        extent: [[f64; 3]; 2],
        tree: WideTree,
        options: BuildOptions,
        cost: Option<[Cost; 2]>,
    ) -> Self {
        let mut geometry = Self::assemble(Arc::new(mesh), extent, AnyTree::Wide(tree), options);
        geometry.warm.cost = cost;
        geometry
    }
    /// Builds a new tree for the mesh as it is now, by the threads and options of the first build.
    pub(crate) fn rebuilt(&self) -> Self {
        let mesh = Arc::clone(&self.mesh);
        match &self.tree {
            AnyTree::Wide(_) | AnyTree::OnDemand(_) => Self::new(mesh, &self.options),
            AnyTree::Other(tree) => Self::with_hierarchy(mesh, tree.rebuild(&self.mesh), self.options),
        }
    }
    /// A copy with a quickly built tree, if the model's own tree is still to be built.
    pub(crate) fn with_quick_tree(&self) -> Option<Self> {
        if self.on_demand()?.is_due(&self.mesh) {
            return None;
        }
        let options = BuildOptions::new().quality(Quality::Fast);
        let tree = AnyTree::new(&self.mesh, &options, &self.extent);
        Some(Self::assemble(self.mesh.clone(), self.extent, tree, options))
    }
    pub(crate) fn mesh(&self) -> &Mesh {
        &self.mesh
    }
    pub(crate) fn shared_mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }
    pub(crate) fn options(&self) -> &BuildOptions {
        &self.options
    }
    pub(crate) fn options_mut(&mut self) -> &mut BuildOptions {
        &mut self.options
    }
    pub(crate) fn tree(&self) -> &AnyTree {
        &self.tree
    }
    pub(crate) fn tree_mut(&mut self) -> &mut AnyTree {
        &mut self.tree
    }
    /// The fast tree, built now if it is not yet; `None` for a mesh with another crate's hierarchy.
    pub(crate) fn wide(&self) -> Option<&WideTree> {
        self.tree.wide(&self.mesh, &self.options, &self.extent)
    }
    /// The tree on demand, if this is one: not yet built, or not always used.
    pub(crate) fn on_demand(&self) -> Option<&TreeOnDemand> {
        if let AnyTree::OnDemand(tree) = &self.tree { Some(tree) } else { None }
    }
    /// The tree's own coordinates.
    pub(crate) fn normalized_frame(&self) -> &NormalizedFrame {
        self.tree.normalized_frame(&self.mesh, &self.options, &self.extent)
    }
    /// The tree's cost when it was built, and now, if it was refitted.
    pub(crate) fn saved_cost(&self) -> Option<[Cost; 2]> {
        self.warm.cost
    }
    pub(crate) fn reach(&self) -> &[f64; 3] {
        &self.reach
    }
    pub(crate) fn in_safe_range(&self) -> bool {
        self.in_safe_range
    }
    pub(crate) fn extent(&self) -> &[[f64; 3]; 2] {
        &self.extent
    }
    pub(crate) fn at<'a>(&'a self, pose: &'a Pose) -> PlacedGeometry<'a> {
        PlacedGeometry { geometry: self, pose }
    }
    /// The geometry at the identity.
    pub(crate) fn at_rest(&self) -> PlacedGeometry<'_> {
        self.at(&Pose::IDENTITY)
    }
}

/// A geometry at a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedGeometry<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) pose: &'a Pose,
}

impl<'a> PlacedGeometry<'a> {
    /// The mesh and its bounds, for decisions about triangles.
    pub(crate) fn mesh(self) -> PlacedMesh<'a> {
        let Self { geometry, pose } = self;
        PlacedMesh {
            mesh: &geometry.mesh,
            pose,
            reach: &geometry.reach,
            extent: &geometry.extent,
            in_safe_range: geometry.in_safe_range,
        }
    }
    /// Placement of `moving`'s tree relative to this one, given the motion between the bodies' own frames.
    pub(crate) fn placement(self, moving: PlacedGeometry<'_>, to_resting: &Motion) -> Placement {
        let (normalized, other) = (self.geometry.normalized_frame(), moving.geometry.normalized_frame());
        let to_resting = to_resting.in_normalized_frames(other, normalized);
        let back = || Motion::between(self.pose, moving.pose).in_normalized_frames(normalized, other);
        Placement { to_resting, to_moving: to_resting.inverse().unwrap_or_else(back) }
    }
}
