//! A mesh with its tree, and a body: a model at a pose.
mod deform;
mod support;

pub use self::deform::{Deformed, Rebuild};
pub(crate) use self::support::Support;

use self::support::OnDemand;
use crate::{
    Mesh, Pose, Split,
    any::{AnyTree, Kind},
    build::extent_of,
    choice::choice,
    motion::Motion,
    pool::Crew,
    refit::Warm,
    tree::TreeStats,
    volume::{Fit, Placement},
};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// What the builder may be told. The answers of queries do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// The bounding volume.
    pub kind: Kind,
    /// How a set of triangles is cut in two.
    pub split: Split,
    /// How the volume is fitted; one that it cannot do means [`Fit::Auto`].
    pub fit: Fit,
    /// Most triangles in a leaf: 0 for what suits the kind (8 for [`Kind::Wide`], 4 for the others), else 1 to 8; more means 8.
    pub leaf_size: usize,
    /// Most children of a node: of [`Kind::arities`] the nearest that is not larger. Two bodies want the same
    /// kind and arity: if they differ, queries fall back on brute force.
    pub arity: usize,
    /// How much care is taken. Only [`Kind::Wide`] has the choice; others ignore it.
    pub quality: Quality,
    /// Whether leaves keep corners in 16 bits a coordinate instead of 24: less memory, a little more work. Only [`Kind::Wide`] has the choice; others ignore it.
    pub compact: bool,
}

choice! {
    /// How much care a builder takes. Only [`Kind::Wide`] has the choice.
    pub enum Quality {
        /// For trees that are queried often.
        #[default]
        High = "high",
        /// For trees that are queried a few times: built in about a third of the time, and slower to query by a quarter to a half: its lanes have one slab, along the mean normal.
        Fast = "fast",
    }
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            kind: Kind::default(),
            split: Split::default(),
            fit: Fit::default(),
            leaf_size: 0,
            arity: 2,
            quality: Quality::default(),
            compact: false,
        }
    }
}

/// A mesh with a tree over it: built once, queried often, shared between bodies and threads. [`Model::refit`] moves its vertices.
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Arc<Mesh>,
    tree: AnyTree,
    /// No less than the largest |x|, |y|, |z| of a triangle's corner.
    reach: [f64; 3],
    /// No corner's coordinates are less than the first or greater than the second.
    extent: [[f64; 3]; 2],
    id: Identity,
    support: OnDemand,
    options: BuildOptions,
    warm: Warm,
}

/// No other tree of this process has the same: what is remembered of a tree is worth nothing for another. 0 is nobody's.
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
    /// Builds the tree: O(n log n). The same input gives the same tree on every machine.
    pub fn new(mesh: impl Into<Arc<Mesh>>, options: &BuildOptions) -> Self {
        Self::build(mesh.into(), options, Crew::One)
    }
    /// [`Model::new`] of a large mesh, the same tree: with the feature `rayon`, and for [`Kind::Wide`], the threads of the pool in which it is called share the work, as far as they are free
    /// (`ThreadPool::install`; outside of any, rayon's global pool). Other kinds, and meshes of less than some 10,000 triangles, are left to one of them. Many meshes are better built one on each thread.
    ///
    /// ```
    /// use impinge::{BuildOptions, Mesh, Model};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::par_new(triangle, &BuildOptions::default());
    /// assert_eq!(model.stats().leaves, 1);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn par_new(mesh: impl Into<Arc<Mesh>>, options: &BuildOptions) -> Self {
        Self::build(mesh.into(), options, Crew::any())
    }
    fn build(mesh: Arc<Mesh>, options: &BuildOptions, crew: Crew) -> Self {
        let extent = extent_of(&mesh);
        let tree = AnyTree::build(&mesh, options, (&extent, crew));
        let (reach, warm, support) = (reach_of(&extent), Warm::default(), OnDemand::default());
        Self { mesh, tree, reach, extent, id: Identity::new(), support, options: *options, warm }
    }
    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }
    /// The mesh, to be shared.
    pub fn shared_mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }
    /// The tree's bounding volume.
    pub fn kind(&self) -> Kind {
        self.tree.kind()
    }
    /// What the tree costs. O(n).
    pub fn stats(&self) -> TreeStats {
        self.tree.stats()
    }
    /// How much of its parent's axis-aligned box each node's leaves empty, the side at which it was split off left out of account: how many
    /// nodes leave a part in [0, 1/10), [1/10, 2/10), ... [9/10, 1]. Boxes are in the mesh's own frame. O(n). Source: Zachmann 2002, section 3.1 and Figure 1.
    pub fn empty_space(&self) -> [usize; 10] {
        self.tree.empty_space(&self.mesh)
    }
    /// Checks what every answer rests on: each triangle stands in exactly one leaf, and inside of all volumes above it. For
    /// tests; O(n depth).
    ///
    /// # Errors
    /// What is wrong, in words: a defect of this library.
    pub fn validate(&self) -> Result<(), String> {
        self.tree.validate(&self.mesh)
    }
    pub(crate) fn tree(&self) -> &AnyTree {
        &self.tree
    }
    pub(crate) fn reach(&self) -> &[f64; 3] {
        &self.reach
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
    /// Its points have moved.
    fn reshaped(&mut self) {
        (self.id, self.support) = (Identity::new(), OnDemand::default());
    }
}

/// A model at a pose. Cheap to copy and to move.
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
        let (chart, other) = (self.model.tree.chart(), moving.model.tree.chart());
        let to_resting = to_resting.in_charts(other, chart);
        let back = || Motion::between(&self.pose, &moving.pose).in_charts(chart, other);
        Placement { to_resting, to_moving: to_resting.inverse().unwrap_or_else(back) }
    }
}
