//! Leaf test with data reuse (Hu et al. 2016, section 2.4, after Chang and Kim 2009): proves two triangles
//! disjoint in the coordinates that the test of their boxes computes anyway.
//!
//! A triangle's corners are stored in its leaf's frame, as fractions sigma of the half-widths, in f32. In the
//! coordinates y = N (x - c) of the resting box (see `obb.rs`) the resting triangle has the corners H_i
//! sigma_i, the moving one t + W sigma, where t and W = N w come from the box test. They are computed again
//! here: the traversal stores volumes, not pairs of them, and 96 bytes more for each waiting pair would
//! burden all pairs, although few need them.
//!
//! Separating axes are tried in this order:
//! * The three coordinate axes, the normal of the flat box first. Along that axis the resting triangle is a
//!   coordinate plane, up to its box's thickness, and the moving one's signed distances are one coordinate
//!   each.
//! * The moving triangle's normal (the cross product of two edges: as cheap as the cofactor column of W, and
//!   no box need be flat).
//! * For triangles that cross each other's planes, the two orders of their intervals along the line of both
//!   planes, without divisions. Let p_0 and q_0 be alone on their sides, u_1, u_2 = p_1 - p_0, p_2 - p_0, and
//!   v_1, v_2 the corresponding edges of q. One interval ends before the other starts if the axis u_1 x v_1
//!   separates, or u_2 x v_2 for the other order; u_1 x v_2 and u_2 x v_1 if p_0 and q_0 lie on sides of
//!   unlike sign. Such an axis is orthogonal to the two edges that contain the adjacent ends, and each
//!   triangle lies on one side of its own edge.
//!
//! Signs only choose the axes. The proof is the projection of all six corners, and that holds for any axis:
//! degenerate triangles need no case, and coplanar ones go to the filter unless a coordinate axis separates
//! them.
//!
//! At worst 181 multiplications, 187 additions and 68 comparisons; 25, 26 and 12 if the first axis separates.
//!
//! Leaves of several triangles are not tested: the result would have to be "disjoint" for all pairs, no box
//! is flat there, and if the test fails the narrow phase would repeat its work.
//!
//! # Bounds
//! u = 2^-53; `slack` is that of [`ObbPrecomputed`], four times the transform's. Any N and W are used as
//! computed: only the distance of a corner's y from the exact one matters.
//!
//! * Kept corners: |sigma| <= 1, so its rounding to f32 is at most 2^-25; the fraction before it is as good
//!   as the box's fit, within [`MARGIN`] / h_i. So a resting corner moves by 2^-25 H_i + 1.001 MARGIN, a
//!   moving one by 2^-25 (|w_i0| + |w_i1| + |w_i2|) + 2 MARGIN norm, as the three |n_i . M b_j| sum to at
//!   most sqrt 3 norm.
//! * Positions: `obb.rs` bounds by the slack the distance of a point of the moving box from its exact image
//!   in y, N's rounding included. H_i includes the slack, which moves a resting corner by at most that.
//!   Together these are two times the slack; [`fuzz`] adds four times the slack.
//! * Arithmetic: let S_i = H_i + |w_i0| + |w_i1| + |w_i2|. If |t_i| > S_i, the boxes are apart, and "apart"
//!   is right whatever led to it. Else coordinates are less than 2 S_i, and those, an axis's product with
//!   them and their difference round by less than 32 u |axis_i| S_i: 2^-48 of it.
//!
//! So for both triangles together a coordinate is off by less than 2^-25 (1 + 2^-20) S_i + fuzz;
//! [`AxisRow::off`] takes 2^-24. Along an axis that is sum |axis_i| off_i: it needs no bound on how the axis
//! itself was rounded. Entries of M are up to 2^100, by `faces` of [`ObbPrecomputed`]: nothing overflows, and
//! what underflows is less than [`TINY`]. If there is a NaN, it is in the slack, or in all of a triangle:
//! then every comparison is false.
use super::obb::{MARGIN, MovingObb, ObbPrecomputed, RestingObb, TINY, cross, dot, sub};
use impinge::hierarchy::Vector;

pub(super) type Triangle = [Vector; 3];

/// The corners of a triangle in its leaf's frame, as fractions of the half-widths: 36 bytes.
pub(crate) type Corners = [[f32; 3]; 3];

const _: () = assert!(size_of::<Corners>() == 36);

/// Maximum error of a coordinate, relative to the boxes' sizes along it: 2^-24.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;

/// Maximum absolute error of a coordinate, in addition to [`ROUNDING`].
pub(super) fn fuzz(precomputed: &ObbPrecomputed) -> f64 {
    4.0 * precomputed.slack + 2.0 * MARGIN * (1.0 + precomputed.norm)
}

/// One number of each corner. Written out, as `map` is not always inlined.
#[inline(always)]
fn each<T>(t: &[T; 3], f: impl Fn(&T) -> f64) -> Vector {
    [f(&t[0]), f(&t[1]), f(&t[2])]
}
#[inline(always)]
fn transposed([x, y, z]: &[Vector; 3]) -> [Vector; 3] {
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
}

