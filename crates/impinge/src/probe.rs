//! Watching the work of a query.

/// Watches a query. `()` watches nothing and costs nothing.
pub trait Probe {
    /// `n` pairs of bounding volumes were tested.
    #[inline(always)]
    fn volumes_tested(&mut self, _n: u64) {}
    /// `n` volumes were made ready for tests: decoded, and mapped where that needs it.
    #[inline(always)]
    fn volumes_placed(&mut self, _n: u64) {}
    /// A test of the volume found a pair of them disjoint: the one that [`Kind::tests`](crate::Kind::tests) lists there.
    #[inline(always)]
    fn separated(&mut self, _test: u8) {}
    /// Two leaves were reached, with `n` pairs of triangles.
    #[inline(always)]
    fn leaves_met(&mut self, _n: u64) {}
    /// `n` pairs of triangles were tested.
    #[inline(always)]
    fn triangles_tested(&mut self, _n: u64) {}
    /// A first stage in f32 could not decide one of those pairs, and left it to the filter.
    #[inline(always)]
    fn left_to_filter(&mut self) {}
    /// The floating-point filter could not decide one of those pairs, and the exact stage did.
    #[inline(always)]
    fn decided_exactly(&mut self) {}
}

impl Probe for () {}

/// Two that watch the same query.
impl<P: Probe, Q: Probe> Probe for (P, Q) {
    #[inline(always)]
    fn volumes_tested(&mut self, n: u64) {
        self.0.volumes_tested(n);
        self.1.volumes_tested(n);
    }
    #[inline(always)]
    fn volumes_placed(&mut self, n: u64) {
        self.0.volumes_placed(n);
        self.1.volumes_placed(n);
    }
    #[inline(always)]
    fn separated(&mut self, test: u8) {
        self.0.separated(test);
        self.1.separated(test);
    }
    #[inline(always)]
    fn leaves_met(&mut self, n: u64) {
        self.0.leaves_met(n);
        self.1.leaves_met(n);
    }
    #[inline(always)]
    fn triangles_tested(&mut self, n: u64) {
        self.0.triangles_tested(n);
        self.1.triangles_tested(n);
    }
    #[inline(always)]
    fn left_to_filter(&mut self) {
        self.0.left_to_filter();
        self.1.left_to_filter();
    }
    #[inline(always)]
    fn decided_exactly(&mut self) {
        self.0.decided_exactly();
        self.1.decided_exactly();
    }
}

/// Counts the work: Nv, Nu and Np of the papers' cost model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Pairs of bounding volumes tested (Nv).
    pub volume_tests: u64,
    /// Bounding volumes made ready for tests (Nu).
    pub volume_updates: u64,
    /// Pairs of triangles in the leaves that were reached (Np, as most papers count).
    pub leaf_pairs: u64,
    /// Pairs of triangles tested: those of them that neither the leaf's volume nor the triangles' own boxes exclude.
    pub triangle_tests: u64,
    /// How many of the triangle tests a first stage in f32 left to the floating-point filter, where there is such a stage ([`Kind::Wide`](crate::Kind::Wide)).
    pub filter_tests: u64,
    /// How many of the triangle tests the floating-point filter left to the exact stage.
    pub exact_tests: u64,
}

impl Count {
    /// Tells another all that was counted.
    #[inline]
    pub(crate) fn tell(&self, probe: &mut impl Probe) {
        probe.volumes_tested(self.volume_tests);
        probe.volumes_placed(self.volume_updates);
        probe.leaves_met(self.leaf_pairs);
        probe.triangles_tested(self.triangle_tests);
        (0..self.filter_tests).for_each(|_| probe.left_to_filter());
        (0..self.exact_tests).for_each(|_| probe.decided_exactly());
    }
}

impl Probe for Count {
    #[inline(always)]
    fn volumes_tested(&mut self, n: u64) {
        self.volume_tests += n;
    }
    #[inline(always)]
    fn volumes_placed(&mut self, n: u64) {
        self.volume_updates += n;
    }
    #[inline(always)]
    fn leaves_met(&mut self, n: u64) {
        self.leaf_pairs += n;
    }
    #[inline(always)]
    fn triangles_tested(&mut self, n: u64) {
        self.triangle_tests += n;
    }
    #[inline(always)]
    fn left_to_filter(&mut self) {
        self.filter_tests += 1;
    }
    #[inline(always)]
    fn decided_exactly(&mut self) {
        self.exact_tests += 1;
    }
}

/// Counts which test separates volumes: van den Bergen's histogram (1997, section 3) for every kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Separations {
    /// How often, by the index of the test in [`Kind::tests`](crate::Kind::tests).
    pub by_test: [u64; Self::MOST],
}

impl Separations {
    /// No kind has more tests.
    pub const MOST: usize = 32;
}

impl Probe for Separations {
    #[inline(always)]
    fn separated(&mut self, test: u8) {
        self.by_test[usize::from(test) % Self::MOST] += 1;
    }
}
