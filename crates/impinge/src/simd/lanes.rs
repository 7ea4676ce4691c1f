//! The interface of each instruction set: vectors of numbers and the operations on them.
use crate::choice::choice;
use std::{
    fmt::Debug,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

/// The result of a comparison: a set of lanes.
pub(crate) trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// The mask as bits: bit k is that of lane k.
    fn bits(self) -> u32;
}

/// A vector of f32 or of f64; operations go lane by lane.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    type Mask: Mask;
    /// self * b + c, rounded once or twice.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// self * b - c, rounded once or twice.
    fn mul_sub(self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    /// The lesser; either of the two where one is NaN.
    fn min(self, o: Self) -> Self;
    fn max(self, o: Self) -> Self;
    /// The lanes where self > o, which is false where one is NaN.
    fn gt(self, o: Self) -> Self::Mask;
    /// Its own lanes where the mask is set, those of the other elsewhere.
    fn or_else(self, mask: Self::Mask, o: Self) -> Self;
}

/// A vector of f64 that also computes the rounding errors of products.
pub(crate) trait Doubles: Lanes {
    /// self * b - product, exactly, where `product` is self * b. Not exact after overflow; off by some
    /// 2^-1074 if a factor or the rounding error is subnormal.
    fn product_error(self, b: Self, product: Self) -> Self;
    fn sqrt(self) -> Self;
}

/// A task that is compiled for each instruction set. `run`, and everything between it and the intrinsics, is
/// `#[inline(always)]`.
pub(crate) trait Work {
    type Out;
    fn run<S: Simd>(self, simd: S) -> Self::Out;
}

/// An instruction set that this processor has.
pub(crate) trait Simd: Copy + Debug {
    /// Eight lanes of f32: one for each child of a node, or triangle of a leaf.
    type Eight: Lanes;
    /// [`Simd::PAIRS`] lanes of f32: one for each pair of children, or of triangles.
    type Pairs: Lanes;
    /// For each lane of `Pairs` the number, 0 to 7, of a lane of `Eight`.
    type Index: Copy;
    /// [`Simd::DOUBLES`] lanes of f64.
    type Doubles: Doubles;
    const LEVEL: SimdLevel;
    /// Lanes of `Pairs`, at most [`MOST_PAIRS`].
    const PAIRS: usize;
    /// Lanes of `Doubles`, at most [`MOST_DOUBLES`].
    const DOUBLES: usize;

    /// Does the work in a function of its own, compiled with these instructions. Queries enter here. Inside
    /// of them it also separates work that is rare or has several callers: without optimisation each variable
    /// of inlined code takes its own room on the stack.
    fn call<W: Work>(self, work: W) -> W::Out;

    /// A vector with one number in all lanes.
    fn eight(self, x: f32) -> Self::Eight;
    /// Converts integers to floats, exactly. So do the next two.
    fn bytes(self, x: &[u8; 8]) -> Self::Eight;
    fn signed(self, x: &[i16; 8]) -> Self::Eight;
    fn unsigned(self, x: &[u16; 8]) -> Self::Eight;
    /// Converts the eight bytes from byte `at` on of words, the lower byte of each word first. Panics if
    /// there are fewer.
    fn bytes_at(self, words: &[i16], at: usize) -> Self::Eight;
    fn load(self, from: &[f32; 8]) -> Self::Eight;
    fn store(self, x: Self::Eight, to: &mut [f32; 8]);
    /// Integers in the order of the numbers. Each is rounded down to a multiple of 8 and has its lane in the
    /// last three bits, so that the least one contains its lane. Lanes that are not in `lanes` get
    /// `i32::MAX`. NaN is before or behind all.
    #[inline(always)]
    fn keys(self, x: Self::Eight, lanes: u8, to: &mut [i32; 8]) {
        let mut all = [0.0; 8];
        self.store(x, &mut all);
        for (lane, (key, x)) in to.iter_mut().zip(all).enumerate() {
            let own = (ordered(x) & !7) | lane as i32;
            *key = if lanes >> lane & 1 == 1 { own } else { i32::MAX };
        }
    }
    /// [`Simd::eight`] of each coordinate.
    #[inline(always)]
    fn eights(self, x: &[f32; 3]) -> [Self::Eight; 3] {
        [self.eight(x[0]), self.eight(x[1]), self.eight(x[2])]
    }

