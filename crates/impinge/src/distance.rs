//! The distance of two bodies, and the nearest points of a body.
//!
//! # One answer
//! Floating point gives each pair of triangles an interval, by operations that every machine rounds alike
//! (`Pairs`). The pair with the least upper bound is never left out of a walk, whatever the order, since
//! no lower bound of it exceeds its upper one; so it is the same always, and with it the points and the upper
//! bound; of several with this bound the one with the greatest lower bound, then the largest size, then the
//! least numbers. Which others are looked at depends on the walk. The lower bound that is told is that pair's own,
//! less a little, if no other pair is nearer, else the distance rounded down: both depend on the meshes
//! alone, as integers decide what intervals do not.
//!
//! # Equally near pairs
//! Where many pairs are as near as f64 can tell, few of them are compared by integers: see `exactly.rs`. With
//! [`Accuracy::exact`] the pair is the least of those that attain the distance, and its points are rounded once
//! (`exact/distance/nearest.rs`).
mod accuracy;
mod exactly;
mod placing;

pub use self::accuracy::Accuracy;
pub(crate) use self::exactly::Decider;
pub use crate::margin::Margin;

use self::{
    exactly::{Behind, Least},
    placing::{AtPoint, Placing, Together, size},
};
use crate::{
    Body, Mesh, Pose, SimdLevel,
    contact::contact_point,
    posed::distance::{Support, TriangleAt, compare, compare_pairs, nearest_points},
    simd::MOST_DOUBLES,
    triangle::closest::{self, Nearest, Triangles},
    vector::{Vector, sub},
    visitor::Progress,
};
use std::cmp::Ordering;

type Triangle = [Vector; 3];

/// A distance of two bodies' surfaces, and where they are as near as that.
///
/// With [`Accuracy::exact`] the interval depends on the two sets of points alone. By default its last bits depend
/// on how each triangle is stored, too: on the order of its corners; and of bodies at one pose on the order of
/// both meshes' points, which says which body comes first. The order of triangles has no influence on the
/// interval. It decides which of several pairs that are as near is told.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Gap {
    /// The distance is not less,
    pub lo: f64,
    /// and not more; 0 exactly if the bodies meet.
    pub hi: f64,
    /// A triangle of each, which [`points`](Self::points) are on. With [`Accuracy::exact`] their distance is the
    /// bodies' distance, and of several such pairs they are the least. Otherwise their distance is at most
    /// [`hi`](Self::hi), and another pair may be nearer within the interval.
    pub triangles: [u32; 2],
    /// Near points of the two triangles in the world: on the first body and on the second. With
    /// [`Accuracy::exact`] they are nearest points, each coordinate rounded to the nearest number. Otherwise each
    /// coordinate is within 2^-47 of the largest number on the way from a point of the triangle: of the
    /// coordinates of the corners, multiplied with the pose, of those in the world, and of the distance.
    pub points: [[f64; 3]; 2],
}

impl Gap {
    /// Of bodies that meet, in these triangles.
    pub(crate) fn meeting([a, b]: [&Body<'_>; 2], triangles: [u32; 2]) -> Self {
        let point = contact_point(a, b, triangles).point;
        Self { lo: 0.0, hi: 0.0, triangles, points: [point; 2] }
    }
}

/// One of two things of which the distance is asked: triangles at a pose, or the point at a pose's origin.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'a> {
    pose: &'a Pose,
    /// None of a point, which counts as one triangle.
    mesh: Option<&'a Mesh>,
    extent: &'a [Vector; 2],
}

impl<'a> Shape<'a> {
    pub(crate) fn of(body: &'a Body<'a>) -> Self {
        Self { pose: &body.pose, mesh: Some(body.model.mesh()), extent: body.model.extent() }
    }
    /// The point to which a translation takes the origin.
    pub(crate) fn point(translation: &'a Pose) -> Self {
        Self { pose: translation, mesh: None, extent: &[[0.0; 3]; 2] }
    }
    fn corners(&self, i: u32) -> Triangle {
        self.mesh.map_or([[0.0; 3]; 3], |mesh| mesh.corners(i))
    }
    /// How many triangles there are.
    fn len(&self) -> u32 {
        self.mesh.map_or(1, |mesh| mesh.len() as u32)
    }
    /// The size: no more than the longest side of the box, in the world, around the box of the triangles.
    fn size(&self) -> f64 {
        let [lo, hi] = self.extent;
        let sides = sub(*hi, *lo);
        let longest = size(&sides);
        self.pose.rows().iter().fold(0.0, |most: f64, row| {
            let own = (row[0] * sides[0]).abs() + (row[1] * sides[1]).abs() + (row[2] * sides[2]).abs();
            most.max(own.min(size(row) * longest))
        })
    }
}

