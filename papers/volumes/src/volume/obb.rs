//! Oriented boxes { c + s_0 b_0 + s_1 b_1 + s_2 b_2 : |s_i| <= h_i }, 60 bytes: centre, axes and half-widths
//! in f32, taken as exact.
//!
//! `obb` is RAPID's box (Gottschalk, Lin and Manocha 1996, the baseline of Larsson and Akenine-Moller 2008
//! and of Hu et al. 2016): axes from the area-weighted covariance of the triangles, half-widths by
//! projection. `obb-hull` uses the covariance of the triangles of their convex hull, so that many small
//! triangles in one place do not bias the axes (Hu et al. 2016, section 3.2).
//!
//! # The test
//! In the coordinates y = N (x - c) of the resting box, where N has the rows n_i = b_j x b_k, that box is
//! |y_i| <= H_i = h_i n_i . b_i. The moving box, with generators h_j b_j transformed by M, is there a
//! parallelepiped around t with generators w_j. The test is correct even if neither the b nor M are
//! orthogonal, and for parallelepipeds the 15 axes suffice: the axes e_i; the w_j x w_k; the e_i x w_j. All
//! but the first need only the 9 cofactors of W.
//!
//! Operations, as multiplications, additions and comparisons: preparing a node costs 48, 27, 0 (moving) or
//! 30, 18, 0 (resting), once for all tests that it takes part in. A test costs at worst 36, 36, 3 for the
//! axes e_i; 52, 44, 3 for the w_j x w_k; 36, 45, 9 for the others: 264 in all with 15 axes, 174 with 6. Two
//! boxes that an e_i separates cost 12, 14, 1 to 36, 36, 3.
//!
//! # Bounds
//! u = 2^-53; |M| is the length of the row sums of |M_kl|, |c| that of the offset. The axes are orthonormal
//! to 1e-6 (checked, else the axes of the normalized frame are taken), points of the mesh are within 4 of the
//! origin on each axis: so |h| <= 7 and |centre| <= 12.
//!
//! Fit: n_i is rounded once in each component, as products of f32 are exact; n_i . (x - c) and n_i . b_i 4
//! times, their quotient once: with |x - c| <= 19 less than 13 u 19 in all, and a coordinate of the
//! normalized frame is off by [`NORMALIZATION_ERROR`], 8 u, three times at most. `holds` rounds as much
//! again, and its intervals reach twice as far. [`MARGIN`] is 1024 u.
//!
//! Positions: a point of the moving *mesh*, c + sum s_j b_j, has its exact image within [`Motion::pad`] of
//! that under the computed M, so of a point of the exact parallelepiped of M. Computing it rounds the centre
//! (4 u (12 |M| + |c|)), the generators (4 u sum h_j |M|, at most 84 u |M|), the difference of centres (u (12
//! |M| + |c| + 21)), then N's products with it (3 u of the same) and with the generators (63 u |M|), and the
//! sums of the first three tests (3 u (H + 21 |M|)): less than 320 u |M| + 8 u |c| + 128 u in all. N's own
//! rounding lets the resting box reach 6 u sum h_i further. [`Motion::slack`], the pad's length, is at least
//! 288 u |M|, 64 u |c| and 288 u beside the transform's own error: four times that is added to each H_i.
//!
//! An axis e_i x w_j consists of W's components: any vector is an axis, and it is exactly orthogonal to both.
//! Its products with t and with the other generators round 3 times, relative to |axis| times the sizes above:
//! 4 slack |axis|, which is in sum H |axis|, has room for that, too.
//!
//! An axis w_j x w_k does not: in a sheared box it may be far shorter than |w_j| |w_k|, to which its
//! components round. They do so twice, products with t, H and W three times more, by at most 8 u |w_j| |w_k|
//! (|t|_1 + sum H + sum |w|). Four times this is added; h_j [`Motion::norm`] replaces |w_j|.
//!
//! # Rays and planes
//! The fit measures n_i . (x - c) by the n_i as computed: they are the normals of slabs, of half-width h_i
//! n_i . b_i. A plane takes the box by its generators, as the fit's bound covers the rounding of n_i.
//!
//! # Distances
//! A vector v between points of the two boxes is y = N v in the resting box's coordinates, |y| <= 1.00001
//! |v|. An axis l gives |l . y| >= its separation, so |y| >= separation / |l|. The axes e_i are at right
//! angles:
//! |y| is at least the length of their three separations. The w_j x w_k need not be: with B their unit
//! vectors as rows, |B y| has that length, and |B|^2 is at most the largest row sum of |B B^T|. A separation
//! is the test's distance less its reach, and its final difference and quotient round by their own size.
//!
//! Where M or the offset exceed [`LARGE`], those products may overflow, and only the e_i are tried; where
//! 4096 times these overflows, no axis separates. Where products underflow they lose some 2^-1074 times at
//! most 2^108: less than [`TINY`].
use super::{
    SAT_AXES,
    bounding_volume::BoundingVolume,
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap, Split,
    fit::axes::principal_axes,
    fit::hull::hull,
    gap,
    line::{Interval, Line, TAXICAB, meet},
    primitives::{NORMALIZATION_ERROR, Primitives},
    refit::RefitVolume,
};
use impinge::hierarchy::{Motion, Placement, UNIT, Vector, largest, round_up};

