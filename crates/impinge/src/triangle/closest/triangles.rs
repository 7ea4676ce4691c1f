//! Nearest points to the origin of as many triangles as f64 has lanes: see [`to_point`]. Each lane holds the
//! same bits whatever the instruction set and the other lanes, so there is no `mul_add`.
//!
//! [`to_point`]: super::to_point
use super::{
    LEAST_SQUARE, ToPoint,
    pairs::{cross, dot, load, store},
};
use crate::{
    SimdLevel,
    simd::{Doubles, Lanes, MOST_DOUBLES, Mask, Simd, Work, detect},
    triangle::lanes::{LaneVector, size, sub},
    vector::{Triangle, UNIT},
};

/// Triangles that one call decides together, at most [`MOST_DOUBLES`], as [`to_point`](super::to_point) takes
/// them, and their results.
#[derive(Debug, Default)]
pub(crate) struct TriangleBatch {
    /// Corners by coordinate. Other lanes hold what was there before.
    corners: [[f64; MOST_DOUBLES]; 9],
    offs: [[f64; MOST_DOUBLES]; 3],
    /// The foot by coordinate, its corner or [`NO_CORNER`], `lo` and `hi`.
    found: [[f64; MOST_DOUBLES]; 6],
}

/// The corner of a foot that is no corner.
const NO_CORNER: f64 = 3.0;

impl TriangleBatch {
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, t: &Triangle, off: &[f64; 3]) {
        let lane = lane % MOST_DOUBLES;
        for (row, x) in self.corners.iter_mut().zip(t.as_flattened()) {
            row[lane] = *x;
        }
        for (row, off) in self.offs.iter_mut().zip(off) {
            row[lane] = *off;
        }
    }
    /// Decides the first `count` triangles.
    pub(crate) fn ask(&mut self, level: SimdLevel, count: usize) {
        detect(level).call(PointDistanceWork { all: self, count: count.min(MOST_DOUBLES) });
    }
    /// The result for a triangle.
    #[inline(always)]
    pub(crate) fn found(&self, lane: usize) -> ToPoint {
        let at = |row: usize| self.found[row][lane % MOST_DOUBLES];
        let corner = if at(3) < NO_CORNER { Some(at(3) as usize) } else { None };
        ToPoint { foot: [at(0), at(1), at(2)], corner, lo: at(4), hi: at(5) }
    }
}

/// Computes bounds of the distance from the origin to a triangle. Each corner's coordinates are within its
/// `off` of the exact ones. No coordinate exceeds [`MOST_SIZE`](super::MOST_SIZE), and the largest is not
/// less than [`LEAST_SIZE`](super::LEAST_SIZE), or all are 0.
///
/// Triangles that share the corner or the edge in which they are nearest have the same foot and the same
/// upper bound, to the bit. Both depend on that feature alone, and an edge is taken from its lesser end.
///
/// The bounds are those of the head, with one of the two triangles exactly 0: a foot on a corner is off by
/// its `off`, and every other by 16 u X more, X being the largest coordinate of the feature's corners. The
/// direction that supports the triangle is the normal if the foot lies inside, the part of the foot
/// perpendicular to the edge if it lies on one, else the foot itself.
pub(crate) fn to_point(t: &Triangle, off: &[f64; 3]) -> ToPoint {
    let mut one = TriangleBatch::default();
    one.set(0, t, off);
    one.ask(SimdLevel::Auto, 1);
    one.found(0)
}

struct PointDistanceWork<'a> {
    all: &'a mut TriangleBatch,
    count: usize,
}

