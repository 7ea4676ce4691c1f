//! DOPs: sets { x : lo_i <= d_i . x <= hi_i, i = 1..H } with the same H normals d_i for all DOPs (Klosowski
//! and others 1998). Zachmann 2002 and Larsson and Akenine-Moller 2008 compare with them. They take 8 H
//! bytes, stored absolutely in f32.
//!
//! The normals have components in {0, +-1}: the 3 axes, with the 4 diagonals of the cube (14-DOP), the 6 of
//! its faces (18-DOP), or all 10 (26-DOP), as in Klosowski. A 24-DOP is a 26-DOP without (1, 1, 1), as in the
//! libraries FCL and Coal; Zachmann does not list his normals. A node of two 24-DOPs and two links takes 200
//! bytes: 100 a volume, as in his Table 1.
//!
//! # The overlap test
//! Under a transform x = M y + c the slabs of the two trees no longer have the same normals. As in Zachmann's
//! dynamically aligned DOP trees (1998), a moving DOP is wrapped in one with the resting tree's normals. The
//! planes of that one are combinations of its own planes, the same combinations for every node: if M^T d =
//! sum of a_j s_j k_j, with normals k_j of the moving DOP, signs s_j and weights a_j >= 0, then d . M y is at
//! most the sum of a_j times the DOP's extent along s_j k_j. Any such combination gives a correct bound (weak
//! duality of the linear programme); three normals suffice. Ours minimises the sum of a_j |k_j|, hence is the
//! tightest for a DOP around a ball: the cone of three normals that are corners of one face of the convex
//! hull of all k / |k|. By symmetry these faces are few: sorted by size and with signs taken off, (x, y, z)
//! is one of four sums ([`Dop::combination`]; a test compares with all triples). The image of a ball comes
//! out wider by at most 24, 22.5, 22.5 and 12.8 % for 14-, 18-, 24- and 26-DOPs.
//!
//! [`Overlap::Axis`] stops there. [`Overlap::SatLite`], the default, also wraps the resting DOP in the moving
//! tree's normals. The larger of two nodes is the one with the larger product of its box's three sides.
//!
//! Transforming a DOP takes 6 H multiplications and 8 H additions in each direction. The test takes, at
//! worst, 2 H additions and H comparisons, H = 13: 39 operations; SAT lite twice that. Experiments:
//! `docs/notebook.md`, "The papers' volumes".
//!
//! # Bounds
//! The fit: a diagonal's d . p of a point with an error of [`NORMALIZATION_ERROR`] = 8 u (u = 2^-53) a
//! coordinate is off by 24 u, its two roundings of 12 by 24 u, adding the slack by 12 u: less than half of
//! the slack of 128 u. The other half is for [`NodeLayout::holds`], whose argument is an interval around a
//! point. Along the axes the bounds of the primitives hold exactly.
//!
//! The test is in f64 on doubled coordinates: hi + lo for the centre and hi - lo for the extent, as for
//! boxes, so that one combination serves both planes. Let m be the sum of |d_i M_ij|, and g that of |d_i
//! c_i|; |d_1| is at most 3. Points of a normalized frame are at most 4 in size, doubled 8, and a slab's
//! |centre| + extent at most 8 |k|_1 and a rounding to f32 more; the sum of a_j |k_j|_1 is at most 1.5 m: so
//! a combination of either is at most 12 m in size. In units of u, rounded:
//! * M^T d: twice a component: 2 m 8 = 16 m. Its weights: what they sum to differs from it by 7 m in all
//!   (worst for the fourth sum of weights below), times 8: 56 m. A weight is computed to be >= 0, so whatever
//!   it is the bound holds for the vector that the weights make.
//! * centre and extent of the slabs: 12 m; the combination, with its offset: four times, 48 m + 8 g. d . c: 4
//!   g.
//! * the comparison: two sums of 12 m, 24 m + 2 g, and for the resting DOP 24 |d|_1.
//!
//! A distance of two DOPs is the length of their separations along the axes, or the separation along one
//! diagonal over that one's length. A separation is the test's distance less its reach.
//!
//! Together 156 m + 14 g + 24 |d|_1; [`Motion::pad`], summed with |d_i|, has 288 m + 64 g + 288 |d|_1, and
//! the error of the transform. Underflow takes some 2^-1070, far below the pad, which is at least 2^-45. The
//! other direction is the same with the roles exchanged. Everything computed is at most 16 (m + g + |d|_1);
//! one more rounding of this is added to the pad, which is infinite if the sum overflows. An infinite or
//! undefined pad exceeds every distance and separates nothing.
mod shape;

