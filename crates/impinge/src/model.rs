//! A mesh with its tree, and a body: a model at a pose.
mod deform;
mod empty_cells;
mod support;
mod tree;

pub use self::deform::{Deformed, Rebuild};
pub(crate) use self::{
    empty_cells::EmptyCells,
    support::Support,
    tree::{Tree, TreeOnDemand},
};

use self::{empty_cells::CellsOnDemand, support::OnDemand};
use crate::{
    BuildOptions, Error, Mesh, Pose, Quality, Threads, exact,
    hierarchy::Hierarchy,
    mesh::extent_of,
    motion::{Motion, Placement},
    normalized_frame::NormalizedFrame,
    refit::{Cost, Warm},
    solid::Solid,
    tree_stats::TreeStats,
    wide::WideTree,
};
use std::{
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// A mesh with a bounding volume hierarchy over it: built once, queried often, shared between bodies and
/// threads. [`Model::deform`] moves its vertices.
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Arc<Mesh>,
    tree: Tree,
    /// No less than the largest |x|, |y|, |z| of a triangle's corner.
    reach: [f64; 3],
    /// No corner's coordinates are less than the first or greater than the second.
    extent: [[f64; 3]; 2],
    /// Whether products of three differences of coordinates neither overflow nor underflow.
    in_safe_range: bool,
    id: Identity,
    support: OnDemand,
    solid: OnceLock<Arc<Solid>>,
    cells: CellsOnDemand,
    options: BuildOptions,
    warm: Warm,
}

/// No other tree of this process has the same: what is remembered of a tree is worth nothing for another. 0
/// is nobody's.
#[derive(Clone, Copy)]
struct Identity(u64);

impl Identity {
    fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Two builds of one mesh look the same.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}

fn reach_of([lo, hi]: &[[f64; 3]; 2]) -> [f64; 3] {
    std::array::from_fn(|k| lo[k].abs().max(hi[k].abs()))
}