impl Work for PointDistanceWork<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { all: TriangleBatch { corners, offs, found }, count } = self;
        let mut start = 0;
        while start < count {
            let zero = simd.doubles(0.0);
            let (mut t, mut off) = ([[zero; 3]; 3], [zero; 3]);
            for i in 0..3 {
                for k in 0..3 {
                    t[i][k] = load(simd, &corners[3 * i + k], start);
                }
                off[i] = load(simd, &offs[i], start);
            }
            let all = (1_u32 << (count - start).min(S::DOUBLES)) - 1;
            let Told { foot, corner, lo, hi } = ask(simd, &Each::new(t, off), all);
            for (row, x) in found.iter_mut().zip([foot[0], foot[1], foot[2], corner, lo, hi]) {
                store(simd, x, row, start);
            }
            start += S::DOUBLES;
        }
    }
}

/// A triangle for each lane.
struct Each<L> {
    corners: [LaneVector<L>; 3],
    off: [L; 3],
    /// The sizes of the corners.
    sizes: [L; 3],
    /// Edges from the first corner to the others, and their cross product.
    e: LaneVector<L>,
    f: LaneVector<L>,
    n: LaneVector<L>,
}

impl<L: Lanes> Each<L> {
    #[inline(always)]
    fn new(corners: [LaneVector<L>; 3], off: [L; 3]) -> Self {
        let [a, b, c] = corners;
        let (e, f) = (sub(b, a), sub(c, a));
        Self { corners, off, sizes: [size(a), size(b), size(c)], e, f, n: cross(e, f) }
    }
}

/// [`ToPoint`] of each lane.
#[derive(Clone, Copy)]
struct Told<L> {
    foot: LaneVector<L>,
    corner: L,
    lo: L,
    hi: L,
}

impl<L: Lanes> Told<L> {
    /// Its own lanes where the mask has them, those of the other elsewhere.
    #[inline(always)]
    fn or_else(self, mask: L::Mask, o: Self) -> Self {
        Self {
            foot: choose(mask, self.foot, o.foot),
            corner: self.corner.or_else(mask, o.corner),
            lo: self.lo.or_else(mask, o.lo),
            hi: self.hi.or_else(mask, o.hi),
        }
    }
}

/// The vector where the mask has the lane, else the other.
#[inline(always)]
fn choose<L: Lanes>(mask: L::Mask, a: LaneVector<L>, b: LaneVector<L>) -> LaneVector<L> {
    [a[0].or_else(mask, b[0]), a[1].or_else(mask, b[1]), a[2].or_else(mask, b[2])]
}

#[inline(always)]
fn ask<S: Simd>(simd: S, t: &Each<S::Doubles>, all: u32) -> Told<S::Doubles> {
    let (zero, minus) = (simd.doubles(0.0), simd.doubles(-1.0));
    let over = simd.doubles(1.0) / dot(t.n, t.n);
    let a = t.corners[0];
    let w = [a[0] * minus, a[1] * minus, a[2] * minus];
    let (s, r) = (dot(cross(w, t.f), t.n) * over, dot(cross(t.e, w), t.n) * over);
    // Comparisons with the neighbours of 0 and 1 include 0 and 1, and are false for NaN.
    let (below_zero, above_one) = (simd.doubles(0.0_f64.next_down()), simd.doubles(1.0_f64.next_up()));
    let is_in = s.gt(below_zero) & r.gt(below_zero) & above_one.gt(s + r);
    let within = is_in.bits() & all;
    let mut inside = Told { foot: [zero; 3], corner: zero, lo: zero, hi: zero };
    let mut is_wide = is_in;
    if within != 0 {
        inside = in_plane(simd, t, [s, r]);
        let sizes = inside.hi + t.sizes[0] + t.sizes[1] + t.sizes[2];
        is_wide = (inside.hi - inside.lo).gt(simd.doubles(1e-13) * sizes);
        if within & !is_wide.bits() == all {
            return inside;
        }
    }
    let edges = on_edges(simd, t);
    if within == 0 {
        return edges;
    }
    let is_better = is_wide & inside.hi.gt(edges.hi);
    edges.or_else(is_better, inside).or_else(is_in, edges)
}

