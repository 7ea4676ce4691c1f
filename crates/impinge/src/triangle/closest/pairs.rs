//! Nearest points of as many pairs of triangles as f64 has lanes. Each lane holds the same bits whatever the
//! instruction set and the other lanes, so there is no `mul_add`.
use super::{LEAST_SQUARE, RoundedTrianglePair, SIZE, TriangleDistance, is_direction_bad, least_across};
use crate::{
    SimdLevel,
    simd::{Doubles, Lanes, MOST_DOUBLES, Mask, Simd, Work, detect},
    triangle::lanes::{LaneVector, sub},
    vector::{Triangle, UNIT},
};

/// Pairs that one call decides together, at most [`MOST_DOUBLES`], and their results.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Corners by coordinate, p's and then q's, and `off`. Other lanes hold what was there before.
    pairs: [[f64; MOST_DOUBLES]; 19],
    /// The two factors of corners, whose product may be beyond f64.
    powers: [[f64; MOST_DOUBLES]; 2],
    /// The points by coordinate, `lo` and `hi`.
    found: [[f64; MOST_DOUBLES]; 8],
}

impl Default for Batch {
    fn default() -> Self {
        let none = [0.0; MOST_DOUBLES];
        Self { pairs: [none; 19], powers: [[1.0; MOST_DOUBLES]; 2], found: [none; 8] }
    }
}

/// Shift from the first of two frames to the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) by: LaneVector<f64>,
    /// Bound of its error.
    pub(crate) off: f64,
    /// Its largest coordinate.
    pub(crate) size: f64,
}

/// The size of a pair whose corners are relative to its first corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    /// The largest coordinate; NaN without a bound.
    pub(crate) extent: f64,
    /// Bound of each coordinate's error.
    pub(crate) off: f64,
}

impl Batch {
    /// Sets a lane to two triangles, with coordinates as [`RoundedTrianglePair`] has them, or [`Self::place`]
    /// needs them.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, p: &Triangle, q: &Triangle, off: f64) {
        let lane = lane % MOST_DOUBLES;
        for (k, (x, y)) in p.as_flattened().iter().zip(q.as_flattened()).enumerate() {
            self.pairs[k][lane] = *x;
            self.pairs[9 + k][lane] = *y;
        }
        self.pairs[18][lane] = off;
    }
    /// Makes the first `count` pairs relative to their first corner. The second triangles are in a shifted
    /// frame: see [`relative`].
    pub(crate) fn place(&mut self, level: SimdLevel, count: usize, shift: &Shift) {
        detect(level).call(PairPlacementWork { batch: self, count: count.min(MOST_DOUBLES), shift });
    }
    /// The result of [`Self::place`] for a pair.
    pub(crate) fn relative(&self, lane: usize) -> Relative {
        let at = |row: &[f64; MOST_DOUBLES]| row[lane % MOST_DOUBLES];
        Relative { extent: at(&self.found[0]), off: at(&self.pairs[18]) }
    }
    /// Multiplies a pair's corners by two powers of two, which brings them to the size that
    /// [`RoundedTrianglePair`] needs, and sets `off`.
    #[inline(always)]
    pub(crate) fn scale(&mut self, lane: usize, by: [f64; 2], off: f64) {
        let lane = lane % MOST_DOUBLES;
        (self.powers[0][lane], self.powers[1][lane]) = (by[0], by[1]);
        self.pairs[18][lane] = off;
    }
    /// Decides the first `count` pairs.
    pub(crate) fn ask(&mut self, level: SimdLevel, count: usize) {
        let count = count.min(MOST_DOUBLES);
        detect(level).call(PairDistanceWork { batch: self, count });
        for lane in 0..count {
            let off = self.pairs[18][lane];
            if is_direction_bad([self.found[6][lane], self.found[7][lane]], off) {
                let scaled = |row: usize| self.pairs[row][lane] * self.powers[0][lane] * self.powers[1][lane];
                let corner = |row: usize| [scaled(row), scaled(row + 1), scaled(row + 2)];
                let [p, q] = [0, 9].map(|row| [0, 3, 6].map(|of| corner(row + of)));
                self.found[6][lane] =
                    self.found[6][lane].max(least_across(&RoundedTrianglePair { p, q, off }));
            }
        }
    }
    /// The bounds of a pair's distance.
    #[inline(always)]
    pub(crate) fn bounds(&self, lane: usize) -> [f64; 2] {
        let lane = lane % MOST_DOUBLES;
        [self.found[6][lane], self.found[7][lane]]
    }
    /// The result for a pair.
    #[inline(always)]
    pub(crate) fn found(&self, lane: usize) -> TriangleDistance {
        let at = |row: usize| self.found[row][lane % MOST_DOUBLES];
        TriangleDistance { points: [[at(0), at(1), at(2)], [at(3), at(4), at(5)]], lo: at(6), hi: at(7) }
    }
}

