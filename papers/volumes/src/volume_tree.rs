//! Trees of one volume, behind one trait.
use crate::{
    Fit, Overlap,
    nearest::{NearestPair, WaitingOf, nearest},
    rays::{Reached, along_ray},
    refit::{Refit, bottom_up, by_fitting},
    regions::{RegionMemory, in_region},
    topology::Topology,
    traverse::{Counted, PairOf, Quiet, TreePair, traverse},
    tree::Tree,
};
use impinge::{
    Mesh,
    hierarchy::{
        Cost, Executor, Memory, NearestTask, NormalizedFrame, RayTask, RayVisitor, RegionTask, RegionVisitor,
        Sink, Task, Touched, Vector, Visitor,
    },
    query::Counters,
};
use std::{any::Any, ops::ControlFlow};

/// A tree of one volume and arity.
pub(crate) trait Walk: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Walk>;
    fn topology(&self) -> &dyn Topology;
    fn find_defect(&self, mesh: &Mesh) -> Result<(), String>;
    fn refit(&mut self, mesh: &Mesh, extent: &[Vector; 2], fit: Fit, executor: Executor) -> Cost;
    /// True if refits go bottom-up, so that a part of the tree can be refitted alone.
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
    fn nearest(
        &self,
        other: &dyn Walk,
        overlap: Overlap,
        task: &NearestTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut Visitor<'_>,
    ) -> ControlFlow<()>;
    fn along_ray(
        &self,
        task: &RayTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RayVisitor<'_>,
    );
    fn in_region(
        &self,
        task: &RegionTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RegionVisitor<'_>,
    );
}

/// A tree and the memory of its refits.
pub(crate) struct VolumeTree<V: Refit> {
    tree: Tree<V>,
    memory: bottom_up::MaxRows,
}

impl<V: Refit> VolumeTree<V> {
    pub(crate) fn new(tree: Tree<V>) -> Self {
        Self { tree, memory: bottom_up::MaxRows::default() }
    }
}

impl<V: Refit> Walk for VolumeTree<V> {
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
        match V::bottom_up() {
            Some(bottom_up_refit) => (bottom_up_refit.all)(&mut self.tree, mesh, &mut self.memory, executor),
            None => by_fitting::all(&mut self.tree, mesh, fit),
        }
    }
    fn is_refitted_bottom_up(&self) -> bool {
        V::bottom_up().is_some()
    }
    fn refit_some(&mut self, mesh: &Mesh, touched: &Touched, cost: &mut Cost) {
        if let Some(bottom_up_refit) = V::bottom_up() {
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
        // Three of the four cases are compiled: queries that count may be slower.
        match (task.counting, task.narrow.is_within()) {
            (false, false) => traverse::<_, _, false>(&trees, stack, quiet, sink),
            (false, true) => traverse::<_, _, true>(&trees, stack, quiet, sink),
            (true, _) => traverse::<_, _, true>(&trees, stack, &mut Counted(counters), sink),
        }
    }
    fn nearest(
        &self,
        other: &dyn Walk,
        overlap: Overlap,
        task: &NearestTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        let Some(Self { tree: other, .. }) = (other as &dyn Any).downcast_ref() else {
            unreachable!("trees that fit are of one type")
        };
        let overlap = if overlap == Overlap::Auto { V::OVERLAPS[0] } else { overlap };
        let precomputed = V::precompute(task.placement, overlap);
        let trees = NearestPair { a: &self.tree, b: other, precomputed: &precomputed, task };
        nearest(&trees, memory.get::<WaitingOf<V>>(), &mut counters.count, visitor)
    }
    fn along_ray(
        &self,
        task: &RayTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RayVisitor<'_>,
    ) {
        let stack = memory.get::<Vec<Reached<V::Decoded>>>();
        along_ray(&self.tree, task, stack, &mut counters.count, visitor);
    }
    fn in_region(
        &self,
        task: &RegionTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RegionVisitor<'_>,
    ) {
        let memory = memory.get::<RegionMemory<V::Decoded>>();
        in_region(&self.tree, task, memory, &mut counters.count, visitor);
    }
}