impl Model {
    /// Builds the fast tree: O(n log n), or with [`Quality::OnDemand`] O(n), and the tree later if it pays.
    /// The same mesh and options give the same tree on every machine.
    ///
    /// ```
    /// use impinge::{BuildOptions, Mesh, Model};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// assert_eq!(model.stats().leaves, 1);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(mesh: impl Into<Arc<Mesh>>, options: &BuildOptions) -> Self {
        let mesh = mesh.into();
        let extent = extent_of(&mesh);
        let tree = Tree::new(&mesh, options, &extent);
        Self::assemble(mesh, extent, tree, *options)
    }
    /// Of a mesh and a hierarchy that another crate built for it: see [`hierarchy`](crate::hierarchy).
    pub fn with_hierarchy(mesh: impl Into<Arc<Mesh>>, tree: Box<dyn Hierarchy>, threads: Threads) -> Self {
        let mesh = mesh.into();
        let extent = extent_of(&mesh);
        Self::assemble(mesh, extent, Tree::Other(tree), BuildOptions::default().threads(threads))
    }
    fn assemble(mesh: Arc<Mesh>, extent: [[f64; 3]; 2], tree: Tree, options: BuildOptions) -> Self {
        let (reach, warm, support) = (reach_of(&extent), Warm::default(), OnDemand::default());
        let (solid, cells) = (OnceLock::new(), CellsOnDemand::default());
        let in_safe_range = exact::are_in_safe_range(mesh.points());
        let id = Identity::new();
        Self { mesh, tree, reach, extent, in_safe_range, id, support, solid, cells, options, warm }
    }
    /// From a file.
    pub(crate) fn of_saved(
        mesh: Mesh,
        extent: [[f64; 3]; 2],
        tree: WideTree,
        options: BuildOptions,
        cost: Option<[Cost; 2]>,
    ) -> Self {
        let mut model = Self::assemble(Arc::new(mesh), extent, Tree::Wide(tree), options);
        model.warm.cost = cost;
        model
    }
    /// The same for its mesh as it is now, by the threads and options of the first build.
    fn built_anew(&self) -> Self {
        match &self.tree {
            Tree::Wide(_) | Tree::OnDemand(_) => Self::new(Arc::clone(&self.mesh), &self.options),
            Tree::Other(tree) => {
                let tree = tree.rebuild(&self.mesh);
                Self::with_hierarchy(Arc::clone(&self.mesh), tree, self.options.threads)
            }
        }
    }
    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }
    /// The mesh, to be shared.
    pub fn shared_mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }
    /// What its tree was built with. Of a model with another crate's hierarchy only the threads count.
    pub fn options(&self) -> &BuildOptions {
        &self.options
    }
    /// The same model, to be refitted and rebuilt by these threads.
    pub fn with_threads(self, threads: Threads) -> Self {
        Self { options: self.options.threads(threads), ..self }
    }
    /// The name of the tree's bounding volume: `wide` of the fast tree.
    pub fn volume(&self) -> &'static str {
        self.tree.name()
    }
    /// The hierarchy of another crate, if it has one.
    pub fn hierarchy(&self) -> Option<&dyn Hierarchy> {
        match &self.tree {
            Tree::Wide(_) | Tree::OnDemand(_) => None,
            Tree::Other(tree) => Some(&**tree),
        }
    }
    /// The same, to be changed in ways that do not change what it encloses.
    pub fn hierarchy_mut(&mut self) -> Option<&mut dyn Hierarchy> {
        match &mut self.tree {
            Tree::Wide(_) | Tree::OnDemand(_) => None,
            Tree::Other(tree) => Some(&mut **tree),
        }
    }
    /// Whether queries of this model and another can use both trees: always, if both have the fast tree.
    ///
    /// # Errors
    /// Their trees are of different volumes or arities: [`Error::is_mixed`].
    pub fn fits(&self, other: &Self) -> Result<(), Error> {
        if self.tree.fits(&other.tree) {
            return Ok(());
        }
        Err(Error::mixed_hierarchies(self.volume(), other.volume()))
    }
    /// What the tree costs. O(n).
    pub fn stats(&self) -> TreeStats {
        self.tree.stats()
    }
    /// A histogram of empty space (Zachmann 2002, section 3.1 and Figure 1): for each node, which part of its
    /// parent's axis-aligned box its triangles leave empty, not counting the side at which the parent was
    /// split. Ten bins: [0, 1/10), ..., [9/10, 1]. O(n).
    pub fn empty_space(&self) -> [usize; 10] {
        match &self.tree {
            Tree::Other(tree) => tree.empty_space(&self.mesh),
            _ => self.wide().map_or([0; 10], |tree| tree.empty_space(&self.mesh)),
        }
    }
    /// The solid that the mesh bounds, if it does: found out when it is first asked for, and kept. O(n log
    /// n).
    pub fn solid(&self) -> &Solid {
        self.solid.get_or_init(|| Arc::new(Solid::new(self)))
    }
    /// Checks the tree's invariants: each triangle is in exactly one leaf and inside every volume above it.
    /// For tests; O(n depth).
    ///
    /// # Errors
    /// The first violation, which is a bug of this library.
    pub fn validate(&self) -> Result<(), Error> {
        self.tree.validate(&self.mesh)
    }
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
    /// The fast tree, if it is not another crate's that the model has; built now if it is not yet.
    pub(crate) fn wide(&self) -> Option<&WideTree> {
        self.tree.wide(&self.mesh, &self.options, &self.extent)
    }
    /// What the model has instead of a tree that is not yet built, or not always used.
    pub(crate) fn on_demand(&self) -> Option<&TreeOnDemand> {
        if let Tree::OnDemand(tree) = &self.tree { Some(tree) } else { None }
    }
    /// For each point of the mesh the first one that is equal, if it is known.
    pub(crate) fn welded(&self) -> Option<&[u32]> {
        self.solid.get().map(|solid| solid.vertices())
    }
    /// The same mesh with a tree that is quickly built, if one is still to be built for the model.
    pub(crate) fn with_quick_tree(&self) -> Option<Self> {
        if self.on_demand()?.is_due(&self.mesh) {
            return None;
        }
        let options = BuildOptions::new().quality(Quality::Fast);
        let tree = Tree::new(&self.mesh, &options, &self.extent);
        Some(Self::assemble(self.mesh.clone(), self.extent, tree, options))
    }
    /// The tree's own coordinates.
    pub(crate) fn normalized_frame(&self) -> &NormalizedFrame {
        self.tree.normalized_frame(&self.mesh, &self.options, &self.extent)
    }
    /// What its tree cost when it was built, and costs now, if it was refitted.
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
    pub(crate) fn id(&self) -> u64 {
        self.id.0
    }
    /// Says that the support function would be of use.
    pub(crate) fn want_support(&self) {
        self.support.want(&self.mesh, &self.extent);
    }
    pub(crate) fn support(&self) -> Option<&Support> {
        self.support.get()
    }
    /// Says that it is asked where so many points lie; which cells are empty, if that pays. `winding` tells
    /// the winding number at a point of the mesh's frame that is on no triangle.
    pub(crate) fn empty_cells(
        &self,
        points: usize,
        winding: &mut dyn FnMut([f64; 3]) -> Option<i32>,
    ) -> Option<&EmptyCells> {
        self.cells.ask((&self.mesh, &self.extent), points, winding)
    }
    /// Its points have moved.
    fn reshaped(&mut self) {
        (self.id, self.support) = (Identity::new(), OnDemand::default());
        (self.solid, self.cells) = (OnceLock::new(), CellsOnDemand::default());
    }
}

/// A model at a pose: what queries are about. It borrows the model, so a program may have as many bodies of
/// it as it likes, and moving one is to write another pose.
///
/// ```
/// use impinge::{Body, BuildOptions, Mesh, Model, Pose};
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Model::new(triangle, &BuildOptions::default());
/// let still = Body::new(&model, Pose::IDENTITY);
/// let mut moving = Body::new(&model, Pose::from_translation([0., 0., 1.])?);
/// assert!(!impinge::intersects(&still, &moving));
/// moving.pose = Pose::from_translation([1., 0., 0.])?;
/// assert!(impinge::intersects(&still, &moving));
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// A [`Scene`](crate::Scene) holds its bodies itself, by `Arc<Model>`.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The mesh with its tree.
    pub model: &'a Model,
    /// Where it stands.
    pub pose: Pose,
}

impl<'a> Body<'a> {
    /// A model at a pose.
    pub fn new(model: &'a Model, pose: Pose) -> Self {
        Self { model, pose }
    }

    /// How `moving`'s tree lies to this body's, given the motion between their own frames.
    pub(crate) fn placement(&self, moving: &Body<'_>, to_resting: &Motion) -> Placement {
        let (normalized, other) = (self.model.normalized_frame(), moving.model.normalized_frame());
        let to_resting = to_resting.in_normalized_frames(other, normalized);
        let back = || Motion::between(&self.pose, &moving.pose).in_normalized_frames(normalized, other);
        Placement { to_resting, to_moving: to_resting.inverse().unwrap_or_else(back) }
    }
}
