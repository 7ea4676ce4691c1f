//! A model's tree: the fast one, one that is built when it pays, or another crate's.
use super::warm::Warm;
use crate::{
    BuildOptions, Error, Mesh, Quality,
    flat::TriangleList,
    hierarchy::Hierarchy,
    normalized_frame::NormalizedFrame,
    pool::Executor,
    refit::{Cost, Links},
    tree_stats::TreeStats,
    wide::{self, WideTree},
};
use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

#[derive(Debug)]
pub(crate) enum AnyTree {
    Wide(WideTree),
    OnDemand(TreeOnDemand),
    Other(Box<dyn Hierarchy>),
}

/// A fast tree that is built once queries have taken so much time that it pays. Before that, queries use a
/// list of boxes (`flat.rs`). Both are made when they are first needed.
///
/// The number of queries of a model cannot be predicted. The tree is built when queries without it have taken
/// as long as a build. At worst that costs about twice as much as the better choice (the ski rental problem).
#[derive(Debug, Default)]
pub(crate) struct TreeOnDemand {
    tree: OnceLock<Box<WideTree>>,
    list: OnceLock<TriangleList>,
    /// Nanoseconds, about, that queries took without the tree.
    spent: AtomicU64,
}

/// Nanoseconds, about, that a tree of high quality takes to build, for each triangle and in all. Measured for
/// small parts, when builds were a third slower; large models take a quarter of that.
const BUILD: [u64; 2] = [2000, 5000];

impl TreeOnDemand {
    fn tree(&self, mesh: &Mesh, options: &BuildOptions, extent: &[[f64; 3]; 2]) -> &WideTree {
        // On this thread alone: a thread that waits for others of its pool may meanwhile run a query that
        // waits for this tree.
        let build = || Box::new(wide::build(mesh, options, extent, Executor::Serial));
        self.tree.get_or_init(build)
    }
    pub(crate) fn list(&self, mesh: &Mesh, extent: &[[f64; 3]; 2]) -> &TriangleList {
        self.list.get_or_init(|| TriangleList::new(mesh, extent))
    }
    /// Adds the nanoseconds of a query.
    pub(crate) fn spend(&self, time: u64) {
        self.spent.fetch_add(time, Ordering::Relaxed);
    }
    /// Nanoseconds, about, that it takes to build the tree; 0 if it is built.
    pub(crate) fn price(&self, mesh: &Mesh) -> u64 {
        if self.tree.get().is_some() { 0 } else { BUILD[0] * mesh.len() as u64 + BUILD[1] }
    }
    /// True if there is a tree, or should be.
    pub(crate) fn is_due(&self, mesh: &Mesh) -> bool {
        self.spent.load(Ordering::Relaxed) >= self.price(mesh)
    }
    fn refit(&mut self, mesh: &Mesh, extent: &[[f64; 3]; 2], warm: &mut Warm, executor: Executor) -> Cost {
        self.list = OnceLock::new();
        let tree = self.tree.get_mut();
        tree.map_or_else(Cost::default, |tree| tree.refit(mesh, *extent, &mut warm.whole, executor))
    }
}

impl Clone for TreeOnDemand {
    fn clone(&self) -> Self {
        let spent = AtomicU64::new(self.spent.load(Ordering::Relaxed));
        Self { tree: self.tree.clone(), list: self.list.clone(), spent }
    }
}

impl Clone for AnyTree {
    fn clone(&self) -> Self {
        match self {
            Self::Wide(tree) => Self::Wide(tree.clone()),
            Self::OnDemand(tree) => Self::OnDemand(tree.clone()),
            Self::Other(tree) => Self::Other(tree.copy()),
        }
    }
}