/// Computes bounds of the distance of two triangles.
pub(crate) fn nearest(RoundedTrianglePair { p, q, off }: &RoundedTrianglePair) -> TriangleDistance {
    let mut batch = Batch::default();
    batch.set(0, p, q, *off);
    batch.ask(SimdLevel::Auto, 1);
    batch.found(0)
}

struct PairPlacementWork<'a> {
    batch: &'a mut Batch,
    count: usize,
    shift: &'a Shift,
}

impl Work for PairPlacementWork<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { batch: Batch { pairs, found, .. }, count, shift } = self;
        let mut start = 0;
        while start < count {
            relative(simd, pairs, &mut found[0], start, shift);
            start += S::DOUBLES;
        }
    }
}

/// Performs the operations of `PreparedPoses::placed` (`distance/placing.rs`), one by one, on some lanes. It
/// makes coordinates relative to the first corner, and computes their size and the bound of each one's error.
#[inline(always)]
fn relative<S: Simd>(
    simd: S,
    rows: &mut [[f64; MOST_DOUBLES]; 19],
    extents: &mut [f64; MOST_DOUBLES],
    start: usize,
    shift: &Shift,
) {
    let (zero, unit, infinity) = (simd.doubles(0.0), simd.doubles(UNIT), simd.doubles(f64::INFINITY));
    let by = [simd.doubles(shift.by[0]), simd.doubles(shift.by[1]), simd.doubles(shift.by[2])];
    let origin = [load(simd, &rows[0], start), load(simd, &rows[1], start), load(simd, &rows[2], start)];
    let (mut far, mut extent, mut all) = (zero, zero, zero);
    for (at, row) in rows.iter_mut().enumerate().take(18) {
        let k = at % 3;
        let x = load(simd, row, start);
        far = far.max(x.abs());
        all = all + x.abs();
        let x = if at < 9 { x } else { x + by[k] };
        let x = x - origin[k];
        extent = extent.max(x.abs());
        store(simd, x, row, start);
    }
    let sum = if shift.by == [0.0; 3] {
        zero
    } else {
        unit * (far + simd.doubles(shift.size)) + simd.doubles(shift.off)
    };
    let off = load(simd, &rows[18], start) + sum + unit * extent;
    store(simd, off, &mut rows[18], start);
    // The maximum may have lost a NaN, which the sum keeps: then there is no bound.
    store(simd, extent.or_else(infinity.gt(all), simd.doubles(f64::NAN)), extents, start);
}

struct PairDistanceWork<'a> {
    batch: &'a mut Batch,
    count: usize,
}

impl Work for PairDistanceWork<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { batch: Batch { pairs, powers, found }, count } = self;
        let lanes = Numbers {
            zero: simd.doubles(0.0),
            one: simd.doubles(1.0),
            none: simd.doubles(-1.0),
            room: simd.doubles(16.0 * UNIT),
        };
        let mut start = 0;
        while start < count {
            let by = [load(simd, &powers[0], start), load(simd, &powers[1], start)];
            let p = LaneTriangle::new(corners(simd, pairs, 0, start, by));
            let q = LaneTriangle::new(corners(simd, pairs, 9, start, by));
            let first = NearestPoints {
                all: (1 << (count - start).min(S::DOUBLES)) - 1,
                done: 0,
                bound: simd.doubles(f64::INFINITY),
                square: simd.doubles(f64::INFINITY),
                points: [p.corners[0], q.corners[0]],
            };
            let best = search(simd, &lanes, &p, &q, first);
            let [lo, hi] = bounds(simd, &p, &q, &best, load(simd, &pairs[18], start));
            for k in 0..3 {
                store(simd, best.points[0][k], &mut found[k], start);
                store(simd, best.points[1][k], &mut found[3 + k], start);
            }
            store(simd, lo, &mut found[6], start);
            store(simd, hi, &mut found[7], start);
            start += S::DOUBLES;
        }
    }
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, row: &[f64; MOST_DOUBLES], start: usize) -> S::Doubles {
    if start == 0 {
        return simd.load_doubles(row);
    }
    let mut rest = [0.0; MOST_DOUBLES];
    rest[..S::DOUBLES].copy_from_slice(&row[start..start + S::DOUBLES]);
    simd.load_doubles(&rest)
}

