//! SSE2, which every x86-64 processor has: eight lanes are two registers of four floats.
//!
//! Nothing is detected, and each operation rounds as that of plain arrays: a tree that is built with it is
//! the same on every machine. The compiler may call these functions from anywhere, so nothing is
//! `#[inline(always)]`: without optimisation a walk that held all of their variables would take megabytes of
//! stack.
#![allow(unsafe_code)]
use super::{
    bytes::eight_bytes,
    lanes::{Doubles, Lanes, MOST_DOUBLES, Mask, Ones, Simd, SimdLevel, Work},
};
use crate::vector::product_error;
use bytemuck::cast;
use std::{
    arch::x86_64::*,
    array::from_fn,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

// `proved!` relies on this.
const _: () = assert!(cfg!(target_feature = "sse2"));

/// Calls an intrinsic, which is safe because every processor that runs this program has it.
macro_rules! proved {
    ($($call:tt)*) => {{
        // SAFETY: all of the program is compiled for SSE2 (asserted above), and so needs such a processor
        // anyway. No memory is read or written.
        unsafe { $($call)* }
    }};
}

/// The instruction set. It needs no proof: every x86-64 processor has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2;

/// Lanes 0 to 3 and 4 to 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight([__m128; 2]);

/// Lanes 0 and 1, and 2 and 3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four([__m128d; 2]);

/// All bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightMask([__m128; 2]);

/// All bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourMask([__m128d; 2]);

macro_rules! operators {
    ($type:ident: $($operator:ident $name:ident $instruction:ident),*) => {$(
        impl $operator for $type {
            type Output = Self;
            #[inline]
            fn $name(self, o: Self) -> Self {
                proved!(Self([$instruction(self.0[0], o.0[0]), $instruction(self.0[1], o.0[1])]))
            }
        }
    )*};
}

macro_rules! lanes {
    (
        $type:ident, $mask:ident, $half:literal: $add:ident, $sub:ident, $mul:ident, $div:ident, $min:ident, $max:ident,
        $gt:ident, $and:ident, $andnot:ident, $or:ident, $set1:ident, $movemask:ident
    ) => {
        operators!($mask: BitAnd bitand $and, BitOr bitor $or);
        impl Mask for $mask {
            #[inline]
            fn bits(self) -> u32 {
                proved!($movemask(self.0[0]) | $movemask(self.0[1]) << $half) as u32
            }
        }
        operators!($type: Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);
        impl Lanes for $type {
            type Mask = $mask;
            // Two roundings: SSE2 has no such instruction.
            #[inline]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self * b + c
            }
            #[inline]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                self * b - c
            }
            #[inline]
            fn abs(self) -> Self {
                proved!(Self([$andnot($set1(-0.0), self.0[0]), $andnot($set1(-0.0), self.0[1])]))
            }
            #[inline]
            fn min(self, o: Self) -> Self {
                proved!(Self([$min(self.0[0], o.0[0]), $min(self.0[1], o.0[1])]))
            }
            #[inline]
            fn max(self, o: Self) -> Self {
                proved!(Self([$max(self.0[0], o.0[0]), $max(self.0[1], o.0[1])]))
            }
            #[inline]
            fn gt(self, o: Self) -> $mask {
                proved!($mask([$gt(self.0[0], o.0[0]), $gt(self.0[1], o.0[1])]))
            }
            #[inline]
            fn or_else(self, mask: $mask, o: Self) -> Self {
                let [low, high] = [0, 1].map(|k| {
                    proved!($or($and(mask.0[k], self.0[k]), $andnot(mask.0[k], o.0[k])))
                });
                Self([low, high])
            }
        }
    };
}
lanes!(
    Eight, EightMask, 4: _mm_add_ps, _mm_sub_ps, _mm_mul_ps, _mm_div_ps, _mm_min_ps, _mm_max_ps, _mm_cmpgt_ps,
    _mm_and_ps, _mm_andnot_ps, _mm_or_ps, _mm_set1_ps, _mm_movemask_ps
);
lanes!(
    Four, FourMask, 2: _mm_add_pd, _mm_sub_pd, _mm_mul_pd, _mm_div_pd, _mm_min_pd, _mm_max_pd, _mm_cmpgt_pd,
    _mm_and_pd, _mm_andnot_pd, _mm_or_pd, _mm_set1_pd, _mm_movemask_pd
);

