//! Lower bounds of the distances of two leaves' triangles, on lanes.
//!
//! Numbers are in the resting leaf's lattice, divided by a power of two that is not less than any coordinate,
//! as [`gap`] needs it. Differences then round by 2 u, and the leaves' `error` is divided, too.
use super::{
    leaf::LeafRef,
    meet::{PlacedLeaf, PreparedLeaf},
    node::WIDTH,
    node_pair::COLUMN,
    relative::up,
};
use crate::{
    simd::{Lanes, MOST_PAIRS, Mask, Ones, Simd},
    triangle::{
        gap::{self, Constants},
        lanes::{LaneVector, sub},
    },
    vector::UNIT_F32,
};

/// Triangles of two leaves.
pub(super) struct LeafPair<S: Simd> {
    simd: S,
    p0: LaneVector<S::Eight>,
    e1: LaneVector<S::Eight>,
    e2: LaneVector<S::Eight>,
    q: [LaneVector<S::Eight>; 3],
    /// Factor from steps of the lattice to these numbers.
    down: f32,
    constants: Constants<S::Pairs>,
}

/// All pairs of two leaves' triangles.
pub(super) fn all(a: LeafRef, b: LeafRef) -> u64 {
    (COLUMN * ((1 << b.count) - 1)) & 1_u64.unbounded_shl(8 * a.count).wrapping_sub(1)
}

impl<S: Simd> LeafPair<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, a: &PreparedLeaf<S::Eight>, b: &PlacedLeaf<S::Eight>) -> Self {
        // 2^-k for a range below 2^k. The range is not 0, and is below 2^39.
        let down = f32::from_bits((253 - (b.range.to_bits() >> 23)) << 23);
        let (constants, by) =
            (Constants::new(simd, 1.001 * (b.error * down + 2.0 * UNIT_F32 as f32)), simd.eight(down));
        let [q0, q1, q2] = b.q;
        let q = [times(q0, by), times(q1, by), times(q2, by)];
        Self { simd, p0: times(a.p0, by), e1: times(a.e1, by), e2: times(a.e2, by), q, down, constants }
    }

    /// The pairs that may be within so many steps of each other.
    #[inline(always)]
    pub(super) fn within(&self, pairs: u64, steps: f64) -> u64 {
        let most = f64::from(self.down) * steps;
        let most = self.simd.pairs(up(most * most));
        let pairs = self.left::<false>(pairs, most);
        self.left::<true>(pairs, most)
    }

    // Not closures, which would be functions without these instructions.
    #[inline(always)]
    fn left<const EDGES: bool>(&self, pairs: u64, most: S::Pairs) -> u64 {
        let simd = self.simd;
        let mut ones = Ones::NONE;
        simd.ones(pairs, &mut ones);
        let (count, mut start, mut further) = (pairs.count_ones() as usize, 0, 0);
        while start < count {
            let of = self.gathered(&ones, start);
            let squares =
                if EDGES { gap::by_edges(&of, &self.constants) } else { gap::by_faces(&of, &self.constants) };
            further |= u64::from(squares.gt(most).bits()) << start;
            start += S::PAIRS;
        }
        pairs & !simd.deposit(further, pairs)
    }

    /// Raises the lower bounds `near` of pairs' squared distances, in steps, to those found. Returns the
    /// pairs whose squares may be at most `most`.
    #[inline(always)]
    pub(super) fn raise(&self, pairs: u64, most: f32, near: &mut [[f32; WIDTH]; WIDTH]) -> u64 {
        let pairs = self.raised::<false>(pairs, most, near);
        self.raised::<true>(pairs, most, near)
    }

    #[inline(always)]
    fn raised<const EDGES: bool>(&self, pairs: u64, most: f32, near: &mut [[f32; WIDTH]; WIDTH]) -> u64 {
        let simd = self.simd;
        let up = 1.0 / self.down;
        let mut ones = Ones::NONE;
        simd.ones(pairs, &mut ones);
        let (count, mut start, mut further) = (pairs.count_ones() as usize, 0, 0);
        let (mut squares, up, most) = ([0.0; MOST_PAIRS], simd.pairs(up), simd.pairs(most));
        while start < count {
            let of = self.gathered(&ones, start);
            let found =
                if EDGES { gap::by_edges(&of, &self.constants) } else { gap::by_faces(&of, &self.constants) };
            let found = found * up * up;
            further |= u64::from(found.gt(most).bits()) << start;
            simd.store_pairs(found, &mut squares);
            for (at, square) in ones.0[start..count].iter().zip(squares) {
                let known = &mut near[usize::from(at >> 3 & 7)][usize::from(at & 7)];
                // Not where it is NaN.
                if square > *known {
                    *known = square;
                }
            }
            start += S::PAIRS;
        }
        pairs & !simd.deposit(further, pairs)
    }

    /// The pairs from `start` on, as many as a vector has lanes. Lanes beyond the last pair hold other
    /// triangles.
    #[inline(always)]
    fn gathered(&self, ones: &Ones, start: usize) -> gap::GapPairs<S::Pairs> {
        let simd = self.simd;
        let (i, j) = simd.rows_and_columns(ones, start);
        let p0 = simd.lookups(self.p0, i);
        let e = [simd.lookups(self.e1, i), simd.lookups(self.e2, i)];
        let [q0, q1, q2] = self.q;
        let q = [sub(simd.lookups(q0, j), p0), sub(simd.lookups(q1, j), p0), sub(simd.lookups(q2, j), p0)];
        gap::GapPairs { e, q }
    }
}

#[inline(always)]
fn times<L: Lanes>(v: LaneVector<L>, by: L) -> LaneVector<L> {
    [v[0] * by, v[1] * by, v[2] * by]
}
