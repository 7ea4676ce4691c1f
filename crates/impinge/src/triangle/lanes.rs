//! The 15 orientation values of the [`filter`](super::filter) (orient3d), for as many pairs of triangles as
//! there are lanes, in f32 or f64.
//!
//! Everything is relative to the first triangle's corner p0 = 0. With u, v edges of the one and the other, p
//! and q where they begin, and w = q x v, the orientation value of two edges is u . w + v . (p x u). The
//! moments p x u of p0 p1 and p2 p0 are zero, that of p1 p2 is p's normal n, and v_j . n = d_(j+1) - d_j with
//! d_j = n . q_j, which the planes need anyway. So the nine values of edge pairs need p1 . w_j and p2 . w_j
//! alone.
//!
//! # The bound
//! Let u be the unit roundoff, and
//!
//! * E and V bounds of every coordinate of an edge of p and of q, also of the exact edges: 2 eps more than
//!   the computed ones;
//! * X >= E + V a bound of every coordinate of a difference of a point of p and one of q;
//! * `off` a bound of how far p's and q's given coordinates are, together, from the exact ones, before
//!   corners are subtracted;
//! * eps = off + 2 u X.
//!
//! Corners relative to p0 are then off by at most eps, as one or two subtractions round by u X each, and
//! edges by 2 eps. A product of three numbers differs from its exact value by at most a sum over the three:
//! the error of each times the bounds of the others. So the orientation values are off by
//!
//! * *vertex and plane* (6 monomials of two edges of p and a difference): 6 (2 * 2 eps E X + eps E^2) and 5
//!   roundings of each, 30 u E^2 X: with E <= X at most 30 eps E X + 30 u E^2 X; the same with V for q's
//!   plane.
//! * *edges* (6 monomials u v x): 6 (2 eps V X + 2 eps E X + eps E V) <= 12 eps X^2 + 1.5 eps X^2. Rounding,
//!   of e1 . w and e2 . w: 30 u E V X each; of d_(j+1) - d_j: 60 u E^2 X, and 12 u E^2 X as v_j is not quite
//!   q_(j+1) - q_j; of the three last sums 24 u E X (V + E): at most 96 u E X^2, or 13.5 * 7.2 u E X^2.
//!
//! So with kappa = off + 9.5 u X the bounds 31 kappa E X, 31 kappa V X and 15.5 kappa X^2 hold; their excess
//! over the sums covers the rounding of the bounds themselves. The caller makes sure that nothing overflows,
//! and that losses by underflow are far less than the bounds.
//!
//! # Faces in one plane
//! If both triangles lie in one plane, every orientation value is zero or nearly so, and none is certain. But
//! triangles that are strictly apart are separated along a direction in that plane: [`separated_in_plane`]
//! projects on the 12 that matter. For *any* direction w the closed sets are apart if the intervals of w . x
//! are. A product w . x is off by |w|_1 (eps + 3.1 u X), as is the other end: together less than 2.5
//! |w|_1 kappa, whatever w's own rounding.
use crate::{
    motion::Motion,
    simd::{Doubles, Lanes, Mask, Simd},
    vector::UNIT,
};

pub(crate) type LaneVector<L> = [L; 3];

