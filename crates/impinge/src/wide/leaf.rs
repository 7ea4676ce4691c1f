//! A leaf: up to eight triangles, their corners quantized on a lattice of the leaf's own. It takes 16 bytes,
//! and 27 bytes a triangle (18 in compact trees).
//!
//! A corner is origin + step q. The origin is three f32, the step a power of two, and q three integers of 24
//! bits (16 in compact trees). They are stored by coordinate, so that eight triangles are read at once: nine
//! rows of the upper 16 bits, then nine rows of the lower 8. A stored corner is within [`ALPHA`] steps of the
//! exact one on each axis.
use crate::{
    bounds::Bounds,
    mesh::MAX_TRIANGLES,
    simd::{Lanes, Simd},
};

/// 16-bit words before a leaf's corners: the origin's bits, the step's exponent, one unused.
pub(crate) const HEAD: usize = 8;
/// Words behind the last leaf, so that its last row may be read eight lanes at a time, too.
pub(crate) const TAIL: usize = 8;
/// Most triangles of a leaf.
pub(crate) const MOST: usize = 8;
/// The most words that [`push`] writes to; it keeps those that the leaf needs.
pub(crate) const ROOM: usize = HEAD + 9 * 8 + 9 * 4 + 8;
// Places in the words, and sums of lengths in [`CornerPrecision::words`], fit 32 bits: a triangle has at most
// a head of its own, 9 words and 4.5.
const _: () = assert!((HEAD + 9 + 5) as u64 * (MAX_TRIANGLES as u64) + (ROOM as u64) < 1 << 32);
/// Bound, in steps, of a stored corner's error: half a step by rounding, and the error of its coordinates,
/// [`TREE_ERROR`](super::TREE_ERROR) = 2^-46, in steps that are no shorter than [`LEAST_STEP`].
pub(crate) const ALPHA: f32 = 0.5 + 0.03125;
/// The shortest step, 2^-40.
pub(crate) const LEAST_STEP: f64 = 1.0 / (1_u64 << 40) as f64;

/// Number of bits of a corner's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CornerPrecision {
    /// 24 bits.
    Fine,
    /// 16 bits.
    Compact,
}

impl CornerPrecision {
    /// The coordinates' integers lie in `-range..range`.
    #[inline(always)]
    pub(crate) fn range(self) -> f32 {
        match self {
            Self::Fine => 8_388_608.0,
            Self::Compact => 32768.0,
        }
    }
    /// Number of words of some leaves with so many triangles in all. `odd` of the leaves have an odd number
    /// of triangles.
    #[inline(always)]
    pub(crate) fn words(self, leaves: u32, triangles: u32, odd: u32) -> u32 {
        let upper = leaves * HEAD as u32 + 9 * triangles;
        match self {
            Self::Fine => upper + (9 * triangles + odd) / 2,
            Self::Compact => upper,
        }
    }
}

/// Position of a leaf: its first word, its first triangle's place in `order`, and its number of triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeafRef {
    pub(crate) words: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// A leaf's lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafLattice {
    pub(crate) origin: [f32; 3],
    /// A power of two.
    pub(crate) step: f32,
    /// The step's inverse.
    pub(crate) per_unit: f32,
}

