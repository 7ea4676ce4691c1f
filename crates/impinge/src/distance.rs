//! How far two bodies are apart: what is asked, what is answered, and how pairs of triangles decide it.
//!
//! # One answer
//! Floating point gives each pair of triangles an interval, by operations that every machine rounds alike
//! ([`Pairs`]). The pair with the least upper bound is never left out of a walk, whatever the order, since
//! no lower bound of it exceeds its upper one; so it is the same always, and with it the points and the upper
//! bound. Which others are looked at depends on the walk. The lower bound that is told is that pair's own,
//! less a little, if no other pair is nearer, else the distance rounded down: both depend on the meshes
//! alone, as integers decide what intervals do not.
use crate::{
    Body, Error, Pose,
    certainty::sum_up,
    contact_point,
    exact::distance::{TriangleAt, compare},
    hierarchy,
    triangle::closest::{self, Nearest},
    vector::{UNIT, Vector, sub},
};
use std::{cmp::Ordering, ops::ControlFlow};

type Triangle = [Vector; 3];

/// A distance to compare with: finite, not negative, and taken as it is.
///
/// ```
/// use impinge::Margin;
/// assert_eq!(Margin::new(0.005)?.get(), 0.005);
/// assert!(Margin::new(-1.0).unwrap_err().is_not_a_distance());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Margin(f64);

impl Margin {
    /// None: what is no further apart meets.
    pub const ZERO: Self = Self(0.0);

    /// Of this distance.
    ///
    /// # Errors
    /// It is negative, infinite or NaN.
    pub fn new(distance: f64) -> Result<Self, Error> {
        if distance.is_finite() && distance >= 0.0 {
            // -0.0 becomes 0.0.
            Ok(Self(distance + 0.0))
        } else {
            Err(Error::not_a_distance(distance))
        }
    }
    /// The sum of both, exactly or the next number above it.
    ///
    /// # Errors
    /// It is more than f64 holds.
    pub fn plus(self, more: Self) -> Result<Self, Error> {
        Self::new(sum_up(self.0, more.0))
    }
    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// What of a distance is wanted: by default all that floating point gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stop {
    pub(crate) above: Option<Margin>,
    pub(crate) exact: bool,
}

impl Stop {
    /// The distance, whatever it is.
    pub fn new() -> Self {
        Self::default()
    }
    /// Only if it is not more than this: then nothing further away is looked at.
    #[must_use]
    pub fn above(self, above: Margin) -> Self {
        Self { above: Some(above), ..self }
    }
    /// Between two neighbours in f64, or exactly one number: as near as f64 can say it. Integers decide
    /// each of the steps to it.
    #[must_use]
    pub fn exact(self) -> Self {
        Self { exact: true, ..self }
    }
}

/// A distance of two bodies' surfaces, and where they are as near as that.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Gap {
    /// The distance is not less,
    pub lo: f64,
    /// and not more; 0 exactly if the bodies meet.
    pub hi: f64,
    /// A triangle of each, of which [`points`](Self::points) are points.
    pub triangles: [u32; 2],
    /// The nearest points, in the world, rounded: on the first body and on the second.
    pub points: [[f64; 3]; 2],
}

