//! NEON, for aarch64: eight lanes are two registers of four floats, and vectors of pairs have eight, too.
//!
//! Rust compiles whole programs for NEON on every aarch64 target with an operating system, so nothing is
//! detected. Unlike NEON on 32-bit processors, it keeps subnormal numbers and rounds as IEEE 754 requires.
#![allow(unsafe_code)]
use super::{
    bytes::eight_bytes,
    lanes::{Doubles, Lanes, MOST_DOUBLES, Mask, Ones, Simd, SimdLevel, Work, deposit},
};
use std::{
    arch::aarch64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

// `proved!` relies on this.
const _: () = assert!(cfg!(target_feature = "neon"));

/// The instruction set. It needs no proof: the whole program is compiled for NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

/// Lanes 0 to 3 and 4 to 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(float32x4_t, float32x4_t);

/// Lanes 0 and 1, and 2 and 3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(float64x2_t, float64x2_t);

/// All bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightMask(uint32x4_t, uint32x4_t);

/// All bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourMask(uint64x2_t, uint64x2_t);

/// Indices as numbers of bytes: for index k, the four bytes of a table's float, 4 k to 4 k + 3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Index(uint8x16_t, uint8x16_t);

/// Calls an intrinsic, which is safe because every processor that runs this program has it.
macro_rules! proved {
    ($($call:tt)*) => {{
        // SAFETY: all of the program is compiled for NEON (asserted above), and so needs such a processor
        // anyway. Memory that is read or written belongs to a reference or a slice that is long enough.
        unsafe { $($call)* }
    }};
}

macro_rules! masks {
    ($type:ident, $and:ident, $or:ident) => {
        impl BitAnd for $type {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, o: Self) -> Self {
                proved!(Self($and(self.0, o.0), $and(self.1, o.1)))
            }
        }
        impl BitOr for $type {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, o: Self) -> Self {
                proved!(Self($or(self.0, o.0), $or(self.1, o.1)))
            }
        }
    };
}
masks!(EightMask, vandq_u32, vorrq_u32);
masks!(FourMask, vandq_u64, vorrq_u64);

impl Mask for EightMask {
    #[inline(always)]
    fn bits(self) -> u32 {
        let (low, high) = (words(&[1, 2, 4, 8]), words(&[16, 32, 64, 128]));
        proved!(vaddvq_u32(vorrq_u32(vandq_u32(self.0, low), vandq_u32(self.1, high))))
    }
}

impl Mask for FourMask {
    #[inline(always)]
    fn bits(self) -> u32 {
        let lanes = proved!(vcombine_u32(vmovn_u64(self.0), vmovn_u64(self.1)));
        proved!(vaddvq_u32(vandq_u32(lanes, words(&[1, 2, 4, 8]))))
    }
}

