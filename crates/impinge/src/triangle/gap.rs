//! Lower bounds of the distances of pairs of triangles, on lanes of f32.
//!
//! For *any* vector w two triangles are at least g / |w| apart, g being the gap between the intervals of w.x
//! over the one and the other. It is their distance if w leads from one nearest point to the other: w is a
//! normal if one of these lies within a face, else it leads from an edge to an edge. A bad guess of w makes
//! the bound lower, and never wrong.
//!
//! # Rounding
//! Coordinates are relative to a corner of the first triangle, no larger than 2, and those of both triangles
//! together are within `off` of the exact ones, axis by axis. A product of three terms with w rounds by 6 u
//! |w|_1, so both ends of the gap by 12 u |w|_1, and their difference by 4 u |w|_1. The square of what is
//! left, the square of w and their quotient round by less than 16 u of themselves, and what underflows is
//! less than [`TINY`].
use super::lanes::{LaneVector, add, cross, dot, sub};
use crate::{
    simd::{Lanes, Simd},
    vector::UNIT_F32,
};

/// More than what underflow takes from numbers no larger than 2^13.
const TINY: f32 = 1e-30;

/// A pair of triangles for each lane: (0, e1, e2) and q.
#[derive(Clone, Copy)]
pub(crate) struct GapPairs<L> {
    pub(crate) e: [LaneVector<L>; 2],
    pub(crate) q: [LaneVector<L>; 3],
}

/// Numbers in all lanes.
#[derive(Clone, Copy)]
pub(crate) struct Constants<L> {
    zero: L,
    one: L,
    tiny: L,
    /// The error of the gap's ends, as a multiple of |w|_1.
    off: L,
    /// For quotients, rounded down.
    less: L,
}

impl<L: Lanes> Constants<L> {
    #[inline(always)]
    pub(crate) fn new<S: Simd<Pairs = L>>(simd: S, off: f32) -> Self {
        Self {
            zero: simd.pairs(0.0),
            one: simd.pairs(1.0),
            tiny: simd.pairs(TINY),
            off: simd.pairs(1.001 * (off + 17.0 * UNIT_F32 as f32)),
            less: simd.pairs(1.0 - 2e-6),
        }
    }
}

/// Lower bounds of the squares of distances, along both normals, and from one centre to the other.
#[inline(always)]
pub(crate) fn by_faces<L: Lanes>(pairs: &GapPairs<L>, constants: &Constants<L>) -> L {
    let GapPairs { e: [e1, e2], q } = *pairs;
    let normals = [cross(e1, e2), cross(sub(q[1], q[0]), sub(q[2], q[0]))];
    // Three times as long.
    let between = sub(add(add(q[0], q[1]), q[2]), add(e1, e2));
    let by_normals = along(normals[0], pairs, constants).max(along(normals[1], pairs, constants));
    by_normals.max(along(between, pairs, constants))
}

/// Lower bounds of the squares of distances, along the vector between the nearest edges. This takes four
/// times as long as [`by_faces`].
#[inline(always)]
pub(crate) fn by_edges<L: Lanes>(pairs: &GapPairs<L>, constants: &Constants<L>) -> L {
    along(between_edges(pairs, constants), pairs, constants)
}

/// The square of the gap that w proves.
#[inline(always)]
fn along<L: Lanes>(w: LaneVector<L>, &GapPairs { e, q }: &GapPairs<L>, c: &Constants<L>) -> L {
    let (e1, e2) = (dot(w, e[0]), dot(w, e[1]));
    let q = [dot(w, q[0]), dot(w, q[1]), dot(w, q[2])];
    let before = q[0].min(q[1]).min(q[2]) - e1.max(e2).max(c.zero);
    let behind = e1.min(e2).min(c.zero) - q[0].max(q[1]).max(q[2]);
    let off = (w[0].abs() + w[1].abs() + w[2].abs()).mul_add(c.off, c.tiny);
    let gap = (before.max(behind) - off).max(c.zero);
    gap * gap / (dot(w, w) + c.tiny) * c.less
}