use super::{
    Apart,
    bounding_volume::{BoundingVolume, NodeOf},
};
use crate::{
    Fit, Overlap,
    fit::extremal,
    gap,
    primitives::{NORMALIZATION_ERROR, Primitives},
    refit::RefitVolume,
    refit::bottom_up::BottomUpRefit,
    refit::bottom_up::F32x4,
    refit::bottom_up::Merge,
    refit::bottom_up::ROWS,
    refit::bottom_up::above,
};
use impinge::hierarchy::{Motion, NormalizedFrame, Placement, UNIT, Vector, round_down, round_up};

type Direction = [i8; 3];

/// A DOP of H slabs, as the planes of each: 8 H bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dop<const H: usize> {
    lo: [f32; H],
    hi: [f32; H],
}

/// Axes and diagonals of the cube.
pub(crate) type Dop14 = Dop<7>;
/// Axes and diagonals of the cube's faces.
pub(crate) type Dop18 = Dop<9>;
/// Axes, diagonals of the cube's faces, and all diagonals of the cube but (1, 1, 1).
pub(crate) type Dop24 = Dop<12>;
/// Axes, diagonals of the cube's faces, and all diagonals of the cube.
pub(crate) type Dop26 = Dop<13>;

const _: () = assert!(size_of::<Dop14>() == 56 && size_of::<Dop18>() == 72);
const _: () = assert!(size_of::<Dop24>() == 96 && size_of::<Dop26>() == 104);

/// A power of two, at least the H of every DOP: an index modulo this needs no bounds check.
const SLOTS: usize = 16;

/// For each slab the sum and the difference of its planes: twice the centre, and the width.
type Slabs<const N: usize> = [[f64; 2]; N];

impl<const H: usize> Dop<H> {
    /// The normals: [`extremal::DIRECTIONS`] without the kinds that a DOP of H slabs does not have.
    const DIRECTIONS: [Direction; H] = {
        // The first direction to skip, and the number to skip.
        let (skip, count) = match H {
            7 => (3, 6),
            9 => (9, 4),
            12 => (9, 1),
            _ => (13, 0),
        };
        let mut directions = [[0; 3]; H];
        let mut i = 0;
        while i < H {
            let d = extremal::DIRECTIONS[if i < skip { i } else { i + count }];
            directions[i] = [d[0] as i8, d[1] as i8, d[2] as i8];
            i += 1;
        }
        directions
    };

    /// Slack by which the fit widens slabs along diagonals.
    const SLACK: f64 = 16.0 * NORMALIZATION_ERROR;

    /// The slab whose normal is a direction, and the sign; indexed by [`ternary`].
    const SLAB_OF: [Option<(u8, i8)>; 27] = {
        let mut table = [None; 27];
        let mut i = 0;
        while i < H {
            let d = Self::DIRECTIONS[i];
            table[ternary(d)] = Some((i as u8, 1));
            table[ternary([-d[0], -d[1], -d[2]])] = Some((i as u8, -1));
            i += 1;
        }
        table
    };

    const NAMES: [[&str; H]; 2] = {
        let mut names = [[""; H]; 2];
        let mut i = 0;
        while i < H {
            (names[0][i], names[1][i]) = (NORMALS[0][i], NORMALS[1][i]);
            i += 1;
        }
        names
    };