/// How far a point is from a body's surface, and where that is as near.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClosestPoint {
    /// The distance is not less,
    pub lo: f64,
    /// and not more; 0 exactly if the point is on the surface.
    pub hi: f64,
    /// The triangle that [`point`](Self::point) is on. With [`Accuracy::exact`] it is the least of the nearest
    /// triangles. Otherwise its distance is at most [`hi`](Self::hi), and another one may be nearer within
    /// the interval.
    pub triangle: u32,
    /// A near point of that triangle, in the world. With [`Accuracy::exact`] it is the nearest one, each
    /// coordinate rounded to the nearest number. Otherwise it is as precise as [`Gap::points`].
    pub point: [f64; 3],
}

/// The pairs of triangles of two bodies, or of a point and a body.
pub(crate) struct Pairs<'a> {
    shapes: [Shape<'a>; 2],
    /// Both are taken in an order of their own, so that the numbers are the same whichever is named first.
    second_first: bool,
    placing: Placing<'a>,
}

impl<'a> Pairs<'a> {
    pub(crate) fn new(shapes: [Shape<'a>; 2]) -> Self {
        let second_first = match shapes.map(|shape| shape.mesh) {
            [Some(a), Some(b)] => {
                let [p, q] = shapes.map(|shape| shape.pose);
                is_second_first([(p, a), (q, b)])
            }
            // A point comes first.
            _ => false,
        };
        let [a, b] = shapes.map(|shape| shape.pose);
        Self { shapes, second_first, placing: Placing::new(if second_first { [b, a] } else { [a, b] }) }
    }
    fn corners(&self, [i, j]: [u32; 2]) -> [Triangle; 2] {
        [self.shapes[0].corners(i), self.shapes[1].corners(j)]
    }
    /// In the order that counts.
    fn key(&self, [i, j]: [u32; 2]) -> [u32; 2] {
        if self.second_first { [j, i] } else { [i, j] }
    }
    /// What f64 tells of a pair, and how large coordinates are.
    fn nearest(&self, pair: [u32; 2]) -> (Nearest, f64) {
        if self.shapes[0].mesh.is_none() {
            return self.placing.nearest_to_point(&self.shapes[1].corners(pair[1]));
        }
        let [p, q] = self.corners(pair);
        if self.second_first {
            let (mut nearest, size) = self.placing.nearest(&q, &p);
            nearest.points.reverse();
            return (nearest, size);
        }
        self.placing.nearest(&p, &q)
    }
    /// The same of at most [`MOST_DOUBLES`] pairs of triangles together.
    fn ask(&self, level: SimdLevel, pairs: &[[u32; 2]], together: &mut Together) {
        for (lane, &pair) in pairs.iter().enumerate() {
            let [p, q] = self.corners(pair);
            self.placing.set(lane, if self.second_first { (&q, &p) } else { (&p, &q) }, together);
        }
        self.placing.ask(level, pairs.len(), together);
    }
    /// What was found of one of them.
    fn told(&self, lane: usize, together: &Together) -> Nearest {
        let mut nearest = together.told(&self.placing, lane);
        if self.second_first {
            nearest.points.reverse();
        }
        nearest
    }
    /// Compares a pair's distance with d, exactly.
    fn compare(&self, pair: [u32; 2], d: f64) -> Ordering {
        #[cfg(test)]
        exactly::tests::COMPARED.with(|count| count.set(count.get() + 1));
        let [p, q] = self.corners(pair);
        let [a, b] = self.placed([&p, &q]);
        compare(a, b, d)
    }
    fn placed<'t>(&'t self, [p, q]: [&'t Triangle; 2]) -> [TriangleAt<'t>; 2] {
        let [a, b] = self.shapes.map(|shape| shape.pose);
        [TriangleAt { pose: a, corners: p }, TriangleAt { pose: b, corners: q }]
    }
    /// Compares the distances of two pairs, exactly.
    fn compare_pairs(&self, x: [u32; 2], y: [u32; 2]) -> Ordering {
        #[cfg(test)]
        exactly::tests::COMPARED.with(|count| count.set(count.get() + 1));
        let ([p, q], [r, s]) = (self.corners(x), self.corners(y));
        compare_pairs(self.placed([&p, &q]), self.placed([&r, &s]))
    }
    /// What tells which other triangles are no nearer than a pair.
    fn support(&self, pair: [u32; 2]) -> Support {
        let [p, q] = self.corners(pair);
        Support::new(self.placed([&p, &q]))
    }
    /// The nearest points of a pair, rounded to the nearest numbers; `None` if it meets. A point is itself.
    fn points(&self, pair: [u32; 2]) -> Option<[Vector; 2]> {
        if self.compare(pair, 0.0).is_eq() {
            return None;
        }
        let [p, q] = self.corners(pair);
        let [a, b] = self.placed([&p, &q]);
        if !self.second_first {
            return Some(nearest_points([a, b]));
        }
        let [y, x] = nearest_points([b, a]);
        Some([x, y])
    }
    /// Whether the two triangles are no further apart than d.
    pub(crate) fn are_within(&self, pair: [u32; 2], d: f64) -> bool {
        let (Nearest { lo, hi, .. }, _) = self.nearest(pair);
        hi <= d || lo <= d && self.compare(pair, d) != Ordering::Greater
    }
}

/// Whether the second body is the first one in an order that does not depend on which is named first.
pub(crate) fn is_second_first([a, b]: [(&Pose, &Mesh); 2]) -> bool {
    fn key<'a>((pose, mesh): (&Pose, &'a Mesh)) -> impl PartialOrd + use<'a> {
        (*pose.translation(), *pose.rows(), mesh.points(), mesh.triangles())
    }
    key(b) < key(a)
}

