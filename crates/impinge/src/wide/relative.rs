//! The relative transforms of two trees, in f32 for boxes and slabs, in f64 for leaves, with bounds on all
//! rounding. u = 2^-24.
//!
//! # Boxes
//! A box (c, e) of the one tree has the image p* +- q*, with p* = L c + t and q* = |L| e over the real
//! numbers. R = fl(L) and fl(t) are off by u |L| + dL and u |t| + dt, where dL and dt are the [`Motion`]'s
//! own errors. Computing p takes six roundings (three where products and sums are fused), which add at most 6
//! u (|t| + |R| C); computing q = |R| e + pad as many; p - q and p + q add u of themselves, c - e and c + e
//! of the other tree's boxes u H'. With H >= |c| + e for every box of the one tree and H' of the other, all
//! this is at most, per axis,
//!
//! pad = 10 u (|t| + |R| H) + u H' + dL H + dt,
//!
//! to first order; [`RelativeTransform::new`] takes 11 and 2 u, which covers the second order and the
//! rounding of the pad itself.
//!
//! # Slabs
//! Let a resting box have its centre in c_A and slabs n, mid_a, half_a; a moving one c_B, e_B and slabs m_b,
//! mid_b, half_b. Let d = p_B - c_A, g = L^T n, and r = g - sum al_b m_b for any numbers al_b. For every x =
//! L y + t of the moving volume, n . (x - c_A) lies in
//!
//! n . d + sum al_b mid_b +- (sum |al_b| half_b + |r| . e_B).
//!
//! This is Lagrange's dual of the linear programme that bounds n . x over box and slabs. So the volumes are
//! apart if
//!
//! |n . d + sum al_b mid_b - mid_a| > sum |al_b| half_b + |r| . e_B + half_a + eps.
//!
//! This is true of *every* al, also of a rounded one. The mirrored test, with the roles exchanged, needs n' =
//! L^-T m and no other distance: m . (L^-1 (c_A - t) - c_B) = - n' . d.
//!
//! Only volumes with a common point matter: then |d| <= |e_A| + |R| e_B on each axis, but for `pad`. Let X
//! and Y be the half sides of the two nodes, which contain the boxes, s >= |L| (the spectral norm), T =
//! 1.7322 s |Y|_1 and S = |X|_1 + T. So s |e_B|_1 <= 0.58 T, and the vector |R| e_B is no longer than T. As
//! |n| and |m| are at most 1, |al| and |r| are at most s. An interval ends within its box but for what its
//! encoding adds (`fit.rs`, `node.rs`; `saved.rs` checks it): |mid| + half <= 2 |e|_1. Errors, to the first
//! order:
//!
//! 1. p_B is off by less than `pad`, which makes |pad| in n . d. L's own error dL shifts p_B and g by no more
//!    than it shifts a point of the box, which `pad` has.
//! 2. n . d: d rounds once, the product three times, 4 u S.
//! 3. g, whose entries round three times, and R once: 4 u T.
//! 4. r: two roundings of s |e_B|_1 for each of two slabs, 2.4 u T.
//! 5. The last sums: nothing rounds more than four times, and |n . d| <= S, |mid_a| + half_a <= 2 |X|_1, sum
//!    |al_b| (|mid_b| + half_b) <= 2.4 T and |r| . e_B <= 0.6 T are less than 4 S together: 16 u S.
//!
//! The errors 2 to 5 are 27 u S of the 64 u S of [`RelativeTransform::eps`].
//!
//! The mirrored test has the same with X and Y, L and L^-1 exchanged: s', T', S'. But the terms of n' . d are
//! of the size of s' |d|; only their sum is not. The entries of n' take 4 sqrt 3 u s' |d|, d and the product
//! 4 u s' |d|: 11 u s' |d| in all. If L changes all lengths by one factor, this is at most 25 u |Y|_1 + 8.1 u
//! T', and all errors are at most 40 u S'. If L shears, let D be the length of |t| + |L| H + H': |d| <= D for
//! all boxes, whatever the margin, and [`RelativeTransforms::mirrored`] has 11 u D more. Then |r| may be 3
//! s': r takes 4.1 u T', the last sums 19 u S', n' in |r| . e_A 4 u T', 27 u S' in all. The error dL' of the
//! motion back adds at most |m|_1 |d|_1 dL' <= 3 dL' D, which `mirrored` has, too.
//!
//! # Margins
//! If volumes up to m apart count, too, m is added to the pad of boxes, and |n| m, with |n| <= 1.0001, to
//! what a slab's test allows. Sums with it round by less than 16 u m more, and in the direct test d may be
//! longer by 3 m, which is 18 u m of n . d: both are less than 0.0001 m.
use super::leaf::CornerPrecision;
use crate::{
    motion::Motion,
    simd::MOST_DOUBLES,
    vector::{UNIT, UNIT_F32},
};

