//! The exact nearest of many pairs. Where surfaces are parallel, or fans of triangles have their tips towards
//! each other, the intervals of many pairs overlap, and most of these pairs are equally near. A
//! [`SupportingPair`] of the nearest pair so far excludes the others by their triangles, so O(n) triangles
//! are tested instead of O(n^2) pairs.
use super::{
    least::LeastPair,
    pairs::TrianglePairDistances,
    search::{Candidate, Candidates, SLACK, Search},
};
use crate::{margin::Margin, posed::distance::SupportingPair, triangle::closest::TriangleDistance};
use std::{cmp::Ordering, mem::take};

/// The largest number of candidates that are kept. Beyond it they are compared, and all but one dropped.
const MANY: usize = 4096;
/// Up to this number, candidates are compared with a number one by one.
const FEW: usize = 8;

impl Search<'_> {
    /// Keeps the nearest candidate, the least of several, and drops the others.
    pub(super) fn resolve(&mut self) {
        let mut all = take(&mut self.candidates.all);
        if let Some(best) = self.best {
            let first = || LeastPair { pair: best.pair, lo: best.nearest.lo, support: None };
            let mut least = self.least.take().unwrap_or_else(first);
            for &Candidate { pair, lo } in &all {
                if pair == least.pair {
                    continue;
                }
                let is_less = self.pairs.key(pair) < self.pairs.key(least.pair);
                let support = least.support.get_or_insert_with(|| {
                    self.candidates.behind.reset(&self.pairs);
                    self.pairs.support(least.pair)
                });
                if !is_less && self.candidates.behind.has(pair, &self.pairs, support) {
                    continue;
                }
                match self.pairs.compare_pairs(pair, least.pair) {
                    Ordering::Less => least = LeastPair { pair, lo, support: None },
                    Ordering::Equal if is_less => (least.pair, least.lo) = (pair, lo),
                    _ => (),
                }
            }
            all.clear();
            all.push(Candidate { pair: least.pair, lo: least.lo });
            self.least = Some(least);
        }
        self.candidates.all = all;
    }

    /// Drops candidates that are certainly further apart. If many remain, drops those that cannot change the
    /// result.
    pub(super) fn make_room(&mut self, limit: f64) {
        self.forget(limit);
        let Some(best) = self.best.filter(|_| self.candidates.all.len() > MANY) else { return };
        let hi = best.nearest.hi;
        // Where intervals of f64 are narrow enough, the result's `lo` is at most this.
        let size = self.pairs.shapes.iter().fold(0.0, |size: f64, shape| size.max(shape.size()));
        let enough = hi - size * SLACK;
        let is_plain = !self.stop.is_exact_up_to(hi) && self.stop.interval(hi).is_none();
        // Integers decide the least pair of those that may meet.
        let is_plain = is_plain && enough > 0.0 && best.nearest.lo >= enough;
        if is_plain && self.stop.above.is_none_or(|above| hi <= above.down()) {
            let left_out = &mut self.left_out;
            self.candidates.all.retain(|candidate| {
                let is_kept = candidate.lo < enough;
                *left_out = if is_kept { *left_out } else { left_out.min(candidate.lo) };
                is_kept
            });
        }
        if self.candidates.all.len() > MANY {
            self.resolve();
        }
    }

    /// True if the distance of some candidate compares with d in this way: less, or less or equal.
    pub(super) fn is_any(&mut self, d: &Margin, is: fn(Ordering) -> bool) -> bool {
        let (most, parts) = (d.get(), d.parts());
        // The best one first: it mostly decides.
        if self.best.is_some_and(|best| best.nearest.lo <= most && is(self.pairs.compare(best.pair, parts))) {
            return true;
        }
        if self.candidates.all.iter().filter(|candidate| candidate.lo <= most).count() > FEW {
            self.resolve();
        }
        let mut near = self.candidates.all.iter().filter(|candidate| candidate.lo <= most);
        near.any(|candidate| is(self.pairs.compare(candidate.pair, parts)))
    }
}

/// Decides for pairs of triangles, one by one, whether they are within a margin.
pub(crate) struct Decider<'a, 's> {
    pairs: TrianglePairDistances<'a>,
    margin: Margin,
    candidates: &'s mut Candidates,
    /// The number of pairs that integers found beyond the margin.
    beyond: usize,
    /// The support of one of these.
    support: Option<SupportingPair>,
}

