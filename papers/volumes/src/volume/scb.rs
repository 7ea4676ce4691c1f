//! Slab cut balls { x : |x - c| <= r, f <= n.(x - c) <= e } (Larsson and Akenine-Moller 2008), 36 bytes, or
//! 26 (section 1.1 of the paper).
//!
//! The fit is that of their section 2: the ball of [`ball::of_extremal`], the slab of [`slab::narrow`], in
//! O(n). The slab need not hold the ball's centre.
//!
//! The child under test is given in its own normalized frame, where the ball around the other volume's image
//! has been stored since that node was opened. Cheapest tests come first: ball against ball (10 operations
//! and a comparison), that ball against the child's slab (7, 2), and, once the child's ball is transformed
//! (20), that against the other's slab (10, 2). Then the slabs against each other, if their planes are nearly
//! parallel (5, 1). With g = M^T n the slab's normal in the other's normalized frame, its ball's centre at
//! distance d from the slab's own, and any number k,
//!
//! n.(M z) = k (n'.z) + (g - k n').z, which lies in k [f', e'] -+ |g - k n'| r' for the z of the other
//! volume, {|z| <= r', f' <= n'.z <= e'}.
//!
//! The volumes are apart if d + that interval misses [f, e]. For a rotation and k = g.n' this is the cylinder
//! of the paper's Figure 8, whose radius r' appears as r' sin(alpha). But it holds for every linear map and
//! normals of any length, needs no case for which sides face each other (and so has none of the three slips
//! of the printed pseudocode), and has no difference 1 - cos^2 that cancels. One way (20, 3), then the other
//! (15 for the child's g, 5 for k, 20, 3): at most 112 operations, 2 of them roots, and 12 comparisons, the
//! transforms included; the paper's has 99 and 13. A child that is opened further keeps its g.
//!
//! "Nearly parallel" is |cos(alpha)| > 0.7 as in the paper: see [`ALIGNED`]. Experiments:
//! `docs/notebook.md`, "The papers' volumes".
//!
//! # Bounds
//! The bounds of the fit are those of [`ball::stored`] and [`MARGIN`]. The rounded n is as good a normal as
//! any, since e and f are measured against it. It has |n| <= 1.
//!
//! In what follows, M and c are as computed, |M|_i is the sum of row i of |M|, and |M| is the length of the
//! vector of these sums. L is the length of the vector of 9 |M|_i + 2 |c_i| + 9. The slack is the length of
//! the sum of two vectors: a is 32 u times that vector, b is twice the error of a transformed point. No
//! coordinate is negative, and 0.86^2 + 0.5^2 < 1. So the slack is at least 0.86 |a| + |b| / 2, which is 27.5
//! u L and that error once. Bounds of sizes:
//!
//! * Points of triangles and centres are within 4 on each axis (and a rounding), so r <= 14.
//! * |c - c'| <= L/2 and r |M| <= 1.6 L.
//! * sigma = [`Motion::norm`] <= 1.4 |M|, so sigma r <= 2.2 L.
//!
//! The errors of the test of two balls, and of a ball and a slab, are 21 u L in all:
//!
//! * the centre's image: 4 roundings of L/2;
//! * a distance or a product with n: 5 of L/2;
//! * sigma r: 2 of 2.2 L;
//! * sums and comparisons: 4 of at most 3 L.
//!
//! The errors of the test of two slabs are 25.1 u L in all, as the transform's error is that of a triangle's
//! point x = c' + z, not of c' and z separately:
//!
//! * d, with the centre's image: 4 u L;
//! * g: 3 roundings of |M|. They are multiplied by z, which is at most 8 on an axis: 2.7 u L;
//! * g - k n', for the k as computed: r |M| <= 1.56 L bounds |k| r, |k e'| and |g - k n'| r. The difference
//!   takes 2 of it, its length and the product with r 4, k e' one: 11 u L;
//! * three sums, which round once each: the reach, 1.6 L; d and k e', 2.1 L; both, 3.7 L: 7.4 u L. The
//!   comparison is exact.
//!
//! Underflow takes less than 2^-500, and the slack is at least 2^-45. An overflow makes the slack infinite,
//! or it makes the interval infinite or NaN on the side that matters. Neither of these exceeds anything.
//!
//! # Rays and planes
//! A ray passes the volume where it passes both the ball and the slab. For a plane with normal a, and n' = n,
//! e' = e or n' = -n, e' = -f, a.z = k n'.z + (a - k n').z is at most k e' + |a - k n'| r for any k >= 0. The
//! least such bound is exact (a is bounded by the ball alone, or on the disc in which a plane cuts the ball).
//! Its k is n'.a - e' sqrt(|a|^2 - (n'.a)^2) / sqrt(r^2 - e'^2) for |n| = 1; the bound holds whatever it
//! rounds to, and k is cut off at 4 |a|. Then no term exceeds 16: 53 u for a - k n', 62 u for its length, 90
//! u for sums.
//!
//! # Distances
//! |n| <= 1, so a separation along n is a lower bound of a distance, as that of two balls is. Separations are
//! the tests' distances less their reaches, for slabs at any angle, as the interval above holds for any k.
//! The bounds are the tests'; a root takes the place of a square.
mod stored;

