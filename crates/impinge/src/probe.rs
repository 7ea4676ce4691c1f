//! Watching the work of a query.

/// Watches a query. `()` watches nothing and costs nothing.
pub trait Probe {
    /// `n` pairs of bounding volumes were tested.
    #[inline(always)]
    fn volumes_tested(&mut self, _n: u64) {}
    /// `n` pairs of triangles were tested.
    #[inline(always)]
    fn triangles_tested(&mut self, _n: u64) {}
    /// The floating-point filter could not decide one of those pairs, and the exact stage did.
    #[inline(always)]
    fn decided_exactly(&mut self) {}
}

impl Probe for () {}

/// Counts the work: Nv and Np of the papers' cost model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Pairs of bounding volumes tested (Nv).
    pub volume_tests: u64,
    /// Pairs of triangles tested (Np).
    pub triangle_tests: u64,
    /// How many of the triangle tests the floating-point filter left to the exact stage.
    pub exact_tests: u64,
}

impl Probe for Count {
    #[inline(always)]
    fn volumes_tested(&mut self, n: u64) {
        self.volume_tests += n;
    }
    #[inline(always)]
    fn triangles_tested(&mut self, n: u64) {
        self.triangle_tests += n;
    }
    #[inline(always)]
    fn decided_exactly(&mut self) {
        self.exact_tests += 1;
    }
}
