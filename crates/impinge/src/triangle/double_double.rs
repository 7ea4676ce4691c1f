//! The triangle test on lanes of f64, in numbers of twice their precision: for bodies at different poses that
//! nearly touch. The same part in the same hole, placed twice, touches up to the rounding of its poses; their
//! signs take some 110 bits, far fewer than the thousand that integers of placed corners have.
//!
//! A *double-double* is the unrounded sum of two f64, the second no larger than half a last bit of the first
//! (Dekker 1971). Sums and products of two f64 are exact as such. Those of two double-doubles x and y are off
//! by at most, with u = 2^-53,
//!
//! * *sum*: 8 u^2 (|x| + |y|). The sum of both second parts is of size u (|x| + |y|), its sum with what the
//!   first parts' sum has lost of size 2 u (|x| + |y|), and each of them rounds once. Where the first parts
//!   cancel, the last step, which expects the larger number first, rounds a number of size 4 u (|x| + |y|);
//! * *product*: 8 u^2 |x y|. Of four products that of the first parts is exact. That of the second parts,
//!   u^2 |x y|, is dropped. The others round 5 times numbers of at most 2 u |x y|. (Joldes, Muller and
//!   Popescu 2017, algorithms 5 and 12, derive less.)
//!
//! # The bound
//! S bounds the sum of absolute values of R v + t, over the corners of both bodies and the axes; X the
//! differences of any two of the six corners, in size. A placed coordinate is three exact products and three
//! sums of numbers of at most S together: off by 3 * 8 u^2 S. A difference: by twice that, and 16 u^2 S for
//! its sum: at most 64 u^2 S =: eps. An orientation value is 6 monomials of three differences. Each moves by
//! 3 eps X^2, to first order. Rounding: a minor by 32 u^2 X^2 (two products of X^2, and their sum), which
//! three times X makes 96 u^2 X^3; three products of at most 2 X^3 by 48; sums of at most 4 and 6 X^3 by 80;
//! and X <= 2 S. So in all (6 * 192 + 2 * 224) u^2 X^2 S = 1600 u^2 X^2 S. [`EXCESS`] is 4096: the rest
//! covers second orders, and the rounding of the bound.
//!
//! Nothing overflows and what underflows does not matter if X and S are between 2^-100 and 2^100: an
//! underflow is off by 2^-1074, times X^2 2^-870, where the bound is at least 2^-94-300.
use super::{
    lanes::{LaneVector, all, size, some},
    same_pose::{Signs, edge},
};
use crate::{
    Pose,
    simd::{Doubles, Mask, Simd},
    vector::UNIT,
};

/// Factor of X^2 S in the bound: see the module's head.
pub(crate) const EXCESS: f64 = 4096.0 * UNIT * UNIT;
/// The range of X and S.
pub(crate) const RANGE: [f64; 2] = [f64::from_bits((1023 - 100) << 52), f64::from_bits((1023 + 100) << 52)];

/// The unevaluated sum of two vectors, the second much smaller.
#[derive(Clone, Copy)]
pub(crate) struct Double<L> {
    pub(crate) high: L,
    pub(crate) low: L,
}

pub(crate) type DoubleVector<L> = [Double<L>; 3];

/// a + b, where |a| >= |b|.
#[inline(always)]
fn ordered_sum<L: Doubles>(a: L, b: L) -> Double<L> {
    let high = a + b;
    Double { high, low: b - (high - a) }
}
/// a + b, exactly (Knuth).
#[inline(always)]
fn sum<L: Doubles>(a: L, b: L) -> Double<L> {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}
/// a b, exactly.
#[inline(always)]
fn product<L: Doubles>(a: L, b: L) -> Double<L> {
    let high = a * b;
    Double { high, low: a.product_error(b, high) }
}

impl<L: Doubles> Double<L> {
    #[inline(always)]
    pub(crate) fn plus(self, o: Self) -> Self {
        let s = sum(self.high, o.high);
        ordered_sum(s.high, s.low + (self.low + o.low))
    }
    #[inline(always)]
    pub(crate) fn minus(self, o: Self) -> Self {
        // Knuth's sum with every sign of the second number turned round.
        let high = self.high - o.high;
        let part = high - self.high;
        let low = (self.high - (high - part)) - (o.high + part);
        ordered_sum(high, low + (self.low - o.low))
    }
    #[inline(always)]
    pub(crate) fn times(self, o: Self) -> Self {
        let p = product(self.high, o.high);
        ordered_sum(p.high, p.low + (self.high * o.low + self.low * o.high))
    }
    /// A quotient, off by at most 40 u^2 of itself: see `curves/nearest.rs`.
    #[inline(always)]
    pub(crate) fn over(self, o: Self, zero: L) -> Self {
        let first = self.high / o.high;
        let rest = self.minus(o.times(Self { high: first, low: zero }));
        ordered_sum(first, rest.high / o.high)
    }
}

