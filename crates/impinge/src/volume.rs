//! What a bounding volume implements; everything else about trees is written once.
pub(crate) mod aabb;
pub(crate) mod scb;
pub(crate) mod sphere;

use crate::{
    bounds::Bounds,
    build::{Item, Split},
    motion::Motion,
    query::Overlap,
    tree::Link,
};
use std::fmt::Debug;

type Vector = [f64; 3];

/// How far a chart coordinate, computed in f64, may be from the exact one: one rounding of a number of at most 4, and
/// some underflow. Fits that use [`Cluster::corners`] add it.
pub(crate) const CHART_ERROR: f64 = 4.0 * f64::EPSILON;

/// A mesh in its tree's chart: coordinates in [-1, 1] (in [-4, 4] at the end of what f64 can hold), each within
/// [`CHART_ERROR`] of the exact one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charted<'a> {
    pub(crate) points: &'a [Vector],
    pub(crate) triangles: &'a [[u32; 3]],
}

impl Charted<'_> {
    #[inline]
    pub(crate) fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.triangles[triangle as usize].map(|k| self.points[k as usize])
    }
}

/// Some triangles of a mesh, at least one, as the builder hands them to a volume to be enclosed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cluster<'a> {
    pub(crate) mesh: Charted<'a>,
    pub(crate) items: &'a [Item],
    /// Holds every triangle, exactly.
    pub(crate) bounds: Bounds,
}

impl Cluster<'_> {
    /// The corners of each triangle, within [`CHART_ERROR`] of the exact ones.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [Vector; 3]> + Clone + '_ {
        self.items.iter().map(|item| self.mesh.corners(item.triangle))
    }
    /// Every corner of every triangle: shared ones come again.
    pub(crate) fn points(&self) -> impl Iterator<Item = Vector> + Clone + '_ {
        self.corners().flatten()
    }
}

/// How a volume is fitted to triangles, where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fit {
    /// The volume's own best.
    #[default]
    Auto,
    /// Ritter's ball (1990) in place of the smallest enclosing ball of extremal points.
    Ritter,
}

/// How a tree of this volume is fitted, stored and read back. One tree, no motion.
///
/// A volume may be stored relative to its parent: `seal` gets the parent exactly as `live` will decode it, any
/// widening by rounding included.
pub(crate) trait Volume: Copy + Debug + Send + Sync + 'static {
    /// What one node stores about all its children.
    type Family: Copy + Debug + Send + Sync;
    /// One link per child: `[Link; 2]`.
    type Links: Copy + Debug + Send + Sync + AsRef<[Link]> + AsMut<[Link]>;
    /// A volume, decoded.
    type Live: Copy + Debug + Send + Sync;
    /// What this volume can be told to fit; the first is what [`Fit::Auto`] means.
    const FITS: &'static [Fit] = &[Fit::Auto];
    /// The rule by which its trees are built unless another is asked for.
    const SPLIT: Split = Split::Sah;
    /// Most children a node may have.
    const ARITY: usize = size_of::<Self::Links>() / size_of::<Link>();
    /// Every slot empty.
    const NO_LINKS: Self::Links;

    /// The root's volume.
    fn enclose(all: &Cluster<'_>, fit: Fit) -> Self::Live;
    /// Encodes the children, two to [`Volume::ARITY`] of them, of a node that decoded to `parent`.
    fn seal(parent: &Self::Live, children: &[Cluster<'_>], fit: Fit) -> Self::Family;
    /// Decodes child `slot`. Volumes that are stored absolutely ignore `parent`.
    fn live(parent: &Self::Live, family: &Self::Family, slot: usize) -> Self::Live;
    /// Whether every point between two corners lies inside; only [`crate::Model::validate`] asks.
    /// They are the ends of an interval that holds one exact point, some 2^-52 wide.
    fn holds(live: &Self::Live, lo: &Vector, hi: &Vector) -> bool;
}

/// How one tree's chart maps to the other's, both ways. Neither is the other's inverse but for rounding: each
/// comes with its own bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// From the moving chart to the resting one.
    pub(crate) to_resting: Motion,
    /// From the resting chart to the moving one.
    pub(crate) to_moving: Motion,
}

/// How two volumes of one kind meet when one tree is placed against the other.
pub(crate) trait Collide: Volume {
    /// Everything that depends on the placement alone: made once a query.
    type Frame;
    /// A volume of the resting tree, with what its tests need that depends on it alone.
    type Resting: Copy + Debug + Send + Sync;
    /// The same for the moving tree.
    type Moving: Copy + Debug + Send + Sync;

    /// The overlap tests to choose from; the first is what [`Overlap::Auto`] means.
    const OVERLAPS: &'static [Overlap];

    /// `overlap` is one of [`Collide::OVERLAPS`].
    fn frame(placement: &Placement, overlap: Overlap) -> Self::Frame;
    fn rest(frame: &Self::Frame, root: &Self::Live) -> Self::Resting;
    fn place(frame: &Self::Frame, root: &Self::Live) -> Self::Moving;
    /// Child `slot`, possibly from what was computed for its parent.
    fn resting(
        frame: &Self::Frame,
        parent: &Self::Resting,
        family: &Self::Family,
        slot: usize,
    ) -> Self::Resting;
    /// The same for the moving tree.
    fn moving(frame: &Self::Frame, parent: &Self::Moving, family: &Self::Family, slot: usize)
    -> Self::Moving;
    /// A proof that the two are disjoint: may be `false` too often, never `true` wrongly. Numbers that
    /// overflowed to NaN or infinity prove nothing.
    fn apart(frame: &Self::Frame, resting: &Self::Resting, moving: &Self::Moving) -> bool;
    /// Which of two nodes to open: the larger, by whatever measure suits the volume.
    fn resting_is_larger(frame: &Self::Frame, resting: &Self::Resting, moving: &Self::Moving) -> bool;

    /// Opens a resting node against a moving volume and hands over each child that may meet it. Wide volumes override
    /// this with one test for all children.
    #[inline(always)]
    fn open_resting(
        frame: &Self::Frame,
        parent: &Self::Resting,
        family: &Self::Family,
        moving: &Self::Moving,
        mut survivor: impl FnMut(usize, Self::Resting),
    ) {
        for slot in 0..Self::ARITY {
            let child = Self::resting(frame, parent, family, slot);
            if !Self::apart(frame, &child, moving) {
                survivor(slot, child);
            }
        }
    }
    /// Opens a moving node against a resting volume.
    #[inline(always)]
    fn open_moving(
        frame: &Self::Frame,
        parent: &Self::Moving,
        family: &Self::Family,
        resting: &Self::Resting,
        mut survivor: impl FnMut(usize, Self::Moving),
    ) {
        for slot in 0..Self::ARITY {
            let child = Self::moving(frame, parent, family, slot);
            if !Self::apart(frame, resting, &child) {
                survivor(slot, child);
            }
        }
    }
}