    /// A vector with one number in all lanes.
    fn pairs(self, x: f32) -> Self::Pairs;
    /// [`Simd::pairs`] of each coordinate.
    #[inline(always)]
    fn splat_pairs(self, x: &[f32; 3]) -> [Self::Pairs; 3] {
        [self.pairs(x[0]), self.pairs(x[1]), self.pairs(x[2])]
    }
    /// The first [`Simd::PAIRS`] numbers of `from`. Panics if it is shorter.
    fn load_pairs(self, from: &[f32]) -> Self::Pairs;
    /// Writes the first [`Simd::PAIRS`] elements of `to`. Panics if it is shorter.
    fn store_pairs(self, x: Self::Pairs, to: &mut [f32]);
    /// A vector with one number in all lanes.
    fn doubles(self, x: f64) -> Self::Doubles;
    /// The first [`Simd::DOUBLES`] numbers.
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Self::Doubles;
    /// Writes the first [`Simd::DOUBLES`] elements.
    fn store_doubles(self, x: Self::Doubles, to: &mut [f64; MOST_DOUBLES]);
    /// Rounds to f32 and writes the first [`Simd::DOUBLES`] elements.
    fn store_singles(self, x: Self::Doubles, to: &mut [f32; MOST_DOUBLES]);
    /// Looks up lanes of a table: lane k is lane `at[k]` of it.
    fn lookup(self, table: Self::Eight, at: Self::Index) -> Self::Pairs;
    /// [`Simd::lookup`] of each coordinate.
    #[inline(always)]
    fn lookups(self, table: [Self::Eight; 3], at: Self::Index) -> [Self::Pairs; 3] {
        [self.lookup(table[0], at), self.lookup(table[1], at), self.lookup(table[2], at)]
    }
    /// [`Simd::doubles`] of each coordinate.
    #[inline(always)]
    fn splat_doubles(self, x: &[f64; 3]) -> [Self::Doubles; 3] {
        [self.doubles(x[0]), self.doubles(x[1]), self.doubles(x[2])]
    }
    /// Three corners by their coordinates, from nine rows.
    #[inline(always)]
    fn load_triangles(self, from: &[[f64; MOST_DOUBLES]; 9]) -> [[Self::Doubles; 3]; 3] {
        [
            [self.load_doubles(&from[0]), self.load_doubles(&from[1]), self.load_doubles(&from[2])],
            [self.load_doubles(&from[3]), self.load_doubles(&from[4]), self.load_doubles(&from[5])],
            [self.load_doubles(&from[6]), self.load_doubles(&from[7]), self.load_doubles(&from[8])],
        ]
    }
    /// Three corners by their coordinates: lane k is that of `rows[k]`.
    #[inline(always)]
    fn load_corners(self, rows: &[&TriangleCoordinates; MOST_DOUBLES]) -> [[Self::Doubles; 3]; 3] {
        let mut columns = [[0.0; MOST_DOUBLES]; 9];
        for (lane, row) in rows.iter().enumerate().take(Self::DOUBLES) {
            for (column, &x) in columns.iter_mut().zip(*row) {
                column[lane] = x;
            }
        }
        self.load_triangles(&columns)
    }
    /// Writes the positions of the bits that are 1, the lowest first. Numbers behind them are less than 64.
    fn ones(self, bits: u64, to: &mut Ones);
    /// Spreads the lowest bits of a number to the positions of the ones of `mask` (x86 calls this PDEP).
    fn deposit(self, bits: u64, mask: u64) -> u64;
    /// Hints that `of[at]` will be read soon; no result depends on it. `at` may lie beyond the end.
    fn prefetch<T>(self, of: &[T], at: usize);
    /// The quotients by 8 of [`Simd::PAIRS`] numbers of `ones` from `start` on, and the remainders.
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Self::Index, Self::Index);
    /// Writes `first` plus each index to the first [`Simd::PAIRS`] elements of `to`.
    fn store_ranks(self, first: u32, at: Self::Index, to: &mut [u32]);
}

/// [`Simd::deposit`] where no instruction does it.
#[inline]
pub(super) fn deposit(mut bits: u64, mut mask: u64) -> u64 {
    let mut all = 0;
    while mask != 0 {
        all |= (mask & mask.wrapping_neg()) * (bits & 1);
        bits >>= 1;
        mask &= mask - 1;
    }
    all
}

/// An integer for each number, in the same order.
#[inline(always)]
pub(crate) fn ordered(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ ((bits >> 31) & i32::MAX)
}

/// The coordinates of a triangle's corners.
pub(crate) type TriangleCoordinates = [f64; 9];

/// The largest number of lanes of a vector of pairs.
pub(crate) const MOST_PAIRS: usize = 16;
/// The largest number of lanes of a vector of f64.
pub(crate) const MOST_DOUBLES: usize = 8;

/// Positions of bits: up to 64 numbers less than 64, and behind them room to read a whole vector from any of
/// them.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Ones(pub(crate) [u8; 64 + MOST_PAIRS]);

impl Ones {
    pub(crate) const NONE: Self = Self([0; 64 + MOST_PAIRS]);
    /// [`Simd::ones`] where no instruction does it.
    #[inline(always)]
    pub(crate) fn set(&mut self, mut bits: u64) {
        let mut n = 0;
        while bits != 0 {
            self.0[n & 63] = bits.trailing_zeros() as u8;
            n += 1;
            bits &= bits - 1;
        }
    }
}

choice! {
    /// Instruction set of queries. Results are the same with each. If the processor lacks it, queries use the
    /// next best of its architecture, or else portable code.
    pub enum SimdLevel {
        /// The best that this processor has.
        #[default]
        Auto = "auto",
        /// The level that every processor of the architecture has: SSE2 on x86-64, elsewhere plain Rust.
        Portable = "portable",
        /// x86-64 with AVX2 and FMA.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI and VBMI2.
        Avx512 = "avx512",
        /// aarch64 with NEON, which every such processor has that runs an operating system.
        Neon = "neon",
        /// wasm32 with SIMD128, for programs compiled with it (`-C target-feature=+simd128`).
        Simd128 = "simd128",
    }
}