#[inline(always)]
pub(super) fn store<S: Simd>(simd: S, x: S::Doubles, row: &mut [f64; MOST_DOUBLES], start: usize) {
    if start == 0 {
        return simd.store_doubles(x, row);
    }
    let mut rest = [0.0; MOST_DOUBLES];
    simd.store_doubles(x, &mut rest);
    row[start..start + S::DOUBLES].copy_from_slice(&rest[..S::DOUBLES]);
}

#[inline(always)]
fn corners<S: Simd>(
    simd: S,
    rows: &[[f64; MOST_DOUBLES]; 19],
    first: usize,
    start: usize,
    by: [S::Doubles; 2],
) -> [LaneVector<S::Doubles>; 3] {
    let mut corners = [[simd.doubles(0.0); 3]; 3];
    for i in 0..3 {
        for k in 0..3 {
            corners[i][k] = load(simd, &rows[first + 3 * i + k], start) * by[0] * by[1];
        }
    }
    corners
}

/// Constants, in all lanes.
struct Numbers<L> {
    zero: L,
    one: L,
    /// Less than every square.
    none: L,
    /// Rounding: the distance that a corner may lie before the nearest points, along their direction.
    room: L,
}

/// Dot product, rounded as [`crate::vector::dot`] is.
#[inline(always)]
pub(super) fn dot<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cross product, rounded as [`crate::vector::cross`] is.
#[inline(always)]
pub(super) fn cross<L: Lanes>(a: LaneVector<L>, b: LaneVector<L>) -> LaneVector<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A triangle for each lane.
struct LaneTriangle<L> {
    corners: [LaneVector<L>; 3],
    /// Edges from each corner to the next.
    edges: [LaneVector<L>; 3],
    /// Edge from the first corner to the last.
    last: LaneVector<L>,
}

impl<L: Lanes> LaneTriangle<L> {
    #[inline(always)]
    fn new(corners: [LaneVector<L>; 3]) -> Self {
        let [a, b, c] = corners;
        Self { corners, edges: [sub(b, a), sub(c, b), sub(a, c)], last: sub(c, a) }
    }
    #[inline(always)]
    fn point(&self, [s, r]: [L; 2]) -> LaneVector<L> {
        let [t, u, v] = [self.corners[0], self.edges[0], self.last];
        [t[0] + (s * u[0] + r * v[0]), t[1] + (s * u[1] + r * v[1]), t[2] + (s * u[2] + r * v[2])]
    }
    #[inline(always)]
    fn on_edge(&self, i: usize, x: L, lanes: &Numbers<L>) -> LaneVector<L> {
        match i {
            0 => self.point([x, lanes.zero]),
            1 => self.point([lanes.one - x, x]),
            _ => self.point([lanes.zero, lanes.one - x]),
        }
    }
    #[inline(always)]
    fn corner(&self, i: usize, lanes: &Numbers<L>) -> LaneVector<L> {
        let Numbers { zero, one, .. } = *lanes;
        self.point([[zero, zero], [one, zero], [zero, one]][i])
    }
}

/// x between 0 and 1. NaN becomes 0.
#[inline(always)]
fn clamp<L: Lanes>(x: L, lanes: &Numbers<L>) -> L {
    x.or_else(lanes.one.gt(x), lanes.one).or_else(x.gt(lanes.zero), lanes.zero)
}

