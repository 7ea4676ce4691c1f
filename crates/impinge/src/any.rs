//! The only list of volumes, and the only place where one is chosen at run time: once a build, once a query.
use crate::{
    BuildOptions, Mesh, Probe, Split,
    build::build,
    motion::Chart,
    query::Overlap,
    traverse::{Pair, traverse},
    tree::{Node, Tree, TreeStats},
    volume::{
        Collide, Fit, Placement, Volume,
        aabb::Aabb,
        boxtree::Boxtree,
        dop::{Dop14, Dop18, Dop24, Dop26},
        obb::{Obb, ObbHull},
        scb::{Scb, Scb26},
        sphere::Sphere,
    },
};
use std::ops::ControlFlow;

/// What a volume is and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct About {
    /// Where it is from.
    pub paper: &'static str,
    /// Bytes of one volume as it is stored: a node's share, so there are halves.
    pub volume_bytes: f64,
    /// Bytes of one volume and the link to what it encloses: a tree of n leaves has 2 n - 2 of them.
    pub node_bytes: f64,
    /// Multiplications, additions and comparisons of the default overlap test, if it finds no separation.
    pub test_operations: u32,
    /// The same of placing a volume for it, once for each that a query visits.
    pub placing_operations: u32,
    /// The rule by which its trees are built unless another is asked for.
    pub split: Split,
}

fn about<V: Volume>() -> About {
    let [test_operations, placing_operations] = V::OPERATIONS;
    About {
        paper: V::PAPER,
        volume_bytes: size_of::<V::Family>() as f64 / V::ARITY as f64,
        node_bytes: size_of::<Node<V>>() as f64 / V::ARITY as f64,
        test_operations,
        placing_operations,
        split: V::SPLIT,
    }
}

macro_rules! kinds { ($($(#[$doc:meta])* $kind:ident = $name:literal, $field:ident;)*) => {
    /// The bounding volumes that a tree can be made of. They differ in speed and bytes, never in the answer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Kind { $($(#[$doc])* $kind,)* }

    impl Kind {
        /// Every volume there is.
        pub const ALL: &[Self] = &[$(Self::$kind),*];
        /// As spelled on the command line.
        pub fn name(self) -> &'static str { match self { $(Self::$kind => $name),* } }
        /// What it is and what it costs.
        pub fn about(self) -> About { match self { $(Self::$kind => about::<$kind>()),* } }
        /// The overlap tests to choose from; the first is the default.
        pub fn overlaps(self) -> &'static [Overlap] { match self { $(Self::$kind => <$kind as Collide>::OVERLAPS),* } }
        /// The fits to choose from; the first is the default.
        pub fn fits(self) -> &'static [Fit] { match self { $(Self::$kind => <$kind as Volume>::FITS),* } }
    }

    /// A tree whose volume was chosen at run time.
    #[derive(Clone, Debug)]
    pub(crate) enum AnyTree { $($kind(Tree<$kind>),)* }

    /// One stack for each volume: empty until used.
    #[derive(Debug, Default)]
    pub(crate) struct Stacks { $($field: Vec<Pair<$kind>>,)* }

    impl AnyTree {
        pub(crate) fn build(mesh: &Mesh, options: &BuildOptions) -> Self {
            match options.kind { $(Kind::$kind => Self::$kind(build(mesh, options)),)* }
        }
        pub(crate) fn kind(&self) -> Kind { match self { $(Self::$kind(_) => Kind::$kind,)* } }
        pub(crate) fn chart(&self) -> &Chart { match self { $(Self::$kind(t) => &t.chart,)* } }
        pub(crate) fn stats(&self) -> TreeStats { match self { $(Self::$kind(t) => t.stats(),)* } }
        pub(crate) fn validate(&self, mesh: &Mesh) -> Result<(), String> {
            match self { $(Self::$kind(t) => t.validate(mesh),)* }
        }
        /// [`traverse`] of two trees of one kind; `None` if they are of two.
        pub(crate) fn traverse<P: Probe, B>(
            &self,
            other: &Self,
            placement: &Placement,
            overlap: Overlap,
            stacks: &mut Stacks,
            probe: &mut P,
            leaf: impl FnMut(&[u32], &[u32], &mut P) -> ControlFlow<B>,
        ) -> Option<ControlFlow<B>> {
            match (self, other) {
                $((Self::$kind(a), Self::$kind(b)) => {
                    let known = <$kind as Collide>::OVERLAPS;
                    let overlap = if known.contains(&overlap) { overlap } else { known[0] };
                    let frame = $kind::frame(placement, overlap);
                    Some(traverse((a, b), &frame, &mut stacks.$field, probe, leaf))
                })*
                _ => None,
            }
        }
    }
} }

kinds! {
    /// Axis-aligned boxes (van den Bergen 1997): 24 bytes a volume.
    #[default]
    Aabb = "aabb", aabb;
    /// Balls (Larsson and Akenine-Moller 2008): 16 bytes a volume.
    Sphere = "sphere", sphere;
    /// Boxes cut off their parents by one plane each (Zachmann 2002): 9 bytes a volume, links included.
    Boxtree = "boxtree", boxtree;
    /// 14-DOPs: slabs along the axes and the diagonals of a cube (Klosowski and others 1998): 56 bytes a volume.
    Dop14 = "dop14", dop14;
    /// 18-DOPs: along the axes and the diagonals of a cube's faces (Klosowski and others 1998): 72 bytes a volume.
    Dop18 = "dop18", dop18;
    /// 24-DOPs: 18-DOPs with three diagonals of a cube (Zachmann's comparator of 2002): 96 bytes a volume.
    Dop24 = "dop24", dop24;
    /// 26-DOPs: along the axes and all these diagonals (Klosowski and others 1998): 104 bytes a volume.
    Dop26 = "dop26", dop26;
    /// Oriented boxes (Gottschalk, Lin and Manocha 1996: RAPID): 60 bytes a volume.
    Obb = "obb", obb;
    /// Oriented boxes fitted to the convex hull (Hu et al. 2016): 60 bytes a volume.
    ObbHull = "obb-hull", obb_hull;
    /// Balls cut by a slab (Larsson and Akenine-Moller 2008): 36 bytes a volume.
    Scb = "scb", scb;
    /// The same in 26 bytes.
    Scb26 = "scb26", scb26;
}
