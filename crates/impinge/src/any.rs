//! The only list of volumes, and the only place where one is chosen at run time: once a build, once a query.
use crate::{
    BuildOptions, Mesh, Probe,
    build::build,
    motion::Chart,
    query::Overlap,
    traverse::{Pair, traverse},
    tree::{Tree, TreeStats},
    volume::{
        Collide, Fit, Placement, Volume,
        aabb::Aabb,
        scb::{Scb, Scb26},
        sphere::Sphere,
    },
};
use std::ops::ControlFlow;

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
    /// Balls cut by a slab (Larsson and Akenine-Moller 2008): 36 bytes a volume.
    Scb = "scb", scb;
    /// The same in 26 bytes.
    Scb26 = "scb26", scb26;
}