impl Gap {
    /// Of bodies that meet, in these triangles.
    pub(crate) fn meeting([a, b]: [&Body<'_>; 2], triangles: [u32; 2]) -> Self {
        let point = contact_point(a, b, triangles).point;
        Self { lo: 0.0, hi: 0.0, triangles, points: [point; 2] }
    }
}

/// Two poses, made ready to tell how far triangles at them are apart.
pub(crate) struct Placing<'a> {
    poses: [&'a Pose; 2],
    /// Whether their linear parts are the identity, which rounds nothing.
    plain: [bool; 2],
    /// The second translation less the first, and how far it may be off.
    shift: Vector,
    shift_off: f64,
}

impl<'a> Placing<'a> {
    /// Of poses in this order.
    fn new(poses: [&'a Pose; 2]) -> Self {
        let plain = poses.map(|pose| pose.rows() == Pose::IDENTITY.rows());
        let shift = sub(*poses[1].translation(), *poses[0].translation());
        Self { poses, plain, shift, shift_off: UNIT * size(&shift) }
    }
    /// R v for the corners of a triangle, and how far it may be off.
    fn turned(&self, which: usize, t: &Triangle) -> (Triangle, f64) {
        if self.plain[which] {
            return (*t, 0.0);
        }
        let (rows, mut most) = (self.poses[which].rows(), 0.0);
        let turned = t.map(|v| {
            rows.map(|row| {
                let terms = [row[0] * v[0], row[1] * v[1], row[2] * v[2]];
                most = larger(most, terms[0].abs() + terms[1].abs() + terms[2].abs());
                terms[0] + terms[1] + terms[2]
            })
        });
        // Three roundings of a term at most, and those of `most`; the last covers underflow.
        (turned, 4.0 * UNIT * most + f64::MIN_POSITIVE)
    }
    /// What f64 tells of two triangles at the two poses, and the size of their coordinates relative to each
    /// other.
    fn nearest(&self, p: &Triangle, q: &Triangle) -> (Nearest, f64) {
        // Relative to the first translation, and then to p's first corner: what is near is subtracted without
        // loss.
        let ((p, off_p), (q, off_q)) = (self.turned(0, p), self.turned(1, q));
        let far = p.iter().chain(&q).fold(0.0, |far, v| larger(far, size(v)));
        let origin = p[0];
        let p = p.map(|v| sub(v, origin));
        let q = q.map(|v| sub(add(v, self.shift), origin));
        let extent = p.iter().chain(&q).fold(0.0, |extent, v| larger(extent, size(v)));
        // Each difference is rounded; nothing is where the shift is none and the difference is exact, which
        // is not looked at. `far` and the shift bound what is rounded before.
        let sum =
            if self.shift == [0.0; 3] { 0.0 } else { UNIT * (far + size(&self.shift)) + self.shift_off };
        let off = larger(off_p, off_q) + sum + UNIT * extent;
        // Between 1 and 2, so that nothing over- or underflows that matters.
        if !(extent > 0.0 && extent < f64::MAX && off < f64::MAX) {
            let points = [self.place(0, origin), self.place(0, origin)];
            return (Nearest { points, lo: 0.0, hi: f64::INFINITY }, extent);
        }
        let exponent = ((extent.to_bits() >> 52) as i32 - 1023).max(-1022);
        let (down, up) = (Power::new(-exponent), Power::new(exponent));
        let scaled = |t: Triangle| t.map(|v| v.map(|x| down.times(x)));
        // What becomes subnormal is off by 2^-1074.
        let off = down.times(off) * (1.0 + 4.0 * UNIT) + 1e-300;
        let found = closest::nearest(&scaled(p), &scaled(q), 2.0, off);
        let place = |v: Vector| self.place(0, add(v.map(|x| up.times(x)), origin));
        let (lo, hi) = (up.times(found.lo), up.times(found.hi));
        // Only what is subnormal is rounded.
        let (lo, hi) = if exponent < -900 { (lo.next_down().max(0.0), hi.next_up()) } else { (lo, hi) };
        (Nearest { points: found.points.map(place), lo, hi }, extent)
    }
    /// What is relative to a translation, in the world.
    fn place(&self, which: usize, v: Vector) -> Vector {
        add(v, *self.poses[which].translation())
    }
}

/// A power of two, as a product of two, for numbers of any size.
struct Power([f64; 2]);

impl Power {
    fn new(e: i32) -> Self {
        let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
        Self([power(e / 2), power(e - e / 2)])
    }
    fn times(&self, x: f64) -> f64 {
        x * self.0[0] * self.0[1]
    }
}

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn size(v: &Vector) -> f64 {
    larger(larger(v[0].abs(), v[1].abs()), v[2].abs())
}

/// The pairs of triangles of two bodies.
pub(crate) struct Pairs<'a> {
    bodies: [&'a Body<'a>; 2],
    /// Both bodies are taken in an order of their own, so that the numbers are the same whichever is named
    /// first.
    second_first: bool,
    placing: Placing<'a>,
}

impl<'a> Pairs<'a> {
    pub(crate) fn new(bodies: [&'a Body<'a>; 2]) -> Self {
        let second_first = is_second_first(bodies);
        let [a, b] = [&bodies[0].pose, &bodies[1].pose];
        Self { bodies, second_first, placing: Placing::new(if second_first { [b, a] } else { [a, b] }) }
    }
    fn corners(&self, [i, j]: [u32; 2]) -> [Triangle; 2] {
        [self.bodies[0].model.mesh().corners(i), self.bodies[1].model.mesh().corners(j)]
    }
    /// In the order that counts.
    fn key(&self, [i, j]: [u32; 2]) -> [u32; 2] {
        if self.second_first { [j, i] } else { [i, j] }
    }
    /// What f64 tells of a pair, and how large coordinates are.
    fn nearest(&self, pair: [u32; 2]) -> (Nearest, f64) {
        let [p, q] = self.corners(pair);
        if self.second_first {
            let (mut nearest, size) = self.placing.nearest(&q, &p);
            nearest.points.reverse();
            return (nearest, size);
        }
        self.placing.nearest(&p, &q)
    }
    /// Compares a pair's distance with d, exactly.
    fn compare(&self, pair: [u32; 2], d: f64) -> Ordering {
        let [p, q] = self.corners(pair);
        let [a, b] = self.bodies;
        compare(TriangleAt { pose: &a.pose, corners: &p }, TriangleAt { pose: &b.pose, corners: &q }, d)
    }
    /// Whether the two triangles are no further apart than d.
    pub(crate) fn are_within(&self, pair: [u32; 2], d: f64) -> bool {
        let (Nearest { lo, hi, .. }, _) = self.nearest(pair);
        hi <= d || lo <= d && self.compare(pair, d) != Ordering::Greater
    }
}

/// Whether the second body is the first one in an order that does not depend on which is named first.
pub(crate) fn is_second_first([a, b]: [&Body<'_>; 2]) -> bool {
    fn key<'a>(body: &'a Body<'_>) -> impl PartialOrd + use<'a> {
        let mesh = body.model.mesh();
        (*body.pose.translation(), *body.pose.rows(), mesh.points(), mesh.triangles())
    }
    key(b) < key(a)
}

/// Whether a point of the world is certainly farther than the margin from all triangles of a body: by
/// intervals, O(n).
pub(crate) fn is_farther(body: &Body<'_>, point: Vector, margin: Margin) -> bool {
    let placing = Placing::new([&body.pose, &Pose::IDENTITY]);
    let mesh = body.model.mesh();
    (0..mesh.len() as u32).all(|t| placing.nearest(&mesh.corners(t), &[point; 3]).0.lo > margin.get())
}

/// NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

/// What is known while pairs of triangles are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Pairs that are certainly further apart do not matter.
    pub(crate) limit: f64,
    /// From the first body to the second where they are nearest so far, in the world: a guess, along which
    /// walks project.
    pub(crate) direction: Option<Vector>,
}

/// Who looks at pairs of triangles, until it breaks.
pub(crate) struct Visitor<'a> {
    pub(crate) progress: Progress,
    look: &'a mut dyn FnMut([u32; 2], &mut Progress) -> ControlFlow<()>,
}