impl AnyTree {
    pub(crate) fn new(mesh: &Mesh, options: &BuildOptions, extent: &[[f64; 3]; 2]) -> Self {
        if options.quality == Quality::OnDemand {
            return Self::OnDemand(TreeOnDemand::default());
        }
        Self::Wide(wide::build(mesh, options, extent, Executor::of(options.threads)))
    }
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Wide(_) | Self::OnDemand(_) => "wide",
            Self::Other(tree) => tree.name(),
        }
    }
    /// The fast tree, built now if it is not yet.
    pub(crate) fn wide(
        &self,
        mesh: &Mesh,
        options: &BuildOptions,
        extent: &[[f64; 3]; 2],
    ) -> Option<&WideTree> {
        match self {
            Self::Wide(tree) => Some(tree),
            Self::OnDemand(tree) => Some(tree.tree(mesh, options, extent)),
            Self::Other(_) => None,
        }
    }
    /// The fast tree, if it is built.
    fn built(&self) -> Option<&WideTree> {
        match self {
            Self::Wide(tree) => Some(tree),
            Self::OnDemand(tree) => tree.tree.get().map(|tree| &**tree),
            Self::Other(_) => None,
        }
    }
    /// The tree's own coordinates. The fast tree is built now if it is not yet.
    pub(crate) fn normalized_frame(
        &self,
        mesh: &Mesh,
        options: &BuildOptions,
        extent: &[[f64; 3]; 2],
    ) -> &NormalizedFrame {
        match self {
            Self::Wide(tree) => tree.normalized_frame(),
            Self::OnDemand(tree) => tree.tree(mesh, options, extent).normalized_frame(),
            Self::Other(tree) => tree.normalized_frame(),
        }
    }
    /// The cost of the tree; 0 for a tree that is not built.
    pub(crate) fn cost(&self, mesh: &Mesh) -> Cost {
        match self {
            Self::Other(tree) => tree.cost(mesh),
            _ => self.built().map_or_else(Cost::default, WideTree::cost),
        }
    }
    pub(crate) fn refit(
        &mut self,
        mesh: &Mesh,
        extent: &[[f64; 3]; 2],
        warm: &mut Warm,
        executor: Executor,
    ) -> Cost {
        match self {
            Self::Wide(tree) => tree.refit(mesh, *extent, &mut warm.whole, executor),
            Self::OnDemand(tree) => tree.refit(mesh, extent, warm, executor),
            Self::Other(tree) => tree.refit(mesh, extent, executor),
        }
    }
    /// Links from nodes to parents, and the order of the triangles; `None` if the tree can be refitted only
    /// as a whole.
    pub(crate) fn links(&self) -> Option<(Links, &[u32])> {
        match self {
            Self::Wide(tree) => Some((tree.links(), tree.order())),
            Self::OnDemand(_) => None,
            Self::Other(tree) => tree.links(),
        }
    }
    /// Refits the touched triangles and updates the cost. Called only if [`AnyTree::links`] returns some.
    pub(crate) fn refit_some(&mut self, mesh: &Mesh, warm: &mut Warm, cost: &mut Cost) {
        match self {
            Self::Wide(tree) => tree.refit_some(mesh, &warm.touched, &mut warm.wide, cost),
            Self::OnDemand(_) => (),
            Self::Other(tree) => tree.refit_some(mesh, &warm.touched, cost),
        }
    }
    pub(crate) fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Other(a), Self::Other(b)) => a.fits(&**b),
            (Self::Other(_), _) | (_, Self::Other(_)) => false,
            _ => true,
        }
    }
    pub(crate) fn stats(&self) -> TreeStats {
        match self {
            Self::Wide(tree) => tree.stats(),
            Self::OnDemand(TreeOnDemand { tree, list, .. }) => {
                let mut stats = tree.get().map_or_else(TreeStats::default, |tree| tree.stats());
                stats.bytes += list.get().map_or(0, TriangleList::bytes);
                stats
            }
            Self::Other(tree) => tree.stats(),
        }
    }
    pub(crate) fn validate(&self, mesh: &Mesh) -> Result<(), Error> {
        if let Self::OnDemand(TreeOnDemand { list, .. }) = self
            && let Some(list) = list.get()
        {
            list.validate(mesh)?;
        }
        match self {
            Self::Other(tree) => tree.validate(mesh),
            _ => self.built().map_or(Ok(()), |tree| tree.validate(mesh)),
        }
    }
}