#[inline(always)]
pub(crate) fn cross<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>) -> LaneVector<L> {
    [a[1].mul_sub(b[2], a[2] * b[1]), a[2].mul_sub(b[0], a[0] * b[2]), a[0].mul_sub(b[1], a[1] * b[0])]
}
#[inline(always)]
pub(crate) fn dot<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}
#[inline(always)]
pub(crate) fn sub<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>) -> LaneVector<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn add<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>) -> LaneVector<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
/// m v, m's entries in all lanes.
#[inline(always)]
pub(crate) fn times<L: Lanes>(m: &[LaneVector<L>; 3], v: LaneVector<L>) -> LaneVector<L> {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}
/// The largest absolute value of a coordinate.
#[inline(always)]
pub(crate) fn size<L: Lanes>(v: LaneVector<L>) -> L {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// Pairs of triangles, relative to the first one's first corner.
#[derive(Clone, Copy)]
pub(crate) struct RelativePairs<L> {
    /// The other corners of p.
    pub(crate) e1: LaneVector<L>,
    pub(crate) e2: LaneVector<L>,
    pub(crate) q: [LaneVector<L>; 3],
    /// E, V, X and kappa of the bound.
    pub(crate) e: L,
    pub(crate) v: L,
    pub(crate) x: L,
    pub(crate) kappa: L,
}

/// Range of sizes X in f64 for which the 15 orientation values do not overflow, and their bounds cover what
/// underflow takes. Underflow is off by some 2^-1072 (X + 1). For the edges 148 u X^3 >= 2^-646 exceeds that.
/// For a plane 297 u X^2 E does if E >= 2^-600; and if E is less, all products of two edges are 0, as is the
/// value. Products of four sizes, which [`separated_in_plane`] makes, stay below 2^972.
pub(crate) const RANGE: [f64; 2] = [f64::from_bits((1023 - 200) << 52), f64::from_bits((1023 + 240) << 52)];

/// Triangles moved to another frame.
#[inline(always)]
pub(crate) fn moved<S: Simd>(
    simd: S,
    motion: &Motion,
    corners: [LaneVector<S::Doubles>; 3],
) -> [LaneVector<S::Doubles>; 3] {
    let [x, y, z] = &motion.linear;
    let linear = [simd.splat_doubles(x), simd.splat_doubles(y), simd.splat_doubles(z)];
    let offset = simd.splat_doubles(&motion.offset);
    let [a, b, c] = corners;
    [add(times(&linear, a), offset), add(times(&linear, b), offset), add(times(&linear, c), offset)]
}

impl<L: Lanes> RelativePairs<L> {
    #[inline(always)]
    fn edges_of_q(&self) -> [LaneVector<L>; 3] {
        let q = &self.q;
        [sub(q[1], q[0]), sub(q[2], q[1]), sub(q[0], q[2])]
    }
}

impl<L: Doubles> RelativePairs<L> {
    /// Triangles whose corners are off by at most `off` together, and the lanes in which their size is in
    /// [`RANGE`].
    #[inline(always)]
    pub(crate) fn in_doubles<S: Simd<Doubles = L>>(
        simd: S,
        p: [LaneVector<L>; 3],
        q: [LaneVector<L>; 3],
        off: f64,
    ) -> (Self, u32) {
        let q = [sub(q[0], p[0]), sub(q[1], p[0]), sub(q[2], p[0])];
        let (e1, e2) = (sub(p[1], p[0]), sub(p[2], p[0]));
        let (off, rounding) = (simd.doubles(off), simd.doubles(16.0 * UNIT));
        let reach = size(q[0]).max(size(q[1])).max(size(q[2]));
        // Each a little more, for its own rounding, the edges' rounding and the error of the corners.
        let slack = reach.mul_add(rounding, off + off);
        let e = size(e1).max(size(e2)).max(size(sub(e2, e1)));
        let e = e.mul_add(rounding, e + slack);
        let v = size(sub(q[1], q[0])).max(size(sub(q[2], q[1]))).max(size(sub(q[0], q[2])));
        let v = v.mul_add(rounding, v + slack);
        let x = reach + e + v;
        let kappa = x.mul_add(simd.doubles(9.6 * UNIT), off);
        // NaN fails.
        let sane = (x.gt(simd.doubles(RANGE[0])) & simd.doubles(RANGE[1]).gt(x)).bits();
        (Self { e1, e2, q, e, v, x, kappa }, sane)
    }
}

#[inline(always)]
fn above<L: Lanes>(x: LaneVector<L>, bound: L) -> [u32; 3] {
    [x[0].gt(bound).bits(), x[1].gt(bound).bits(), x[2].gt(bound).bits()]
}
#[inline(always)]
fn below<L: Lanes>(x: LaneVector<L>, bound: L) -> [u32; 3] {
    [bound.gt(x[0]).bits(), bound.gt(x[1]).bits(), bound.gt(x[2]).bits()]
}
#[inline(always)]
pub(crate) fn all(m: [u32; 3]) -> u32 {
    m[0] & m[1] & m[2]
}
#[inline(always)]
pub(crate) fn some(m: [u32; 3]) -> u32 {
    m[0] | m[1] | m[2]
}

/// The pairs in which an edge certainly pierces the other triangle, and those in which it certainly does not.
/// Each end has the lanes where it is above the other's plane and where below; `pos` and `neg`, where the
/// edge's line passes the other's edges on their positive and on their negative side.
#[inline(always)]
fn edge(from: [u32; 2], to: [u32; 2], pos: [u32; 3], neg: [u32; 3]) -> [u32; 2] {
    let across = from[0] & to[1] | from[1] & to[0];
    let aside = from[0] & to[0] | from[1] & to[1];
    // The line passes all three edges on the same side, or two of them on different ones.
    [across & (all(pos) | all(neg)), aside | some(pos) & some(neg)]
}

/// The certain signs of pairs' orientation values (`triangle/filter.rs`), each as the lanes in which it is
/// positive and those in which it is negative. Here are the six of corners and planes; the nine of edges are
/// computed on request.
pub(crate) struct PairSigns<L> {
    /// Signs of q's corners and p's plane, and the values themselves.
    pub(crate) of_q: [[u32; 3]; 2],
    d: LaneVector<L>,
    /// Signs of p's corners and q's plane.
    pub(crate) of_p: [[u32; 3]; 2],
    /// The bound of edges' values.
    bound: L,
}

impl<L: Lanes> PairSigns<L> {
    /// Computes the signs of corners and planes. The constants are 0, 31 and 1/2 in each lane.
    #[inline(always)]
    pub(crate) fn of(pairs: &RelativePairs<L>, [zero, excess, half]: [L; 3]) -> Self {
        let RelativePairs { e1, e2, q, .. } = *pairs;
        let kx = pairs.kappa * pairs.x * excess;
        let (bound_d, bound_f, bound) = (kx * pairs.e, kx * pairs.v, kx * pairs.x * half);
        let n = cross(e1, e2);
        let d = [dot(n, q[0]), dot(n, q[1]), dot(n, q[2])];
        let [v0, v1, _] = pairs.edges_of_q();
        let m = cross(v0, v1);
        let f = [dot(m, sub([zero; 3], q[0])), dot(m, sub(e1, q[0])), dot(m, sub(e2, q[0]))];
        let of_q = [above(d, bound_d), below(d, zero - bound_d)];
        let of_p = [above(f, bound_f), below(f, zero - bound_f)];
        Self { of_q, d, of_p, bound }
    }
    /// The signs of p's edge i with q's edge j at \[i\]\[j\].
    #[inline(always)]
    pub(crate) fn of_edges(&self, pairs: &RelativePairs<L>, zero: L) -> [[[u32; 3]; 3]; 2] {
        let RelativePairs { e1, e2, q, .. } = *pairs;
        let (v, bound, least) = (pairs.edges_of_q(), self.bound, zero - self.bound);
        let (mut pos, mut neg) = ([[0_u32; 3]; 3], [[0_u32; 3]; 3]);
        for j in 0..3 {
            let w = cross(q[j], v[j]);
            let (s, t) = (dot(e1, w), dot(e2, w));
            let middle = (t - s) + (self.d[(j + 1) % 3] - self.d[j]);
            // The third edge runs back: its value is -t.
            (pos[0][j], neg[0][j]) = (s.gt(bound).bits(), least.gt(s).bits());
            (pos[1][j], neg[1][j]) = (middle.gt(bound).bits(), least.gt(middle).bits());
            (pos[2][j], neg[2][j]) = (least.gt(t).bits(), t.gt(bound).bits());
        }
        [pos, neg]
    }
}

/// The pairs that certainly meet, and those that are undecided; there are `count` lanes, and `constants`
/// holds 0, 31 and 1/2 in each.
#[inline(always)]
pub(crate) fn decide<L: Lanes>(pairs: &RelativePairs<L>, count: usize, constants: [L; 3]) -> [u32; 2] {
    let signs = PairSigns::of(pairs, constants);
    let ([d_pos, d_neg], [f_pos, f_neg]) = (signs.of_q, signs.of_p);
    let apart = all(d_pos) | all(d_neg) | all(f_pos) | all(f_neg);
    let lanes = ((1_u64 << count) - 1) as u32;
    if apart & lanes == lanes {
        return [0, 0];
    }
    let [pos, neg] = signs.of_edges(pairs, constants[0]);
    let (mut meet, mut miss) = (0, lanes);
    for i in 0..3 {
        let next = (i + 1) % 3;
        let [of_p, of_q] = [
            edge([f_pos[i], f_neg[i]], [f_pos[next], f_neg[next]], pos[i], neg[i]),
            edge(
                [d_pos[i], d_neg[i]],
                [d_pos[next], d_neg[next]],
                [pos[0][i], pos[1][i], pos[2][i]],
                [neg[0][i], neg[1][i], neg[2][i]],
            ),
        ];
        meet |= of_p[0] | of_q[0];
        miss &= of_p[1] & of_q[1];
    }
    [meet & !apart & lanes, !(meet | miss | apart) & lanes]
}

/// The pairs that are separated along a direction in the plane of one triangle, perpendicular to an edge of
/// either. It finds all that are strictly apart in one plane, and most with an edge in the other's plane.
/// `tiny` covers underflow.
#[inline(always)]
pub(crate) fn separated_in_plane<L: Lanes>(pairs: &RelativePairs<L>, [zero, excess, tiny]: [L; 3]) -> u32 {
    let RelativePairs { e1, e2, q, .. } = *pairs;
    let bound = pairs.kappa * excess;
    let v = pairs.edges_of_q();
    let edges = [e1, e2, sub(e2, e1), v[0], v[1], v[2]];
    let mut apart = 0;
    for normal in [cross(e1, e2), cross(v[0], v[1])] {
        for edge in edges {
            let w = cross(normal, edge);
            let (s, t) = (dot(w, e1), dot(w, e2));
            let (x, y, z) = (dot(w, q[0]), dot(w, q[1]), dot(w, q[2]));
            let room = (w[0].abs() + w[1].abs() + w[2].abs()).mul_add(bound, tiny);
            let (p_least, p_most) = (s.min(t).min(zero), s.max(t).max(zero));
            let (q_least, q_most) = (x.min(y).min(z), x.max(y).max(z));
            apart |= (q_least - p_most).gt(room).bits() | (p_least - q_most).gt(room).bits();
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::{
        Pose,
        simd::{MOST_PAIRS, Simd, SimdLevel, Work, detect},
    };

    type Triangle = [[f64; 3]; 3];

    /// Triangles of a leaf's lattice: any, thin ones, degenerate ones, on a coarse grid, sharing corners,
    /// edges and planes with the first.
    fn pair(rng: &mut Rng, kind: u32) -> [Triangle; 2] {
        let size = f64::from(1_u32 << (10 + rng.below(13)));
        let mut point = |reach: f64| rng.point(reach);
        let mut p: Triangle = [point(size), point(size), point(size)];
        let mut q: Triangle = [point(size), point(size), point(size)];
        if kind & 1 == 1 {
            // Thin: the third corner close to the middle of the others.
            for t in [&mut p, &mut q] {
                let off = point(size / 512.0);
                t[2] = [0, 1, 2].map(|k| (t[0][k] + t[1][k]) / 2.0 + off[k]);
            }
        }
        match kind >> 1 & 7 {
            0 => {}
            1 => q[0] = p[0],
            2 => (q[0], q[1]) = (p[1], p[0]),
            // Flat, in one plane.
            3 => (0..3).for_each(|k| (p[k][2], q[k][2]) = (0.0, 0.0)),
            4 => q[1] = [0, 1, 2].map(|k| (p[0][k] + p[1][k]) / 2.0),
            5 => p[2] = p[1],
            6 => q = [q[0]; 3],
            // A corner of q nearly in p's middle.
            _ => {
                let off = point(4.0);
                q[0] = [0, 1, 2].map(|k| (p[0][k] + p[1][k] + p[2][k]) / 3.0 + off[k]);
            }
        }
        if kind >> 4 & 1 == 1 {
            for x in p.as_flattened_mut().iter_mut().chain(q.as_flattened_mut()) {
                *x = (*x / 1024.0).round() * 1024.0;
            }
        }
        [p, q]
    }

    fn extent(t: &Triangle) -> [[f64; 3]; 2] {
        [
            [0, 1, 2].map(|k| t[0][k].min(t[1][k]).min(t[2][k])),
            [0, 1, 2].map(|k| t[0][k].max(t[1][k]).max(t[2][k])),
        ]
    }

    /// Corners are stored as badly as `off` allows; exact arithmetic on the true ones confirms every certain
    /// lane.
    fn certain_means_true<S: Simd>(simd: S, rounds: u32) -> [usize; 4] {
        let mut rng = Rng::new(31);
        let unit = f64::from(f32::EPSILON) / 2.0;
        let [mut certain, mut meeting, mut settled, mut all] = [0; 4];
        for round in 0..rounds {
            let mut columns = [[0.0_f32; MOST_PAIRS]; 19];
            let mut truth = 0_u32;
            for lane in 0..S::PAIRS {
                let (p, q, off) = loop {
                    let [p, q] = pair(&mut rng, round % 32);
                    let beta = [0.1, 1.0, 6.0][round as usize / 32 % 3];
                    let ([a, b], [c, d]) = (extent(&p), extent(&q));
                    if (0..3).all(|k| a[k] <= d[k] && c[k] <= b[k]) {
                        break (p, q, beta);
                    }
                };
                let stored_p = p.map(|v| v.map(|x| x.round() as f32));
                // Each coordinate off by beta, one way or the other, and then rounded.
                let stored_q = q.map(|v| v.map(|x| (x + off * (2.0 * rng.unit() - 1.0).signum()) as f32));
                let rounding =
                    stored_q.as_flattened().iter().fold(0.0, |m: f64, x| m.max(f64::from(x.abs()) * unit));
                let off = 0.5 + off + rounding;
                let o = stored_p[0];
                let e1: [f32; 3] = [0, 1, 2].map(|k| stored_p[1][k] - o[k]);
                let e2: [f32; 3] = [0, 1, 2].map(|k| stored_p[2][k] - o[k]);
                let q_relative = stored_q.map(|v| [0, 1, 2].map(|k| v[k] - o[k]));
                let side = |t: &Triangle| {
                    let [lo, hi] = extent(t);
                    (0..3).fold(0.0, |m: f64, k| m.max(hi[k] - lo[k]))
                };
                let (e, v) = (side(&p), side(&q));
                let eps = 2.0 * off + 8.0 * unit * (e + v);
                let (e, v) = ((e + 2.0 * eps) as f32 * 1.000_001, (v + 2.0 * eps) as f32 * 1.000_001);
                let kappa = off as f32 * 1.000_001 + 9.5 * unit as f32 * (e + v);
                let rows = e1.into_iter().chain(e2).chain(q_relative.into_iter().flatten());
                for (column, x) in columns.iter_mut().zip(rows.chain([e, v, e + v, kappa])) {
                    column[lane] = x;
                }
                let still = crate::triangle::decide::Poses::new(&Pose::IDENTITY, &Pose::IDENTITY);
                truth |= u32::from(still.meet(&p, &q)) << lane;
            }
            let at = |k: usize| simd.load_pairs(&columns[k]);
            let vector = |k: usize| [at(k), at(k + 1), at(k + 2)];
            let pairs = RelativePairs {
                e1: vector(0),
                e2: vector(3),
                q: [vector(6), vector(9), vector(12)],
                e: at(15),
                v: at(16),
                x: at(17),
                kappa: at(18),
            };
            let constants = [simd.pairs(0.0), simd.pairs(31.0), simd.pairs(0.5)];
            let [meet, unsure] = decide(&pairs, S::PAIRS, constants);
            assert_eq!(meet & !truth, 0, "{simd:?}, round {round}: claims a contact");
            assert_eq!(truth & !(meet | unsure), 0, "{simd:?}, round {round}: misses a contact");
            let apart =
                separated_in_plane(&pairs, [simd.pairs(0.0), simd.pairs(2.5), simd.pairs(f32::MIN_POSITIVE)]);
            assert_eq!(apart & truth, 0, "{simd:?}, round {round}: misses a contact beside");
            settled += (apart & unsure).count_ones() as usize;
            certain += S::PAIRS - unsure.count_ones() as usize;
            meeting += meet.count_ones() as usize;
            all += S::PAIRS;
        }
        [certain, meeting, settled, all]
    }

    /// The number of rounds of `certain_means_true`.
    struct Rounds(u32);

    impl Work for Rounds {
        type Out = [usize; 4];
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [usize; 4] {
            certain_means_true(simd, self.0)
        }
    }

    #[test]
    fn what_is_certain_is_true() {
        for &level in SimdLevel::ALL {
            let [certain, meeting, settled, all] = detect(level).call(Rounds(12_800));
            let enough = certain > all / 4 && meeting > all / 20 && settled > all / 50;
            assert!(enough, "{level:?}: {certain} of {all} certain, {meeting} meet, {settled} beside");
        }
    }
}
