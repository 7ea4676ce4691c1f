//! Pairs of triangles, as many at a time as there are lanes: apart, meeting, or unsure.
//!
//! The form is that of the 15 volumes (see [`filter`](crate::triangle::filter)), in f32, in the lattice of the resting leaf, relative to the resting triangle's first corner
//! p0. With u, v edges of the one and the other, p and q where they begin, w = q x v, and p0 = 0, the volume of two edges is u . w + v . (p x u); the moments p x u of p0 p1 and p2 p0 are
//! zero, that of p1 p2 is p's normal n, and v_j . n = d_(j+1) - d_j with d_j = n . q_j, which the planes want anyway. So the nine need p1 . w_j and p2 . w_j alone.
//!
//! # The bound
//! Corners of p are within alpha of the exact ones and those of q within beta, in steps. e1 and e2 (p's corners) are exact differences of integers, off by 2 alpha from the truth;
//! q_j rounds by u |q_j|, v_j by u |v_j| more. Let eps >= alpha + beta + 4 u (E + V), so that corners of the other are off by eps and edges by 2 eps, and let E and V be bounds on every
//! coordinate of an edge of p and of q, 2 eps included: the sides of the triangles' boxes. The boxes overlap, or there is no pair: so the difference of
//! any point of p and any of q is at most X = E + V, by coordinate. A product of three differs from its exact value by at most the sum of one factor's error times the bounds of the others:
//!
//! * *vertex and plane* (6 monomials of two edges of p and a difference): 6 (2 * 2 eps E X + eps E^2) and 5 roundings of each, 30 u E^2 X:
//!   with E <= X at most 30 eps E X + 30 u E^2 X; likewise with V for q's plane.
//! * *edges* (6 monomials u v x): 6 (2 eps V X + 2 eps E X + eps E V) = 12 eps X^2 + 6 eps E V <= 13.5 eps X^2. Rounding, of e1 . w and e2 . w: 30 u E V X each; of d_(j+1) - d_j:
//!   60 u E^2 X, and 12 u E^2 X as v_j is not quite q_(j+1) - q_j; of the three last sums 24 u E X (V + E): with E (E + V) <= X E and so on at most 96 u E X^2.
//!
//! So with kappa >= eps + 8 u (E + V) the bounds 31 kappa E X, 31 kappa V X and 15.5 kappa X^2 hold, the excess for the rounding of the bounds themselves (a few u).
//! Nothing overflows: [`limits`](super::walk) sees to it that sizes are less than 2^38.
use crate::simd::{Lanes, MOST_PAIRS, Mask, Simd};

/// Most pairs that wait.
const ROOM: usize = 128;
/// f32 numbers a pair: e1, e2, q0, q1, q2, E, V, eps.
pub(crate) const COLUMNS: usize = 18;

/// Pairs that wait for the test.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Ring {
    columns: [[f32; ROOM + MOST_PAIRS]; COLUMNS],
    a: [u32; ROOM + MOST_PAIRS],
    b: [u32; ROOM + MOST_PAIRS],
    pub(crate) len: usize,
}

impl Default for Ring {
    fn default() -> Self {
        let row = [0; ROOM + MOST_PAIRS];
        Self { columns: [[0.0; ROOM + MOST_PAIRS]; COLUMNS], a: row, b: row, len: 0 }
    }
}

pub(crate) type Vector<L> = [L; 3];

#[inline(always)]
pub(crate) fn cross<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [
        a[1].mul_sub(b[2], a[2] * b[1]),
        a[2].mul_sub(b[0], a[0] * b[2]),
        a[0].mul_sub(b[1], a[1] * b[0]),
    ]
}
#[inline(always)]
pub(crate) fn dot<L: Lanes>(a: Vector<L>, b: Vector<L>) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}
#[inline(always)]
pub(crate) fn sub<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