/// Pairs of triangles of which the second moves: its corner k is within `bend` of q[k] + s `ways[k]`, for an s
/// from -1 to 1 that is the same for all corners of a pair at a time.
///
/// The interval of w.x over the moving triangle at any time lies between the least of w.q[k] - |w.ways[k]|
/// and the greatest of w.q[k] + |w.ways[k]|, but for |w| `bend`. Products with ways, which are no larger than
/// 1, round by 6 u |w|_1 more, and the sums by 2 u |w|_1: the caller's `off` has these.
#[derive(Clone, Copy)]
pub(crate) struct MovingPairs<L> {
    pub(crate) at_middle: GapPairs<L>,
    pub(crate) ways: [LaneVector<L>; 3],
    pub(crate) bend: L,
}

impl<L: Lanes> MovingPairs<L> {
    /// More than 0 only where the triangles stay apart, by a gap along a normal, or along the line between
    /// the centers.
    #[inline(always)]
    pub(crate) fn by_faces(&self, constants: &Constants<L>) -> L {
        let GapPairs { e: [e1, e2], q } = self.at_middle;
        let normals = [cross(e1, e2), cross(sub(q[1], q[0]), sub(q[2], q[0]))];
        let between = sub(add(add(q[0], q[1]), q[2]), add(e1, e2));
        let by_normals = self.along(normals[0], constants).max(self.along(normals[1], constants));
        by_normals.max(self.along(between, constants))
    }
    /// The same by the line between the nearest edges at the middle.
    #[inline(always)]
    pub(crate) fn by_edges(&self, constants: &Constants<L>) -> L {
        self.along(between_edges(&self.at_middle, constants), constants)
    }
    #[inline(always)]
    fn along(&self, w: LaneVector<L>, c: &Constants<L>) -> L {
        let GapPairs { e, q } = self.at_middle;
        let (e1, e2) = (dot(w, e[0]), dot(w, e[1]));
        let q = [dot(w, q[0]), dot(w, q[1]), dot(w, q[2])];
        let v = [dot(w, self.ways[0]).abs(), dot(w, self.ways[1]).abs(), dot(w, self.ways[2]).abs()];
        let before = (q[0] - v[0]).min(q[1] - v[1]).min(q[2] - v[2]) - e1.max(e2).max(c.zero);
        let behind = e1.min(e2).min(c.zero) - (q[0] + v[0]).max(q[1] + v[1]).max(q[2] + v[2]);
        // |w| is at most |w|_1.
        let off = (w[0].abs() + w[1].abs() + w[2].abs()).mul_add(c.off + self.bend, c.tiny);
        before.max(behind) - off
    }
}

/// Vector from the first triangle to the second between the nearest points of their two nearest edges
/// (Ericson, Real-Time Collision Detection, 5.1.9).
#[inline(always)]
fn between_edges<L: Lanes>(&GapPairs { e: [e1, e2], q }: &GapPairs<L>, c: &Constants<L>) -> LaneVector<L> {
    let zero = [c.zero; 3];
    let first = [(zero, e1), (zero, e2), (e1, sub(e2, e1))];
    let second = [(q[0], sub(q[1], q[0])), (q[0], sub(q[2], q[0])), (q[1], sub(q[2], q[1]))];
    let inverses = [inverse(second[0].1, c), inverse(second[1].1, c), inverse(second[2].1, c)];
    let (mut best, mut least) = (zero, c.zero);
    for (i, &(p, u)) in first.iter().enumerate() {
        let (a, over_a) = (dot(u, u), inverse(u, c));
        for (j, &(q, v)) in second.iter().enumerate() {
            let r = sub(p, q);
            let (e, f, b, k) = (dot(v, v), dot(v, r), dot(u, v), dot(u, r));
            let s = clamp((b * f - k * e) / (a * e - b * b + c.tiny), c);
            let t = clamp(b.mul_add(s, f) * inverses[j], c);
            let s = clamp(b.mul_sub(t, k) * over_a, c);
            let w = sub([v[0].mul_sub(t, r[0]), v[1].mul_sub(t, r[1]), v[2].mul_sub(t, r[2])], times(u, s));
            let square = dot(w, w);
            if i + j == 0 {
                (best, least) = (w, square);
                continue;
            }
            let nearer = least.gt(square);
            best =
                [w[0].or_else(nearer, best[0]), w[1].or_else(nearer, best[1]), w[2].or_else(nearer, best[2])];
            least = square.or_else(nearer, least);
        }
    }
    best
}