    #[inline(always)]
    fn slabs(&self) -> Slabs<SLOTS> {
        std::array::from_fn(|i| {
            let (Some(&lo), Some(&hi)) = (self.lo.get(i), self.hi.get(i)) else { return [0.0; 2] };
            let (lo, hi) = (f64::from(lo), f64::from(hi));
            [hi + lo, hi - lo]
        })
    }

    /// A lower bound of the distance of two DOPs in one frame: by the axes together, or by one diagonal.
    #[inline(always)]
    fn distance(a: &Slabs<H>, b: &Slabs<H>) -> f64 {
        let separation = |i: usize| (a[i][0] - b[i][0]).abs() - (a[i][1] + b[i][1]);
        let axes = gap::length([0, 1, 2].map(separation));
        let diagonals = (3..H).map(|i| gap::positive(separation(i)) * Self::INVERSE_LENGTHS[i]);
        // Halved, as coordinates are doubled.
        0.5 * diagonals.fold(axes, gap::larger)
    }

    /// 1 / |d| of each normal.
    const INVERSE_LENGTHS: [f64; H] = {
        let mut lengths = [1.0; H];
        let mut i = 3;
        while i < H {
            let [x, y, z] = Self::DIRECTIONS[i];
            lengths[i] = if x * x + y * y + z * z == 2 { 0.7071067811865475 } else { 0.5773502691896257 };
            i += 1;
        }
        lengths
    };

    /// Writes `w` as a sum of three signed normals with non-negative weights: for each term the slab, the
    /// signed weight, and the weight. This combination gives the tightest bound of a DOP around a ball.
    fn combination(w: &Vector) -> [(u8, f64, f64); 3] {
        let mut order = [0, 1, 2];
        order.sort_unstable_by(|&i, &j| w[j].abs().total_cmp(&w[i].abs()));
        let [x, y, z] = order.map(|k| w[k].abs());
        let choices: [[(Direction, f64); 3]; 4] = [
            [([1, 0, 0], x - y), ([1, 1, 0], y - z), ([1, 1, 1], z)],
            [([1, 0, 0], x - (y + z)), ([1, 1, 0], y), ([1, 0, 1], z)],
            [
                ([1, 1, 0], (x + (y - z)) / 2.0),
                ([1, 0, 1], ((x - y) + z) / 2.0),
                ([0, 1, 1], ((y + z) - x) / 2.0),
            ],
            [([1, 0, 0], x - y), ([1, 1, 1], (y + z) / 2.0), ([1, 1, -1], (y - z) / 2.0)],
        ];
        for choice in choices {
            let term = choice.map(|(steps, weight)| {
                let mut d = [0; 3];
                for (step, k) in steps.into_iter().zip(order) {
                    d[k] = if w[k] < 0.0 { -step } else { step };
                }
                let (slab, sign) = Self::SLAB_OF[ternary(d)]?;
                (weight >= 0.0).then_some((slab, weight * f64::from(sign), weight))
            });
            if let [Some(a), Some(b), Some(c)] = term {
                return [a, b, c];
            }
        }
        // Only numbers that overflowed reach this line; as multiples of the axes they stay infinite or NaN.
        [(0, w[0], w[0].abs()), (1, w[1], w[1].abs()), (2, w[2], w[2].abs())]
    }
}

/// A direction with components in {-1, 0, 1} as a number below 27.
const fn ternary(d: Direction) -> usize {
    ((d[0] + 1) * 9 + (d[1] + 1) * 3 + d[2] + 1) as usize
}

#[inline(always)]
fn dot(d: &Direction, p: &Vector) -> f64 {
    f64::from(d[0]) * p[0] + f64::from(d[1]) * p[1] + f64::from(d[2]) * p[2]
}