/// The largest coordinate of an image for which no sum or product of [`RelativeTransform`] overflows in f32,
/// 2^100. A test of larger ones would take infinity for a number.
const MOST_IMAGE: f64 = (1_u128 << 100) as f64;

/// Map of boxes and normals of one tree to the frame of the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeTransform {
    pub(crate) r: [[f32; 3]; 3],
    /// |R|, of the rounded R.
    pub(crate) size: [[f32; 3]; 3],
    pub(crate) t: [f32; 3],
    /// Added to the half sides of a box's image.
    pub(crate) pad: [f32; 3],
    /// The length of `pad`.
    pub(super) slack: f32,
    /// 1.7322 > sqrt 3 times the motion's norm: a bound of the growth of |x|_1.
    growth: f32,
    /// The largest distance to find, in the target's frame: 0 for queries of triangles that meet.
    pub(super) margin: f32,
}

/// Rounds x >= 0 up to f32: the factor adds more than the multiplication rounds off, and the sum is not
/// subnormal. NaN stays NaN, and then no test finds anything apart.
pub(super) fn up(x: f64) -> f32 {
    (x * (1.0 + 2.0 * UNIT_F32) + 1e-37) as f32
}

/// The largest, or NaN if one is.
fn largest(v: [f64; 3]) -> f64 {
    let larger = |a: f64, b: f64| if b.is_nan() || b > a { b } else { a };
    larger(larger(v[0], v[1]), v[2])
}

impl RelativeTransform {
    /// `sums` are the row sums of |L|. No box of the tree that is transformed reaches further than `reach`
    /// from its origin, none of the other tree further than `other`.
    fn new(motion: &Motion, sums: &[f64; 3], reach: f64, other: f64) -> Self {
        let error = 3.0 * motion.linear_error * reach;
        let pad: [f64; 3] = std::array::from_fn(|i| {
            let image = motion.offset[i].abs() + sums[i] * reach;
            // An image of this size may overflow on the way, where it has no bound any more.
            let beyond = if image < MOST_IMAGE { 0.0 } else { f64::INFINITY };
            // The last term covers underflow.
            let error = (error + motion.offset_error[i]) * (1.0 + 1e-6);
            11.0 * UNIT_F32 * image + 2.0 * UNIT_F32 * other + error + 1e-36 + beyond
        });
        let r: [[f32; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| motion.linear[i][j] as f32));
        Self {
            r,
            size: std::array::from_fn(|i| std::array::from_fn(|j| r[i][j].abs())),
            t: std::array::from_fn(|i| motion.offset[i] as f32),
            pad: std::array::from_fn(|i| up(pad[i])),
            slack: up((pad[0] * pad[0] + pad[1] * pad[1] + pad[2] * pad[2]).sqrt() * 1.001),
            growth: up(1.7322 * motion.norm),
            margin: 0.0,
        }
    }
    /// An upper bound, but for a few roundings, of the coordinates of images of boxes that reach no further
    /// than `reach`.
    pub(super) fn reach_of_image(&self, reach: f64) -> f64 {
        let row = |i: usize| {
            let sum: f64 = self.size[i].iter().map(|&x| f64::from(x)).sum();
            f64::from(self.t[i].abs()) + sum * reach
        };
        largest([row(0), row(1), row(2)])
    }
    fn loosen(&mut self, margin: f64) {
        self.margin = up(margin * 1.0002);
        self.pad = self.pad.map(|pad| up(f64::from(pad) + f64::from(self.margin)));
    }
    /// The eps of the slab test (see the head of this file), for a slab of the target tree against
    /// transformed boxes. `own` and `transformed` are the sums of half sides of the two nodes.
    #[inline(always)]
    pub(crate) fn eps(&self, own: f32, transformed: f32) -> f32 {
        self.slack + self.margin + 64.0 * UNIT_F32 as f32 * (own + self.growth * transformed)
    }
}

