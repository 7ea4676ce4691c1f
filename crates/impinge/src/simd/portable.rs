//! Plain arrays, from which the compiler makes vector code if it can.
//!
//! No `#[inline(always)]` here: the compiler may call these functions from anywhere, and without optimisation
//! a walk that held all of their variables would take megabytes of stack.
use super::lanes::{Doubles, Lanes, MOST_DOUBLES, Mask, Ones, Simd, SimdLevel, Work, deposit};
use crate::vector::product_error;
use std::{
    array::from_fn,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

/// The instruction set. It needs no proof: every processor runs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

macro_rules! operators {
    ($type:ident: $($operator:ident $name:ident $sign:tt),*) => {$(
        impl $operator for $type {
            type Output = Self;
            #[inline]
            fn $name(self, o: Self) -> Self {
                Self(from_fn(|k| self.0[k] $sign o.0[k]))
            }
        }
    )*};
}

macro_rules! lanes {
    ($type:ident, $mask:ident, $float:ty, $bits:ty, $count:literal) => {
        #[derive(Clone, Copy, Debug)]
        #[repr(align(32))]
        pub(crate) struct $type([$float; $count]);

        /// A mask with all bits of a lane or none, as comparisons of vectors return on most processors.
        #[derive(Clone, Copy, Debug)]
        #[repr(align(32))]
        pub(crate) struct $mask([$bits; $count]);

        operators!($mask: BitAnd bitand &, BitOr bitor |);
        impl Mask for $mask {
            #[inline]
            fn bits(self) -> u32 {
                let lanes: [u32; $count] = from_fn(|k| (self.0[k] as u32) & 1 << k);
                lanes.into_iter().fold(0, |all, one| all | one)
            }
        }

        operators!($type: Add add +, Sub sub -, Mul mul *, Div div /);
        impl Lanes for $type {
            type Mask = $mask;
            // Two roundings: `f32::mul_add` is a library call where the processor has no such instruction.
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
                Self(self.0.map(<$float>::abs))
            }
            #[inline]
            fn min(self, o: Self) -> Self {
                Self(from_fn(|k| if self.0[k] < o.0[k] { self.0[k] } else { o.0[k] }))
            }
            #[inline]
            fn max(self, o: Self) -> Self {
                Self(from_fn(|k| if self.0[k] > o.0[k] { self.0[k] } else { o.0[k] }))
            }
            #[inline]
            fn gt(self, o: Self) -> $mask {
                $mask(from_fn(|k| if self.0[k] > o.0[k] { <$bits>::MAX } else { 0 }))
            }
            #[inline]
            fn or_else(self, mask: $mask, o: Self) -> Self {
                let either = |k: usize| (mask.0[k] & self.0[k].to_bits()) | (!mask.0[k] & o.0[k].to_bits());
                Self(from_fn(|k| <$float>::from_bits(either(k))))
            }
        }
    };
}
lanes!(Eight, EightMask, f32, u32, 8);
lanes!(Four, FourMask, f64, u64, 4);

impl Doubles for Four {
    #[inline]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline]
    fn product_error(self, b: Self, product: Self) -> Self {
        Self(from_fn(|k| product_error(self.0[k], b.0[k], product.0[k])))
    }
}

impl Simd for Portable {
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
        Eight([x; 8])
    }
    #[inline]
    fn bytes(self, x: &[u8; 8]) -> Eight {
        Eight(x.map(f32::from))
    }
    #[inline]
    fn signed(self, x: &[i16; 8]) -> Eight {
        Eight(x.map(f32::from))
    }
    #[inline]
    fn unsigned(self, x: &[u16; 8]) -> Eight {
        Eight(x.map(f32::from))
    }
    #[inline]
    fn bytes_at(self, words: &[i16], at: usize) -> Eight {
        Eight(from_fn(|k| f32::from(words[(at + k) / 2].to_le_bytes()[(at + k) % 2])))
    }
    #[inline]
    fn load(self, from: &[f32; 8]) -> Eight {
        Eight(*from)
    }
    #[inline]
    fn store(self, x: Eight, to: &mut [f32; 8]) {
        *to = x.0;
    }
    #[inline]
    fn pairs(self, x: f32) -> Eight {
        Eight([x; 8])
    }
    #[inline]
    fn load_pairs(self, from: &[f32]) -> Eight {
        Eight(from_fn(|k| from[k]))
    }
    #[inline]
    fn store_pairs(self, x: Eight, to: &mut [f32]) {
        to[..8].copy_from_slice(&x.0);
    }
    #[inline]
    fn doubles(self, x: f64) -> Four {
        Four([x; 4])
    }
    #[inline]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Four {
        Four(from_fn(|k| from[k]))
    }
    #[inline]
    fn store_doubles(self, x: Four, to: &mut [f64; MOST_DOUBLES]) {
        to[..4].copy_from_slice(&x.0);
    }
    #[inline]
    fn store_singles(self, x: Four, to: &mut [f32; MOST_DOUBLES]) {
        for (to, x) in to.iter_mut().zip(x.0) {
            *to = x as f32;
        }
    }
    #[inline]
    fn lookup(self, table: Eight, at: [u8; 8]) -> Eight {
        Eight(at.map(|k| table.0[usize::from(k & 7)]))
    }
    #[inline]
    fn ones(self, bits: u64, to: &mut Ones) {
        to.set(bits);
    }
    #[inline]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        deposit(bits, mask)
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
