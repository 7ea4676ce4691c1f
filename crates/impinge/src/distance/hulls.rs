//! Distances of bodies with few points that a plane separates, as convex hulls are that do not meet. A walk
//! through trees of bodies that are so small opens most nodes. This search instead finds a direction n from
//! one body to the other, then by their heights along n the few triangles that may be nearest.
//!
//! # Direction
//! The search for the nearest points of two convex hulls by Gilbert, Johnson and Keerthi (1988) gives n. It
//! is a guess: what follows is true of any n.
//!
//! # Heights
//! Bodies A and B place their points at R x + s and S y + t. With d = t - s, a point of B is
//! n.(S y) + n.d - n.(R x) higher than one of A. Let r be the sum over the axes of the greatest |R x|, as the
//! products with the body's box bound it, |S y| and |d|. No component of n exceeds 1. R^T n rounds by 3 u of
//! each sum's terms, and its product with x by 3 u: 6 u r for both bodies together. d and n.d round by 4 u r,
//! and sums of the three by 4 u r. With second order terms all is less than [`ROUNDING`] r = 16 u r. r is no
//! less than 2^-100, so that underflow does not matter.
//!
//! Let g be the least height of B over A, less that bound, and the depth of a point its computed height above
//! the lowest of B, or below the highest of A. So no pair of triangles is nearer than g plus the least depth
//! of both, in lengths of n. Only pairs with depths up to the slack, L |n| - g, may be nearer than L.
//!
//! # Across
//! Let p and q be points of two such triangles that are at most L apart. Then p - q has a component of at
//! most sqrt(L^2 - g^2) across n. A triangle's corner is near if its depth is at most `NEAR` times the slack.
//! The depth of p is a weighted mean of its corners' depths. So the corners that are not near have a weight
//! of less than 1 / `NEAR`, and p is within 2 r / `NEAR` of the hull of the near corners. Their projections
//! along n are compared, in two directions across n. [`ROUNDING`] covers their rounding, and that the
//! directions are not quite across.
//!
//! # Limit
//! L is a guess, too: the height of B over A, and a little more. All pairs that may be nearer are tested. If
//! then the search's own limit is at most L, no other pair matters. Otherwise the walk goes on.
mod features;
mod points;
mod simplex;

use self::{
    features::{Depths, Features, across_apart},
    points::{HullPoints, MOST_POINTS, farthest_apart},
    simplex::VertexSimplex,
};
use crate::{
    Body, SimdLevel,
    counters::Count,
    simd::{MOST_DOUBLES, Simd, Work, detect},
    vector::{UNIT, Vector, cross, dot, sub},
    visitor::Visitor,
};

/// Bound of the rounding of a difference of heights, in sizes: see the module's head.
const ROUNDING: f64 = 16.0 * UNIT;
/// The room of the limit over the height, in sizes. f64 bounds of most pairs of triangles are narrower.
const ROOM: f64 = 512.0 * UNIT;
/// Slacks of a near corner's depth.
const NEAR: f64 = (1_u64 << 20) as f64;
/// The most triangles of a body.
const MOST_TRIANGLES: usize = 2 * MOST_POINTS;
/// The most pairs of triangles that are tested before the walk.
const MOST_PAIRS: usize = 256;
/// Steps of the search for the direction.
const MOST_STEPS: usize = 24;
/// Sizes for which squares and products of a few lengths neither over- nor underflow: 2^-100 and 2^100.
const LEAST_SIZE: f64 = f64::from_bits((1023 - 100) << 52);
const MOST_SIZE: f64 = f64::from_bits((1023 + 100) << 52);

/// Memory of the search. Made at first use, and kept.
#[derive(Debug, Default)]
pub(crate) struct HullMemory {
    boxed: Option<Box<Hulls>>,
}

/// Both bodies' points, and the triangles near the plane between them.
#[derive(Debug, Default)]
struct Hulls {
    points: [HullPoints; 2],
    features: [Features; 2],
}

/// A direction along which two bodies are apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullSeparation {
    /// Of a length of 1, but for rounding.
    n: Vector,
    /// Lower bound of the distance.
    pub(super) gap: f64,
    /// The greatest computed height of a point of the first body, and the least one of the second.
    ends: [f64; 2],
    /// r in the module's head, without and with |d|.
    own_size: f64,
    size: f64,
}

