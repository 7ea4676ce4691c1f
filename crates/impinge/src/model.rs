//! A mesh with its tree, and a body: a model at a pose.
mod convex;
mod deform;
mod empty_cells;
mod rounded;
mod shape;
mod support;

pub use self::{
    deform::{Deformed, Rebuild},
    rounded::{AnyBody, Rounded},
    shape::Shape,
};
pub(crate) use self::{empty_cells::EmptyCells, rounded::checked_radius, support::SupportBound};
pub use crate::tree_stats::TreeStats;

use self::{empty_cells::CellsOnDemand, support::OnDemand};
use crate::{
    BuildOptions, Error, ErrorKind, Mesh, Pose, Threads,
    geometry::{AnyTree, Geometry, PlacedGeometry},
    hierarchy::Hierarchy,
    motion::{Motion, Placement},
    narrow::PlacedMesh,
    normalized_frame::NormalizedFrame,
    solid::Solid,
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
#[doc(alias("BVH", "BVHModel", "AABB_tree", "btBvhTriangleMeshShape"))]
#[derive(Clone, Debug)]
pub struct Model {
    geometry: Geometry,
    id: Identity,
    support: OnDemand,
    solid: OnceLock<Arc<Solid>>,
    cells: CellsOnDemand,
    /// See [`Model::convex_winding`].
    convex: OnceLock<Option<i32>>,
}

/// Number of a tree, unique in this process: caches compare it. No tree has the number 0.
#[derive(Clone, Copy)]
struct Identity(u64);

impl Identity {
    fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Prints no number, so that two builds of one mesh have the same text.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}

impl Model {
    /// Builds the fast tree with the default options. Cost: O(n log n). The same mesh gives the same tree on
    /// every machine.
    ///
    /// ```
    /// use impinge::{Mesh, Model};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// assert_eq!(Model::new(triangle).stats().leaves, 1);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(mesh: impl Into<Arc<Mesh>>) -> Self {
        Self::with_options(mesh, &BuildOptions::default())
    }
    /// Builds the fast tree. Cost: O(n log n). With [`Quality::OnDemand`](crate::Quality::OnDemand) it is
    /// O(n), and queries build the tree later if it pays.
    ///
    /// ```
    /// use impinge::{BuildOptions, Mesh, Model, Quality};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::with_options(triangle, &BuildOptions::new().quality(Quality::OnDemand));
    /// assert_eq!(model.mesh().len(), 1);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn with_options(mesh: impl Into<Arc<Mesh>>, options: &BuildOptions) -> Self {
        Self::of(Geometry::new(mesh.into(), options))
    }
    /// Makes a model of a mesh and a hierarchy that another crate built for it: see
    /// [`hierarchy`](crate::hierarchy).
    pub fn with_hierarchy(mesh: impl Into<Arc<Mesh>>, tree: Box<dyn Hierarchy>, threads: Threads) -> Self {
        Self::of(Geometry::with_hierarchy(mesh.into(), tree, BuildOptions::default().threads(threads)))
    }
    pub(crate) fn of(geometry: Geometry) -> Self {
        let (id, support) = (Identity::new(), OnDemand::default());
        let (solid, cells, convex) = (OnceLock::new(), CellsOnDemand::default(), OnceLock::new());
        Self { geometry, id, support, solid, cells, convex }
    }
    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        self.geometry.mesh()
    }
    /// The mesh, for sharing.
    pub fn shared_mesh(&self) -> &Arc<Mesh> {
        self.geometry.shared_mesh()
    }
    /// The options of the tree. If the model has another crate's hierarchy, only the threads count.
    pub fn options(&self) -> &BuildOptions {
        self.geometry.options()
    }
    /// Sets the threads of refits and rebuilds.
    pub fn with_threads(mut self, threads: Threads) -> Self {
        self.geometry.options_mut().threads = threads;
        self
    }
    /// The name of the tree's bounding volume: `wide` for the fast tree.
    pub fn volume(&self) -> &'static str {
        self.tree().name()
    }
    /// The hierarchy of another crate, if the model has one.
    pub fn hierarchy(&self) -> Option<&dyn Hierarchy> {
        match self.tree() {
            AnyTree::Wide(_) | AnyTree::OnDemand(_) => None,
            AnyTree::Other(tree) => Some(&**tree),
        }
    }
    /// The hierarchy of another crate, if the model has one. Changes must leave every triangle enclosed.
    pub fn hierarchy_mut(&mut self) -> Option<&mut dyn Hierarchy> {
        match self.geometry.tree_mut() {
            AnyTree::Wide(_) | AnyTree::OnDemand(_) => None,
            AnyTree::Other(tree) => Some(&mut **tree),
        }
    }
    /// Checks that queries of this model and another can use both trees: always, if both have the fast tree.
    ///
    /// # Errors
    /// Their trees are of different volumes or arities: [`ErrorKind::MixedHierarchies`].
    pub fn fits(&self, other: &Self) -> Result<(), Error> {
        if self.tree().fits(other.tree()) {
            return Ok(());
        }
        Err(ErrorKind::MixedHierarchies { first: self.volume(), second: other.volume() }.into())
    }
    /// The cost of the tree. O(n).
    pub fn stats(&self) -> TreeStats {
        self.tree().stats()
    }
    /// The solid that the mesh bounds, and whether it bounds one. The first call computes it, and the model
    /// keeps it. O(n log n).
    #[doc(alias("is_closed", "is_watertight", "is_volume"))]
    pub fn solid(&self) -> &Solid {
        self.solid.get_or_init(|| Arc::new(Solid::new(&self.geometry)))
    }
    /// The integral of the winding number over all of space, in the mesh's own frame, as an interval that
    /// contains it. For a mesh that does not meet itself this is its volume, negative if its triangles face
    /// inwards. A region where k shells of one mesh overlap counts k times. `None` if the mesh is not closed
    /// by orientation.
    ///
    /// It is a sixth of the sum of det(p - o, q - p, r - p) over the triangles (p, q, r), from any point o:
    /// here the middle of the mesh's box. Each rounding adds to the error bound of the result. O(n), once.
    ///
    /// ```
    /// use impinge::{Mesh, Model};
    /// let points = vec![[0., 0., 0.], [6., 0., 0.], [0., 4., 0.], [0., 0., 2.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let [lo, hi] = Model::new(mesh).winding_volume().unwrap();
    /// assert!(lo <= 8.0 && 8.0 <= hi && hi - lo < 1e-12);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias = "mass_properties")]
    pub fn winding_volume(&self) -> Option<[f64; 2]> {
        self.solid().winding_volume(&self.geometry)
    }
    /// The least and the greatest corner of the box around the mesh's triangles, in its frame; the origin if
    /// there are none.
    pub fn extent(&self) -> &[[f64; 3]; 2] {
        self.geometry.extent()
    }
    /// Checks the tree's invariants: each triangle is in exactly one leaf and inside every volume above it.
    /// For tests; O(n depth).
    ///
    /// # Errors
    /// The first violation, which is a bug of this library.
    pub fn validate(&self) -> Result<(), Error> {
        self.tree().validate(self.mesh())
    }
    pub(crate) fn tree(&self) -> &AnyTree {
        self.geometry.tree()
    }
    /// The fast tree, built now if it is not yet; `None` if the model has another crate's hierarchy.
    pub(crate) fn wide(&self) -> Option<&WideTree> {
        self.geometry.wide()
    }
    /// For each point of the mesh, the first one that is equal, if an earlier query has computed these.
    pub(crate) fn welded(&self) -> Option<&[u32]> {
        self.solid.get().map(|solid| solid.vertices())
    }
    /// The tree's own coordinates.
    pub(crate) fn normalized_frame(&self) -> &NormalizedFrame {
        self.geometry.normalized_frame()
    }
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }
    pub(crate) fn reach(&self) -> &[f64; 3] {
        self.geometry.reach()
    }
    pub(crate) fn in_safe_range(&self) -> bool {
        self.geometry.in_safe_range()
    }
    pub(crate) fn id(&self) -> u64 {
        self.id.0
    }
    /// Requests the support function for later queries.
    pub(crate) fn want_support(&self) {
        self.support.want(self.mesh(), self.extent());
    }
    pub(crate) fn support(&self) -> Option<&SupportBound> {
        self.support.get()
    }
    /// Counts the points to locate; returns the empty cells, if that pays. `winding` computes the winding
    /// number at a point of the mesh's frame that is on no triangle.
    pub(crate) fn empty_cells(
        &self,
        points: usize,
        winding: &mut dyn FnMut([f64; 3]) -> Option<i32>,
    ) -> Option<&EmptyCells> {
        self.cells.ask(self.mesh(), self.extent(), points, winding)
    }
    /// Drops all results that depend on the points, after they have moved.
    fn reshaped(&mut self) {
        (self.id, self.support) = (Identity::new(), OnDemand::default());
        (self.solid, self.cells) = (OnceLock::new(), CellsOnDemand::default());
        self.convex = OnceLock::new();
    }
}