/// Results for the origin's feet on the planes.
#[inline(always)]
fn in_plane<S: Simd>(simd: S, t: &Each<S::Doubles>, [s, r]: [S::Doubles; 2]) -> Told<S::Doubles> {
    let (a, e, f) = (t.corners[0], t.e, t.f);
    let foot = [a[0] + (s * e[0] + r * f[0]), a[1] + (s * e[1] + r * f[1]), a[2] + (s * e[2] + r * f[2])];
    let most = t.sizes[0].max(t.sizes[1]).max(t.sizes[2]);
    let minus = simd.doubles(-1.0);
    let is_behind = simd.doubles(0.0).gt(dot(t.n, a));
    let away = choose(is_behind, [t.n[0] * minus, t.n[1] * minus, t.n[2] * minus], t.n);
    let room = t.off[0].max(t.off[1]).max(t.off[2]) + simd.doubles(16.0 * UNIT) * most;
    bounded(simd, t, away, room, foot, simd.doubles(NO_CORNER))
}

/// Results for the edge of each triangle that is nearest to the origin.
#[inline(always)]
fn on_edges<S: Simd>(simd: S, t: &Each<S::Doubles>) -> Told<S::Doubles> {
    let (zero, one, minus) = (simd.doubles(0.0), simd.doubles(1.0), simd.doubles(-1.0));
    let below_one = simd.doubles(1.0_f64.next_down());
    let mut best = (simd.doubles(f64::INFINITY), t.corners[0], zero, t.off[0], [zero; 3]);
    for i in 0..3 {
        let j = (i + 1) % 3;
        // In the same direction for all triangles that have the edge.
        let turned = is_less(t.corners[j], t.corners[i], [zero, one]).gt(zero);
        let at = [simd.doubles(i as f64), simd.doubles(j as f64)];
        let (p, q) = (choose(turned, t.corners[j], t.corners[i]), choose(turned, t.corners[i], t.corners[j]));
        let (first, last) = (at[1].or_else(turned, at[0]), at[0].or_else(turned, at[1]));
        let ends = (t.off[j].or_else(turned, t.off[i]), t.off[i].or_else(turned, t.off[j]));
        let u = sub(q, p);
        let x = dot(p, u) * minus / dot(u, u);
        // NaN becomes 0.
        let x = x.or_else(one.gt(x), one).or_else(x.gt(zero), zero);
        let along = [p[0] + x * u[0], p[1] + x * u[1], p[2] + x * u[2]];
        let (is_after, is_last) = (x.gt(zero), x.gt(below_one));
        let foot = choose(is_last, q, choose(is_after, along, p));
        let most = t.sizes[i].max(t.sizes[j]);
        let room = t.off[i].max(t.off[j]) + simd.doubles(16.0 * UNIT) * most;
        let room = ends.1.or_else(is_last, room.or_else(is_after, ends.0));
        let corner = last.or_else(is_last, simd.doubles(NO_CORNER).or_else(is_after, first));
        let square = dot(foot, foot);
        let nearer = best.0.gt(square);
        best.0 = square.or_else(nearer, best.0);
        best.1 = choose(nearer, foot, best.1);
        best.2 = corner.or_else(nearer, best.2);
        best.3 = room.or_else(nearer, best.3);
        best.4 = choose(nearer, u, best.4);
    }
    let (_, foot, corner, room, u) = best;
    let along = dot(foot, u) / dot(u, u);
    let across = [foot[0] - along * u[0], foot[1] - along * u[1], foot[2] - along * u[2]];
    let w = choose(simd.doubles(NO_CORNER).gt(corner), foot, across);
    bounded(simd, t, w, room, foot, corner)
}

/// 1 where a < b as slices are compared, else 0.
#[inline(always)]
fn is_less<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>, [zero, one]: [L; 2]) -> L {
    let mut less = zero;
    for k in [2, 1, 0] {
        less = one.or_else(b[k].gt(a[k]), zero.or_else(a[k].gt(b[k]), less));
    }
    less
}