/// The image's slab along one normal, as a combination of three slabs of the source DOP.
#[derive(Clone, Copy)]
struct ImageSlab {
    from: [u8; 3],
    /// Signed weights for centres, their absolute values for extents.
    weights: Slabs<3>,
    /// Added to centre and extent: twice the offset along the normal, and the pad.
    shift: [f64; 2],
}

/// Wraps DOPs of one normalized frame in DOPs with the normals of the other frame.
struct DopTransform<const H: usize> {
    rows: [ImageSlab; H],
}

impl<const H: usize> DopTransform<H> {
    fn new(motion: &Motion) -> Self {
        let pad = motion.pad();
        let column = |j: usize| std::array::from_fn(|i| motion.linear[i][j]);
        let columns: [Vector; 3] = std::array::from_fn(column);
        let rows = Dop::<H>::DIRECTIONS.map(|d| {
            let terms = Dop::<H>::combination(&columns.map(|m| dot(&d, &m)));
            let size = |m: &Vector| dot(&d.map(i8::abs), &m.map(f64::abs));
            let sum = columns.iter().map(size).sum::<f64>() + size(&motion.offset) + 3.0;
            ImageSlab {
                from: terms.map(|(slab, ..)| slab),
                weights: terms.map(|(_, signed, weight)| [signed, weight]),
                shift: [2.0 * dot(&d, &motion.offset), size(&pad) + UNIT * (16.0 * sum)],
            }
        });
        Self { rows }
    }
    #[inline(always)]
    fn image(&self, own: &Slabs<SLOTS>) -> Slabs<H> {
        std::array::from_fn(|i| {
            let row = &self.rows[i];
            let [a, b, c] = row.from.map(|k| &own[usize::from(k) % SLOTS]);
            let w = &row.weights;
            std::array::from_fn(|s| a[s] * w[0][s] + b[s] * w[1][s] + c[s] * w[2][s] + row.shift[s])
        })
    }
}

/// Both directions of the relative transform.
pub(crate) struct DopPrecomputed<const H: usize> {
    to_resting: DopTransform<H>,
    /// Transform to the moving frame, only for SAT lite.
    to_moving: Option<DopTransform<H>>,
    /// |det M|, the factor of the moving box's volume.
    volume_scale: f64,
    /// See [`gap::factor`].
    factor: f64,
}

/// A DOP and, if the test needs it, its image in the other's normalized frame, on doubled coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransformedDop<const H: usize> {
    own: Slabs<H>,
    image: Slabs<H>,
    /// The volume of the axis-aligned box; a flat box counts as thick as a thousand roundings.
    volume: f64,
}

impl<const H: usize> TransformedDop<H> {
    #[inline(always)]
    fn new(dop: &Dop<H>, map: Option<&DopTransform<H>>) -> Self {
        let slabs = dop.slabs();
        let image = if let Some(map) = map { map.image(&slabs) } else { [[0.0; 2]; H] };
        Self::of(&slabs, image)
    }
    #[inline(always)]
    fn of(slabs: &Slabs<SLOTS>, image: Slabs<H>) -> Self {
        const THIN: f64 = 1e-12;
        let mut own: Slabs<H> = [[0.0; 2]; H];
        own.copy_from_slice(&slabs[..H]);
        let volume = (own[0][1] + THIN) * (own[1][1] + THIN) * (own[2][1] + THIN);
        Self { own, image, volume }
    }

    /// Transforms `dop` by `map`, or proves it disjoint from `other`. The image of `other`, if it has one, is
    /// tested first, as that needs no transform of `dop`. `own` and `image` are the indices of the first test
    /// in this frame and in the other's.
    #[inline(always)]
    fn against(
        dop: &Dop<H>,
        map: Option<&DopTransform<H>>,
        other: &Self,
        other_is_placed: bool,
        [own, image]: [u8; 2],
    ) -> Result<Self, Apart> {
        let slabs = dop.slabs();
        if other_is_placed && let Some(k) = separating(&slabs, &other.image) {
            return Err(Apart { test: own + k, transformed: false });
        }
        let mut transformed = [[0.0; 2]; H];
        if let Some(map) = map {
            transformed = map.image(&slabs);
            if let Some(k) = separating(&transformed, &other.own) {
                return Err(Apart { test: image + k, transformed: true });
            }
        }
        Ok(Self::of(&slabs, transformed))
    }
}

