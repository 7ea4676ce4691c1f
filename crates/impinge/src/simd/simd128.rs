//! SIMD128, for wasm32: eight lanes are two vectors of four floats.
//!
//! Nothing is detected: a program with these instructions runs only where all of them exist. So this is the
//! level that takes the place of plain arrays, and it rounds as they do. Relaxed SIMD, which may fuse or not,
//! is not used. Builds for size would leave small functions as calls, hence `#[inline(always)]`.
#![allow(unsafe_code)]
use super::{
    bytes::eight_bytes,
    lanes::{Doubles, Lanes, MOST_DOUBLES, Mask, Ones, Simd, SimdLevel, Work, deposit},
};
use std::{
    arch::wasm32::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

/// The instruction set. It needs no proof: the whole program is compiled for SIMD128.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

/// Lanes 0 to 3 and 4 to 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(v128, v128);

/// Lanes 0 and 1, and 2 and 3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(v128, v128);

/// All bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightMask(v128, v128);

/// All bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourMask(v128, v128);

/// Indices as numbers of bytes: for index k, the four bytes of a table's float, 4 k to 4 k + 3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Index(v128, v128);

macro_rules! operators {
    ($type:ident: $($operator:ident $name:ident $instruction:ident),*) => {$(
        impl $operator for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Self($instruction(self.0, o.0), $instruction(self.1, o.1))
            }
        }
    )*};
}

macro_rules! lanes {
    (
        $type:ident, $mask:ident, $half:literal: $add:ident, $sub:ident, $mul:ident, $div:ident, $pmin:ident,
        $pmax:ident, $gt:ident, $abs:ident, $bitmask:ident
    ) => {
        operators!($mask: BitAnd bitand v128_and, BitOr bitor v128_or);
        impl Mask for $mask {
            #[inline(always)]
            fn bits(self) -> u32 {
                u32::from($bitmask(self.0) | $bitmask(self.1) << $half)
            }
        }
        operators!($type: Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);
        impl Lanes for $type {
            type Mask = $mask;
            // Two roundings: SIMD128 has no such instruction.
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self * b + c
            }
            #[inline(always)]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                self * b - c
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self($abs(self.0), $abs(self.1))
            }
            // The instruction returns its first argument unless the second is less. So does x86's, with the
            // arguments in the other order.
            #[inline(always)]
            fn min(self, o: Self) -> Self {
                Self($pmin(o.0, self.0), $pmin(o.1, self.1))
            }
            #[inline(always)]
            fn max(self, o: Self) -> Self {
                Self($pmax(o.0, self.0), $pmax(o.1, self.1))
            }
            #[inline(always)]
            fn gt(self, o: Self) -> $mask {
                $mask($gt(self.0, o.0), $gt(self.1, o.1))
            }
            #[inline(always)]
            fn or_else(self, mask: $mask, o: Self) -> Self {
                Self(v128_bitselect(self.0, o.0, mask.0), v128_bitselect(self.1, o.1, mask.1))
            }
        }
    };
}
lanes!(
    Eight, EightMask, 4: f32x4_add, f32x4_sub, f32x4_mul, f32x4_div, f32x4_pmin, f32x4_pmax, f32x4_gt, f32x4_abs,
    i32x4_bitmask
);
lanes!(
    Four, FourMask, 2: f64x2_add, f64x2_sub, f64x2_mul, f64x2_div, f64x2_pmin, f64x2_pmax, f64x2_gt, f64x2_abs,
    i64x2_bitmask
);

impl Doubles for Four {
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f64x2_sqrt(self.0), f64x2_sqrt(self.1))
    }
    // As `vector::product_error`, lane by lane.
    #[inline(always)]
    fn product_error(self, b: Self, product: Self) -> Self {
        let split = f64x2_splat(134_217_729.0); // 2^27 + 1
        let halves = |x: Self| {
            let big = x * Self(split, split);
            let high = big - (big - x);
            [high, x - high]
        };
        let ([a, c], [b, d]) = (halves(self), halves(b));
        ((a * b - product) + a * d + c * b) + c * d
    }
}