/// Margin that is added to half-widths: 1024 u.
pub(super) const MARGIN: f64 = 512.0 * f64::EPSILON;
const _: () = assert!(MARGIN >= 2.0 * (13.0 * UNIT * 19.0) + 9.0 * NORMALIZATION_ERROR);
/// Largest entry of the relative transform for which products of three lengths cannot overflow.
const LARGE: f64 = (1_u128 << 100) as f64;
/// Bound on the loss by underflow: 2^-900.
pub(super) const TINY: f64 = f64::from_bits((1023 - 900) << 52);

/// N lengthens no vector by more than this factor: axes are orthonormal to 1e-6.
const STRETCH: f64 = 1.0 + 1e-5;
/// Length above which axes are used for distances: 2^-400.
const SHORT: f64 = f64::from_bits((1023 - 400) << 52);

/// An oriented box, fitted to triangles or to their convex hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrientedBox<const HULL: bool> {
    centre: [f32; 3],
    axes: [[f32; 3]; 3],
    half: [f32; 3],
}

/// RAPID's box.
pub(crate) type Obb = OrientedBox<false>;
/// The box whose axes come from the convex hull.
pub(crate) type ObbHull = OrientedBox<true>;

const _: () = assert!(size_of::<Obb>() == 60 && size_of::<ObbHull>() == 60);

/// The transform of moving boxes, and which axes to try.
pub(crate) struct ObbPrecomputed {
    pub(super) motion: Motion,
    /// Bound on the factor by which the transform and N stretch a length.
    pub(super) norm: f64,
    pub(super) slack: f64,
    /// True if all six face normals are tried, not only the resting box's three: products of three lengths
    /// are finite.
    pub(super) faces: bool,
    edges: bool,
}

/// A box of the resting tree: |N (x - c)| <= H.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestingObb {
    pub(super) centre: Vector,
    pub(super) normals: [Vector; 3],
    pub(super) half: Vector,
}

/// A box of the moving tree in the resting normalized frame, with its generators and bounds on their lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingObb {
    pub(super) centre: Vector,
    pub(super) generators: [Vector; 3],
    pub(super) lengths: Vector,
}

#[inline(always)]
pub(super) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
pub(super) fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}
#[inline(always)]
pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

/// n_i = b_j x b_k, and n_i . b_i.
#[inline(always)]
fn normals(axes: &[Vector; 3]) -> ([Vector; 3], Vector) {
    let normals = std::array::from_fn(|i| cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]));
    (normals, std::array::from_fn(|i| dot(&normals[i], &axes[i])))
}

