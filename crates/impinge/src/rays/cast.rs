//! Intersection of a ray and a triangle.
use super::{
    hit::RayHit,
    ray::Ray,
    sides::{PlaneParameter, RayTriangle},
    through::{KNOWN, Through},
};
use crate::{
    Body, Pose, exact,
    posed::{distance::TriangleAt, ray},
    vector::{UNIT, Vector, sub},
};
use std::cell::Cell;

/// A ray and a placed mesh, prepared for tests of triangles.
pub(crate) struct Cast<'a> {
    pub(super) ray: Ray,
    pub(super) body: &'a Body<'a>,
    /// -1 where the pose mirrors.
    pub(super) handedness: i8,
    pub(super) plain: bool,
    /// The translation less the origin, and the bound of its error.
    pub(super) shift: Vector,
    pub(super) shift_off: f64,
    /// The direction times a power of two, and that power as two factors. A parameter t for this direction,
    /// times these, is that of the ray.
    pub(super) direction: Vector,
    pub(super) unit: [f64; 2],
    /// The ray's end for that direction; NaN if it may be rounded.
    pub(super) end: f64,
    /// The last corners that the ray was found to run through: see `rays/corners.rs`.
    pub(super) known: [Cell<Option<Through>>; KNOWN],
}

/// The f64 result for a triangle.
enum RayFilterResult {
    Missed,
    Hit(RayHit),
    Unsure,
}

/// Largest width of an interval of t, relative to t: 2^-40.
const WIDE: f64 = 1.0 / (1_u64 << 40) as f64;

/// -1 for a body that is mirrored, else 1.
pub(crate) fn handedness(body: &Body<'_>) -> i8 {
    if body.pose.is_rigid() || exact::handedness(body.pose.rows()) > 0 { 1 } else { -1 }
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
        // Scaled, the size is between 1 and 2, or less if it is subnormal.
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
    /// A parameter of the ray, for the direction that `direction` returns.
    pub(crate) fn scaled(&self, t: f64) -> f64 {
        t / self.unit[0] / self.unit[1]
    }
    /// Hit of a triangle, if the ray meets it.
    pub(crate) fn hit(&self, triangle: u32) -> Option<RayHit> {
        let corners = self.body.model.mesh().corners(triangle);
        match self.filter(triangle, self.sides(&corners)) {
            RayFilterResult::Missed => None,
            RayFilterResult::Hit(hit) => Some(hit),
            RayFilterResult::Unsure => self.decide(triangle, &corners),
        }
    }
    /// Hit of a triangle, decided by integers alone: the reference. It has the interval of floating point
    /// where that is certain of t and agrees with integers.
    pub(crate) fn hit_by_integers(&self, triangle: u32) -> Option<RayHit> {
        let corners = self.body.model.mesh().corners(triangle);
        let (exact, _) = self.decide_by_integers(triangle, &corners)?;
        let meet = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a <= d && c <= b;
        let known = match self.filter(triangle, self.sides(&corners)) {
            RayFilterResult::Unsure => self.filter(triangle, self.near_sides(&corners)),
            known => known,
        };
        match known {
            RayFilterResult::Hit(hit)
                if hit.crossing == exact.crossing
                    && meet(hit.enter, exact.enter)
                    && meet(hit.leave, exact.leave) =>
            {
                Some(hit)
            }
            _ => Some(exact),
        }
    }
    #[cold]
    #[inline(never)]
    pub(super) fn decide(&self, triangle: u32, corners: &[Vector; 3]) -> Option<RayHit> {
        if let Some((i, t)) = self.known_corner(corners)
            && let Some(crossing) = self.at_known_corner(corners, i)
        {
            return Some(RayHit { triangle, enter: t, leave: t, crossing });
        }
        match self.filter(triangle, self.near_sides(corners)) {
            RayFilterResult::Missed => return None,
            RayFilterResult::Hit(hit) => return Some(hit),
            RayFilterResult::Unsure => {}
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
    #[inline(always)]
    fn filter(&self, triangle: u32, sides: Option<RayTriangle>) -> RayFilterResult {
        let Some(sides) = sides else { return RayFilterResult::Missed };
        let PlaneParameter { num, den, num_off, den_off } = sides.plane(&self.direction);
        let least = den.abs() - den_off;
        let t = num / den;
        let off = (num_off + t.abs() * den_off) / least * (1.0 + 8.0 * UNIT) + 4.0 * UNIT * t.abs();
        let to_world = |t: f64| t * self.unit[0] * self.unit[1];
        let (lo, hi) = (to_world(t - off), to_world(t + off));
        // NaN and infinity prove nothing, nor do subnormal numbers, which may be rounded.
        let is_behind = hi < 0.0 && t + off < -f64::MIN_POSITIVE;
        let is_beyond = lo > self.ray.until && lo > 1e-290;
        if least > 0.0 && (is_behind || is_beyond) {
            return RayFilterResult::Missed;
        }
        let is_between = lo > 1e-290 && hi < 1e290 && hi <= self.ray.until;
        let is_certain = least > 0.0 && sides.is_through && is_between && hi - lo <= WIDE * lo;
        if !is_certain {
            return RayFilterResult::Unsure;
        }
        let way = if den > 0.0 { 1 } else { -1 };
        RayFilterResult::Hit(RayHit {
            triangle,
            enter: [lo, hi],
            leave: [lo, hi],
            crossing: way * self.handedness,
        })
    }
}
