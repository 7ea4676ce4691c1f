//! The search for the least distance, over the pairs that a walk finds.
use super::{
    ClosestPoint, DistanceBounds,
    accuracy::Accuracy,
    least::{Behind, LeastPair},
    pairs::{MeshAt, TrianglePairDistances},
    placing::{AtPoint, Together},
};
use crate::{
    SimdLevel,
    margin::Margin,
    simd::MOST_DOUBLES,
    triangle::closest::{self, TriangleBatch, TriangleDistance},
    vector::sub,
    visitor::SearchBounds,
};
use std::{cmp::Ordering, ops::ControlFlow};

/// A pair that may be the nearest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) pair: [u32; 2],
    pub(super) lo: f64,
}

/// Candidates of a search, and its memory.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(super) all: Vec<Candidate>,
    /// The number of candidates at which those that are too far are dropped.
    full: usize,
    pub(super) behind: Behind,
    /// Boxed, as this struct is moved. Made at first use, and kept.
    together: Option<Box<Together>>,
}

/// The search for the least distance of two bodies that do not meet.
pub(crate) struct Search<'a> {
    pub(super) pairs: TrianglePairDistances<'a>,
    pub(super) stop: Accuracy,
    pub(super) candidates: &'a mut Candidates,
    pub(super) best: Option<LeastUpperBound>,
    /// The nearest of the pairs that were compared exactly. It stays among the candidates.
    pub(super) least: Option<LeastPair>,
    /// A lower bound of the distance of dropped pairs, which may be the nearest, but only within the width
    /// that the result's interval has anyway.
    pub(super) left_out: f64,
    /// A lower bound of the distance of all pairs.
    pub(super) at_least: f64,
}