/// Names of the tests: along the resting tree's normals first, then along the moving one's.
const NORMALS: [[&str; 13]; 2] = [
    ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12"],
    ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12"],
];

#[inline(always)]
fn separating(a: &[[f64; 2]], b: &[[f64; 2]]) -> Option<u8> {
    (0..).zip(a.iter().zip(b)).find(|(_, (a, b))| (a[0] - b[0]).abs() > a[1] + b[1]).map(|(k, _)| k)
}

impl<const H: usize> BoundingVolume for Dop<H> {
    type Precomputed = DopPrecomputed<H>;
    type Resting = TransformedDop<H>;
    type Moving = TransformedDop<H>;
    const PAPER: &'static str = "Klosowski and others 1998; Zachmann 1998";
    // Both ways 2 H sums and H comparisons; 2 H sums for centres and extents, 14 H for their image.
    const OPERATIONS: [u32; 2] = [6 * H as u32, 16 * H as u32];
    const OVERLAPS: &'static [Overlap] = &[Overlap::SatLite, Overlap::Axis];
    const TESTS: &'static [&'static str] = Self::NAMES.as_flattened();

    fn fit(primitives: &Primitives<'_>, _: Fit) -> Self {
        let (mut lo, mut hi) = ([f64::INFINITY; H], [f64::NEG_INFINITY; H]);
        for p in primitives.points() {
            for i in 0..H {
                let x = dot(&Self::DIRECTIONS[i], &p);
                lo[i] = lo[i].min(x);
                hi[i] = hi[i].max(x);
            }
        }
        let mut fit =
            Self { lo: lo.map(|x| round_down(x - Self::SLACK)), hi: hi.map(|x| round_up(x + Self::SLACK)) };
        fit.lo[..3].copy_from_slice(&primitives.bounds.lo);
        fit.hi[..3].copy_from_slice(&primitives.bounds.hi);
        fit
    }
    fn holds(&self, lo: &Vector, hi: &Vector) -> bool {
        (0..H).all(|i| {
            let d = &Self::DIRECTIONS[i];
            let low = std::array::from_fn(|k| if d[k] < 0 { hi[k] } else { lo[k] });
            let high = std::array::from_fn(|k| if d[k] < 0 { lo[k] } else { hi[k] });
            f64::from(self.lo[i]) <= dot(d, &low) && dot(d, &high) <= f64::from(self.hi[i])
        })
    }

    fn precompute(placement: &Placement, overlap: Overlap) -> DopPrecomputed<H> {
        let m = &placement.to_resting.linear;
        let minor = |j: usize, k: usize| m[1][j] * m[2][k] - m[1][k] * m[2][j];
        let det = m[0][0] * minor(1, 2) + m[0][1] * minor(2, 0) + m[0][2] * minor(0, 1);
        DopPrecomputed {
            to_resting: DopTransform::new(&placement.to_resting),
            to_moving: (overlap == Overlap::SatLite).then(|| DopTransform::new(&placement.to_moving)),
            volume_scale: det.abs(),
            factor: gap::factor(placement),
        }
    }
    #[inline(always)]
    fn prepare_resting(&self, precomputed: &DopPrecomputed<H>) -> TransformedDop<H> {
        TransformedDop::new(self, precomputed.to_moving.as_ref())
    }
    #[inline(always)]
    fn prepare_moving(&self, precomputed: &DopPrecomputed<H>) -> TransformedDop<H> {
        TransformedDop::new(self, Some(&precomputed.to_resting))
    }
    #[inline(always)]
    fn separation(
        precomputed: &DopPrecomputed<H>,
        a: &TransformedDop<H>,
        b: &TransformedDop<H>,
    ) -> Option<u8> {
        let of_b = || precomputed.to_moving.as_ref().and_then(|_| separating(&a.image, &b.own));
        separating(&a.own, &b.image).or_else(|| of_b().map(|k| k + H as u8))
    }
    #[inline(always)]
    fn gap(precomputed: &DopPrecomputed<H>, a: &TransformedDop<H>, b: &TransformedDop<H>) -> f64 {
        let resting = Self::distance(&a.own, &b.image);
        if precomputed.to_moving.is_none() {
            return resting;
        }
        gap::larger(resting, Self::distance(&b.own, &a.image) * precomputed.factor)
    }
    #[inline(always)]
    fn resting_is_larger(
        precomputed: &DopPrecomputed<H>,
        a: &TransformedDop<H>,
        b: &TransformedDop<H>,
    ) -> bool {
        a.volume >= b.volume * precomputed.volume_scale
    }
    #[inline(always)]
    fn test_resting(
        &self,
        precomputed: &DopPrecomputed<H>,
        moving: &TransformedDop<H>,
    ) -> Result<TransformedDop<H>, Apart> {
        TransformedDop::against(self, precomputed.to_moving.as_ref(), moving, true, [0, H as u8])
    }
    #[inline(always)]
    fn test_moving(
        &self,
        precomputed: &DopPrecomputed<H>,
        resting: &TransformedDop<H>,
    ) -> Result<TransformedDop<H>, Apart> {
        TransformedDop::against(
            self,
            Some(&precomputed.to_resting),
            resting,
            precomputed.to_moving.is_some(),
            [H as u8, 0],
        )
    }
}

