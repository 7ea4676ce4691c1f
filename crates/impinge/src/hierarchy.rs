//! The seam between the core and other hierarchies: what one has to answer so that a [`Model`](crate::Model)
//! can be made of it, and what it may use of the core.
//!
//! The crate `impinge-volumes` is the implementor; the fast tree needs none of it, being known to the core.
//! This interface may change with any version.
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

/// Bytes of a volume of the fast tree, and of one with its share of a node's origin, steps and links;
/// operations of a test that finds no separation, and of making a volume ready for it.
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
    /// See [`Model::validate`](crate::Model::validate).
    ///
    /// # Errors
    /// A defect of the tree.
    fn validate(&self, mesh: &Mesh) -> Result<(), Error>;
    /// The cost of its boxes, for the mesh that it was made for. O(n).
    fn cost(&self, mesh: &Mesh) -> Cost;
    /// Another, for the mesh, with the options of this one.
    fn rebuild(&self, mesh: &Mesh) -> Box<dyn Hierarchy>;
    /// To all points of the mesh, which are new; `extent` holds them.
    fn refit(&mut self, mesh: &Mesh, extent: &[Vector; 2], executor: Executor) -> Cost;
    /// How it is climbed, and the order of its triangles; `None` if it can be refitted only as a whole.
    fn links(&self) -> Option<(Links, &[u32])>;
    /// To the points that are touched; the cost follows. Asked only of one that gives [`Hierarchy::links`].
    fn refit_some(&mut self, mesh: &Mesh, touched: &Touched, cost: &mut Cost);
    /// Whether this and another can be walked together: they are of one type, to begin with.
    fn fits(&self, other: &dyn Hierarchy) -> bool;
    /// Sends every pair of triangles of this tree, which rests, and one that fits to it to the sink, until
    /// that or the stop flag breaks; of one mesh and itself ([`Narrow::is_within`]) each pair once.
    fn walk(
        &self,
        other: &dyn Hierarchy,
        task: &Task<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()>;
    /// Shows the visitor every pair of triangles of this tree, which rests, and one that fits to it that may
    /// be as near as the visitor's limit, until the visitor or the stop flag breaks. Pairs further apart may
    /// come, too.
    fn nearest(
        &self,
        other: &dyn Hierarchy,
        task: &NearestTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut Visitor<'_>,
    ) -> ControlFlow<()>;
    /// Shows the visitor every triangle that a ray may meet up to the visitor's limit, what it reaches first
    /// mostly first, unless the stop flag is set. Others may come, too.
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