impl<const HULL: bool> OrientedBox<HULL> {
    /// The smallest box along three orthonormal axes, up to rounding.
    fn along([x, y, z]: [Vector; 3], primitives: &Primitives<'_>) -> Self {
        // Right-handed, so that n_i . b_i is about 1, not -1.
        let z = if dot(&cross(&x, &y), &z) < 0.0 { z.map(|c| -c) } else { z };
        let mut stored = [x, y, z].map(|axis| axis.map(|c| c as f32));
        let mut axes = stored.map(|axis| axis.map(f64::from));
        let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
        let orthonormal =
            (0..3).all(|i| (0..3).all(|j| (dot(&axes[i], &axes[j]) - unit(i, j)).abs() <= 1e-6));
        if !orthonormal {
            stored = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            axes = stored.map(|axis| axis.map(f64::from));
        }
        let (normals, scale) = normals(&axes);
        let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in primitives.points() {
            for i in 0..3 {
                let s = dot(&normals[i], &p) / scale[i];
                lo[i] = lo[i].min(s);
                hi[i] = hi[i].max(s);
            }
        }
        let middle: Vector = std::array::from_fn(|i| (lo[i] + hi[i]) / 2.0);
        let centre: [f32; 3] = std::array::from_fn(|k| {
            (middle[0] * axes[0][k] + middle[1] * axes[1][k] + middle[2] * axes[2][k]) as f32
        });
        // Measured from the stored, rounded centre.
        let from = centre.map(f64::from);
        let mut half = [0.0_f64; 3];
        for p in primitives.points() {
            let d = sub(&p, &from);
            for i in 0..3 {
                half[i] = half[i].max((dot(&normals[i], &d) / scale[i]).abs());
            }
        }
        Self { centre, axes: stored, half: half.map(|h| round_up(h + MARGIN)) }
    }

    /// The box whose axes come from the triangles.
    pub(super) fn of_triangles(primitives: &Primitives<'_>) -> Self {
        Self::along(principal_axes(primitives.corners()), primitives)
    }
    /// The box whose axes come from the convex hull.
    pub(super) fn of_hull(primitives: &Primitives<'_>) -> Self {
        let points: Vec<Vector> = primitives.points().collect();
        // Flat primitives have no hull; then the axes come from the triangles themselves.
        let Some(faces) = hull(&points) else { return Self::of_triangles(primitives) };
        Self::along(principal_axes(faces.iter().map(|f| f.map(|k| points[k as usize]))), primitives)
    }

    /// The s_i / h_i of a point that the box was fitted to: in [-1, 1], with the error of the fit.
    pub(super) fn fractions(&self, p: &Vector) -> Vector {
        let (normals, scale) = normals(&self.axes.map(|axis| axis.map(f64::from)));
        let d = sub(p, &self.centre.map(f64::from));
        std::array::from_fn(|i| dot(&normals[i], &d) / scale[i] / f64::from(self.half[i]))
    }
}

/// The axis that proves two boxes disjoint: 0 to 2 the resting box's normals, 3 to 5 the moving one's,
/// 6 + 3 i + j the cross product of edge i of the one and j of the other.
#[inline(always)]
fn separating_axis(precomputed: &ObbPrecomputed, a: &RestingObb, b: &MovingObb) -> Option<u8> {
    let d = sub(&b.centre, &a.centre);
    let h = &a.half;
    let (mut t, mut w) = ([0.0; 3], [[0.0; 3]; 3]);
    for i in 0..3 {
        t[i] = dot(&a.normals[i], &d);
        w[i] = b.generators.map(|g| dot(&a.normals[i], &g));
        if t[i].abs() > h[i] + (w[i][0].abs() + w[i][1].abs() + w[i][2].abs()) {
            return Some(i as u8);
        }
    }
    if !precomputed.faces {
        return None;
    }
    // Rows are axes of y, columns generators. n[i][j] is w_k x w_l on axis i: the cofactor of w[i][j].
    let n: [Vector; 3] = {
        let [x, y, z] = &w;
        [cross(y, z), cross(z, x), cross(x, y)]
    };
    let sizes = t[0].abs() + t[1].abs() + t[2].abs() + (h[0] + h[1] + h[2]);
    let sizes = (sizes + (b.lengths[0] + b.lengths[1] + b.lengths[2])) * (32.0 * UNIT);
    for j in 0..3 {
        let rounding = b.lengths[(j + 1) % 3] * b.lengths[(j + 2) % 3] * sizes + TINY;
        let along = n[0][j] * t[0] + n[1][j] * t[1] + n[2][j] * t[2];
        let det = n[0][j] * w[0][j] + n[1][j] * w[1][j] + n[2][j] * w[2][j];
        let reach = n[0][j].abs() * h[0] + n[1][j].abs() * h[1] + n[2][j].abs() * h[2];
        if along.abs() > reach + det.abs() + rounding {
            return Some(3 + j as u8);
        }
    }
    if !precomputed.edges {
        return None;
    }
    for (i, cofactors) in n.iter().enumerate() {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            // e_i x w_j is -w[l][j] on axis k and w[k][j] on l; along it the other generators reach the
            // distance of two cofactors.
            let along = t[l] * w[k][j] - t[k] * w[l][j];
            let reach = h[k] * w[l][j].abs() + h[l] * w[k][j].abs();
            if along.abs() > reach + (cofactors[(j + 1) % 3].abs() + cofactors[(j + 2) % 3].abs()) + TINY {
                return Some((6 + 3 * i + j) as u8);
            }
        }
    }
    None
}

