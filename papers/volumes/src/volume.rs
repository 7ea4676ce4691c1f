//! Traits of a bounding volume. Builder, tree, traversal and refits are generic over them.
pub(crate) mod bounding_volume;
pub(crate) mod shape;

use self::shape::Shape;
use crate::{Fit, Overlap, Split, link::Link, primitives::Primitives};
use impinge::hierarchy::{Bounds, Placement, Vector};
use std::fmt::Debug;

/// The list of all volumes but the fast tree, which is the core's. A new volume is a file in `volume/` and an
/// entry here, `file { Type = "name", AnyArity; }`: the entry declares the module, and a variant of
/// [`Kind`](crate::Kind) with the name of the type. `AnyArity` takes a
/// [`BoundingVolume`](bounding_volume::BoundingVolume), `Binary` a [`NodeLayout`].
///
/// rustfmt does not follow these modules: `.ci/run` names the files.
macro_rules! for_all_volumes {
    ($then:ident) => {
        $then! {
            aabb {
                /// Axis-aligned boxes (van den Bergen 1997): 24 bytes a volume.
                Aabb = "aabb", AnyArity;
            }
            sphere {
                /// Balls (Larsson and Akenine-Moller 2008): 16 bytes a volume.
                Sphere = "sphere", AnyArity;
            }
            boxtree {
                /// Boxes cut off their parents by one plane each (Zachmann 2002): 8.5 bytes a volume, links
                /// included.
                Boxtree = "boxtree", Binary;
            }
            dop {
                /// 14-DOPs: slabs along the axes and the diagonals of a cube (Klosowski and others 1998):
                /// 56 bytes a volume.
                Dop14 = "dop14", AnyArity;
                /// 18-DOPs: along the axes and the diagonals of a cube's faces (Klosowski and others 1998):
                /// 72 bytes a volume.
                Dop18 = "dop18", AnyArity;
                /// 24-DOPs: 18-DOPs with three diagonals of a cube (Zachmann's comparator of 2002): 96
                /// bytes a volume.
                Dop24 = "dop24", AnyArity;
                /// 26-DOPs: along the axes and all these diagonals (Klosowski and others 1998): 104 bytes a
                /// volume.
                Dop26 = "dop26", AnyArity;
            }
            obb {
                /// Oriented boxes (Gottschalk, Lin and Manocha 1996: RAPID): 60 bytes a volume.
                Obb = "obb", AnyArity;
                /// Oriented boxes fitted to the convex hull (Hu et al. 2016): 60 bytes a volume.
                ObbHull = "obb-hull", AnyArity;
            }
            hybrid {
                /// A cube around oriented boxes, and a leaf test that reuses the results of the boxes' test
                /// (Hu et al. 2016, algorithm II): 60 bytes a volume and 36 a triangle.
                Hybrid = "hybrid", Binary;
                /// [`Hybrid`](Self::Hybrid) without its leaf test (Hu et al. 2016, algorithm I): 60 bytes a
                /// volume.
                HybridPlain = "hybrid-plain", Binary;
            }
            scb {
                /// Balls cut by a slab (Larsson and Akenine-Moller 2008): 36 bytes a volume.
                Scb = "scb", AnyArity;
                /// Slab cut balls in 26 bytes a volume (Larsson and Akenine-Moller 2008).
                Scb26 = "scb26", AnyArity;
            }
        }
    };
}
pub(crate) use for_all_volumes;

macro_rules! modules { ($($module:ident { $($kind:tt)* })*) => { $(pub(crate) mod $module;)* } }
for_all_volumes!(modules);