/// Parameters x, y at which segments p + x u and q + y v are nearest (Ericson, Real-Time Collision Detection,
/// 5.1.9).
#[inline(always)]
fn between_edges<L: Lanes>(
    p: LaneVector<L>,
    u: LaneVector<L>,
    q: LaneVector<L>,
    v: LaneVector<L>,
    lanes: &Numbers<L>,
) -> [L; 2] {
    let Numbers { zero, one, .. } = *lanes;
    let r = sub(p, q);
    let (a, e, f) = (dot(u, u), dot(v, v), dot(v, r));
    let (b, c) = (dot(u, v), dot(u, r));
    let determinant = a * e - b * b;
    let x = clamp((b * f - c * e) / determinant, lanes).or_else(determinant.gt(zero), zero);
    let y = (b * x + f) / e;
    let at_first = clamp((zero - c) / a, lanes);
    let (before, behind) = (zero.gt(y), y.gt(one));
    let x = clamp((b - c) / a, lanes).or_else(behind, x);
    let x = at_first.or_else(before, x);
    // 0 where it is before: both are clamped.
    let y = clamp(y, lanes);
    // Where the one or the other is a point.
    let [x, y] = [x.or_else(e.gt(zero), at_first), y.or_else(e.gt(zero), zero)];
    [x.or_else(a.gt(zero), zero), y.or_else(a.gt(zero), clamp(f / e, lanes))]
}

/// The feet of points on the planes of triangles, and the lanes in which they lie in the triangle.
#[inline(always)]
fn foot<S: Simd>(
    simd: S,
    v: LaneVector<S::Doubles>,
    t: &LaneTriangle<S::Doubles>,
) -> (LaneVector<S::Doubles>, <S::Doubles as Lanes>::Mask) {
    let (e, f, w) = (t.edges[0], t.last, sub(v, t.corners[0]));
    let n = cross(e, f);
    let square = dot(n, n);
    let (s, r) = (dot(cross(w, f), n) / square, dot(cross(e, w), n) / square);
    // Comparisons with the neighbours of 0 and 1 include 0 and 1, and are false for NaN.
    let (below_zero, above_one) = (simd.doubles(0.0_f64.next_down()), simd.doubles(1.0_f64.next_up()));
    (t.point([s, r]), s.gt(below_zero) & r.gt(below_zero) & above_one.gt(s + r))
}

/// The nearest points so far.
struct NearestPoints<L> {
    /// The lanes that count, and those that certainly have nothing nearer.
    all: u32,
    done: u32,
    /// Square that a pair's must be below; negative in lanes that are done.
    bound: L,
    square: L,
    points: [LaneVector<L>; 2],
}

impl<L: Doubles> NearestPoints<L> {
    /// Takes two points in the lanes of `only`, if any, in which they are nearer. Returns true if all lanes
    /// are done.
    #[inline(always)]
    fn take(
        &mut self,
        p: &LaneTriangle<L>,
        q: &LaneTriangle<L>,
        [x, y]: [LaneVector<L>; 2],
        only: Option<L::Mask>,
        lanes: &Numbers<L>,
    ) -> bool {
        let w = sub(y, x);
        let square = dot(w, w);
        let nearer = self.bound.gt(square);
        let nearer = match only {
            Some(only) => nearer & only,
            None => nearer,
        };
        let bits = nearer.bits() & self.all;
        if bits == 0 {
            return false;
        }
        self.square = square.or_else(nearer, self.square);
        for k in 0..3 {
            self.points[0][k] = x[k].or_else(nearer, self.points[0][k]);
            self.points[1][k] = y[k].or_else(nearer, self.points[1][k]);
        }
        let room = lanes.room * square.sqrt();
        let [a, b, c] = p.corners;
        let most = dot(w, sub(a, x)).max(dot(w, sub(b, x))).max(dot(w, sub(c, x)));
        let [a, b, c] = q.corners;
        let least = dot(w, sub(a, y)).min(dot(w, sub(b, y))).min(dot(w, sub(c, y)));
        let open = most.gt(room) | (lanes.zero - room).gt(least);
        self.bound = square.or_else(open, lanes.none).or_else(nearer, self.bound);
        self.done |= bits & !open.bits();
        self.done == self.all
    }
}