#[inline(always)]
pub(crate) fn difference<L: Doubles>(a: &DoubleVector<L>, b: &DoubleVector<L>) -> DoubleVector<L> {
    [a[0].minus(b[0]), a[1].minus(b[1]), a[2].minus(b[2])]
}
#[inline(always)]
pub(crate) fn cross<L: Doubles>(a: &DoubleVector<L>, b: &DoubleVector<L>) -> DoubleVector<L> {
    let mut c = *a;
    for (k, c) in c.iter_mut().enumerate() {
        let [i, j] = [(k + 1) % 3, (k + 2) % 3];
        *c = a[i].times(b[j]).minus(a[j].times(b[i]));
    }
    c
}
/// a . b; its first part has the sign.
#[inline(always)]
fn dot<L: Doubles>(a: &DoubleVector<L>, b: &DoubleVector<L>) -> L {
    let mut sum = a[0].times(b[0]);
    for k in 1..3 {
        sum = sum.plus(a[k].times(b[k]));
    }
    sum.high
}
#[inline(always)]
pub(crate) fn size_of<L: Doubles>(v: &DoubleVector<L>) -> L {
    size([v[0].high, v[1].high, v[2].high])
}

/// R and t of a pose, in all lanes.
pub(crate) type LanePose<L> = ([LaneVector<L>; 3], LaneVector<L>);

#[inline(always)]
pub(crate) fn placing<S: Simd>(simd: S, pose: &Pose) -> LanePose<S::Doubles> {
    let [x, y, z] = pose.rows();
    let rows = [simd.splat_doubles(x), simd.splat_doubles(y), simd.splat_doubles(z)];
    (rows, simd.splat_doubles(pose.translation()))
}

/// R v + t.
#[inline(always)]
pub(crate) fn placed<L: Doubles>(
    (rows, offset): &LanePose<L>,
    v: &LaneVector<L>,
    zero: L,
) -> DoubleVector<L> {
    three!(K => {
        let [x, y, z] = three!(J => product(rows[K][J], v[J]));
        let t = Double { high: offset[K], low: zero };
        x.plus(y).plus(z.plus(t))
    })
}

/// The signs of values beyond the bound.
#[inline(always)]
fn signs<L: Doubles>(value: L, bound: L, zero: L) -> Signs {
    Signs { pos: value.gt(bound).bits(), neg: (zero - value).gt(bound).bits(), zero: 0 }
}