use super::{
    Apart,
    bounding_volume::BoundingVolume,
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap, Split,
    fit::ball,
    fit::extremal::extremal_points,
    fit::slab,
    gap,
    line::{Interval, Line, TAXICAB, meet},
    primitives::Primitives,
    refit::RefitVolume,
};
use impinge::hierarchy::{Motion, Placement, Vector};
use stored::{DecodedScb, MARGIN, Packed, Slab, Stored, Wide};

/// The slab cut ball of 36 bytes.
pub(crate) type Scb = SlabCutBall<Wide>;
/// The slab cut ball of 26 bytes.
pub(crate) type Scb26 = SlabCutBall<Packed>;

/// Constant a of the paper: slabs are compared with each other if the cosine of the angle between their
/// normals exceeds it.
const ALIGNED: f64 = 0.7;

/// A stored slab cut ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlabCutBall<S>(S);

/// A slab cut ball in its own normalized frame, and the parts of its image in the other's that tests need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransformedScb {
    own: DecodedScb,
    /// A ball around the image, the slack included.
    image_centre: Vector,
    image_radius: f64,
    /// The slab's normal in the other normalized frame: g.(M x) there is n.x here, up to a constant.
    gradient: Vector,
}

/// Both directions of the relative transform.
pub(crate) struct ScbPrecomputed {
    to_resting: ScbTransform,
    to_moving: ScbTransform,
    /// See [`gap::factor`].
    factor: f64,
}

/// One direction of the relative transform.
struct ScbTransform {
    motion: Motion,
    norm: f64,
    slack: f64,
    /// Slabs count as aligned if g.n' exceeds this: [`ALIGNED`] times the ratio of the normalized frames'
    /// scales. Any value gives correct results.
    aligned: f64,
}

#[inline(always)]
fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}
#[inline(always)]
fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl ScbTransform {
    fn new(motion: &Motion) -> Self {
        let norm = motion.norm;
        Self { motion: *motion, norm, slack: motion.slack(), aligned: ALIGNED * norm }
    }
    /// M^T n.
    #[inline(always)]
    fn gradient(&self, n: &Vector) -> Vector {
        let m = &self.motion.linear;
        std::array::from_fn(|k| m[0][k] * n[0] + m[1][k] * n[1] + m[2][k] * n[2])
    }
}

impl DecodedScb {
    fn holds(&self, lo: &Vector, hi: &Vector) -> bool {
        // The corner furthest from the centre, and those furthest along n and against it.
        let far: Vector =
            std::array::from_fn(|k| (hi[k] - self.centre[k]).abs().max((lo[k] - self.centre[k]).abs()));
        let along = |sign: f64| {
            let corner = std::array::from_fn(|k| if self.normal[k] * sign > 0.0 { hi[k] } else { lo[k] });
            dot(&self.normal, &sub(&corner, &self.centre))
        };
        dot(&far, &far).sqrt() <= self.radius && along(-1.0) >= self.low && along(1.0) <= self.high
    }
    /// True if the slab misses a ball whose centre is at distance `d` along n from this one's centre.
    #[inline(always)]
    fn is_clear_of(&self, d: f64, radius: f64) -> bool {
        d - self.high > radius || self.low - d > radius
    }
    /// True if the slab misses all of `other`: the image of its centre is at distance `d` along n, and its
    /// normal n' has g.n' = k.
    #[inline(always)]
    fn is_clear_of_slab(&self, d: f64, other: &Self, gradient: &Vector, k: f64, slack: f64) -> bool {
        let [low, high] = Self::interval(d, other, gradient, k, slack);
        low > self.high || high < self.low
    }
    /// An interval that contains n.x for all x of `other`.
    #[inline(always)]
    fn interval(d: f64, other: &Self, gradient: &Vector, k: f64, slack: f64) -> [f64; 2] {
        let h: Vector = std::array::from_fn(|i| gradient[i] - k * other.normal[i]);
        let reach = dot(&h, &h).sqrt() * other.radius + slack;
        let (x, y) = (k * other.low, k * other.high);
        let (low, high) = if k > 0.0 { (x, y) } else { (y, x) };
        [d + low - reach, d + high + reach]
    }
}