/// Reads 16 bytes.
#[inline(always)]
fn load<T: Copy, const N: usize>(from: &[T; N]) -> v128 {
    const { assert!(size_of::<T>() * N == 16) };
    // SAFETY: the array is 16 bytes of numbers; the address may have any alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// Writes 16 bytes.
#[inline(always)]
fn store<T: Copy, const N: usize>(x: v128, to: &mut [T; N]) {
    const { assert!(size_of::<T>() * N == 16) };
    // SAFETY: the array is 16 bytes of numbers, of which any bits are one; the address may have any alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), x) }
}

/// An array in two parts.
#[inline(always)]
fn parts<T, const N: usize>(x: &[T]) -> (&[T; N], &[T; N]) {
    let (low, rest) = x.split_first_chunk().expect("a vector");
    (low, rest.first_chunk().expect("a vector"))
}

/// An array in two parts.
#[inline(always)]
fn parts_mut<T, const N: usize>(x: &mut [T]) -> (&mut [T; N], &mut [T; N]) {
    let (low, rest) = x.split_first_chunk_mut().expect("room for a vector");
    (low, rest.first_chunk_mut().expect("room for a vector"))
}

#[inline(always)]
fn floats(x: v128) -> Eight {
    Eight(f32x4_convert_i32x4(u32x4_extend_low_u16x8(x)), f32x4_convert_i32x4(u32x4_extend_high_u16x8(x)))
}

impl Simd for Simd128 {
    type Eight = Eight;
    type Pairs = Eight;
    type Index = Index;
    type Doubles = Four;
    const LEVEL: SimdLevel = SimdLevel::Simd128;
    const PAIRS: usize = 8;
    const DOUBLES: usize = 4;

    #[inline(never)]
    fn call<W: Work>(self, work: W) -> W::Out {
        work.run(self)
    }
    #[inline(always)]
    fn eight(self, x: f32) -> Eight {
        Eight(f32x4_splat(x), f32x4_splat(x))
    }
    #[inline(always)]
    fn bytes(self, x: &[u8; 8]) -> Eight {
        floats(u16x8_extend_low_u8x16(u64x2_splat(u64::from_le_bytes(*x))))
    }
    #[inline(always)]
    fn signed(self, x: &[i16; 8]) -> Eight {
        let x = load(x);
        Eight(f32x4_convert_i32x4(i32x4_extend_low_i16x8(x)), f32x4_convert_i32x4(i32x4_extend_high_i16x8(x)))
    }
    #[inline(always)]
    fn unsigned(self, x: &[u16; 8]) -> Eight {
        floats(load(x))
    }
    #[inline(always)]
    fn bytes_at(self, words: &[i16], at: usize) -> Eight {
        self.bytes(eight_bytes(words, at))
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Eight {
        self.load_pairs(from)
    }
    #[inline(always)]
    fn store(self, x: Eight, to: &mut [f32; 8]) {
        self.store_pairs(x, to);
    }
    #[inline(always)]
    fn pairs(self, x: f32) -> Eight {
        self.eight(x)
    }
    #[inline(always)]
    fn load_pairs(self, from: &[f32]) -> Eight {
        let (low, high) = parts::<_, 4>(from);
        Eight(load(low), load(high))
    }
    #[inline(always)]
    fn store_pairs(self, x: Eight, to: &mut [f32]) {
        let (low, high) = parts_mut::<_, 4>(to);
        store(x.0, low);
        store(x.1, high);
    }
    #[inline(always)]
    fn doubles(self, x: f64) -> Four {
        Four(f64x2_splat(x), f64x2_splat(x))
    }
    #[inline(always)]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Four {
        let (low, high) = parts::<_, 2>(from);
        Four(load(low), load(high))
    }
    #[inline(always)]
    fn store_doubles(self, x: Four, to: &mut [f64; MOST_DOUBLES]) {
        let (low, high) = parts_mut::<_, 2>(to);
        store(x.0, low);
        store(x.1, high);
    }
    #[inline(always)]
    fn store_singles(self, x: Four, to: &mut [f32; MOST_DOUBLES]) {
        let (low, high) = (f32x4_demote_f64x2_zero(x.0), f32x4_demote_f64x2_zero(x.1));
        store(i64x2_shuffle::<0, 2>(low, high), to.first_chunk_mut::<4>().expect("room for four"));
    }
    // Bytes that one half of the table lacks are numbers from 16 on, for which the instruction returns 0.
    #[inline(always)]
    fn lookup(self, table: Eight, at: Index) -> Eight {
        let half = u8x16_splat(16);
        let one = |at| v128_or(u8x16_swizzle(table.0, at), u8x16_swizzle(table.1, u8x16_sub(at, half)));
        Eight(one(at.0), one(at.1))
    }
    #[inline(always)]
    fn ones(self, bits: u64, to: &mut Ones) {
        to.set(bits);
    }
    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        deposit(bits, mask)
    }
    // wasm has no such instruction.
    #[inline(always)]
    fn prefetch<T>(self, _of: &[T], _at: usize) {}
    #[inline(always)]
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Index, Index) {
        let at: &[u8; 8] = ones.0[start..].first_chunk().expect("eight");
        // Numbers x are less than 64: these are 4 (x / 8) and 4 (x mod 8).
        let (at, four) = (u64x2_splat(u64::from_le_bytes(*at)), u8x16_splat(7 << 2));
        (spread(v128_and(u8x16_shr(at, 1), four)), spread(v128_and(u8x16_shl(at, 2), four)))
    }
    #[inline(always)]
    fn store_ranks(self, first: u32, at: Index, to: &mut [u32]) {
        let (low, high) = parts_mut::<_, 4>(to);
        let first = u32x4_splat(first);
        store(u32x4_add(first, number(at.0)), low);
        store(u32x4_add(first, number(at.1)), high);
    }
}

/// An index from four times the number of each lane.
#[inline(always)]
fn spread(four_times: v128) -> Index {
    let byte = u32x4_splat(0x0302_0100);
    let low = u8x16_shuffle::<0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3>(four_times, four_times);
    let high = u8x16_shuffle::<4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7>(four_times, four_times);
    Index(v128_or(low, byte), v128_or(high, byte))
}

/// The numbers of four lanes of an index: the highest byte of each lane is 4 k + 3.
#[inline(always)]
fn number(at: v128) -> v128 {
    u32x4_shr(at, 26)
}
