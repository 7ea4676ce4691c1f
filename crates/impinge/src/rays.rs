//! Rays and their hits.
//!
//! A triangle alone decides whether a ray meets it, and where: f64 if it is certain and determines t to
//! within 2^-40 of itself, else integers (`posed/ray.rs`). Trees only exclude triangles that are not met.
//!
//! # Rounding
//! u = 2^-53. Let o + t d be the ray, d taken times a power of two so that no |d_k| exceeds 2; c_i the placed
//! corners less o, e_i = R (v_j - v_i) the edges from one to the next. Corners are off by `off_c` (products,
//! sums and the difference of translations), edges by `off_e` (5 u of |R||v_j - v_i|); X and E bound their
//! coordinates.
//!
//! * A component of c x e is off by 2 (X off_e + E off_c + off_e off_c) and rounds by 4 u X E, and (c x e).d,
//!   three of them times 2, rounds by 32 u X E: in all less than 16 (X off_e + E off_c + off_e off_c) + 64 u
//!   X E.
//! * A component of n = e_0 x e_1 is off by `off_n` = 4 E off_e + 2 off_e^2 + 4 u E^2, n.d by 6 off_n + 32 u
//!   E^2, n.c by 3 (off_n X + 2 E^2 off_c + off_n off_c) + 16 u E^2 X.
//! * t = n.c / n.d with these errors p and q is off by (p + |t| q) / (|n.d| - q), and rounds by 2 u of
//!   itself.
//!
//! What underflows adds less than the least normal number, which every bound has added, that of n too: n.c
//! multiplies it. What overflows proves nothing, because the bound is then infinite or NaN: no sum in (c x
//! e).d exceeds 12 X E, in n.d 12 E^2, in n.c 6 E^2 X, and each bound first multiplies 16 X E, 16 E^2, 16 E^2
//! X, and only then by u.
mod corners;
mod through;

use self::through::{KNOWN, Through};
use crate::{
    Body, Error, Pose, exact, pose,
    posed::{
        distance::TriangleAt,
        ray::{self, RayAt},
    },
    vector::{UNIT, Vector, cross, dot, sub},
};
use std::{cell::Cell, cmp::Ordering};

/// A half-line or a segment: the points o + t d for 0 <= t, up to the t that [`Ray::until`] sets. Both
/// vectors are taken as they are; t is measured in lengths of d.
///
/// ```
/// use impinge::rays::Ray;
/// let ray = Ray::new([0., 0., 1.], [0., 0., -2.])?.until(3.5)?;
/// assert_eq!((ray.origin(), ray.direction(), ray.end()), ([0., 0., 1.], [0., 0., -2.], 3.5));
/// assert!(Ray::new([0.; 3], [0.; 3]).unwrap_err().is_not_a_ray());
/// assert!(ray.until(-1.0).unwrap_err().is_not_a_ray());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vector,
    direction: Vector,
    until: f64,
}