impl TransformedScb {
    #[inline(always)]
    fn new(own: DecodedScb, there: &ScbTransform, back: &ScbTransform) -> Self {
        Self {
            image_centre: there.motion.apply(own.centre),
            image_radius: own.radius * there.norm + there.slack,
            gradient: back.gradient(&own.normal),
            own,
        }
    }

    /// A lower bound of the distance to `other` in this volume's normalized frame: by the balls, by this slab
    /// and the other's ball, or by this slab and the other volume. `slack` is that of the map from the
    /// other's frame to this one.
    #[inline(always)]
    fn distance_in_own_frame(&self, other: &Self, slack: f64) -> f64 {
        let Self { own, gradient, .. } = self;
        let across = sub(&other.image_centre, &own.centre);
        let balls = dot(&across, &across).sqrt() - (own.radius + other.image_radius);
        let d = dot(&own.normal, &across);
        let ball = gap::larger(d - own.high, own.low - d) - other.image_radius;
        let k = dot(gradient, &other.own.normal);
        let [low, high] = DecodedScb::interval(d, &other.own, gradient, k, slack);
        let slab = gap::larger(low - own.high, own.low - high);
        gap::larger(gap::larger(gap::positive(balls), gap::positive(ball)), gap::positive(slab))
    }

    /// Transforms `own`, or proves it disjoint from `other`. `there` maps to `other`'s normalized frame,
    /// `back` from it.
    #[inline(always)]
    fn against(
        own: DecodedScb,
        other: &Self,
        there: &ScbTransform,
        back: &ScbTransform,
    ) -> Result<Self, Apart> {
        let across = sub(&other.image_centre, &own.centre);
        let reach = own.radius + other.image_radius;
        if dot(&across, &across) > reach * reach {
            return Err(Apart { test: 0, transformed: false });
        }
        let d = dot(&own.normal, &across);
        if own.is_clear_of(d, other.image_radius) {
            return Err(Apart { test: 1, transformed: false });
        }
        let image_centre = there.motion.apply(own.centre);
        let image_radius = own.radius * there.norm + there.slack;
        let d_other = dot(&other.own.normal, &sub(&image_centre, &other.own.centre));
        if other.own.is_clear_of(d_other, image_radius) {
            return Err(Apart { test: 2, transformed: true });
        }
        let k = dot(&other.gradient, &own.normal);
        let aligned = k.abs() > there.aligned;
        if aligned && other.own.is_clear_of_slab(d_other, &own, &other.gradient, k, there.slack) {
            return Err(Apart { test: 3, transformed: true });
        }
        let gradient = back.gradient(&own.normal);
        if aligned {
            let k = dot(&gradient, &other.own.normal);
            if own.is_clear_of_slab(d, &other.own, &gradient, k, back.slack) {
                return Err(Apart { test: 4, transformed: true });
            }
        }
        Ok(Self { own, image_centre, image_radius, gradient })
    }
}