impl HullMemory {
    /// A direction along which the bodies are certainly apart, if they have few points. `seed` are triangles
    /// that may be near each other.
    pub(super) fn separation(
        &mut self,
        bodies: [&Body<'_>; 2],
        seed: Option<[u32; 2]>,
        level: SimdLevel,
    ) -> Option<HullSeparation> {
        let meshes = bodies.map(|body| body.model.mesh());
        if meshes
            .iter()
            .any(|mesh| mesh.points().len() > MOST_POINTS || mesh.len() > MOST_TRIANGLES || mesh.is_empty())
        {
            return None;
        }
        let shift = sub(*bodies[1].pose.translation(), *bodies[0].pose.translation());
        let sizes = bodies.map(size_of);
        let own_size = sizes[0].placed + sizes[1].placed;
        let size = own_size + shift[0].abs() + shift[1].abs() + shift[2].abs();
        let is_plain = |size: f64| (LEAST_SIZE..=MOST_SIZE).contains(&size);
        if !(is_plain(size) && sizes.iter().all(|size| is_plain(size.own))) {
            return None;
        }
        let hulls = self.boxed.get_or_insert_default();
        let start = match seed {
            Some([i, j]) => sub(
                bodies[1].pose.place(meshes[1].corners(j)[0]),
                bodies[0].pose.place(meshes[0].corners(i)[0]),
            ),
            None => {
                let [a, b] = bodies.map(|body| {
                    let [lo, hi] = body.model.extent();
                    body.pose.place([0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0))
                });
                sub(b, a)
            }
        };
        for (points, body) in hulls.points.iter_mut().zip(bodies) {
            points.set(body);
        }
        let n = detect(level).call(DirectionSearch { points: &hulls.points, shift, start, size })?;
        let ends = detect(level).call(HeightsWork { points: &mut hulls.points, n });
        let gap = (ends[1] + dot(n, shift) - ends[0] - ROUNDING * size) * (1.0 - 8.0 * UNIT);
        // False for NaN.
        (gap > 0.0).then_some(HullSeparation { n, gap, ends, own_size, size })
    }

    /// Shows the visitor the pairs of triangles that may be nearest. True if no other pair matters.
    pub(super) fn visit(
        &mut self,
        separation: &HullSeparation,
        bodies: [&Body<'_>; 2],
        level: SimdLevel,
        count: &mut Count,
        visitor: &mut Visitor<'_>,
    ) -> bool {
        let HullSeparation { n, gap, ends, own_size, size } = *separation;
        let limit = (gap + ROOM * size).min(visitor.limit());
        if gap > limit {
            return true;
        }
        let Some(hulls) = &mut self.boxed else { return false };
        // The gap was rounded down.
        let slack = (limit - gap) * (1.0 + 16.0 * UNIT) + ROUNDING * size;
        let axes = axes_across(n);
        let shift = sub(*bodies[1].pose.translation(), *bodies[0].pose.translation());
        let points = &mut hulls.points;
        let near = detect(level).call(NearWork { points, ends, limit: NEAR * slack });
        for which in 0..2 {
            let mesh = bodies[which].model.mesh();
            let shift = if which == 0 { [0.0; 3] } else { shift };
            let depths = Depths { slack, near: near[which] };
            if !hulls.features[which].find(mesh, &hulls.points[which], &depths, &axes, shift) {
                return false;
            }
        }
        let [of_a, of_b] = &hulls.features;
        let room = ((limit - gap) * (limit + gap)).max(0.0).sqrt() * (1.0 + 16.0 * UNIT)
            + (4.0 / NEAR) * own_size
            + 4.0 * ROUNDING * size;
        let mut near = [0_u64; features::MOST_FEATURES];
        let mut pairs = 0;
        for (near, f) in near.iter_mut().zip(&of_a.all) {
            for (j, g) in of_b.all.iter().enumerate() {
                if !across_apart(f, g, room) {
                    *near |= 1 << j;
                    pairs += f.triangles * g.triangles;
                }
            }
        }
        if pairs > MOST_PAIRS {
            return false;
        }
        count.triangles_tested(pairs as u64);
        let (mut some, mut filled) = ([[0; 2]; MOST_DOUBLES], 0);
        for a in &of_a.triangles {
            for b in &of_b.triangles {
                if near[usize::from(a.feature)] >> b.feature & 1 == 0 {
                    continue;
                }
                some[filled] = [a.triangle, b.triangle];
                filled += 1;
                if filled == MOST_DOUBLES {
                    filled = 0;
                    if visitor.take_some(&some).is_break() {
                        return true;
                    }
                }
            }
        }
        if filled > 0 && visitor.take_some(&some[..filled]).is_break() {
            return true;
        }
        visitor.limit() <= limit
    }
}

/// Sums over the axes of the greatest coordinates.
struct Size {
    /// In the body's own frame.
    own: f64,
    /// Turned by the pose, but not moved.
    placed: f64,
}

fn size_of(body: &Body<'_>) -> Size {
    let [lo, hi] = body.model.extent();
    let most = [0, 1, 2].map(|k| lo[k].abs().max(hi[k].abs()));
    let row = |row: &Vector| row[0].abs() * most[0] + row[1].abs() * most[1] + row[2].abs() * most[2];
    let rows = body.pose.rows();
    Size { own: most[0] + most[1] + most[2], placed: row(&rows[0]) + row(&rows[1]) + row(&rows[2]) }
}

/// Two directions across n and each other, all of length 1 but for rounding.
fn axes_across(n: Vector) -> [Vector; 2] {
    // The two smaller components change least.
    let size = n.map(f64::abs);
    let k = if size[0] <= size[1] && size[0] <= size[2] { 0 } else { 1 + usize::from(size[2] < size[1]) };
    let mut axis = [0.0; 3];
    axis[k] = 1.0;
    let u = cross(n, axis);
    let length = dot(u, u).sqrt();
    let u = u.map(|x| x / length);
    [u, cross(n, u)]
}

/// Finds a direction from the one body to the other, or none if they may overlap.
struct DirectionSearch<'a> {
    points: &'a [HullPoints; 2],
    shift: Vector,
    start: Vector,
    size: f64,
}

impl Work for DirectionSearch<'_> {
    type Out = Option<Vector>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Vector> {
        let Self { points, shift, start, size } = self;
        let (mut v, mut simplex) = (start, VertexSimplex::default());
        let (mut square, mut nearest) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..MOST_STEPS {
            let pair = farthest_apart(simd, points, v);
            let w = points[1].placed(pair[1], shift);
            let w = sub(w, points[0].placed(pair[0], [0.0; 3]));
            // No point is nearer but for rounding. The start is no point of the simplex.
            if nearest < f64::INFINITY && (square - dot(v, w) <= ENOUGH * square || simplex.has(pair)) {
                break;
            }
            v = simplex.add(w, pair)?;
            square = dot(v, v);
            if square >= nearest {
                break;
            }
            nearest = square;
        }
        // A vector that is so short is inaccurate.
        let mut n = v;
        if square < SHORT * size * size
            && let Some(normal) = simplex.normal()
        {
            n = normal;
        }
        let square = dot(n, n);
        let length = if dot(n, v) < 0.0 { -square.sqrt() } else { square.sqrt() };
        // False for NaN.
        (square > LEAST_SQUARE).then_some([n[0] / length, n[1] / length, n[2] / length])
    }
}