impl Ray {
    /// From a point, without end.
    ///
    /// # Errors
    /// A coordinate that is not finite, or a direction that is 0: [`Error::is_not_a_ray`].
    pub fn new(origin: [f64; 3], direction: [f64; 3]) -> Result<Self, Error> {
        if !origin.iter().chain(&direction).all(|x| x.is_finite()) {
            return Err(Error::not_a_ray("a coordinate of a ray's origin or direction is not finite"));
        }
        if direction == [0.0; 3] {
            return Err(Error::not_a_ray("a ray's direction is 0, which is none"));
        }
        Ok(Self { origin, direction, until: f64::INFINITY })
    }
    /// That far and no further: with 1, the segment from o to o + d.
    ///
    /// # Errors
    /// `t_max` is negative or NaN: [`Error::is_not_a_ray`].
    #[doc(alias("max_time_of_impact", "max_toi"))]
    pub fn until(self, t_max: f64) -> Result<Self, Error> {
        if t_max >= 0.0 {
            // -0.0 becomes 0.0.
            Ok(Self { until: t_max + 0.0, ..self })
        } else {
            Err(Error::not_a_ray("a ray's end is before its origin, or NaN"))
        }
    }
    /// Where it begins.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }
    /// Which way it runs, and the unit of t.
    pub fn direction(&self) -> [f64; 3] {
        self.direction
    }
    /// The greatest t, infinity by default.
    pub fn end(&self) -> f64 {
        self.until
    }
    /// The point o + t d, for any t. Each coordinate is rounded once, to the f64 nearest to the exact value
    /// (ties to even): its error is at most half a unit in its last place. NaN if t is not finite.
    ///
    /// ```
    /// use impinge::rays::Ray;
    /// let ray = Ray::new([1., 2., 3.], [0., 0., -2.])?;
    /// assert_eq!(ray.at(1.5), [1., 2., 0.]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias = "point_at")]
    pub fn at(&self, t: f64) -> [f64; 3] {
        let [x, y, z] = self.direction;
        pose::place(&[[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], &self.origin, [t; 3])
    }
    fn as_given(&self) -> RayAt<'_> {
        RayAt { origin: &self.origin, direction: &self.direction, until: self.until }
    }
}

/// A triangle that a ray meets, and where.
#[doc(alias = "RayIntersection")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The triangle.
    pub triangle: u32,
    /// An interval that holds the least t at which the ray meets it: 2^-40 of t wide at most, mostly far
    /// less.
    pub enter: [f64; 2],
    /// Interval of the greatest t: equal to `enter`, unless the ray runs within the triangle for a while.
    pub leave: [f64; 2],
    /// How the ray crosses the surface here: 1 if it leaves through the triangle's front, the side from which
    /// the corners go counterclockwise, -1 if it enters through it, 0 if it touches without crossing.
    ///
    /// A ray through an edge, a corner or along a face crosses what it would if it were moved by an
    /// infinitely small vector, the same for all triangles. So the crossings of a closed mesh add up to the
    /// winding number at the ray's origin less the one at its end, if neither is on the surface. A mirrored
    /// body keeps the fronts of its mesh.
    pub crossing: i8,
}

/// A ray and a placed mesh, made ready to decide about triangles.
pub(crate) struct Cast<'a> {
    ray: Ray,
    body: &'a Body<'a>,
    /// -1 where the pose mirrors.
    handedness: i8,
    plain: bool,
    /// The translation less the origin, and how far that may be off.
    shift: Vector,
    shift_off: f64,
    /// The direction times a power of two, and what t is then to be multiplied by, in two factors.
    direction: Vector,
    unit: [f64; 2],
    /// Its end for that direction; NaN where that may be rounded.
    end: f64,
    /// The last corners that the ray was found to run through: see `rays/corners.rs`.
    known: [Cell<Option<Through>>; KNOWN],
}

/// The f64 result for a triangle.
enum Known {
    Missed,
    Hit(RayHit),
    Unsure,
}

/// How much of t an interval may be wide: 2^-40.
const WIDE: f64 = 1.0 / (1_u64 << 40) as f64;

/// -1 for a body that is mirrored, else 1.
pub(crate) fn handedness(body: &Body<'_>) -> i8 {
    if body.pose.is_rigid() || exact::handedness(body.pose.rows()) > 0 { 1 } else { -1 }
}

/// Then the exact sort compares each of many hits at one t with the next, mostly only once.
fn sort_roughly(hits: &mut [RayHit]) {
    hits.sort_unstable_by(|a, b| a.enter[0].total_cmp(&b.enter[0]).then(a.triangle.cmp(&b.triangle)));
}

fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

