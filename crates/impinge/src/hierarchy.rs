//! Interface between the core and other hierarchies: the trait that a [`Model`](crate::Model) needs, and the
//! parts of the core that its implementations use.
//!
//! The crate `impinge-volumes` implements it; the core uses the fast tree without it. This interface may
//! change with any version.
use crate::{Error, Mesh, counters::Counters};
pub use crate::{
    bounds::{Bounds, round_down, round_up},
    from_world::{RoundedPlane, RoundedVector},
    mesh::extent_of,
    motion::{Motion, Placement},
    narrow::Narrow,
    normalized_frame::NormalizedFrame,
    pool::Executor,
    refit::{Cost, Links, Touched},
    sink::Sink,
    stop::StopFlag,
    task::{NearestTask, RayTask, RegionTask, Task},
    tree_stats::TreeStats,
    typed_memory::Memory,
    vector::{UNIT, Vector, cross, dot, largest, shrinking, sub},
    visitor::{RayVisitor, RegionVisitor, Visitor},
};
use std::{any::Any, fmt::Debug, ops::ControlFlow};

/// Costs of a volume of the fast tree. The first two are its bytes, alone and with its share of a node's
/// origin, steps and links. The others are the operations of a test that finds no separation, and those that
/// prepare a volume for a test.
pub const WIDE_COSTS: ([f64; 2], [u32; 2]) = crate::wide::WideTree::COSTS;

/// A hierarchy of bounding volumes over the triangles of one mesh.
pub trait Hierarchy: Any + Debug + Send + Sync {
    /// The volume's name.
    fn name(&self) -> &'static str;
    /// A copy.
    fn copy(&self) -> Box<dyn Hierarchy>;
    /// The tree's own coordinates.
    fn normalized_frame(&self) -> &NormalizedFrame;
    /// The cost of the tree. O(n).
    fn stats(&self) -> TreeStats;
    /// Checks the tree for [`Model::validate`](crate::Model::validate).
    ///
    /// # Errors
    /// A defect of the tree.
    fn validate(&self, mesh: &Mesh) -> Result<(), Error>;
    /// The cost of the tree's boxes, for the mesh that it was made for. O(n).
    fn cost(&self, mesh: &Mesh) -> Cost;
    /// Builds a new tree for the mesh, with the options of this one.
    fn rebuild(&self, mesh: &Mesh) -> Box<dyn Hierarchy>;
    /// Refits the tree to all points of the mesh, which are new; `extent` contains them. Returns the new
    /// cost.
    fn refit(&mut self, mesh: &Mesh, extent: &[Vector; 2], executor: Executor) -> Cost;
    /// Links from nodes to their parents, and the order of the triangles; `None` if the tree can be refitted
    /// only as a whole.
    fn links(&self) -> Option<(Links, &[u32])>;
    /// Refits the tree to the touched points, and updates the cost. Called only if [`Hierarchy::links`]
    /// returns some.
    fn refit_some(&mut self, mesh: &Mesh, touched: &Touched, cost: &mut Cost);
    /// True if this tree and another can be walked together. Both must be of one type.
    fn fits(&self, other: &dyn Hierarchy) -> bool;
    /// Sends the pairs of triangles of this tree, which rests, and another that meet to the sink, until the
    /// sink or the stop flag breaks. For one mesh and itself ([`Narrow::is_within`]) it sends each pair once.
    fn walk(
        &self,
        other: &dyn Hierarchy,
        task: &Task<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()>;
    /// Shows the visitor every pair of triangles of this tree, which rests, and another that may be as near
    /// as the visitor's limit, until the visitor or the stop flag breaks. Pairs further apart may come, too.
    fn nearest(
        &self,
        other: &dyn Hierarchy,
        task: &NearestTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut Visitor<'_>,
    ) -> ControlFlow<()>;
    /// Shows the visitor every triangle that a ray may meet up to the visitor's limit, mostly in the order in
    /// which the ray reaches them, unless the stop flag is set. Others may come, too.
    fn along_ray(
        &self,
        task: &RayTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RayVisitor<'_>,
    );
    /// Shows the visitor every triangle that may have a point in a convex region, each once, unless the stop
    /// flag is set.
    fn in_region(
        &self,
        task: &RegionTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RegionVisitor<'_>,
    );
}