impl LeafLattice {
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

/// An f32, from the lower and the upper half of its bits.
#[inline(always)]
fn float(low: i16, high: i16) -> f32 {
    f32::from_bits(u32::from(low as u16) | u32::from(high as u16) << 16)
}

/// Rows by corner and axis. A closure would be a function without the instructions of its caller.
macro_rules! nine {
    ($k:ident => $row:expr) => {
        [nine!($k => $row; 0 1 2), nine!($k => $row; 3 4 5), nine!($k => $row; 6 7 8)]
    };
    ($k:ident => $row:expr; $($n:literal)*) => {
        [$({
            let $k = $n;
            $row
        }),*]
    };
}

/// The corners of a leaf's triangles in lattice coordinates, by corner and axis. Lanes beyond the leaf's
/// count hold any numbers within the range.
#[inline(always)]
pub(crate) fn corners<S: Simd>(
    simd: S,
    words: &[i16],
    leaf: LeafRef,
    precision: CornerPrecision,
) -> [[S::Eight; 3]; 3] {
    let (start, n) = (leaf.words as usize + HEAD, leaf.count as usize);
    // A branch for all rows, not one for each.
    match precision {
        CornerPrecision::Compact => {
            let all = &words[start..start + 8 * n + 8];
            nine!(k => upper(simd, all, n, k))
        }
        CornerPrecision::Fine => {
            // The rows of lower bits begin at a whole word, and the slice is long enough to read eight bytes
            // of the last one.
            let all = &words[start..start + 9 * n + 4 * n + 4];
            let lower = &all[9 * n..];
            nine!(k => upper(simd, all, n, k).mul_add(simd.eight(256.0), simd.bytes_at(lower, k * n)))
        }
    }
}

/// The upper bits of row k.
#[inline(always)]
fn upper<S: Simd>(simd: S, all: &[i16], n: usize, k: usize) -> S::Eight {
    simd.signed(all[k * n..k * n + 8].as_array().expect("eight"))
}

/// Appends a leaf of the first n triangles in `rows`: x, y and z of first corners, then those of second and
/// third ones. The box must contain them all.
#[inline(always)]
pub(crate) fn push(
    words: &mut Vec<i16>,
    precision: CornerPrecision,
    bounds: &Bounds,
    rows: [&[f64; MOST]; 9],
    n: usize,
) {
    let origin: [f32; 3] = std::array::from_fn(|k| bounds.lo[k] / 2.0 + bounds.hi[k] / 2.0);
    let reach = (0..3).fold(0.0, |m: f64, k| {
        let o = f64::from(origin[k]);
        m.max(f64::from(bounds.hi[k]) - o).max(o - f64::from(bounds.lo[k]))
    });
    // The step: the least power of two with which the range, less 2 for rounding, covers the box.
    let least = (LEAST_STEP as f32).to_bits() >> 23;
    let wanted = crate::bounds::round_up(reach / f64::from(precision.range() - 2.0)).to_bits();
    let exponent = ((wanted >> 23) + u32::from(wanted & 0x7f_ffff != 0)).max(least);
    let per_unit = 1.0 / f64::from(f32::from_bits(exponent << 23));
    // Long loops that do one thing each, which the compiler vectorizes.
    let mut shifted = [[0_f64; MOST]; 9];
    for (k, origin) in origin.iter().enumerate() {
        let origin = f64::from(*origin);
        for r in [k, k + 3, k + 6] {
            for (to, x) in shifted[r].iter_mut().zip(rows[r]) {
                // 1.5 * 2^52: adding it leaves the nearest integer in the low bits. Triangles beyond n may
                // give anything.
                const SHIFT: f64 = 6_755_399_441_055_744.0;
                *to = (x - origin) * per_unit + SHIFT;
            }
        }
    }
    let mut q = [[0_i32; MOST]; 9];
    for (q, x) in q.as_flattened_mut().iter_mut().zip(shifted.as_flattened()) {
        *q = x.to_bits() as i32;
    }
    let start = words.len();
    // Rows are written eight long: the next one overwrites what is beyond n.
    words.resize(start + ROOM, 0);
    let (head, rest) = words[start..].split_at_mut(HEAD);
    for (pair, x) in head.chunks_exact_mut(2).zip(origin) {
        let bits = x.to_bits();
        pair.copy_from_slice(&[bits as u16 as i16, (bits >> 16) as u16 as i16]);
    }
    // Below 256, as every exponent.
    head[6..].copy_from_slice(&[exponent as i16, 0]);
    let mut used = 9 * n;
    match precision {
        CornerPrecision::Compact => {
            for (r, row) in q.iter().enumerate() {
                rest[r * n..r * n + 8].copy_from_slice(&row.map(|q| q as i16));
            }
        }
        CornerPrecision::Fine => {
            let mut low = [0_u8; 80];
            for (r, row) in q.iter().enumerate() {
                for (to, q) in rest[r * n..r * n + 8].iter_mut().zip(row) {
                    *to = (q >> 8) as i16;
                }
                for (to, q) in low[r * n..r * n + 8].iter_mut().zip(row) {
                    *to = *q as u8;
                }
            }
            // If n is odd, the number of bytes is odd too, and this one fills the last word. The same leaf
            // must have the same words.
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

/// The boxes of the triangles, and the longest side of each.
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