impl<'a> Cast<'a> {
    pub(crate) fn new(ray: &Ray, body: &'a Body<'a>, handedness: i8) -> Self {
        let (o, t, d) = (ray.origin, *body.pose.translation(), ray.direction);
        let shift = sub(t, o);
        // Nothing is rounded where 0 is subtracted, or from 0.
        let most =
            (0..3).filter(|&k| o[k] != 0.0 && t[k] != 0.0).fold(0.0, |m: f64, k| m.max(shift[k].abs()));
        let size = d[0].abs().max(d[1].abs()).max(d[2].abs());
        // Between 1 and 2, or less if it is subnormal.
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(-1022);
        let factors = [power(-exponent / 2), power(-exponent - -exponent / 2)];
        let direction = d.map(|x| x * factors[0] * factors[1]);
        let end = ray.until / factors[0] / factors[1];
        let is_exact = end > 1e-250 && end < 1e250 || ray.until == f64::INFINITY;
        Self {
            ray: *ray,
            body,
            handedness,
            plain: body.pose.rows() == Pose::IDENTITY.rows(),
            shift,
            shift_off: UNIT * most,
            direction,
            unit: factors,
            end: if is_exact { end } else { f64::NAN },
            known: [const { Cell::new(None) }; KNOWN],
        }
    }
    /// The direction times a power of two: about 1 long.
    pub(crate) fn direction(&self) -> &Vector {
        &self.direction
    }
    /// A parameter of the ray, for that direction.
    pub(crate) fn scaled(&self, t: f64) -> f64 {
        t / self.unit[0] / self.unit[1]
    }
    /// Where the ray meets a triangle, if it does.
    pub(crate) fn hit(&self, triangle: u32) -> Option<RayHit> {
        let corners = self.body.model.mesh().corners(triangle);
        match self.filter(triangle, self.sides(&corners)) {
            Known::Missed => None,
            Known::Hit(hit) => Some(hit),
            Known::Unsure => self.decide(triangle, &corners),
        }
    }
    /// The same, decided by integers alone: the reference. Where floating point is certain of t, its interval
    /// is taken if integers agree with it.
    pub(crate) fn hit_by_integers(&self, triangle: u32) -> Option<RayHit> {
        let corners = self.body.model.mesh().corners(triangle);
        let (exact, _) = self.decide_by_integers(triangle, &corners)?;
        let meet = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a <= d && c <= b;
        let known = match self.filter(triangle, self.sides(&corners)) {
            Known::Unsure => self.filter(triangle, self.near_sides(&corners)),
            known => known,
        };
        match known {
            Known::Hit(hit)
                if hit.crossing == exact.crossing
                    && meet(hit.enter, exact.enter)
                    && meet(hit.leave, exact.leave) =>
            {
                Some(hit)
            }
            _ => Some(exact),
        }
    }
    fn compare_by_integers(&self, a: &RayHit, b: &RayHit) -> Ordering {
        let corners = [a, b].map(|hit| self.body.model.mesh().corners(hit.triangle));
        self.compare_corners(&corners).then(a.triangle.cmp(&b.triangle))
    }
    /// Sorts hits by the exact t at which the ray enters, then by triangle.
    pub(crate) fn sort(&self, hits: &mut [RayHit]) {
        sort_roughly(hits);
        hits.sort_unstable_by(|a, b| self.compare(a, b));
    }
    /// Sorts hits by integers alone.
    pub(crate) fn sort_by_integers(&self, hits: &mut [RayHit]) {
        sort_roughly(hits);
        hits.sort_unstable_by(|a, b| self.compare_by_integers(a, b));
    }
    /// The order of hits: by the exact t at which the ray enters, then by triangle.
    pub(crate) fn compare(&self, a: &RayHit, b: &RayHit) -> Ordering {
        if a.enter[1] < b.enter[0] {
            return Ordering::Less;
        }
        if b.enter[1] < a.enter[0] {
            return Ordering::Greater;
        }
        if a.enter[0] == a.enter[1] && a.enter == b.enter {
            return a.triangle.cmp(&b.triangle);
        }
        self.compare_exactly(a, b).then(a.triangle.cmp(&b.triangle))
    }
    #[cold]
    #[inline(never)]
    fn compare_exactly(&self, a: &RayHit, b: &RayHit) -> Ordering {
        let corners = [a, b].map(|hit| self.body.model.mesh().corners(hit.triangle));
        if self.enter_at_one_corner(&corners) {
            return Ordering::Equal;
        }
        self.compare_corners(&corners)
    }
    fn compare_corners(&self, corners: &[[Vector; 3]; 2]) -> Ordering {
        let [p, q] = [0, 1].map(|i| TriangleAt { pose: &self.body.pose, corners: &corners[i] });
        ray::compare(&self.ray.as_given(), [p, q])
    }
    #[cold]
    #[inline(never)]
    fn decide(&self, triangle: u32, corners: &[Vector; 3]) -> Option<RayHit> {
        if let Some((i, t)) = self.known_corner(corners)
            && let Some(crossing) = self.at_known_corner(corners, i)
        {
            return Some(RayHit { triangle, enter: t, leave: t, crossing });
        }
        match self.filter(triangle, self.near_sides(corners)) {
            Known::Missed => return None,
            Known::Hit(hit) => return Some(hit),
            Known::Unsure => {}
        }
        let (hit, corner) = self.decide_by_integers(triangle, corners)?;
        if let Some(i) = corner
            && self.known_corner(corners).is_none()
        {
            self.remember(Through { corner: corners[i], t: hit.enter });
        }
        Some(hit)
    }
    /// The hit by integers alone, and the corner that the ray runs through.
    fn decide_by_integers(&self, triangle: u32, corners: &[Vector; 3]) -> Option<(RayHit, Option<usize>)> {
        let found = ray::meet(&self.ray.as_given(), TriangleAt { pose: &self.body.pose, corners })?;
        let crossing = found.crossing * self.handedness;
        Some((RayHit { triangle, enter: found.enter, leave: found.leave, crossing }, found.corner))
    }
    /// R v, and a bound of |R||v|.
    fn turned(&self, v: &Vector) -> (Vector, f64) {
        if self.plain {
            return (*v, 0.0);
        }
        let (rows, mut most) = (self.body.pose.rows(), 0.0);
        let mut turned = [0.0; 3];
        for k in 0..3 {
            let terms = [rows[k][0] * v[0], rows[k][1] * v[1], rows[k][2] * v[2]];
            let sum = terms[0].abs() + terms[1].abs() + terms[2].abs();
            most = if sum <= most { most } else { sum };
            turned[k] = terms[0] + terms[1] + terms[2];
        }
        (turned, most)
    }
    /// How the ray crosses a triangle, and whether it begins on it; `None` if it does not meet it.
    pub(crate) fn crossing(&self, triangle: u32) -> Option<(i8, bool)> {
        let corners = self.body.model.mesh().corners(triangle);
        if let Some(known) = self.known_crossing(self.sides(&corners)) {
            return known;
        }
        self.decide_crossing(triangle, &corners)
    }
    #[cold]
    #[inline(never)]
    fn decide_crossing(&self, triangle: u32, corners: &[Vector; 3]) -> Option<(i8, bool)> {
        if let Some(known) = self.known_crossing(self.near_sides(corners)) {
            return known;
        }
        let hit = self.decide(triangle, corners)?;
        // An interval of t is no wider than a part of t: this is 0.
        Some((hit.crossing, hit.enter[1] == 0.0))
    }
    /// The result of floating point; `None` where it is not certain.
    #[inline(always)]
    fn known_crossing(&self, sides: Option<Sides>) -> Option<Option<(i8, bool)>> {
        let Some(sides) = sides else { return Some(None) };
        let Plane { num, den, num_off, den_off } = sides.plane(&self.direction);
        // NaN and infinity prove nothing.
        if num.abs() > num_off && den.abs() > den_off {
            let way = if den > 0.0 { 1 } else { -1 };
            if (num > 0.0) != (den > 0.0) {
                return Some(None);
            }
            // |num| against the end times |den|: each rounds twice, and a quotient of both is at least that.
            let [more, less] = [1.0 + 8.0 * UNIT, 1.0 - 8.0 * UNIT];
            if (num.abs() - num_off) * less > self.end * ((den.abs() + den_off) * more) {
                return Some(None);
            }
            let is_before_end = (num.abs() + num_off) * more < self.end * ((den.abs() - den_off) * less);
            if sides.is_through && is_before_end {
                return Some(Some((way * self.handedness, false)));
            }
        }
        None
    }
    /// A triangle as the ray passes it; `None` if it certainly misses it.
    #[inline(always)]
    fn sides(&self, v: &[Vector; 3]) -> Option<Sides> {
        let (mut c, mut e) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        // Not `f64::max`, which drops NaN. A later number may replace a NaN here, but what is calculated from
        // the coordinate that is NaN is NaN itself, and proves nothing.
        let larger = |m: f64, x: f64| if x <= m { m } else { x };
        let (mut most_c, mut most_e, mut far, mut side) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..3 {
            let (at, sum) = self.turned(&v[i]);
            most_c = larger(most_c, sum);
            let (edge, sum) = self.turned(&sub(v[(i + 1) % 3], v[i]));
            most_e = larger(most_e, sum);
            for k in 0..3 {
                c[i][k] = at[k] + self.shift[k];
                e[i][k] = edge[k];
                far = larger(far, c[i][k].abs());
                side = larger(side, edge[k].abs());
            }
        }
        let off_c = 4.0 * UNIT * most_c + self.shift_off + UNIT * far + f64::MIN_POSITIVE;
        let off_e = 5.0 * UNIT * most_e + UNIT * side + f64::MIN_POSITIVE;
        let (x, d) = (far + off_c, self.direction);
        let bound = bound(x, side, off_c, off_e);
        let sides = [dot(cross(c[0], e[0]), d), dot(cross(c[1], e[1]), d), dot(cross(c[2], e[2]), d)];
        let above = sides.map(|x| x > bound);
        let below = sides.map(|x| x < -bound);
        if (above[0] | above[1] | above[2]) & (below[0] | below[1] | below[2]) {
            return None;
        }
        let is_through = above[0] & above[1] & above[2] | below[0] & below[1] & below[2];
        Some(Sides { corner: c[0], edges: [e[0], e[1]], x, off_c, side, off_e, is_through })
    }
    /// The same from the corner that is nearest to the origin, with the bounds of that corner for the two
    /// edges that end there and for the plane: near an apex only these are small enough.
    #[inline(never)]
    fn near_sides(&self, v: &[Vector; 3]) -> Option<Sides> {
        let size = |v: &Vector| v[0].abs().max(v[1].abs()).max(v[2].abs());
        // A corner less the origin, and how far it may be off.
        let place = |v: &Vector| {
            let (at, sum) = self.turned(v);
            let c = [0, 1, 2].map(|k| at[k] + self.shift[k]);
            (c, 4.0 * UNIT * sum + self.shift_off + UNIT * size(&c) + f64::MIN_POSITIVE)
        };
        let sizes = v.map(|v| size(&place(&v).0));
        let nearest = (0..3).fold(0, |least, i| if sizes[i] < sizes[least] { i } else { least });
        let v = [0, 1, 2].map(|i| v[(nearest + i) % 3]);
        let edges = [0, 1, 2].map(|i| self.turned(&sub(v[(i + 1) % 3], v[i])));
        let [(near, off_c), (far, off_far)] = [place(&v[0]), place(&v[1])];
        let side = edges.iter().fold(0.0, |most: f64, (e, _)| most.max(size(e)));
        let most_e = edges.iter().fold(0.0, |most: f64, (_, sum)| most.max(*sum));
        let off_e = 5.0 * UNIT * most_e + UNIT * side + f64::MIN_POSITIVE;
        let (x, d) = (size(&near) + off_c, self.direction);
        let bounds = [bound(x, side, off_c, off_e), bound(size(&far) + off_far, side, off_far, off_e)];
        let bounds = [bounds[0], bounds[1], bounds[0]];
        // c_2 x e_2 is c_0 x e_2, as c_0 is c_2 + e_2.
        let ends = [near, far, near];
        let sides = [0, 1, 2].map(|i| dot(cross(ends[i], edges[i].0), d));
        let above = [0, 1, 2].map(|i| sides[i] > bounds[i]);
        let below = [0, 1, 2].map(|i| sides[i] < -bounds[i]);
        if above.contains(&true) && below.contains(&true) {
            return None;
        }
        let is_through = above == [true; 3] || below == [true; 3];
        Some(Sides { corner: near, edges: [edges[0].0, edges[1].0], x, off_c, side, off_e, is_through })
    }
    #[inline(always)]
    fn filter(&self, triangle: u32, sides: Option<Sides>) -> Known {
        let Some(sides) = sides else { return Known::Missed };
        let Plane { num, den, num_off, den_off } = sides.plane(&self.direction);
        let least = den.abs() - den_off;
        let t = num / den;
        let off = (num_off + t.abs() * den_off) / least * (1.0 + 8.0 * UNIT) + 4.0 * UNIT * t.abs();
        let to_world = |t: f64| t * self.unit[0] * self.unit[1];
        let (lo, hi) = (to_world(t - off), to_world(t + off));
        // NaN and infinity prove nothing; nor does what may have been rounded because it is subnormal.
        let is_behind = hi < 0.0 && t + off < -f64::MIN_POSITIVE;
        let is_beyond = lo > self.ray.until && lo > 1e-290;
        if least > 0.0 && (is_behind || is_beyond) {
            return Known::Missed;
        }
        let is_between = lo > 1e-290 && hi < 1e290 && hi <= self.ray.until;
        let is_certain = least > 0.0 && sides.is_through && is_between && hi - lo <= WIDE * lo;
        if !is_certain {
            return Known::Unsure;
        }
        let way = if den > 0.0 { 1 } else { -1 };
        Known::Hit(RayHit { triangle, enter: [lo, hi], leave: [lo, hi], crossing: way * self.handedness })
    }
}