macro_rules! lanes {
    (
        $type:ident, $mask:ident, $add:ident, $sub:ident, $mul:ident, $fma:ident, $neg:ident, $abs:ident,
        $min:ident, $max:ident, $gt:ident, $div:ident, $select:ident
    ) => {
        impl Add for $type {
            type Output = Self;
            #[inline(always)]
            fn add(self, o: Self) -> Self {
                proved!(Self($add(self.0, o.0), $add(self.1, o.1)))
            }
        }
        impl Sub for $type {
            type Output = Self;
            #[inline(always)]
            fn sub(self, o: Self) -> Self {
                proved!(Self($sub(self.0, o.0), $sub(self.1, o.1)))
            }
        }
        impl Mul for $type {
            type Output = Self;
            #[inline(always)]
            fn mul(self, o: Self) -> Self {
                proved!(Self($mul(self.0, o.0), $mul(self.1, o.1)))
            }
        }
        impl Div for $type {
            type Output = Self;
            #[inline(always)]
            fn div(self, o: Self) -> Self {
                proved!(Self($div(self.0, o.0), $div(self.1, o.1)))
            }
        }
        impl Lanes for $type {
            type Mask = $mask;
            // The intrinsic takes the summand first, and rounds once.
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                proved!(Self($fma(c.0, self.0, b.0), $fma(c.1, self.1, b.1)))
            }
            // The change of the summand's sign is exact, so this rounds once, too.
            #[inline(always)]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                proved!(Self($fma($neg(c.0), self.0, b.0), $fma($neg(c.1), self.1, b.1)))
            }
            #[inline(always)]
            fn abs(self) -> Self {
                proved!(Self($abs(self.0), $abs(self.1)))
            }
            #[inline(always)]
            fn min(self, o: Self) -> Self {
                proved!(Self($min(self.0, o.0), $min(self.1, o.1)))
            }
            #[inline(always)]
            fn max(self, o: Self) -> Self {
                proved!(Self($max(self.0, o.0), $max(self.1, o.1)))
            }
            #[inline(always)]
            fn gt(self, o: Self) -> $mask {
                proved!($mask($gt(self.0, o.0), $gt(self.1, o.1)))
            }
            #[inline(always)]
            fn or_else(self, mask: $mask, o: Self) -> Self {
                proved!(Self($select(mask.0, self.0, o.0), $select(mask.1, self.1, o.1)))
            }
        }
    };
}
lanes!(
    Eight, EightMask, vaddq_f32, vsubq_f32, vmulq_f32, vfmaq_f32, vnegq_f32, vabsq_f32, vminq_f32, vmaxq_f32,
    vcgtq_f32, vdivq_f32, vbslq_f32
);
lanes!(
    Four, FourMask, vaddq_f64, vsubq_f64, vmulq_f64, vfmaq_f64, vnegq_f64, vabsq_f64, vminq_f64, vmaxq_f64,
    vcgtq_f64, vdivq_f64, vbslq_f64
);

#[inline(always)]
fn words(from: &[u32; 4]) -> uint32x4_t {
    proved!(vld1q_u32(from.as_ptr()))
}

#[inline(always)]
fn sixteen_bytes(from: &[u8; 16]) -> uint8x16_t {
    proved!(vld1q_u8(from.as_ptr()))
}

#[inline(always)]
fn floats(x: uint16x8_t) -> Eight {
    proved!(Eight(vcvtq_f32_u32(vmovl_u16(vget_low_u16(x))), vcvtq_f32_u32(vmovl_high_u16(x))))
}

impl Doubles for Four {
    // Rounded once.
    #[inline(always)]
    fn product_error(self, b: Self, product: Self) -> Self {
        self.mul_sub(b, product)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        proved!(Self(vsqrtq_f64(self.0), vsqrtq_f64(self.1)))
    }
}

impl Simd for Neon {
    type Eight = Eight;
    type Pairs = Eight;
    type Index = Index;
    type Doubles = Four;
    const LEVEL: SimdLevel = SimdLevel::Neon;
    const PAIRS: usize = 8;
    const DOUBLES: usize = 4;