impl Ring {
    /// Whether a full run of lanes may not fit any more.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= ROOM - 64
    }
    /// Appends the first `count` lanes: [`COLUMNS`] numbers and the triangles' ranks, which begin at `first`.
    #[inline(always)]
    pub(crate) fn push<S: Simd>(
        &mut self,
        simd: S,
        columns: [S::Pairs; COLUMNS],
        first: [u32; 2],
        at: [S::Index; 2],
        count: usize,
    ) {
        let n = self.len.min(ROOM);
        for (to, column) in self.columns.iter_mut().zip(columns) {
            simd.store_pairs(column, &mut to[n..]);
        }
        simd.store_ranks(first[0], at[0], &mut self.a[n..]);
        simd.store_ranks(first[1], at[1], &mut self.b[n..]);
        self.len = n + count;
    }
    /// Drops the pairs before `start`; fewer than a run of lanes remain.
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
    /// The ranks of a pair.
    #[inline(always)]
    pub(crate) fn ranks(&self, k: usize) -> [u32; 2] {
        [self.a[k], self.b[k]]
    }

    /// Decides the pairs from `start` on, a run of lanes: which certainly meet, and of which nothing is certain.
    #[inline(always)]
    pub(crate) fn decide<S: Simd>(&self, simd: S, start: usize) -> [u32; 2] {
        let column = |k: usize| simd.load_pairs(&self.columns[k][start..]);
        let vector = |k: usize| [column(k), column(k + 1), column(k + 2)];
        let zero = simd.pairs(0.0);
        let (e1, e2) = (vector(0), vector(3));
        let q = [vector(6), vector(9), vector(12)];
        let (e, v_size, eps) = (column(15), column(16), column(17));
        let x = e + v_size;
        let kappa = x.mul_add(simd.pairs(31.0 * 8.0 * super::frame::U as f32), eps * simd.pairs(31.0));
        let kx = kappa * x;
        let (bound_d, bound_e) = (kx * e, kx * v_size);
        let bound_g = kx * (x * simd.pairs(0.5));
        let [neg_d, neg_e, neg_g] = [zero - bound_d, zero - bound_e, zero - bound_g];

        let n = cross(e1, e2);
        let d = q.map(|q| dot(n, q));
        let v = [sub(q[1], q[0]), sub(q[2], q[1]), sub(q[0], q[2])];
        let n2 = cross(v[0], v[1]);
        let from_q = [sub([zero; 3], q[0]), sub(e1, q[0]), sub(e2, q[0])];
        let f = from_q.map(|p| dot(n2, p));

        let d_pos = d.map(|x| x.gt(bound_d).bits());
        let d_neg = d.map(|x| neg_d.gt(x).bits());
        let f_pos = f.map(|x| x.gt(bound_e).bits());
        let f_neg = f.map(|x| neg_e.gt(x).bits());
        let all = |m: [u32; 3]| m[0] & m[1] & m[2];
        let apart = all(d_pos) | all(d_neg) | all(f_pos) | all(f_neg);
        let lanes = (1_u32 << S::PAIRS) - 1;
        if apart == lanes {
            return [0, 0];
        }

        // Volumes of p's edges 0, 1, 2 with q's edge j, by j.
        let mut pos = [[0_u32; 3]; 3];
        let mut neg = [[0_u32; 3]; 3];
        for j in 0..3 {
            let w = cross(q[j], v[j]);
            let (s, t) = (dot(e1, w), dot(e2, w));
            let middle = (t - s) + (d[(j + 1) % 3] - d[j]);
            // The third edge runs back: its volume is -t.
            (pos[0][j], neg[0][j]) = (s.gt(bound_g).bits(), neg_g.gt(s).bits());
            (pos[1][j], neg[1][j]) = (middle.gt(bound_g).bits(), neg_g.gt(middle).bits());
            (pos[2][j], neg[2][j]) = (neg_g.gt(t).bits(), t.gt(bound_g).bits());
        }
        let (mut meet, mut miss) = (0, lanes);
        for i in 0..3 {
            let next = (i + 1) % 3;
            for (ends_pos, ends_neg, row_pos, row_neg) in [
                (f_pos, f_neg, pos[i], neg[i]),
                (d_pos, d_neg, [pos[0][i], pos[1][i], pos[2][i]], [neg[0][i], neg[1][i], neg[2][i]]),
            ] {
                let across = ends_pos[i] & ends_neg[next] | ends_neg[i] & ends_pos[next];
                let aside = ends_pos[i] & ends_pos[next] | ends_neg[i] & ends_neg[next];
                meet |= across & (all(row_pos) | all(row_neg));
                let some = |m: [u32; 3]| m[0] | m[1] | m[2];
                miss &= aside | some(row_pos) & some(row_neg);
            }
        }
        [meet & !apart, !(meet | miss | apart) & lanes]
    }
}