/// How far (c x e).d may be off, given X, E and the errors: see the head. 16 X E comes before u.
#[inline(always)]
fn bound(x: f64, side: f64, off_c: f64, off_e: f64) -> f64 {
    let wide = 16.0 * x;
    wide * off_e + 16.0 * off_c * (side + off_e) + wide * side * (4.0 * UNIT) + f64::MIN_POSITIVE
}

/// A triangle that a ray may meet, relative to its origin: see the head.
struct Sides {
    corner: Vector,
    edges: [Vector; 2],
    /// X, and E without its error.
    x: f64,
    off_c: f64,
    side: f64,
    off_e: f64,
    /// Whether the ray's line certainly goes through the inside.
    is_through: bool,
}

/// The ray meets the plane of a triangle at t = num / den, which are off by less than the others.
struct Plane {
    num: f64,
    den: f64,
    num_off: f64,
    den_off: f64,
}

impl Sides {
    #[inline(always)]
    fn plane(&self, d: &Vector) -> Plane {
        let &Self { corner, edges, x, off_c, side, off_e, .. } = self;
        let n = cross(edges[0], edges[1]);
        // 16 E^2, and 16 E^2 X below: see the head.
        let square = 16.0 * side * side;
        let off_n = 4.0 * side * off_e + 2.0 * off_e * off_e + 0.25 * UNIT * square + f64::MIN_POSITIVE;
        Plane {
            num: dot(n, corner),
            den: dot(n, *d),
            num_off: 3.0 * (off_n * x + 0.125 * square * off_c + off_n * off_c)
                + square * x * UNIT
                + f64::MIN_POSITIVE,
            den_off: 6.0 * off_n + square * (2.0 * UNIT) + f64::MIN_POSITIVE,
        }
    }
}

#[cfg(test)]
mod tests;
