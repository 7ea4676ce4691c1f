//! The public verbs: do two bodies meet, and where.
use crate::{
    Body, Probe, SimdLevel,
    any::{Stacks, Way},
    brute_force::{self, Sorted},
    choice::choice,
    motion::Motion,
    narrow::Narrow,
};
use std::ops::ControlFlow;

/// Memory that queries use: keep it from one to the next, and once warm they do not allocate.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) stacks: Stacks,
    pub(crate) sorted: Sorted,
}

impl Scratch {
    /// Empty; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }
}

choice! {
    /// How two volumes are compared, where there is a choice.
    pub enum Overlap {
        /// The volume's own best; also what a test that it does not have means.
        #[default]
        Auto = "auto",
        /// The 6 face normals: more pairs, cheaper tests (van den Bergen 1997, section 3).
        SatLite = "sat-lite",
        /// All 15: the 9 cross products of edges, too (Gottschalk, Lin and Manocha 1996).
        Sat = "sat",
        /// The normals of the resting volume alone (Zachmann 2002, section 3.2.1).
        Axis = "axis",
        /// The same with products from tables, which are made once a query (section 3.2.2).
        Lookup = "lookup",
    }
}

/// How to ask. The answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The overlap test of volumes.
    pub overlap: Overlap,
    /// The instructions that may be used, where there is a choice: by [`Kind::Wide`](crate::Kind::Wide).
    pub simd: SimdLevel,
}

impl Query {
    /// First contact: a pair of triangles (of `a`, of `b`) that meet, or `None` if no two do.
    ///
    /// Whether there is one is defined by the two bodies alone; which one of many comes first is not.
    pub fn intersects(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Option<[u32; 2]> {
        self.run(a, b, true, scratch, probe, ControlFlow::Break).break_value()
    }

    /// First contact that can be gone on with: every pair of triangles that meet, once, until `found` breaks. The walk stands still while `found` looks at a pair, and goes on from there; with
    /// [`Kind::Wide`](crate::Kind::Wide) where bodies cross deepest comes first.
    ///
    /// For whoever wants ten contacts, or one that some rule does not allow.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, Scratch};
    /// use std::ops::ControlFlow;
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]; 8])?;
    /// let model = Model::new(triangle, &BuildOptions::default());
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// // The first pair of which the second triangle is not the first one: of 64.
    /// let second = Query::default().find_pairs(&body, &body, &mut Scratch::new(), &mut (), |[i, j]| {
    ///     if i == j { ControlFlow::Continue(()) } else { ControlFlow::Break([i, j]) }
    /// });
    /// assert!(second.is_break());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn find_pairs<B>(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
        found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.run(a, b, true, scratch, probe, found)
    }

    /// Every pair of triangles (of `a`, of `b`) that meet, sorted, into `pairs`, which is cleared first.
    pub fn intersecting_pairs(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
        probe: &mut impl Probe,
    ) {
        pairs.clear();
        self.append(a, b, scratch, pairs, probe);
    }

    /// The same behind what `pairs` already holds.
    pub(crate) fn append(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
        probe: &mut impl Probe,
    ) {
        let before = pairs.len();
        let _: ControlFlow<()> = self.run(a, b, false, scratch, probe, |pair| {
            pairs.push(pair);
            ControlFlow::Continue(())
        });
        sort(&mut pairs[before..]);
    }

    fn run<B>(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        first: bool,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        let placement = a.placement(b, &b_to_a);
        let way = Way { query: *self, first, placement: &placement };
        a.model
            .tree()
            .pairs(b.model.tree(), way, &narrow, &mut scratch.stacks, probe, &mut found)
            // Trees of two kinds or arities do not fit together: the reference answers the same, slowly.
            .unwrap_or_else(|| brute_force::run(a, b, &mut scratch.sorted, probe, &mut found))
    }
}

pub(crate) fn sort(pairs: &mut [[u32; 2]]) {
    // As one number: a comparison is then one instruction.
    pairs.sort_unstable_by_key(|&[i, j]| u64::from(i) << 32 | u64::from(j));
}

/// [`Query::intersects`] with the defaults.
///
/// ```
/// use impinge::{Body, BuildOptions, Mesh, Model, Pose, Scratch};
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Model::new(triangle, &BuildOptions::default());
/// let a = Body::new(&model, Pose::IDENTITY);
/// let b = Body::new(&model, Pose::from_translation([2., 0., 0.])?);
/// // They share the point (2, 0, 0), and closed triangles include their corners.
/// assert_eq!(impinge::intersects(&a, &b, &mut Scratch::new()), Some([0, 0]));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn intersects(a: &Body<'_>, b: &Body<'_>, scratch: &mut Scratch) -> Option<[u32; 2]> {
    Query::default().intersects(a, b, scratch, &mut ())
}

/// [`Query::intersecting_pairs`] with the defaults.
pub fn intersecting_pairs(a: &Body<'_>, b: &Body<'_>, scratch: &mut Scratch, pairs: &mut Vec<[u32; 2]>) {
    Query::default().intersecting_pairs(a, b, scratch, pairs, &mut ());
}
