//! Up to eight triangles in a lattice of their own: 16 bytes, and 27 bytes a triangle; 18 in compact trees.
//!
//! A corner is origin + step q: the origin three f32, the step a power of two, q three integers of 24 bits (16 in compact trees): nine rows of upper 16 bits, one for each coordinate, then nine
//! rows of lower 8. A stored corner is within [`ALPHA`] steps of the exact one, on each axis. 16 bits are too few for long thin triangles: of the saw's pairs
//! the f32 stage then leaves 30 % undecided.
use crate::{
    bounds::Bounds,
    mesh::MAX_TRIANGLES,
    simd::{Lanes, Simd},
};

/// 16-bit words before the corners: the origin's bits, the step's exponent, one spare.
pub(crate) const HEAD: usize = 8;
/// Words at the end of all leaves, so that a row may be read eight lanes at a time.
pub(crate) const TAIL: usize = 8;
/// Most triangles of a leaf.
pub(crate) const MOST: usize = 8;
/// Words that [`push`] needs for a moment behind those of the leaves before.
pub(crate) const ROOM: usize = HEAD + 9 * 8 + 9 * 4 + 8;
// The most words there may be, every triangle in a leaf of its own, have a place of 32 bits.
const _: () = assert!((HEAD + 9 + 5) as u64 * (MAX_TRIANGLES as u64) + (ROOM as u64) < 1 << 32);
/// How far, in steps, a stored corner may be from the exact one: half a step of rounding, and 2^-46 of the coordinates (see
/// [`TREE_ERROR`](super::TREE_ERROR)) in steps of at least [`LEAST_STEP`].
pub(crate) const ALPHA: f32 = 0.5 + 0.03125;
/// 2^-40.
pub(crate) const LEAST_STEP: f64 = 1.0 / (1_u64 << 40) as f64;

/// How finely leaves keep their corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// 24 bits.
    Fine,
    /// 16 bits.
    Compact,
}

impl Grain {
    /// No integer is larger.
    #[inline(always)]
    pub(crate) fn range(self) -> f32 {
        match self {
            Self::Fine => 8_388_608.0,
            Self::Compact => 32768.0,
        }
    }
    /// Words of `leaves` leaves with `triangles` in all, `odd` of them with an odd number.
    #[inline(always)]
    pub(crate) fn words(self, leaves: u32, triangles: u32, odd: u32) -> u32 {
        let upper = leaves * HEAD as u32 + 9 * triangles;
        match self {
            Self::Fine => upper + (9 * triangles + odd) / 2,
            Self::Compact => upper,
        }
    }
}

/// Where a leaf is: its words, its first triangle's place in `order`, and how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeafRef {
    pub(crate) words: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// The lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub(crate) origin: [f32; 3],
    /// A power of two, and its inverse.
    pub(crate) step: f32,
    pub(crate) per_unit: f32,
}

impl Lattice {
    #[inline(always)]
    pub(crate) fn read(head: &[i16]) -> Self {
        let head: &[i16; HEAD] = head[..HEAD].as_array().expect("a head");
        let exponent = u32::from(head[6] as u16);
        Self {
            origin: [float(head[0], head[1]), float(head[2], head[3]), float(head[4], head[5])],
            step: f32::from_bits(exponent << 23),
            per_unit: f32::from_bits((254 - exponent) << 23),
        }
    }
}

/// From the lower and the upper half of its bits.
#[inline(always)]
fn float(low: i16, high: i16) -> f32 {
    f32::from_bits(u32::from(low as u16) | u32::from(high as u16) << 16)
}

/// Three corners, by corner and axis, in lattice coordinates; lanes beyond the count hold anything within the range.
#[inline(always)]
pub(crate) fn corners<S: Simd>(simd: S, words: &[i16], leaf: LeafRef, grain: Grain) -> [[S::Eight; 3]; 3] {
    let (start, n) = (leaf.words as usize + HEAD, leaf.count as usize);
    // The lower rows begin at a word, and there is room to read eight bytes of the last.
    let all = match grain {
        Grain::Compact => &words[start..start + 8 * n + 8],
        Grain::Fine => &words[start..start + 9 * n + 4 * n + 4],
    };
    let [a, b, c] = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    [corner(simd, all, n, grain, a), corner(simd, all, n, grain, b), corner(simd, all, n, grain, c)]
}

