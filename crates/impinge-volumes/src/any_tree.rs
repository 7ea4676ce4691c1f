//! The core's hierarchy interface for a tree of any kind.
use crate::{
    Fit, Options, Overlap,
    refit::{bottom_up, by_fitting},
    topology::Topology,
    traverse::{Counted, PairOf, Quiet, TreePair, traverse},
    tree::Tree,
    volume::OverlapTest,
};
use impinge::{
    Counters, Error, Mesh, TreeStats,
    hierarchy::{Cost, Executor, Hierarchy, Links, Memory, NormalizedFrame, Sink, Task, Touched, Vector},
};
use std::{
    any::Any,
    fmt::{self, Debug, Formatter},
    ops::ControlFlow,
};

/// Hierarchy of a model: a tree whose volume was chosen at run time.
pub(crate) struct AnyTree {
    tree: Box<dyn Walk>,
    options: Options,
}

impl AnyTree {
    pub(crate) fn new(tree: Box<dyn Walk>, options: Options) -> Self {
        Self { tree, options }
    }
    pub(crate) fn options(&self) -> Options {
        self.options
    }
    pub(crate) fn set_overlap(&mut self, overlap: Overlap) {
        self.options.overlap = overlap;
    }
}

impl Debug for AnyTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyTree").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Interface of a tree of one volume and arity, for [`AnyTree`].
pub(crate) trait Walk: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Walk>;
    fn topology(&self) -> &dyn Topology;
    fn find_defect(&self, mesh: &Mesh) -> Result<(), String>;
    fn refit(&mut self, mesh: &Mesh, extent: &[Vector; 2], fit: Fit, executor: Executor) -> Cost;
    /// True if the tree is refitted bottom-up, and so can be refitted in part.
    fn is_refitted_bottom_up(&self) -> bool;
    fn refit_some(&mut self, mesh: &Mesh, touched: &Touched, cost: &mut Cost);
    fn walk(
        &self,
        other: &dyn Walk,
        overlap: Overlap,
        task: &Task<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()>;
}

/// A tree and the memory of its refits.
pub(crate) struct VolumeTree<V: OverlapTest> {
    tree: Tree<V>,
    memory: bottom_up::MaxRows,
}

impl<V: OverlapTest> VolumeTree<V> {
    pub(crate) fn new(tree: Tree<V>) -> Self {
        Self { tree, memory: bottom_up::MaxRows::default() }
    }
}

impl<V: OverlapTest> Walk for VolumeTree<V> {
    fn copy(&self) -> Box<dyn Walk> {
        Box::new(Self::new(self.tree.clone()))
    }
    fn topology(&self) -> &dyn Topology {
        &self.tree
    }
    fn find_defect(&self, mesh: &Mesh) -> Result<(), String> {
        self.tree.find_defect(mesh)
    }
    fn refit(&mut self, mesh: &Mesh, &[lo, hi]: &[Vector; 2], fit: Fit, executor: Executor) -> Cost {
        self.tree.normalized = NormalizedFrame::new(lo, hi);
        match V::bottom_up_refit() {
            Some(bottom_up_refit) => (bottom_up_refit.all)(&mut self.tree, mesh, &mut self.memory, executor),
            None => by_fitting::all(&mut self.tree, mesh, fit),
        }
    }
    fn is_refitted_bottom_up(&self) -> bool {
        V::bottom_up_refit().is_some()
    }
    fn refit_some(&mut self, mesh: &Mesh, touched: &Touched, cost: &mut Cost) {
        if let Some(bottom_up_refit) = V::bottom_up_refit() {
            (bottom_up_refit.some)(&mut self.tree, mesh, touched, cost);
        }
    }
    fn walk(
        &self,
        other: &dyn Walk,
        overlap: Overlap,
        task: &Task<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let Some(Self { tree: other, .. }) = (other as &dyn Any).downcast_ref() else {
            unreachable!("trees that fit are of one type")
        };
        let overlap = if overlap == Overlap::Auto { V::OVERLAPS[0] } else { overlap };
        let precomputed = V::precompute(task.placement, overlap);
        let stack = memory.get::<Vec<PairOf<V>>>();
        let trees = TreePair { a: &self.tree, b: other, precomputed: &precomputed, task };
        let quiet = &mut Quiet(&mut counters.count);
        // Three of the four cases are compiled: those that count may be slower.
        match (task.counting, task.narrow.is_within()) {
            (false, false) => traverse::<_, _, false>(&trees, stack, quiet, sink),
            (false, true) => traverse::<_, _, true>(&trees, stack, quiet, sink),
            (true, _) => traverse::<_, _, true>(&trees, stack, &mut Counted(counters), sink),
        }
    }
}

impl Hierarchy for AnyTree {
    fn name(&self) -> &'static str {
        self.options.kind.name()
    }
    fn copy(&self) -> Box<dyn Hierarchy> {
        Box::new(Self { tree: self.tree.copy(), options: self.options })
    }
    fn normalized_frame(&self) -> &NormalizedFrame {
        self.tree.topology().normalized()
    }
    fn stats(&self) -> TreeStats {
        self.tree.topology().stats()
    }
    fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
        self.tree.topology().empty_space(mesh)
    }
    fn validate(&self, mesh: &Mesh) -> Result<(), Error> {
        self.tree.find_defect(mesh).map_err(Error::invalid_tree)
    }
    fn cost(&self, mesh: &Mesh) -> Cost {
        by_fitting::cost(self.tree.topology(), mesh)
    }
    fn rebuild(&self, mesh: &Mesh) -> Box<dyn Hierarchy> {
        match self.options.kind.build(mesh, &self.options) {
            Some(tree) => Box::new(tree),
            None => unreachable!("the fast tree is the core's"),
        }
    }
    fn refit(&mut self, mesh: &Mesh, extent: &[Vector; 2], executor: Executor) -> Cost {
        self.tree.refit(mesh, extent, self.options.fit, executor)
    }
    fn links(&self) -> Option<(Links, &[u32])> {
        let topology = self.tree.topology();
        self.tree.is_refitted_bottom_up().then(|| (topology.upward(), topology.order()))
    }
    fn refit_some(&mut self, mesh: &Mesh, touched: &Touched, cost: &mut Cost) {
        self.tree.refit_some(mesh, touched, cost);
    }
    fn fits(&self, other: &dyn Hierarchy) -> bool {
        let other = (other as &dyn Any).downcast_ref::<Self>();
        other.is_some_and(|other| (*self.tree).type_id() == (*other.tree).type_id())
    }
    fn walk(
        &self,
        other: &dyn Hierarchy,
        task: &Task<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else {
            unreachable!("trees that fit are of one type")
        };
        self.tree.walk(&*other.tree, self.options.overlap, task, memory, counters, sink)
    }
}