/// The bounds that follow from feet, with directions along which the triangles are supported.
#[inline(always)]
fn bounded<S: Simd>(
    simd: S,
    t: &Each<S::Doubles>,
    w: LaneVector<S::Doubles>,
    room: S::Doubles,
    foot: LaneVector<S::Doubles>,
    corner: S::Doubles,
) -> Told<S::Doubles> {
    let (zero, tiny) = (simd.doubles(0.0), simd.doubles(1e-150));
    let away = dot(foot, foot).sqrt() + simd.doubles(1.75) * room;
    let hi = away * simd.doubles(1.0 + 8.0 * UNIT) + tiny;
    let (square, taxicab) = (dot(w, w), w[0].abs() + w[1].abs() + w[2].abs());
    let mut sides = [zero; 3];
    for (i, side) in sides.iter_mut().enumerate() {
        *side = dot(w, t.corners[i]) - taxicab * (t.off[i] + simd.doubles(4.0 * UNIT) * t.sizes[i]);
    }
    let least = sides[0].min(sides[1]).min(sides[2]);
    let lo = least / square.sqrt() * simd.doubles(1.0 - 8.0 * UNIT) - tiny;
    let lo = lo.or_else(lo.gt(zero), zero);
    let lo = zero.or_else(simd.doubles(LEAST_SQUARE).gt(square), lo);
    // An infinite or NaN foot gives no upper bound.
    let most = simd.doubles(f64::INFINITY);
    Told { foot, corner, lo, hi: hi.or_else(most.gt(hi), most) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::triangle::closest::reference::to_point;

    #[test]
    fn lanes_hold_the_same_bits_as_triangles_alone() {
        let (mut rng, mut all) = (Rng::new(5), TriangleBatch::default());
        let mut corners = [0; 2];
        for round in 0..8_000 {
            let scale = [1.0, 1e-30, 1e30, 1e-3][round / 5 % 4];
            // On a coarse grid, anywhere, flat, near the origin, without area, as points.
            let triangles: [Triangle; MOST_DOUBLES] = std::array::from_fn(|lane| {
                let mut corner = || match (round + lane) % 4 {
                    0 => rng.point(2.0).map(f64::round),
                    1 => rng.point(0.01),
                    2 => [rng.point(1.0)[0], 0.0, rng.point(2.0)[2].round()],
                    _ => rng.point(2.0).map(|x| x + 1.5),
                };
                let [a, b, c] = [corner(), corner(), corner()];
                let t = match (round / 7 + 3 * lane) % 7 {
                    0 => [a; 3],
                    1 => [a, b, b],
                    2 => [a, [0, 1, 2].map(|k| (a[k] + c[k]) / 2.0), c],
                    _ => [a, b, c],
                };
                t.map(|v| v.map(|x| x * scale))
            });
            let off = [[0.0; 3], [UNIT; 3], [1e-13, 0.0, 1e-15], [1e-6, 1e-7, 0.0]][round % 4];
            let off = off.map(|x| x * scale);
            let count = 1 + round % MOST_DOUBLES;
            (0..).zip(&triangles).for_each(|(lane, t)| all.set(lane, t, &off));
            for &level in SimdLevel::ALL {
                all.ask(level, count);
                for (lane, t) in triangles.iter().enumerate().take(count) {
                    let (found, alone) = (all.found(lane), to_point(t, &off));
                    let bits = |one: &ToPoint| {
                        let [x, y, z] = one.foot;
                        [x, y, z, one.lo, one.hi].map(f64::to_bits)
                    };
                    assert_eq!(bits(&found), bits(&alone), "{level:?}: {t:?}, {found:?}, {alone:?}");
                    assert_eq!(found.corner, alone.corner, "{level:?}: {t:?}");
                    corners[usize::from(found.corner.is_some())] += 1;
                }
            }
        }
        assert!(corners.iter().all(|&n| n > 10_000), "{corners:?}");
    }
}