#[inline(always)]
fn corner<S: Simd>(simd: S, all: &[i16], n: usize, grain: Grain, rows: [usize; 3]) -> [S::Eight; 3] {
    [row(simd, all, n, grain, rows[0]), row(simd, all, n, grain, rows[1]), row(simd, all, n, grain, rows[2])]
}

#[inline(always)]
fn row<S: Simd>(simd: S, all: &[i16], n: usize, grain: Grain, k: usize) -> S::Eight {
    let upper = simd.signed(all[k * n..k * n + 8].as_array().expect("eight"));
    match grain {
        Grain::Compact => upper,
        Grain::Fine => upper.mul_add(simd.eight(256.0), simd.bytes_at(&all[9 * n..], k * n)),
    }
}

/// Appends a leaf of n triangles, all of which lies in a box. Rows are coordinates: those of the first corners on each axis, and so on.
#[inline(always)]
pub(crate) fn push(words: &mut Vec<i16>, grain: Grain, bounds: &Bounds, rows: [&[f64; MOST]; 9], n: usize) {
    let origin: [f32; 3] = std::array::from_fn(|k| bounds.lo[k] / 2.0 + bounds.hi[k] / 2.0);
    let reach = (0..3).fold(0.0, |m: f64, k| {
        let o = f64::from(origin[k]);
        m.max(f64::from(bounds.hi[k]) - o).max(o - f64::from(bounds.lo[k]))
    });
    // The least power of two of which the range, but for two, reaches everything.
    let least = (LEAST_STEP as f32).to_bits() >> 23;
    let wanted = crate::bounds::round_up(reach / f64::from(grain.range() - 2.0)).to_bits();
    let exponent = ((wanted >> 23) + u32::from(wanted & 0x7f_ffff != 0)).max(least);
    let per_unit = 1.0 / f64::from(f32::from_bits(exponent << 23));
    let mut q = [[0_i32; MOST]; 9];
    for (r, (q, row)) in q.iter_mut().zip(rows).enumerate() {
        let origin = f64::from(origin[r % 3]);
        for (q, x) in q.iter_mut().zip(row) {
            // Adding it leaves the nearest integer in the low bits.
            const SHIFT: f64 = 6_755_399_441_055_744.0;
            *q = ((x - origin) * per_unit + SHIFT).to_bits() as i32;
        }
    }
    let start = words.len();
    // Room for whole runs of eight: each row is written over by the next where it is longer than n.
    words.resize(start + ROOM, 0);
    let (head, rest) = words[start..].split_at_mut(HEAD);
    for (pair, x) in head.chunks_exact_mut(2).zip(origin) {
        let bits = x.to_bits();
        pair.copy_from_slice(&[bits as u16 as i16, (bits >> 16) as u16 as i16]);
    }
    head[6..].copy_from_slice(&[exponent as i16, 0]);
    let mut used = 9 * n;
    match grain {
        Grain::Compact => {
            for (r, row) in q.iter().enumerate() {
                rest[r * n..r * n + 8].copy_from_slice(&row.map(|q| q as i16));
            }
        }
        Grain::Fine => {
            let mut low = [0_u8; 80];
            for (r, row) in q.iter().enumerate() {
                rest[r * n..r * n + 8].copy_from_slice(&row.map(|q| (q >> 8) as i16));
                low[r * n..r * n + 8].copy_from_slice(&row.map(|q| q as u8));
            }
            // Where n is odd it is stored: what stands there must not depend on what was there before.
            low[9 * n] = 0;
            let (pairs, _) = low.as_chunks::<2>();
            for (to, &pair) in rest[used..].iter_mut().zip(&pairs[..36]) {
                *to = i16::from_le_bytes(pair);
            }
            used += (9 * n).div_ceil(2);
        }
    }
    words.truncate(start + HEAD + used);
}

/// Boxes of the triangles, and the longest side of each.
#[inline(always)]
pub(crate) fn extents<L: Lanes>(v: &[[L; 3]; 3]) -> ([L; 3], [L; 3], L) {
    let lo = [
        v[0][0].min(v[1][0]).min(v[2][0]),
        v[0][1].min(v[1][1]).min(v[2][1]),
        v[0][2].min(v[1][2]).min(v[2][2]),
    ];
    let hi = [
        v[0][0].max(v[1][0]).max(v[2][0]),
        v[0][1].max(v[1][1]).max(v[2][1]),
        v[0][2].max(v[1][2]).max(v[2][2]),
    ];
    let side = (hi[0] - lo[0]).max(hi[1] - lo[1]).max(hi[2] - lo[2]);
    (lo, hi, side)
}