/// The pairs that certainly meet, and those that are undecided, in `count` lanes. The last argument holds 0,
/// [`EXCESS`] times S, and both ends of [`RANGE`], in all lanes.
// Loops, not `three!`: its code would be ten times as long.
#[inline(always)]
pub(crate) fn decide<L: Doubles>(
    to_p: &LanePose<L>,
    p: &[LaneVector<L>; 3],
    to_q: &LanePose<L>,
    q: &[LaneVector<L>; 3],
    count: usize,
    [zero, scale, least, most]: [L; 4],
) -> [u32; 2] {
    let lanes = ((1_u64 << count) - 1) as u32;
    let (mut a, mut b) =
        ([[Double { high: zero, low: zero }; 3]; 3], [[Double { high: zero, low: zero }; 3]; 3]);
    for k in 0..3 {
        (a[k], b[k]) = (placed(to_p, &p[k], zero), placed(to_q, &q[k], zero));
    }
    let (mut e, mut v, mut d) = (a, b, [a; 3]);
    let mut x = zero;
    for i in 0..3 {
        e[i] = difference(&a[(i + 1) % 3], &a[i]);
        v[i] = difference(&b[(i + 1) % 3], &b[i]);
        x = x.max(size_of(&e[i])).max(size_of(&v[i]));
        for j in 0..3 {
            d[i][j] = difference(&b[j], &a[i]);
            x = x.max(size_of(&d[i][j]));
        }
    }
    let sane = (x.gt(least) & most.gt(x)).bits();
    let bound = x * x * scale;
    let (n, m) = (cross(&e[0], &e[1]), cross(&v[0], &v[1]));
    let (mut of_p, mut of_q, mut sides) =
        ([Signs::default(); 3], [Signs::default(); 3], [[Signs::default(); 3]; 3]);
    for i in 0..3 {
        of_q[i] = signs(dot(&n, &d[0][i]), bound, zero);
        of_p[i] = signs(zero - dot(&m, &d[i][0]), bound, zero);
        for j in 0..3 {
            sides[i][j] = signs(dot(&cross(&e[i], &v[j]), &d[i][j]), bound, zero);
        }
    }
    let (q_pos, q_neg) = ([of_q[0].pos, of_q[1].pos, of_q[2].pos], [of_q[0].neg, of_q[1].neg, of_q[2].neg]);
    let (p_pos, p_neg) = ([of_p[0].pos, of_p[1].pos, of_p[2].pos], [of_p[0].neg, of_p[1].neg, of_p[2].neg]);
    let (mut meet, mut miss) = (0, u32::MAX);
    for k in 0..3 {
        let to = (k + 1) % 3;
        let of_e = edge(&of_p[k], &of_p[to], [&sides[k][0], &sides[k][1], &sides[k][2]]);
        let of_v = edge(&of_q[k], &of_q[to], [&sides[0][k], &sides[1][k], &sides[2][k]]);
        meet |= of_e[0] | of_v[0];
        miss &= of_e[1] & of_v[1];
    }
    // Both have an area, and different planes.
    let proper = (some(q_pos) | some(q_neg)) & (some(p_pos) | some(p_neg));
    let apart = all(q_pos) | all(q_neg) | all(p_pos) | all(p_neg) | miss & proper;
    [meet & !apart & sane & lanes, (!(meet | apart) | !sane) & lanes]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{
        near_degenerate::{FAMILIES, PairCase, near_degenerate, near_touching_instances},
        oracle,
    };
    use crate::{
        simd::{MOST_DOUBLES, Simd, SimdLevel, Work, detect},
        vector::largest,
    };

    /// Decides pairs in lanes. Returns the bits of the pairs that meet, and those of the undecided pairs.
    struct Ask<'a>(&'a [PairCase; 4], f64);

    impl Work for Ask<'_> {
        type Out = [u32; 2];
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [u32; 2] {
            let Self(cases, scale) = self;
            // Rows of corners, of rotations and of translations.
            let mut rows = [[[0.0; MOST_DOUBLES]; 9]; 6];
            for (lane, case) in cases.iter().enumerate() {
                let offsets = [case.pose_p.translation(), case.pose_q.translation()].map(|t| [*t, *t, *t]);
                let matrices =
                    [case.p, case.q, *case.pose_p.rows(), *case.pose_q.rows(), offsets[0], offsets[1]];
                for (rows, matrix) in rows.iter_mut().zip(matrices) {
                    rows.iter_mut().zip(matrix.as_flattened()).for_each(|(row, &x)| row[lane] = x);
                }
            }
            let all = rows.each_ref().map(|rows| simd.load_triangles(rows));
            let [p, q, r, s, t, u] = all;
            let constants = [0.0, EXCESS * scale, RANGE[0], RANGE[1]].map(|x| simd.doubles(x));
            decide(&(r, t[0]), &p, &(s, u[0]), &q, cases.len(), constants)
        }
    }

    fn size(case: &PairCase) -> f64 {
        let of = |rows: &[[f64; 3]; 3], offset: &[f64; 3], corners: &[[f64; 3]; 3]| {
            largest((0..3).flat_map(|i| {
                corners
                    .iter()
                    .map(move |v| (0..3).map(|k| (rows[i][k] * v[k]).abs()).sum::<f64>() + offset[i].abs())
            }))
        };
        let PairCase { p, q, pose_p, pose_q, .. } = case;
        let sizes = [of(pose_p.rows(), pose_p.translation(), p), of(pose_q.rows(), pose_q.translation(), q)];
        largest(sizes) * (1.0 + 16.0 * UNIT)
    }

    fn certain_means_true(make: fn(u64, u64) -> PairCase, rounds: u64) -> [u32; 3] {
        let [mut certain, mut meeting, mut all] = [0; 3];
        let mut index = 0;
        for _ in 0..rounds {
            let mut next = || loop {
                index += 1;
                let case = make(22, index);
                if (RANGE[0]..RANGE[1]).contains(&size(&case)) {
                    return case;
                }
            };
            let cases = [next(), next(), next(), next()];
            let scale = largest(cases.iter().map(size));
            for &level in SimdLevel::ALL {
                let [meet, unsure] = detect(level).call(Ask(&cases, scale));
                for (lane, case) in cases.iter().enumerate().filter(|(lane, _)| unsure >> lane & 1 == 0) {
                    let want = oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q);
                    assert_eq!(meet >> lane & 1 == 1, want, "{level:?}: {case:?}");
                    certain += 1;
                    meeting += u32::from(want);
                }
                all += cases.len() as u32;
            }
        }
        [certain, meeting, all]
    }

    #[test]
    fn what_is_certain_is_true() {
        let rounds = FAMILIES.len() as u64 * 500;
        let [certain, meeting, all] = certain_means_true(near_degenerate, rounds);
        assert!(certain > all / 4 && meeting > all / 20, "{certain} of {all} certain, {meeting} meet");
        let [certain, meeting, all] = certain_means_true(near_touching_instances, rounds);
        assert!(certain > all / 3 && meeting > all / 20, "{certain} of {all} certain, {meeting} meet");
    }
}
