//! A buffer of pairs of triangles that wait for the f32 test, until there is a pair for each lane of a
//! vector.
//!
//! Each pair is of two leaves, in the lattice coordinates of the resting leaf. The test and its bound are
//! those of [`lanes`], with these numbers. The corners of p are within alpha steps of the exact ones and
//! those of q within beta, so their sum is `off`. E and V are the longest sides of the triangles' boxes.
//! These boxes overlap, else the pair would not be here, so on each axis a point of p and one of q differ by
//! at most the sum of these sides, X. Nothing overflows, since `candidates` (in `meet.rs`) admits only sizes
//! below 2^39. What underflows does not matter, since lengths are in steps of the lattice.
use crate::{
    simd::{Lanes, MOST_PAIRS, Simd},
    triangle::lanes,
    vector::UNIT_F32,
};

/// Number of pairs that may wait.
const ROOM: usize = 128;
/// f32 numbers a pair: e1, e2, q0, q1, q2 (vectors), E, V, `off`.
pub(crate) const COLUMNS: usize = 18;

/// Pairs that wait for the test.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct PendingPairs {
    columns: [[f32; ROOM + MOST_PAIRS]; COLUMNS],
    a: [u32; ROOM + MOST_PAIRS],
    b: [u32; ROOM + MOST_PAIRS],
    pub(crate) len: usize,
}

impl Default for PendingPairs {
    fn default() -> Self {
        let row = [0; ROOM + MOST_PAIRS];
        Self { columns: [[0.0; ROOM + MOST_PAIRS]; COLUMNS], a: row, b: row, len: 0 }
    }
}

impl PendingPairs {
    /// True if the pairs of two full leaves, 64 of them, may not fit.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= ROOM - 64
    }
    /// Appends the first `count` lanes: [`COLUMNS`] numbers each, and the ranks of both triangles. A rank is
    /// the place in the order of its tree, `first` plus the lane's index.
    #[inline(always)]
    pub(crate) fn push<S: Simd>(
        &mut self,
        simd: S,
        columns: [S::Pairs; COLUMNS],
        first: [u32; 2],
        at: [S::Index; 2],
        count: usize,
    ) {
        // The minimum spares a check of bounds; a pair that did not fit would be lost.
        debug_assert!(self.len <= ROOM, "no room was made");
        let n = self.len.min(ROOM);
        for (to, column) in self.columns.iter_mut().zip(columns) {
            simd.store_pairs(column, &mut to[n..]);
        }
        simd.store_ranks(first[0], at[0], &mut self.a[n..]);
        simd.store_ranks(first[1], at[1], &mut self.b[n..]);
        self.len = n + count;
    }
    /// Drops the pairs before `start`. Fewer than a vector has lanes may remain.
    #[inline(always)]
    pub(crate) fn keep_from<S: Simd>(&mut self, simd: S, start: usize) {
        let rest = self.len.saturating_sub(start);
        if rest > 0 && start > 0 {
            for column in &mut self.columns {
                let run = simd.load_pairs(&column[start..]);
                simd.store_pairs(run, column);
            }
            self.a.copy_within(start..start + MOST_PAIRS, 0);
            self.b.copy_within(start..start + MOST_PAIRS, 0);
        }
        self.len = rest;
    }
    /// The ranks of a pair's triangles.
    #[inline(always)]
    pub(crate) fn ranks(&self, k: usize) -> [u32; 2] {
        [self.a[k], self.b[k]]
    }

    /// Tests as many pairs from `start` on as a vector has lanes. Returns two masks: pairs that certainly
    /// meet, and uncertain pairs.
    #[inline(always)]
    pub(crate) fn decide<S: Simd>(&self, simd: S, start: usize) -> [u32; 2] {
        let (e, v) = (self.column(simd, 15, start), self.column(simd, 16, start));
        let x = e + v;
        let pairs = lanes::RelativePairs {
            e1: self.vector(simd, 0, start),
            e2: self.vector(simd, 3, start),
            q: [self.vector(simd, 6, start), self.vector(simd, 9, start), self.vector(simd, 12, start)],
            e,
            v,
            x,
            kappa: x.mul_add(simd.pairs(9.5 * UNIT_F32 as f32), self.column(simd, 17, start)),
        };
        lanes::decide(&pairs, S::PAIRS, [simd.pairs(0.0), simd.pairs(31.0), simd.pairs(0.5)])
    }
    #[inline(always)]
    fn column<S: Simd>(&self, simd: S, k: usize, start: usize) -> S::Pairs {
        simd.load_pairs(&self.columns[k][start..])
    }
    #[inline(always)]
    fn vector<S: Simd>(&self, simd: S, k: usize, start: usize) -> [S::Pairs; 3] {
        [self.column(simd, k, start), self.column(simd, k + 1, start), self.column(simd, k + 2, start)]
    }
}
