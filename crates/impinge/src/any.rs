//! The only list of volumes, and the only place where one is chosen at run time: once a build, once a query.
use crate::{
    BuildOptions, Mesh, Probe, Split,
    build::build,
    motion::Chart,
    narrow::Narrow,
    pool::Crew,
    query::{Overlap, Query},
    refit::{self, Cost, Links, Warm, merge, reseal},
    traverse::{PairOf, traverse},
    tree::{Node, Tree, TreeStats},
    volume::{
        Collide, Fit, Placement, Volume,
        aabb::Aabb,
        boxtree::Boxtree,
        dop::{Dop14, Dop18, Dop24, Dop26},
        hybrid::{Hybrid, HybridPlain},
        obb::{Obb, ObbHull},
        scb::{Scb, Scb26},
        sphere::Sphere,
        standalone::{Nary, Standalone},
    },
    wide::{self, WideTree},
};
use std::{fmt::Debug, ops::ControlFlow};

/// How a query is to be done: by which test, on what instructions, whether the first pair may be all that is wanted, and how the trees lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) query: Query,
    pub(crate) first: bool,
    pub(crate) placement: &'a Placement,
}

/// The trees that one kind's builds give: one type for each arity.
trait Trees: Sized {
    /// Memory of the walk.
    type Stack: Debug + Default;
    const ARITIES: &'static [usize];
    const OVERLAPS: &'static [Overlap];
    const FITS: &'static [Fit];
    const TESTS: &'static [&'static str];
    fn about() -> About;
    /// What it may use: the corners of the mesh's extent, and threads.
    fn build(mesh: &Mesh, options: &BuildOptions, given: (&[[f64; 3]; 2], Crew)) -> Self;
    fn chart(&self) -> &Chart;
    fn stats(&self) -> TreeStats;
    fn validate(&self, mesh: &Mesh) -> Result<(), String>;
    fn empty_space(&self, mesh: &Mesh) -> [usize; 10];
    /// Of its boxes, for the mesh that it was made for. O(n).
    fn cost(&self, mesh: &Mesh) -> Cost;
    /// To all points of the mesh, which are new.
    fn refit(&mut self, mesh: &Mesh, way: &refit::Way, warm: &mut Warm) -> Cost;
    /// How it is climbed, and the order of its triangles; `None` if it can be refitted only as a whole.
    fn links(&self) -> Option<(Links, &[u32])>;
    /// To the points that are touched, those of `warm`, in whose chart they lie; the cost follows.
    fn refit_some(&mut self, mesh: &Mesh, warm: &mut Warm, cost: &mut Cost);
    /// Every pair of triangles that meets, until `found` breaks; `None` if the trees are of two arities.
    fn pairs<P: Probe, B>(
        &self,
        other: &Self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>>;
    /// The same of one tree and itself, as `triangle/neighbours.rs` defines it: each pair once.
    fn pairs_within<P: Probe, B>(
        &self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

/// Two trees of one volume, as [`traverse`] walks them.
fn walk<V: Collide, P: Probe, B>(
    trees: (&Tree<V>, &Tree<V>),
    way: Way<'_>,
    narrow: &Narrow<'_>,
    stack: &mut Vec<PairOf<V>>,
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let frame = frame::<V>(way);
    traverse::<V, P, B, false>(trees, &frame, stack, probe, |of_a, of_b, probe| {
        narrow.leaves(of_a, of_b, probe, &mut *found)
    })
}

/// A tree and itself.
fn walk_within<V: Collide, P: Probe, B>(
    tree: &Tree<V>,
    way: Way<'_>,
    narrow: &Narrow<'_>,
    stack: &mut Vec<PairOf<V>>,
    probe: &mut P,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let frame = frame::<V>(way);
    traverse::<V, P, B, true>((tree, tree), &frame, stack, probe, |of_a, of_b, probe| {
        narrow.leaves_within(of_a, of_b, probe, &mut *found)
    })
}

fn frame<V: Collide>(way: Way<'_>) -> V::Frame {
    let overlap = way.query.overlap;
    let overlap = if V::OVERLAPS.contains(&overlap) { overlap } else { V::OVERLAPS[0] };
    V::frame(way.placement, overlap)
}

/// A volume of which nodes hold two.
impl<V: Collide> Trees for Tree<V> {
    type Stack = Vec<PairOf<V>>;
    const ARITIES: &'static [usize] = &[2];
    const OVERLAPS: &'static [Overlap] = V::OVERLAPS;
    const FITS: &'static [Fit] = V::FITS;
    const TESTS: &'static [&'static str] = V::TESTS;
    fn about() -> About {
        about::<V>()
    }
    fn build(mesh: &Mesh, options: &BuildOptions, _: (&[[f64; 3]; 2], Crew)) -> Self {
        build(mesh, options)
    }
    fn chart(&self) -> &Chart {
        &self.chart
    }
    fn stats(&self) -> TreeStats {
        Self::stats(self)
    }
    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        Self::validate(self, mesh)
    }
    fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
        Self::empty_space(self, mesh)
    }
    fn cost(&self, mesh: &Mesh) -> Cost {
        reseal::cost(self, mesh)
    }
    fn refit(&mut self, mesh: &Mesh, way: &refit::Way, warm: &mut Warm) -> Cost {
        let [lo, hi] = way.extent;
        self.chart = Chart::new(lo, hi);
        match V::merger() {
            Some(merger) => (merger.all)(self, mesh, &mut warm.sums, way.crew),
            None => reseal::all(self, mesh, way.fit),
        }
    }
    fn links(&self) -> Option<(Links, &[u32])> {
        V::merger().map(|_| (merge::links(self), &self.order[..]))
    }
    fn refit_some(&mut self, mesh: &Mesh, warm: &mut Warm, cost: &mut Cost) {
        if let Some(merger) = V::merger() {
            (merger.some)(self, mesh, &warm.touched, cost);
        }
    }
    fn pairs<P: Probe, B>(
        &self,
        other: &Self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        Some(walk((self, other), way, narrow, stack, probe, found))
    }
    fn pairs_within<P: Probe, B>(
        &self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        walk_within(self, way, narrow, stack, probe, found)
    }
}

