//! Axis-aligned boxes { x : lo <= x <= hi } (van den Bergen 1997), 24 bytes, stored absolutely in f32.
//!
//! The boxes of two trees at different poses have different orientations, the same for every pair of nodes.
//! So R and |R| are computed once per query, and SAT lite, the six face normals only, is the better test
//! (section 3 of the paper). The transforms need not be rigid: each direction has its own matrix.
//!
//! # Bounds
//! Arithmetic is in f64 on normalized frames (every coordinate at most 4 in size), and on doubled
//! coordinates: centre lo + hi and extent hi - lo then need no halving. The moving box b is transformed to M
//! b + c, with M and c off by a bounded amount. With p the computed image of its centre and r the computed
//! |M| h, its true image lies in p +- (r + e). Here e is the error of the transform and of at most 8
//! roundings of quantities up to 4 |M| + |c| + 4; comparing with a resting box takes 5 more roundings of such
//! quantities. [`Motion::pad`], doubled like everything else, covers the transform and 32 roundings, and is
//! added to r.
//!
//! A distance of two boxes is the length of their separations along the axes of the one frame, or the other.
//! A separation is the test's distance less its reach. Edge axes are not used.
//!
//! An edge axis l = e_i x m_j, with m_j the computed image of an edge, is taken as exact. It is orthogonal to
//! both by construction, and any vector is an allowed axis. Along it the moving box's true image reaches |l .
//! m_k| h_k for the two other edges, plus |l_k| e_k, and l . (p - a) rounds 3 times: with the table's own 3
//! roundings, 13 in all of the same quantities times |l_k|. So the sum of |l_k| pad_k covers it. The axis is
//! scaled to a size of about 1, by a power of two. So no product with it overflows unless the pad does. What
//! underflow takes is far below the pad, which is at least 2^-45: some 2^-1070 from each product, and at most
//! 2^-1075 from the smaller component of l, which makes l . m_j 2^-51 at most and its reach 2^-48.
use super::{
    SAT_AXES,
    bounding_volume::{BoundingVolume, NodeOf},
    shape::{PlaneNormal, Shape},
};
use crate::{
    Fit, Overlap, gap,
    line::{Interval, Line},
    primitives::Primitives,
    refit::RefitVolume,
    refit::bottom_up::BottomUpRefit,
    refit::bottom_up::F32x4,
    refit::bottom_up::Merge,
    refit::bottom_up::ROWS,
    refit::bottom_up::above,
};
use impinge::hierarchy::{Bounds, Motion, NormalizedFrame, Placement, largest, shrinking};

/// An axis-aligned box.
pub(crate) type Aabb = Bounds;

/// Both transforms, with their pads, and the edge axes.
pub(crate) struct AabbPrecomputed {
    to_resting: AabbTransform,
    to_moving: AabbTransform,
    /// |det M|, the factor of the moving box's volume.
    volume_scale: f64,
    /// See [`gap::factor`].
    factor: f64,
    /// Edge axes, only for the 15-axis test.
    edges: Option<[[EdgeAxis; 3]; 3]>,
}

/// One direction of the relative transform, on doubled coordinates.
struct AabbTransform {
    linear: [[f64; 3]; 3],
    abs: [[f64; 3]; 3],
    offset: [f64; 3],
    pad: [f64; 3],
}

/// The axis e_i x m_j.
#[derive(Clone, Copy)]
pub(super) struct EdgeAxis {
    axis: [f64; 3],
    abs: [f64; 3],
    /// Reach of each half-width of the moving box along the axis.
    reach: [f64; 3],
    pad: f64,
}

impl AabbTransform {
    fn new(motion: &Motion) -> Self {
        Self {
            linear: motion.linear,
            abs: motion.linear.map(|row| row.map(f64::abs)),
            offset: motion.offset.map(|x| 2.0 * x),
            pad: motion.pad(),
        }
    }
    /// Centre and padded extent of the image.
    #[inline(always)]
    fn image(&self, centre: &[f64; 3], extent: &[f64; 3]) -> ([f64; 3], [f64; 3]) {
        let row = |m: &[f64; 3], v: &[f64; 3], add: f64| m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + add;
        (
            std::array::from_fn(|i| row(&self.linear[i], centre, self.offset[i])),
            std::array::from_fn(|i| row(&self.abs[i], extent, self.pad[i])),
        )
    }
}

