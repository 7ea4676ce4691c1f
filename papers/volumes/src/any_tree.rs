//! Tree of any kind, as a hierarchy of the core.
use crate::{
    Options, Overlap, build::BuildSettings, refit::by_fitting, topology::Topology, volume_tree::Walk,
};
use impinge::{
    Error, ErrorKind, Mesh,
    hierarchy::{
        Cost, Executor, Hierarchy, Links, Memory, NearestTask, NormalizedFrame, RayTask, RayVisitor,
        RegionTask, RegionVisitor, Sink, Task, Touched, Vector, Visitor,
    },
    model::TreeStats,
    query::Counters,
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
    /// Builds a tree by checked options; `None` for the fast tree, which the core builds.
    pub(crate) fn build(mesh: &Mesh, options: &Options) -> Option<Self> {
        let &Options { split, fit, leaf_size, arity, .. } = options;
        let tree = options.kind.build(mesh, &BuildSettings { split, fit, leaf_size, arity });
        tree.map(|tree| Self { tree, options: *options })
    }
    pub(crate) fn topology(&self) -> &dyn Topology {
        self.tree.topology()
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
    fn validate(&self, mesh: &Mesh) -> Result<(), Error> {
        self.tree.find_defect(mesh).map_err(|defect| ErrorKind::Defect { reason: defect.into() }.into())
    }
    fn cost(&self, mesh: &Mesh) -> Cost {
        by_fitting::cost(self.tree.topology(), mesh)
    }
    fn rebuild(&self, mesh: &Mesh) -> Box<dyn Hierarchy> {
        match Self::build(mesh, &self.options) {
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
    fn nearest(
        &self,
        other: &dyn Hierarchy,
        task: &NearestTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else {
            unreachable!("trees that fit are of one type")
        };
        self.tree.nearest(&*other.tree, self.options.overlap, task, memory, counters, visitor)
    }
    fn along_ray(
        &self,
        task: &RayTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RayVisitor<'_>,
    ) {
        self.tree.along_ray(task, memory, counters, visitor);
    }
    fn in_region(
        &self,
        task: &RegionTask<'_>,
        memory: &mut Memory,
        counters: &mut Counters,
        visitor: &mut RegionVisitor<'_>,
    ) {
        self.tree.in_region(task, memory, counters, visitor);
    }
}