/// The boxes of two leaves along one axis of the resting one: its half-width, and the centre and the
/// generators of the moving one.
#[derive(Clone, Copy)]
struct AxisRow {
    axis: usize,
    half: f64,
    t: f64,
    w: Vector,
    /// Maximum error of coordinates along it, for both triangles together.
    off: f64,
}

impl AxisRow {
    #[inline(always)]
    fn new(axis: usize, fuzz: f64, a: &RestingObb, b: &MovingObb, d: &Vector) -> Self {
        let n = &a.normals[axis];
        let [g0, g1, g2] = &b.generators;
        let w = [dot(n, g0), dot(n, g1), dot(n, g2)];
        let size = a.half[axis] + (w[0].abs() + w[1].abs() + w[2].abs());
        Self { axis, half: a.half[axis], t: dot(n, d), w, off: size * ROUNDING + fuzz }
    }
    #[inline(always)]
    fn resting(&self, p: &Corners) -> Vector {
        each(p, |v| f64::from(v[self.axis]) * self.half)
    }
    #[inline(always)]
    fn moving(&self, q: &Corners) -> Vector {
        each(q, |v| self.t + dot(&self.w, &[f64::from(v[0]), f64::from(v[1]), f64::from(v[2])]))
    }
}

/// The gap between the intervals of two triangles; negative if they overlap.
#[inline(always)]
fn gap(p: &Vector, q: &Vector) -> f64 {
    // If one of these is NaN, all are.
    let least = |x: f64, y: f64| if y < x { y } else { x };
    let most = |x: f64, y: f64| if y > x { y } else { x };
    let lo = |v: &Vector| least(least(v[0], v[1]), v[2]);
    let hi = |v: &Vector| most(most(v[0], v[1]), v[2]);
    most(lo(q) - hi(p), lo(p) - hi(q))
}

/// True if an axis separates two triangles. Correct for any axis.
#[inline(always)]
fn separates(axis: &Vector, p: &Triangle, q: &Triangle, off: &Vector) -> bool {
    let bound = axis[0].abs() * off[0] + axis[1].abs() * off[1] + axis[2].abs() * off[2] + TINY;
    gap(&each(p, |v| dot(axis, v)), &each(q, |v| dot(axis, v))) > bound
}

/// The corner that is alone on its side of a plane.
#[inline(always)]
fn lone(heights: &Vector) -> usize {
    let [x, y, z] = heights;
    if x * y > 0.0 {
        2
    } else if x * z > 0.0 {
        1
    } else {
        0
    }
}

/// True if the normal of q separates, or one of the two cross products of edges that decide the order of the
/// triangles' intervals along the line of both planes.
#[inline(always)]
fn crossing_apart(p: &Triangle, q: &Triangle, flat: &Vector, off: &Vector) -> bool {
    let normal = cross(&sub(&q[1], &q[0]), &sub(&q[2], &q[0]));
    if separates(&normal, p, q, off) {
        return true;
    }
    let over_p = each(q, |v| dot(flat, &sub(v, &p[0])));
    let over_q = each(p, |v| dot(&normal, &sub(v, &q[0])));
    let (i, j) = (lone(&over_q), lone(&over_p));
    let edges = |t: &Triangle, i: usize| [sub(&t[(i + 1) % 3], &t[i]), sub(&t[(i + 2) % 3], &t[i])];
    let (u, v) = (edges(p, i), edges(q, j));
    let other = usize::from(over_q[i] * over_p[j] < 0.0);
    separates(&cross(&u[0], &v[other]), p, q, off) || separates(&cross(&u[1], &v[1 - other]), p, q, off)
}

/// True if it is proved that no triangle of one leaf meets one of the other.
#[inline]
pub(super) fn apart(
    fuzz: f64,
    (a, of_a): (&RestingObb, &[Corners]),
    (b, of_b): (&MovingObb, &[Corners]),
) -> bool {
    let ([p], [q]) = (of_a, of_b) else { return false };
    let d = sub(&b.centre, &a.centre);
    // The normal of a flat box.
    let thin = (1..3).fold(0, |thin, i| if a.half[i] < a.half[thin] { i } else { thin });
    let (mut x, mut y, mut off) = ([[0.0; 3]; 3], [[0.0; 3]; 3], [0.0; 3]);
    for k in 0..3 {
        let row = AxisRow::new((thin + k) % 3, fuzz, a, b, &d);
        (x[k], y[k], off[k]) = (row.resting(p), row.moving(q), row.off);
        if gap(&x[k], &y[k]) > row.off {
            return true;
        }
    }
    let (p, q) = (transposed(&x), transposed(&y));
    let (u, v) = (sub(&p[1], &p[0]), sub(&p[2], &p[0]));
    let up = if u[1] * v[2] - u[2] * v[1] < 0.0 { -1.0 } else { 1.0 };
    crossing_apart(&p, &q, &[up, 0.0, 0.0], &off)
}