    #[inline(never)]
    fn call<W: Work>(self, work: W) -> W::Out {
        work.run(self)
    }
    #[inline(always)]
    fn eight(self, x: f32) -> Eight {
        proved!(Eight(vdupq_n_f32(x), vdupq_n_f32(x)))
    }
    #[inline(always)]
    fn bytes(self, x: &[u8; 8]) -> Eight {
        floats(proved!(vmovl_u8(vcreate_u8(u64::from_le_bytes(*x)))))
    }
    #[inline(always)]
    fn signed(self, x: &[i16; 8]) -> Eight {
        let x = proved!(vld1q_s16(x.as_ptr()));
        proved!(Eight(vcvtq_f32_s32(vmovl_s16(vget_low_s16(x))), vcvtq_f32_s32(vmovl_high_s16(x))))
    }
    #[inline(always)]
    fn unsigned(self, x: &[u16; 8]) -> Eight {
        floats(proved!(vld1q_u16(x.as_ptr())))
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
        let to = to.as_mut_ptr();
        proved!({
            vst1q_f32(to, x.0);
            vst1q_f32(to.add(4), x.1);
        });
    }
    #[inline(always)]
    fn pairs(self, x: f32) -> Eight {
        self.eight(x)
    }
    #[inline(always)]
    fn load_pairs(self, from: &[f32]) -> Eight {
        let from = from[..8].as_ptr();
        proved!(Eight(vld1q_f32(from), vld1q_f32(from.add(4))))
    }
    #[inline(always)]
    fn store_pairs(self, x: Eight, to: &mut [f32]) {
        self.store(x, to.first_chunk_mut().expect("room for eight"));
    }
    #[inline(always)]
    fn doubles(self, x: f64) -> Four {
        proved!(Four(vdupq_n_f64(x), vdupq_n_f64(x)))
    }
    #[inline(always)]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Four {
        let from = from.as_ptr();
        proved!(Four(vld1q_f64(from), vld1q_f64(from.add(2))))
    }
    #[inline(always)]
    fn store_doubles(self, x: Four, to: &mut [f64; MOST_DOUBLES]) {
        proved!({
            vst1q_f64(to.as_mut_ptr(), x.0);
            vst1q_f64(to.as_mut_ptr().add(2), x.1);
        });
    }
    #[inline(always)]
    fn store_singles(self, x: Four, to: &mut [f32; MOST_DOUBLES]) {
        proved!(vst1q_f32(to.as_mut_ptr(), vcvt_high_f32_f64(vcvt_f32_f64(x.0), x.1)));
    }
    #[inline(always)]
    fn lookup(self, table: Eight, at: Index) -> Eight {
        proved!({
            let table = uint8x16x2_t(vreinterpretq_u8_f32(table.0), vreinterpretq_u8_f32(table.1));
            let (low, high) = (vqtbl2q_u8(table, at.0), vqtbl2q_u8(table, at.1));
            Eight(vreinterpretq_f32_u8(low), vreinterpretq_f32_u8(high))
        })
    }
    #[inline(always)]
    fn ones(self, bits: u64, to: &mut Ones) {
        to.set(bits);
    }
    // NEON has no such instruction.
    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        deposit(bits, mask)
    }
    // Does nothing: the intrinsic is not stable yet, and the gain of `asm!` was not measured.
    #[inline(always)]
    fn prefetch<T>(self, _of: &[T], _at: usize) {}
    #[inline(always)]
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Index, Index) {
        let at: &[u8; 8] = ones.0[start..].first_chunk().expect("eight");
        let (rows, columns) = proved!({
            // Numbers x are less than 64: these are 4 (x / 8) and 4 (x mod 8).
            let (at, four) = (vcreate_u8(u64::from_le_bytes(*at)), vdup_n_u8(7 << 2));
            (vand_u8(vshr_n_u8::<1>(at), four), vand_u8(vshl_n_u8::<2>(at), four))
        });
        (spread(rows), spread(columns))
    }
    #[inline(always)]
    fn store_ranks(self, first: u32, at: Index, to: &mut [u32]) {
        let to = to[..8].as_mut_ptr();
        proved!({
            let first = vdupq_n_u32(first);
            vst1q_u32(to, vaddq_u32(first, number(at.0)));
            vst1q_u32(to.add(4), vaddq_u32(first, number(at.1)));
        });
    }
}

/// An index from four times the number of each lane.
#[inline(always)]
fn spread(four_times: uint8x8_t) -> Index {
    let lanes_0_to_3 = sixteen_bytes(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
    let lanes_4_to_7 = sixteen_bytes(&[4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7]);
    let byte = sixteen_bytes(&[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
    proved!({
        let from = vcombine_u8(four_times, four_times);
        let (low, high) = (vqtbl1q_u8(from, lanes_0_to_3), vqtbl1q_u8(from, lanes_4_to_7));
        Index(vorrq_u8(low, byte), vorrq_u8(high, byte))
    })
}

/// The numbers of four lanes of an index: the highest byte of each lane is 4 k + 3.
#[inline(always)]
fn number(at: uint8x16_t) -> uint32x4_t {
    proved!(vshrq_n_u32::<26>(vreinterpretq_u32_u8(at)))
}