/// The transforms of one query, in both directions, for boxes, slabs and leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeTransforms {
    /// Moving to resting.
    pub(crate) to_resting: RelativeTransform,
    /// Resting to moving.
    pub(crate) to_moving: RelativeTransform,
    pub(crate) leaves: LeafTransform,
    /// The error that `d` adds in the mirrored slab test.
    pub(crate) mirrored: f32,
    /// The norm of `to_moving` over that of `to_resting`, the ratio of their effects on the lengths of
    /// normals: 1 where both normalized frames have the same scale.
    pub(crate) back: f32,
}

/// Map of the corners of moving leaves to the lattices of resting ones.
///
/// With s and s' the resting and the moving leaf's steps and rho = s'/s, a corner q' of the moving lattice is
/// b = rho R q' + t' in the resting one, t' = (L o' + t - o)/s, computed in f64. Against the exact corner, b
/// is off by at most, with lambda the largest row sum of |L|:
/// * alpha rho lambda for the moving lattice's own rounding, and Q rho (u lambda + dL) for R's, Q being the
///   lattice's range;
/// * u |t'| for rounding t' to f32, and `offset` / s for its error before that: dt, dL and four roundings in
///   f64 of terms no larger than |t| + lambda reach + reach';
/// * u Q rho lambda for products, and 3 u (|t'| + Q rho lambda) for sums.
///
/// Together beta = rho `per_step` + 4 u |t'| + `offset` / s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafTransform {
    pub(crate) r: [[f32; 3]; 3],
    /// L's columns and t, each padded to a whole vector.
    pub(crate) columns: [[f64; MOST_DOUBLES]; 4],
    pub(crate) per_step: f32,
    pub(crate) offset: f32,
    /// lambda, for sizes of triangles.
    pub(crate) lambda: f32,
}

impl RelativeTransforms {
    /// Transforms with margins, in the resting tree's frame and in the moving one's.
    pub(crate) fn loosened(mut self, [resting, moving]: [f64; 2]) -> Self {
        self.to_resting.loosen(resting);
        self.to_moving.loosen(moving);
        self
    }
    /// True if there is a margin.
    pub(super) fn is_loosened(&self) -> bool {
        // NaN is not 0.
        self.to_resting.margin != 0.0
    }
    /// The transforms of two trees. No box of them reaches further from the origin than `resting` and
    /// `moving`, on any axis.
    pub(crate) fn new(
        to_resting: &Motion,
        to_moving: &Motion,
        resting: f64,
        moving: f64,
        precision: CornerPrecision,
    ) -> Self {
        let sums = |m: &[[f64; 3]; 3]| std::array::from_fn(|i| m[i][0].abs() + m[i][1].abs() + m[i][2].abs());
        let (rows, error) = (sums(&to_resting.linear), 3.0 * to_resting.linear_error);
        let [x, y, z] = to_resting.offset;
        let (lambda, t) = (largest(rows), largest([x.abs(), y.abs(), z.abs()]));
        let dt = largest(to_resting.offset_error);
        let range = f64::from(precision.range());
        let to = RelativeTransform::new(to_resting, &rows, moving, resting);
        let back = RelativeTransform::new(to_moving, &sums(&to_moving.linear), resting, moving);
        let far: [f64; 3] = std::array::from_fn(|i| to_resting.offset[i].abs() + rows[i] * moving + resting);
        let farthest = (far[0] * far[0] + far[1] * far[1] + far[2] * far[2]).sqrt();
        // Where lengths change by one factor in all directions, `eps` covers it.
        let shears = to_moving.norm * to_resting.norm > 1.01;
        let position = f64::from(to.slack) + if shears { 11.0 * UNIT_F32 * farthest } else { 0.0 };
        Self {
            to_resting: to,
            to_moving: back,
            leaves: LeafTransform {
                r: to.r,
                columns: std::array::from_fn(|k| {
                    std::array::from_fn(|i| match (i, k) {
                        (0..3, 0..3) => to_resting.linear[i][k],
                        (0..3, _) => to_resting.offset[i],
                        _ => 0.0,
                    })
                }),
                per_step: up((f64::from(super::leaf::ALPHA) * lambda
                    + range * (5.0 * UNIT_F32 * lambda + error))
                    * 1.001),
                offset: up((dt + error * moving + 8.0 * UNIT * (t + lambda * moving + resting)) * 1.001),
                lambda: up(lambda * 1.001),
            },
            back: (to_moving.norm / to_resting.norm) as f32,
            // The first factor is the norm, without the factor 1.7322.
            mirrored: up((f64::from(back.growth) / 1.7321 * position
                + 3.0 * to_moving.linear_error * farthest)
                * 1.001),
        }
    }
}
