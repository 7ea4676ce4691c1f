//! Kinds of volumes. A build chooses its volume here, once. The list of all is in `volume.rs`.
use crate::{
    Fit, Overlap, Split,
    build::{BuildSettings, build},
    refit::{Refit, RefitVolume},
    tree::Node,
    volume::{self, bounding_volume::NodeOf, for_all_volumes},
    volume_tree::{VolumeTree, Walk},
};
use impinge::{Mesh, hierarchy::WIDE_COSTS};
use std::marker::PhantomData;

/// Properties and costs of a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct About {
    /// The paper that introduced the volume.
    pub paper: &'static str,
    /// Bytes of one stored volume: its share of a node, which may contain a half.
    pub volume_bytes: f64,
    /// Bytes of one volume and its link; a tree of n leaves has 2 n - 2 of them.
    pub node_bytes: f64,
    /// Multiplications, additions and comparisons of the default overlap test, if it finds no separation.
    pub test_operations: u32,
    /// Operations to transform a volume for that test, once for each volume that a query visits.
    pub placing_operations: u32,
    /// Default split rule of its trees.
    pub split: Split,
}

/// Properties and builder of a volume, without its type.
trait Volumes {
    const ARITIES: &'static [usize];
    const OVERLAPS: &'static [Overlap];
    const FITS: &'static [Fit];
    const TESTS: &'static [&'static str];
    fn about() -> About;
    /// Builds a tree; `None` for the fast tree, which the core builds.
    fn build(mesh: &Mesh, settings: &BuildSettings) -> Option<Box<dyn Walk>>;
}

/// A volume whose nodes have a fixed number of children. For kinds without a choice that is two.
struct Binary<V>(PhantomData<V>);

impl<V: Refit> Volumes for Binary<V> {
    const ARITIES: &'static [usize] = &[2];
    const OVERLAPS: &'static [Overlap] = V::OVERLAPS;
    const FITS: &'static [Fit] = V::FITS;
    const TESTS: &'static [&'static str] = V::TESTS;
    fn about() -> About {
        let [test_operations, placing_operations] = V::OPERATIONS;
        About {
            paper: V::PAPER,
            volume_bytes: size_of::<V::ChildBounds>() as f64 / V::ARITY as f64,
            node_bytes: size_of::<Node<V>>() as f64 / V::ARITY as f64,
            test_operations,
            placing_operations,
            split: V::SPLIT,
        }
    }
    fn build(mesh: &Mesh, settings: &BuildSettings) -> Option<Box<dyn Walk>> {
        Some(Box::new(VolumeTree::new(build::<V>(mesh, settings))))
    }
}

/// A volume whose nodes have as many children as the options set.
struct AnyArity<V>(PhantomData<V>);

impl<V: RefitVolume> Volumes for AnyArity<V> {
    const ARITIES: &'static [usize] = &[2, 4, 8];
    const OVERLAPS: &'static [Overlap] = V::OVERLAPS;
    const FITS: &'static [Fit] = V::FITS;
    const TESTS: &'static [&'static str] = V::TESTS;
    fn about() -> About {
        Binary::<NodeOf<V, 2>>::about()
    }
    fn build(mesh: &Mesh, settings: &BuildSettings) -> Option<Box<dyn Walk>> {
        match settings.arity {
            8 => Binary::<NodeOf<V, 8>>::build(mesh, settings),
            4 => Binary::<NodeOf<V, 4>>::build(mesh, settings),
            _ => Binary::<NodeOf<V, 2>>::build(mesh, settings),
        }
    }
}

/// The fast tree.
struct Fast;

impl Volumes for Fast {
    const ARITIES: &'static [usize] = &[8];
    const OVERLAPS: &'static [Overlap] = &[Overlap::Auto];
    const FITS: &'static [Fit] = &[Fit::Auto];
    const TESTS: &'static [&'static str] = &[];
    fn about() -> About {
        let ([volume_bytes, node_bytes], [test_operations, placing_operations]) = WIDE_COSTS;
        About {
            paper: "own: slab cut balls (Larsson and Akenine-Moller 2008) with boxes for balls",
            volume_bytes,
            node_bytes,
            test_operations,
            placing_operations,
            split: Split::Sah,
        }
    }
    fn build(_: &Mesh, _: &BuildSettings) -> Option<Box<dyn Walk>> {
        None
    }
}

macro_rules! kinds { ($(
    $module:ident { $($(#[$doc:meta])* $kind:ident = $name:literal, $nodes:ident;)* }
)*) => {
    impinge::choice! {
        /// Bounding volumes of a tree. They differ in speed and bytes, never in results.
        pub enum Kind {
            /// The fast tree: nodes of eight boxes, each cut by up to two slabs, tested eight at a time;
            /// leaves of up to eight triangles, tested sixteen pairs at a time: some 42 bytes a triangle in
            /// all.
            #[default]
            Wide = "wide",
            $($(
                $(#[$doc])*
                #[doc = concat!("\n\nName: `", $name, "`.")]
                $kind = $name,
            )*)*
        }
    }

    impl Kind {
        /// Properties and costs of the volume.
        pub fn about(self) -> About {
            match self {
                Self::Wide => Fast::about(),
                $($(Self::$kind => <$nodes<volume::$module::$kind>>::about(),)*)*
            }
        }
        /// Overlap tests of the volume; the first is the default.
        pub fn overlaps(self) -> &'static [Overlap] {
            match self {
                Self::Wide => Fast::OVERLAPS,
                $($(Self::$kind => <$nodes<volume::$module::$kind>>::OVERLAPS,)*)*
            }
        }
        /// Fits of the volume; the first is the default.
        pub fn fits(self) -> &'static [Fit] {
            match self {
                Self::Wide => Fast::FITS,
                $($(Self::$kind => <$nodes<volume::$module::$kind>>::FITS,)*)*
            }
        }
        /// Supported numbers of children of a node, least first; the first is the default.
        pub fn arities(self) -> &'static [usize] {
            match self {
                Self::Wide => Fast::ARITIES,
                $($(Self::$kind => <$nodes<volume::$module::$kind>>::ARITIES,)*)*
            }
        }
        /// Names of the tests that can separate two volumes, in the order in which they are tried, which is
        /// also the order of [`Counters::separations`](impinge::query::Counters::separations).
        pub fn tests(self) -> &'static [&'static str] {
            match self {
                Self::Wide => Fast::TESTS,
                $($(Self::$kind => <$nodes<volume::$module::$kind>>::TESTS,)*)*
            }
        }
        /// Builds a tree by checked settings; `None` for the fast tree.
        pub(crate) fn build(self, mesh: &Mesh, settings: &BuildSettings) -> Option<Box<dyn Walk>> {
            match self {
                Self::Wide => Fast::build(mesh, settings),
                $($(Self::$kind => <$nodes<volume::$module::$kind>>::build(mesh, settings),)*)*
            }
        }
    }
} }

for_all_volumes!(kinds);