/// A volume of which nodes hold as many as the builder is told.
#[derive(Clone, Debug)]
pub(crate) enum AnyArity<V: Standalone> {
    Two(Tree<Nary<V, 2>>),
    Four(Tree<Nary<V, 4>>),
    Eight(Tree<Nary<V, 8>>),
}

macro_rules! each_arity {
    ($any:expr, $tree:ident => $what:expr) => {
        match $any {
            AnyArity::Two($tree) => $what,
            AnyArity::Four($tree) => $what,
            AnyArity::Eight($tree) => $what,
        }
    };
}

impl<V: Standalone> Trees for AnyArity<V> {
    /// The one of binary trees speaks for all of them.
    type Stack = Vec<PairOf<Nary<V, 2>>>;
    const ARITIES: &'static [usize] = &[2, 4, 8];
    const OVERLAPS: &'static [Overlap] = <Nary<V, 2> as Collide>::OVERLAPS;
    const FITS: &'static [Fit] = <Nary<V, 2> as Volume>::FITS;
    const TESTS: &'static [&'static str] = <Nary<V, 2> as Collide>::TESTS;
    fn about() -> About {
        about::<Nary<V, 2>>()
    }
    fn build(mesh: &Mesh, options: &BuildOptions, _: (&[[f64; 3]; 2], Crew)) -> Self {
        match options.arity {
            ..4 => Self::Two(build(mesh, options)),
            4..8 => Self::Four(build(mesh, options)),
            8.. => Self::Eight(build(mesh, options)),
        }
    }
    fn chart(&self) -> &Chart {
        each_arity!(self, tree => &tree.chart)
    }
    fn stats(&self) -> TreeStats {
        each_arity!(self, tree => tree.stats())
    }
    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        each_arity!(self, tree => tree.validate(mesh))
    }
    fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
        each_arity!(self, tree => tree.empty_space(mesh))
    }
    fn cost(&self, mesh: &Mesh) -> Cost {
        each_arity!(self, tree => Trees::cost(tree, mesh))
    }
    fn refit(&mut self, mesh: &Mesh, way: &refit::Way, warm: &mut Warm) -> Cost {
        each_arity!(self, tree => Trees::refit(tree, mesh, way, warm))
    }
    fn links(&self) -> Option<(Links, &[u32])> {
        each_arity!(self, tree => Trees::links(tree))
    }
    fn refit_some(&mut self, mesh: &Mesh, warm: &mut Warm, cost: &mut Cost) {
        each_arity!(self, tree => Trees::refit_some(tree, mesh, warm, cost))
    }
    fn pairs<P: Probe, B>(
        &self,
        other: &Self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        match (self, other) {
            (Self::Two(a), Self::Two(b)) => Some(walk((a, b), way, narrow, stack, probe, found)),
            (Self::Four(a), Self::Four(b)) => Some(walk((a, b), way, narrow, stack, probe, found)),
            (Self::Eight(a), Self::Eight(b)) => Some(walk((a, b), way, narrow, stack, probe, found)),
            _ => None,
        }
    }
    fn pairs_within<P: Probe, B>(
        &self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        each_arity!(self, tree => walk_within(tree, way, narrow, stack, probe, found))
    }
}