/// Relative difference of squares that ends the search.
const ENOUGH: f64 = 16.0 * UNIT;
/// Square of a length, in sizes, below which it is short: 2^-20.
const SHORT: f64 = 1.0 / (1_u64 << 20) as f64;
/// Least square of a direction: underflow does not change it.
const LEAST_SQUARE: f64 = 1e-290;

/// Computes the heights of both bodies' points along n. Returns the greatest one of the first and the least
/// one of the second.
struct HeightsWork<'a> {
    points: &'a mut [HullPoints; 2],
    n: Vector,
}

impl Work for HeightsWork<'_> {
    type Out = [f64; 2];
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f64; 2] {
        let Self { points: [a, b], n } = self;
        let [_, most] = a.heights(simd, n);
        let [least, _] = b.heights(simd, n);
        [most, least]
    }
}

/// Computes the depths of both bodies' points. Returns those up to a limit as bits.
struct NearWork<'a> {
    points: &'a mut [HullPoints; 2],
    ends: [f64; 2],
    limit: f64,
}

impl Work for NearWork<'_> {
    type Out = [[u64; MOST_POINTS / 64]; 2];
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [[u64; MOST_POINTS / 64]; 2] {
        let Self { points: [a, b], ends, limit } = self;
        [a.near(simd, ends[0], limit), b.near(simd, ends[1], limit)]
    }
}
