//! How far two bodies are apart: what is asked, what is answered, and how pairs of triangles decide it.
//!
//! # One answer
//! Floating point gives each pair of triangles an interval, by operations that every machine rounds alike
//! ([`of_pair`]). The pair with the least upper bound is never left out of a walk, whatever the order, since
//! no lower bound of it exceeds its upper one; so it is the same always, and with it the points and the upper
//! bound. Which others are looked at depends on the walk. The lower bound that is told is that pair's own,
//! less a little, if no other pair is nearer, else the distance rounded down: both depend on the meshes
//! alone, as integers decide what intervals do not.
use crate::{
    Body, Error, contact_point,
    exact::{
        distance::{TriangleAt, compare},
        probe::Rounded,
    },
    hierarchy,
    triangle::closest::{self, Nearest},
    vector::{UNIT, Vector},
};
use std::{cmp::Ordering, ops::ControlFlow};

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
    /// Between two neighbours in f64, or exactly one number: as near as f64 can say it. It takes some 0.1 ms
    /// more.
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

/// What f64 tells of two placed triangles, in the world.
pub(crate) fn of_pair(a: TriangleAt<'_>, b: TriangleAt<'_>) -> (Nearest, f64) {
    // The same numbers whichever comes first.
    if flattened(&b).partial_cmp(&flattened(&a)) == Some(Ordering::Less) {
        let (mut nearest, size) = in_order(b, a);
        nearest.points.reverse();
        return (nearest, size);
    }
    in_order(a, b)
}

fn flattened<'a>(t: &TriangleAt<'a>) -> [&'a [f64]; 3] {
    [t.pose.translation(), t.pose.rows().as_flattened(), t.corners.as_flattened()]
}

/// R v, as far as it is known.
fn turned(t: &TriangleAt<'_>, v: &Vector) -> [Rounded; 3] {
    use crate::exact::probe::Number;
    t.pose.rows().map(|row| {
        let term = |k: usize| Rounded::new(row[k], 0.0).times(&Rounded::new(v[k], 0.0));
        term(0).plus(&term(1)).plus(&term(2))
    })
}

fn in_order(a: TriangleAt<'_>, b: TriangleAt<'_>) -> (Nearest, f64) {
    use crate::exact::probe::Number;
    let number = |x: f64| Rounded::new(x, 0.0);
    // Relative to a's translation, and then to its first corner: what is near is subtracted without loss.
    let of_a = a.corners.each_ref().map(|v| turned(&a, v));
    let shift = [0, 1, 2].map(|k| number(b.pose.translation()[k]).minus(&number(a.pose.translation()[k])));
    let of_b = b.corners.each_ref().map(|v| {
        let v = turned(&b, v);
        [0, 1, 2].map(|k| v[k].plus(&shift[k]))
    });
    let origin = of_a[0].map(|x| x.value());
    let relative = |v: &[Rounded; 3]| [0, 1, 2].map(|k| v[k].minus(&number(origin[k])));
    let all = [of_a, of_b].map(|t| t.each_ref().map(relative));
    let (mut size, mut off) = (0.0, 0.0);
    for x in all.as_flattened().as_flattened() {
        size = larger(size, x.value().abs());
        off = larger(off, x.error());
    }
    // Between 1 and 2, so that nothing over- or underflows that matters.
    if !(size > 0.0 && size < f64::MAX && off < f64::MAX) {
        let points = [a, b].map(|t| t.pose.place(t.corners[0]));
        return (Nearest { points, lo: 0.0, hi: f64::INFINITY }, size);
    }
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    let scale = |x: f64, e: i32| {
        let (half, rest) = (e / 2, e - e / 2);
        x * 2.0_f64.powi(half) * 2.0_f64.powi(rest)
    };
    let [p, q] = all.map(|t| t.map(|v| v.map(|x| scale(x.value(), -exponent))));
    // Subnormal coordinates become as exact as others; those that become subnormal are off by 2^-1074.
    let off = scale(off, -exponent) * (1.0 + 4.0 * UNIT) + 1e-300;
    let found = closest::nearest(&p, &q, 2.0, off);
    let place = |v: Vector| [0, 1, 2].map(|k| scale(v[k], exponent) + origin[k] + a.pose.translation()[k]);
    let (lo, hi) = (scale(found.lo, exponent), scale(found.hi, exponent));
    // Only what is subnormal is rounded.
    let lo = if exponent < -900 { lo.next_down().max(0.0) } else { lo };
    let hi = if exponent < -900 { hi.next_up() } else { hi };
    (Nearest { points: found.points.map(place), lo, hi }, size)
}

/// NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

/// Who looks at pairs of triangles: it returns how far apart pairs may be that still matter, or breaks.
pub(crate) struct Visitor<'a> {
    pub(crate) limit: f64,
    look: &'a mut dyn FnMut([u32; 2]) -> ControlFlow<(), f64>,
}