/// A model at a pose: the argument of queries. It borrows the model, so a program may have any number of
/// bodies of one model. Another pose moves a body.
///
/// ```
/// use impinge::{Body, Mesh, Model, Pose};
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Model::new(triangle);
/// let still = Body::new(&model, Pose::IDENTITY);
/// let mut moving = Body::new(&model, Pose::from_translation([0., 0., 1.])?);
/// assert!(!impinge::intersects(&still, &moving));
/// moving.pose = Pose::from_translation([1., 0., 0.])?;
/// assert!(impinge::intersects(&still, &moving));
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// [`OwnedBody`] shares the model instead. A [`Scene`](crate::Scene) holds its bodies itself, by
/// `Arc<Model>`.
#[doc(alias("CollisionObject", "Collider", "instance"))]
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The mesh with its tree.
    pub model: &'a Model,
    /// The body's place.
    pub pose: Pose,
}

impl<'a> Body<'a> {
    /// A model at a pose.
    pub fn new(model: &'a Model, pose: Pose) -> Self {
        Self { model, pose }
    }

    pub(crate) fn placed(&self) -> PlacedGeometry<'_> {
        self.model.geometry.at(&self.pose)
    }
    /// The mesh and its bounds, for decisions about triangles.
    pub(crate) fn mesh(&self) -> PlacedMesh<'_> {
        self.placed().mesh()
    }
    /// Placement of `moving`'s tree relative to this body's, given the motion between their own frames.
    pub(crate) fn placement(&self, moving: &Body<'_>, to_resting: &Motion) -> Placement {
        self.placed().placement(moving.placed(), to_resting)
    }
}

/// A body that shares its model instead of borrowing it: for bindings, other threads and lists of bodies.
///
/// ```
/// use impinge::{Mesh, Model, Pose, model::OwnedBody};
/// let model = Model::new(Mesh::cuboid([2.; 3])?);
/// let a = OwnedBody::new(model, Pose::IDENTITY);
/// let b = OwnedBody { pose: Pose::from_translation([1., 0., 0.])?, ..a.clone() };
/// let thread = std::thread::spawn(move || impinge::intersects(&a.body(), &b.body()));
/// assert!(thread.join().unwrap());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnedBody {
    /// The mesh with its tree.
    pub model: Arc<Model>,
    /// The body's place.
    pub pose: Pose,
}

impl OwnedBody {
    /// A model at a pose.
    pub fn new(model: impl Into<Arc<Model>>, pose: Pose) -> Self {
        Self { model: model.into(), pose }
    }
    /// The body, for queries.
    pub fn body(&self) -> Body<'_> {
        Body::new(&self.model, self.pose)
    }
}