impl<'a, 's> Decider<'a, 's> {
    pub(crate) fn new(
        pairs: TrianglePairDistances<'a>,
        margin: Margin,
        candidates: &'s mut Candidates,
    ) -> Self {
        Self { pairs, margin, candidates, beyond: 0, support: None }
    }
    pub(crate) fn is_within(&mut self, pair: [u32; 2]) -> bool {
        let (TriangleDistance { lo, hi, .. }, _) = self.pairs.nearest(pair);
        if hi <= self.margin.down() || lo > self.margin.get() {
            return hi <= self.margin.down();
        }
        if let Some(support) = &self.support
            && self.candidates.behind.has(pair, &self.pairs, support)
        {
            return false;
        }
        if self.pairs.compare(pair, self.margin.parts()).is_le() {
            return true;
        }
        self.beyond += 1;
        if self.beyond == FEW {
            self.candidates.behind.reset(&self.pairs);
            self.support = Some(self.pairs.support(pair));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Body, Mesh, Model, Pose, Query, brute_force,
        distance::{Accuracy, MeshAt, pairs::COMPARED},
        simd::SimdLevel,
        visitor::{SearchBounds, Visitor},
    };
    use std::ops::ControlFlow;

    fn compared<T>(work: impl FnOnce() -> T) -> (T, usize) {
        let before = COMPARED.get();
        let done = work();
        (done, COMPARED.get() - before)
    }

    /// A cone of n sides, its tip at the origin, and the same upside down with its tip at `gap`.
    fn cones(n: usize, gap: f64) -> [Model; 2] {
        [-1.0, 1.0].map(|up| {
            let tip = [0.0, 0.0, if up > 0.0 { gap } else { 0.0 }];
            let side = |k: usize| {
                let (sin, cos) = (k as f64 / n as f64 * 6.0).sin_cos();
                [cos, sin, tip[2] + 2.0 * up]
            };
            let points = std::iter::once(tip).chain((0..n).map(side)).collect();
            let triangles = (0..n).map(|k| [0, 1 + k as u32, 1 + ((k + 1) % n) as u32]).collect();
            Model::new(Mesh::new(points, triangles).unwrap())
        })
    }

    /// Two grids of squares, each of two triangles, one above the other and shifted.
    fn plates(n: u32, gap: f64) -> [Model; 2] {
        [[0.0; 3], [0.25, 0.5, gap]].map(|shift| {
            let at = |k: u32, n: u32| f64::from(k) / f64::from(n);
            let points = (0..=n)
                .flat_map(|i| (0..=n).map(move |k| [shift[0] + at(i, n), shift[1] + at(k, n), shift[2]]))
                .collect();
            let corner = |i: u32, k: u32| i * (n + 1) + k;
            let square = |i: u32, k: u32| {
                let [a, b, c, d] = [corner(i, k), corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1)];
                [[a, b, c], [a, c, d]]
            };
            let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |k| square(i, k))).collect();
            Model::new(Mesh::new(points, triangles).unwrap())
        })
    }

    /// Nearly all pairs are exactly as near as the nearest: few of them take integers, for every accuracy.
    #[test]
    fn of_pairs_that_are_equally_near_few_are_compared() {
        for (name, [a, b]) in [("cones", cones(96, 1.0)), ("plates", plates(24, 1.0))] {
            let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY));
            let (margin, mut query) = (Margin::new(1.0).unwrap(), Query::new());
            let below = Margin::new(1.0_f64.next_down()).unwrap();
            let exact = Accuracy::new().exact();
            let rel = Accuracy::new().rel(0.01).unwrap();
            for stop in [Accuracy::new(), Accuracy::new().above(margin), exact, exact.above(margin), rel] {
                let (gap, count) = compared(|| query.with_accuracy(stop).distance(&a, &b).unwrap());
                assert!(gap.lo <= 1.0 && gap.hi >= 1.0, "{name}: {stop:?}: {gap:?}");
                assert!(count < 200, "{name}: {stop:?}: {count}");
                if stop == exact {
                    assert_eq!((gap.lo, gap.hi), (1.0, 1.0), "{name}");
                    assert_eq!(brute_force::distance(&a, &b, stop), Some(gap));
                }
                let (none, count) = compared(|| query.with_accuracy(stop.above(below)).distance(&a, &b));
                assert!(none.is_none() && count < 200, "{name}: {stop:?}: {none:?} {count}");
            }
            for (margin, want) in [(margin, true), (below, false)] {
                let (got, count) = compared(|| query.within(&a, &b, margin));
                assert!(got == want && count < 200, "{name}: {margin:?}: {got} {count}");
            }
        }
    }

    /// All triangles of a fan hold its tip: the least of them is reported, however many there are.
    #[test]
    fn a_point_at_a_tip_is_on_the_least_triangle() {
        let [a, _] = cones(3 * MANY, 1.0);
        let body = Body::new(&a, Pose::IDENTITY);
        for stop in [Accuracy::new(), Accuracy::new().exact()] {
            let found = Query::new().with_accuracy(stop).closest_point(&body, [0.0; 3]).unwrap();
            assert_eq!((found.lo, found.hi, found.triangle, found.point), (0.0, 0.0, 0, [0.0; 3]));
        }
    }

    /// A list of all pairs would be hundreds of times as long.
    #[test]
    fn of_pairs_that_are_equally_near_few_are_kept() {
        let [a, b] = cones(400, 1.0);
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY));
        let shapes = [&a, &b].map(MeshAt::of);
        let margin = Margin::new(1.0).unwrap();
        for stop in [
            Accuracy::new(),
            Accuracy::new().exact(),
            Accuracy::new().above(margin),
            Accuracy::new().rel(0.1).unwrap(),
        ] {
            let mut candidates = Candidates::default();
            let mut search = Search::new(shapes, stop, &mut candidates);
            let limit = search.limit(f64::INFINITY);
            let mut look = |pairs: &[[u32; 2]], progress: &mut SearchBounds| {
                search.take(SimdLevel::Portable, pairs, progress);
                ControlFlow::Continue(())
            };
            let mut visitor = Visitor::new(limit, &mut look);
            assert!(
                visitor.take_all(shapes.map(|shape| shape.len()), crate::stop::StopFlag(None)).is_continue()
            );
            let gap = search.finish().unwrap();
            assert!(gap.lo <= 1.0 && 1.0 <= gap.hi && gap.hi - gap.lo < 0.2, "{gap:?}");
            assert!(candidates.all.capacity() <= 4 * MANY, "{stop:?}: {}", candidates.all.capacity());
        }
    }
}
