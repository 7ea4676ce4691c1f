//! Counters of the work of queries: Nv, Nu and Np of the papers' cost model.

/// The work of queries: Nv, Nu and Np of the cost model T = Nv Cv + Nu Cu + Np Cp (Gottschalk, Lin and
/// Manocha 1996, section 2; Nu by Hu 2016).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Count {
    /// Pairs of bounding volumes tested (Nv).
    pub volume_tests: u64,
    /// Bounding volumes decoded and transformed for tests (Nu).
    pub volume_updates: u64,
    /// Pairs of triangles in the leaves that were reached (Np, as most papers count).
    pub leaf_pairs: u64,
    /// Triangle tests: pairs in reached leaves that neither the leaves' volumes nor the triangles' own boxes
    /// exclude.
    pub triangle_tests: u64,
    /// Triangle tests that a first stage in f32 left to the floating-point filter. Only the fast tree has
    /// such a stage.
    pub filter_tests: u64,
    /// Triangle tests that the floating-point filter left to the exact stage.
    pub exact_tests: u64,
}

impl Count {
    #[inline(always)]
    pub(crate) fn volumes_tested(&mut self, n: u64) {
        self.volume_tests += n;
    }
    #[inline(always)]
    pub(crate) fn volumes_placed(&mut self, n: u64) {
        self.volume_updates += n;
    }
    #[inline(always)]
    pub(crate) fn leaves_met(&mut self, n: u64) {
        self.leaf_pairs += n;
    }
    #[inline(always)]
    pub(crate) fn triangles_tested(&mut self, n: u64) {
        self.triangle_tests += n;
    }
    #[inline(always)]
    pub(crate) fn left_to_filter(&mut self) {
        self.filter_tests += 1;
    }
    #[inline(always)]
    pub(crate) fn decided_exactly(&mut self) {
        self.exact_tests += 1;
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, o: Self) {
        self.volume_tests += o.volume_tests;
        self.volume_updates += o.volume_updates;
        self.leaf_pairs += o.leaf_pairs;
        self.triangle_tests += o.triangle_tests;
        self.filter_tests += o.filter_tests;
        self.exact_tests += o.exact_tests;
    }
}

/// Counters of a query: see [`Query::counting`](crate::Query::counting).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// The work.
    pub count: Count,
    /// The number of times that each of a volume's tests found two volumes disjoint (van den Bergen's
    /// histogram: 1997, section 3). The fast tree counts none.
    pub separations: [u64; Self::TESTS],
}

impl Counters {
    /// The largest number of tests that a volume may have.
    pub const TESTS: usize = 32;
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, o: Self) {
        self.count += o.count;
        self.separations.iter_mut().zip(o.separations).for_each(|(sum, n)| *sum += n);
    }
}