/// Inverse of u . u. All products of an edge without length are 0, so its first end is taken.
#[inline(always)]
fn inverse<L: Lanes>(u: LaneVector<L>, c: &Constants<L>) -> L {
    c.one / (dot(u, u) + c.tiny)
}

#[inline(always)]
fn clamp<L: Lanes>(x: L, c: &Constants<L>) -> L {
    x.max(c.zero).min(c.one)
}

#[inline(always)]
fn times<L: Lanes>(v: LaneVector<L>, by: L) -> LaneVector<L> {
    [v[0] * by, v[1] * by, v[2] * by]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::{
        simd::{MOST_PAIRS, SimdLevel, Work, detect},
        triangle::closest,
    };

    type Triangle = [[f64; 3]; 3];

    struct Ask<'a>(&'a [[Triangle; 2]; MOST_PAIRS]);

    impl Work for Ask<'_> {
        type Out = ([[f32; MOST_PAIRS]; 2], usize);
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Out {
            let load = |side: usize, corner: usize| {
                [0, 1, 2].map(|k| simd.load_pairs(&self.0.map(|pair| pair[side][corner][k] as f32)))
            };
            let p0 = load(0, 0);
            let e = [sub(load(0, 1), p0), sub(load(0, 2), p0)];
            let q = [sub(load(1, 0), p0), sub(load(1, 1), p0), sub(load(1, 2), p0)];
            let (pairs, constants) = (GapPairs { e, q }, Constants::new(simd, 0.0));
            let mut all = [[0.0; MOST_PAIRS]; 2];
            simd.store_pairs(by_faces(&pairs, &constants), &mut all[0]);
            simd.store_pairs(by_edges(&pairs, &constants), &mut all[1]);
            (all, S::PAIRS)
        }
    }

    /// A triangle of numbers that f32 represents exactly, with all their differences.
    fn triangle(rng: &mut Rng, size: f64, at: [f64; 3]) -> Triangle {
        let t: Triangle = [(); 3].map(|()| {
            let v = rng.point(size);
            [0, 1, 2].map(|k| ((at[k] + v[k]).clamp(-1.0, 1.0) * 65536.0).round() / 65536.0)
        });
        match rng.below(8) {
            0 => [t[0]; 3],
            1 => [t[0], t[1], t[1]],
            2 => [t[0], t[1], [0, 1, 2].map(|k| 2.0 * t[1][k] - t[0][k]).map(|x| x.clamp(-1.0, 1.0))],
            _ => t,
        }
    }

    /// The bound never exceeds the distance, and almost always is nearly as large.
    #[test]
    fn squares_are_not_more_than_the_distance_and_seldom_much_less() {
        let mut rng = Rng::new(7);
        let (mut all, mut tight) = (0, 0);
        for round in 0..4_000 {
            let size = [0.5, 0.1, 0.01, 0.001][round % 4];
            let at = rng.point(2.0 * size);
            let pairs: [[Triangle; 2]; MOST_PAIRS] =
                std::array::from_fn(|_| [triangle(&mut rng, size, [0.0; 3]), triangle(&mut rng, size, at)]);
            for &level in SimdLevel::ALL {
                let (found, count) = detect(level).call(Ask(&pairs));
                for (k, [p, q]) in pairs[..count].iter().enumerate() {
                    let exact = closest::nearest(&closest::RoundedTrianglePair { p: *p, q: *q, off: 0.0 });
                    for squares in found {
                        let bound = f64::from(squares[k]).sqrt();
                        assert!(bound <= exact.hi, "{level:?}: {p:?} {q:?}: {bound:e} {:e}", exact.hi);
                    }
                    let best = f64::from(found[0][k].max(found[1][k])).sqrt();
                    all += 1;
                    tight += usize::from(best >= 0.99 * exact.lo - 1e-4);
                }
            }
        }
        assert!(tight * 100 >= all * 99, "{tight} of {all}");
    }
}