/// A lower bound of the distance of two boxes: see "Distances" at the head.
#[inline(always)]
fn distance(precomputed: &ObbPrecomputed, a: &RestingObb, b: &MovingObb) -> f64 {
    let d = sub(&b.centre, &a.centre);
    let h = &a.half;
    let t: Vector = std::array::from_fn(|i| dot(&a.normals[i], &d));
    let w: [Vector; 3] = std::array::from_fn(|i| b.generators.map(|g| dot(&a.normals[i], &g)));
    let mut most =
        gap::length([0, 1, 2].map(|i| t[i].abs() - (h[i] + (w[i][0].abs() + w[i][1].abs() + w[i][2].abs()))));
    if !precomputed.faces {
        return most / STRETCH;
    }
    let n: [Vector; 3] = {
        let [x, y, z] = &w;
        [cross(y, z), cross(z, x), cross(x, y)]
    };
    let sizes = t[0].abs() + t[1].abs() + t[2].abs() + (h[0] + h[1] + h[2]);
    let sizes = (sizes + (b.lengths[0] + b.lengths[1] + b.lengths[2])) * (32.0 * UNIT);
    let normals: [Vector; 3] = std::array::from_fn(|j| [n[0][j], n[1][j], n[2][j]]);
    let lengths = normals.map(|n| dot(&n, &n).sqrt());
    let separations = std::array::from_fn(|j| {
        let rounding = b.lengths[(j + 1) % 3] * b.lengths[(j + 2) % 3] * sizes + TINY;
        let normal = &normals[j];
        let det = dot(normal, &[w[0][j], w[1][j], w[2][j]]);
        let reach = normal[0].abs() * h[0] + normal[1].abs() * h[1] + normal[2].abs() * h[2];
        // A shorter normal may have lost bits to underflow, or be zero.
        if lengths[j] > SHORT {
            (dot(normal, &t).abs() - (reach + det.abs() + rounding)) / lengths[j]
        } else {
            0.0
        }
    });
    let cosine = |i: usize, j: usize| (dot(&normals[i], &normals[j]) / (lengths[i] * lengths[j])).abs();
    let (x, y, z) = (cosine(1, 2), cosine(2, 0), cosine(0, 1));
    let row = (y + z).max(x + z).max(x + y);
    // `max` drops NaN, which a normal without length gives.
    let row = if x + y + z <= 4.0 { row } else { f64::INFINITY };
    most = gap::larger(most, gap::length(separations) / (1.0 + row + 1e-9).sqrt());
    if precomputed.edges {
        for (i, cofactors) in n.iter().enumerate() {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let length = (w[l][j] * w[l][j] + w[k][j] * w[k][j]).sqrt();
                let along = t[l] * w[k][j] - t[k] * w[l][j];
                let reach = h[k] * w[l][j].abs() + h[l] * w[k][j].abs();
                let reach = reach + (cofactors[(j + 1) % 3].abs() + cofactors[(j + 2) % 3].abs()) + TINY;
                if length > SHORT {
                    most = gap::larger(most, gap::positive((along.abs() - reach) / length));
                }
            }
        }
    }
    most / STRETCH
}