impl<'a> Visitor<'a> {
    pub(crate) fn new(
        limit: f64,
        look: &'a mut dyn FnMut([u32; 2], &mut Progress) -> ControlFlow<()>,
    ) -> Self {
        Self { progress: Progress { limit, direction: None }, look }
    }
    #[inline(always)]
    pub(crate) fn take(&mut self, pair: [u32; 2]) -> ControlFlow<()> {
        (self.look)(pair, &mut self.progress)
    }
    /// All pairs of two bodies.
    pub(crate) fn take_all(&mut self, [a, b]: [&Body<'_>; 2], stop: hierarchy::Stop<'_>) -> ControlFlow<()> {
        for i in 0..a.model.mesh().len() as u32 {
            stop.check()?;
            for j in 0..b.model.mesh().len() as u32 {
                self.take([i, j])?;
            }
        }
        ControlFlow::Continue(())
    }
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
}

/// The search for the least distance of two bodies that do not meet.
pub(crate) struct Search<'a> {
    pairs: Pairs<'a>,
    stop: Stop,
    candidates: &'a mut Candidates,
    best: Option<Best>,
}

/// The pair with the least upper bound.
#[derive(Clone, Copy)]
struct Best {
    pair: [u32; 2],
    nearest: Nearest,
    size: f64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(bodies: [&'a Body<'a>; 2], stop: Stop, candidates: &'a mut Candidates) -> Self {
        candidates.all.clear();
        candidates.full = 64;
        Self { pairs: Pairs::new(bodies), stop, candidates, best: None }
    }
    /// Further apart than this is more than asked for.
    pub(crate) fn limit(&self) -> f64 {
        self.stop.above.map_or(f64::INFINITY, Margin::get)
    }
    /// Looks at a pair of triangles.
    pub(crate) fn take(&mut self, pair: [u32; 2], progress: &mut Progress) {
        let (nearest, size) = self.pairs.nearest(pair);
        if nearest.lo > progress.limit {
            return;
        }
        self.candidates.all.push(Candidate { pair, lo: nearest.lo });
        let key = |pair: [u32; 2]| self.pairs.key(pair);
        let is_better = |best: &Best| (nearest.hi, key(pair)) < (best.nearest.hi, key(best.pair));
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(Best { pair, nearest, size });
            progress.limit = progress.limit.min(nearest.hi);
            progress.direction = Some(sub(nearest.points[1], nearest.points[0]));
        }
        if self.candidates.all.len() >= self.candidates.full {
            self.forget(progress.limit);
            self.candidates.full = 2 * self.candidates.all.len().max(32);
        }
    }
    /// Those that are certainly further apart.
    fn forget(&mut self, limit: f64) {
        self.candidates.all.retain(|candidate| candidate.lo <= limit);
    }
    /// Whether some pair that was looked at is nearer than d, or as near.
    fn compare(&self, d: f64) -> Ordering {
        let mut least = Ordering::Greater;
        for candidate in self.candidates.all.iter().filter(|candidate| candidate.lo <= d) {
            least = least.min(self.pairs.compare(candidate.pair, d));
            if least == Ordering::Less {
                break;
            }
        }
        least
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
    /// The answer; `None` if it is more than asked for, or there are no triangles.
    pub(crate) fn finish(mut self) -> Option<Gap> {
        let Best { pair, nearest, size } = self.best?;
        let size = self.pairs.bodies.iter().fold(size, |size, body| size.max(extent(body)));
        self.forget(nearest.hi.min(self.limit()));
        let least = self.candidates.all.iter().fold(nearest.lo, |lo, candidate| lo.min(candidate.lo));
        let (mut lo, mut hi) = (nearest.lo.min(nearest.hi - size * SLACK).max(0.0), nearest.hi);
        // An upper bound beyond f64 is none.
        let is_narrow = hi < f64::INFINITY && hi - nearest.lo <= size.max(hi) * WIDE;
        if self.stop.exact || !is_narrow {
            [lo, hi] = self.rounded(hi);
        } else if least < lo && self.compare(lo) == Ordering::Less {
            lo = self.rounded(lo)[0];
        }
        if let Some(above) = self.stop.above.map(Margin::get)
            && hi > above
        {
            // What is exactly as far as asked for is not further.
            if lo > above || self.compare(above) == Ordering::Greater {
                return None;
            }
            hi = above;
        }
        Some(Gap { lo, hi, triangles: pair, points: nearest.points })
    }
}

/// The size of a body, about.
fn extent(body: &Body<'_>) -> f64 {
    let [lo, hi] = body.model.extent();
    let side = size(&sub(*hi, *lo));
    body.pose.rows().iter().fold(0.0, |most: f64, row| most.max(size(row) * side))
}

/// How much below its upper bound a lower one is told to be, of the size of the bodies: 2^-44. Pairs that are
/// as near but for rounding then need no integers.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;
/// Intervals wider than this, of that size or the distance, are made exact: 2^-40.
const WIDE: f64 = 1.0 / (1_u64 << 40) as f64;