impl Trees for WideTree {
    type Stack = wide::Stack;
    const ARITIES: &'static [usize] = &[8];
    const OVERLAPS: &'static [Overlap] = &[Overlap::Auto];
    const FITS: &'static [Fit] = &[Fit::Auto];
    const TESTS: &'static [&'static str] = &[];
    fn about() -> About {
        Self::about()
    }
    fn build(mesh: &Mesh, options: &BuildOptions, given: (&[[f64; 3]; 2], Crew)) -> Self {
        wide::build(mesh, options, given)
    }
    fn chart(&self) -> &Chart {
        self.chart()
    }
    fn stats(&self) -> TreeStats {
        self.stats()
    }
    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        self.validate(mesh)
    }
    fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
        self.empty_space(mesh)
    }
    fn cost(&self, _: &Mesh) -> Cost {
        self.cost()
    }
    fn refit(&mut self, mesh: &Mesh, way: &refit::Way, warm: &mut Warm) -> Cost {
        self.refit(mesh, way.extent, &mut warm.whole, way.crew)
    }
    fn links(&self) -> Option<(Links, &[u32])> {
        Some((self.links(), self.order()))
    }
    fn refit_some(&mut self, mesh: &Mesh, warm: &mut Warm, cost: &mut Cost) {
        self.refit_some(mesh, &warm.touched, &mut warm.wide, cost);
    }
    fn pairs<P: Probe, B>(
        &self,
        other: &Self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        Some(self.walk(other, way, narrow, stack, probe, found))
    }
    fn pairs_within<P: Probe, B>(
        &self,
        way: Way<'_>,
        narrow: &Narrow<'_>,
        stack: &mut Self::Stack,
        probe: &mut P,
        found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(self, way, narrow, stack, probe, found)
    }
}

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