impl<const H: usize> RefitVolume for Dop<H> {
    fn bottom_up<const N: usize>() -> Option<BottomUpRefit<NodeOf<Self, N>>> {
        Some(BottomUpRefit::new())
    }
}

/// After the axes a row has the diagonals' hi, then their -lo.
impl<const H: usize> Merge for Dop<H> {
    const ROW: usize = 2 + (2 * (H - 3)).div_ceil(4);
    #[inline(always)]
    fn row(normalized: &NormalizedFrame, v: &Vector, to: &mut [F32x4]) {
        let p = normalized.apply(v);
        let [x, y, z] = p;
        to[0] = F32x4([above(x), above(y), above(z), 0.0]);
        to[1] = F32x4([above(-x), above(-y), above(-z), 0.0]);
        for i in 3..H {
            // As in the fit.
            let x = dot(&Self::DIRECTIONS[i], &p);
            let (hi, lo) = (i - 3, H - 3 + i - 3);
            to[2 + hi / 4].0[hi % 4] = above(x + Self::SLACK);
            to[2 + lo / 4].0[lo % 4] = above(Self::SLACK - x);
        }
    }
    #[inline(always)]
    fn close(row: &[F32x4; ROWS]) -> Self {
        let (mut lo, mut hi) = ([0.0; H], [0.0; H]);
        for i in 0..3 {
            (lo[i], hi[i]) = (-row[1].0[i], row[0].0[i]);
        }
        for i in 3..H {
            let (up, down) = (i - 3, H - 3 + i - 3);
            (lo[i], hi[i]) = (-row[2 + down / 4].0[down % 4], row[2 + up / 4].0[up % 4]);
        }
        Self { lo, hi }
    }
    #[inline(always)]
    fn open(&self) -> [F32x4; ROWS] {
        let mut row = [F32x4([0.0; 4]); ROWS];
        for i in 0..3 {
            (row[0].0[i], row[1].0[i]) = (self.hi[i], -self.lo[i]);
        }
        for i in 3..H {
            let (up, down) = (i - 3, H - 3 + i - 3);
            (row[2 + up / 4].0[up % 4], row[2 + down / 4].0[down % 4]) = (self.hi[i], -self.lo[i]);
        }
        row
    }
}

#[cfg(test)]
mod tests;
