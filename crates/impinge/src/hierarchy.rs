//! The seam between the core and other hierarchies: what one has to answer so that a [`Model`](crate::Model)
//! can be made of it, and what it may use of the core.
//!
//! The crate `impinge-volumes` is the implementor; the fast tree needs none of it, being known to the core.
//! What stands here may change with any version.
#[cfg(test)]
pub(crate) mod looks;

use crate::{Counters, Error, Mesh};
pub use crate::{
    bounds::{Bounds, round_down, round_up},
    empty_space::{Child, empty_space},
    mesh::extent_of,
    motion::{Motion, Placement},
    narrow::Narrow,
    normalized_frame::{NormalizedFrame, shrinking},
    pool::Executor,
    refit::{Cost, Links, Touched},
    sink::Sink,
    vector::{UNIT, Vector, cross, dot, largest, sub},
};
use std::{
    any::{Any, TypeId},
    fmt::Debug,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// Bytes of a volume of the fast tree, and of one with its share of a node's origin, steps and links;
/// operations of a test that finds no separation, and of making a volume ready for it.
pub const WIDE_COSTS: ([f64; 2], [u32; 2]) = crate::wide::WideTree::COSTS;

/// What a tree costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeStats {
    /// Inner nodes.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Most links from the root to a leaf.
    pub depth: usize,
    /// Bytes of the hierarchy: nodes, links, the order of the triangles, and what is kept of each; the mesh
    /// is not counted.
    pub bytes: usize,
}

/// One query of two trees, or of one and itself.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// How the moving tree's normalized frame lies to the resting one's.
    pub placement: &'a Placement,
    /// Decides pairs of triangles.
    pub narrow: &'a Narrow<'a>,
    /// Whether volume tests are to be counted, too.
    pub counting: bool,
    /// A walk breaks once this is set.
    pub stop: Stop<'a>,
}

/// A flag that ends long walks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'a>(pub Option<&'a AtomicBool>);

impl Stop<'_> {
    /// Whether it is set.
    #[inline(always)]
    pub fn is_set(self) -> bool {
        self.0.is_some_and(|flag| {
            #[cfg(test)]
            looks::count(flag);
            flag.load(Ordering::Relaxed)
        })
    }
    /// Breaks if it is set.
    #[inline(always)]
    pub fn check(self) -> ControlFlow<()> {
        if self.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A hierarchy of bounding volumes over the triangles of one mesh.
pub trait Hierarchy: Any + Debug + Send + Sync {
    /// The volume's name.
    fn name(&self) -> &'static str;
    /// A copy.
    fn copy(&self) -> Box<dyn Hierarchy>;
    /// The tree's own coordinates.
    fn normalized_frame(&self) -> &NormalizedFrame;
    /// What it costs. O(n).
    fn stats(&self) -> TreeStats;
    /// See [`Model::empty_space`](crate::Model::empty_space).
    fn empty_space(&self, mesh: &Mesh) -> [usize; 10];
    /// See [`Model::validate`](crate::Model::validate).
    ///
    /// # Errors
    /// What is wrong.
    fn validate(&self, mesh: &Mesh) -> Result<(), Error>;
    /// Of its boxes, for the mesh that it was made for. O(n).
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
}

/// Memory of walks, by type: made when it is first asked for, and kept.
#[derive(Debug, Default)]
pub struct Memory(Vec<(TypeId, Box<dyn Any + Send + Sync>)>);

impl Memory {
    /// The one of this type.
    pub fn get<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        let id = TypeId::of::<T>();
        let at = self.0.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.0.push((id, Box::new(T::default())));
            self.0.len() - 1
        });
        match self.0[at].1.downcast_mut() {
            Some(memory) => memory,
            None => unreachable!("stored under its own type"),
        }
    }
}