fn about<V: Collide>() -> About {
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

macro_rules! kinds { ($($(#[$doc:meta])* $kind:ident = $name:literal, $field:ident: $trees:ty;)*) => {
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
        pub fn about(self) -> About { match self { $(Self::$kind => <$trees as Trees>::about()),* } }
        /// The overlap tests to choose from; the first is the default.
        pub fn overlaps(self) -> &'static [Overlap] { match self { $(Self::$kind => <$trees as Trees>::OVERLAPS),* } }
        /// The fits to choose from; the first is the default.
        pub fn fits(self) -> &'static [Fit] { match self { $(Self::$kind => <$trees as Trees>::FITS),* } }
        /// How many children a node may have, least first.
        pub fn arities(self) -> &'static [usize] { match self { $(Self::$kind => <$trees as Trees>::ARITIES),* } }
        /// What can separate two volumes, by name, in the order in which it is tried.
        pub fn tests(self) -> &'static [&'static str] {
            match self { $(Self::$kind => <$trees as Trees>::TESTS),* }
        }
    }

    /// A tree whose volume was chosen at run time.
    #[derive(Clone, Debug)]
    pub(crate) enum AnyTree { $($kind($trees),)* }

    /// One stack for each volume: empty until used.
    #[derive(Debug, Default)]
    pub(crate) struct Stacks { $($field: <$trees as Trees>::Stack,)* }

    impl Stacks {
        /// That of [`Kind::Wide`], whose walk can be divided.
        pub(crate) fn wide(&mut self) -> &mut wide::Stack {
            &mut self.wide
        }
    }

    impl AnyTree {
        pub(crate) fn build(mesh: &Mesh, options: &BuildOptions, given: (&[[f64; 3]; 2], Crew)) -> Self {
            match options.kind { $(Kind::$kind => Self::$kind(<$trees as Trees>::build(mesh, options, given)),)* }
        }
        pub(crate) fn kind(&self) -> Kind { match self { $(Self::$kind(_) => Kind::$kind,)* } }
        pub(crate) fn chart(&self) -> &Chart { match self { $(Self::$kind(t) => Trees::chart(t),)* } }
        pub(crate) fn stats(&self) -> TreeStats { match self { $(Self::$kind(t) => Trees::stats(t),)* } }
        pub(crate) fn validate(&self, mesh: &Mesh) -> Result<(), String> {
            match self { $(Self::$kind(t) => Trees::validate(t, mesh),)* }
        }
        pub(crate) fn empty_space(&self, mesh: &Mesh) -> [usize; 10] {
            match self { $(Self::$kind(t) => Trees::empty_space(t, mesh),)* }
        }
        pub(crate) fn cost(&self, mesh: &Mesh) -> Cost {
            match self { $(Self::$kind(t) => Trees::cost(t, mesh),)* }
        }
        pub(crate) fn refit(&mut self, mesh: &Mesh, way: &refit::Way, warm: &mut Warm) -> Cost {
            match self { $(Self::$kind(t) => Trees::refit(t, mesh, way, warm),)* }
        }
        pub(crate) fn links(&self) -> Option<(Links, &[u32])> {
            match self { $(Self::$kind(t) => Trees::links(t),)* }
        }
        pub(crate) fn refit_some(&mut self, mesh: &Mesh, warm: &mut Warm, cost: &mut Cost) {
            match self { $(Self::$kind(t) => Trees::refit_some(t, mesh, warm, cost),)* }
        }
        /// Every pair of triangles that meets, until `found` breaks; `None` if the trees are not of one kind and arity.
        pub(crate) fn pairs<P: Probe, B>(
            &self,
            other: &Self,
            way: Way<'_>,
            narrow: &Narrow<'_>,
            stacks: &mut Stacks,
            probe: &mut P,
            found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
        ) -> Option<ControlFlow<B>> {
            match (self, other) {
                $((Self::$kind(a), Self::$kind(b)) => {
                    Trees::pairs(a, b, way, narrow, &mut stacks.$field, probe, found)
                })*
                _ => None,
            }
        }
        /// Every pair of triangles of one tree that counts, until `found` breaks: each once.
        pub(crate) fn pairs_within<P: Probe, B>(
            &self,
            way: Way<'_>,
            narrow: &Narrow<'_>,
            stacks: &mut Stacks,
            probe: &mut P,
            found: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            match self {
                $(Self::$kind(tree) => {
                    Trees::pairs_within(tree, way, narrow, &mut stacks.$field, probe, found)
                })*
            }
        }
    }
} }

kinds! {
    /// The fast tree: nodes of eight boxes, each cut by up to two slabs, tested eight at a time; leaves of up to eight triangles, tested sixteen pairs at a time: some 45 bytes a triangle in all.
    #[default]
    Wide = "wide", wide: WideTree;
    /// Axis-aligned boxes (van den Bergen 1997): 24 bytes a volume.
    Aabb = "aabb", aabb: AnyArity<Aabb>;
    /// Balls (Larsson and Akenine-Moller 2008): 16 bytes a volume.
    Sphere = "sphere", sphere: AnyArity<Sphere>;
    /// Boxes cut off their parents by one plane each (Zachmann 2002): 9 bytes a volume, links included.
    Boxtree = "boxtree", boxtree: Tree<Boxtree>;
    /// 14-DOPs: slabs along the axes and the diagonals of a cube (Klosowski and others 1998): 56 bytes a volume.
    Dop14 = "dop14", dop14: AnyArity<Dop14>;
    /// 18-DOPs: along the axes and the diagonals of a cube's faces (Klosowski and others 1998): 72 bytes a volume.
    Dop18 = "dop18", dop18: AnyArity<Dop18>;
    /// 24-DOPs: 18-DOPs with three diagonals of a cube (Zachmann's comparator of 2002): 96 bytes a volume.
    Dop24 = "dop24", dop24: AnyArity<Dop24>;
    /// 26-DOPs: along the axes and all these diagonals (Klosowski and others 1998): 104 bytes a volume.
    Dop26 = "dop26", dop26: AnyArity<Dop26>;
    /// Oriented boxes (Gottschalk, Lin and Manocha 1996: RAPID): 60 bytes a volume.
    Obb = "obb", obb: AnyArity<Obb>;
    /// Oriented boxes fitted to the convex hull (Hu et al. 2016): 60 bytes a volume.
    ObbHull = "obb-hull", obb_hull: AnyArity<ObbHull>;
    /// A cube around oriented boxes, and a leaf test that uses what the boxes know (Hu et al. 2016, algorithm II): 60 bytes a
    /// volume and 36 a triangle.
    Hybrid = "hybrid", hybrid: Tree<Hybrid>;
    /// The same without that leaf test (algorithm I): 60 bytes a volume.
    HybridPlain = "hybrid-plain", hybrid_plain: Tree<HybridPlain>;
    /// Balls cut by a slab (Larsson and Akenine-Moller 2008): 36 bytes a volume.
    Scb = "scb", scb: AnyArity<Scb>;
    /// The same in 26 bytes.
    Scb26 = "scb26", scb26: AnyArity<Scb26>;
}
