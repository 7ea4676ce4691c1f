//! Eight f32 lanes, wider runs of lanes for pairs, and lanes of f64: written once, compiled for each instruction set.
//!
//! A value of an instruction set's type ([`Simd`]) is the proof that this processor has it: only [`detect`] makes one. Every
//! operation rounds as IEEE 754 says or not at all, but [`Lanes::mul_add`] may round once or twice: whoever uses it covers both. So results may differ between instruction
//! sets in their last bits, and nothing may depend on those.
//!
//! Code between an instruction set's entry ([`Simd::call`]) and its intrinsics is `#[inline(always)]`, without closures, not even in `map`: those the compiler may leave
//! as functions of their own, compiled without the instruction set, with a call for each intrinsic. (That made queries ten times slower where the whole program was not compiled for this processor.)
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use crate::choice::choice;
use std::{
    fmt::Debug,
    ops::{Add, BitAnd, BitOr, Mul, Sub},
};

#[cfg(target_arch = "x86_64")]
pub(crate) use self::{avx2::Avx2, avx512::Avx512};
pub(crate) use portable::Portable;

/// A set of lanes.
pub(crate) trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// Bit k stands for lane k.
    fn bits(self) -> u32;
}

/// Lanes of f32 or of f64.
pub(crate) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    type Mask: Mask;
    /// self b + c, rounded once or twice.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// self b - c, likewise.
    fn mul_sub(self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    /// The lesser; either where one is NaN.
    fn min(self, o: Self) -> Self;
    fn max(self, o: Self) -> Self;
    /// Where self > o: nowhere that one is NaN.
    fn gt(self, o: Self) -> Self::Mask;
}

/// What is compiled for each instruction set: `run`, and whatever lies between it and the intrinsics, is `#[inline(always)]`.
pub(crate) trait Work {
    type Out;
    fn run<S: Simd>(self, simd: S) -> Self::Out;
}

/// An instruction set that this processor has.
pub(crate) trait Simd: Copy + Debug {
    /// Eight lanes.
    type Eight: Lanes;
    /// [`Simd::PAIRS`] lanes.
    type Pairs: Lanes;
    /// A number from 0 to 7 for each of these lanes.
    type Index: Copy;
    /// [`Simd::DOUBLES`] lanes of f64.
    type Doubles: Lanes;
    /// At most [`MOST_PAIRS`].
    const PAIRS: usize;
    /// At most [`MOST_DOUBLES`].
    const DOUBLES: usize;

    /// Does some work in a function of its own, compiled with these instructions. What is seldom done is done so, and what is done in several places: without optimisation, each variable of what is inlined takes
    /// its own room on the stack.
    fn call<W: Work>(self, work: W) -> W::Out;

    fn eight(self, x: f32) -> Self::Eight;
    fn bytes(self, x: &[u8; 8]) -> Self::Eight;
    fn signed(self, x: &[i16; 8]) -> Self::Eight;
    /// Of unsigned numbers.
    fn unsigned(self, x: &[u16; 8]) -> Self::Eight;
    /// Of eight bytes of words, the lower of each first, beginning `at` bytes after the start. There must be four words from that of the first byte on, and one more if `at` is odd.
    fn bytes_at(self, words: &[i16], at: usize) -> Self::Eight;
    fn store(self, x: Self::Eight, to: &mut [f32; 8]);
    /// Each coordinate in all lanes.
    #[inline(always)]
    fn eights(self, x: &[f32; 3]) -> [Self::Eight; 3] {
        [self.eight(x[0]), self.eight(x[1]), self.eight(x[2])]
    }