impl<const HULL: bool> BoundingVolume for OrientedBox<HULL> {
    type Precomputed = ObbPrecomputed;
    type Resting = RestingObb;
    type Moving = MovingObb;
    const PAPER: &'static str =
        if HULL { "Hu and others 2016 (weighted OBB)" } else { "Gottschalk, Lin and Manocha 1996 (RAPID)" };
    const OPERATIONS: [u32; 2] = [264, 75];
    const SPLIT: Split = Split::Mean;
    const OVERLAPS: &'static [Overlap] = &[Overlap::Sat, Overlap::SatLite];
    const TESTS: &'static [&'static str] = SAT_AXES;

    fn fit(primitives: &Primitives<'_>, _: Fit) -> Self {
        if HULL { Self::of_hull(primitives) } else { Self::of_triangles(primitives) }
    }
    fn holds(&self, lo: &Vector, hi: &Vector) -> bool {
        let (normals, scale) = normals(&self.axes.map(|axis| axis.map(f64::from)));
        let centre = self.centre.map(f64::from);
        (0..3).all(|i| {
            // The corner furthest along the normal, and against it.
            let end = |up: bool| -> f64 {
                let far: Vector =
                    std::array::from_fn(|k| if (normals[i][k] > 0.0) == up { hi[k] } else { lo[k] });
                dot(&normals[i], &sub(&far, &centre)) / scale[i]
            };
            end(true) <= f64::from(self.half[i]) && -end(false) <= f64::from(self.half[i])
        })
    }

    fn precompute(placement: &Placement, overlap: Overlap) -> ObbPrecomputed {
        let motion = placement.to_resting;
        let size = largest(motion.linear.iter().flatten().chain(&motion.offset).map(|x| x.abs()));
        // Infinite if sums of such sizes might overflow; half-widths then are infinite, too, and nothing
        // exceeds them.
        let slack = if size < f64::MAX / 4096.0 { 4.0 * motion.slack() } else { f64::INFINITY };
        let faces = size <= LARGE;
        ObbPrecomputed {
            motion,
            // The axes' lengths, and N's, are within 1e-6 of 1.
            norm: motion.norm * (1.0 + 1e-5),
            slack,
            faces,
            edges: faces && overlap != Overlap::SatLite,
        }
    }
    #[inline(always)]
    fn prepare_resting(&self, precomputed: &ObbPrecomputed) -> RestingObb {
        let (normals, scale) = normals(&self.axes.map(|axis| axis.map(f64::from)));
        let half = std::array::from_fn(|i| f64::from(self.half[i]) * scale[i] + precomputed.slack);
        RestingObb { centre: self.centre.map(f64::from), normals, half }
    }
    #[inline(always)]
    fn prepare_moving(&self, precomputed: &ObbPrecomputed) -> MovingObb {
        let half = self.half.map(f64::from);
        let generators = std::array::from_fn(|j| {
            let axis = self.axes[j].map(f64::from);
            std::array::from_fn(|k| dot(&precomputed.motion.linear[k], &axis) * half[j])
        });
        let centre = precomputed.motion.apply(self.centre.map(f64::from));
        MovingObb { centre, generators, lengths: half.map(|h| h * precomputed.norm) }
    }
    #[inline(always)]
    fn separation(precomputed: &ObbPrecomputed, a: &RestingObb, b: &MovingObb) -> Option<u8> {
        separating_axis(precomputed, a, b)
    }
    #[inline(always)]
    fn gap(precomputed: &ObbPrecomputed, a: &RestingObb, b: &MovingObb) -> f64 {
        distance(precomputed, a, b)
    }
    /// Compares the longest half-widths, as RAPID does.
    #[inline(always)]
    fn resting_is_larger(_: &ObbPrecomputed, a: &RestingObb, b: &MovingObb) -> bool {
        let longest = |v: &Vector| v[0].max(v[1]).max(v[2]);
        longest(&a.half) >= longest(&b.lengths)
    }
}

impl<const HULL: bool> Shape for OrientedBox<HULL> {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    #[inline(always)]
    fn passage(&self, line: &Line) -> Interval {
        let (normals, scale) = normals(&self.axes.map(|axis| axis.map(f64::from)));
        let centre = self.centre.map(f64::from);
        let slab = |i: usize| {
            let half = f64::from(self.half[i]) * scale[i];
            line.slab(&normals[i], TAXICAB, &centre, [-half, half])
        };
        meet(meet(slab(0), slab(1)), slab(2))
    }
    fn direction(a: &Vector) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    #[inline(always)]
    fn range(&self, PlaneNormal { a, .. }: &PlaneNormal) -> Interval {
        let middle = dot(a, &self.centre.map(f64::from));
        let reach = |i: usize| dot(a, &self.axes[i].map(f64::from)).abs() * f64::from(self.half[i]);
        let half = reach(0) + reach(1) + reach(2);
        [middle - half, middle + half]
    }
}

impl<const HULL: bool> RefitVolume for OrientedBox<HULL> {}

#[cfg(test)]
pub(super) mod tests;