impl Doubles for Four {
    #[inline]
    fn sqrt(self) -> Self {
        proved!(Self([_mm_sqrt_pd(self.0[0]), _mm_sqrt_pd(self.0[1])]))
    }
    #[inline]
    fn product_error(self, b: Self, product: Self) -> Self {
        let [a, b, product]: [[f64; 4]; 3] = [cast(self.0), cast(b.0), cast(product.0)];
        Self(cast::<[f64; 4], _>(from_fn(|k| product_error(a[k], b[k], product[k]))))
    }
}

impl Simd for Sse2 {
    type Eight = Eight;
    type Pairs = Eight;
    type Index = [u8; 8];
    type Doubles = Four;
    const LEVEL: SimdLevel = SimdLevel::Portable;
    const PAIRS: usize = 8;
    const DOUBLES: usize = 4;

    #[inline(never)]
    fn call<W: Work>(self, work: W) -> W::Out {
        work.run(self)
    }
    #[inline]
    fn eight(self, x: f32) -> Eight {
        proved!(Eight([_mm_set1_ps(x); 2]))
    }
    #[inline]
    fn bytes(self, x: &[u8; 8]) -> Eight {
        self.load(&x.map(f32::from))
    }
    #[inline]
    fn signed(self, x: &[i16; 8]) -> Eight {
        self.load(&x.map(f32::from))
    }
    #[inline]
    fn unsigned(self, x: &[u16; 8]) -> Eight {
        self.load(&x.map(f32::from))
    }
    #[inline]
    fn bytes_at(self, words: &[i16], at: usize) -> Eight {
        self.bytes(eight_bytes(words, at))
    }
    #[inline]
    fn load(self, from: &[f32; 8]) -> Eight {
        Eight(cast(*from))
    }
    #[inline]
    fn store(self, x: Eight, to: &mut [f32; 8]) {
        *to = cast(x.0);
    }
    #[inline]
    fn pairs(self, x: f32) -> Eight {
        self.eight(x)
    }
    #[inline]
    fn load_pairs(self, from: &[f32]) -> Eight {
        self.load(from.first_chunk().expect("eight"))
    }
    #[inline]
    fn store_pairs(self, x: Eight, to: &mut [f32]) {
        self.store(x, to.first_chunk_mut().expect("room for eight"));
    }
    #[inline]
    fn doubles(self, x: f64) -> Four {
        proved!(Four([_mm_set1_pd(x); 2]))
    }
    #[inline]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Four {
        let [a, b, c, d, ..] = *from;
        Four(cast([a, b, c, d]))
    }
    #[inline]
    fn store_doubles(self, x: Four, to: &mut [f64; MOST_DOUBLES]) {
        to[..4].copy_from_slice(&cast::<_, [f64; 4]>(x.0));
    }
    #[inline]
    fn store_singles(self, x: Four, to: &mut [f32; MOST_DOUBLES]) {
        let singles: [f32; 4] = cast(proved!(_mm_movelh_ps(_mm_cvtpd_ps(x.0[0]), _mm_cvtpd_ps(x.0[1]))));
        to[..4].copy_from_slice(&singles);
    }
    #[inline]
    fn lookup(self, table: Eight, at: [u8; 8]) -> Eight {
        let table: [f32; 8] = cast(table.0);
        self.load(&at.map(|k| table[usize::from(k & 7)]))
    }
    #[inline]
    fn ones(self, bits: u64, to: &mut Ones) {
        to.set(bits);
    }
    #[inline]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        super::lanes::deposit(bits, mask)
    }
    #[inline]
    fn prefetch<T>(self, _of: &[T], _at: usize) {}
    #[inline]
    fn rows_and_columns(self, ones: &Ones, start: usize) -> ([u8; 8], [u8; 8]) {
        let at: [u8; 8] = from_fn(|k| ones.0[start + k]);
        (at.map(|x| x >> 3), at.map(|x| x & 7))
    }
    #[inline]
    fn store_ranks(self, first: u32, at: [u8; 8], to: &mut [u32]) {
        for (to, k) in to[..8].iter_mut().zip(at) {
            *to = first + u32::from(k);
        }
    }
}