/// The pair with the least upper bound.
#[derive(Clone, Copy)]
pub(super) struct LeastUpperBound {
    pub(super) pair: [u32; 2],
    pub(super) nearest: TriangleDistance,
    size: f64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(shapes: [MeshAt<'a>; 2], stop: Accuracy, candidates: &'a mut Candidates) -> Self {
        candidates.all.clear();
        candidates.full = 64;
        Self {
            pairs: TrianglePairDistances::new(shapes),
            stop,
            candidates,
            best: None,
            least: None,
            left_out: f64::INFINITY,
            at_least: 0.0,
        }
    }
    /// The limit: pairs that are certainly further apart than this need no test, if one is `hi` apart.
    pub(crate) fn limit(&self, hi: f64) -> f64 {
        self.stop.limit(hi)
    }
    /// The triangle of the second body in the best pair, if the pair is certainly no further apart than this.
    pub(crate) fn is_within(&self, most: f64) -> Option<u32> {
        self.best.filter(|best| best.nearest.hi <= most).map(|best| best.pair[1])
    }
    /// Breaks if a pair is certainly no further apart than `enough`.
    pub(crate) fn or_break(&self, enough: f64) -> ControlFlow<()> {
        if self.is_within(enough).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    /// Tests pairs of triangles, several at a time with the instructions of `level`.
    pub(crate) fn take(&mut self, level: SimdLevel, pairs: &[[u32; 2]], progress: &mut SearchBounds) {
        if let [pair] = pairs {
            let (nearest, size) = self.pairs.nearest(*pair);
            return self.note(*pair, nearest, size, progress);
        }
        if self.pairs.shapes[0].mesh.is_none() {
            return self.take_of_point(level, pairs, progress);
        }
        let mut together = self.candidates.together.take().unwrap_or_default();
        for pairs in pairs.chunks(MOST_DOUBLES) {
            self.pairs.ask(level, pairs, &mut together);
            for (lane, &pair) in pairs.iter().enumerate() {
                match together.bounds(lane) {
                    // Computes points only of pairs that count.
                    Some((bounds, size)) => {
                        if self.is_better(pair, bounds, size, progress) {
                            self.improve(pair, self.pairs.told(lane, &together), size, progress);
                        }
                    }
                    None => {
                        let (nearest, size) = self.pairs.nearest(pair);
                        self.note(pair, nearest, size, progress);
                    }
                }
            }
        }
        self.candidates.together = Some(together);
    }
    /// Tests pairs of a point, which is the first operand, and triangles.
    fn take_of_point(&mut self, level: SimdLevel, pairs: &[[u32; 2]], progress: &mut SearchBounds) {
        let mut placed = [AtPoint::default(); MOST_DOUBLES];
        let mut triangles = TriangleBatch::default();
        for pairs in pairs.chunks(MOST_DOUBLES) {
            for (lane, (placed, &[_, triangle])) in placed.iter_mut().zip(pairs).enumerate() {
                *placed = self.pairs.placing.placed_at_point(&self.pairs.shapes[1].corners(triangle));
                triangles.set(lane, &placed.near, &placed.offs);
            }
            triangles.ask(level, pairs.len());
            for (lane, (&pair, placed)) in pairs.iter().zip(&placed).enumerate() {
                let (nearest, size) = if placed.is_plain() {
                    let found = triangles.found(lane);
                    (self.pairs.placing.told_of_point(placed, &found), placed.extent)
                } else {
                    self.pairs.nearest(pair)
                };
                self.note(pair, nearest, size, progress);
            }
        }
    }
    /// Records the f64 bounds of a pair.
    fn note(&mut self, pair: [u32; 2], nearest: TriangleDistance, size: f64, progress: &mut SearchBounds) {
        if self.is_better(pair, [nearest.lo, nearest.hi], size, progress) {
            self.improve(pair, nearest, size, progress);
        }
    }
    /// Records the bounds of a pair's distance. True if the pair is the best so far. Of pairs with equal
    /// upper bounds, lower bounds and sizes decide, and only then the numbers of triangles, so that the
    /// interval does not depend on the order of triangles. The triangle nearest to a point is the least of
    /// those that share the nearest corner or edge.
    #[inline(always)]
    fn is_better(&mut self, pair: [u32; 2], [lo, hi]: [f64; 2], size: f64, progress: &SearchBounds) -> bool {
        if lo > progress.limit {
            return false;
        }
        if self.candidates.all.len() >= self.candidates.full {
            self.make_room(progress.limit);
            self.candidates.full = 2 * self.candidates.all.len().max(32);
        }
        self.candidates.all.push(Candidate { pair, lo });
        match &self.best {
            None => true,
            Some(best) => {
                let is_least = self.pairs.key(pair) < self.pairs.key(best.pair);
                let (own, other) = ((lo, size), (best.nearest.lo, best.size));
                hi < best.nearest.hi
                    || hi == best.nearest.hi
                        && if self.pairs.has_point() {
                            is_least
                        } else {
                            other < own || other == own && is_least
                        }
            }
        }
    }
    /// Sets the best pair so far, and lowers the limit.
    fn improve(&mut self, pair: [u32; 2], nearest: TriangleDistance, size: f64, progress: &mut SearchBounds) {
        self.best = Some(LeastUpperBound { pair, nearest, size });
        progress.limit = progress.limit.min(self.limit(nearest.hi));
        progress.direction = Some(sub(nearest.points[1], nearest.points[0]));
    }
    /// Drops the pairs that are certainly further apart than the limit.
    pub(super) fn forget(&mut self, limit: f64) {
        self.candidates.all.retain(|candidate| candidate.lo <= limit);
    }
    /// The distance, rounded down and up. It is at most `hi`.
    fn rounded(&self, hi: f64) -> [f64; 2] {
        let (mut nearest, mut is_beyond) = ([hi.min(f64::MAX); 2], true);
        // Only pairs that are nearer than all before them take a bisection: few of many.
        for &Candidate { pair, lo } in &self.candidates.all {
            if lo <= nearest[0] {
                match self.pairs.compare(pair, &[nearest[0]]) {
                    Ordering::Less => nearest = self.rounded_of(pair, lo, nearest[0]),
                    Ordering::Equal => nearest[1] = nearest[0],
                    Ordering::Greater => continue,
                }
                is_beyond = false;
            }
        }
        // Beyond the greatest number, f64 has no further bound.
        if is_beyond { [f64::MAX, f64::INFINITY] } else { nearest }
    }
    /// The distance of one pair, rounded down and up. It is from `lo` to `hi`.
    fn rounded_of(&self, pair: [u32; 2], lo: f64, hi: f64) -> [f64; 2] {
        // The bits of numbers that are not negative have the numbers' order.
        let (mut lo, mut hi) = (lo.to_bits(), hi.to_bits());
        // First an estimate and its neighbours: mostly one is the result. Bisection takes ten steps or more.
        let (mut middle, mut steps) = (self.pairs.about(pair).to_bits(), 4);
        while lo < hi {
            middle = middle.clamp(lo, hi - 1);
            let order = self.pairs.compare(pair, &[f64::from_bits(middle)]);
            match order {
                Ordering::Equal => return [f64::from_bits(middle); 2],
                Ordering::Less => hi = middle,
                Ordering::Greater => lo = middle + 1,
            }
            steps -= i32::from(steps > 0);
            middle = match order {
                _ if steps == 0 => lo + (hi - lo) / 2,
                Ordering::Less => hi.saturating_sub(1),
                _ => lo,
            };
        }
        // All numbers below `hi` are less than the distance.
        let hi = f64::from_bits(lo);
        if self.pairs.compare(pair, &[hi]) == Ordering::Equal { [hi; 2] } else { [hi.next_down(), hi] }
    }
    /// The least of the tested pairs that meet.
    pub(crate) fn contact(&self) -> Option<[u32; 2]> {
        let unproven = self.candidates.all.iter().filter(|candidate| candidate.lo == 0.0);
        let meet =
            unproven.map(|candidate| candidate.pair).filter(|&pair| self.pairs.compare(pair, &[]).is_eq());
        meet.min()
    }
    /// The interval of the accuracy that contains the distance; `None` if the distance is more than `above`.
    /// `interval` is that of `hi`, or of `above` if that is less: pairs further apart than its lower end were
    /// not tested.
    fn coarse(&mut self, interval: [f64; 2], hi: f64, least: f64, above: f64) -> Option<[f64; 2]> {
        if self.is_beyond(least, hi) {
            return None;
        }
        let mut found = interval;
        if least < interval[0] && self.is_any(&Margin::of(interval[0]), Ordering::is_lt) {
            self.resolve();
            found = self.rounded(hi.min(above));
            found = self.stop.interval(found[0]).unwrap_or(found);
        }
        Some([found[0], found[1].min(above)])
    }
    /// True if the distance, which is from `lo` to `hi`, is more than the limit.
    fn is_beyond(&mut self, lo: f64, hi: f64) -> bool {
        let Some(above) = self.stop.above.filter(|above| hi > above.down()) else { return false };
        lo > above.get() || !self.is_any(&above, Ordering::is_le)
    }
    /// The result; `None` if the distance is more than the limit, or there are no triangles.
    pub(crate) fn finish(mut self) -> Option<DistanceBounds> {
        let LeastUpperBound { pair, nearest, size } = self.best?;
        let size = self.pairs.shapes.iter().fold(size, |size, shape| size.max(shape.size()));
        self.forget(self.limit(nearest.hi));
        let least = self.candidates.all.iter().fold(nearest.lo, |lo, candidate| lo.min(candidate.lo));
        let least = least.max(self.at_least);
        let above = self.stop.above.map_or(f64::INFINITY, Margin::get);
        if let Some(interval) = self.stop.interval(nearest.hi.min(above)) {
            let [lo, hi] = self.coarse(interval, nearest.hi, least, above)?;
            return Some(DistanceBounds { lo, hi, triangles: pair, points: nearest.points });
        }
        let (mut lo, mut hi) = (nearest.lo.min(nearest.hi - size * SLACK).max(0.0), nearest.hi);
        // An upper bound beyond f64 is none.
        let is_narrow = hi < f64::INFINITY && hi - nearest.lo <= size.max(hi) * WIDE;
        let is_exact = self.stop.is_exact_up_to(hi);
        let mut found = (pair, nearest.points);
        if is_exact || !is_narrow {
            self.resolve();
            [lo, hi] = self.rounded(hi);
            // Dropped pairs are no nearer than this.
            lo = lo.min(self.left_out);
        } else if least < lo && self.is_any(&Margin::of(lo), Ordering::is_lt) {
            self.resolve();
            lo = self.rounded(lo)[0];
        }
        // A distance of exactly `above` is not further.
        if self.is_beyond(lo, hi) {
            return None;
        }
        hi = hi.min(above);
        if is_exact && let Some(least) = &self.least {
            found = (least.pair, self.pairs.points(least.pair).unwrap_or(nearest.points));
        }
        let (triangles, points) = found;
        Some(DistanceBounds { lo, hi, triangles, points })
    }
}

impl Search<'_> {
    /// The result for a point, which is the first operand.
    pub(crate) fn finish_point(self) -> Option<ClosestPoint> {
        if let Some([_, triangle]) = self.contact() {
            return Some(ClosestPoint {
                lo: 0.0,
                hi: 0.0,
                triangle,
                point: *self.pairs.shapes[0].pose.translation(),
            });
        }
        let DistanceBounds { lo, hi, triangles: [_, triangle], points: [_, point] } = self.finish()?;
        Some(ClosestPoint { lo, hi, triangle, point })
    }
}

/// The least difference of a reported upper and lower bound, relative to the size of the bodies: 2^-44. Pairs
/// that are equally near but for rounding then need no integers.
pub(super) const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// Pairs that are good enough for [`closest`], of coordinates up to 1 at least, do not widen that.
const _: () = assert!(2.0 * closest::GOOD <= SLACK);

/// Intervals wider than this, relative to that size or the distance, are made exact: 2^-40.
const WIDE: f64 = 1.0 / (1_u64 << 40) as f64;