impl<S: Stored> BoundingVolume for SlabCutBall<S> {
    type Precomputed = ScbPrecomputed;
    type Resting = TransformedScb;
    type Moving = TransformedScb;
    const PAPER: &'static str = "Larsson and Akenine-Moller 2008";
    // 112 and 12 comparisons; transforming is counted with the test, which does it step by step.
    const OPERATIONS: [u32; 2] = [124, 0];
    const SPLIT: Split = Split::Centroid;
    const OVERLAPS: &'static [Overlap] = &[Overlap::Auto];
    const TESTS: &'static [&'static str] =
        &["balls", "child's slab, ball", "slab, child's ball", "slab, child's slab", "child's slab, slab"];

    fn fit(primitives: &Primitives<'_>, _: Fit) -> Self {
        let points: Vec<_> = primitives.points().collect();
        let ends = extremal_points(points.iter().copied());
        let ball = ball::stored(&ball::of_extremal(&points, &ends), &points, &primitives.bounds);
        let normal = S::normal(slab::narrow(&points, &ends));
        let centre = ball.0.map(f64::from);
        let [low, high] = points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
            let x = dot(&normal, &sub(p, &centre));
            [low.min(x), high.max(x)]
        });
        Self(S::new(ball, &Slab { normal, low: low - MARGIN, high: high + MARGIN }))
    }
    fn holds(&self, lo: &Vector, hi: &Vector) -> bool {
        self.0.cut().holds(lo, hi)
    }

    fn precompute(placement: &Placement, _: Overlap) -> ScbPrecomputed {
        ScbPrecomputed {
            to_resting: ScbTransform::new(&placement.to_resting),
            to_moving: ScbTransform::new(&placement.to_moving),
            factor: gap::factor(placement),
        }
    }
    #[inline(always)]
    fn prepare_resting(&self, precomputed: &ScbPrecomputed) -> TransformedScb {
        TransformedScb::new(self.0.cut(), &precomputed.to_moving, &precomputed.to_resting)
    }
    #[inline(always)]
    fn prepare_moving(&self, precomputed: &ScbPrecomputed) -> TransformedScb {
        TransformedScb::new(self.0.cut(), &precomputed.to_resting, &precomputed.to_moving)
    }
    #[inline(always)]
    fn separation(precomputed: &ScbPrecomputed, a: &TransformedScb, b: &TransformedScb) -> Option<u8> {
        TransformedScb::against(b.own, a, &precomputed.to_resting, &precomputed.to_moving)
            .err()
            .map(|apart| apart.test)
    }
    #[inline(always)]
    fn gap(precomputed: &ScbPrecomputed, a: &TransformedScb, b: &TransformedScb) -> f64 {
        let resting = a.distance_in_own_frame(b, precomputed.to_resting.slack);
        let moving = b.distance_in_own_frame(a, precomputed.to_moving.slack);
        gap::larger(resting, moving * precomputed.factor)
    }
    #[inline(always)]
    fn resting_is_larger(_: &ScbPrecomputed, a: &TransformedScb, b: &TransformedScb) -> bool {
        a.own.radius >= b.image_radius
    }
    #[inline(always)]
    fn test_resting(
        &self,
        precomputed: &ScbPrecomputed,
        moving: &TransformedScb,
    ) -> Result<TransformedScb, Apart> {
        TransformedScb::against(self.0.cut(), moving, &precomputed.to_moving, &precomputed.to_resting)
    }
    #[inline(always)]
    fn test_moving(
        &self,
        precomputed: &ScbPrecomputed,
        resting: &TransformedScb,
    ) -> Result<TransformedScb, Apart> {
        TransformedScb::against(self.0.cut(), resting, &precomputed.to_resting, &precomputed.to_moving)
    }
}

impl DecodedScb {
    /// Upper bound of a.z for z from the centre to a point of the volume.
    #[inline(always)]
    fn reach(&self, a: &Vector, length: f64) -> f64 {
        let r = self.radius;
        let (along, most) = (dot(&self.normal, a), length * r);
        // n.z at the ball's point that is furthest along a, times |a|.
        let top = along * r;
        let (sign, plane) = if top > self.high * length {
            (1.0, self.high)
        } else if top < self.low * length {
            (-1.0, -self.low)
        } else {
            return most;
        };
        let along = sign * along;
        let across = (length * length - along * along).max(0.0).sqrt();
        let k = along - plane * across / (r * r - plane * plane).sqrt();
        // `max` takes NaN to 0.
        let k = k.max(0.0).min(4.0 * length);
        let rest: Vector = std::array::from_fn(|i| a[i] - k * sign * self.normal[i]);
        (k * plane + dot(&rest, &rest).sqrt() * r).min(most)
    }
}

impl<S: Stored> Shape for SlabCutBall<S> {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    #[inline(always)]
    fn passage(&self, line: &Line) -> Interval {
        let DecodedScb { centre, radius, normal, low, high } = self.0.cut();
        meet(line.ball(&centre, radius), line.slab(&normal, TAXICAB, &centre, [low, high]))
    }
    fn direction(a: &Vector) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    #[inline(always)]
    fn range(&self, PlaneNormal { a, length }: &PlaneNormal) -> Interval {
        let own = self.0.cut();
        let middle = dot(a, &own.centre);
        [middle - own.reach(&a.map(|x| -x), *length), middle + own.reach(a, *length)]
    }
}

impl<S: Stored> RefitVolume for SlabCutBall<S> {}

#[cfg(test)]
mod tests;