/// Storage of the bounding volumes of a node's children: fits, encodes and decodes them. It concerns one
/// tree, without a pose.
///
/// Most volumes implement [`BoundingVolume`](bounding_volume::BoundingVolume), which provides this trait. A
/// volume that does not may be stored relative to its parent: `encode` receives the parent exactly as
/// `decode` will return it, any widening by rounding included.
pub(crate) trait NodeLayout: Copy + Debug + Send + Sync + 'static {
    /// Data that one node stores about all its children.
    type ChildBounds: Copy + Debug + Send + Sync;
    /// One link per child: `[Link; 2]`.
    type Links: Copy + Debug + Send + Sync + AsRef<[Link]> + AsMut<[Link]>;
    /// A decoded volume.
    type Decoded: Shape;
    /// Data stored for each triangle besides its number, for [`OverlapTest::leaves_apart`]; `()` for none.
    type Leaf: Copy + Debug + Send + Sync;
    /// The paper that introduced the volume.
    const PAPER: &'static str;
    /// Multiplications, additions and comparisons: of the default overlap test if it finds no separation, and
    /// of transforming a volume for it.
    const OPERATIONS: [u32; 2];
    /// Fits that this volume supports; the first is [`Fit::Auto`].
    const FITS: &'static [Fit];
    /// Default split rule of its trees.
    const SPLIT: Split;
    /// The largest number of children of a node.
    const ARITY: usize = size_of::<Self::Links>() / size_of::<Link>();
    /// Every slot empty.
    const NO_LINKS: Self::Links;

    /// The volume of the root.
    fn enclose(all: &Primitives<'_>, fit: Fit) -> Self::Decoded;
    /// True if `decoded` is so loose around its triangles, whose box is `bounds`, that a node with one child,
    /// a tighter volume of the same triangles, is worth its cost. It must become false after finitely many
    /// such nodes.
    fn is_loose(_decoded: &Self::Decoded, _bounds: &Bounds) -> bool {
        false
    }
    /// Encodes the children, two to [`NodeLayout::ARITY`] of them, of a node that decoded to `parent`. If
    /// `parent` [`is_loose`](NodeLayout::is_loose), it may have one child.
    fn encode(parent: &Self::Decoded, children: &[Primitives<'_>], fit: Fit) -> Self::ChildBounds;
    /// Decodes child `slot`. Volumes that are stored absolutely ignore `parent`.
    fn decode(parent: &Self::Decoded, child_bounds: &Self::ChildBounds, slot: usize) -> Self::Decoded;
    /// Data to store for a triangle in a leaf of volume `decoded`. The corners are within
    /// [`NORMALIZATION_ERROR`](crate::primitives::NORMALIZATION_ERROR) of the exact ones.
    fn leaf(decoded: &Self::Decoded, corners: &[Vector; 3]) -> Self::Leaf;
    /// True if the whole box from `lo` to `hi` is inside. Only [`impinge::Model::validate`] calls it. The box
    /// is some 2^-52 wide and contains one exact point.
    fn holds(decoded: &Self::Decoded, lo: &Vector, hi: &Vector) -> bool;
}

/// A proof that two volumes are disjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Apart {
    /// The test that found the proof: an index into [`OverlapTest::TESTS`].
    pub(crate) test: u8,
    /// True if the proof needed the transformed child.
    pub(crate) transformed: bool,
}

/// The axes of a separating-axis test of two boxes a (resting) and b, in the order in which they are tried.
pub(crate) const SAT_AXES: &[&str] = &[
    "a0", "a1", "a2", "b0", "b1", "b2", "a0 x b0", "a0 x b1", "a0 x b2", "a1 x b0", "a1 x b1", "a1 x b2",
    "a2 x b0", "a2 x b1", "a2 x b2",
];

/// The overlap test of two volumes of one kind in trees at different poses.
pub(crate) trait OverlapTest: NodeLayout {
    /// Data that depends only on the relative transform, computed once per query.
    type Precomputed;
    /// A volume of the resting tree, with all data that overlap tests need of it alone.
    type Resting: Copy + Debug + Send + Sync;
    /// A volume of the moving tree, with all data that overlap tests need of it alone.
    type Moving: Copy + Debug + Send + Sync;

    /// Overlap tests of the volume; the first is [`Overlap::Auto`].
    const OVERLAPS: &'static [Overlap];
    /// Names of the tests that can separate two volumes, in the order in which they are tried: at most
    /// [`impinge::query::Counters::TESTS`].
    const TESTS: &'static [&'static str];

    /// Computes the data of a query; `overlap` is one of [`OverlapTest::OVERLAPS`].
    fn precompute(placement: &Placement, overlap: Overlap) -> Self::Precomputed;
    fn prepare_resting(precomputed: &Self::Precomputed, root: &Self::Decoded) -> Self::Resting;
    fn prepare_moving(precomputed: &Self::Precomputed, root: &Self::Decoded) -> Self::Moving;
    /// The index of a test that proves the two disjoint. The test is conservative: `None` proves nothing, and
    /// numbers that overflowed to NaN or infinity must give `None`.
    fn separation(
        precomputed: &Self::Precomputed,
        resting: &Self::Resting,
        moving: &Self::Moving,
    ) -> Option<u8>;
    /// Chooses the node to open: the larger one, by the measure that suits the volume.
    fn resting_is_larger(
        precomputed: &Self::Precomputed,
        resting: &Self::Resting,
        moving: &Self::Moving,
    ) -> bool;

    /// Lower bound of the distance of two volumes' contents, in the resting normalized frame. It may be too
    /// large by less than 64 roundings of itself. Where it proves nothing, it is 0, negative or NaN.
    fn gap(precomputed: &Self::Precomputed, resting: &Self::Resting, moving: &Self::Moving) -> f64;
    /// Child `slot` of a resting node.
    fn resting_child(
        precomputed: &Self::Precomputed,
        parent: &Self::Resting,
        child_bounds: &Self::ChildBounds,
        slot: usize,
    ) -> Self::Resting;
    /// Child `slot` of a moving node.
    fn moving_child(
        precomputed: &Self::Precomputed,
        parent: &Self::Moving,
        child_bounds: &Self::ChildBounds,
        slot: usize,
    ) -> Self::Moving;

    /// Opens a resting node that may overlap `moving`: tests each of its children against `moving`, and
    /// reports each child to `outcome`. `child_bounds` includes the number of children.
    fn open_resting(
        precomputed: &Self::Precomputed,
        parent: &Self::Resting,
        child_bounds: (&Self::ChildBounds, usize),
        moving: &Self::Moving,
        outcome: impl FnMut(usize, Result<Self::Resting, Apart>),
    );
    /// Opens a moving node that may overlap `resting`, in the same way.
    fn open_moving(
        precomputed: &Self::Precomputed,
        parent: &Self::Moving,
        child_bounds: (&Self::ChildBounds, usize),
        resting: &Self::Resting,
        outcome: impl FnMut(usize, Result<Self::Moving, Apart>),
    );

    /// True if it is proved that no triangle of one leaf meets one of the other: a filter before the narrow
    /// phase, for volumes that have done part of its work.
    #[inline(always)]
    fn leaves_apart(
        _precomputed: &Self::Precomputed,
        _resting: (&Self::Resting, &[Self::Leaf]),
        _moving: (&Self::Moving, &[Self::Leaf]),
    ) -> bool {
        false
    }
}