impl EdgeAxis {
    /// The axes e_i x m_j, of e_i of the resting and m_j of the moving box, as `[i][j]`.
    pub(super) fn all(to_resting: &Motion) -> [[Self; 3]; 3] {
        let map = AabbTransform::new(to_resting);
        std::array::from_fn(|i| std::array::from_fn(|j| Self::new(&map, i, j)))
    }
    /// True if the axis separates two boxes. The arguments are the centre of the moving box's image minus
    /// that of the resting box, and the extents of both in their own frames, all doubled.
    #[inline(always)]
    pub(super) fn separates(&self, d: &[f64; 3], resting: &[f64; 3], moving: &[f64; 3]) -> bool {
        let dot = |u: &[f64; 3], v: &[f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        dot(&self.axis, d).abs() > dot(&self.abs, resting) + dot(&self.reach, moving) + self.pad
    }
    /// The axis for images whose centre may be off by `by` beyond the pad.
    pub(super) fn widened(mut self, by: &[f64; 3]) -> Self {
        self.pad += self.abs[0] * by[0] + self.abs[1] * by[1] + self.abs[2] * by[2];
        self
    }
    fn new(map: &AabbTransform, i: usize, j: usize) -> Self {
        let m = |k: usize| [map.linear[0][k], map.linear[1][k], map.linear[2][k]];
        let (x, y) = ((i + 1) % 3, (i + 2) % 3);
        let mut axis = [0.0; 3];
        (axis[x], axis[y]) = (-m(j)[y], m(j)[x]);
        let scale = shrinking(largest(axis.map(f64::abs)));
        let axis = axis.map(|c| c * scale);
        let abs = axis.map(f64::abs);
        let reach =
            std::array::from_fn(|k| if k == j { 0.0 } else { (axis[x] * m(k)[x] + axis[y] * m(k)[y]).abs() });
        Self { axis, abs, reach, pad: abs[0] * map.pad[0] + abs[1] * map.pad[1] + abs[2] * map.pad[2] }
    }
}

/// A box in its own normalized frame and its image in the other's, on doubled coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransformedAabb {
    centre: [f64; 3],
    extent: [f64; 3],
    image_centre: [f64; 3],
    image_extent: [f64; 3],
}

impl TransformedAabb {
    #[inline(always)]
    fn new(b: &Aabb, map: &AabbTransform) -> Self {
        let (lo, hi) = (b.lo.map(f64::from), b.hi.map(f64::from));
        let centre = std::array::from_fn(|k| lo[k] + hi[k]);
        let extent = std::array::from_fn(|k| hi[k] - lo[k]);
        let (image_centre, image_extent) = map.image(&centre, &extent);
        Self { centre, extent, image_centre, image_extent }
    }
    /// The volume; a flat box counts as thick as a thousand roundings, so that it is not zero.
    #[inline(always)]
    fn volume(&self) -> f64 {
        const THIN: f64 = 1e-12;
        (self.extent[0] + THIN) * (self.extent[1] + THIN) * (self.extent[2] + THIN)
    }
}