#[inline(always)]
fn search<S: Simd>(
    simd: S,
    lanes: &Numbers<S::Doubles>,
    p: &LaneTriangle<S::Doubles>,
    q: &LaneTriangle<S::Doubles>,
    mut best: NearestPoints<S::Doubles>,
) -> NearestPoints<S::Doubles> {
    // Edge by edge, then each corner with the other's plane. Code in a loop is compiled once: without
    // optimisation this takes much of the stack.
    for step in 0..15 {
        let (i, j) = (step / 3, step % 3);
        let (points, only) = if step < 9 {
            let [x, y] = between_edges(p.corners[i], p.edges[i], q.corners[j], q.edges[j], lanes);
            ([p.on_edge(i, x, lanes), q.on_edge(j, y, lanes)], None)
        } else {
            let (i, is_p) = ((step - 9) / 2, step % 2 == 1);
            let (own, other) = if is_p { (p, q) } else { (q, p) };
            let (there, inside) = foot(simd, own.corners[i], other);
            let here = own.corner(i, lanes);
            (if is_p { [here, there] } else { [there, here] }, Some(inside))
        };
        if best.take(p, q, points, only, lanes) {
            return best;
        }
    }
    best
}

/// The bounds of the distance, with the direction from one point to the other.
#[inline(always)]
fn bounds<S: Simd>(
    simd: S,
    p: &LaneTriangle<S::Doubles>,
    q: &LaneTriangle<S::Doubles>,
    best: &NearestPoints<S::Doubles>,
    off: S::Doubles,
) -> [S::Doubles; 2] {
    let tiny = simd.doubles(1e-150);
    let length = best.square.sqrt();
    let error = simd.doubles(3.5) * (off + simd.doubles(16.0 * UNIT * SIZE));
    let hi = (length + error) * simd.doubles(1.0 + 8.0 * UNIT) + tiny;
    let w = sub(best.points[1], best.points[0]);
    let [a, b, c] = p.corners;
    let most = dot(w, a).max(dot(w, b)).max(dot(w, c));
    let [a, b, c] = q.corners;
    let least = dot(w, a).min(dot(w, b)).min(dot(w, c));
    let sizes = w[0].abs() + w[1].abs() + w[2].abs();
    let room = sizes * (simd.doubles(2.0) * off + simd.doubles(9.0 * UNIT * SIZE)) + simd.doubles(1e-300);
    let lo = (least - most - room) / length * simd.doubles(1.0 - 8.0 * UNIT) - tiny;
    let zero = simd.doubles(0.0);
    let lo = lo.or_else(lo.gt(zero), zero);
    [zero.or_else(simd.doubles(LEAST_SQUARE).gt(best.square), lo), hi]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{samples::rng::Rng, triangle::closest::reference::nearest};

    /// All sorts: on a coarse grid, where edges are parallel and points equal, anywhere, and degenerate.
    fn triangle(rng: &mut Rng, kind: usize) -> Triangle {
        let mut corner = || match kind % 3 {
            0 => rng.point(2.0).map(f64::round),
            1 => rng.point(0.01),
            _ => rng.point(2.0),
        };
        let [a, b, c] = [corner(), corner(), corner()];
        match kind % 7 {
            0 => [a; 3],
            1 => [a, b, b],
            2 => [a, [0, 1, 2].map(|k| (a[k] + c[k]) / 2.0), c],
            _ => [a, b, c],
        }
    }

    #[test]
    fn lanes_hold_the_same_bits_as_pairs_alone() {
        let (mut rng, mut batch) = (Rng::new(11), Batch::default());
        let bits = |found: &TriangleDistance| {
            let [x, y] = found.points;
            [x[0], x[1], x[2], y[0], y[1], y[2], found.lo, found.hi].map(f64::to_bits)
        };
        for round in 0..4_000 {
            let pairs: [RoundedTrianglePair; MOST_DOUBLES] = std::array::from_fn(|lane| {
                let (p, q) = (triangle(&mut rng, round + lane), triangle(&mut rng, round / 7 + 3 * lane));
                RoundedTrianglePair { p, q, off: [0.0, UNIT, 1e-13, 1e-6][round % 4] }
            });
            let count = 1 + round % MOST_DOUBLES;
            (0..)
                .zip(&pairs)
                .for_each(|(lane, RoundedTrianglePair { p, q, off })| batch.set(lane, p, q, *off));
            for &level in SimdLevel::ALL {
                batch.ask(level, count);
                for (lane, pair) in pairs.iter().enumerate().take(count) {
                    assert_eq!(bits(&batch.found(lane)), bits(&nearest(pair)), "{level:?}: {pair:?}");
                }
            }
        }
    }
}