/// A pair that may be the nearest.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    pair: [u32; 2],
    lo: f64,
}

/// Pairs that are looked at, and what they tell so far.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    all: Vec<Candidate>,
    /// When to forget those that are too far by now.
    full: usize,
    behind: Behind,
    /// Behind a pointer, as this is moved; made when it is first needed, and kept.
    together: Option<Box<Together>>,
}

/// The search for the least distance of two bodies that do not meet.
pub(crate) struct Search<'a> {
    pairs: Pairs<'a>,
    stop: Accuracy,
    candidates: &'a mut Candidates,
    best: Option<Best>,
    /// The nearest of the pairs that were compared exactly. It stays among the candidates.
    least: Option<Least>,
    /// A lower bound of the distance of pairs that were left out though they may be the nearest: they are as
    /// near as others, but for what intervals are wide anyway.
    left_out: f64,
}

/// The pair with the least upper bound.
#[derive(Clone, Copy)]
struct Best {
    pair: [u32; 2],
    nearest: Nearest,
    size: f64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(shapes: [Shape<'a>; 2], stop: Accuracy, candidates: &'a mut Candidates) -> Self {
        candidates.all.clear();
        candidates.full = 64;
        Self { pairs: Pairs::new(shapes), stop, candidates, best: None, least: None, left_out: f64::INFINITY }
    }
    /// Of pairs that are certainly further apart than this nothing has to be known, if one is `hi` apart.
    pub(crate) fn limit(&self, hi: f64) -> f64 {
        self.stop.limit(hi)
    }
    /// Looks at pairs of triangles, with these instructions where they are several.
    pub(crate) fn take(&mut self, level: SimdLevel, pairs: &[[u32; 2]], progress: &mut Progress) {
        if let [pair] = pairs {
            return self.note(*pair, self.pairs.nearest(*pair), progress);
        }
        if self.pairs.shapes[0].mesh.is_none() {
            return self.take_of_point(level, pairs, progress);
        }
        let mut together = self.candidates.together.take().unwrap_or_default();
        for pairs in pairs.chunks(MOST_DOUBLES) {
            self.pairs.ask(level, pairs, &mut together);
            for (lane, &pair) in pairs.iter().enumerate() {
                match together.bounds(lane) {
                    // Points are made of those that count alone.
                    Some((bounds, size)) => {
                        if self.is_better(pair, (bounds, size), progress) {
                            self.improve(pair, (self.pairs.told(lane, &together), size), progress);
                        }
                    }
                    None => self.note(pair, self.pairs.nearest(pair), progress),
                }
            }
        }
        self.candidates.together = Some(together);
    }
    /// The same of a point, which comes first.
    fn take_of_point(&mut self, level: SimdLevel, pairs: &[[u32; 2]], progress: &mut Progress) {
        let mut placed = [AtPoint::default(); MOST_DOUBLES];
        let mut triangles = Triangles::default();
        for pairs in pairs.chunks(MOST_DOUBLES) {
            for (lane, (placed, &[_, triangle])) in placed.iter_mut().zip(pairs).enumerate() {
                *placed = self.pairs.placing.placed_at_point(&self.pairs.shapes[1].corners(triangle));
                triangles.set(lane, &placed.near, &placed.offs);
            }
            triangles.ask(level, pairs.len());
            for (lane, (&pair, placed)) in pairs.iter().zip(&placed).enumerate() {
                let found = if placed.is_plain() {
                    let found = triangles.found(lane);
                    (self.pairs.placing.told_of_point(placed, &found), placed.extent)
                } else {
                    self.pairs.nearest(pair)
                };
                self.note(pair, found, progress);
            }
        }
    }
    /// What f64 tells of a pair.
    fn note(&mut self, pair: [u32; 2], (nearest, size): (Nearest, f64), progress: &mut Progress) {
        if self.is_better(pair, ([nearest.lo, nearest.hi], size), progress) {
            self.improve(pair, (nearest, size), progress);
        }
    }
    /// Notes the bounds of a pair's distance. Whether it is the best so far: of equal upper bounds the one
    /// from which the interval follows is chosen by numbers, and only then by the numbers of triangles, so
    /// that the interval does not depend on their order.
    #[inline(always)]
    fn is_better(&mut self, pair: [u32; 2], ([lo, hi], size): ([f64; 2], f64), progress: &Progress) -> bool {
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
                hi < best.nearest.hi
                    || hi == best.nearest.hi
                        && (best.nearest.lo, best.size, self.pairs.key(pair))
                            < (lo, size, self.pairs.key(best.pair))
            }
        }
    }
    /// Takes the best pair so far.
    fn improve(&mut self, pair: [u32; 2], (nearest, size): (Nearest, f64), progress: &mut Progress) {
        self.best = Some(Best { pair, nearest, size });
        progress.limit = progress.limit.min(self.limit(nearest.hi));
        progress.direction = Some(sub(nearest.points[1], nearest.points[0]));
    }
    /// Those that are certainly further apart.
    fn forget(&mut self, limit: f64) {
        self.candidates.all.retain(|candidate| candidate.lo <= limit);
    }
    /// The distance, rounded down and up; `hi` is not less.
    fn rounded(&self, hi: f64) -> [f64; 2] {
        let (mut nearest, mut is_beyond) = ([hi.min(f64::MAX); 2], true);
        // Only those that are nearer than all before them are halved down to: of many pairs, few.
        for &Candidate { pair, lo } in &self.candidates.all {
            if lo <= nearest[0] {
                match self.pairs.compare(pair, nearest[0]) {
                    Ordering::Less => nearest = self.rounded_of(pair, lo, nearest[0]),
                    Ordering::Equal => nearest[1] = nearest[0],
                    Ordering::Greater => continue,
                }
                is_beyond = false;
            }
        }
        // Of what is not as near as the last number there is, f64 says no more.
        if is_beyond { [f64::MAX, f64::INFINITY] } else { nearest }
    }
    /// The distance of one pair, which is from `lo` to `hi`.
    fn rounded_of(&self, pair: [u32; 2], lo: f64, hi: f64) -> [f64; 2] {
        // The bits of numbers that are not negative are in their order.
        let (mut lo, mut hi) = (lo.to_bits(), hi.to_bits());
        while lo < hi {
            let middle = f64::from_bits(lo + (hi - lo) / 2);
            match self.pairs.compare(pair, middle) {
                Ordering::Equal => return [middle; 2],
                Ordering::Less => hi = middle.to_bits(),
                Ordering::Greater => lo = middle.to_bits() + 1,
            }
        }
        // All numbers below are less.
        let hi = f64::from_bits(lo);
        if self.pairs.compare(pair, hi) == Ordering::Equal { [hi; 2] } else { [hi.next_down(), hi] }
    }
    /// The least pair that meets, of those that were looked at.
    pub(crate) fn contact(&self) -> Option<[u32; 2]> {
        let unproven = self.candidates.all.iter().filter(|candidate| candidate.lo == 0.0);
        let meet =
            unproven.map(|candidate| candidate.pair).filter(|&pair| self.pairs.compare(pair, 0.0).is_eq());
        meet.min()
    }
    /// Which of the stop's intervals the distance is in; `None` if it is more than `above`. `interval` is
    /// that of `hi`, or of `above` if that is less: pairs further apart than where it begins were not looked
    /// at.
    fn coarse(&mut self, interval: [f64; 2], hi: f64, least: f64, above: f64) -> Option<[f64; 2]> {
        if hi > above && (least > above || !self.is_any(above, Ordering::is_le)) {
            return None;
        }
        let mut found = interval;
        if least < interval[0] && self.is_any(interval[0], Ordering::is_lt) {
            self.resolve();
            found = self.rounded(hi.min(above));
            found = self.stop.interval(found[0]).unwrap_or(found);
        }
        Some([found[0], found[1].min(above)])
    }
    /// The answer; `None` if it is more than asked for, or there are no triangles.
    pub(crate) fn finish(mut self) -> Option<Gap> {
        let Best { pair, nearest, size } = self.best?;
        let size = self.pairs.shapes.iter().fold(size, |size, shape| size.max(shape.size()));
        self.forget(self.limit(nearest.hi));
        let least = self.candidates.all.iter().fold(nearest.lo, |lo, candidate| lo.min(candidate.lo));
        let above = self.stop.above.map_or(f64::INFINITY, Margin::get);
        if let Some(interval) = self.stop.interval(nearest.hi.min(above)) {
            let [lo, hi] = self.coarse(interval, nearest.hi, least, above)?;
            return Some(Gap { lo, hi, triangles: pair, points: nearest.points });
        }
        let (mut lo, mut hi) = (nearest.lo.min(nearest.hi - size * SLACK).max(0.0), nearest.hi);
        // An upper bound beyond f64 is none.
        let is_narrow = hi < f64::INFINITY && hi - nearest.lo <= size.max(hi) * WIDE;
        let is_exact = self.stop.is_exact_up_to(hi);
        let mut found = (pair, nearest.points);
        if is_exact || !is_narrow {
            self.resolve();
            [lo, hi] = self.rounded(hi);
            // They are no nearer than what was found, or than this.
            lo = lo.min(self.left_out);
        } else if least < lo && self.is_any(lo, Ordering::is_lt) {
            self.resolve();
            lo = self.rounded(lo)[0];
        }
        if hi > above {
            // What is exactly as far as asked for is not further.
            if lo > above || !self.is_any(above, Ordering::is_le) {
                return None;
            }
            hi = above;
        }
        if is_exact && let Some(least) = &self.least {
            found = (least.pair, self.pairs.points(least.pair).unwrap_or(nearest.points));
        }
        let (triangles, points) = found;
        Some(Gap { lo, hi, triangles, points })
    }
}

impl Search<'_> {
    /// The answer for a point, which comes first.
    pub(crate) fn finish_point(self) -> Option<ClosestPoint> {
        if let Some([_, triangle]) = self.contact() {
            return Some(ClosestPoint {
                lo: 0.0,
                hi: 0.0,
                triangle,
                point: *self.pairs.shapes[0].pose.translation(),
            });
        }
        let Gap { lo, hi, triangles: [_, triangle], points: [_, point] } = self.finish()?;
        Some(ClosestPoint { lo, hi, triangle, point })
    }
}

/// How much below its upper bound a lower one is told to be, of the size of the bodies: 2^-44. Pairs that are
/// as near but for rounding then need no integers.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;
/// Pairs that are good enough for [`closest`], of coordinates up to 1 at least, do not widen that.
const _: () = assert!(2.0 * closest::GOOD <= SLACK);
/// Intervals wider than this, of that size or the distance, are made exact: 2^-40.
const WIDE: f64 = 1.0 / (1_u64 << 40) as f64;