impl BoundingVolume for Aabb {
    type Precomputed = AabbPrecomputed;
    type Resting = TransformedAabb;
    type Moving = TransformedAabb;
    const PAPER: &'static str = "van den Bergen 1997";
    // 12 sums and 6 comparisons; 6 sums for centre and extent, and two matrices' 18 products and 18 sums.
    const OPERATIONS: [u32; 2] = [18, 42];
    const OVERLAPS: &'static [Overlap] = &[Overlap::SatLite, Overlap::Sat];
    const TESTS: &'static [&'static str] = SAT_AXES;

    fn fit(primitives: &Primitives<'_>, _: Fit) -> Self {
        primitives.bounds
    }
    fn holds(&self, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        Bounds::holds(self, lo, hi)
    }
    fn precompute(placement: &Placement, overlap: Overlap) -> AabbPrecomputed {
        let to_resting = AabbTransform::new(&placement.to_resting);
        let m = &to_resting.linear;
        let minor = |j: usize, k: usize| m[1][j] * m[2][k] - m[1][k] * m[2][j];
        let det = m[0][0] * minor(1, 2) + m[0][1] * minor(2, 0) + m[0][2] * minor(0, 1);
        let edges = (overlap == Overlap::Sat).then(|| EdgeAxis::all(&placement.to_resting));
        AabbPrecomputed {
            to_moving: AabbTransform::new(&placement.to_moving),
            volume_scale: det.abs(),
            factor: gap::factor(placement),
            edges,
            to_resting,
        }
    }
    #[inline(always)]
    fn prepare_resting(&self, precomputed: &AabbPrecomputed) -> TransformedAabb {
        TransformedAabb::new(self, &precomputed.to_moving)
    }
    #[inline(always)]
    fn prepare_moving(&self, precomputed: &AabbPrecomputed) -> TransformedAabb {
        TransformedAabb::new(self, &precomputed.to_resting)
    }
    #[inline(always)]
    fn separation(precomputed: &AabbPrecomputed, a: &TransformedAabb, b: &TransformedAabb) -> Option<u8> {
        let d: [f64; 3] = std::array::from_fn(|k| b.image_centre[k] - a.centre[k]);
        let of_a = || (0..3).find(|&k| d[k].abs() > a.extent[k] + b.image_extent[k]);
        let of_b = || {
            let apart = |k: usize| (a.image_centre[k] - b.centre[k]).abs() > b.extent[k] + a.image_extent[k];
            (0..3).find(|&k| apart(k)).map(|k| k + 3)
        };
        if let Some(axis) = of_a().or_else(of_b) {
            return Some(axis as u8);
        }
        let edges = precomputed.edges.as_ref()?.iter().flatten();
        (6..).zip(edges).find(|(_, e)| e.separates(&d, &a.extent, &b.extent)).map(|(test, _)| test)
    }
    #[inline(always)]
    fn gap(precomputed: &AabbPrecomputed, a: &TransformedAabb, b: &TransformedAabb) -> f64 {
        let of_a = |k: usize| (b.image_centre[k] - a.centre[k]).abs() - (a.extent[k] + b.image_extent[k]);
        let of_b = |k: usize| (a.image_centre[k] - b.centre[k]).abs() - (b.extent[k] + a.image_extent[k]);
        let [resting, moving] = [gap::length([0, 1, 2].map(of_a)), gap::length([0, 1, 2].map(of_b))];
        // Halved, as coordinates are doubled.
        0.5 * gap::larger(resting, moving * precomputed.factor)
    }
    #[inline(always)]
    fn resting_is_larger(precomputed: &AabbPrecomputed, a: &TransformedAabb, b: &TransformedAabb) -> bool {
        a.volume() >= b.volume() * precomputed.volume_scale
    }
}

impl Shape for Aabb {
    type Ray = Line;
    type Direction = PlaneNormal;

    fn ray(line: &Line) -> Line {
        *line
    }
    #[inline(always)]
    fn passage(&self, line: &Line) -> Interval {
        line.cuboid(&self.lo.map(f64::from), &self.hi.map(f64::from))
    }
    fn direction(a: &[f64; 3]) -> PlaneNormal {
        PlaneNormal::new(a)
    }
    #[inline(always)]
    fn range(&self, direction: &PlaneNormal) -> Interval {
        direction.cuboid(&self.lo.map(f64::from), &self.hi.map(f64::from))
    }
}

/// The row of a point is a box that is wider than that of [`Bounds::outward`] by at most 2 units in the last
/// place of f32.
impl Merge for Aabb {
    const ROW: usize = 2;
    #[inline(always)]
    fn row(normalized: &NormalizedFrame, v: &[f64; 3], to: &mut [F32x4]) {
        let [x, y, z] = normalized.apply(v);
        to[0] = F32x4([above(x), above(y), above(z), 0.0]);
        to[1] = F32x4([above(-x), above(-y), above(-z), 0.0]);
    }
    #[inline(always)]
    fn close([hi, lo, ..]: &[F32x4; ROWS]) -> Self {
        let ([a, b, c, _], [x, y, z, _]) = (lo.0, hi.0);
        Self { lo: [-a, -b, -c], hi: [x, y, z] }
    }
    #[inline(always)]
    fn open(&self) -> [F32x4; ROWS] {
        let ([a, b, c], [x, y, z]) = (self.lo, self.hi);
        let mut row = [F32x4([0.0; 4]); ROWS];
        (row[0], row[1]) = (F32x4([x, y, z, 0.0]), F32x4([-a, -b, -c, 0.0]));
        row
    }
}

impl RefitVolume for Aabb {
    fn bottom_up<const N: usize>() -> Option<BottomUpRefit<NodeOf<Self, N>>> {
        Some(BottomUpRefit::new())
    }
}