    fn pairs(self, x: f32) -> Self::Pairs;
    /// The first lanes of `from`, which has at least [`Simd::PAIRS`].
    fn load_pairs(self, from: &[f32]) -> Self::Pairs;
    /// Writes the first elements of `to`.
    fn store_pairs(self, x: Self::Pairs, to: &mut [f32]);
    fn doubles(self, x: f64) -> Self::Doubles;
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Self::Doubles;
    /// Writes the first elements, rounded.
    fn store_singles(self, x: Self::Doubles, to: &mut [f32; MOST_DOUBLES]);
    /// Lane k is the table's lane of index k.
    fn lookup(self, table: Self::Eight, at: Self::Index) -> Self::Pairs;
    /// The same for each coordinate.
    #[inline(always)]
    fn lookups(self, table: [Self::Eight; 3], at: Self::Index) -> [Self::Pairs; 3] {
        [self.lookup(table[0], at), self.lookup(table[1], at), self.lookup(table[2], at)]
    }
    /// Each coordinate in all lanes.
    #[inline(always)]
    fn splat_doubles(self, x: &[f64; 3]) -> [Self::Doubles; 3] {
        [self.doubles(x[0]), self.doubles(x[1]), self.doubles(x[2])]
    }
    /// Three vectors of coordinates from nine rows.
    #[inline(always)]
    fn load_triangles(self, from: &[[f64; MOST_DOUBLES]; 9]) -> [[Self::Doubles; 3]; 3] {
        [
            [self.load_doubles(&from[0]), self.load_doubles(&from[1]), self.load_doubles(&from[2])],
            [self.load_doubles(&from[3]), self.load_doubles(&from[4]), self.load_doubles(&from[5])],
            [self.load_doubles(&from[6]), self.load_doubles(&from[7]), self.load_doubles(&from[8])],
        ]
    }
    /// Where the ones of a number are, least first; what else is written is less than 64.
    fn ones(self, bits: u64, to: &mut Ones);
    /// Puts the lowest bits of a number where the ones of `mask` are.
    fn deposit(self, bits: u64, mask: u64) -> u64;
    /// Asks for memory that will be wanted: nothing changes but time.
    fn prefetch<T>(self, of: &[T], at: usize);
    /// Of [`Ones`] from `start` on, each divided by 8, and the remainders.
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Self::Index, Self::Index);
    /// Writes `first` plus each index to the first elements of `to`.
    fn store_ranks(self, first: u32, at: Self::Index, to: &mut [u32]);
}

/// The most lanes that pairs come in.
pub(crate) const MOST_PAIRS: usize = 16;
/// The most lanes of f64.
pub(crate) const MOST_DOUBLES: usize = 8;

/// Numbers less than 64, and room to read a run of them anywhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Ones(pub(crate) [u8; 64 + MOST_PAIRS]);

impl Ones {
    pub(crate) const NONE: Self = Self([0; 64 + MOST_PAIRS]);
    /// The scalar way.
    #[inline(always)]
    fn set(&mut self, mut bits: u64) {
        let mut n = 0;
        while bits != 0 {
            self.0[n & 63] = bits.trailing_zeros() as u8;
            n += 1;
            bits &= bits - 1;
        }
    }
}

choice! {
    /// Instruction sets that queries are compiled for. The answers are the same.
    pub enum SimdLevel {
        /// The best that this processor has.
        #[default]
        Auto = "auto",
        /// What the compiler makes of plain code.
        Portable = "portable",
        /// x86-64 with AVX2 and FMA.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI and VBMI2.
        Avx512 = "avx512",
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Detected {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Detected {
    pub(crate) fn call<W: Work>(self, work: W) -> W::Out {
        match self {
            Self::Portable(simd) => simd.call(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.call(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.call(work),
        }
    }
}

/// The best instruction set that this processor has and `most` allows.
pub(crate) fn detect(most: SimdLevel) -> Detected {
    #[cfg(target_arch = "x86_64")]
    {
        if matches!(most, SimdLevel::Auto | SimdLevel::Avx512)
            && let Some(simd) = Avx512::detect()
        {
            return Detected::Avx512(simd);
        }
        if most != SimdLevel::Portable
            && let Some(simd) = Avx2::detect()
        {
            return Detected::Avx2(simd);
        }
    }
    let _ = most;
    Detected::Portable(Portable)
}

impl SimdLevel {
    /// What queries use that ask for this level, on this processor.
    pub fn in_use(self) -> Self {
        match detect(self) {
            Detected::Portable(_) => Self::Portable,
            #[cfg(target_arch = "x86_64")]
            Detected::Avx2(_) => Self::Avx2,
            #[cfg(target_arch = "x86_64")]
            Detected::Avx512(_) => Self::Avx512,
        }
    }
}

#[cfg(test)]
mod tests;