impl<'a> Visitor<'a> {
    pub(crate) fn new(limit: f64, look: &'a mut dyn FnMut([u32; 2]) -> ControlFlow<(), f64>) -> Self {
        Self { limit, look }
    }
    #[inline(always)]
    pub(crate) fn take(&mut self, pair: [u32; 2]) -> ControlFlow<()> {
        self.limit = (self.look)(pair)?;
        ControlFlow::Continue(())
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

/// Whether two triangles of two bodies are no further apart than d.
pub(crate) fn is_within([a, b]: [&Body<'_>; 2], [i, j]: [u32; 2], d: f64) -> bool {
    let (p, q) = (a.model.mesh().corners(i), b.model.mesh().corners(j));
    let (p, q) = (TriangleAt { pose: &a.pose, corners: &p }, TriangleAt { pose: &b.pose, corners: &q });
    let (Nearest { lo, hi, .. }, _) = of_pair(p, q);
    hi <= d || lo <= d && compare(p, q, d) != Ordering::Greater
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
    bodies: [&'a Body<'a>; 2],
    stop: Stop,
    candidates: &'a mut Candidates,
    /// Of pairs that are as near, the one with the least triangle of the second body counts, then of the
    /// first. So it is the same one whichever body is named first.
    second_first: bool,
    best: Option<Best>,
    /// Pairs that are certainly further apart do not matter.
    pub(crate) limit: f64,
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
        let limit = stop.above.map_or(f64::INFINITY, Margin::get);
        let key = |body: &Body<'a>| {
            let mesh = body.model.mesh();
            (*body.pose.translation(), *body.pose.rows(), mesh.points(), mesh.triangles())
        };
        let second_first = key(bodies[1]) < key(bodies[0]);
        Self { bodies, stop, candidates, second_first, best: None, limit }
    }
    fn triangles<'t>(&self, corners: &'t [[Vector; 3]; 2]) -> [TriangleAt<'t>; 2]
    where
        'a: 't,
    {
        let at = |k: usize| TriangleAt { pose: &self.bodies[k].pose, corners: &corners[k] };
        [at(0), at(1)]
    }
    fn corners(&self, [i, j]: [u32; 2]) -> [[Vector; 3]; 2] {
        [self.bodies[0].model.mesh().corners(i), self.bodies[1].model.mesh().corners(j)]
    }
    /// Of bodies that meet, in these triangles.
    pub(crate) fn meeting(&self, triangles: [u32; 2]) -> Gap {
        let [a, b] = self.bodies;
        let point = contact_point(a, b, triangles).point;
        Gap { lo: 0.0, hi: 0.0, triangles, points: [point; 2] }
    }
    /// Looks at a pair of triangles.
    pub(crate) fn take(&mut self, pair: [u32; 2]) {
        let corners = self.corners(pair);
        let [a, b] = self.triangles(&corners);
        let (nearest, size) = of_pair(a, b);
        if nearest.lo > self.limit {
            return;
        }
        self.candidates.all.push(Candidate { pair, lo: nearest.lo });
        let order = |[i, j]: [u32; 2]| if self.second_first { [j, i] } else { [i, j] };
        let is_better = |best: &Best| (nearest.hi, order(pair)) < (best.nearest.hi, order(best.pair));
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(Best { pair, nearest, size });
            self.limit = self.limit.min(nearest.hi);
        }
        if self.candidates.all.len() >= self.candidates.full {
            self.forget();
            self.candidates.full = 2 * self.candidates.all.len().max(32);
        }
    }
    fn forget(&mut self) {
        let limit = self.limit;
        self.candidates.all.retain(|candidate| candidate.lo <= limit);
    }
    /// Whether some pair that was looked at is nearer than d, or as near.
    fn compare(&self, d: f64) -> Ordering {
        let mut least = Ordering::Greater;
        for candidate in self.candidates.all.iter().filter(|candidate| candidate.lo <= d) {
            let corners = self.corners(candidate.pair);
            let [a, b] = self.triangles(&corners);
            least = least.min(compare(a, b, d));
            if least == Ordering::Less {
                break;
            }
        }
        least
    }
    /// The distance, rounded down and up; it lies between `lo` and `hi`.
    fn rounded(&self, lo: f64, hi: f64) -> [f64; 2] {
        if hi == f64::INFINITY && self.compare(f64::MAX) == Ordering::Greater {
            return [f64::MAX, hi];
        }
        let hi = hi.min(f64::MAX);
        // The bits of numbers that are not negative are in their order.
        let (mut lo, mut hi) = (lo.to_bits(), hi.to_bits());
        while lo < hi {
            let middle = f64::from_bits(lo + (hi - lo) / 2);
            match self.compare(middle) {
                Ordering::Equal => return [middle; 2],
                Ordering::Less => hi = middle.to_bits(),
                Ordering::Greater => lo = middle.to_bits() + 1,
            }
        }
        // No number below is as far, and it was not equal to any that was tried.
        let hi = f64::from_bits(lo);
        if self.compare(hi) == Ordering::Equal { [hi; 2] } else { [hi.next_down(), hi] }
    }
    /// The answer; `None` if it is more than asked for, or there are no triangles.
    pub(crate) fn finish(mut self) -> Option<Gap> {
        self.forget();
        let Best { pair, nearest, size } = self.best?;
        let least = self.candidates.all.iter().fold(nearest.lo, |lo, candidate| lo.min(candidate.lo));
        let (mut lo, mut hi) = (nearest.lo.min(nearest.hi - size * SLACK).max(0.0), nearest.hi);
        let is_wide = !(hi - nearest.lo <= size.max(hi) * WIDE);
        if self.stop.exact || is_wide {
            [lo, hi] = self.rounded(least, hi);
        } else if least < lo && self.compare(lo) == Ordering::Less {
            lo = self.rounded(least, lo)[0];
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

/// How much below its upper bound a lower one is told to be, of the size of coordinates: 2^-44. Pairs that
/// are as near but for rounding then need no integers.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;
/// Intervals wider than this, of sizes or the distance, are made exact: 2^-40.
const WIDE: f64 = 1.0 / (1_u64 << 40) as f64;
